//! One file: from its bytes and its manifest row to a [`Filing`].

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use eightk_core::{Filing, FilingMeta};
use eightk_dataset::hex;
use eightk_text::names::Names;
use eightk_text::split::Splitter;
use eightk_text::{Declared, clean, items, metadata, split};

use crate::inputs::{InputFile, stem};

/// The largest file that is read. The largest real 8-K submissions with their graphics are around 40 MB; what is larger is
/// refused unread, so that memory stays bounded whatever lies in a folder.
pub const MAX_FILE_BYTES: u64 = 50_000_000;

/// How files are read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Which sentence splitter.
    pub splitter: Splitter,
    /// A company name that wins over what manifest and document say.
    pub company: Option<String>,
    /// Further names of the company.
    pub aliases: Vec<String>,
}

/// A filing as read, with the names its company goes by.
#[derive(Debug, Clone)]
pub struct ReadFiling {
    /// Text, items and sentences.
    pub filing: Filing,
    /// Names of the filer.
    pub names: Names,
}

/// Reads, cleans and splits one file. The error is the reason for refusing it, for people to read.
pub fn read_filing(file: &InputFile, options: &ReadOptions) -> Result<ReadFiling, String> {
    let raw = read_bounded(&file.path)?;
    let sha256 = hex(&Sha256::digest(&raw));
    if let Some(want) =
        file.row.sha256.as_deref().filter(|want| !want.is_empty() && !want.eq_ignore_ascii_case(&sha256))
    {
        return Err(format!(
            "its SHA-256 is {sha256}, not {want} as its manifest says: the file has changed; fetch it again or correct the manifest"
        ));
    }
    let cleaned = clean::clean(&raw).map_err(|e| e.to_string())?;
    drop(raw);
    let declared = metadata::declared(&cleaned);
    let meta = describe(file, &declared, options, sha256)?;
    let narrative = items::narrative(&cleaned, &meta.expected_items).map_err(|e| e.to_string())?;
    let sentences = split::sentences(&narrative, options.splitter);
    let names = Names::new(&meta, &narrative.text, &options.aliases);
    let filing = Filing { meta, text: narrative.text, items: narrative.items, sentences };
    Ok(ReadFiling { filing, names })
}

/// What is known of the filing: the user's word, then the manifest's, then the document's own.
fn describe(
    file: &InputFile,
    declared: &Declared,
    options: &ReadOptions,
    sha256: String,
) -> Result<FilingMeta, String> {
    let row = &file.row;
    let form = row.form().map_err(|name| format!("it is a {name}, not an 8-K"))?.or(declared.form);
    let accession = row.accession().or_else(|| declared.accession.clone()).or_else(|| accession_in_name(&file.name));
    let row_company = row.company.as_deref().map(str::trim).filter(|c| !c.is_empty()).map(str::to_owned);
    let mut names: Vec<String> =
        options.company.iter().cloned().chain(row_company).chain(declared.companies.clone()).collect();
    names.extend(row.names.iter().flatten().chain(&declared.former_names).cloned());
    let mut seen = Vec::new();
    names.retain(|n| {
        !n.trim().is_empty() && !seen.contains(n) && {
            seen.push(n.clone());
            true
        }
    });
    let mut names = names.into_iter();
    let company = names.next();
    let mut tickers = row.tickers();
    tickers.extend(declared.tickers.iter().filter(|t| !row.tickers().contains(t)).cloned());
    let expected = row.expected_items();
    Ok(FilingMeta {
        source_url: accession.as_ref().map_or_else(|| stem(&file.name), ToString::to_string),
        accession,
        cik: row.cik().or_else(|| declared.cik.clone()),
        company,
        other_names: names.collect(),
        tickers,
        form,
        filed: row.filed().or(declared.filed).or(declared.reported),
        expected_items: if expected.is_empty() { declared.items.clone() } else { expected },
        url: row.url.clone(),
        sha256,
    })
}

/// A store or a download names files by accession: `0000051434-25-000060.txt`, `0000051434-25-000060/report.htm`.
fn accession_in_name(name: &str) -> Option<eightk_core::Accession> {
    name.split('/').rev().find_map(|part| {
        let base = part.split('.').next().unwrap_or(part);
        base.parse().ok()
    })
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, String> {
    let why = |e: std::io::Error| format!("cannot be read: {e}");
    let file = File::open(path).map_err(why)?;
    let size = file.metadata().map_err(why)?.len();
    let too_large = || format!("is larger than {} MB; an 8-K is not that large", MAX_FILE_BYTES / 1_000_000);
    if size > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let mut raw = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    // One byte more than the limit: a file that grows while it is read is noticed.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut raw).map_err(why)?;
    if raw.len() as u64 > MAX_FILE_BYTES { Err(too_large()) } else { Ok(raw) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accession_numbers_in_paths_are_found() {
        let at = |n| accession_in_name(n).map(|a| a.to_string());
        assert_eq!(at("0000051434-25-000060.txt").as_deref(), Some("0000051434-25-000060"));
        assert_eq!(at("000005143425000060/report.htm").as_deref(), Some("0000051434-25-000060"));
        assert_eq!(at("acme_0000051434-25-000060.txt"), None);
    }

    #[test]
    fn hex_is_lower_case() {
        assert_eq!(hex(&[0, 0xAF, 9]), "00af09");
    }
}
