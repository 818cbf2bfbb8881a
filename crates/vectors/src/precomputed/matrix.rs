//! Vectors as rows of one matrix, and the numbers that files write them in.

use std::io::Read;

use eightk_encode::Vector;

/// How a file writes one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    F16,
    Bf16,
    F32,
    F64,
    I8,
    /// Eight dimensions of one bit each, the first in the highest bit, as `numpy.packbits` writes them.
    U8,
}

impl Element {
    pub(super) const fn bytes(self) -> u64 {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 => 4,
            Self::F64 => 8,
            Self::I8 | Self::U8 => 1,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::I8 => "int8",
            Self::U8 => "binary",
        }
    }
}

/// How a file lays out a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) element: Element,
    pub(super) big_endian: bool,
    /// Column after column (Fortran's order) instead of row after row.
    pub(super) by_column: bool,
    pub(super) rows: u64,
    pub(super) columns: u64,
}

#[derive(Debug, Clone, PartialEq)]
enum Numbers {
    F32(Vec<f32>),
    I8(Vec<i8>),
    Bits(Vec<u8>),
}

/// Vectors of one length and kind, one a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: usize,
    /// Numbers in a row; of bits, bytes.
    width: usize,
    numbers: Numbers,
    element: Element,
}

/// Bytes read at a time; a multiple of every element's size.
const BLOCK: usize = 1 << 16;

impl Matrix {
    /// Reads a matrix that takes all of the `available` bytes that are left.
    pub(super) fn read(mut from: impl Read, layout: Layout, available: u64) -> Result<Self, String> {
        let Layout { element, rows, columns, .. } = layout;
        if rows == 0 || columns == 0 {
            return Err(format!("it has the shape ({rows}, {columns}) and so holds no vectors"));
        }
        // Before anything is allocated: a shape is believed only when the file is as long as it says.
        let needed = rows.checked_mul(columns).and_then(|n| n.checked_mul(element.bytes()));
        if needed != Some(available) {
            let needed = needed.map_or_else(|| "more bytes than there are".to_owned(), |n| format!("{n} bytes"));
            return Err(format!(
                "a matrix of shape ({rows}, {columns}) in {} takes {needed}, but {available} are there; was it written to its end?",
                element.name()
            ));
        }
        let usable = usize::try_from(rows).ok().zip(usize::try_from(columns).ok());
        let usable = usable.and_then(|(rows, width)| Some((rows, width, rows.checked_mul(width)?)));
        let Some((rows, width, count)) = usable else {
            return Err("it is larger than this machine's memory".to_owned());
        };
        let mut numbers = match element {
            Element::I8 => Numbers::I8(vec![0; count]),
            Element::U8 => Numbers::Bits(vec![0; count]),
            _ => Numbers::F32(vec![0.0; count]),
        };
        let mut block = vec![0; BLOCK];
        let size = element.bytes() as usize;
        let (mut at, mut left) = (0, count * size);
        while left > 0 {
            let Some(part) = block.get_mut(..left.min(BLOCK)) else { break };
            from.read_exact(part).map_err(|e| e.to_string())?;
            left -= part.len();
            for bytes in part.chunks_exact_mut(size) {
                if layout.big_endian {
                    bytes.reverse();
                }
                let to = if layout.by_column { at % rows * width + at / rows } else { at };
                set(&mut numbers, to, element, bytes);
                at += 1;
            }
        }
        Ok(Self { rows, width, numbers, element })
    }

    /// Rows that were gathered one after the other. None where they do not make a matrix.
    pub(super) fn of_rows(element: Element, rows: usize, width: usize, numbers: Gathered) -> Option<Self> {
        let (count, numbers) = match numbers {
            Gathered::F32(v) => (v.len(), Numbers::F32(v)),
            Gathered::I8(v) => (v.len(), Numbers::I8(v)),
            Gathered::Packed(v) => (v.len(), Numbers::Bits(v.into_iter().map(u8::reverse_bits).collect())),
        };
        (width > 0 && rows.checked_mul(width) == Some(count)).then_some(Self { rows, width, numbers, element })
    }

    /// Number of vectors.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// What the file writes each number in.
    pub(super) const fn element(&self) -> Element {
        self.element
    }

    /// The vector of a row, if there is such a row.
    pub fn vector(&self, row: usize) -> Option<Vector> {
        if row >= self.rows {
            return None;
        }
        let part = row * self.width..(row + 1) * self.width;
        Some(match &self.numbers {
            Numbers::F32(v) => Vector::F32(v.get(part)?.to_vec()),
            Numbers::I8(v) => Vector::I8(v.get(part)?.to_vec()),
            Numbers::Bits(v) => Vector::Bits(v.get(part)?.to_vec()),
        })
    }
}

/// Numbers of rows one after the other, as a file had them.
#[derive(Debug)]
pub(super) enum Gathered {
    F32(Vec<f32>),
    I8(Vec<i8>),
    Packed(Vec<u8>),
}

/// Sets number `at` from its bytes in little-endian order.
fn set(numbers: &mut Numbers, at: usize, element: Element, bytes: &[u8]) {
    let float = |bytes: &[u8]| -> Option<f32> {
        Some(match element {
            Element::F16 => half::f16::from_le_bytes(bytes.try_into().ok()?).to_f32(),
            Element::Bf16 => half::bf16::from_le_bytes(bytes.try_into().ok()?).to_f32(),
            // What does not fit f32 becomes infinite, and is found as such.
            Element::F64 => f64::from_le_bytes(bytes.try_into().ok()?) as f32,
            _ => f32::from_le_bytes(bytes.try_into().ok()?),
        })
    };
    match numbers {
        Numbers::F32(v) => {
            if let (Some(slot), Some(x)) = (v.get_mut(at), float(bytes)) {
                *slot = x;
            }
        }
        Numbers::I8(v) => {
            if let (Some(slot), [x]) = (v.get_mut(at), bytes) {
                *slot = i8::from_le_bytes([*x]);
            }
        }
        Numbers::Bits(v) => {
            if let (Some(slot), [x]) = (v.get_mut(at), bytes) {
                *slot = x.reverse_bits();
            }
        }
    }
}
