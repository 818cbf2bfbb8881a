//! The primary document of one filing, wherever EDGAR keeps it.
//!
//! A document named by a search hit or a header is asked for by that name. Filings of the 1990s have no such file although their
//! header may name one: then the full submission is the document, and `build` takes the primary part out of it.

use eightk_core::Accession;

use crate::address;
use crate::find::Found;
use crate::store::Record;
use crate::web::{Wanted, Web, WebError};

/// A document as EDGAR served it.
pub(super) struct Fetched {
    /// Its name in the store.
    pub(super) file: String,
    /// Where it was published.
    pub(super) url: String,
    /// Byte for byte.
    pub(super) bytes: Vec<u8>,
    /// Whether its end is not marked.
    pub(super) unclosed: bool,
    /// Whether it is the full submission because the document itself was not there.
    pub(super) submission: bool,
}

impl Fetched {
    /// What the store keeps of it.
    ///
    /// # Errors
    ///
    /// Why the filing has to be refused.
    pub(super) fn record(&self, found: &Found) -> Result<Record, String> {
        let mut record = Record::new(found, &self.file, &self.url, &self.bytes)?;
        record.unclosed = self.unclosed;
        Ok(record)
    }
}

/// The name of the full submission.
fn submission(accession: &Accession) -> String {
    format!("{accession}.txt")
}

/// Asks for the primary document.
///
/// # Errors
///
/// What the web said, and of what address.
pub(super) fn fetch(web: &dyn Web, found: &Found) -> Result<Fetched, (String, WebError)> {
    let whole = submission(&found.accession);
    let file = found.document.clone().unwrap_or_else(|| whole.clone());
    // Documents are served under every filer's number; a filer that the search names without one cannot be asked under.
    let cik = found.filers.iter().map(|f| f.cik.as_str()).find(|cik| !cik.is_empty()).unwrap_or_default();
    let ask = |file: String, stands_in: bool| {
        let url = address::document(cik, &found.accession, &file);
        match web.get(&url, Wanted::Document) {
            Ok(answer) => {
                Ok(Fetched { file, url, bytes: answer.body, unclosed: answer.unclosed, submission: stands_in })
            }
            Err(e) => Err((url, e)),
        }
    };
    match ask(file.clone(), false) {
        Err((url, WebError::NotFound { status })) if file != whole => {
            ask(whole, true).map_err(|(there, e)| match e {
                // The listed document is what the user knows of.
                WebError::NotFound { .. } | WebError::Unanswered { .. } => (url, WebError::NotFound { status }),
                e => (there, e),
            })
        }
        other => other,
    }
}
