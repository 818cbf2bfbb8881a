//! A whole fetch: find, pick, write the plan, download what is missing.
//!
//! Two steps that can be killed anywhere. [`plan`] ends in a file that names every wanted filing, written before the first
//! document is asked for; [`download`] works that file off. A later run with the same order finds the plan and asks only for what
//! is not in the store yet, so that a benchmark built next month from the same plan holds the same filings. The road not taken is a
//! database of states: the folder itself says what is there, and can be repaired by hand.

mod answers;
mod documents;
mod download;
mod order;
mod plan;
mod streak;
mod survey;
#[cfg(test)]
mod tests;
mod workers;

pub use answers::Remembered;
pub use download::{Downloaded, NotFetched, Progressed, download, look};
pub use order::{Order, Road};
pub use plan::{Counts, Plan, Planned, Planning, Refusal, plan};
