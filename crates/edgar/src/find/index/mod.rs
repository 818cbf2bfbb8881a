//! Enumeration without search: EDGAR's lists of all filings.
//!
//! The search reaches back to 2001 and shows 10,000 documents at a time; the quarterly lists begin in 1993 and are complete. They
//! tell form, day and filers of a filing but not its items: those are in its header. `master.idx` is read because its fields are
//! parted by a character; `form.idx` is shorter to search but of fixed width, and its columns have moved.

mod files;
mod row;

use std::collections::BTreeMap;

use eightk_core::{Accession, FilingDate, Form};
use serde::{Deserialize, Serialize};

use self::files::{Quarter, days, quarters};
use self::row::Line;
use super::search::FIRST_DAY;
use super::{Filer, Query};
use crate::event::{Event, Watcher};
use crate::web::{Wanted, Web, WebError};
use crate::{EdgarError, address};

/// A filing of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Its number.
    pub accession: Accession,
    /// Its form.
    pub form: Form,
    /// Day of filing.
    pub filed: FilingDate,
    /// All filers, in the order of their rows, which says nothing about who the issuer is.
    pub filers: Vec<Filer>,
    /// The full submission, below `Archives/`.
    pub path: String,
}

/// What the lists hold of a query.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Filings of the forms and days of the query, sorted by accession number. Words and items are not looked at.
    pub filings: Vec<Listed>,
    /// Files read.
    pub files: usize,
    /// Rows of all files.
    pub rows: usize,
    /// Rows of other forms.
    pub other_forms: usize,
    /// Rows of other days.
    pub other_days: usize,
    /// Further rows of a filing: it has one for each filer.
    pub repeated: usize,
    /// Rows that could not be read.
    pub unreadable: usize,
    /// Quarters of the past of which EDGAR had no list.
    pub missing_quarters: usize,
    /// What a person should know, a line each.
    pub notes: Vec<String>,
}

/// Lists every filing of the query's forms and days.
///
/// Of the current quarter the daily files are read where it has no quarterly one yet: on its first day there is none.
///
/// # Errors
///
/// [`EdgarError::Usage`] where the days are in the wrong order; [`EdgarError::Web`] where a file is not answered (one that EDGAR
/// does not have is a note); [`EdgarError::Answer`] where it is no list.
pub fn list(web: &dyn Web, query: &Query, today: FilingDate, watch: &dyn Watcher) -> Result<Listing, EdgarError> {
    if let (Some(from), Some(to)) = (query.from, query.to)
        && from > to
    {
        let problem = format!("the first day of filing, {from}, is after the last, {to}; exchange --from and --to");
        return Err(EdgarError::Usage(problem));
    }
    let beginning = FIRST_DAY.parse().unwrap_or(today);
    let first = query.from.unwrap_or(beginning).max(beginning);
    // Filings of an evening bear the next working day, so rows may be of later days than today.
    let last = query.to.unwrap_or(today).min(today);
    let forms = if query.forms.is_empty() { vec![Form::EightK, Form::EightKA] } else { query.forms.clone() };
    let mut lister =
        Lister { web, watch, forms, first, last, until: query.to, found: BTreeMap::new(), out: Listing::default() };
    let quarters = quarters(first, last);
    for (done, quarter) in quarters.iter().enumerate() {
        lister.quarter(*quarter, Quarter::of(today) == *quarter)?;
        watch.see(Event::Indexed { done: done + 1, total: quarters.len(), found: lister.found.len() });
    }
    let mut out = lister.out;
    out.filings = lister.found.into_values().collect();
    Ok(out)
}

struct Lister<'a> {
    web: &'a dyn Web,
    watch: &'a dyn Watcher,
    forms: Vec<Form>,
    first: FilingDate,
    last: FilingDate,
    until: Option<FilingDate>,
    found: BTreeMap<Accession, Listed>,
    out: Listing,
}

impl Lister<'_> {
    fn quarter(&mut self, quarter: Quarter, current: bool) -> Result<(), EdgarError> {
        let Quarter { year, number } = quarter;
        let url = address::quarter(year, number);
        if self.file(&url)? {
            return Ok(());
        }
        if !current {
            self.out.missing_quarters += 1;
            self.note(format!("EDGAR has no list of quarter {number} of {year}; filings of that quarter are missing"));
            return Ok(());
        }
        let mut read = 0;
        for day in days(quarter, self.first, self.last) {
            let url = address::day(year, number, &day.strftime("%Y%m%d").to_string());
            read += usize::from(self.file(&url)?);
        }
        self.note(format!("EDGAR has no list of the current quarter yet; {read} daily ones were read instead"));
        Ok(())
    }

    fn note(&mut self, line: String) {
        self.watch.see(Event::Note(line.clone()));
        self.out.notes.push(line);
    }

    /// Reads a file; whether there is one.
    fn file(&mut self, url: &str) -> Result<bool, EdgarError> {
        let body = match self.web.get(url, Wanted::Index) {
            Ok(answer) => answer.body,
            Err(WebError::NotFound { .. }) => return Ok(false),
            Err(source) => return Err(EdgarError::Web { url: url.to_owned(), source }),
        };
        let problem = |problem: &str| {
            self.web.reject(url);
            Err(EdgarError::Answer { url: url.to_owned(), problem: problem.to_owned() })
        };
        if body.trim_ascii_start().starts_with(b"<") {
            return problem("a page came in place of the list of filings");
        }
        let (mut titles, rows_before) = (false, self.out.rows);
        for line in body.split(|b| *b == b'\n') {
            titles |= self.line(line);
        }
        if !titles && self.out.rows == rows_before {
            return problem("the list of filings has no row and no titles");
        }
        self.out.files += 1;
        Ok(true)
    }

    /// Takes a line; whether it is the one with the titles.
    fn line(&mut self, line: &[u8]) -> bool {
        let row = match row::read(line, &self.forms) {
            Line::Titles => return true,
            Line::NoRow => return false,
            Line::Unreadable => {
                self.out.unreadable += 1;
                return false;
            }
            Line::OtherForm => {
                self.out.rows += 1;
                self.out.other_forms += 1;
                return false;
            }
            Line::Row(row) => row,
        };
        self.out.rows += 1;
        if row.filed < self.first || self.until.is_some_and(|until| row.filed > until) {
            self.out.other_days += 1;
            return false;
        }
        let filer = Filer { cik: row.cik.clone(), name: row.name(), tickers: Vec::new() };
        match self.found.get_mut(&row.accession) {
            Some(listed) => {
                self.out.repeated += 1;
                if !listed.filers.iter().any(|f| f.cik == filer.cik) {
                    listed.filers.push(filer);
                }
            }
            None => {
                let path = row.path.to_owned();
                let (form, filed) = (row.form, row.filed);
                let listed = Listed { accession: row.accession.clone(), form, filed, filers: vec![filer], path };
                self.found.insert(row.accession, listed);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests;
