//! Which filings a query names.

pub mod found;
pub mod query;

pub use found::{Filer, Found};
pub use query::Query;
