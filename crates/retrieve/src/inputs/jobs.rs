//! What an encoder is handed, filing by filing.

use std::borrow::Cow;
use std::collections::BTreeMap;

use eightk_encode::{ChunkInput, Context, FilingInput};
use eightk_text::names::Names;

use super::filter::Filter;
use super::notes::notes;
use super::sheet::Sheet;
use super::{Control, wrong};
use crate::seeded::Seeded;
use crate::{Corpus, FilingChunks, Knowledge, Piece, RetrieveError, View};

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
    pub(super) control: Option<Control>,
    pub(super) names: &'s BTreeMap<String, Names>,
    pub(super) prefixes: Option<&'s BTreeMap<String, String>>,
    notes: Vec<String>,
}

/// Prepares what an encoder is handed under a view and a control. With [`Control::Swap`] these are the inputs as they are
/// without; [`swaps`](super::swaps) gives the others.
///
/// # Errors
///
/// [`RetrieveError::Control`] where the control would change nothing, [`RetrieveError::NothingToControl`] where what it needs is not known,
/// [`RetrieveError::NoTitles`] when the view sees titles and no filing has one, [`RetrieveError::NoPrefixes`] when it sees contexts that
/// were not read or belong to no chunk.
pub fn filing_inputs<'s, 'a>(
    corpus: &'s Corpus<'a>,
    view: &View,
    control: Option<&Control>,
    knowledge: &'s Knowledge<'_>,
) -> Result<FilingInputs<'s, 'a>, RetrieveError> {
    let control = control.copied();
    if let Some(control) = control {
        control.check(view)?;
        let needs = |what| RetrieveError::NothingToControl { control: control.to_string(), what };
        match control {
            Control::FilingWrong { .. } if corpus.filings().len() < 2 => return Err(needs("a second filing")),
            Control::Masked | Control::MinusBinding
                if !corpus.is_empty() && !corpus.filings().any(|f| knowledge.aliases.contains_key(f.source_url)) =>
            {
                return Err(needs(
                    "the names of the filers, and none is known; they come from titles (`Name 8-K 2024-02-01`), from the filings config, \
                     and from what the filings define",
                ));
            }
            _ => {}
        }
    }
    if view.sees_title() && corpus.titled() == 0 && !corpus.is_empty() {
        return Err(RetrieveError::NoTitles(view.to_string()));
    }
    let prefixes = view.prefix_file().map(|file| prefixes(corpus, view, knowledge.prefixes.get(file))).transpose()?;
    let mut inputs =
        FilingInputs { corpus, view: view.clone(), control, names: &knowledge.aliases, prefixes, notes: Vec::new() };
    inputs.notes = notes(&inputs);
    Ok(inputs)
}

fn prefixes<'s>(
    corpus: &Corpus<'_>,
    view: &View,
    read: Option<&'s BTreeMap<String, String>>,
) -> Result<&'s BTreeMap<String, String>, RetrieveError> {
    let missing = |why| RetrieveError::NoPrefixes { view: view.to_string(), why };
    let read = read.ok_or_else(|| missing("the file of its contexts has not been read"))?;
    if corpus.is_empty() || corpus.chunks().iter().any(|c| read.contains_key(&c.id)) {
        Ok(read)
    } else {
        Err(missing("no context belongs to a chunk of this data set; does its `chunk_id` come from another one?"))
    }
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

    /// What is seen.
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// What is to be known of them, one sentence each: where the view shows less than its name says.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// All jobs, filing by filing in the order of the corpus. Of a view without `filing` the chunks come in that order too.
    pub fn jobs(&self) -> impl Iterator<Item = Job<'s>> + '_ {
        (0..self.len()).flat_map(|n| self.of_filing(n))
    }

    /// The jobs of filing number `n` of the corpus; none when there is no such filing.
    pub fn of_filing(&self, n: usize) -> Vec<Job<'s>> {
        let Some(filing) = self.corpus.filing(n) else { return Vec::new() };
        let filter = Filter::of(self.control, self.names.get(filing.source_url));
        let everything: Vec<usize> = (0..filing.chunks.len()).collect();
        match self.control {
            Some(Control::FilingWrong { seed }) => wrong::jobs(self, n, &filing, seed),
            Some(Control::FilingShuffled { seed }) => {
                let mut sheet = self.sheet(&filing);
                sheet.reorder(|order| Seeded::of(seed, filing.source_url).shuffle(order));
                vec![self.in_context(&filing, sheet.context_of(&everything), &everything)]
            }
            Some(Control::Masked | Control::MinusBinding) if self.view.sees_filing() => {
                self.in_filtered_context(&filing, filter)
            }
            _ if self.view.sees_filing() => {
                vec![self.in_context(&filing, self.sheet(&filing).context_of(&everything), &everything)]
            }
            _ => vec![self.each_alone(&filing, filter)],
        }
    }

    /// Every chunk by a text of its own.
    fn each_alone(&self, filing: &FilingChunks<'s, 'a>, filter: Filter<'_>) -> Job<'s> {
        let texts: Vec<&str> = filing.chunks.iter().map(|c| c.text.as_str()).collect();
        let one = |(i, chunk): (usize, &&'a eightk_core::Chunk)| {
            let text = self.alone(filing.title, self.prefix(&chunk.id), &texts, i, filter);
            ChunkInput { id: &chunk.id, text }
        };
        let chunks = filing.chunks.iter().enumerate().map(one).collect();
        self.job(filing, chunks, None, (0..filing.chunks.len()).map(|i| filing.first + i))
    }

    /// The text that stands for the chunk at place `i` of a filing, where the view gives each a text of its own.
    pub(super) fn alone(
        &self,
        title: &'s str,
        prefix: &'s str,
        texts: &[&'s str],
        i: usize,
        filter: Filter<'_>,
    ) -> Cow<'s, str> {
        let mut shown = Cow::Borrowed("");
        for piece in self.view.pieces(texts.len(), i) {
            let text = match piece {
                Piece::Title => filter.title(title),
                Piece::Prefix => filter.sentence(prefix),
                Piece::Chunk(n) => {
                    let text = texts.get(n).copied().unwrap_or_default();
                    if n == i { Cow::Borrowed(text) } else { filter.sentence(text) }
                }
            };
            if shown.is_empty() {
                shown = text;
            } else if !text.is_empty() {
                let shown = shown.to_mut();
                shown.push(' ');
                shown.push_str(&text);
            }
        }
        shown
    }

    /// The context that was made for a chunk elsewhere; empty where there is none.
    pub(super) fn prefix(&self, chunk: &str) -> &'s str {
        self.prefixes.and_then(|all| all.get(chunk)).map_or("", String::as_str)
    }

    /// A filing's parts as the view shows them.
    pub(super) fn sheet(&self, filing: &FilingChunks<'s, 'a>) -> Sheet<'s> {
        let narrative = if self.view.sees_narrative() { Sheet::of_narrative(filing) } else { None };
        let mut sheet = narrative.unwrap_or_else(|| Sheet::of_chunks(filing.chunks));
        if self.prefixes.is_some() {
            sheet = sheet.with_prefixes(|i| filing.chunks.get(i).map_or("", |c| self.prefix(&c.id)));
        }
        if self.view.sees_title() { sheet.with_title(filing.title) } else { sheet }
    }

    /// One job for the chunks that the filter leaves alone; one more for each of the others, in the same context with itself in it.
    fn in_filtered_context(&self, filing: &FilingChunks<'s, 'a>, filter: Filter<'_>) -> Vec<Job<'s>> {
        let whole = self.sheet(filing);
        let seen = whole.filtered(filter);
        let changed = |i: usize| filing.chunks.get(i).is_some_and(|c| filter.changes(&c.text));
        let (named, others): (Vec<usize>, Vec<usize>) = (0..filing.chunks.len()).partition(|i| changed(*i));
        let mut jobs = Vec::with_capacity(named.len() + 1);
        if !others.is_empty() {
            jobs.push(self.in_context(filing, seen.context_of(&others), &others));
        }
        for i in named {
            let context = seen.with_chunk_of(&whole, i).context_of(&[i]);
            jobs.push(self.in_context(filing, context, &[i]));
        }
        jobs
    }

    /// One job of the numbered chunks of a filing in one context.
    fn in_context(&self, filing: &FilingChunks<'s, 'a>, context: Option<Context>, numbers: &[usize]) -> Job<'s> {
        let input = |c: &&'a eightk_core::Chunk| ChunkInput { id: &c.id, text: Cow::Borrowed(c.text.as_str()) };
        let chunks = numbers.iter().filter_map(|i| filing.chunks.get(*i)).map(input).collect();
        self.job(filing, chunks, context, numbers.iter().map(|i| filing.first + i))
    }

    pub(super) fn job(
        &self,
        shown: &FilingChunks<'s, 'a>,
        chunks: Vec<ChunkInput<'s>>,
        context: Option<Context>,
        positions: impl IntoIterator<Item = usize>,
    ) -> Job<'s> {
        // Where each chunk has a text of its own the title is in it already; a title as well would be seen twice.
        let titled = context.is_some() && self.view.sees_title();
        let filter = Filter::of(self.control, self.names.get(shown.source_url));
        let title = if titled { borrowed(shown.title, &filter.title(shown.title)) } else { "" };
        let positions = positions.into_iter().map(|p| u32::try_from(p).unwrap_or(u32::MAX)).collect();
        Job { input: FilingInput { source_url: shown.source_url, title, chunks, context }, positions }
    }
}

/// What is left of a title, as a part of it; nothing where names were cut out of its middle, so that what is left is no part.
fn borrowed<'t>(title: &'t str, left: &str) -> &'t str {
    title.find(left).and_then(|at| title.get(at..at + left.len())).unwrap_or_default()
}

#[cfg(test)]
mod tests;
