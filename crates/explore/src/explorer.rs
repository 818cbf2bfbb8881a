//! What is shown.

use std::fmt;
use std::sync::Arc;

use eightk_dataset::Shelf;
use eightk_runs::Account;

use crate::live::LiveSystems;

/// A data set, perhaps what systems made of it, and systems that can be asked.
#[derive(Clone)]
pub struct Explorer {
    /// The data set.
    pub shelf: Arc<Shelf>,
    /// What the data set is called on pages: the folder's name, or the name on the Hub.
    pub name: String,
    /// Runs of systems on this data set.
    pub account: Option<Arc<Account>>,
    /// Systems that can be asked; [`crate::NoSystems`] where there are none.
    pub live: Arc<dyn LiveSystems>,
    /// Told, in one line, why a page could not be made: a page itself never says more than that it could not.
    pub complain: Arc<dyn Fn(&str) + Send + Sync>,
}

impl fmt::Debug for Explorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explorer").field("name", &self.name).finish_non_exhaustive()
    }
}
