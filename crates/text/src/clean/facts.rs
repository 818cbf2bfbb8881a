//! Inline XBRL facts about the filer, hidden ones included.

use eightk_core::Span;

use super::html::inner_text;
use crate::document::InlineFact;

/// An 8-K's cover has some thirty; more than this is no cover.
const MAX_FACTS: usize = 1_000;
/// Names, dates and addresses; a longer one is a passage that was tagged whole.
const MAX_LENGTH: usize = 4_000;

/// Facts on the way from their start tags to their end tags.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    open: Vec<(usize, &'a [u8], usize)>,
    /// With where each begins: inner ones end first.
    done: Vec<(usize, InlineFact)>,
}

impl<'a> Facts<'a> {
    /// A fact named `name` opened as element number `depth`; its content begins at `at`.
    pub(super) fn open(&mut self, depth: usize, name: &'a [u8], at: usize) {
        if let Some(local) = name.strip_prefix(b"dei:")
            && self.done.len() + self.open.len() < MAX_FACTS
        {
            self.open.push((depth, local, at));
        }
    }

    /// The element at `depth` ends at `at`.
    pub(super) fn close(&mut self, depth: usize, source: &str, at: usize) {
        let Some(index) = self.open.iter().rposition(|(d, ..)| *d == depth) else { return };
        let (_, name, start) = self.open.remove(index);
        let span = Span::new(start, at);
        if span.len() > MAX_LENGTH {
            return;
        }
        let text = inner_text(source, span);
        self.done.push((start, InlineFact { name: String::from_utf8_lossy(name).into_owned(), text }));
    }

    /// All facts in document order.
    pub(super) fn finish(mut self) -> Vec<InlineFact> {
        self.done.sort_by_key(|(at, _)| *at);
        self.done.into_iter().map(|(_, fact)| fact).collect()
    }
}
