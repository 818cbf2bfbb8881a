//! Runs of invented systems over a set of [`super::sets`], scored as real ones are.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use eightk_core::{Hit, Qrels, Run, query_id};
use eightk_dataset::{Shelf, Source};
use eightk_measure::{Judgements, Metric, Options, SystemReport, SystemScores, score};
use eightk_runs::{
    Account, DataFacts, Draws, FilingFacts, OutcomeRow, Place, QueryFacts, Ranked, Report, Results, RunFacts, Settings,
};

const METRICS: [Metric; 3] = [Metric::StandardRecall(1), Metric::RivalAuc, Metric::ResolvedAt1];

/// What a system does: put the gold first, a rival first, both level, or miss the gold.
#[derive(Debug, Clone, Copy)]
pub enum Skill {
    Gold,
    Rival,
    Level,
    Nothing,
}

/// An account of these systems on the set in the folder.
pub fn account(folder: &Path, systems: &[(&str, Skill)]) -> Arc<Account> {
    let shelf = Shelf::open(&Source::Folder(folder.to_owned())).unwrap();
    let sets: Vec<_> = (0..shelf.queries().len()).map(|q| shelf.rivals(q).unwrap().remove(0)).collect();
    let mut qrels = Qrels::default();
    let mut rivals = BTreeMap::new();
    for set in &sets {
        qrels.queries.insert(set.query.clone(), BTreeMap::from([(set.gold.clone(), 2)]));
        rivals.insert(set.query.clone(), set.rivals.clone());
    }
    let judgements = Judgements { qrels, rivals: Some(rivals), ..Judgements::default() };
    let options = Options { draws: 50, ..Options::default() };
    let run = |name: &str, skill: Skill| {
        let hits = |set: &eightk_core::RivalSet| {
            let (gold, rival) = match skill {
                Skill::Gold => (Some(2.0), 1.0),
                Skill::Rival => (Some(1.0), 2.0),
                Skill::Level => (Some(1.0), 1.0),
                Skill::Nothing => (None, 1.0),
            };
            let gold = gold.map(|score| Hit { id: set.gold.clone(), score });
            gold.into_iter().chain([Hit { id: set.rivals[0].clone(), score: rival }]).collect::<Vec<_>>()
        };
        let queries = sets.iter().map(|set| (set.query.clone(), hits(set))).collect();
        Run { system: name.to_owned(), queries }
    };
    let runs: Vec<Run> = systems.iter().map(|(name, skill)| run(name, *skill)).collect();
    let scores: Vec<SystemScores> = runs.iter().map(|r| score(r, &judgements, &METRICS, &options).unwrap()).collect();
    let report = Report {
        dataset: "invented".into(),
        data: Some(DataFacts {
            name: systems[0].0.to_owned(),
            fingerprint: "another".into(),
            qrels_sha256: String::new(),
            rivals_sha256: None,
            recipe: None,
            filings: 1,
            invented: 0,
            chunks: 1,
            queries: sets.len(),
            repaired_spans: 0,
            audit: None,
        }),
        settings: Settings {
            ties: String::new(),
            metrics: METRICS.to_vec(),
            compared_on: vec![Metric::RivalAuc],
            baseline: None,
            contestants: systems.iter().map(|s| s.0.to_owned()).collect(),
            bootstrap: options,
            randomization: Draws { draws: 50, seed: 1 },
            equivalence_margin: 0.05,
            near_from: Vec::new(),
            ladders: Vec::new(),
        },
        systems: scores.iter().map(SystemReport::from).collect(),
        comparisons: Vec::new(),
        against_best: Vec::new(),
        ablations: Vec::new(),
        failed: vec![eightk_measure::FailedSystem {
            name: format!("{} failed", systems[0].0),
            reason: systems[0].0.into(),
        }],
    };
    let outcomes = runs.iter().zip(&scores).flat_map(|(run, scores)| rows(run, scores, &sets)).collect();
    let queries = shelf.queries().iter().enumerate().map(|(i, q)| QueryFacts {
        query: query_id(i),
        text: q.query.clone(),
        filing: Some(q.golds[0].source_url.clone()),
        fact: q.fact.clone(),
        distance: None,
        alternatives: Vec::new(),
        answers: vec![sets[i].gold.clone()],
        evidence: Vec::new(),
    });
    let queries = queries.collect();
    let filing = |f: &eightk_dataset::ShelfFiling| FilingFacts {
        filing: f.source_url.clone(),
        title: f.title.clone(),
        url: None,
        accession: None,
        cik: None,
        chunks: shelf.chunks(&f.source_url).unwrap().into_iter().map(|c| c.id).collect(),
    };
    Arc::new(Account {
        results: Results {
            tool: "eightk".into(),
            version: "0".into(),
            report,
            rankings: Vec::new(),
            run: RunFacts { threads: 1, systems: Vec::new() },
        },
        queries,
        filings: shelf.filings().iter().map(filing).collect(),
        rivals: sets,
        outcomes,
        texts: BTreeMap::new(),
    })
}

fn rows(run: &Run, scores: &SystemScores, sets: &[eightk_core::RivalSet]) -> Vec<OutcomeRow> {
    let row = |outcome: &eightk_measure::QueryOutcome| {
        let hits = &run.queries[&outcome.query];
        let set = sets.iter().find(|s| s.query == outcome.query).unwrap();
        let place = |chunk: &str| {
            let score = hits.iter().find(|h| h.id == chunk).map(|h| h.score);
            let above = |s: f64| hits.iter().filter(|h| h.score > s).count();
            Place { chunk: chunk.to_owned(), rank: score.map(|s| 1 + above(s)), tie: 1, score }
        };
        let mut first: Vec<Ranked> = hits.iter().map(|h| Ranked { chunk: h.id.clone(), score: h.score }).collect();
        first.sort_by(|a, b| b.score.total_cmp(&a.score));
        OutcomeRow {
            system: run.system.clone(),
            query: outcome.query.clone(),
            text: None,
            retrieved: outcome.retrieved,
            answer_rank: outcome.answer_rank,
            answer_tie: outcome.answer_tie,
            rivals: outcome.rivals,
            rivals_above: outcome.rivals_above,
            rivals_level: outcome.rivals_level,
            answers: vec![place(&set.gold)],
            best_rival: Some(place(&set.rivals[0])),
            first,
            metrics: BTreeMap::new(),
        }
    };
    scores.queries.iter().map(row).collect()
}
