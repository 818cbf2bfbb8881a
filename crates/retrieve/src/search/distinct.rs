//! Which vectors are stored alike.
//!
//! Templated sentences give equal vectors by the thousand. As one row they cost one row's time, and ties of any size are found
//! without a candidate for each. Rows are told apart by 64 bits of hash first and by all their bits then.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::row::Row;

/// Numbers distinct rows while they come.
#[derive(Debug)]
pub(super) struct Distinct {
    hasher: FixedState,
    table: HashTable<u32>,
    /// Of each row.
    hashes: Vec<u64>,
    /// Of each position.
    row_of: Vec<u32>,
}

impl Distinct {
    pub(super) fn new() -> Self {
        Self { hasher: FixedState::default(), table: HashTable::new(), hashes: Vec::new(), row_of: Vec::new() }
    }

    /// Takes the next position's row; says whether it is a new one. `same` compares with a row that came before.
    pub(super) fn add(&mut self, row: &Row<'_>, same: impl Fn(u32) -> bool) -> bool {
        let mut hasher = self.hasher.build_hasher();
        hasher.write_u64(row.factor.to_bits());
        row.cells.each_word(|word| hasher.write_u64(word));
        let hash = hasher.finish();
        let hashes = &self.hashes;
        let known = self.table.find(hash, |row| hashes.get(*row as usize) == Some(&hash) && same(*row)).copied();
        if let Some(row) = known {
            self.row_of.push(row);
            return false;
        }
        // Fewer rows than positions, and those are numbered by u32.
        let next = u32::try_from(self.hashes.len()).unwrap_or(u32::MAX);
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.table.insert_unique(hash, next, |row| hashes.get(*row as usize).copied().unwrap_or_default());
        self.row_of.push(next);
        true
    }

    /// The positions of each row.
    pub(super) fn finish(self) -> Members {
        let rows = self.hashes.len();
        if rows == self.row_of.len() {
            return Members::Alone;
        }
        let mut starts = vec![0u32; rows + 1];
        for row in &self.row_of {
            starts[*row as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut positions = vec![0; self.row_of.len()];
        for (position, row) in (0u32..).zip(&self.row_of) {
            let at = &mut next[*row as usize];
            positions[*at as usize] = position;
            *at += 1;
        }
        Members::Shared { starts, positions }
    }
}

/// Positions by row, ascending.
#[derive(Debug)]
pub(super) enum Members {
    /// Row and position are one.
    Alone,
    /// The positions of row r are `positions[starts[r]..starts[r + 1]]`.
    Shared { starts: Vec<u32>, positions: Vec<u32> },
}

impl Members {
    /// The positions of a row.
    pub(super) fn of(&self, row: u32) -> impl Iterator<Item = u32> {
        let (alone, shared) = match self {
            Self::Alone => (Some(row), [].as_slice()),
            Self::Shared { starts, positions } => {
                let at = |i: usize| starts.get(i).map_or(0, |s| *s as usize);
                (None, positions.get(at(row as usize)..at(row as usize + 1)).unwrap_or_default())
            }
        };
        alone.into_iter().chain(shared.iter().copied())
    }
}
