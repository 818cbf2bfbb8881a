//! What can be said of one query's ranking: the order and its ties, where the documents that matter stand, and what every
//! metric makes of that.

mod ids;
mod placed;
mod ranking;
mod ties;
mod wanted;

pub(crate) use ids::IdTable;
pub(crate) use placed::Placed;
pub(crate) use ranking::Ranking;
pub(crate) use ties::Discounts;
pub use ties::Spread;
pub(crate) use wanted::Wanted;
