//! Names on real filings, held against labels that stand beside them. Skipped where the data is absent.

use std::fs;
use std::path::{Path, PathBuf};

use eightk_core::FilingMeta;
use eightk_text::names::{Names, bindings};
use serde_json::Value;

/// The folder of real data, if it is there; a folder that was asked for has to be.
#[allow(clippy::disallowed_methods)]
fn shared() -> Option<PathBuf> {
    let asked = std::env::var("EIGHTK_SHARED").ok();
    let folder =
        asked.clone().map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    if folder.join("data/gold").is_dir() {
        return Some(folder);
    }
    assert!(asked.is_none(), "EIGHTK_SHARED is set, but {} holds no data", folder.display());
    eprintln!("skipped: no real filings in {}", folder.display());
    None
}

fn rows(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    value[key].as_array().map(|a| a.iter().filter_map(|s| s.as_str().map(str::to_owned)).collect()).unwrap_or_default()
}

/// Tags to spaces and the commonest references decoded: enough to look for names, so that this test needs no other part.
fn rough(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut in_tag = false;
    let html = text.contains("<html") || text.contains("<HTML") || text.contains("<div") || text.contains("<P");
    for c in text.chars() {
        match c {
            '<' if html => in_tag = true,
            '>' if in_tag => in_tag = false,
            c if !in_tag => out.push(c),
            _ => {}
        }
    }
    for (from, to) in [
        ("&#8217;", "’"),
        ("&rsquo;", "’"),
        ("&#146;", "’"),
        ("&#x2019;", "’"),
        ("&#8220;", "“"),
        ("&#8221;", "”"),
        ("&ldquo;", "“"),
        ("&rdquo;", "”"),
        ("&#147;", "“"),
        ("&#148;", "”"),
        ("&#x201c;", "“"),
        ("&#x201d;", "”"),
        ("&nbsp;", " "),
        ("&#160;", " "),
        ("&#xa0;", " "),
        ("&amp;", "&"),
        ("&#233;", "é"),
        ("&eacute;", "é"),
        ("&#34;", "\""),
        ("&quot;", "\""),
    ] {
        if out.contains(from) {
            out = out.replace(from, to);
        }
    }
    out
}

struct Case {
    file: String,
    meta: FilingMeta,
    text: String,
}

fn filings(shared: &Path) -> Vec<Case> {
    let folder = shared.join("data/filings");
    let row = |row: &Value| {
        let file = row["file"].as_str().unwrap().to_owned();
        let company = row["company"].as_str().map(str::to_owned);
        let tickers = row["ticker"].as_str().map(str::to_owned).into_iter().collect();
        let text = rough(&fs::read(folder.join(&file)).unwrap());
        Case { file, meta: FilingMeta { company, tickers, ..FilingMeta::default() }, text }
    };
    rows(&folder.join("manifest.jsonl")).iter().map(row).collect()
}

#[test]
fn short_names_are_those_of_the_labels() {
    let Some(shared) = shared() else { return };
    let cases = filings(&shared);
    let (mut right, mut all) = (0, 0);
    for gold in rows(&shared.join("data/gold/structure.jsonl")) {
        let case = cases.iter().find(|c| c.file == gold["file"]).unwrap();
        let short = Names::new(&case.meta, &case.text, &[]).short().to_lowercase();
        let mut good = texts(&gold, "short_name_ok");
        good.push(gold["short_name"].as_str().unwrap().to_owned());
        all += 1;
        let hit = good.iter().any(|g| g.to_lowercase() == short);
        right += usize::from(hit);
        if !hit {
            eprintln!("{}: {short:?}, expected one of {good:?}", case.file);
        }
    }
    assert!(right * 100 >= all * 95, "{right} of {all}");
}

#[test]
fn every_alias_of_the_labels_is_a_mention() {
    let Some(shared) = shared() else { return };
    let cases = filings(&shared);
    let excerpts = rows(&shared.join("data/restructuring-excerpts.jsonl"));
    let (mut found, mut all, mut evidence, mut evidences) = (0, 0, 0, 0);
    for gold in rows(&shared.join("data/gold/facts.jsonl")) {
        let id = gold["id"].as_str().unwrap();
        let company = gold["company"].as_str().map(str::to_owned);
        let text = match cases.iter().find(|c| c.file == id) {
            Some(case) => case.text.clone(),
            None => {
                let same = |e: &&Value| {
                    format!("{} {}", e["company"].as_str().unwrap(), e["event_date"].as_str().unwrap()) == id
                };
                let Some(excerpt) = excerpts.iter().find(same) else { continue };
                excerpt["text"].as_str().unwrap().to_owned()
            }
        };
        let names = Names::new(&FilingMeta { company, ..FilingMeta::default() }, &text, &[]);
        for alias in texts(&gold, "aliases_in_text") {
            all += 1;
            let hit = names.mention(&alias).is_some();
            found += usize::from(hit);
            if !hit {
                eprintln!("{id}: {alias:?} is none of {:?}", names.aliases());
            }
        }
        for fact in gold["facts"].as_array().unwrap() {
            let sentence = fact["sentence"].as_str().unwrap();
            if fact["coreferent_only"].as_bool() == Some(true) {
                assert_eq!(names.mention(sentence), None, "{id}: {sentence} {:?}", names.aliases());
            }
        }
        if let Some(sentence) = gold["evidence"]["sentence"].as_str() {
            evidences += 1;
            let bound = bindings(sentence).iter().any(|b| b.binds_coreferent() && names.binds_filer(sentence, b));
            let hit = if gold["evidence"]["kind"] == "binding" { bound } else { names.mention(sentence).is_some() };
            evidence += usize::from(hit);
            if !hit {
                eprintln!("{id}: {sentence} {:?} {:?}", names.aliases(), bindings(sentence));
            }
        }
    }
    eprintln!("aliases {found} of {all}, evidence {evidence} of {evidences}");
    assert!(found * 100 >= all * 95, "aliases: {found} of {all}");
    assert!(evidence * 100 >= evidences * 95, "evidence: {evidence} of {evidences}");
}

#[test]
fn the_names_of_each_filer_are_printed_for_reading() {
    let Some(shared) = shared() else { return };
    let started = std::time::Instant::now();
    let cases = filings(&shared);
    eprintln!("read in {:?}", started.elapsed());
    let started = std::time::Instant::now();
    let all: Vec<Names> = cases.iter().map(|c| Names::new(&c.meta, &c.text, &[])).collect();
    let named = started.elapsed();
    let started = std::time::Instant::now();
    let found: usize = cases.iter().map(|c| bindings(&c.text).len()).sum();
    eprintln!(
        "{found} bindings in {:?}; named in {named:?}, {} MB",
        started.elapsed(),
        cases.iter().map(|c| c.text.len()).sum::<usize>() / 1_000_000
    );
    let mut seen = std::collections::BTreeSet::new();
    for (case, names) in cases.iter().zip(&all) {
        let line = format!("{:?} -> {} {:?}", case.meta.company, names.short(), names.aliases());
        if seen.insert(line.clone()) {
            eprintln!("{line}");
        }
        if case.meta.company.is_some() {
            assert!(!names.short().is_empty(), "{}", case.file);
            assert!(names.is_alias(names.short()), "{}", case.file);
        }
    }
}
