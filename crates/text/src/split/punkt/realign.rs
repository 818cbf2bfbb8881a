//! Closing punctuation goes to the sentence it closes.

use eightk_core::Span;

use super::Version;
use super::classes::{closer, space};

/// Moves closing quotes and brackets from the beginning of a slice to the end of the one before. Slices that are left empty are
/// dropped where NLTK drops them.
pub(super) fn realign(text: &str, slices: &[Span], version: Version) -> Vec<Span> {
    let mut out = Vec::with_capacity(slices.len());
    let mut moved = 0;
    for (i, slice) in slices.iter().enumerate() {
        let slice = Span::new(slice.start + moved, slice.end);
        let next = slices.get(i + 1);
        if let Some((closed, through)) = next.and_then(|n| closers(n.of(text), version).map(|c| (n.start + c.0, c.1))) {
            out.push(Span::new(slice.start, closed));
            moved = through;
        } else {
            moved = 0;
            if !slice.is_empty() {
                out.push(slice);
            }
        }
    }
    out
}

/// Closers at the beginning of a slice that white space, a dash or the end follows: their length, and the length with the white space.
fn closers(slice: &str, version: Version) -> Option<(usize, usize)> {
    let rest = slice.trim_start_matches(|c| closer(c, version));
    let tail = rest.trim_start_matches(|c| space(c, version));
    let stops = rest.is_empty() || tail.len() < rest.len() || rest.starts_with("--");
    let len = slice.len() - rest.len();
    (len > 0 && stops).then_some((len, slice.len() - tail.len()))
}
