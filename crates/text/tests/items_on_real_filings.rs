//! Items and narratives of the real filings, held against their labels and their manifest.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "helpers of tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eightk_text::{Cleaned, Narrative, clean, items, metadata};
use serde_json::Value;

/// The folder of real filings; `None`, with a notice, where it is absent and nobody asked for it.
#[allow(clippy::disallowed_methods)]
fn shared() -> Option<PathBuf> {
    let asked = std::env::var("EIGHTK_SHARED").ok();
    let root = asked.clone().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").to_owned());
    let root = PathBuf::from(root);
    if root.join("data/filings/manifest.jsonl").is_file() {
        return Some(root);
    }
    assert!(asked.is_none(), "EIGHTK_SHARED names {}, which holds no filings", root.display());
    eprintln!("skipped: no real filings here; set EIGHTK_SHARED to their folder");
    None
}

fn rows(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().unwrap().iter();
    list.map(|v| v.as_str().unwrap().trim_start_matches("old:").to_owned()).collect()
}

fn read(root: &Path, file: &str, expected: &[String]) -> (Source, Narrative) {
    let raw = std::fs::read(root.join("data/filings").join(file)).unwrap();
    let cleaned = clean::clean(&raw).unwrap();
    let narrative = items::narrative(&cleaned, expected).unwrap();
    (Source { raw, cleaned }, narrative)
}

/// A file and its visible text.
struct Source {
    raw: Vec<u8>,
    cleaned: Cleaned,
}

fn one_space(s: &str) -> String {
    s.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn labelled_structure_is_found() {
    let Some(root) = shared() else { return };
    let labels = rows(&root.join("data/gold/structure.jsonl"));
    let (mut exact, mut parts, mut right) = (0, 0, 0);
    for label in &labels {
        let file = label["file"].as_str().unwrap();
        let (_, n) = read(&root, file, &[]);
        let want: Vec<Vec<String>> =
            label["items"].as_array().unwrap().iter().map(|i| strings(&i["numbers"])).collect();
        let have: Vec<Vec<String>> = n.items.iter().map(|i| i.numbers.clone()).collect();
        exact += usize::from(want == have);
        if want != have {
            eprintln!("{file}: want {want:?} have {have:?}");
        }
        if let Some(hidden) = label["hidden"].as_str() {
            assert!(!one_space(&n.text).contains(hidden), "{file}: hidden text is in the narrative");
        }
        for (item, found) in label["items"].as_array().unwrap().iter().zip(&n.items) {
            let text = one_space(found.span.of(&n.text));
            let target = item["redirect"].as_str().map(str::to_owned);
            let quotes = ["first", "last"].map(|k| item[k].as_str().is_none_or(|q| text.contains(&one_space(q))));
            for ok in quotes.into_iter().chain([target == found.redirect]) {
                parts += 1;
                right += usize::from(ok);
            }
        }
    }
    assert!(exact * 100 >= labels.len() * 97, "{exact} of {} filings have exactly the labelled Items", labels.len());
    assert!(right * 100 >= parts * 97, "{right} of {parts} labelled beginnings, ends and redirects are in place");
}

#[test]
fn items_agree_with_the_manifest() {
    let Some(root) = shared() else { return };
    let manifest = rows(&root.join("data/filings/manifest.jsonl"));
    for helped in [false, true] {
        let mut agree = 0;
        for row in &manifest {
            let file = row["file"].as_str().unwrap();
            let promised = strings(&row["items"]);
            let (source, n) = read(&root, file, if helped { &promised } else { &[] });
            let want: BTreeSet<&str> = promised.iter().map(String::as_str).collect();
            let have: BTreeSet<&str> = n.items.iter().flat_map(|i| &i.numbers).map(String::as_str).collect();
            agree += usize::from(want == have);
            if want != have {
                eprintln!("{file}: promised {want:?} found {have:?}");
            }
            holds(file, &source, &n);
        }
        assert!(agree * 1000 >= manifest.len() * 990, "{agree} of {} filings agree (helped: {helped})", manifest.len());
    }
}

/// Spans are in order, text and map are those of the source.
fn holds(file: &str, source: &Source, n: &Narrative) {
    let mut end = 0;
    for item in &n.items {
        assert!(item.span.start >= end && item.span.end > item.span.start && item.span.end <= n.text.len(), "{file}");
        assert!(n.text[item.span.start..].get(..4).is_some_and(|w| w.eq_ignore_ascii_case("item")), "{file}");
        end = item.span.end;
    }
    assert_eq!(n.headings.len(), n.paragraphs.len(), "{file}");
    let mut from = 0;
    for p in &n.paragraphs {
        let words = p.span.of(&n.text);
        assert!(!words.is_empty() && words == words.trim(), "{file}");
        let stands = |words: &str| source.cleaned.text.contains(words);
        // A page that tore the paragraph is left out of it.
        let mended = || words.match_indices(' ').any(|(i, _)| stands(&words[..i]) && stands(&words[i + 1..]));
        assert!(stands(words) || mended(), "{file}");
        let source_span = n.map.source_of(p.span);
        assert!(source_span.start >= from && source_span.end <= source.raw.len(), "{file}: {source_span:?}");
        from = source_span.start;
    }
}

#[test]
fn declared_facts_agree_with_the_manifest() {
    let Some(root) = shared() else { return };
    let (mut names, mut with_day, mut all) = (0, 0, 0);
    for row in rows(&root.join("data/filings/manifest.jsonl")) {
        let file = row["file"].as_str().unwrap();
        let raw = std::fs::read(root.join("data/filings").join(file)).unwrap();
        let d = metadata::declared(&clean::clean(&raw).unwrap());
        let text = |key: &str| row[key].as_str().map(str::to_owned);
        if let (Some(want), Some(have)) = (text("accession"), &d.accession) {
            assert_eq!(want, have.as_str(), "{file}");
        }
        if let (Some(want), Some(have)) = (text("cik"), &d.cik) {
            assert_eq!(&want, have, "{file}");
        }
        if let (Some(want), Some(have)) = (text("filed"), &d.filed) {
            assert_eq!(want, have.to_string(), "{file}");
        }
        if row["complete"].as_bool() == Some(true) {
            all += 1;
            names += usize::from(!d.companies.is_empty());
            with_day += usize::from(d.reported.is_some());
        }
    }
    assert!(names * 100 >= all * 98 && with_day * 100 >= all * 98, "{names} names and {with_day} days of {all}");
}
