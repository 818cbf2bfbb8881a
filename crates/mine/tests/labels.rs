//! Hand-checked labels: sentences of real filings that state a fact, near misses, and invented passages.
//!
//! Nothing of them is part of the repository; without the folder the test says so and passes, unless `EIGHTK_SHARED`
//! names one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods, clippy::print_stderr)]

mod support;

use std::collections::BTreeSet;
use std::path::PathBuf;

use eightk_core::FilingMeta;
use eightk_mine::{Findings, Recipe, examine};
use eightk_text::names::Names;
use eightk_text::split::{Splitter, split};
use serde_json::Value;

fn rows(name: &str) -> Option<Vec<Value>> {
    let given = std::env::var("EIGHTK_SHARED").ok().map(PathBuf::from);
    let folder =
        given.clone().unwrap_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")));
    let Ok(text) = std::fs::read_to_string(folder.join("data/gold").join(name)) else {
        assert!(given.is_none(), "no data/gold/{name} in {}", folder.display());
        eprintln!("skipped: no labels in {}", folder.display());
        return None;
    };
    Some(text.lines().map(|l| serde_json::from_str(l).unwrap()).collect())
}

fn words(s: &str) -> String {
    s.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn look(recipe: &Recipe, row: &Value, sentences: &[String]) -> Findings {
    let meta = FilingMeta { company: row["company"].as_str().map(str::to_owned), ..FilingMeta::default() };
    let filing = support::filing(meta, sentences.iter().map(String::as_str));
    examine(&filing, &Names::new(&filing.meta, &filing.text, &[]), recipe)
}

/// Right, extra, missed.
#[derive(Default, Debug)]
struct Score(usize, usize, usize);

impl Score {
    fn add<T: Ord + Clone>(&mut self, got: &BTreeSet<T>, want: &BTreeSet<T>) {
        let right = got.intersection(want).count();
        self.0 += right;
        self.1 += got.len() - right;
        self.2 += want.len() - right;
    }

    fn f1(&self) -> f64 {
        2.0 * self.0 as f64 / (2 * self.0 + self.1 + self.2).max(1) as f64
    }
}

#[test]
fn labelled_sentences() {
    let Some(rows) = rows("facts.jsonl") else { return };
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let (mut facts, mut answers, mut flags) = (Score::default(), Score::default(), Score::default());
    for row in &rows {
        let asked = |f: &&Value| f["where"] != "exhibit" && f["truncated"] != true && f["optional"] != true;
        let list = |key: &str| row[key].as_array().cloned().unwrap_or_default();
        let (gold, near) = (list("facts"), list("near_misses"));
        let text = |v: &Value| words(v["sentence"].as_str().unwrap());
        let mut sentences: Vec<String> = gold.iter().filter(asked).chain(near.iter()).map(text).collect();
        if row["evidence"]["where"] != "exhibit" && !row["evidence"].is_null() {
            sentences.insert(0, text(&row["evidence"]));
        }
        let mut seen = BTreeSet::new();
        sentences.retain(|s| seen.insert(s.clone()));
        let found = look(&recipe, row, &sentences);
        let key = |f: &Value| (f["fact"].as_str().unwrap().to_owned(), text(f));
        let mine = |best: bool| {
            let all = found.mentions.iter().filter(move |m| !best || m.best);
            all.map(|m| (m.fact.clone(), sentences[m.sentence].clone())).collect::<BTreeSet<_>>()
        };
        facts.add(&mine(false), &gold.iter().filter(asked).map(key).collect());
        let best = |f: &&Value| f["best_coreferent"] == true;
        answers.add(&mine(true), &gold.iter().filter(asked).filter(best).map(key).collect());
        let flagged = |c: bool| gold.iter().filter(asked).filter(move |f| f["coreferent_only"] == c).map(key);
        let coreferent = found.mentions.iter().filter(|m| m.coreferent_only());
        let coreferent: BTreeSet<_> = coreferent.map(|m| (m.fact.clone(), sentences[m.sentence].clone())).collect();
        flags.add(&coreferent.difference(&flagged(false).collect()).cloned().collect(), &flagged(true).collect());
    }
    eprintln!("facts {:.3} {facts:?}, answers {:.3} {answers:?}, flags {:.3}", facts.f1(), answers.f1(), flags.f1());
    assert!(facts.f1() >= 0.97 && answers.f1() >= 0.95 && flags.f1() >= 0.97);
}

#[test]
fn labelled_passages() {
    let Some(rows) = rows("cases.jsonl") else { return };
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let mut score = Score::default();
    for row in &rows {
        let passage = row["text"].as_str().unwrap();
        let sentences: Vec<String> =
            split(passage, Splitter::Legal).into_iter().map(|s| words(s.of(passage))).collect();
        let found = look(&recipe, row, &sentences);
        let got: BTreeSet<_> = found
            .mentions
            .iter()
            .map(|m| (m.fact.clone(), sentences[m.sentence].clone(), m.coreferent_only()))
            .collect();
        let want = row["expect"].as_array().unwrap().iter().map(|f| {
            let flag = f["coreferent_only"].as_bool().unwrap();
            (f["fact"].as_str().unwrap().to_owned(), words(f["sentence"].as_str().unwrap()), flag)
        });
        score.add(&got, &want.collect());
    }
    eprintln!("passages {:.3} {score:?}", score.f1());
    assert!(score.f1() >= 0.95);
}
