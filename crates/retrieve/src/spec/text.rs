//! How a spec is cut into parts, and how a name holds what would otherwise cut it.
//!
//! Names are foreign: a folder may hold a comma, a prompt a semicolon, a program's arguments parentheses. A backslash before one of
//! `, ; ( ) \` takes it as it is, and before a space at the very end keeps that space; anywhere else it is a backslash, so that most paths need
//! no thought. The road not taken is quotes: what follows `cmd:` has quotes of its own.

/// What a backslash takes as it is.
const ESCAPED: [char; 5] = [',', ';', '(', ')', '\\'];

/// The characters of a text with their positions; `true` where a backslash takes the character as it is.
fn marked(text: &str) -> impl Iterator<Item = (usize, char, bool)> {
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (at, c) = rest.next()?;
        if c == '\\'
            && let Some((_, next)) = rest.next_if(|(_, next)| ESCAPED.contains(next))
        {
            return Some((at, next, true));
        }
        Some((at, c, false))
    })
}

/// The parts between semicolons outside of parentheses, without the whitespace around them.
pub(super) fn parts(text: &str) -> Result<Vec<&str>, &'static str> {
    let (mut parts, mut start, mut open) = (Vec::new(), 0, 0usize);
    for (at, c, taken) in marked(text) {
        match c {
            _ if taken => {}
            '(' => open += 1,
            ')' => open = open.checked_sub(1).ok_or("a parenthesis closes that none opened; in a name write \\)")?,
            ';' if open == 0 => {
                parts.push(trimmed(text.get(start..at).unwrap_or_default()));
                start = at + 1;
            }
            _ => {}
        }
    }
    if open > 0 {
        return Err("a parenthesis is not closed; in a name write \\(");
    }
    parts.push(trimmed(text.get(start..).unwrap_or_default()));
    Ok(parts)
}

/// Without whitespace around it, but for a space at the end that a backslash keeps.
fn trimmed(part: &str) -> &str {
    let part = part.trim_start();
    let short = part.trim_end();
    let backslashes = short.bytes().rev().take_while(|b| *b == b'\\').count();
    let kept = part.get(short.len()..).and_then(|s| s.chars().next()).map_or(0, char::len_utf8);
    if backslashes % 2 == 1 { part.get(..short.len() + kept).unwrap_or(short) } else { short }
}

/// A name followed by `,key=value`, each as written.
#[derive(Debug)]
pub(super) struct Cut<'t> {
    pub(super) name: &'t str,
    pub(super) settings: Vec<(&'t str, &'t str)>,
    /// The first word that looks like a key in the name and is none.
    pub(super) stray: Option<&'t str>,
}

/// Cuts at commas that a known key and `=` follow; other commas belong to what they stand in.
pub(super) fn cut<'t>(text: &'t str, known: &[&str]) -> Cut<'t> {
    let (mut name, mut settings, mut stray) = (text, Vec::<(&str, &str)>::new(), None);
    let mut start = 0;
    for (at, c, taken) in marked(text) {
        // A comma inside of a key's own text cannot be: keys have none.
        let Some(key) = (c == ',' && !taken).then(|| key_of(text.get(at + 1..)?)).flatten() else { continue };
        if !known.contains(&key) {
            if settings.is_empty() {
                stray = stray.or(Some(key));
            }
            continue;
        }
        let before = text.get(start..at).unwrap_or_default();
        match settings.last_mut() {
            Some((_, value)) => *value = before,
            None => name = before,
        }
        let after = text.get(at + 1..).unwrap_or_default();
        start = text.len() - after.trim_start().len() + key.len() + 1;
        settings.push((key, text.get(start..).unwrap_or_default()));
    }
    Cut { name, settings, stray }
}

/// The `key` of a text that begins with `key=`, whitespace before it aside.
fn key_of(text: &str) -> Option<&str> {
    let (key, _) = text.trim_start().split_once('=')?;
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (!key.is_empty() && key.len() <= 40 && key.bytes().all(fits)).then_some(key)
}

/// What a name or value stands for.
pub(super) fn plain(written: &str) -> String {
    let mut out: String = marked(written).map(|(_, c, _)| c).collect();
    // The space at the very end that a backslash keeps.
    let last = written.chars().next_back().filter(|c| c.is_whitespace());
    if let Some(space) = last
        && let Some(before) = written.strip_suffix(space)
        && before.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 1
    {
        out.truncate(out.len() - space.len_utf8() - 1);
        out.push(space);
    }
    out
}

/// A name or value written so that [`plain`] gives it back, wherever it stands.
pub(super) fn written(plain: &str) -> String {
    let mut out = String::with_capacity(plain.len());
    for (at, c) in plain.char_indices() {
        let rest = plain.get(at + c.len_utf8()..).unwrap_or_default();
        let backslash = match c {
            ';' | '(' | ')' => true,
            ',' => key_of(rest).is_some(),
            '\\' => {
                let mut after = rest.chars();
                let next = after.next();
                next.is_none_or(|n| ESCAPED.contains(&n) || (n.is_whitespace() && after.next().is_none()))
            }
            _ => c.is_whitespace() && rest.is_empty(),
        };
        if backslash {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_cut_outside_of_parentheses() {
        assert_eq!(parts(" a; b(c; d) ;e\\;f;g\\ ").unwrap(), ["a", "b(c; d)", "e\\;f", "g\\ "]);
        assert_eq!(parts("").unwrap(), [""]);
        assert!(parts("a)").unwrap_err().contains("none opened"));
        assert!(parts("(a").unwrap_err().contains("not closed"));
        assert_eq!(parts("a\\)").unwrap(), ["a\\)"]);
    }

    #[test]
    fn only_known_keys_cut() {
        let of = cut("m,x, view=title,y=2,as=b, c", &["view", "as"]);
        assert_eq!((of.name, of.stray), ("m,x", None));
        assert_eq!(of.settings, [("view", "title,y=2"), ("as", "b, c")]);
        let of = cut("m,veiw=title\\,as=b", &["view", "as"]);
        assert_eq!((of.name, of.stray), ("m,veiw=title\\,as=b", Some("veiw")));
    }

    #[test]
    fn backslashes_in_paths_stay() {
        assert_eq!(plain("C:\\models\\mini"), "C:\\models\\mini");
        assert_eq!(written("C:\\models\\mini"), "C:\\models\\mini");
        assert_eq!(plain("query: \\ "), "query:  ");
        assert_eq!(plain("query:\\ "), "query: ");
        assert_eq!(plain("a\\ b"), "a\\ b");
    }

    proptest! {
        #[test]
        fn there_and_back_wherever_it_stands(name in "[a,;()\\\\ =v-]{0,12}") {
            prop_assert_eq!(&plain(&written(&name)), &name);
            let text = format!("x:{}", written(&name));
            let whole = format!(" {text} ; {text}");
            prop_assert_eq!(parts(&whole).unwrap(), [text.as_str(); 2]);
            let value = written(&name);
            let before = format!("m,view={value}");
            let whole = format!("{before},view=b");
            let of = cut(&whole, &["view"]);
            prop_assert_eq!(of.settings, [("view", value.as_str()), ("view", "b")]);
        }
    }
}
