//! How many passages go into one request.

use std::ops::Range;

/// Cuts passages with so many tokens each into requests of at most `most` passages and `tokens` tokens. One that is too long by itself
/// goes alone: the service knows best, and says so.
pub(super) fn batches(lengths: &[u64], most: usize, tokens: u64) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut sum) = (0, 0_u64);
    for (at, length) in lengths.iter().enumerate() {
        if at > start && (at - start >= most.max(1) || sum.saturating_add(*length) > tokens) {
            batches.push(start..at);
            (start, sum) = (at, 0);
        }
        sum = sum.saturating_add(*length);
    }
    if start < lengths.len() {
        batches.push(start..lengths.len());
    }
    batches
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_count_and_by_tokens() {
        assert_eq!(batches(&[1; 5], 2, 99), [0..2, 2..4, 4..5]);
        assert_eq!(batches(&[3, 3, 3, 9, 1], 9, 6), [0..2, 2..3, 3..4, 4..5]);
        assert_eq!(batches(&[], 2, 9), []);
        assert_eq!(batches(&[u64::MAX, u64::MAX], 0, u64::MAX), [0..1, 1..2]);
    }

    proptest! {
        #[test]
        fn everything_once_and_within_the_limits(lengths in prop::collection::vec(0u64..9, 0..40), most in 1usize..6, tokens in 1u64..20) {
            let cut = batches(&lengths, most, tokens);
            prop_assert!(cut.iter().flat_map(Clone::clone).eq(0..lengths.len()));
            for range in cut {
                let sum: u64 = lengths[range.clone()].iter().sum();
                prop_assert!(range.len() <= most && (sum <= tokens || range.len() == 1));
            }
        }
    }
}
