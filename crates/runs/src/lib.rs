//! The folder of runs and scores that `eightk eval --out` writes.
//!
//! ```text
//! results.json       what was scored, against what, how, the scores; its section `run` alone differs from run to run
//! runs/{system}.run  TREC runs, scores with round-trip precision
//! per-query.jsonl    every metric of every query and system, and who stood where
//! qrels.txt          TREC qrels
//! rivals.jsonl       rivals by query, where the data set has them
//! queries.jsonl      each query's text, filing, fact, golds, distance to its evidence, alternatives
//! filings.jsonl      which chunks belong together, and what their filing is called
//! texts.jsonl        the chunks that a report shows: golds, evidence, and what systems put first
//! ```
//!
//! The folder is enough to show every result without the data set, the model or the runs: a report is made from it on another
//! machine, years later. Here are the shapes of its files and [`Account`], all of it read at once. Who scores is not here, nor how a
//! report looks. The road not taken is one file for everything: a table of scores would then cost reading every text.
#![deny(missing_docs)]

mod account;
mod error;
mod files;
mod ladder;
pub mod numbers;
mod phases;
mod results;
mod roles;
mod rows;
mod words;

pub use account::Account;
pub use error::RunsError;
pub use files::{file, read_lines};
pub use ladder::{Ablation, Follow, Ladder, Rung, Swapped};
pub use phases::{Encoding, Phase, RunFacts, SystemPhases};
pub use results::{AuditFacts, DataFacts, Draws, Ranking, RecipeFacts, Report, Results, Settings, TIES, swapped};
pub use roles::{Role, Roles};
pub use rows::{FilingFacts, OutcomeRow, Place, QueryFacts, Ranked, TextRow};
pub use words::{prompts, remark, short, thousands};
