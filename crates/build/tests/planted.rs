//! The generator knows what it planted; the pipeline must find exactly that.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};

use eightk_build::{Examined, ReadOptions, discover, examine_all};
use eightk_core::EvidenceKind;
use eightk_mine::{Recipe, assemble};
use eightk_synth::{Corpus, Options, generate};

/// What is asked of a sentence: fact, text, whether it is coreferent, whether it answers.
type Mention = (String, String, bool, bool);

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn examined(corpus: &Corpus, recipe: &Recipe) -> Examined {
    let dir = tempfile::tempdir().unwrap();
    let mut manifest = String::new();
    for file in &corpus.files {
        std::fs::write(dir.path().join(&file.name), &file.bytes).unwrap();
        manifest += &(serde_json::to_string(&file.row).unwrap() + "\n");
    }
    std::fs::write(dir.path().join("manifest.jsonl"), manifest).unwrap();
    let inputs = discover(&[dir.path().to_owned()]).unwrap();
    examine_all(inputs, recipe, &ReadOptions::default(), || {})
}

/// Compares found with planted; returns how many facts there were.
fn compare(options: Options) -> usize {
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let corpus = generate(&options);
    let found = examined(&corpus, &recipe);
    assert!(found.refused.is_empty(), "{:?}", found.refused);
    let by_file: BTreeMap<&str, _> = found.files.iter().map(String::as_str).zip(&found.records).collect();
    let mut facts = 0;
    let mut wrong = Vec::new();
    for file in &corpus.files {
        let record = by_file[file.name.as_str()];
        let text = |i: usize| squeeze(record.filing.sentence_text(&record.filing.sentences[i]));
        let want: BTreeSet<Mention> = (file.planted.iter())
            .map(|p| (p.fact.clone(), squeeze(&p.sentence), p.coreferent_only, p.answer))
            .collect();
        let got: BTreeSet<Mention> = (record.findings.mentions.iter())
            .map(|m| (m.fact.clone(), text(m.sentence), m.coreferent_only(), m.best))
            .collect();
        facts += want.len();
        for m in want.difference(&got) {
            wrong.push(format!("{}: missed {m:?}", file.name));
        }
        for m in got.difference(&want) {
            wrong.push(format!("{}: extra {m:?}", file.name));
        }
        for p in file.planted.iter().filter(|p| p.answer) {
            let Some(best) = record.findings.best(&p.fact) else { continue };
            let got: Option<(String, EvidenceKind)> =
                record.findings.evidence_for(best.sentence).map(|e| (text(e.sentence), e.kind));
            let want = p.evidence.as_ref().map(|e| (squeeze(&e.sentence), e.kind));
            if got != want {
                wrong.push(format!("{}: evidence {got:?}, not {want:?}", file.name));
            }
        }
    }
    let queries = assemble(&found.records, &recipe).queries.len();
    let unique = corpus.files.iter().flat_map(|f| &f.planted).filter(|p| p.answer && p.unique).count();
    if queries != unique {
        wrong.push(format!("{queries} queries, not {unique}"));
    }
    assert!(
        wrong.is_empty(),
        "seed {}: {} differences\n{}",
        options.seed,
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
    facts
}

#[test]
fn exactly_the_planted_facts_are_found() {
    for seed in 1..=6 {
        // The last as EDGAR serves them; what is missing in the others has to be found in the documents.
        let facts = compare(Options { filings: 150, seed, sparse: seed < 6, ..Options::default() });
        assert!(facts > 100, "only {facts} facts with seed {seed}: the generator plants too few to test anything");
    }
}

#[test]
fn many_rivals_of_one_wording_are_all_found() {
    compare(Options { filings: 120, seed: 77, rivals: 40, sparse: true });
}
