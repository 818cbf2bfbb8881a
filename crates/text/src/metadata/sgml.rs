//! The header of a full submission.
//!
//! Two spellings exist: `COMPANY CONFORMED NAME:  X` in submissions, `<CONFORMED-NAME>X` in the separate header files. Both are
//! read line by line; nesting is told by the order of lines alone, as tags are not closed in either.

use eightk_core::{Accession, FilingDate, Form};

use super::{cik, dates, form, tidy};

/// What the header says of the first filer.
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
}

pub(super) fn read(text: &str) -> Header {
    let mut header = Header::default();
    let mut filers = 0;
    for line in text.lines() {
        let Some((key, value)) = pair(line) else { continue };
        let value = value.trim();
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

/// Key and value of a line of either spelling.
fn pair(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    match line.strip_prefix('<') {
        Some(tag) => tag.split_once('>'),
        None => line.split_once(':'),
    }
}
