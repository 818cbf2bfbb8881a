//! The tags that EDGAR's plain-text documents use for typesetting.
//!
//! Only known names are tags: in plain text `<` also means less-than, and addresses stand in angle brackets.

/// What a tag does to the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It only goes.
    Nothing,
    /// It ends the line.
    Line,
    /// It begins a page.
    Page,
    /// A table begins.
    TableOpen,
    /// A table ends.
    TableClose,
}

/// Reads a tag at the start of `text`: what it does, and its length.
pub(super) fn read(text: &str) -> Option<(Effect, usize)> {
    let inner = text.strip_prefix('<')?;
    // The longest tag worth knowing has a short name and no attributes to speak of.
    let close = inner.bytes().take(80).position(|b| b == b'>')?;
    let inner = inner.get(..close)?;
    let (closing, inner) = inner.strip_prefix('/').map_or((false, inner), |i| (true, i));
    let name_len = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, rest) = inner.split_at_checked(name_len)?;
    if !(rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r', '/'])) {
        return None;
    }
    let name = name.to_ascii_uppercase();
    let effect = match name.as_str() {
        "PAGE" => Effect::Page,
        "TABLE" if closing => Effect::TableClose,
        "TABLE" => Effect::TableOpen,
        "CAPTION" | "P" | "BR" | "DIV" | "TR" | "LI" | "UL" | "CENTER" | "HTML" | "BODY" => Effect::Line,
        "S" | "C" | "FN" | "R" | "TEXT" | "DOCUMENT" | "PRE" | "B" | "I" | "U" | "EM" | "STRONG" | "FONT" | "TD"
        | "A" | "SUP" | "SUB" | "HEAD" | "TITLE" | "SPAN" | "HR" => Effect::Nothing,
        // Footnotes: `<F1>`, `<F12>`.
        n if n.len() <= 3
            && n.strip_prefix('F').is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit())) =>
        {
            Effect::Nothing
        }
        _ => return None,
    };
    Some((effect, text.len() - text.strip_prefix('<')?.len() + close + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tags_go_and_less_than_stays() {
        assert_eq!(read("<PAGE>\n"), Some((Effect::Page, 6)));
        assert_eq!(read("<S> <C>"), Some((Effect::Nothing, 3)));
        assert_eq!(read("</TABLE>"), Some((Effect::TableClose, 8)));
        assert_eq!(read("<F1>"), Some((Effect::Nothing, 4)));
        for s in ["< 5%", "<5>", "<who@acme.test>", "<S", "<", "<Company>", "<C-1>"] {
            assert_eq!(read(s), None, "{s}");
        }
    }
}
