//! How a sentence refers to the filer.

mod coreference;
mod evidence;
mod organisation;

pub(crate) use coreference::Coreference;
pub(crate) use evidence::{Bound, bound, nearest_name};
pub(crate) use organisation::other_subject;
