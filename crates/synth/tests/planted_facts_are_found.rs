//! What is planted is what the whole road finds: cleaning, Items, sentences, names, facts, answers, evidence.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::collections::BTreeMap;

use eightk_core::{EvidenceKind, Filing, FilingMeta};
use eightk_mine::{Recipe, examine};
use eightk_synth::{GeneratedFile, Options, generate};
use eightk_text::names::Names;
use eightk_text::split::{Splitter, sentences};
use eightk_text::{clean::clean, items::narrative, metadata::declared};

/// What was found of one fact: sentence, only coreferent, answer, evidence.
type Found = (String, String, bool, bool, Option<(String, EvidenceKind)>);

fn read(file: &GeneratedFile) -> (Filing, Names) {
    let cleaned = clean(&file.bytes).unwrap();
    let declared = declared(&cleaned);
    let names = file.row.company.iter().chain(&declared.companies).cloned().collect::<Vec<_>>();
    let meta = FilingMeta {
        company: names.first().cloned(),
        other_names: names.iter().skip(1).cloned().collect(),
        tickers: declared.tickers.clone(),
        expected_items: file.row.items.iter().map(|i| i.trim_start_matches("old:").to_owned()).collect(),
        ..FilingMeta::default()
    };
    let narrative = narrative(&cleaned, &meta.expected_items).unwrap();
    let sentences = sentences(&narrative, Splitter::default());
    let names = Names::new(&meta, &narrative.text, &[]);
    (Filing { meta, text: narrative.text, items: narrative.items, sentences }, names)
}

fn found(filing: &Filing, names: &Names, recipe: &Recipe) -> Vec<Found> {
    let findings = examine(filing, names, recipe);
    let text = |i: usize| filing.sentence_text(&filing.sentences[i]).to_owned();
    let mut out: Vec<Found> = findings
        .mentions
        .iter()
        .map(|m| {
            let evidence = if m.best { findings.evidence_for(m.sentence) } else { None };
            (
                m.fact.clone(),
                text(m.sentence),
                m.coreferent_only(),
                m.best,
                evidence.map(|e| (text(e.sentence), e.kind)),
            )
        })
        .collect();
    out.sort();
    out
}

fn planted(file: &GeneratedFile) -> Vec<Found> {
    let mut out: Vec<Found> = file
        .planted
        .iter()
        .map(|p| {
            let evidence = p.evidence.as_ref().map(|e| (e.sentence.clone(), e.kind));
            (p.fact.clone(), p.sentence.clone(), p.coreferent_only, p.answer, evidence)
        })
        .collect();
    out.sort();
    out
}

#[test]
fn exactly_what_was_planted_is_found() {
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let mut wrong: BTreeMap<String, usize> = BTreeMap::new();
    let mut shown = 0;
    for (seed, rivals, sparse) in [(1, 8, true), (2, 1, true), (3, 20, true), (4, 8, false)] {
        for file in generate(&Options { filings: 400, seed, rivals, sparse }).files {
            let (filing, names) = read(&file);
            let (have, want) = (found(&filing, &names, &recipe), planted(&file));
            for (missing, list, other) in [("missed", &want, &have), ("extra", &have, &want)] {
                for f in list.iter().filter(|f| !other.contains(f)) {
                    *wrong.entry(format!("{missing} {}", file.row.kind)).or_default() += 1;
                    shown += 1;
                    if shown <= 60 {
                        eprintln!("{missing} in {} (seed {seed}, {}): {f:?}", file.name, names.short());
                    }
                }
            }
            let items: Vec<&str> = filing.items.iter().flat_map(|i| i.numbers.iter().map(String::as_str)).collect();
            let mut expected: Vec<&str> = file.row.items.iter().map(|i| i.trim_start_matches("old:")).collect();
            expected.sort_unstable();
            let mut items = items;
            items.sort_unstable();
            if items != expected {
                *wrong.entry(format!("items {}", file.row.kind)).or_default() += 1;
                eprintln!("items of {}: {items:?}, planted {expected:?}", file.name);
            }
            assert!(!filing.text.contains("charges of approximately $700"), "a hidden sentence shows in {}", file.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
