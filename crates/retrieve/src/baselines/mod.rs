//! Floors and ceilings: what a score means is seen between them.

mod name_filter;
mod oracle;
mod random;

pub use name_filter::NameFilter;
pub use oracle::Oracle;
pub use random::Random;
