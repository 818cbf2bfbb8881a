//! Cleaning on real filings, where they are at hand: none is refused, nothing hidden shows, every position leads back.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::path::{Path, PathBuf};

use eightk_text::clean::clean;
use eightk_text::{Cleaned, DocumentKind};

/// The folder of real data; `None` (with a notice) where it is absent and nobody promised it.
fn shared() -> Option<PathBuf> {
    #[allow(clippy::disallowed_methods)]
    let promised = std::env::var("EIGHTK_SHARED").ok();
    let folder =
        promised.clone().map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let filings = folder.join("data/filings");
    if filings.is_dir() {
        return Some(folder);
    }
    assert!(promised.is_none(), "EIGHTK_SHARED is set, but {} is absent", filings.display());
    eprintln!("skipped: {} is absent", filings.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e != "jsonl" && e != "md"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_filing_is_cleaned() {
    let Some(shared) = shared() else { return };
    let mut kinds = [0; 3];
    for file in files(&shared.join("data/filings")).iter().chain(&files(&shared.join("data/excerpts"))) {
        let source = std::fs::read(file).unwrap();
        let c = clean(&source).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        check(file, &source, &c);
        kinds[match c.kind {
            DocumentKind::Html => 0,
            DocumentKind::Xhtml => 1,
            DocumentKind::Plain => 2,
        }] += 1;
    }
    assert!(kinds.iter().all(|n| *n > 50), "{kinds:?}");
}

/// Paragraphs and segments cover the text; runs copied from the source are found there letter by letter.
fn check(file: &Path, source: &[u8], c: &Cleaned) {
    let name = file.display();
    let mut at = 0;
    for p in &c.paragraphs {
        assert!(p.span.start == at && p.span.end > at, "{name}: {p:?} at {at}");
        at = p.span.end + 1;
    }
    assert_eq!(at, c.text.len() + 1, "{name}");
    let (mut out, mut from) = (0, 0);
    for s in c.map.segments() {
        assert!(s.out == out && s.source >= from, "{name}: {s:?}");
        out += s.out_len;
        from = s.source + s.source_len;
        if s.out_len == s.source_len && s.out_len > 3 {
            let shown = &c.text.as_bytes()[s.out..out];
            let there = &source[s.source..from];
            // Separators are decided after copying.
            let same =
                shown.iter().zip(there).all(|(a, b)| a == b || (a.is_ascii_whitespace() && b.is_ascii_whitespace()));
            assert!(same, "{name}: {s:?} {:?}", String::from_utf8_lossy(shown));
        }
    }
    assert_eq!(out, c.text.len(), "{name}");
}

#[test]
fn nothing_hidden_shows_and_labelled_words_do() {
    let Some(shared) = shared() else { return };
    let labels = std::fs::read_to_string(shared.join("data/gold/structure.jsonl")).unwrap();
    let mut seen = 0;
    for line in labels.lines() {
        let label: serde_json::Value = serde_json::from_str(line).unwrap();
        let file = label["file"].as_str().unwrap();
        let source = std::fs::read(shared.join("data/filings").join(file)).unwrap();
        let text = clean(&source).unwrap().text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(hidden) = label["hidden"].as_str() {
            assert!(!text.contains(hidden), "{file}: {hidden:?} shows");
        }
        for item in label["items"].as_array().unwrap() {
            for key in ["heading", "first", "last"] {
                if let Some(words) = item[key].as_str() {
                    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
                    assert!(text.contains(&words), "{file}: {key} {words:?} is missing");
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 50);
}
