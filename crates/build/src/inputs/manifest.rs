//! The list of a folder's filings: one JSON object a line.

use std::path::Path;

use serde::Deserialize;

use eightk_core::{Accession, FilingDate, Form};

use crate::BuildError;

/// One row. Only `file` is needed; what is not there is read from the document, unknown keys are ignored.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ManifestRow {
    /// Path below the manifest's folder.
    pub file: String,
    /// Accession number.
    pub accession: Option<String>,
    /// CIK, with or without leading zeros, as text or number.
    #[serde(deserialize_with = "text_or_number")]
    pub cik: Option<String>,
    /// Registrant's name.
    pub company: Option<String>,
    /// Further or former names.
    pub names: Option<Vec<String>>,
    /// Form type.
    pub form: Option<String>,
    /// Day of filing; anything but YYYY-MM-DD counts as missing.
    pub filed: Option<String>,
    /// Item numbers; `old:5` is Item 5 of the numbering before August 2004.
    pub items: Option<Vec<String>>,
    /// Ticker symbol.
    pub ticker: Option<String>,
    /// Ticker symbols.
    pub tickers: Option<Vec<String>>,
    /// Where the document was published.
    pub url: Option<String>,
    /// SHA-256 of the file; checked when given.
    pub sha256: Option<String>,
}

impl ManifestRow {
    /// The accession number, if it is one.
    pub fn accession(&self) -> Option<Accession> {
        self.accession.as_deref()?.trim().parse().ok()
    }

    /// The day of filing, if it is one.
    pub fn filed(&self) -> Option<FilingDate> {
        self.filed.as_deref()?.parse().ok()
    }

    /// The form, if it is an 8-K or its amendment; the name itself as the error otherwise.
    pub fn form(&self) -> Result<Option<Form>, String> {
        match self.form.as_deref() {
            None | Some("") => Ok(None),
            Some(name) => Form::parse(name).map(Some).ok_or_else(|| name.to_owned()),
        }
    }

    /// CIK without leading zeros.
    pub fn cik(&self) -> Option<String> {
        let digits = self.cik.as_deref()?.trim().trim_start_matches('0');
        (!digits.is_empty()).then(|| digits.to_owned())
    }

    /// Item numbers without the mark of the old numbering.
    pub fn expected_items(&self) -> Vec<String> {
        let items = self.items.as_deref().unwrap_or_default();
        items.iter().map(|i| i.strip_prefix("old:").unwrap_or(i).trim().to_owned()).collect()
    }

    /// All ticker symbols.
    pub fn tickers(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.ticker.iter().chain(self.tickers.iter().flatten()).map(|t| t.trim().to_owned()).collect();
        all.retain(|t| !t.is_empty());
        all.dedup();
        all
    }
}

/// EDGAR's own JSON writes CIKs now as text, now as numbers.
fn text_or_number<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Number(u64),
    }
    Ok(Option::<Either>::deserialize(d)?.map(|e| match e {
        Either::Text(s) => s,
        Either::Number(n) => n.to_string(),
    }))
}

/// A row, or the line that is none and why.
pub(super) type RowResult = Result<ManifestRow, String>;

/// Reads all rows. Blank lines are allowed; a line that is no JSON, or names no file, takes down nothing but itself.
pub(super) fn read(path: &Path) -> Result<Vec<RowResult>, BuildError> {
    let bytes = std::fs::read(path).map_err(|source| BuildError::Io { path: path.to_owned(), source })?;
    let mut rows = Vec::new();
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let line = if i == 0 { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line };
        if line.trim_ascii().is_empty() {
            continue;
        }
        let row = serde_json::from_slice::<ManifestRow>(line).map_err(|e| e.to_string());
        let named = row.and_then(|r| if r.file.is_empty() { Err("it names no \"file\"".into()) } else { Ok(r) });
        rows.push(named.map_err(|what| format!("line {} of the manifest: {what}", i + 1)));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_values_are_read_or_missing() {
        let row: ManifestRow = serde_json::from_str(
            r#"{"file":"a.htm","cik":320193,"filed":"2023Q1","items":null,"form":"8-K","unknown":{"x":1}}"#,
        )
        .unwrap();
        assert_eq!(row.cik().as_deref(), Some("320193"));
        assert_eq!(row.filed(), None);
        assert!(row.expected_items().is_empty());
        assert_eq!(row.form(), Ok(Some(Form::EightK)));
        let row: ManifestRow = serde_json::from_str(r#"{"file":"a.htm","cik":"0000051434","form":"10-K"}"#).unwrap();
        assert_eq!(row.cik().as_deref(), Some("51434"));
        assert_eq!(row.form(), Err("10-K".to_owned()));
    }
}
