//! A filing that was found.

use eightk_core::{Accession, FilingDate, Form};
use serde::{Deserialize, Serialize};

/// One of the companies that filed together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Filer {
    /// Central Index Key without leading zeros.
    pub cik: String,
    /// Name as EDGAR conforms it.
    pub name: String,
    /// Ticker symbols of today, where the search tells them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tickers: Vec<String>,
}

/// A filing: one accession number, whoever filed it and by whichever road it was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Its number.
    pub accession: Accession,
    /// Its form.
    pub form: Form,
    /// Day of filing.
    pub filed: FilingDate,
    /// Day of the event reported, where it is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_date: Option<FilingDate>,
    /// Item numbers, as far as they are told.
    pub items: Vec<String>,
    /// All filers, the issuer first. Never empty.
    pub filers: Vec<Filer>,
    /// File name of the primary document; `None` until the header was looked at.
    pub document: Option<String>,
    /// The filing that an 8-K/A amends, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amends: Option<Accession>,
}

impl Found {
    /// The company whose filing it is: the first filer. The search names the issuer first; of a header it is the first `FILER`
    /// block. (The order of index rows means nothing: a guarantor may stand before the issuer.)
    pub fn issuer(&self) -> Option<&Filer> {
        self.filers.first()
    }
}
