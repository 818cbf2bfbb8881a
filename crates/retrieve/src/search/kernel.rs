//! Products of 32 rows with 12 queries, in the widest registers the machine has.
//!
//! Both sides are laid out dimension by dimension, so that one step reads 32 numbers of the rows and 12 of the queries that
//! lie side by side and does all 384 multiplications. With AVX-512 the sums fill 24 of 32 registers, two for each
//! query; that is 24 multiply-adds for 14 loads, more than the loads can slow down. `pulp` finds out at run time what there
//! is and is the safe way to these instructions; a compiler's own vectorisation would use what the binary was built for.

use pulp::{Simd, WithSimd};

/// Rows in a panel.
pub(super) const ROWS: usize = 32;
/// Queries in a tile.
pub(super) const QUERIES: usize = 12;

/// Sums by query and row.
pub(super) type Sums = [[f32; ROWS]; QUERIES];

/// Multiplies a panel (dimension by dimension, [`ROWS`] numbers each) with a tile ([`QUERIES`] numbers each).
pub(super) struct Multiply<'a> {
    pub(super) panel: &'a [f32],
    pub(super) tile: &'a [f32],
    pub(super) sums: &'a mut Sums,
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { panel, tile, sums } = self;
        match (S::F32_LANES, S::REGISTER_COUNT) {
            (2..=16, 32..) => in_registers::<S, 12>(simd, panel, tile, sums),
            (2..=16, _) => in_registers::<S, 6>(simd, panel, tile, sums),
            _ => by_lines(panel, tile, sums),
        }
    }
}

/// Two registers of rows by `N` queries at a time.
#[inline(always)]
fn in_registers<S: Simd, const N: usize>(simd: S, panel: &[f32], tile: &[f32], sums: &mut Sums) {
    let (rows, _) = pulp::as_arrays::<ROWS, _>(panel);
    let (queries, _) = pulp::as_arrays::<QUERIES, _>(tile);
    let pair = 2 * S::F32_LANES;
    for row in (0..ROWS).step_by(pair) {
        for query in (0..QUERIES).step_by(N) {
            let mut held = [[simd.splat_f32s(0.0); 2]; N];
            for (rows, queries) in rows.iter().zip(queries) {
                let (rows, _) = S::as_simd_f32s(&rows[row..row + pair]);
                for (held, query) in held.iter_mut().zip(&queries[query..query + N]) {
                    let query = simd.splat_f32s(*query);
                    held[0] = simd.mul_add_e_f32s(rows[0], query, held[0]);
                    held[1] = simd.mul_add_e_f32s(rows[1], query, held[1]);
                }
            }
            for (sums, held) in sums[query..query + N].iter_mut().zip(held) {
                let (sums, _) = S::as_mut_simd_f32s(&mut sums[row..row + pair]);
                sums.copy_from_slice(&held);
            }
        }
    }
}

/// Without vector registers of our own: a line of 32 sums, which compilers vectorise for whatever they build for.
fn by_lines(panel: &[f32], tile: &[f32], sums: &mut Sums) {
    for (query, sums) in sums.iter_mut().enumerate() {
        let mut line = [0.0; ROWS];
        for (rows, queries) in panel.chunks_exact(ROWS).zip(tile.chunks_exact(QUERIES)) {
            for (sum, row) in line.iter_mut().zip(rows) {
                *sum += row * queries[query];
            }
        }
        *sums = line;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_gives_the_product() {
        let dims = 7;
        let panel: Vec<f32> = (0..dims * ROWS).map(|i| (i * 37 % 101) as f32 - 50.0).collect();
        let tile: Vec<f32> = (0..dims * QUERIES).map(|i| (i * 53 % 97) as f32 - 48.0).collect();
        let expected = |query: usize, row: usize| -> f32 {
            (0..dims).map(|d| panel[d * ROWS + row] * tile[d * QUERIES + query]).sum()
        };
        let check = |sums: &Sums| {
            for (query, sums) in sums.iter().enumerate() {
                for (row, sum) in sums.iter().enumerate() {
                    assert_eq!(*sum, expected(query, row), "whole numbers are exact: {query} {row}");
                }
            }
        };
        let mut sums = [[f32::NAN; ROWS]; QUERIES];
        pulp::Arch::new().dispatch(Multiply { panel: &panel, tile: &tile, sums: &mut sums });
        check(&sums);
        sums = [[f32::NAN; ROWS]; QUERIES];
        by_lines(&panel, &tile, &mut sums);
        check(&sums);
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = pulp::x86::V3::try_new() {
            sums = [[f32::NAN; ROWS]; QUERIES];
            Simd::vectorize(v3, Multiply { panel: &panel, tile: &tile, sums: &mut sums });
            check(&sums);
        }
    }
}
