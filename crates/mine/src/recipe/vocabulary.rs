//! Words that every recipe may use in its patterns as `{money}`, `{number}`, …, and how they are put in.
//!
//! Amounts, counts and dates are the same in every benchmark, and hard to get right once; a recipe names them and adds
//! its own under `[words]`. The road not taken is a parser per kind of value in Rust: a recipe could then not define a
//! kind of its own.

use std::collections::BTreeMap;

/// How deep `{name}` may stand inside `{name}`; deeper means a circle.
const DEPTH: usize = 12;

/// Built-in words, sorted by name.
const BUILT_IN: &[(&str, &str)] = &[
    (
        "currency",
        r"(?:(?:\b(?:us|u\.s\.|c|cdn|can|ca|a|au|nz|hk|s|r|nt|mx) ?)?\$|€|£|¥|₹|\b(?:eur|usd|gbp|chf|cad|aud|jpy|rmb|cny|sek|nok|dkk|inr|brl|mxn|rs\.?) ?)",
    ),
    ("digits", r"(?:[0-9]+(?:,[0-9][0-9][0-9])*(?:\.[0-9]+)?|\.[0-9]+)"),
    (
        "fraction",
        r"\b(?:(?:one|a|two|three)[- ](?:half|thirds?|quarters?|fourths?|fifths?|sixth|tenth)|half|(?:one|two|three|[1-9]) (?:in|out of)(?: every)? (?:three|four|five|six|seven|eight|nine|ten|twelve|twenty|[0-9]+))\b",
    ),
    (
        "money",
        r"{currency} ?{digits}(?:[ -]?{scale}\b)?|\b{digits}[ -]?(?:thousand|million|billion)\b(?: (?:dollars|euros?|pounds|yen|francs|rupees)\b)?|\b(?:(?:one[- ])?half(?: an?)?|an?|one|{spelled})[- ](?:thousand|million|billion)\b(?: (?:dollars|euros?|pounds|yen|francs|rupees)\b)?",
    ),
    ("number", r"\b{digits}\b|\b{spelled}\b"),
    ("percent", r"\b(?:{digits}|{spelled}) ?(?:%|per ?cent\b|pct\b)"),
    ("scale", r"(?:thousand|million|billion|m[mn]?|bn|k)"),
    // Without `one` alone: it is a pronoun more often than a count.
    (
        "spelled",
        r"(?:(?:{tens}(?:[- ]{units})?|{units}|one|an?) (?:hundred|thousand)(?: (?:and )?{tens}(?:[- ]{units})?)?|{tens}(?:[- ](?:one|{units}))?|{units}|(?:two |three )?dozen)",
    ),
    ("tens", r"(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"),
    (
        "units",
        r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)",
    ),
];

/// Why a pattern's words could not be put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExpandError {
    /// No built-in word and no `[words]` entry of that name.
    Unknown(String),
    /// The word leads back to itself.
    Circle(String),
}

/// Built-in words and a recipe's own, which win.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    own: BTreeMap<String, String>,
}

impl Vocabulary {
    pub(crate) fn new(own: BTreeMap<String, String>) -> Self {
        Self { own }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let built_in = || BUILT_IN.iter().find(|(n, _)| *n == name).map(|(_, p)| *p);
        self.own.get(name).map(String::as_str).or_else(built_in)
    }

    /// The pattern with every `{name}` replaced by the word's pattern in a group. `{2,5}` and `{{` stay: a name begins
    /// with a letter.
    pub(crate) fn expand(&self, pattern: &str) -> Result<String, ExpandError> {
        let mut text = pattern.to_owned();
        for _ in 0..DEPTH {
            let Some(next) = self.expand_once(&text)? else { return Ok(text) };
            text = next;
        }
        let name = first_name(&text).map(|(_, n, _)| n.to_owned()).unwrap_or_default();
        Err(ExpandError::Circle(name))
    }

    fn expand_once(&self, text: &str) -> Result<Option<String>, ExpandError> {
        let (mut out, mut rest, mut found) = (String::with_capacity(text.len() * 2), text, false);
        while let Some((before, name, after)) = first_name(rest) {
            let word = self.get(name).ok_or_else(|| ExpandError::Unknown(name.to_owned()))?;
            out.push_str(before);
            out.push_str("(?:");
            out.push_str(word);
            out.push(')');
            (rest, found) = (after, true);
        }
        out.push_str(rest);
        // A word that doubles itself grows fast; no sane pattern is this long.
        if out.len() > 1 << 20 {
            return Err(ExpandError::Circle(first_name(&out).map(|(_, n, _)| n.to_owned()).unwrap_or_default()));
        }
        Ok(found.then_some(out))
    }
}

/// What stands before the first `{name}`, the name, and what stands after.
fn first_name(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('{').map(|i| i + from) {
        let inside = text.get(open + 1..)?;
        if let Some(close) = inside.find('}') {
            let name = inside.get(..close)?;
            let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            if is_name {
                return Some((text.get(..open)?, name, inside.get(close + 1..)?));
            }
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(pattern: &str, text: &str) -> bool {
        let p = Vocabulary::default().expand(pattern).unwrap();
        crate::pattern::Pattern::new(&format!("^(?:{p})$")).unwrap().is_match(text.as_bytes())
    }

    #[test]
    fn amounts_counts_and_shares_in_figures_and_words() {
        for s in [
            "$10 million",
            "25 million",
            "€9 million",
            "$1,850 thousand",
            "$800,000",
            "us$3.5 million",
            "eur 40 million",
            "$.80",
            "40 million euros",
            "£6 million",
            "$500k",
            "$3.4m",
            "chf 12 million",
            "$1.2 billion",
            "$4-million",
            "five million dollars",
            "one-half million dollars",
            "half a million euros",
            "twenty-five thousand dollars",
        ] {
            assert!(whole("{money}", s), "{s}");
        }
        for s in ["6", "2025", "5%", "$", "6 men"] {
            assert!(!whole("{money}", s), "{s}");
        }
        for s in ["248", "3,400", "forty-two", "twelve", "two hundred", "one hundred and fifty", "2.5"] {
            assert!(whole("{number}", s), "{s}");
        }
        for s in ["5%", "seven percent", "12 percent", "10 per cent", "7.5 %"] {
            assert!(whole("{percent}", s), "{s}");
        }
        for s in ["one-third", "a quarter", "half", "two thirds", "one in ten", "1 out of every 8"] {
            assert!(whole("{fraction}", s), "{s}");
        }
    }

    #[test]
    fn own_words_win_and_mistakes_are_named() {
        let own = |k: &str, v: &str| Vocabulary::new([(k.to_owned(), v.to_owned())].into());
        assert_eq!(own("digits", "x").expand("a{digits}{2,3}").unwrap(), "a(?:x){2,3}");
        assert_eq!(own("a", "b").expand("{nothing}"), Err(ExpandError::Unknown("nothing".into())));
        assert_eq!(own("a", "{a}").expand("{a}"), Err(ExpandError::Circle("a".into())));
        assert!(matches!(own("a", "{a}{a}").expand("{a}"), Err(ExpandError::Circle(_))));
    }
}
