//! Windows over passages, where a filing is longer than a service takes at once.
//!
//! Windows consist of whole passages and overlap by about a quarter, so that no passage stands at the border of all windows that hold it. The
//! last one reaches back as far as it may: its passages would else see less than others.

use std::ops::Range;

/// Part of a window that the next one repeats.
const OVERLAP: u64 = 4;

/// Windows over passages with these token counts, each at most `most`, in order; together they hold all. Every single passage must fit.
pub(crate) fn windows(tokens: &[u64], most: u64) -> Vec<Range<usize>> {
    let at = |i: usize| tokens.get(i).copied().unwrap_or_default();
    let mut windows: Vec<Range<usize>> = Vec::new();
    let (mut start, mut end) = (0, 0);
    // Tokens of `start..end`.
    let mut sum = 0_u64;
    loop {
        while end < tokens.len() && (sum.saturating_add(at(end)) <= most || end == start) {
            sum = sum.saturating_add(at(end));
            end += 1;
        }
        if end == tokens.len() {
            while start > 0 && sum.saturating_add(at(start - 1)) <= most {
                start -= 1;
                sum = sum.saturating_add(at(start));
            }
            windows.push(start..end);
            return windows;
        }
        windows.push(start..end);
        let (first, mut back) = (start, 0_u64);
        start = end;
        while start - 1 > first && back.saturating_add(at(start - 1)) <= most / OVERLAP {
            start -= 1;
            back = back.saturating_add(at(start));
        }
        // Without this the next window could end where this one does.
        while start < end && back.saturating_add(at(end)) > most {
            back = back.saturating_sub(at(start));
            start += 1;
        }
        sum = back;
    }
}

/// For each passage the window that shows most on its poorer side, the earlier one where several do. `spans` are the passages' starts and
/// ends in the text.
pub(crate) fn best(windows: &[Range<usize>], spans: &[(usize, usize)]) -> Vec<usize> {
    let mut best: Vec<Option<(usize, usize)>> = vec![None; spans.len()];
    for (w, window) in windows.iter().enumerate() {
        let inside = spans.get(window.clone()).unwrap_or_default();
        let (Some((from, _)), Some((_, to))) = (inside.first(), inside.last()) else { continue };
        for (slot, (start, end)) in best.iter_mut().skip(window.start).zip(inside) {
            let margin = start.saturating_sub(*from).min(to.saturating_sub(*end));
            if slot.is_none_or(|(most, _)| margin > most) {
                *slot = Some((margin, w));
            }
        }
    }
    best.into_iter().map(|b| b.map_or(0, |(_, w)| w)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn overlapping_and_full() {
        assert_eq!(windows(&[1; 10], 8), [0..8, 2..10]);
        assert_eq!(windows(&[1; 20], 8), [0..8, 6..14, 12..20]);
        assert_eq!(windows(&[1; 5], 8).first(), Some(&(0..5)));
        assert_eq!(windows(&[8, 8, 8], 8), [0..1, 1..2, 2..3]);
        assert_eq!(windows(&[], 8).first(), Some(&(0..0)));
        assert_eq!(windows(&[1, 1, 8, 1], 8), [0..2, 2..3, 3..4]);
    }

    #[test]
    fn the_better_window_wins() {
        let spans: Vec<_> = (0..10).map(|i| (i * 10, i * 10 + 9)).collect();
        // Passage 4: 40 bytes on the left of the first window's, 30 on its right; of the second's 20 and 50.
        assert_eq!(best(&[0..8, 2..10], &spans), [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    }

    proptest! {
        #[test]
        fn all_passages_are_held_and_no_window_is_too_long(tokens in prop::collection::vec(1_u64..20, 1..60), most in 20_u64..60) {
            let windows = windows(&tokens, most);
            prop_assert_eq!(windows[0].start, 0);
            prop_assert_eq!(windows.last().unwrap().end, tokens.len());
            for window in &windows {
                prop_assert!(tokens[window.clone()].iter().sum::<u64>() <= most && !window.is_empty());
            }
            for pair in windows.windows(2) {
                prop_assert!(pair[1].start <= pair[0].end && pair[1].end > pair[0].end && pair[1].start > pair[0].start);
            }
            let spans: Vec<_> = tokens.iter().scan(0, |at, t| { let start = *at; *at += *t as usize; Some((start, *at)) }).collect();
            let chosen = best(&windows, &spans);
            for (i, w) in chosen.iter().enumerate() {
                let margin = |r: &Range<usize>| (spans[i].0 - spans[r.start].0).min(spans[r.end - 1].1 - spans[i].1);
                let naive = windows.iter().enumerate().filter(|(_, r)| r.contains(&i)).max_by_key(|(n, r)| (margin(r), std::cmp::Reverse(*n)));
                prop_assert_eq!(naive.map(|(n, _)| n), Some(*w));
            }
        }
    }
}
