//! How sure a number is: intervals, tests of differences and of their absence, and what more queries would show.
//!
//! Everything here takes filings whole. Queries of one filing succeed and fail together, and treating them as independent
//! draws is how small benchmarks come to look certain.

mod bootstrap;
mod compare;
mod randomization;
mod rng;

pub(crate) use bootstrap::{Column, Interval, intervals, ratio_intervals};
pub use compare::{Comparison, compare, compare_all, correct};
pub use randomization::holm;
