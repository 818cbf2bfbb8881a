//! Punkt against NLTK's own boundaries, and against the slow reference.

use std::path::PathBuf;

use eightk_core::{CharIndex, CharSpan};
use proptest::prelude::*;

use super::reference::Reference;
use super::{Version, spans};

fn chars(text: &str, version: Version) -> Vec<(usize, usize)> {
    let index = CharIndex::new(text);
    spans(text, version).into_iter().map(|s| index.to_chars(s)).map(|CharSpan { start, end }| (start, end)).collect()
}

#[allow(clippy::disallowed_methods)]
fn shared() -> Option<PathBuf> {
    let given = std::env::var("EIGHTK_SHARED").ok();
    let path = given.clone().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").to_owned());
    let path = PathBuf::from(path);
    assert!(given.is_none() || path.is_dir(), "EIGHTK_SHARED names a folder that is not there: {}", path.display());
    path.is_dir().then_some(path)
}

#[test]
fn agrees_with_nltk_on_every_recorded_paragraph() {
    let Some(shared) = shared() else {
        eprintln!("skipped: the folder of shared data is absent");
        return;
    };
    let lines = std::fs::read_to_string(shared.join("data/punkt/boundaries.jsonl")).unwrap();
    let (mut paragraphs, mut wrong) = (0, Vec::new());
    for line in lines.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = row["text"].as_str().unwrap();
        for (version, name) in [(Version::Nltk39, "nltk_3.9"), (Version::Nltk310, "nltk_3.10")] {
            let want: Vec<(usize, usize)> = serde_json::from_value(row[name].clone()).unwrap();
            let got = chars(text, version);
            if got != want {
                wrong.push(format!("{name}\n  want {want:?}\n  got  {got:?}"));
            }
        }
        paragraphs += 1;
    }
    assert_eq!(paragraphs, 4300);
    assert!(wrong.is_empty(), "{} mismatches, the first: {}", wrong.len(), wrong[0]);
}

/// The spans' texts.
fn pieces(text: &str, version: Version) -> Vec<&str> {
    spans(text, version).into_iter().map(|s| s.of(text)).collect()
}

#[test]
fn what_punkt_does_well_and_badly() {
    let old = |t| pieces(t, Version::Nltk39);
    assert_eq!(old("Dr. Ames left. She was tired."), ["Dr. Ames left.", "She was tired."]);
    assert_eq!(
        old("It cost $1.5 million. (It was late.) We paid."),
        ["It cost $1.5 million.", "(It was late.)", "We paid."]
    );
    assert_eq!(old("See No. 12 of the list."), ["See No.", "12 of the list."]);
    assert_eq!(old("  \n "), Vec::<&str>::new());
    assert_eq!(old(""), Vec::<&str>::new());
    assert_eq!(old(" Led by white space. Yes."), [" Led by white space.", "Yes."]);
}

#[test]
fn curly_quotes_part_the_versions() {
    let text = "They said “we are done.” Then they left.";
    assert_eq!(pieces(text, Version::Nltk39), [text]);
    assert_eq!(pieces(text, Version::Nltk310), ["They said “we are done.”", "Then they left."]);
}

/// Random text out of the pieces that decide something.
fn hard_text() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        " ",
        " ",
        " ",
        " ",
        "\n",
        "\u{a0}",
        "\u{1c}",
        "\u{2003}",
        "  ",
        ".",
        ".",
        ".",
        "?",
        "!",
        "..",
        "...",
        ". . .",
        ".\u{a0}.\u{a0}.",
        ",",
        ";",
        ":",
        "-",
        "--",
        "—",
        "'",
        "\"",
        ")",
        "(",
        "[",
        "]",
        "}",
        "“",
        "”",
        "‘",
        "’",
        "«",
        "»",
        "*",
        "#",
        "@",
        "&",
        "`",
        "Inc",
        "Corp",
        "No",
        "U.S",
        "u.s",
        "e.g",
        "Mr",
        "Ph.D",
        "St",
        "v",
        "pre-dec",
        "J",
        "b",
        "Smith",
        "smith",
        "The",
        "the",
        "However",
        "however",
        "sales",
        "Sales",
        "Company",
        "company",
        "1",
        "12",
        "1.5",
        "-3,000",
        "99.1",
        "²",
        "½",
        "٣",
        "É",
        "é",
        "ǅ",
        "K",
        "\u{301}",
        "_",
        "ß",
        "Σ",
        "million",
        "I",
        "i",
        "aron",
        "review",
        "a",
        "A",
        "Zymurgy",
        "\r",
        "\t",
        "\u{85}",
    ]);
    prop::collection::vec(prop_oneof![9 => fixed.prop_map(str::to_owned), 1 => "\\PC{0,3}"], 0..60)
        .prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn fast_is_slow(text in hard_text()) {
        thread_local! {
            static OLD: Reference = Reference::new(Version::Nltk39);
            static NEW: Reference = Reference::new(Version::Nltk310);
        }
        prop_assert_eq!(chars(&text, Version::Nltk39), OLD.with(|r| r.spans(&text)));
        prop_assert_eq!(chars(&text, Version::Nltk310), NEW.with(|r| r.spans(&text)));
    }

    #[test]
    fn any_text_at_all(text in ".{0,200}") {
        let index = text.len();
        let mut last = 0;
        for s in spans(&text, Version::Nltk310) {
            prop_assert!(last <= s.start && s.end <= index && text.get(s.start..s.end).is_some());
            last = s.start;
        }
    }
}
