//! From a view and a control to what an encoder is handed.
//!
//! ```text
//! filing ──▶ Sheet ──▶ control ──▶ Job: FilingInput, and where in the corpus its chunks are
//!            (parts)   (parts taken out, moved, exchanged)
//! ```
//!
//! A filing is mostly one job. It is several where a control gives its chunks different contexts. Jobs are made when they are asked
//! for, filing by filing: all contexts of a large corpus at once would be a second copy of it, or many.

mod control;
mod filers;
mod filter;
mod jobs;
mod masking;
mod notes;
mod prefixes;
mod sheet;
mod swap;
mod wrong;

pub use control::Control;
pub use filers::filer_names;
pub use jobs::{FilingInputs, Job, filing_inputs};
pub use prefixes::parse_prefixes;
pub use swap::{Swap, Swaps, swaps};
