//! Pages, one file each.

pub(crate) mod failure;
pub(crate) mod filing;
pub(crate) mod filings;
pub(crate) mod layout;
pub(crate) mod overview;
pub(crate) mod queries;
pub(crate) mod query;
pub(crate) mod rivals;
pub(crate) mod scores;
pub(crate) mod search;
