//! The header of a full submission.
//!
//! Two spellings exist: `COMPANY CONFORMED NAME:  X` in submissions, `<CONFORMED-NAME>X` in the separate header files. Both are
//! read line by line; nesting is told by the order of lines alone, as tags are not closed in either.

use eightk_core::{Accession, FilingDate, Form};

use super::{cik, dates, form, tidy};

/// One of the companies that a header names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeaderFiler {
    /// Name as EDGAR conforms it.
    pub name: Option<String>,
    /// CIK without leading zeros.
    pub cik: Option<String>,
    /// Names it had before.
    pub former_names: Vec<String>,
}

/// What the header says: of the first filer, and of all.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) accession: Option<Accession>,
    pub(super) cik: Option<String>,
    pub(super) company: Option<String>,
    pub(super) former_names: Vec<String>,
    pub(super) form: Option<Form>,
    pub(super) filed: Option<FilingDate>,
    pub(super) reported: Option<FilingDate>,
    /// Titles, or numbers, as they stand.
    pub(super) items: Vec<String>,
    /// All filers in order, those without name or CIK included; empty where there is neither.
    pub(super) filers: Vec<HeaderFiler>,
}

pub(super) fn read(text: &str) -> Header {
    let mut header = Header::default();
    let mut filers = 0;
    let mut block_begins = true;
    for (key, value) in text.lines().flat_map(pairs) {
        let value = value.trim();
        block_begins |= key == "FILER";
        header.note_filer(key, value, &mut block_begins);
        if value.is_empty() {
            continue;
        }
        match key {
            "SEC-DOCUMENT" | "IMS-DOCUMENT" => {
                let (file, day) = value.split_once(':').unwrap_or((value, ""));
                let number = file.trim().trim_end_matches(".txt");
                header.accession = header.accession.or_else(|| number.parse().ok());
                header.filed = header.filed.or_else(|| dates::compact(day));
            }
            "ACCESSION NUMBER" | "ACCESSION-NUMBER" => header.accession = value.parse().ok().or(header.accession),
            "CONFORMED SUBMISSION TYPE" | "TYPE" | "FORM TYPE" => header.form = header.form.or_else(|| form(value)),
            "CONFORMED PERIOD OF REPORT" | "PERIOD" => header.reported = dates::compact(value).or(header.reported),
            "FILED AS OF DATE" | "FILING-DATE" => header.filed = dates::compact(value).or(header.filed),
            "ITEM INFORMATION" | "ITEMS" => header.items.push(value.to_owned()),
            "COMPANY CONFORMED NAME" | "CONFORMED-NAME" => {
                filers += 1;
                if filers == 1 {
                    header.company = tidy(value);
                }
            }
            "CENTRAL INDEX KEY" | "CIK" if filers <= 1 => header.cik = header.cik.or_else(|| cik(value)),
            "FORMER CONFORMED NAME" | "FORMER-CONFORMED-NAME" if filers <= 1 => {
                let name = tidy(value).filter(|n| !header.former_names.contains(n));
                header.former_names.extend(name);
            }
            _ => {}
        }
    }
    header
}

impl Header {
    /// Keeps the filers apart: a block begins at its label, or at a name where the last block has one.
    fn note_filer(&mut self, key: &str, value: &str, block_begins: &mut bool) {
        let name = matches!(key, "COMPANY CONFORMED NAME" | "CONFORMED-NAME").then(|| tidy(value)).flatten();
        let number = matches!(key, "CENTRAL INDEX KEY" | "CIK").then(|| cik(value)).flatten();
        let former = matches!(key, "FORMER CONFORMED NAME" | "FORMER-CONFORMED-NAME").then(|| tidy(value)).flatten();
        let second_name = name.is_some() && self.filers.last().is_some_and(|f| f.name.is_some());
        if (name.is_some() || number.is_some()) && (*block_begins || second_name) {
            self.filers.push(HeaderFiler::default());
            *block_begins = false;
        }
        let Some(filer) = self.filers.last_mut() else { return };
        filer.name = filer.name.take().or(name);
        filer.cik = filer.cik.take().or(number);
        filer.former_names.extend(former.filter(|n| !filer.former_names.contains(n)));
    }
}

/// Keys and values of a line of either spelling. Files of the dissemination service have a whole header on one line of tags.
pub(super) fn pairs(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let line = line.trim();
    let tags = line.strip_prefix('<').map(|tags| tags.split('<').filter_map(|tag| tag.split_once('>')));
    let lone = if tags.is_none() { line.split_once(':') } else { None };
    tags.into_iter().flatten().chain(lone)
}
