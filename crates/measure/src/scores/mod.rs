//! From rankings to numbers: a value per query and metric, their means, and the ways to cut them.

mod families;
mod first_place;
mod report;
mod score;
mod split;
mod system_scores;

pub use families::{FamilyScores, RivalFamily, disambiguate};
pub use first_place::FirstPlace;
pub use report::{FailedSystem, FamilyReport, ScoreReport, SystemReport};
pub use score::score;
pub use split::{Part, Split, SplitScores, split};
pub use system_scores::{
    GoldTies, MetricScores, Options, QueryOutcome, SMOKE_TEST_BELOW, SystemScores, Undefined, Value,
};
