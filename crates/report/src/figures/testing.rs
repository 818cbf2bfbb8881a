//! Accounts of systems that never were, scored as real ones are.

use std::collections::BTreeMap;

use eightk_core::{Hit, Qrels, Run};
use eightk_measure::{
    Comparison, Equivalence, FailedSystem, Filings, Judgements, Metric, Options, SystemReport, SystemScores, at_chance,
    compare_all, score,
};
use eightk_runs::{
    Ablation, Account, FilingFacts, Follow, Ladder, OutcomeRow, Place, QueryFacts, Ranked, Report, Results, RunFacts,
    Rung, Settings,
};

pub(crate) const METRICS: [Metric; 6] = [
    Metric::StandardRecall(1),
    Metric::StandardRecall(5),
    Metric::StandardRecall(10),
    Metric::RivalAuc,
    Metric::ResolvedAt1,
    Metric::NdcgAnswer(10),
];

/// What is run: each system with its skill, from 0 (every rival first) to 1 (the answer first), query by query a bit of chance.
pub(crate) struct World {
    pub(crate) systems: Vec<(&'static str, f64)>,
    pub(crate) queries: usize,
    pub(crate) rivals: usize,
}

impl World {
    fn company(q: usize) -> String {
        format!("Company {}", q / 2)
    }

    fn run(&self, name: &str, skill: f64) -> Run {
        let mut state = name.bytes().fold(1_u32, |s, b| s.wrapping_mul(31).wrapping_add(u32::from(b)));
        let mut chance = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 24)
        };
        let mut queries = BTreeMap::new();
        for q in 0..self.queries {
            // Quantised, so that there are ties.
            let mut level = |base: f64| ((base + chance()) * 8.0).round() / 8.0;
            let mut hits = vec![Hit { id: format!("g{q}"), score: level(skill * 2.0) }];
            hits.extend((0..self.rivals).map(|r| Hit { id: format!("r{q}-{r}"), score: level(0.5) }));
            hits.extend((0..5).map(|f| Hit { id: format!("x{f}"), score: level(0.2) }));
            // A few answers are not found at all.
            if q % 7 == 3 {
                hits.remove(0);
            }
            queries.insert(format!("q{q}"), hits);
        }
        Run { system: name.to_owned(), queries }
    }

    /// Scores, compares with the first, and puts down what a folder of runs holds.
    pub(crate) fn account(&self) -> Account {
        let mut qrels = Qrels::default();
        let (mut rivals, mut clusters) = (BTreeMap::new(), BTreeMap::new());
        let mut chunks: Vec<(String, String)> = (0..5).map(|f| (format!("x{f}"), "filler".to_owned())).collect();
        for q in 0..self.queries {
            qrels.queries.insert(format!("q{q}"), BTreeMap::from([(format!("g{q}"), 2)]));
            rivals.insert(format!("q{q}"), (0..self.rivals).map(|r| format!("r{q}-{r}")).collect::<Vec<_>>());
            clusters.insert(format!("q{q}"), Self::company(q));
            chunks.push((format!("g{q}"), Self::company(q)));
            chunks.extend((0..self.rivals).map(|r| (format!("r{q}-{r}"), format!("Rival {r}"))));
        }
        let judgements = Judgements {
            qrels,
            rivals: (self.rivals > 0).then_some(rivals),
            clusters,
            filing_of: Some(Filings::new(chunks.iter().map(|(c, f)| (c.as_str(), f.as_str())))),
            ..Judgements::default()
        };
        let options = Options { draws: 200, ..Options::default() };
        let runs: Vec<Run> = self.systems.iter().map(|(name, skill)| self.run(name, *skill)).collect();
        let scores: Vec<SystemScores> =
            runs.iter().map(|r| score(r, &judgements, &METRICS, &options).unwrap()).collect();
        let baseline = scores.first();
        let compared = [Metric::StandardRecall(1), Metric::RivalAuc];
        let comparisons: Vec<Comparison> =
            baseline.map_or(Vec::new(), |b| compare_all(&scores, b, &compared, &options).unwrap());
        let contestants = self.systems.iter().skip(1).map(|s| s.0.to_owned()).collect();
        let report = Report {
            dataset: "invented".into(),
            data: None,
            settings: Settings {
                ties: String::new(),
                metrics: METRICS.to_vec(),
                compared_on: compared.to_vec(),
                baseline: baseline.map(|b| b.name.clone()),
                contestants,
                bootstrap: options,
                randomization: eightk_runs::Draws { draws: 200, seed: 1 },
                equivalence_margin: Equivalence::MARGIN,
                near_from: Vec::new(),
                ladders: Vec::new(),
            },
            systems: scores.iter().map(reported).collect(),
            comparisons,
            against_best: Vec::new(),
            ablations: Vec::new(),
            failed: Vec::new(),
        };
        let mut filings: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (chunk, filing) in chunks {
            filings.entry(filing).or_default().push(chunk);
        }
        let title = |f: &String| format!("{f} 8-K 2020-01-02");
        Account {
            results: Results {
                tool: "eightk".into(),
                version: "0".into(),
                report,
                rankings: Vec::new(),
                run: RunFacts { threads: 1, systems: Vec::new() },
            },
            queries: (0..self.queries).map(query).collect(),
            filings: filings
                .into_iter()
                .map(|(f, chunks)| FilingFacts {
                    title: title(&f),
                    filing: f,
                    url: None,
                    accession: None,
                    cik: None,
                    chunks,
                })
                .collect(),
            rivals: Vec::new(),
            outcomes: runs.iter().zip(&scores).flat_map(|(r, s)| self.rows(r, s)).collect(),
            texts: BTreeMap::new(),
        }
    }

    fn rows(&self, run: &Run, scores: &SystemScores) -> Vec<OutcomeRow> {
        let row = |outcome: &eightk_measure::QueryOutcome| {
            let hits = &run.queries[&outcome.query];
            let place = |chunk: &str| {
                let score = hits.iter().find(|h| h.id == chunk).map(|h| h.score);
                Place {
                    chunk: chunk.to_owned(),
                    rank: score.map(|s| 1 + hits.iter().filter(|h| h.score > s).count()),
                    tie: score.map_or(0, |s| hits.iter().filter(|h| h.score == s).count()),
                    score,
                }
            };
            let number = &outcome.query[1..];
            let rivals = hits.iter().filter(|h| h.id.starts_with('r'));
            let best = rivals.max_by(|a, b| a.score.total_cmp(&b.score).then(a.id.cmp(&b.id)));
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
                answers: vec![place(&format!("g{number}"))],
                best_rival: best.map(|h| place(&h.id)),
                first: hits.iter().take(3).map(|h| Ranked { chunk: h.id.clone(), score: h.score }).collect(),
                metrics: BTreeMap::new(),
            }
        };
        scores.queries.iter().map(row).collect()
    }
}

fn reported(scores: &SystemScores) -> SystemReport {
    let mut report = SystemReport::from(scores);
    let chance = [Metric::RivalAuc, Metric::ResolvedAt1].map(|m| at_chance(scores, m, Equivalence::MARGIN).unwrap());
    report.chance = chance.into_iter().flatten().collect();
    report
}

fn query(q: usize) -> QueryFacts {
    QueryFacts {
        query: format!("q{q}"),
        text: format!("What about {q}?"),
        filing: Some(World::company(q)),
        fact: None,
        distance: None,
        alternatives: Vec::new(),
        answers: vec![format!("g{q}")],
        evidence: Vec::new(),
    }
}

/// A ladder over the systems `bare`, `title` and `title/swap`, whose differences are those of the comparisons with `bare`.
pub(crate) fn with_ladder(mut account: Account) -> Account {
    let rung = |system: &str, view: &str, control: Option<&str>| Rung {
        system: system.into(),
        view: view.into(),
        control: control.map(String::from),
    };
    let rungs = vec![
        rung("bare", "bare", None),
        rung("title", "title", None),
        rung("title/swap", "title", Some("swap")),
        rung("lost", "lead", None),
    ];
    let report = &mut account.results.report;
    report.settings.ladders = vec![Ladder { model: "m".into(), rungs }];
    report.settings.contestants.retain(|c| c != "title/swap");
    let find = |name: &str| report.comparisons.iter().filter(|c| c.a == name).cloned().collect::<Vec<_>>();
    let value = |name: &str| {
        let system = report.systems.iter().find(|s| s.name == name);
        system.and_then(|s| s.metrics.get(&Metric::ResolvedAt1).copied().flatten())
    };
    let follow = value("title").map(|rate| Follow {
        system: "title/swap".into(),
        view: "title".into(),
        rate,
        before: value("bare"),
        stays: None,
    });
    let ablation = Ablation {
        model: "m".into(),
        gains: find("title"),
        controls: find("title/swap"),
        follow: follow.into_iter().collect(),
        context_free: Vec::new(),
    };
    report.ablations = vec![ablation];
    report.failed = vec![FailedSystem { name: "lost".into(), reason: "no such model".into() }];
    account
}
