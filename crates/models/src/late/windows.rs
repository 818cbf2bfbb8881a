//! Which window of a long context a chunk takes its vector from.
//!
//! A window holds `capacity` tokens of content. Windows begin at every multiple of half of that, and the last one ends with the
//! context, so that every token but those at the ends is in two. A chunk takes its vector from the window in which
//! the smaller of its left and right context, in tokens, is the largest; ties go to the earlier window. A chunk of more than half a window may be
//! whole in none: it gets a window of its own, with the chunk in its middle. A chunk of more than a window is cut: its window
//! begins with it and holds as much of it as there is room for.
//!
//! The road not taken, a window around each chunk, gives each a little more context and costs one pass for each chunk in place of
//! one for each half window.

use std::ops::Range;

/// Where a chunk's vector comes from, in tokens of the content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) window: Range<usize>,
    /// The chunk's tokens, as far as they are in the window.
    pub(crate) part: Range<usize>,
    /// Not all of them are.
    pub(crate) truncated: bool,
}

/// The distance from one window's beginning to the next one's, in tokens.
pub(crate) const fn stride(capacity: usize) -> usize {
    if capacity < 2 { 1 } else { capacity / 2 }
}

/// Chooses for the chunk whose tokens are `part` of the content's `count`; none for a chunk without tokens.
pub(crate) fn choose(count: usize, capacity: usize, part: &Range<usize>) -> Option<Choice> {
    if part.is_empty() || part.end > count || capacity == 0 {
        return None;
    }
    let whole = |window: Range<usize>| Choice { window, part: part.clone(), truncated: false };
    if count <= capacity {
        return Some(whole(0..count));
    }
    if part.len() > capacity {
        let end = part.start + capacity;
        return Some(Choice { window: part.start..end, part: part.start..end, truncated: true });
    }
    let (stride, last) = (stride(capacity), count - capacity);
    // The grid's windows that begin at or before the chunk and end at or after it, and the last.
    let first = part.end.saturating_sub(capacity).div_ceil(stride);
    let grid = (first..=part.start / stride).map(|k| k * stride).filter(|start| *start < last);
    let mut best: Option<(usize, usize)> = None;
    for start in grid.chain(std::iter::once(last)).filter(|s| *s <= part.start && s + capacity >= part.end) {
        let context = (part.start - start).min(start + capacity - part.end);
        if best.is_none_or(|(most, _)| context > most) {
            best = Some((context, start));
        }
    }
    let own = || part.start.saturating_sub((capacity - part.len()) / 2).min(last);
    let start = best.map_or_else(own, |(_, start)| start);
    Some(whole(start..start + capacity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every window there is.
    fn all_windows(count: usize, capacity: usize) -> Vec<Range<usize>> {
        let mut windows = Vec::new();
        if count <= capacity {
            windows.push(0..count);
            return windows;
        }
        let mut start = 0;
        while start + capacity < count {
            windows.push(start..start + capacity);
            start += stride(capacity);
        }
        windows.push(count - capacity..count);
        windows
    }

    #[test]
    fn by_hand() {
        let choose = |part| choose(20, 8, &part).unwrap();
        // Windows: 0..8, 4..12, 8..16, 12..20.
        assert_eq!(choose(0..2).window, 0..8);
        assert_eq!(choose(5..7).window, 0..8, "one to the right there, one to the left in the next: the earlier");
        assert_eq!(choose(6..8).window, 4..12);
        assert_eq!(choose(18..20).window, 12..20);
        assert_eq!(choose(3..10).window, 3..11, "in none of them, so one of its own");
        let cut = choose(2..15);
        assert_eq!((cut.window, cut.part, cut.truncated), (2..10, 2..10, true));
        assert_eq!(super::choose(20, 8, &(4..4)), None);
        assert_eq!(super::choose(20, 40, &(4..6)).unwrap().window, 0..20);
    }

    proptest! {
        #[test]
        fn as_looking_at_every_window(count in 1usize..200, capacity in 1usize..60, a in 0usize..200, length in 1usize..80) {
            let part = a % count..(a % count + length).min(count);
            let ours = choose(count, capacity, &part).unwrap();
            prop_assert!(ours.window.end <= count && ours.window.len() <= capacity.min(count));
            prop_assert!(ours.window.start <= ours.part.start && ours.part.end <= ours.window.end);
            prop_assert_eq!(ours.truncated, part.len() > capacity);
            let holding = all_windows(count, capacity).into_iter().filter(|w| w.start <= part.start && part.end <= w.end);
            let context = |w: &Range<usize>| (part.start - w.start).min(w.end - part.end);
            // The first of the best.
            let best = holding.fold(None::<Range<usize>>, |best, w| match best {
                Some(b) if context(&b) >= context(&w) => Some(b),
                _ => Some(w),
            });
            match best {
                Some(best) => prop_assert_eq!(ours.window, best),
                None if !ours.truncated => {
                    prop_assert!(part.len() > capacity.div_ceil(2), "only chunks of more than half a window are in none");
                    let (left, right) = (ours.part.start - ours.window.start, ours.window.end - ours.part.end);
                    let at_an_end = ours.window.start == 0 || ours.window.end == count;
                    prop_assert!(left.abs_diff(right) <= 1 || at_an_end, "in the middle: {left} {right}");
                }
                None => {}
            }
        }
    }
}
