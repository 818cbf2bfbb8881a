//! Values as Markdown and YAML.

use crate::write::statistics::Range;

/// From the smallest to the largest, and the middle.
pub(super) fn range(r: Range) -> String {
    if r.min == r.max {
        return format!("{} each", grouped(r.min));
    }
    format!("{} to {}, median {}", grouped(r.min), grouped(r.max), grouped(r.median))
}

pub(super) fn counts<'a>(counts: impl Iterator<Item = (&'a String, &'a usize)>) -> String {
    counts.map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
}

/// A JSON value without the quotes of a string.
pub(super) fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A YAML string: a JSON string is one.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A count with commas between thousands.
pub(in crate::write) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Text in Markdown, on one line, with nothing taken for markup; the Hub reads `$…$` as a formula.
pub(super) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let text = text.trim_start();
    // Numbers, dashes and the like begin a list only where a line begins.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    for (i, c) in text.char_indices() {
        match c {
            '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '|' | '$' | '~' | '#' | '&' => out.extend(['\\', c]),
            '-' | '+' | '=' if i == 0 => out.extend(['\\', c]),
            '.' | ')' if i == digits && i > 0 => out.extend(['\\', c]),
            // Marks that turn the direction of everything after them.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(prose("a | $4 to $5 <b>\n# [x](y)"), "a \\| \\$4 to \\$5 \\<b\\> \\# \\[x\\](y)");
        assert_eq!(quoted("a: \"b\"\n"), r#""a: \"b\"\n""#);
    }

    #[test]
    fn a_text_begins_no_list() {
        assert_eq!(prose("1. First, 2. second"), "1\\. First, 2. second");
        assert_eq!(prose(" 12) – a - b"), "12\\) – a - b");
        assert_eq!(prose("- - -"), "\\- - -");
        assert_eq!(prose(".5 of &copy; > 3\u{202e}"), ".5 of \\&copy; \\> 3");
    }

    #[test]
    fn ranges() {
        assert_eq!(range(Range { min: 2, median: 2, max: 2 }), "2 each");
        assert_eq!(range(Range { min: 40, median: 181, max: 1769 }), "40 to 1,769, median 181");
    }

    #[test]
    fn thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
