//! Rows as the kernel reads them: panels of 32, dimension by dimension, in blocks of a few panels.
//!
//! A block is what fits into a core's second cache as f32 and what one thread takes at a time. Blocks are allocated one by one, so
//! that building never holds a second copy of anything.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::kernel::ROWS;
use super::margin;
use super::row::{Row, RowCells, product};

/// Numbers in a block: 384 KiB as f32, beside which the tile of queries and the code still fit.
const BLOCK: usize = 96 * 1024;
/// Most panels in a block, for vectors of few dimensions.
const MOST_PANELS: usize = 64;

/// The numbers of rows, in one of the forms they are kept in.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cells {
    F32(Vec<f32>),
    F16(Vec<f16>),
    I8(Vec<i8>),
}

/// Some panels that are searched together.
#[derive(Debug)]
pub(super) struct Block {
    cells: Cells,
    /// Rows in use; the last panel may be part empty.
    pub(super) rows: usize,
    factors: Vec<f64>,
    /// The factors in f32, by row; 0 for places that are empty.
    pub(super) weights: Vec<f32>,
    /// The largest reach in each panel.
    pub(super) reaches: Vec<f32>,
}

/// All rows.
#[derive(Debug)]
pub(super) struct Panels {
    pub(super) dims: usize,
    pub(super) blocks: Vec<Block>,
    /// Rows in a full block.
    pub(super) block_rows: usize,
}

impl Panels {
    pub(super) fn new(dims: usize) -> Self {
        let panels = (BLOCK / (ROWS * dims.max(1))).clamp(1, MOST_PANELS);
        Self { dims, blocks: Vec::new(), block_rows: panels * ROWS }
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.blocks.last().map_or(0, |last| (self.blocks.len() - 1) * self.block_rows + last.rows)
    }

    /// Adds a row; `dims` numbers long and of the form of all others.
    pub(super) fn push(&mut self, row: &Row<'_>) {
        let full = self.block_rows;
        match self.blocks.last_mut() {
            Some(last) if last.rows < full => last.push(row, self.dims),
            _ => {
                let mut block = Block::new(&row.cells, full, self.dims);
                block.push(row, self.dims);
                self.blocks.push(block);
            }
        }
    }

    /// Gives back what the last block does not need.
    pub(super) fn finish(&mut self) {
        if let Some(last) = self.blocks.last_mut() {
            last.shrink(self.dims);
        }
        self.blocks.shrink_to_fit();
    }

    fn place(&self, row: u32) -> Option<(&Block, usize)> {
        let row = row as usize;
        Some((self.blocks.get(row / self.block_rows)?, row % self.block_rows))
    }

    /// A row's product with a query's values times its factor: what [`Row::product`] gives for the row.
    pub(super) fn product(&self, row: u32, query: &[f64]) -> f64 {
        let Some((block, at)) = self.place(row) else { return f64::NAN };
        let factor = block.factors.get(at).copied().unwrap_or(f64::NAN);
        factor
            * match &block.cells {
                Cells::F32(v) => product(of_row(v, at, self.dims).map(f64::from), query),
                Cells::F16(v) => product(of_row(v, at, self.dims).map(f64::from), query),
                Cells::I8(v) => product(of_row(v, at, self.dims).map(f64::from), query),
            }
    }

    /// Whether a row is stored as this one would be.
    pub(super) fn same(&self, row: u32, other: &Row<'_>) -> bool {
        let Some((block, at)) = self.place(row) else { return false };
        block.factors.get(at).map(|f| f.to_bits()) == Some(other.factor.to_bits())
            && match (&block.cells, &other.cells) {
                (Cells::F32(v), RowCells::F32(o)) => {
                    of_row(v, at, self.dims).map(f32::to_bits).eq(o.iter().map(|x| x.to_bits()))
                }
                (Cells::F16(v), RowCells::F16(o)) => {
                    of_row(v, at, self.dims).map(f16::to_bits).eq(o.iter().map(|x| x.to_bits()))
                }
                (Cells::I8(v), RowCells::I8(o)) => of_row(v, at, self.dims).eq(o.iter().copied()),
                _ => false,
            }
    }
}

impl Block {
    fn new(like: &RowCells<'_>, rows: usize, dims: usize) -> Self {
        let cells = match like {
            RowCells::F32(_) => Cells::F32(vec![0.0; rows * dims]),
            RowCells::F16(_) => Cells::F16(vec![f16::ZERO; rows * dims]),
            RowCells::I8(_) => Cells::I8(vec![0; rows * dims]),
        };
        Self {
            cells,
            rows: 0,
            factors: Vec::with_capacity(rows),
            weights: vec![0.0; rows],
            reaches: vec![0.0; rows / ROWS],
        }
    }

    fn push(&mut self, row: &Row<'_>, dims: usize) {
        let at = self.rows;
        match (&mut self.cells, &row.cells) {
            (Cells::F32(v), RowCells::F32(row)) => put(v, at, dims, row),
            (Cells::F16(v), RowCells::F16(row)) => put(v, at, dims, row),
            (Cells::I8(v), RowCells::I8(row)) => put(v, at, dims, row),
            // The index lets in one kind of vector.
            _ => return,
        }
        self.factors.push(row.factor);
        self.weights[at] = row.factor as f32;
        let reach = &mut self.reaches[at / ROWS];
        *reach = reach.max(margin::reach(row.length, row.factor));
        self.rows += 1;
    }

    fn shrink(&mut self, dims: usize) {
        let rows = self.rows.next_multiple_of(ROWS);
        match &mut self.cells {
            Cells::F32(v) => cut(v, rows * dims),
            Cells::F16(v) => cut(v, rows * dims),
            Cells::I8(v) => cut(v, rows * dims),
        }
        cut(&mut self.weights, rows);
        cut(&mut self.reaches, rows / ROWS);
        self.factors.shrink_to_fit();
    }

    /// The numbers as f32: as they lie there, or turned into f32 in `scratch`.
    pub(super) fn floats<'s>(&'s self, arch: pulp::Arch, scratch: &'s mut Vec<f32>) -> &'s [f32] {
        match &self.cells {
            Cells::F32(v) => v,
            Cells::F16(v) => {
                scratch.resize(v.len(), 0.0);
                v.convert_to_f32_slice(scratch);
                scratch
            }
            Cells::I8(v) => {
                scratch.resize(v.len(), 0.0);
                arch.dispatch(|| scratch.iter_mut().zip(v).for_each(|(to, from)| *to = f32::from(*from)));
                scratch
            }
        }
    }
}

fn cut<T>(v: &mut Vec<T>, len: usize) {
    v.truncate(len);
    v.shrink_to_fit();
}

/// Writes a row into its panel.
fn put<T: Copy>(cells: &mut [T], at: usize, dims: usize, row: &[T]) {
    let panel = cells.chunks_exact_mut(ROWS).skip(at / ROWS * dims);
    for (cells, value) in panel.zip(row) {
        cells[at % ROWS] = *value;
    }
}

/// The numbers of a row.
fn of_row<T: Copy>(cells: &[T], at: usize, dims: usize) -> impl Iterator<Item = T> {
    cells.chunks_exact(ROWS).skip(at / ROWS * dims).take(dims).map(move |cells| cells[at % ROWS])
}
