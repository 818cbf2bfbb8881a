//! A text without the names of its filer.
//!
//! A name goes with the legal form after it and with its possessive ending; quotes and brackets that held nothing else go
//! too, and where two spaces would meet one stays. Nothing is put in its place: a placeholder would be a word that all masked texts
//! share, and that no filing holds.

use std::borrow::Cow;

use eightk_text::names::{Names, legal_form};

/// What is left when names are cut out can be a name again ("Tarwick Tarwick Mills Mills"). What still is one after this many times is no
/// prose, and goes whole.
const PASSES: usize = 8;

/// `text` with every name taken out; as it is where it holds none.
pub(super) fn without_names<'t>(text: &'t str, names: &Names) -> Cow<'t, str> {
    let mut left = Cow::Borrowed(text);
    for _ in 0..PASSES {
        let spans = names.mentions(&left);
        if spans.is_empty() {
            return left;
        }
        let mut out = String::with_capacity(left.len());
        let mut at = 0;
        for span in spans {
            join(&mut out, left.get(at..span.start).unwrap_or_default(), at > 0);
            at = span.end + ending(left.get(span.end..).unwrap_or_default());
        }
        join(&mut out, left.get(at..).unwrap_or_default(), true);
        out.truncate(out.trim_end().len());
        left = Cow::Owned(out);
    }
    if names.mention(&left).is_none() { left } else { Cow::Borrowed("") }
}

/// How much of what follows a name belongs to it: a legal form, its dot where no sentence ends there, and a possessive ending.
fn ending(after: &str) -> usize {
    let goes_on = |rest: &str| {
        let next = rest.trim_start_matches(' ').chars().next();
        next.is_some_and(|c| c.is_lowercase() || matches!(c, '(' | ')' | ',' | ';' | '’' | '\'' | '”' | '"'))
    };
    let form = legal_form(after);
    let dot = usize::from(after.get(form..).and_then(|a| a.strip_prefix('.')).is_some_and(goes_on));
    let rest = after.get(form + dot..).unwrap_or_default();
    let possessive = ["’s", "'s", "’S", "'S", "s", "S", "’", "'"].iter().find_map(|p| {
        let over = !rest.strip_prefix(p)?.starts_with(char::is_alphanumeric);
        // A quote that closes is no apostrophe, and stays to be matched with the one that opens.
        (over && (p.len() > 1 || !p.starts_with(['’', '\'']))).then_some(p.len())
    });
    form + dot + possessive.unwrap_or(0)
}

const PAIRS: [(char, char); 5] = [('“', '”'), ('"', '"'), ('(', ')'), ('‘', '’'), ('[', ']')];

/// Adds what follows a place where a name was.
fn join(out: &mut String, mut rest: &str, cut: bool) {
    if cut {
        // Quotes and brackets around nothing.
        while let Some(shorter) =
            PAIRS.iter().find_map(|(open, close)| out.ends_with(*open).then(|| rest.strip_prefix(*close)).flatten())
        {
            out.pop();
            rest = shorter;
        }
        if rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || ",.;:!?)]”".contains(c)) {
            out.truncate(out.trim_end_matches(' ').len());
        }
        if out.is_empty() || out.ends_with(|c: char| c == '\n' || "([“".contains(c)) {
            rest = rest.trim_start_matches(' ');
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::FilingMeta;
    use proptest::prelude::*;

    fn names() -> Names {
        let meta = FilingMeta { company: Some("Tarwick Mills, Inc.".to_owned()), ..FilingMeta::default() };
        Names::new(&meta, "Tarwick Mills, Inc. (“Tarwick,” NYSE: TRWK) met. Tarwick’s board met.", &[])
    }

    #[test]
    fn a_name_leaves_no_trace() {
        for (text, left) in [
            ("Tarwick Mills 8-K 2024-02-01", "8-K 2024-02-01"),
            ("On May 2, Tarwick Mills, Inc. (the “Company”) met.", "On May 2, (the “Company”) met."),
            ("Tarwick Mills, Inc. (“Tarwick” or the “Company”) met", "(or the “Company”) met"),
            ("the mills of Tarwick’s, and Tarwick's board", "the mills of, and board"),
            ("plans of Tarwick Mills, Inc.", "plans of."),
            ("plans of TARWICK.", "plans of."),
            ("shares of it (NYSE: TRWK) rose", "shares of it (NYSE:) rose"),
            ("Öl (“Tarwick”) für TARWICK, é", "Öl für, é"),
            ("Tarwick Mills, Inc.’s board", "board"),
            ("Line one\nTarwick line two", "Line one\nline two"),
            ("Tarwick", ""),
            ("Mr. Tarwick and the tarwick pattern", "Mr. Tarwick and the tarwick pattern"),
            ("the Company, we and the Registrant", "the Company, we and the Registrant"),
        ] {
            assert_eq!(without_names(text, &names()), left, "{text}");
        }
    }

    #[test]
    fn names_that_form_from_what_is_left_go_too() {
        let text = format!("{}{}", "Tarwick ".repeat(50), "Mills ".repeat(50));
        let left = without_names(&text, &names());
        assert!(names().mention(&left).is_none());
    }

    proptest! {
        #[test]
        fn what_is_left_names_nobody_and_reads_on(words in prop::collection::vec(0usize..14, 0..16), glue in prop::collection::vec(0usize..4, 16)) {
            let pick = [
                "Tarwick", "Mills", "TRWK", "(NYSE: TRWK)", "“Tarwick”", "Tarwick’s", "Inc.", "é", "Tarwick Mills, Inc.",
                "the", "Mr.", "(", ")", "Company",
            ];
            let mut text = String::new();
            for (w, g) in words.iter().zip(&glue) {
                text.push_str(pick[*w]);
                text.push_str([" ", ", ", "-", "\n"][*g]);
            }
            let text = text.trim();
            let names = names();
            let left = without_names(text, &names);
            prop_assert!(names.mention(&left).is_none(), "{}", left);
            prop_assert!(!left.contains("  "), "{:?}", left);
            if names.mention(text).is_none() {
                prop_assert_eq!(&*left, text);
            }
            // What is no name stays, in order: the words that no name holds.
            let others = |s: &str| s.split(|c: char| !c.is_alphanumeric()).filter(|w| ["é", "the", "Company"].contains(w)).map(str::to_owned).collect::<Vec<_>>();
            prop_assert_eq!(others(&left), others(text));
        }

        #[test]
        fn any_text_is_safe(text in "\\PC{0,60}") {
            without_names(&text, &names());
        }
    }
}
