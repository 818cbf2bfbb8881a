//! From the states of tokens to one vector.

use crate::folder::PoolingMode;
use crate::math::add;

/// Which tokens of a sequence a vector is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The whole text, but the first `skip` tokens, pooled as the model wants it.
    Text { skip: usize },
    /// These tokens, by their mean: a chunk in its context.
    Part(std::ops::Range<usize>),
}

/// Pools the states [tokens × width] of one sequence. Sums go from the first token to the last, so they are always the same.
pub(crate) fn pool(states: &[f32], width: usize, wanted: &Wanted, modes: &[PoolingMode]) -> Vec<f32> {
    let rows = states.len() / width.max(1);
    match wanted {
        Wanted::Part(range) => one(states, width, range.clone(), PoolingMode::Mean),
        // A prompt that fills the text leaves its last token.
        Wanted::Text { skip } => {
            let range = (*skip).min(rows.saturating_sub(1))..rows;
            modes.iter().flat_map(|mode| one(states, width, range.clone(), *mode)).collect()
        }
    }
}

fn one(states: &[f32], width: usize, range: std::ops::Range<usize>, mode: PoolingMode) -> Vec<f32> {
    let part = states.get(range.start * width..range.end * width).unwrap_or_default();
    let rows = part.chunks_exact(width);
    let count = range.len().max(1) as f32;
    let row = |r: Option<&[f32]>| r.map_or_else(|| vec![0.0; width], <[f32]>::to_vec);
    let mut pooled = match mode {
        PoolingMode::Cls => return row(rows.into_iter().next()),
        PoolingMode::LastToken => return row(rows.into_iter().next_back()),
        PoolingMode::Max => {
            let mut largest = row(rows.clone().next());
            for row in rows {
                largest.iter_mut().zip(row).for_each(|(l, x)| *l = l.max(*x));
            }
            return largest;
        }
        _ => vec![0.0; width],
    };
    let divisor = match mode {
        PoolingMode::WeightedMean => {
            let mut total = 0.0;
            for (position, row) in rows.enumerate() {
                let weight = (range.start + position + 1) as f32;
                pooled.iter_mut().zip(row).for_each(|(p, x)| *p += weight * x);
                total += weight;
            }
            total
        }
        PoolingMode::MeanSqrtLength => {
            rows.for_each(|row| add(&mut pooled, row));
            count.sqrt()
        }
        _ => {
            rows.for_each(|row| add(&mut pooled, row));
            count
        }
    };
    pooled.iter_mut().for_each(|p| *p /= divisor);
    pooled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mode_by_hand() {
        // Three tokens of two numbers.
        let states = [1.0, 8.0, 2.0, 4.0, 6.0, -3.0];
        let of = |mode| pool(&states, 2, &Wanted::Text { skip: 0 }, &[mode]);
        assert_eq!(of(PoolingMode::Cls), [1.0, 8.0]);
        assert_eq!(of(PoolingMode::LastToken), [6.0, -3.0]);
        assert_eq!(of(PoolingMode::Max), [6.0, 8.0]);
        assert_eq!(of(PoolingMode::Mean), [3.0, 3.0]);
        assert_eq!(of(PoolingMode::MeanSqrtLength), [9.0 / 3f32.sqrt(), 9.0 / 3f32.sqrt()]);
        assert_eq!(of(PoolingMode::WeightedMean), [23.0 / 6.0, 7.0 / 6.0]);
    }

    #[test]
    fn a_prompt_left_out_keeps_the_positions() {
        let states = [1.0, 8.0, 2.0, 4.0, 6.0, -3.0];
        let of = |mode| pool(&states, 2, &Wanted::Text { skip: 1 }, &[mode]);
        assert_eq!(of(PoolingMode::Cls), [2.0, 4.0]);
        assert_eq!(of(PoolingMode::Mean), [4.0, 0.5]);
        assert_eq!(of(PoolingMode::WeightedMean), [22.0 / 5.0, -1.0 / 5.0]);
        assert_eq!(pool(&states, 2, &Wanted::Text { skip: 9 }, &[PoolingMode::Mean]), [6.0, -3.0]);
    }

    #[test]
    fn several_modes_stand_side_by_side() {
        let states = [1.0, 8.0, 3.0, 4.0];
        let both = pool(&states, 2, &Wanted::Text { skip: 0 }, &[PoolingMode::Cls, PoolingMode::Mean]);
        assert_eq!(both, [1.0, 8.0, 2.0, 6.0]);
        assert_eq!(pool(&states, 2, &Wanted::Part(1..2), &[PoolingMode::Cls]), [3.0, 4.0]);
        assert_eq!(pool(&[], 2, &Wanted::Text { skip: 0 }, &[PoolingMode::Mean]), [0.0, 0.0]);
    }
}
