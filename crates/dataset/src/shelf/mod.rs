//! A data set opened without loading it.
//!
//! ```text
//! files ──▶ Catalogue: filings, where their rows lie      at opening: three narrow columns, and `queries` whole
//!           Runs ──▶ chunks · text · dropped · rivals     when asked for: a few pages, a few lines
//! ```
//!
//! For looking at a set, one filing or query at a time, however large it is. What is held:
//!
//! | what | how much | since |
//! |---|---|---|
//! | filings | name, title and 60 bytes each, and 40 bytes for each run of rows: one run of chunks, one row of `filings` | opening |
//! | queries | whole, with their golds | opening |
//! | ends of parquet files | a few kilobytes per row group | opening |
//! | dropped sentences | 40 bytes for each run of lines of one filing | first asked for |
//! | rivals | 40 bytes per query; for marks, per rival its id and one or two bytes for each of its queries | first asked for |
//! | ids that do not name their filing | 12 bytes for every chunk of the set | first asked for |
//! | words to find filings by | names and titles once more | first asked for |
//!
//! Texts of filings, chunks, dropped sentences and lists of rivals are never held. The road not taken is a data base beside the
//! set: it would have to be made, kept and trusted, and what is there already says where each row lies.
//!
//! Whatever [`crate::read()`] takes is taken here. What is slower or larger: where rows are not grouped by filing, every row
//! may be a run of its own; lines are parsed once at opening; gzipped lines are unpacked into a temporary file that goes with
//! the shelf; in a parquet file the pages of a row group are gone through up to the one that is looked for, so that a file in one huge
//! row group is slower. What is looked at later is also found wrong later: a broken row is an error of the call that reads it, and ids
//! that stand twice in two filings are not noticed.

mod about;
mod catalogue;
mod dropped;
mod file;
mod find;
mod ids;
mod lines;
mod marks;
mod rivals;
mod runs;
#[cfg(test)]
mod tests;

use eightk_core::{Chunk, Query};

pub use about::{AuditFacts, ShelfFacts};
pub use catalogue::ShelfFiling;
pub(crate) use dropped::DROPPED;
pub use dropped::DroppedSentence;
pub use find::FoundFilings;
pub use marks::{ChunkMarks, GoldMark};

use crate::read::rows::{RawDocument, RawFiling, RawQuery};
use crate::read::{self, Documents, Files, MissingColumn, Queries, SOME_WITHOUT_IDX, each, filing as filing_row};
use crate::spans::UnfitSpan;
use crate::{DataSet, DatasetError, FilingRow, ReadReport, Source, repair_spans};
use catalogue::Catalogue;
use find::LazyFolded;
use ids::LazyIds;
use lines::KeyedLines;
use marks::{Asked, LazyRivals};

/// How to open a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShelfOptions {
    /// Restore ends of spans that do not fit, as [`repair_spans`] does.
    pub repair: bool,
}

/// A data set whose rows are read when they are asked for.
///
/// Can be shared by threads; each call opens what it reads and closes it again. Files that change while the shelf is open make the
/// calls that would read them fail.
pub struct Shelf {
    options: ShelfOptions,
    catalogue: Catalogue,
    queries: Vec<Query>,
    report: ReadReport,
    dropped: Option<KeyedLines>,
    rivals: Option<KeyedLines>,
    ids: LazyIds,
    asked: Asked,
    rival_of: LazyRivals,
    folded: LazyFolded,
    facts: ShelfFacts,
}

impl Shelf {
    /// Opens a data set.
    ///
    /// # Errors
    /// As [`crate::read()`], as far as rows are looked at.
    pub fn open(source: &Source) -> Result<Self, DatasetError> {
        Self::open_with(source, ShelfOptions::default())
    }

    /// The same with options.
    pub fn open_with(source: &Source, options: ShelfOptions) -> Result<Self, DatasetError> {
        let mut report = ReadReport::default();
        let files = Files::of(source, &mut report)?;
        let catalogue = Catalogue::new(&files.documents, &files.filings)?;
        catalogue.report(&mut report);
        let mut asked = Queries::default();
        each::<RawQuery>(&files.queries, &mut |place, row| asked.push(&place, row))?;
        let queries = asked.finish(&mut report);
        let dropped = KeyedLines::find(files.root, dropped::DROPPED, "source_url")?;
        let rivals = KeyedLines::find(files.root, read::RIVALS, "query")?;
        let facts = files.root.map(|root| ShelfFacts::read(root, &mut report)).unwrap_or_default();
        let mut shelf = Self {
            options,
            catalogue,
            queries,
            report,
            dropped,
            rivals,
            ids: LazyIds::default(),
            asked: Asked::default(),
            rival_of: LazyRivals::default(),
            folded: LazyFolded::default(),
            facts,
        };
        if options.repair {
            shelf.repair_golds()?;
        }
        shelf.asked = Asked::new(&shelf);
        Ok(shelf)
    }

    /// Every filing, sorted by `source_url`.
    pub fn filings(&self) -> &[ShelfFiling] {
        &self.catalogue.filings
    }

    /// One filing.
    pub fn filing(&self, source_url: &str) -> Option<&ShelfFiling> {
        self.filings().get(self.position(source_url)?)
    }

    /// Where a filing stands in [`Shelf::filings`].
    pub fn position(&self, source_url: &str) -> Option<usize> {
        self.filings().binary_search_by(|filing| filing.source_url.as_str().cmp(source_url)).ok()
    }

    /// The same as keys of runs have it.
    fn number(&self, source_url: &str) -> Option<u32> {
        u32::try_from(self.position(source_url)?).ok()
    }

    /// The chunks of a filing in the order of `chunk_idx`, as [`DataSet::by_filing`] has them; none of a filing that is not known.
    ///
    /// # Errors
    /// [`DatasetError::Row`] for a row that is wrong, [`DatasetError::File`] for a file that is damaged or has changed,
    /// [`DatasetError::Io`].
    pub fn chunks(&self, source_url: &str) -> Result<Vec<Chunk>, DatasetError> {
        Ok(self.read_chunks(source_url, self.options.repair)?.0)
    }

    /// Chunks of a filing whose span, as stored, does not fit their text. With [`ShelfOptions::repair`] they have been restored in
    /// [`Shelf::chunks`].
    ///
    /// # Errors
    /// As [`Shelf::chunks`].
    pub fn unfit(&self, source_url: &str) -> Result<Vec<UnfitSpan>, DatasetError> {
        Ok(self.read_chunks(source_url, false)?.1)
    }

    fn read_chunks(&self, source_url: &str, repair: bool) -> Result<(Vec<Chunk>, Vec<UnfitSpan>), DatasetError> {
        let Some(filing) = self.position(source_url) else { return Ok((Vec::new(), Vec::new())) };
        let mut rows = Documents::default();
        // One chunk without a position anywhere, and all are numbered anew.
        if self.catalogue.lacks_idx {
            rows.renumber();
        }
        self.catalogue.documents.rows::<RawDocument>(filing, source_url, &mut |place, row| rows.push(&place, row))?;
        let mut report = ReadReport::default();
        let mut set = DataSet { chunks: rows.finish(&mut report), ..DataSet::default() };
        if repair {
            repair_spans(&mut set);
        }
        set.chunks.sort_by_key(|chunk| chunk.idx);
        Ok((set.chunks, report.unfit))
    }

    /// A filing's row in `filings`; `None` where there is none.
    ///
    /// # Errors
    /// As [`Shelf::chunks`].
    pub fn row(&self, source_url: &str) -> Result<Option<FilingRow>, DatasetError> {
        let (Some(rows), Some(number)) = (&self.catalogue.rows, self.position(source_url)) else { return Ok(None) };
        let mut found = None;
        rows.rows::<RawFiling>(number, source_url, &mut |place, row| {
            let row = filing_row(&place, row)?;
            found.get_or_insert(row);
            Ok(())
        })?;
        Ok(found)
    }

    /// Whether the data set has a `filings` config.
    pub fn has_rows(&self) -> bool {
        self.catalogue.rows.is_some()
    }

    /// Every query in stored order; the query at `i` has the id `eightk_core::query_id(i)`.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// What was noticed at opening. Spans that do not fit are not in it, because texts were not read: see [`Shelf::unfit`].
    pub fn report(&self) -> &ReadReport {
        &self.report
    }

    /// Restores the ends of golds, for which the chunks of their filings have to be seen.
    fn repair_golds(&mut self) -> Result<(), DatasetError> {
        let golds = self.queries.iter().flat_map(|query| &query.golds);
        let unfit = golds.filter(|gold| !crate::spans::fits(gold.span, &gold.text));
        let mut filings: Vec<String> = unfit.map(|gold| gold.source_url.clone()).collect();
        filings.sort_unstable();
        filings.dedup();
        let mut chunks = Vec::new();
        for source_url in &filings {
            chunks.extend(self.chunks(source_url)?);
        }
        let mut set = DataSet { chunks, queries: std::mem::take(&mut self.queries), ..DataSet::default() };
        repair_spans(&mut set);
        self.queries = set.queries;
        Ok(())
    }
}

impl Catalogue {
    /// What the documents lack, as far as the pass over them tells.
    fn report(&self, report: &mut ReadReport) {
        let mut missing = |column, instead| report.missing.push(MissingColumn { config: "documents", column, instead });
        if self.filings.iter().all(|filing| filing.chunks == 0) {
            return;
        }
        if !self.has_title {
            missing("title", "no title");
        }
        if self.lacks_idx && !self.has_idx {
            missing("chunk_idx", "the order of chunk_start_char within each filing");
        } else if self.lacks_idx {
            report.notes.push(SOME_WITHOUT_IDX.to_owned());
        }
    }
}
