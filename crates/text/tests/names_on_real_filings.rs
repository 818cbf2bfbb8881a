//! Names on real filings, held against labels that stand beside them. Skipped where the data is absent.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};

use eightk_core::FilingMeta;
use eightk_text::clean::clean;
use eightk_text::items::narrative;
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

struct Case {
    file: String,
    meta: FilingMeta,
    text: String,
}

fn filings(shared: &Path) -> Vec<Case> {
    let folder = shared.join("data/filings");
    let row = |row: &Value| {
        let file = row["file"].as_str().unwrap().to_owned();
        let cleaned = clean(&fs::read(folder.join(&file)).unwrap()).ok()?;
        let text = narrative(&cleaned, &[]).ok()?.text;
        let declared = cleaned.declared;
        let company = row["company"].as_str().map(str::to_owned).or_else(|| declared.companies.first().cloned());
        let mut tickers = declared.tickers;
        tickers.extend(row["ticker"].as_str().map(str::to_owned));
        let other_names = declared.companies.into_iter().chain(declared.former_names).collect();
        Some(Case { file, meta: FilingMeta { company, tickers, other_names, ..FilingMeta::default() }, text })
    };
    rows(&folder.join("manifest.jsonl")).iter().filter_map(row).collect()
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
        let mut meta = FilingMeta { company: company.clone(), ..FilingMeta::default() };
        let text = match cases.iter().find(|c| c.file == id) {
            Some(case) => {
                meta = FilingMeta { company, ..case.meta.clone() };
                case.text.clone()
            }
            None => {
                let same = |e: &&Value| {
                    format!("{} {}", e["company"].as_str().unwrap(), e["event_date"].as_str().unwrap()) == id
                };
                let Some(excerpt) = excerpts.iter().find(same) else { continue };
                excerpt["text"].as_str().unwrap().to_owned()
            }
        };
        let names = Names::new(&meta, &text, &[]);
        // Labels also list what stands only in exhibits or on the cover.
        for alias in texts(&gold, "aliases_in_text").into_iter().filter(|a| text.contains(a.as_str())) {
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
