//! Scores as tidy data: one row per observation, one column per variable, every number as it was computed.

use eightk_measure::{Comparison, FailedSystem, Metric, Value};

use super::asked::Which;
use super::csv::{Field, Records};
use crate::evaluation::Scored;

/// The fields of a score.
const SCORE: [&str; 8] = ["expected", "trec", "best", "worst", "low", "high", "queries", "chance"];

/// The fields of a difference.
const DIFFERENCE: [&str; 11] =
    ["metric", "a", "b", "difference", "low", "high", "p", "p_holm", "detectable", "queries", "queries_more"];

/// One table. Where there is nothing to tell it has a header and no rows.
pub(super) fn records(which: Which, scored: &Scored, failed: &[FailedSystem]) -> Records {
    match which {
        Which::Systems => systems(scored, failed),
        Which::Comparisons => comparisons(scored),
        Which::Ablation => ablation(scored),
        Which::Follow => follow(scored),
        Which::FirstPlace => first_place(scored),
        Which::Rivals => rivals(scored),
        Which::Splits => splits(scored),
        Which::Ties => ties(scored),
    }
}

fn header(first: &[&'static str], then: &[&'static str]) -> Vec<&'static str> {
    first.iter().chain(then).copied().collect()
}

fn row(first: impl IntoIterator<Item = Field>, then: impl IntoIterator<Item = Field>) -> Vec<Field> {
    first.into_iter().chain(then).collect()
}

/// A score; without one all fields but the number of queries are empty, and that one too.
fn score(v: Option<Value>) -> [Field; SCORE.len()] {
    let Some(v) = v else { return std::array::from_fn(|_| Field::None) };
    [
        v.expected.into(),
        v.trec.into(),
        v.best.into(),
        v.worst.into(),
        v.low.into(),
        v.high.into(),
        v.queries.into(),
        v.chance.into(),
    ]
}

fn difference(c: &Comparison) -> [Field; DIFFERENCE.len()] {
    [
        c.metric.to_string().into(),
        c.a.as_str().into(),
        c.b.as_str().into(),
        c.difference.into(),
        c.low.into(),
        c.high.into(),
        c.p.into(),
        c.p_holm.into(),
        c.detectable.into(),
        c.queries.into(),
        c.more_queries().into(),
    ]
}

/// Every system by every metric. A system that did not run or failed has rows without numbers: it is not left out silently.
fn systems(scored: &Scored, failed: &[FailedSystem]) -> Records {
    let mut rows = Vec::new();
    for s in scored.systems.iter().map(|s| &s.scores) {
        for m in &s.metrics {
            let value = m.value.filter(|_| !s.never_ran());
            rows.push(row([s.name.as_str().into(), m.metric.to_string().into()], score(value)));
        }
    }
    for f in failed {
        let none = |m: &Metric| row([f.name.as_str().into(), m.to_string().into()], score(None));
        rows.extend(scored.settings.metrics.iter().map(none));
    }
    Records { header: header(&["system", "metric"], &SCORE), rows }
}

fn comparisons(scored: &Scored) -> Records {
    let of = |against: &'static str, all: &[Comparison]| -> Vec<Vec<Field>> {
        all.iter().map(|c| row([against.into()], difference(c))).collect()
    };
    let rows = [of("baseline", &scored.comparisons), of("best", &scored.against_best)].concat();
    Records { header: header(&["against"], &DIFFERENCE), rows }
}

fn ablation(scored: &Scored) -> Records {
    let mut rows = Vec::new();
    for found in &scored.ablations {
        let of = |kind: &'static str, c: &Comparison| row([found.model.as_str().into(), kind.into()], difference(c));
        rows.extend(found.gains.iter().map(|c| of("gain", c)));
        rows.extend(found.controls.iter().map(|c| of("control", c)));
    }
    Records { header: header(&["model", "kind"], &DIFFERENCE), rows }
}

/// What is measured with contexts exchanged, one row each.
fn follow(scored: &Scored) -> Records {
    let mut rows = Vec::new();
    for found in &scored.ablations {
        for f in &found.follow {
            let of = |what: &'static str, v: Option<Value>| {
                let first = [found.model.as_str(), f.system.as_str(), f.view.as_str(), what].map(Field::from);
                row(first, score(v))
            };
            rows.extend([of("follow_rate", Some(f.rate)), of("before", f.before), of("gold_stays", f.stays)]);
        }
    }
    Records { header: header(&["model", "system", "view", "measure"], &SCORE), rows }
}

fn first_place(scored: &Scored) -> Records {
    let mut rows = Vec::new();
    for s in scored.systems.iter().map(|s| &s.scores) {
        let Some(f) = s.first_place.filter(|_| !s.never_ran()) else { continue };
        let of = |factor: &'static str, x: Option<f64>, interval: Option<[f64; 2]>| {
            let (low, high) = (interval.map(|i| i[0]), interval.map(|i| i[1]));
            vec![s.name.as_str().into(), factor.into(), x.into(), low.into(), high.into(), f.queries.into()]
        };
        rows.extend([
            of("filing_right", Some(f.filing_right), f.filing_right_interval),
            of("sentence_right_given_filing", f.sentence_right_given_filing, f.sentence_right_given_filing_interval),
            of("answer_share", f.answer_share, None),
            of("standard_recall", Some(f.standard_recall), f.standard_recall_interval),
        ]);
    }
    Records { header: vec!["system", "factor", "value", "low", "high", "queries"], rows }
}

fn rivals(scored: &Scored) -> Records {
    let mut rows = Vec::new();
    for s in scored.systems.iter().filter(|s| !s.scores.never_ran()) {
        for f in &s.families {
            for m in &f.scores.metrics {
                let first = [
                    f.family.as_str().into(),
                    f.contested.into(),
                    f.mean_rivals.into(),
                    f.incomplete.into(),
                    f.unknown.into(),
                    s.scores.name.as_str().into(),
                    m.metric.to_string().into(),
                ];
                rows.push(row(first, score(m.value)));
            }
        }
    }
    let first = ["family", "contested", "mean_rivals", "incomplete", "unknown", "system", "metric"];
    Records { header: header(&first, &SCORE), rows }
}

fn splits(scored: &Scored) -> Records {
    let mut rows = Vec::new();
    for s in scored.systems.iter().filter(|s| !s.scores.never_ran()) {
        for cut in &s.splits {
            for part in &cut.parts {
                let first = [
                    cut.split.as_str().into(),
                    part.label.as_str().into(),
                    part.queries.into(),
                    s.scores.name.as_str().into(),
                    cut.metric.to_string().into(),
                ];
                rows.push(row(first, score(part.value)));
            }
        }
    }
    Records { header: header(&["split", "part", "part_queries", "system", "metric"], &SCORE), rows }
}

fn ties(scored: &Scored) -> Records {
    let ran = scored.systems.iter().map(|s| &s.scores).filter(|s| !s.never_ran());
    let row = |s: &eightk_measure::SystemScores| {
        let t = s.ties;
        let counts = [t.retrieved, t.exact, t.within_1e6, t.within_1e4].map(Field::from);
        row([s.name.as_str().into()], counts)
    };
    Records { header: vec!["system", "retrieved", "exact", "within_1e-6", "within_1e-4"], rows: ran.map(row).collect() }
}
