//! Rows of `documents` into chunks.

use std::collections::HashMap;

use eightk_core::{CharSpan, Chunk};

use super::cells::{lenient, need_position, need_text};
use super::report::{MissingColumn, ReadReport};
use super::rows::RawDocument;
use crate::DatasetError;
use crate::error::Place;
use crate::spans::UnfitSpan;

/// What to say where only some rows have a position.
pub(crate) const SOME_WITHOUT_IDX: &str =
    "documents: some rows have no chunk_idx; all were numbered by chunk_start_char";

/// Collects chunks, and what is odd about them.
#[derive(Default)]
pub(crate) struct Documents {
    chunks: Vec<Chunk>,
    /// Id → row. Looked up, never walked: the map's order reaches no output.
    seen: HashMap<String, (usize, usize)>,
    files: Vec<Place>,
    unfit: Vec<UnfitSpan>,
    has_title: bool,
    has_idx: bool,
    has_end: bool,
    lacks_idx: bool,
}

impl Documents {
    pub(crate) fn push(&mut self, place: &Place, raw: RawDocument) -> Result<(), DatasetError> {
        let id = need_text(place, "chunk_id", raw.chunk_id)?;
        let text = need_text(place, "chunk", raw.chunk)?;
        let source_url = need_text(place, "source_url", raw.source_url)?;
        let start = need_position(place, "chunk_start_char", raw.chunk_start_char)?;
        self.unique(place, &id)?;
        let chars = text.chars().count();
        let end = raw.chunk_end_char.0;
        self.has_end |= end.is_some();
        let shown = end.unwrap_or_else(|| i64::try_from(start.saturating_add(chars)).unwrap_or(i64::MAX));
        let span = CharSpan::new(start, lenient(shown));
        if span.is_empty() || span.len() != chars {
            let start = i64::try_from(start).unwrap_or(i64::MAX);
            self.unfit.push(UnfitSpan { chunk_id: id.clone(), start, end: shown, chars });
        }
        let idx = match raw.chunk_idx.0 {
            Some(_) => need_position(place, "chunk_idx", raw.chunk_idx)?,
            None => 0,
        };
        self.has_idx |= raw.chunk_idx.0.is_some();
        self.lacks_idx |= raw.chunk_idx.0.is_none();
        self.has_title |= raw.title.0.is_some();
        self.chunks.push(Chunk { id, text, source_url, title: raw.title.0.unwrap_or_default(), idx, span });
        Ok(())
    }

    /// Remembers the id, or says where it stands already.
    fn unique(&mut self, place: &Place, id: &str) -> Result<(), DatasetError> {
        if self.files.last().is_none_or(|last| last.file != place.file) {
            self.files.push(place.clone());
        }
        let here = (self.files.len() - 1, place.number);
        let Some((file, number)) = self.seen.insert(id.to_owned(), here) else { return Ok(()) };
        let first = Place { number, ..self.files.get(file).unwrap_or(place).clone() };
        Err(DatasetError::DuplicateChunk { id: id.to_owned(), first, second: place.clone() })
    }

    /// Has the chunks numbered by where they start, whatever their rows say.
    pub(crate) fn renumber(&mut self) {
        self.lacks_idx = true;
    }

    pub(crate) fn finish(mut self, report: &mut ReadReport) -> Vec<Chunk> {
        report.unfit = self.unfit;
        let mut missing = |column, instead| report.missing.push(MissingColumn { config: "documents", column, instead });
        if self.chunks.is_empty() {
            return self.chunks;
        }
        if !self.has_title {
            missing("title", "no title");
        }
        if !self.has_end {
            missing("chunk_end_char", "the start plus the length of the chunk");
        }
        if self.lacks_idx {
            if self.has_idx {
                report.notes.push(SOME_WITHOUT_IDX.to_owned());
            } else {
                missing("chunk_idx", "the order of chunk_start_char within each filing");
            }
            number(&mut self.chunks);
        }
        self.chunks
    }
}

/// Numbers the chunks of each filing by where they start.
fn number(chunks: &mut [Chunk]) {
    let mut order: Vec<usize> = (0..chunks.len()).collect();
    order.sort_by(|a, b| {
        let key = |i: &usize| chunks.get(*i).map(|c| (&c.source_url, c.span));
        key(a).cmp(&key(b))
    });
    let (mut filing, mut idx) = (None::<String>, 0);
    for i in order {
        let Some(chunk) = chunks.get_mut(i) else { continue };
        if filing.as_ref() != Some(&chunk.source_url) {
            filing = Some(chunk.source_url.clone());
            idx = 0;
        }
        chunk.idx = idx;
        idx += 1;
    }
}
