//! Is a benchmark sound?
//!
//! ```text
//! DataSet, ReadReport, Limits ──▶ Subject ──▶ leaks · shortcuts · copies · ceiling · difficulty ──▶ Report
//!                                 (look-ups)   one file each; BM25 from retrieve, intervals from measure
//! ```
//!
//! `eightk-dataset` holds a set against its invariants: true or false. The sections here are questions of degree. Each
//! [`Finding`] is a number with a [`Limit`], and where the number is a sample of queries, it fails only if the near end of its 95 %
//! interval lies beyond the limit: a handful of queries cannot fail by bad luck, and cannot pass for sound either, because
//! the interval stands beside the number. What can be counted (a leak is a leak) is held to its limit as it is.
//!
//! An audit must not lean on what it audits: facts are known here only from the lists the data set publishes (golds,
//! alternatives, rivals), names from its `filings` and titles, amounts from a small reader of its own. The road not taken is to
//! run the recipe again: it would find its own mistakes in order.
#![deny(missing_docs)]

mod card;
mod companies;
mod contest;
mod finding;
mod interval;
mod lexical;
mod limits;
mod numbers;
mod report;
mod sections;
mod subject;
#[cfg(test)]
mod testing;

use eightk_dataset::{DataSet, ReadReport};

pub use card::card;
pub use finding::{Finding, Limit};
pub use limits::{LimitError, Limits};
pub use report::{Report, Section};

use subject::Subject;

/// Holds a data set against its invariants and, section by section, against the limits.
///
/// Never fails: what cannot be looked at in this data set is skipped, with the reason.
pub fn audit(dataset: &DataSet, report: &ReadReport, limits: &Limits) -> Report {
    let invariants = eightk_dataset::audit(dataset, report);
    let sections = sections::all(&Subject::new(dataset, limits.values()));
    Report::new(invariants, sections, limits)
}
