//! How often each number occurs: enough for a median and a histogram, and no larger than the largest number is.
//!
//! The road not taken is a list of all numbers, sorted at the end, which grows with the data set.

use std::collections::BTreeMap;

use super::statistics::Range;

/// Counts of whole numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Distribution {
    counts: BTreeMap<usize, usize>,
    total: usize,
}

/// A bar of a histogram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bin {
    /// Smallest number in it.
    pub(super) first: usize,
    /// Largest number in it; none for the last bin, which takes all there are.
    pub(super) last: Option<usize>,
    /// How many.
    pub(super) count: usize,
}

impl Distribution {
    pub(super) fn add(&mut self, number: usize) {
        *self.counts.entry(number).or_default() += 1;
        self.total += 1;
    }

    /// How many numbers were added.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// The number at place `i` of all in order.
    fn nth(&self, i: usize) -> Option<usize> {
        let mut before = 0;
        self.counts.iter().find_map(|(number, count)| {
            before += count;
            (before > i).then_some(*number)
        })
    }

    pub(super) fn range(&self) -> Range {
        let end = |e: Option<(&usize, &usize)>| e.map_or(0, |(number, _)| *number);
        Range {
            min: end(self.counts.first_key_value()),
            median: self.nth(self.total.saturating_sub(1) / 2).unwrap_or(0),
            max: end(self.counts.last_key_value()),
        }
    }

    /// The smallest number that at least `percent` in a hundred do not exceed; 0 where there are none.
    pub(super) fn percentile(&self, percent: usize) -> usize {
        let wanted = self.total.saturating_mul(percent).div_ceil(100);
        self.nth(wanted.saturating_sub(1)).unwrap_or(0)
    }

    /// The number that occurs most often, and how often; the smallest of equals.
    pub(super) fn mode(&self) -> Option<(usize, usize)> {
        self.counts.iter().max_by_key(|(number, count)| (**count, std::cmp::Reverse(**number))).map(|(n, c)| (*n, *c))
    }

    /// At most `most` bins, all of one round width but for the last, which takes what the largest hundredth adds.
    pub(super) fn bins(&self, most: usize) -> Vec<Bin> {
        let Range { min, max, .. } = self.range();
        if self.total == 0 || most < 2 {
            return Vec::new();
        }
        // A long tail would press everything else into one bar.
        let end = if max - min < most { max } else { self.percentile(99) };
        let needed = |width: usize| end / width - min / width + 1 + usize::from(end < max);
        let Some(width) = round_widths().find(|w| needed(*w) <= most) else { return Vec::new() };
        let start = min / width * width;
        let regular = end / width - min / width + 1;
        let mut bins: Vec<Bin> = (0..regular)
            .map(|i| start.saturating_add(i.saturating_mul(width)))
            .map(|first| Bin { first, last: Some(first.saturating_add(width - 1)), count: 0 })
            .collect();
        let after = start.saturating_add(regular.saturating_mul(width));
        if max >= after {
            bins.push(Bin { first: after, last: None, count: 0 });
        }
        for (number, count) in &self.counts {
            let place = ((number - start) / width).min(bins.len() - 1);
            if let Some(bin) = bins.get_mut(place) {
                bin.count += count;
            }
        }
        bins
    }
}

impl FromIterator<usize> for Distribution {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut out = Self::default();
        numbers.into_iter().for_each(|n| out.add(n));
        out
    }
}

/// 1, 2, 5, 10, 20, 50, …
fn round_widths() -> impl Iterator<Item = usize> {
    (0..18).map(|power| 10usize.saturating_pow(power)).flat_map(|decade| [1, 2, 5].map(|d| decade.saturating_mul(d)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_numbers_have_a_bar_each() {
        let counts: Distribution = [3, 5, 5, 4].into_iter().collect();
        let bins = counts.bins(20);
        let shown: Vec<_> = bins.iter().map(|b| (b.first, b.last, b.count)).collect();
        assert_eq!(shown, [(3, Some(3), 1), (4, Some(4), 1), (5, Some(5), 2)]);
        assert_eq!(counts.mode(), Some((5, 2)));
        assert!(Distribution::default().bins(20).is_empty());
    }

    #[test]
    fn a_long_tail_is_one_bar() {
        let counts: Distribution = (40..440).chain([5000]).collect();
        let bins = counts.bins(24);
        assert_eq!((bins[0].first, bins[0].last), (40, Some(59)));
        let last = bins.last().unwrap();
        assert_eq!((last.first, last.last, last.count), (440, None, 1));
        assert_eq!(counts.percentile(90), 400);
    }

    proptest! {
        #[test]
        fn the_same_as_a_sorted_list(mut numbers in prop::collection::vec(0usize..5000, 1..300), most in 2usize..30) {
            let counts: Distribution = numbers.iter().copied().collect();
            numbers.sort_unstable();
            let range = Range { min: numbers[0], median: numbers[(numbers.len() - 1) / 2], max: numbers[numbers.len() - 1] };
            prop_assert_eq!(counts.range(), range);
            let ninety = counts.percentile(90);
            prop_assert!(numbers.iter().filter(|n| **n <= ninety).count() * 10 >= numbers.len() * 9);
            prop_assert!(numbers.iter().filter(|n| **n < ninety).count() * 10 < numbers.len() * 9);
            let bins = counts.bins(most);
            prop_assert!(!bins.is_empty() && bins.len() <= most);
            for bin in &bins {
                let inside = |n: &&usize| **n >= bin.first && bin.last.is_none_or(|last| **n <= last);
                prop_assert_eq!(bin.count, numbers.iter().filter(inside).count());
            }
            prop_assert_eq!(bins.iter().map(|b| b.count).sum::<usize>(), numbers.len());
        }

        #[test]
        fn any_numbers(numbers in prop::collection::vec(any::<usize>(), 0..20)) {
            let counts: Distribution = numbers.iter().copied().collect();
            prop_assert!(counts.bins(24).iter().map(|b| b.count).sum::<usize>() <= numbers.len());
        }
    }
}
