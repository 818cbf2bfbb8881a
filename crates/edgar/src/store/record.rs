//! What is known of a stored filing.

use eightk_core::{Accession, FilingDate, Form};
use serde::{Deserialize, Serialize};

use super::names::usable_file_name;
use crate::digest::sha256_hex;
use crate::find::{Filer, Found};

/// The content of `filing.json`. Its first keys are those of a row of `manifest.jsonl`, so that one type reads both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// File name of the document.
    pub file: String,
    /// Its number.
    pub accession: Accession,
    /// Central Index Key of the issuer, without leading zeros.
    pub cik: String,
    /// Name of the issuer as EDGAR conforms it.
    pub company: String,
    /// Ticker symbols of the issuer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tickers: Vec<String>,
    /// Form.
    pub form: Form,
    /// Day of filing.
    pub filed: FilingDate,
    /// Day of the event reported, where it is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_date: Option<FilingDate>,
    /// Item numbers, as far as they are told.
    pub items: Vec<String>,
    /// All filers, the issuer first.
    pub filers: Vec<Filer>,
    /// The filing that an 8-K/A amends, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amends: Option<Accession>,
    /// Where the document is published.
    pub url: String,
    /// Length of the document in bytes.
    pub bytes: u64,
    /// SHA-256 of the document, lower-case hex.
    pub sha256: String,
    /// Whether nothing in the document marks its end (`</html>`, `</TEXT>`): it was taken because it came twice the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unclosed: bool,
}

impl Record {
    /// The record of a filing whose primary document, `file`, is published at `url` and holds `bytes`.
    ///
    /// # Errors
    /// Why the filing has to be refused: its document's name cannot be a file's, or nobody filed it.
    pub fn new(found: &Found, file: &str, url: &str, bytes: &[u8]) -> Result<Self, String> {
        usable_file_name(file)?;
        let issuer = found.issuer().ok_or("EDGAR names no filer")?;
        Ok(Self {
            file: file.to_owned(),
            accession: found.accession.clone(),
            cik: issuer.cik.clone(),
            company: issuer.name.clone(),
            tickers: issuer.tickers.clone(),
            form: found.form,
            filed: found.filed,
            report_date: found.report_date,
            items: found.items.clone(),
            filers: found.filers.clone(),
            amends: found.amends.clone(),
            url: url.to_owned(),
            bytes: bytes.len() as u64,
            sha256: sha256_hex(bytes),
            unclosed: false,
        })
    }

    /// The file's content: indented, for people.
    pub(super) fn to_json(&self) -> Result<Vec<u8>, String> {
        let mut json = serde_json::to_vec_pretty(self).map_err(|e| e.to_string())?;
        json.push(b'\n');
        Ok(json)
    }
}
