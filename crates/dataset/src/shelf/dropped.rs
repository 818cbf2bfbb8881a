//! Sentences of a filing that are no chunks.

use std::sync::Arc;

use eightk_core::CharSpan;

use super::Shelf;
use super::lines::KeyedLines;
use super::runs::Runs;
use crate::DatasetError;
use crate::read::rows::RawDropped;
use crate::read::{lenient, need_position, need_text};

/// Where the dropped sentences of a data set folder lie.
pub(crate) const DROPPED: &str = "audit/dropped.jsonl";

/// A sentence that is no chunk, as `audit/dropped.jsonl` has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DroppedSentence {
    /// Where it stands in its filing's text; an end before the start is left as it is.
    pub span: CharSpan,
    /// Why it was dropped: the name of an [`eightk_core::DropReason`] in sets of this version, whatever is stored in others.
    pub reason: String,
    /// The sentence.
    pub text: String,
}

impl Shelf {
    /// The dropped sentences of a filing in stored order; none where the data set has no such file, or the filing no such
    /// sentence.
    ///
    /// The first call looks through the file once (see [`Shelf::warm`]).
    ///
    /// # Errors
    /// As [`Shelf::chunks`]; also for a line of any filing that is no JSON object, unless it begins as ours do.
    pub fn dropped(&self, source_url: &str) -> Result<Vec<DroppedSentence>, DatasetError> {
        let mut found = Vec::new();
        let (Some(lines), Some(filing)) = (&self.dropped, self.position(source_url)) else { return Ok(found) };
        self.dropped_lines(lines)?.rows::<RawDropped>(filing, source_url, &mut |place, row| {
            let start = need_position(&place, "start", row.start)?;
            found.push(DroppedSentence {
                span: CharSpan::new(start, row.end.0.map_or(start, lenient)),
                reason: need_text(&place, "reason", row.reason)?,
                text: need_text(&place, "text", row.text)?,
            });
            Ok(())
        })?;
        Ok(found)
    }

    /// Whether the data set says which sentences were dropped.
    pub fn has_dropped(&self) -> bool {
        self.dropped.is_some()
    }

    pub(super) fn dropped_lines(&self, lines: &KeyedLines) -> Result<Arc<Runs>, DatasetError> {
        lines.index(|source_url| self.number(source_url))
    }
}
