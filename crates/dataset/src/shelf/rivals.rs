//! The rivals of a query.

use std::sync::Arc;

use eightk_core::{RivalSet, query_id};

use super::Shelf;
use super::lines::KeyedLines;
use super::runs::Runs;
use crate::DatasetError;

impl Shelf {
    /// The rivals of the query at `query` in [`Shelf::queries`]: as many sets as `audit/rivals.jsonl` has lines for it, one in sets
    /// of ours; none where there is no such file.
    ///
    /// The first call looks through the file once (see [`Shelf::warm`]).
    ///
    /// # Errors
    /// As [`Shelf::chunks`]; also for a line of any query that is no JSON object, unless it begins as ours do.
    pub fn rivals(&self, query: usize) -> Result<Vec<RivalSet>, DatasetError> {
        let mut found = Vec::new();
        let Some(lines) = self.rivals.as_ref().filter(|_| query < self.queries.len()) else { return Ok(found) };
        self.rival_lines(lines)?.line_rows::<RivalSet>(query, &query_id(query), &mut |_, set| {
            found.push(set);
            Ok(())
        })?;
        Ok(found)
    }

    /// Whether the data set has rivals.
    pub fn has_rivals(&self) -> bool {
        self.rivals.is_some()
    }

    pub(super) fn rival_lines(&self, lines: &KeyedLines) -> Result<Arc<Runs>, DatasetError> {
        lines.index(query_number)
    }

    /// Makes now what would be made at the first call of [`Shelf::dropped`], [`Shelf::rivals`] and [`Shelf::facts_of`]: for a thread
    /// that has nothing else to do. Calls that need it meanwhile wait.
    ///
    /// # Errors
    /// As theirs.
    pub fn warm(&self) -> Result<(), DatasetError> {
        if let Some(lines) = &self.dropped {
            self.dropped_lines(lines)?;
        }
        if let Some(lines) = &self.rivals {
            self.rival_lines(lines)?;
            self.rival_index()?;
        }
        Ok(())
    }
}

/// The row of the query that is called so.
pub(super) fn query_number(id: &str) -> Option<u32> {
    let number: u32 = id.strip_prefix('q')?.parse().ok()?;
    // `q007` and `q+7` are other names.
    (query_id(number as usize) == id).then_some(number)
}
