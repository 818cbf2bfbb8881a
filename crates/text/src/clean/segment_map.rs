//! From positions in cleaned text back to positions in its source.

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

/// Segments in output order. They cover the output without gap or overlap, and sources never go backwards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SegmentMap {
    segments: Vec<Segment>,
}

impl SegmentMap {
    /// The segments in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The source range that the output range was made of. Empty for an empty or unknown range.
    pub fn source_of(&self, out: Span) -> Span {
        let first = self.segments.partition_point(|s| s.out + s.out_len <= out.start);
        let last = self.segments.partition_point(|s| s.out < out.end);
        let (Some(a), Some(b)) = (self.segments.get(first), last.checked_sub(1).and_then(|i| self.segments.get(i)))
        else {
            return Span::default();
        };
        let inside = |s: &Segment, at: usize| if s.out_len == s.source_len { at - s.out } else { 0 };
        let start = a.source + inside(a, out.start.max(a.out));
        let end = if b.out_len == b.source_len {
            b.source + (out.end.min(b.out + b.out_len) - b.out)
        } else {
            b.source + b.source_len
        };
        Span::new(start, end.max(start))
    }
}
