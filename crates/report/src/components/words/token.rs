//! What is compared: words, numbers and punctuation, each with the blanks before it.

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Number,
    Other,
}

fn kind(c: char) -> Kind {
    match c {
        c if c.is_numeric() => Kind::Number,
        c if c.is_alphabetic() || c == '_' => Kind::Word,
        _ => Kind::Other,
    }
}

/// Whether `c` goes on in a token of this kind, seeing the character after it.
fn goes_on(in_token: Kind, c: char, next: Option<char>) -> bool {
    let before_alphanumeric = next.is_some_and(char::is_alphanumeric);
    match in_token {
        // `1st`, `12m`; points and commas only inside: `1,250.5` and not the stop at the end.
        Kind::Number => c.is_alphanumeric() || (matches!(c, '.' | ',') && next.is_some_and(char::is_numeric)),
        // `company's`, `U.S`: an apostrophe joins, a hyphen parts, so that `12-month` and `18-month` differ in the number.
        Kind::Word => c.is_alphanumeric() || c == '_' || (matches!(c, '\'' | '’') && before_alphanumeric),
        Kind::Other => false,
    }
}

/// Splits a text into tokens that make it again when put together. A currency sign belongs to its amount. Linear.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    let mut take = |from: usize, to: usize, start: &mut usize| {
        if from < to {
            out.extend(text.get(from..to));
            *start = to;
        }
    };
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut in_token = kind(c);
        let mut end = at + c.len_utf8();
        if is_currency(c) && chars.peek().is_some_and(|(_, n)| n.is_numeric()) {
            in_token = Kind::Number;
        }
        while let Some(&(at, c)) = chars.peek() {
            let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
            if !goes_on(in_token, c, next) {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        take(start, end, &mut start);
    }
    // Blanks at the end.
    take(start, text.len(), &mut start);
    out
}

fn is_currency(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₪' | '₽' | '₺')
}

/// Whether a token holds a letter or a digit.
pub(super) fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_punctuation() {
        let cut = |t: &str| tokens(t).join("|");
        assert_eq!(cut("costs of $1,250.5 million."), "costs| of| $1,250.5| million|.");
        assert_eq!(cut("(the “Company’s” 12-month plan)"), "(|the| “|Company’s|”| 12|-|month| plan|)");
        assert_eq!(cut(" 10%, or 1st \n"), " 10|%|,| or| 1st| \n");
        assert_eq!(cut(""), "");
        assert_eq!(cut(" "), " ");
    }
}
