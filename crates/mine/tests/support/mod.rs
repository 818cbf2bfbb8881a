//! A filing made of sentences that are already split.

#![allow(unreachable_pub)] // each test binary has a copy of its own

use eightk_core::{Filing, FilingMeta, Sentence, Span};

/// The sentences, all kept, with one space between them.
pub fn filing<'s>(meta: FilingMeta, sentences: impl IntoIterator<Item = &'s str>) -> Filing {
    let (mut text, mut list) = (String::new(), Vec::new());
    for s in sentences {
        let start = text.len();
        text.push_str(s);
        list.push(Sentence { span: Span::new(start, text.len()), dropped: None, item: None });
        text.push(' ');
    }
    Filing { meta, text, items: Vec::new(), sentences: list }
}
