//! How sure a number is: intervals, tests of differences and of their absence, and what more queries would show.
//!
//! Everything here takes filings whole. Queries of one filing succeed and fail together, and treating them as independent
//! draws is how small benchmarks come to look certain.

mod bootstrap;
mod clusters;
mod compare;
mod equivalence;
mod randomization;
mod rng;
mod student;

pub(crate) use bootstrap::{Column, Interval, intervals, ratio_intervals};
pub use compare::{Comparison, compare, compare_all, correct};
pub use equivalence::{Equivalence, Verdict, at_chance, equivalent};
pub use randomization::holm;
