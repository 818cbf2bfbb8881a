//! A filing's text cut into what became of it.
//!
//! Text ─▶ passages: kept sentences (with their position), dropped ones (with their reason), and what lies between. Spans come from
//! files that anybody may have written: they may overlap, run backwards or past the end. Whatever order they are in, the passages
//! are the text, each character once.

use eightk_core::{CharIndex, CharSpan};

/// What a passage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The chunk at this place in the list given.
    Kept(usize),
    /// The dropped sentence at this place in the list given.
    Dropped(usize),
    /// Neither.
    Between,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passage<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
}

/// Cuts a text at the spans of its chunks and dropped sentences. Where two overlap, what begins first keeps the text that both claim; what is
/// left without text is left out.
pub(crate) fn passages<'t>(text: &'t str, kept: &[CharSpan], dropped: &[CharSpan]) -> Vec<Passage<'t>> {
    let index = CharIndex::new(text);
    let kept = kept.iter().enumerate().map(|(i, span)| (*span, Kind::Kept(i)));
    let dropped = dropped.iter().enumerate().map(|(i, span)| (*span, Kind::Dropped(i)));
    let mut spans: Vec<(CharSpan, Kind)> = kept.chain(dropped).filter(|(span, _)| !span.is_empty()).collect();
    spans.sort_by_key(|(span, _)| (span.start, span.end));
    let (mut out, mut done) = (Vec::with_capacity(spans.len() * 2 + 1), 0);
    for (span, kind) in spans {
        let (from, to) = (index.to_byte(span.start).max(done), index.to_byte(span.end));
        if to <= from {
            continue;
        }
        push(&mut out, text, Kind::Between, done, from);
        push(&mut out, text, kind, from, to);
        done = to;
    }
    push(&mut out, text, Kind::Between, done, text.len());
    out
}

fn push<'t>(out: &mut Vec<Passage<'t>>, text: &'t str, kind: Kind, from: usize, to: usize) {
    match text.get(from..to) {
        Some(text) if !text.is_empty() => out.push(Passage { kind, text }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::CharSpan as C;

    fn cut(text: &str, kept: &[CharSpan], dropped: &[CharSpan]) -> Vec<(Kind, String)> {
        let found = passages(text, kept, dropped);
        assert_eq!(found.iter().map(|p| p.text).collect::<String>(), text);
        found.into_iter().map(|p| (p.kind, p.text.to_owned())).collect()
    }

    #[test]
    fn offsets_are_code_points() {
        let found = cut("Ü1 é2 ö3", &[C::new(3, 5)], &[C::new(0, 2)]);
        let text = |i: usize| found[i].1.as_str();
        assert_eq!(
            found.iter().map(|f| f.0).collect::<Vec<_>>(),
            [Kind::Dropped(0), Kind::Between, Kind::Kept(0), Kind::Between]
        );
        assert_eq!((text(0), text(1), text(2), text(3)), ("Ü1", " ", "é2", " ö3"));
    }

    #[test]
    fn spans_that_cannot_be_lose_no_text() {
        let odd = [C::new(2, 6), C::new(5, 3), C::new(4, 8), C::new(7, 7), C::new(3, 5), C::new(90, 99)];
        let found = cut("abcdéfghij", &odd, &[C::new(0, usize::MAX), C::new(usize::MAX, usize::MAX)]);
        assert_eq!(found, [(Kind::Dropped(0), "abcdéfghij".to_owned())]);
        assert_eq!(cut("abcdéfghij", &odd, &[]).len(), 4);
        assert_eq!(cut("", &odd, &odd), []);
    }
}
