//! From positions in cleaned text back to positions in its source.
//!
//! One entry per *run*, not per character: a run ends only where bytes were not copied one to one. A table of one offset per
//! character would answer faster and take eight times the text's size.

use eightk_core::Span;

/// A run of output bytes and the source bytes they were made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Where the run begins in the output.
    pub out: usize,
    /// How many output bytes.
    pub out_len: usize,
    /// Where its source begins.
    pub source: usize,
    /// How many source bytes: equal to `out_len` where bytes were copied, different for a character reference, a decoded
    /// character, collapsed white space.
    pub source_len: usize,
}

impl Segment {
    /// First output byte after the run.
    const fn out_end(&self) -> usize {
        self.out + self.out_len
    }

    /// First source byte after the run.
    const fn source_end(&self) -> usize {
        self.source + self.source_len
    }

    /// Whether bytes were copied one to one, so that positions inside the run can be told.
    const fn is_copy(&self) -> bool {
        self.out_len == self.source_len
    }
}

/// Segments in output order. They cover the output without gap or overlap, and sources never go backwards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SegmentMap {
    segments: Vec<Segment>,
}

impl SegmentMap {
    /// An empty map with room for so many segments.
    pub(crate) fn with_capacity(segments: usize) -> Self {
        Self { segments: Vec::with_capacity(segments) }
    }

    /// The segments in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// How many output bytes are covered.
    pub fn out_len(&self) -> usize {
        self.segments.last().map_or(0, Segment::out_end)
    }

    /// The source range that the output range was made of. Empty for an empty or unknown range.
    pub fn source_of(&self, out: Span) -> Span {
        let first = self.segments.partition_point(|s| s.out_end() <= out.start);
        let last = self.segments.partition_point(|s| s.out < out.end);
        let (Some(a), Some(b)) = (self.segments.get(first), last.checked_sub(1).and_then(|i| self.segments.get(i)))
        else {
            return Span::default();
        };
        let inside = |s: &Segment, at: usize| if s.is_copy() { at - s.out } else { 0 };
        let start = a.source + inside(a, out.start.max(a.out));
        let end = if b.is_copy() { b.source + (out.end.min(b.out_end()) - b.out) } else { b.source_end() };
        Span::new(start, end.max(start))
    }

    /// The map of a text made of `spans` of this map's text, in the order given, with one `\n` between each two pieces.
    ///
    /// Spans that reach past the covered text are cut to it; empty ones are skipped and leave no `\n`. The `\n` stands for no
    /// source byte: it lies at the end of the piece before it. Spans are expected in ascending order, otherwise the sources
    /// of the result go backwards.
    pub fn select(&self, spans: &[Span]) -> Self {
        let mut map = Self::default();
        for span in spans {
            let first = self.segments.partition_point(|s| s.out_end() <= span.start);
            let before = map.segments.len();
            for s in self.segments.get(first..).unwrap_or_default() {
                let (from, to) = (s.out.max(span.start), s.out_end().min(span.end));
                if from >= to {
                    break;
                }
                if map.segments.len() == before && before > 0 {
                    let end = map.segments.last().map_or(0, Segment::source_end);
                    map.append(1, end, 0);
                }
                if s.is_copy() {
                    map.append(to - from, s.source + (from - s.out), to - from);
                } else {
                    map.append(to - from, s.source, s.source_len);
                }
            }
        }
        map
    }

    /// Adds a run after all others, growing the last one where both are copies of neighbouring bytes.
    pub(crate) fn append(&mut self, out_len: usize, source: usize, source_len: usize) {
        if out_len == 0 {
            return;
        }
        let copy = out_len == source_len;
        if let Some(last) = self.segments.last_mut()
            && copy
            && last.is_copy()
            && last.source_end() == source
        {
            last.out_len += out_len;
            last.source_len += source_len;
            return;
        }
        self.segments.push(Segment { out: self.out_len(), out_len, source, source_len });
    }

    /// Forgets everything from output byte `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        let keep = self.segments.partition_point(|s| s.out < len);
        self.segments.truncate(keep);
        if let Some(last) = self.segments.last_mut()
            && last.out_end() > len
        {
            let cut = last.out_end() - len;
            if last.is_copy() {
                last.source_len -= cut;
            }
            last.out_len -= cut;
        }
    }

    /// The map from this map's output to the source of `inner`, where this map's source is `inner`'s output.
    pub(crate) fn through(&self, inner: &Self) -> Self {
        let mut map = Self::default();
        let mut at = 0;
        for s in &self.segments {
            // Sources never go backwards, so neither does the cursor: the whole walk is linear.
            while inner.segments.get(at).is_some_and(|i| i.out_end() <= s.source) {
                at += 1;
            }
            if !s.is_copy() {
                let span = inner.source_of(Span::new(s.source, s.source_end()));
                let source = if span.is_empty() { inner.source_at(at, s.source) } else { span.start };
                map.append(s.out_len, source, span.len());
                continue;
            }
            let mut k = at;
            while let Some(i) = inner.segments.get(k) {
                let (from, to) = (i.out.max(s.source), i.out_end().min(s.source_end()));
                if from >= to {
                    break;
                }
                if i.is_copy() {
                    map.append(to - from, i.source + (from - i.out), to - from);
                } else {
                    map.append(to - from, i.source, i.source_len);
                }
                k += 1;
            }
        }
        map
    }

    /// Where output byte `out` came from, given the segment it lies in or before.
    fn source_at(&self, segment: usize, out: usize) -> usize {
        match self.segments.get(segment) {
            Some(s) if s.is_copy() => s.source + out.saturating_sub(s.out),
            Some(s) => s.source,
            None => self.segments.last().map_or(0, Segment::source_end),
        }
    }

    /// The same map with every source moved on by `by` bytes.
    pub(crate) fn shifted(mut self, by: usize) -> Self {
        for s in &mut self.segments {
            s.source += by;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `ab` copied from 0, `c` made of the three bytes from 4, `de` copied from 9.
    fn map() -> SegmentMap {
        let mut map = SegmentMap::default();
        map.append(2, 0, 2);
        map.append(1, 4, 3);
        map.append(2, 9, 2);
        map
    }

    #[test]
    fn neighbouring_copies_become_one_run() {
        let mut map = SegmentMap::default();
        map.append(2, 5, 2);
        map.append(3, 7, 3);
        assert_eq!(map.segments(), [Segment { out: 0, out_len: 5, source: 5, source_len: 5 }]);
    }

    #[test]
    fn a_selection_maps_like_its_pieces() {
        let picked = map().select(&[Span::new(1, 3), Span::new(4, 5)]);
        assert_eq!(picked.out_len(), 4);
        assert_eq!(picked.source_of(Span::new(0, 1)), Span::new(1, 2));
        assert_eq!(picked.source_of(Span::new(1, 2)), Span::new(4, 7));
        assert_eq!(picked.source_of(Span::new(2, 3)), Span::new(7, 7));
        assert_eq!(picked.source_of(Span::new(3, 4)), Span::new(10, 11));
    }

    #[test]
    fn a_selection_skips_empty_spans_and_cuts_long_ones() {
        assert_eq!(map().select(&[Span::new(0, 0), Span::new(3, 99), Span::new(5, 9)]).out_len(), 2);
        assert_eq!(map().select(&[]), SegmentMap::default());
    }

    #[test]
    fn truncation_forgets_the_tail() {
        let mut cut = map();
        cut.truncate(4);
        assert_eq!(cut.out_len(), 4);
        assert_eq!(cut.source_of(Span::new(3, 4)), Span::new(9, 10));
        cut.truncate(0);
        assert!(cut.segments().is_empty());
    }

    #[test]
    fn maps_compose() {
        let mut outer = SegmentMap::default();
        outer.append(2, 1, 2);
        outer.append(1, 3, 2);
        let both = outer.through(&map());
        assert_eq!(both.source_of(Span::new(0, 1)), Span::new(1, 2));
        assert_eq!(both.source_of(Span::new(1, 2)), Span::new(4, 7));
        assert_eq!(both.source_of(Span::new(2, 3)), Span::new(9, 11));
    }
}
