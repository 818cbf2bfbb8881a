//! The text that chunks stand in.

use eightk_core::Span;

/// A stretch of a [`Context`]'s text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands, in bytes of the text.
    pub span: Span,
    /// Which chunk of the input it is; none for what is only seen (a title, a dropped sentence, a neighbour).
    pub chunk: Option<usize>,
}

/// What is around the chunks of a filing, and where in it they are.
///
/// The text as a whole for models that read it whole; the same cut into passages, in order and without overlap, for services
/// that take a list. Between passages stands nothing but whitespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    text: String,
    passages: Vec<Passage>,
}

impl Context {
    /// Pieces joined by one space; empty ones that are no chunk are left out. `chunk` is the position among the input's chunks.
    pub fn joined<'t>(pieces: impl IntoIterator<Item = (&'t str, Option<usize>)>) -> Self {
        let (mut text, mut passages) = (String::new(), Vec::new());
        for (piece, chunk) in pieces {
            if piece.is_empty() && chunk.is_none() {
                continue;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            let start = text.len();
            text.push_str(piece);
            passages.push(Passage { span: Span::new(start, text.len()), chunk });
        }
        Self { text, passages }
    }

    /// A whole text in which chunks stand at `chunks` (in order, not overlapping); what is between them becomes passages that are only
    /// seen. None where the spans are out of order or do not fit the text.
    pub fn of_text(text: &str, chunks: &[Span]) -> Option<Self> {
        let mut passages = Vec::new();
        let mut gap = |from: usize, to: usize| -> Option<()> {
            let between = text.get(from..to)?;
            let trimmed = between.trim();
            if !trimmed.is_empty() {
                let start = from + (between.len() - between.trim_start().len());
                passages.push((start, Passage { span: Span::new(start, start + trimmed.len()), chunk: None }));
            }
            Some(())
        };
        let mut at = 0;
        for span in chunks {
            gap(at, span.start)?;
            text.get(span.start..span.end)?;
            at = span.end;
        }
        gap(at, text.len())?;
        let own = chunks.iter().enumerate().map(|(i, span)| (span.start, Passage { span: *span, chunk: Some(i) }));
        passages.extend(own);
        passages.sort_by_key(|(start, passage)| (*start, passage.span.end));
        Some(Self { text: text.to_owned(), passages: passages.into_iter().map(|(_, p)| p).collect() })
    }

    /// A text with its passages already known. None where they are out of order, overlap, do not fit the text, or leave out more
    /// than whitespace.
    pub fn of_passages(text: String, passages: Vec<Passage>) -> Option<Self> {
        let blank = |from: usize, to: usize| text.get(from..to).is_some_and(|gap| gap.trim().is_empty());
        let mut at = 0;
        for Passage { span, .. } in &passages {
            text.get(span.start..span.end).filter(|_| blank(at, span.start))?;
            at = span.end;
        }
        blank(at, text.len()).then_some(Self { text, passages })
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its passages in order.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    /// Where chunk `i` of the input stands, if it does.
    pub fn span_of(&self, chunk: usize) -> Option<Span> {
        self.passages.iter().find(|p| p.chunk == Some(chunk)).map(|p| p.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pieces_are_joined_by_one_space() {
        let context = Context::joined([("Title", None), ("", None), ("One.", Some(0)), ("Two.", Some(1))]);
        assert_eq!(context.text(), "Title One. Two.");
        assert_eq!(context.span_of(1), Some(Span::new(11, 15)));
        assert_eq!(context.passages().len(), 3);
    }

    #[test]
    fn what_stands_between_chunks_is_seen() {
        let text = "Head. One.  Note. Two.";
        let context = Context::of_text(text, &[Span::new(6, 10), Span::new(18, 22)]).unwrap();
        let seen: Vec<_> = context.passages().iter().map(|p| (p.span.of(text), p.chunk)).collect();
        assert_eq!(seen, [("Head.", None), ("One.", Some(0)), ("Note.", None), ("Two.", Some(1))]);
        assert_eq!(Context::of_text(text, &[Span::new(18, 22), Span::new(6, 10)]), None);
        assert_eq!(Context::of_text(text, &[Span::new(6, 99)]), None);
    }

    #[test]
    fn passages_that_do_not_fit_are_no_context() {
        let of = |spans: &[(usize, usize)]| {
            let passages = spans.iter().map(|&(a, b)| Passage { span: Span::new(a, b), chunk: None }).collect();
            Context::of_passages("One. Twö.".to_owned(), passages)
        };
        assert_eq!(of(&[(0, 4), (5, 10)]).unwrap().passages().len(), 2);
        for bad in
            [&[(0, 4)][..], &[(5, 10), (0, 4)], &[(0, 5), (4, 10)], &[(0, 4), (5, 99)], &[(0, 8), (8, 10)], &[(4, 0)]]
        {
            assert_eq!(of(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn passages_cover_all_but_whitespace(text in "[ aé.]{0,30}", cuts in prop::collection::vec(0usize..31, 0..6)) {
            let mut cuts: Vec<usize> = cuts.into_iter().filter(|c| text.is_char_boundary(*c)).collect();
            cuts.sort_unstable();
            let spans: Vec<Span> = cuts.chunks_exact(2).map(|c| Span::new(c[0], c[1])).collect();
            let context = Context::of_text(&text, &spans).unwrap();
            let letters = |s: &str| s.chars().filter(|c| !c.is_whitespace()).count();
            let covered: usize = context.passages().iter().map(|p| letters(p.span.of(&text))).sum();
            prop_assert_eq!(covered, letters(&text));
            prop_assert!(context.passages().is_sorted_by(|a, b| a.span.end <= b.span.start));
            for (i, span) in spans.iter().enumerate() {
                prop_assert_eq!(context.span_of(i), Some(*span));
            }
        }
    }
}
