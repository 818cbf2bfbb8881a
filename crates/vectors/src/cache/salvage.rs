//! Taking over what is sound in a damaged file.
//!
//! A key says whose vector it is and a checksum says that it is the one that was put, so a row can be trusted whatever stands around it. Rows are
//! read in the order they were written; where a page cannot be read, the ones behind it are looked for in growing steps. Vectors of a paid
//! service are worth the trouble: a machine that fails in the middle of writing must not cost more than its last half minute.

use std::path::Path;

use eightk_encode::{EncodedChunk, Identity, Stored, VectorKey};
use rusqlite::{Connection, Row};

use super::connection::connect;
use super::file::{VectorFile, checksum};
use super::trouble::Trouble;

/// Rows kept in one transaction.
const BATCH: usize = 1000;

/// Less than any row takes: a file that shows more rows than this allows goes in circles.
const SMALLEST_ROW: u64 = 40;

/// How often one may come upon a damaged page. Each time costs a few reads.
const MOST_FAULTS: u32 = 10_000;

/// Puts every sound vector of `from` into the file at `to`, and says how many there were. Saves what it can; that is no error.
pub(super) fn salvage(from: &Path, to: &Path, who: &Identity) -> u64 {
    let Ok(Some(damaged)) = connect(from, false) else { return 0 };
    let most = std::fs::metadata(from).map_or(0, |m| m.len()) / SMALLEST_ROW;
    let Ok(Some(mut sound)) = VectorFile::open(to, who, true) else { return 0 };
    let (mut seen, mut saved, mut faults) = (0, 0, 0);
    let (mut next, mut step) = (1, 1);
    while seen < most && faults < MOST_FAULTS {
        let mut rows = Vec::new();
        let end = read(&damaged, &mut next, &mut rows);
        seen += rows.len() as u64;
        if !rows.is_empty() {
            step = 1;
        }
        let rows: Vec<_> = rows.into_iter().flatten().collect();
        if sound.put(&rows).is_err() {
            break;
        }
        saved += rows.len() as u64;
        match end {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                faults += 1;
                let Some(beyond) = i64::checked_add(next, step) else { break };
                (next, step) = (beyond, step.saturating_mul(2));
            }
        }
    }
    saved
}

/// Reads a batch of rows from number `next` on, which moves behind the last one read; none for a damaged one. Whether there may be more.
fn read(damaged: &Connection, next: &mut i64, rows: &mut Vec<Option<(VectorKey, Stored)>>) -> Result<bool, Trouble> {
    let mut all = damaged
        .prepare_cached("SELECT rowid, key, value, checksum FROM vectors WHERE rowid >= ?1 ORDER BY rowid LIMIT ?2")?;
    let mut all = all.query((*next, BATCH as i64))?;
    while let Some(row) = all.next()? {
        let number: i64 = row.get(0)?;
        if number < *next {
            return Err(Trouble::Damaged("rows out of order".to_owned()));
        }
        let Some(behind) = number.checked_add(1) else { return Ok(false) };
        *next = behind;
        rows.push(entry(row));
    }
    Ok(rows.len() == BATCH)
}

fn entry(row: &Row<'_>) -> Option<(VectorKey, Stored)> {
    let key = VectorKey(row.get_ref(1).ok()?.as_blob().ok()?.try_into().ok()?);
    let value = row.get_ref(2).ok()?.as_blob().ok()?;
    let sound = row.get_ref(3).ok()?.as_i64().ok()? == checksum(&key, value);
    Some((key, EncodedChunk::from_bytes(value).filter(|_| sound)?))
}
