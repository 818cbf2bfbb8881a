//! Scores: what a ranking is worth, whether it told a sentence from its near-duplicates, and how sure that is.
//!
//! [`score`] takes a run and judgements and makes **one ranking per query** from which every metric reads. Where scores are
//! equal there is no order, so each metric has four readings ([`Spread`]): the mean over all orders, `trec_eval`'s order,
//! and the two bounds. [`disambiguate`] does so over one family of rivals after another, [`split()`] cuts a score by label,
//! [`compare()`] puts two systems side by side, [`curves`] reads off the same
//! places what other depths, fewer rivals and smaller corpora would have given. [`formats`] reads what other tools write, and writes what they read.
//!
//! ```
//! use eightk_measure::{Judgements, Metric, Options, score, trec};
//!
//! // Two sentences with one score: which comes first is chance, or the spelling of their ids.
//! let qrels = trec::parse_qrels(b"q0 0 acme#s65 2\n", "test.qrels")?.value;
//! let run = trec::parse_run(b"q0 Q0 acme#s65 1 7.5 bm25\nq0 Q0 zeta#s65 2 7.5 bm25\n", "bm25.run")?.value;
//! let judgements = Judgements { qrels, ..Judgements::default() };
//! let scores = score(&run, &judgements, &[Metric::Mrr], &Options::default())?;
//! let mrr = scores.metric(Metric::Mrr).and_then(|m| m.value).unwrap();
//! assert_eq!((mrr.expected, mrr.trec, mrr.best, mrr.worst), (0.75, 0.5, 1.0, 0.5));
//! # Ok::<(), eightk_measure::MeasureError>(())
//! ```
//!
//! Arithmetic is f64 throughout and single-threaded: the same input gives the same bits everywhere. Infinite scores are
//! scores like any other (they rank at the ends, and tie with their like, as in `trec_eval`); NaN is refused, because
//! nothing can be ranked by it.
//!
//! The road not taken is a trait per metric with a generic ranking. Seventeen metrics share a few questions about a set of
//! documents — how many in the top k, any in the top k, where is the first, whose is the first, what gain — and those are
//! functions in one file, each with its closed form.

mod certainty;
pub mod curves;
mod error;
pub mod formats;
mod judgements;
mod metric;
mod one_query;
mod scores;

pub use certainty::{Comparison, Equivalence, Verdict, at_chance, compare, compare_all, correct, equivalent, holm};
pub use error::MeasureError;
pub use formats::trec;
pub use judgements::{Filings, Judgements};
pub use metric::Metric;
pub use one_query::Spread;
pub use scores::{
    FailedSystem, FamilyReport, FamilyScores, FirstPlace, GoldTies, MetricScores, Options, Part, QueryOutcome,
    RivalFamily, SMOKE_TEST_BELOW, ScoreReport, Split, SplitScores, SystemReport, SystemScores, Undefined, Value,
    disambiguate, score, split,
};
