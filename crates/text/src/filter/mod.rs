//! Which sentences become chunks, and why the others do not.
//!
//! Nothing is thrown away: every stretch of the narrative ends up as a sentence that is kept or carries one reason. A paragraph is
//! judged first (`paragraph`: heading, table row, page number, label, exhibit row), because headings and rows are no sentences and
//! must not be cut like ones; what is prose is split and each sentence judged by itself. The road not taken is a trained
//! classifier: a reader of the data set could not check its reasons.

mod boilerplate;
mod cues;
mod exhibits;
mod forward_looking;
mod paragraph;
mod shape;

use std::collections::HashSet;

use eightk_core::{DropReason, ItemSection, Sentence, Span};

use crate::split::{Splitter, split};
use crate::{Narrative, Paragraph};
use boilerplate::Formula;
use cues::Cues;
use forward_looking::SafeHarbour;
use paragraph::Role;

/// Sentences of fewer characters than this are no chunks.
pub const SHORTEST: usize = 40;

/// Splits every paragraph of a narrative and decides on every sentence.
///
/// Sentences come in document order, trimmed, without overlap, each inside one paragraph; `item` is the index into
/// [`Narrative::items`] of the Item that the sentence begins in.
pub fn sentences(narrative: &Narrative, splitter: Splitter) -> Vec<Sentence> {
    let mut out = Vec::with_capacity(narrative.text.len() / 128 + narrative.paragraphs.len());
    let mut walk = Walk {
        narrative,
        splitter,
        item: None,
        upcoming: 0,
        harbour: SafeHarbour::default(),
        exhibits: Default::default(),
        not_filed: false,
        broken: false,
    };
    let running = paragraph::running_lines(narrative);
    for (i, paragraph) in narrative.paragraphs.iter().enumerate() {
        walk.paragraph(i, *paragraph, &running, &mut out);
    }
    mark_duplicates(&narrative.text, &mut out);
    out
}

/// What is carried from paragraph to paragraph.
struct Walk<'n> {
    narrative: &'n Narrative,
    splitter: Splitter,
    item: Option<usize>,
    upcoming: usize,
    harbour: SafeHarbour,
    exhibits: exhibits::Exhibits,
    /// "Furnished, not filed" has been said.
    not_filed: bool,
    /// The prose before broke off in mid-sentence.
    broken: bool,
}

impl Walk<'_> {
    fn paragraph(&mut self, index: usize, paragraph: Paragraph, running: &HashSet<&str>, out: &mut Vec<Sentence>) {
        let text = paragraph.span.of(&self.narrative.text);
        self.enter_item(paragraph.span);
        let heading = self.narrative.headings.get(index).copied().unwrap_or(false);
        let role = if running.contains(text) { Role::PageNumber } else { paragraph::role(text, paragraph, heading) };
        let cues = if role == Role::Prose { Cues::of(text) } else { Cues::default() };
        let exhibit = self.exhibits.paragraph(text, role, heading);
        self.harbour.paragraph(text, role, cues);

        if let Some(reason) = exhibit.or_else(|| role.reason()) {
            out.push(Sentence { span: paragraph.span, dropped: Some(reason), item: self.item });
            return;
        }
        // What a page number or a heading cut off cannot stand alone.
        let torn = self.broken && text.starts_with(char::is_lowercase);
        self.broken = !text.ends_with(['.', '?', '!', ':', ';', ',', '”', '"', ')']);
        let spans = split(text, self.splitter);
        let count = spans.len();
        for (i, span) in spans.into_iter().enumerate() {
            let Some(span) = trimmed(text, span) else { continue };
            let sentence = span.of(text);
            let own = if count == 1 || cues.is_empty() { cues } else { Cues::of(sentence) };
            let first = i == 0 && count > 1;
            let fragment = (torn && i == 0).then_some(DropReason::Fragment);
            let dropped = fragment.or(self.harbour.sentence(own)).or_else(|| self.judge(sentence, own, first));
            let span = Span::new(paragraph.span.start + span.start, paragraph.span.start + span.end);
            out.push(Sentence { span, dropped, item: self.item });
        }
    }

    /// Follows the Items. They are in order and do not overlap.
    fn enter_item(&mut self, at: Span) {
        while let Some(next) = self.narrative.items.get(self.upcoming).filter(|n| n.span.start <= at.start) {
            self.item = Some(self.upcoming);
            self.upcoming += 1;
            self.harbour = SafeHarbour::default();
            self.exhibits = exhibits::Exhibits::enter(next);
        }
    }

    fn judge(&mut self, sentence: &str, cues: Cues, runs_in: bool) -> Option<DropReason> {
        if shape::is_label(sentence) {
            return Some(DropReason::Label);
        }
        if self.exhibits.is_footnote(sentence, cues) {
            return Some(DropReason::Exhibit);
        }
        if let Some(reason) = self.exhibits.sentence(sentence) {
            return Some(reason);
        }
        // Where "furnished, not filed" is said first it tells under which rule the Item stands; said again it tells nothing.
        match boilerplate::formula(sentence, cues) {
            Some(Formula::OfTheForm) => return Some(DropReason::Boilerplate),
            Some(Formula::NotFiled) if self.not_filed => return Some(DropReason::Boilerplate),
            Some(Formula::NotFiled) => self.not_filed = true,
            None => {}
        }
        if (runs_in && shape::is_run_in_heading(sentence)) || shape::is_title(sentence) {
            return Some(DropReason::Heading);
        }
        if shape::holds_table(sentence) {
            return Some(DropReason::Table);
        }
        if !shape::is_sentence(sentence) {
            return Some(DropReason::Fragment);
        }
        (sentence.chars().take(SHORTEST).count() < SHORTEST).then_some(DropReason::Short)
    }
}

/// The span without white space around it; `None` when nothing is left.
fn trimmed(text: &str, span: Span) -> Option<Span> {
    let piece = span.of(text);
    let start = span.start + (piece.len() - piece.trim_start().len());
    let inner = piece.trim();
    (!inner.is_empty()).then(|| Span::new(start, start + inner.len()))
}

/// Drops what was already kept word for word in the same filing.
fn mark_duplicates(text: &str, sentences: &mut [Sentence]) {
    let mut seen = HashSet::with_capacity(sentences.len());
    for s in sentences.iter_mut().filter(|s| s.dropped.is_none()) {
        if !seen.insert(s.span.of(text)) {
            s.dropped = Some(DropReason::Duplicate);
        }
    }
}

/// Whether an Item is the one that lists exhibits: 9.01, the old 7, or one that says so.
fn lists_exhibits(item: &ItemSection) -> bool {
    item.numbers.iter().any(|n| n == "9.01")
        || (item.numbers.iter().any(|n| n == "7") && cues::contains_ignore_case(&item.title, "exhibits"))
}

#[cfg(test)]
mod tests;
