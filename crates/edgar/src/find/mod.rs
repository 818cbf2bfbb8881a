//! Which filings a query names.

pub mod amendments;
#[cfg(test)]
pub(crate) mod fake;
pub mod file_name;
pub mod found;
pub mod header;
pub mod index;
pub mod pick;
pub mod query;
pub mod search;
pub mod text;
mod words;

pub use found::{Filer, Found};
pub use header::Header;
pub use index::{Listed, Listing};
pub use pick::{PickRule, Picked};
pub use query::Query;
pub use search::Searched;
pub use words::Words;
