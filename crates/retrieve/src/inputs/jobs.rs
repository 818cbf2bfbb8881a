//! What an encoder is handed, filing by filing.

use std::borrow::Cow;

use eightk_encode::{ChunkInput, Context, FilingInput};

use super::sheet::{Kind, Sheet};
use super::{Control, seeded::Seeded, wrong};
use crate::{Corpus, FilingChunks, Knowledge, RetrieveError, View};

/// One thing to encode: some chunks of a filing, all in one context or each by a text of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job<'j> {
    /// What the encoder gets.
    pub input: FilingInput<'j>,
    /// Position in the corpus of each of its chunks, in their order.
    pub positions: Vec<u32>,
}

/// The jobs of a whole corpus, made when asked for. Every chunk is in exactly one of them.
#[derive(Debug, Clone)]
pub struct FilingInputs<'s, 'a> {
    pub(super) corpus: &'s Corpus<'a>,
    pub(super) view: View,
    control: Option<Control>,
    notes: Vec<String>,
}

/// Prepares what an encoder is handed under a view and a control. With [`Control::Swap`] these are the inputs as they are
/// without; [`swaps`](super::swaps) gives the others.
///
/// # Errors
///
/// [`RetrieveError::Control`] where the control would change nothing, [`RetrieveError::NothingToControl`] where what it needs is not known,
/// [`RetrieveError::NoTitles`] when the view sees titles and no filing has one.
pub fn filing_inputs<'s, 'a>(
    corpus: &'s Corpus<'a>,
    view: &View,
    control: Option<&Control>,
    _knowledge: &'s Knowledge<'_>,
) -> Result<FilingInputs<'s, 'a>, RetrieveError> {
    let control = control.copied();
    if let Some(control) = control {
        control.check(view)?;
        let needs = |what| RetrieveError::NothingToControl { control: control.to_string(), what };
        match control {
            Control::FilingWrong { .. } if corpus.filings().len() < 2 => return Err(needs("a second filing")),
            Control::Masked | Control::MinusBinding => return Err(needs("the names of the filers")),
            _ => {}
        }
    }
    if view.sees_title() && corpus.titled() == 0 && !corpus.is_empty() {
        return Err(RetrieveError::NoTitles(view.to_string()));
    }
    let mut inputs = FilingInputs { corpus, view: view.clone(), control, notes: Vec::new() };
    inputs.note_stand_ins();
    Ok(inputs)
}

impl<'s, 'a: 's> FilingInputs<'s, 'a> {
    /// How many filings.
    pub fn len(&self) -> usize {
        self.corpus.filings().len()
    }

    /// Whether there is nothing to encode.
    pub fn is_empty(&self) -> bool {
        self.corpus.is_empty()
    }

    /// What is to be known of them, one sentence each: where the view shows less than its name says.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// All jobs in the order of the corpus.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'s>> + '_ {
        (0..self.len()).flat_map(|n| self.of_filing(n))
    }

    /// The jobs of filing number `n` of the corpus; none when there is no such filing.
    pub fn of_filing(&self, n: usize) -> Vec<Job<'s>> {
        let Some(filing) = self.corpus.filing(n) else { return Vec::new() };
        match self.control {
            Some(Control::FilingWrong { seed }) => wrong::jobs(self, n, &filing, seed),
            Some(Control::FilingShuffled { seed }) => {
                let mut sheet = self.sheet(&filing);
                sheet.reorder(|parts| Seeded::of(seed, filing.source_url).shuffle(parts));
                self.in_context(&filing, &sheet)
            }
            _ if self.view.sees_filing() => self.in_context(&filing, &self.sheet(&filing)),
            _ => {
                let texts: Vec<&str> = filing.chunks.iter().map(|c| c.text.as_str()).collect();
                let chunks = filing.chunks.iter().enumerate();
                let chunks =
                    chunks.map(|(i, c)| ChunkInput { id: &c.id, text: self.alone(filing.title, &texts, i) }).collect();
                vec![self.job(&filing, chunks, None, 0..filing.chunks.len())]
            }
        }
    }

    /// A filing's parts as the view shows them.
    pub(super) fn sheet(&self, filing: &FilingChunks<'_, 'a>) -> Sheet<'s> {
        let narrative = if self.view.sees_narrative() { Sheet::of_narrative(filing) } else { None };
        let sheet = narrative.unwrap_or_else(|| Sheet::of_chunks(filing.chunks));
        if self.view.sees_title() { sheet.with_title(filing.title) } else { sheet }
    }

    /// The text that stands for the chunk at place `i` of a filing, where the view gives each a text of its own.
    pub(super) fn alone(&self, title: &'s str, texts: &[&'s str], i: usize) -> Cow<'s, str> {
        let mut shown = Cow::Borrowed("");
        for piece in self.view.pieces(texts.len(), i) {
            let text = match piece {
                crate::Piece::Title => title,
                crate::Piece::Chunk(i) => texts.get(i).copied().unwrap_or_default(),
            };
            if shown.is_empty() {
                shown = Cow::Borrowed(text);
            } else if !text.is_empty() {
                let shown = shown.to_mut();
                shown.push(' ');
                shown.push_str(text);
            }
        }
        shown
    }

    /// One job with all chunks in one context.
    fn in_context(&self, filing: &FilingChunks<'_, 'a>, sheet: &Sheet<'_>) -> Vec<Job<'s>> {
        let context = sheet.context(|kind| if let Kind::Chunk(i) = kind { Some(i) } else { None });
        let chunks = filing.chunks.iter().map(|c| ChunkInput { id: &c.id, text: Cow::Borrowed(c.text.as_str()) });
        vec![self.job(filing, chunks.collect(), context, 0..filing.chunks.len())]
    }

    pub(super) fn job(
        &self,
        shown: &FilingChunks<'_, 'a>,
        chunks: Vec<ChunkInput<'s>>,
        context: Option<Context>,
        places: impl IntoIterator<Item = usize>,
    ) -> Job<'s> {
        let title = if context.is_some() && self.view.sees_title() { shown.title } else { "" };
        let position = |i: usize| u32::try_from(shown.first + i).unwrap_or(u32::MAX);
        let positions = places.into_iter().map(position).collect();
        Job { input: FilingInput { source_url: shown.source_url, title, chunks, context }, positions }
    }

    fn note_stand_ins(&mut self) {
        if !self.view.sees_narrative() {
            return;
        }
        let unknown = self.corpus.filings().filter(|f| f.text.is_none()).count();
        let unfit = self.corpus.filings().filter(|f| f.text.is_some() && Sheet::of_narrative(f).is_none()).count();
        let all = self.len();
        if unknown > 0 {
            self.notes.push(format!(
                "the narrative of {unknown} of {all} filings is not known; their kept chunks stand in for it"
            ));
        }
        if unfit > 0 {
            self.notes.push(format!(
                "the narrative of {unfit} of {all} filings does not hold their chunks where they should stand; their kept chunks stand in for it"
            ));
        }
    }
}

#[cfg(test)]
mod tests;
