//! The vectors of some lines.
//!
//! Texts that stand alone go to the encoder in groups, as chunks of a filing without context: a program that encodes is then asked
//! once for many.

use eightk_core::Span;
use eightk_encode::{ChunkInput, Context, EncodeError, EncodedChunk, Encoder, FilingInput, Role, Vector, check_vector};

use super::lines::Line;
use crate::failure::{Failure, Outcome};

/// So many texts are a group.
const GROUP: usize = 64;

/// The vectors of a line.
pub(super) type Embedded = Vec<Vector>;

/// Encodes, and remembers what all vectors must have in common.
pub(super) struct Embedding<'e> {
    encoder: &'e dyn Encoder,
    role: Role,
    like: Option<Vector>,
    /// How many lines were cut, and which was the first.
    truncated: Option<(usize, usize)>,
}

impl<'e> Embedding<'e> {
    pub(super) fn new(encoder: &'e dyn Encoder, role: Role) -> Self {
        Self { encoder, role, like: None, truncated: None }
    }

    /// Lines of whose text something was cut off: how many, and the number of the first.
    pub(super) const fn truncated(&self) -> Option<(usize, usize)> {
        self.truncated
    }

    /// The vectors of these lines in order, up to the first that has none; and why it has none.
    pub(super) fn of(&mut self, lines: &[Line]) -> (Vec<Embedded>, Outcome) {
        let mut done = Vec::with_capacity(lines.len());
        let ended = match self.role {
            Role::Query => self.queries(lines, &mut done),
            Role::Passage => self.passages(lines, &mut done),
        };
        (done, ended.map_err(Failure::from))
    }

    fn queries(&mut self, lines: &[Line], done: &mut Vec<Embedded>) -> Result<(), EncodeError> {
        let texts: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
        let mut slots = vec![None; lines.len()];
        let mut ended = self.encoder.encode_queries(&texts, &mut |at, encoded| put(&mut slots, at, vec![encoded]));
        for (line, slot) in lines.iter().zip(slots) {
            let encoded = self.whole(slot, 1, &named(line), &mut ended)?;
            self.finish(line, encoded, done)?;
        }
        ended
    }

    fn passages(&mut self, lines: &[Line], done: &mut Vec<Embedded>) -> Result<(), EncodeError> {
        let alone = |line: &Line| line.chunks.is_none();
        let groups = lines.chunk_by(|a, b| alone(a) && alone(b)).flat_map(|group| group.chunks(GROUP));
        let groups: Vec<Group<'_>> = groups.map(Group::new).collect();
        let asked = || groups.iter().filter(|group| !group.ids.is_empty());
        let filings = asked().map(Group::filing).collect::<Result<Vec<_>, _>>()?;
        let mut slots = vec![None; filings.len()];
        let mut ended = self.encoder.encode_filings(&filings, &mut |at, encoded| put(&mut slots, at, encoded));
        let mut slots = slots.into_iter();
        for group in &groups {
            // Where no vector is wanted, nobody was asked.
            let slot = if group.ids.is_empty() { Some(Vec::new()) } else { slots.next().flatten() };
            let mut encoded = self.whole(slot, group.ids.len(), &group.name, &mut ended)?.into_iter();
            for line in group.lines {
                let wanted = line.chunks.as_ref().map_or(1, Vec::len);
                self.finish(line, encoded.by_ref().take(wanted).collect(), done)?;
            }
        }
        ended
    }

    /// What came, if it is as much as was wanted; else why not.
    fn whole(
        &self,
        slot: Option<Vec<EncodedChunk>>,
        expected: usize,
        what: &str,
        ended: &mut Result<(), EncodeError>,
    ) -> Result<Vec<EncodedChunk>, EncodeError> {
        if slot.is_none() {
            std::mem::replace(ended, Ok(()))?;
        }
        let encoded = slot.unwrap_or_default();
        if encoded.len() == expected {
            return Ok(encoded);
        }
        let encoder = self.encoder.identity().model.clone();
        Err(EncodeError::Count { encoder, what: what.to_owned(), expected, given: encoded.len() })
    }

    /// Checks the vectors of a line and adds them to what is done.
    fn finish(&mut self, line: &Line, encoded: Vec<EncodedChunk>, done: &mut Vec<Embedded>) -> Result<(), EncodeError> {
        for (i, one) in encoded.iter().enumerate() {
            let what = || line.chunks.as_ref().map_or_else(|| named(line), |_| chunk_named(line, i));
            let like = self.like.get_or_insert_with(|| one.vector.clone());
            check_vector(self.encoder.identity(), &what(), &one.vector, Some(like))?;
        }
        if encoded.iter().any(|one| one.truncated) {
            let (count, first) = self.truncated.unwrap_or((0, line.number));
            self.truncated = Some((count + 1, first));
        }
        done.push(encoded.into_iter().map(|one| one.vector).collect());
        Ok(())
    }
}

/// Lines that are one filing to an encoder: texts that stand alone, or a single one with its chunks.
struct Group<'l> {
    lines: &'l [Line],
    name: String,
    /// Of the chunks, for messages.
    ids: Vec<String>,
}

impl<'l> Group<'l> {
    fn new(lines: &'l [Line]) -> Self {
        let (name, ids) = match lines {
            [line] => match &line.chunks {
                Some(chunks) => (named(line), (0..chunks.len()).map(|i| chunk_named(line, i)).collect()),
                None => (named(line), vec![named(line)]),
            },
            [first, .., last] => {
                (format!("lines {} to {}", first.number, last.number), lines.iter().map(named).collect())
            }
            [] => (String::new(), Vec::new()),
        };
        Self { lines, name, ids }
    }

    fn filing(&self) -> Result<FilingInput<'_>, EncodeError> {
        let (texts, context): (Vec<&str>, _) = match self.lines {
            [Line { text, chunks: Some(spans), .. }] => {
                let context = Context::of_text(text, spans)
                    .ok_or_else(|| EncodeError::Bug(format!("the spans of {} make no context", self.name)))?;
                (spans.iter().map(|span: &Span| span.of(text)).collect(), Some(context))
            }
            lines => (lines.iter().map(|line| line.text.as_str()).collect(), None),
        };
        let chunks = self.ids.iter().zip(texts).map(|(id, text)| ChunkInput { id, text: text.into() }).collect();
        Ok(FilingInput { source_url: &self.name, title: "", chunks, context })
    }
}

fn named(line: &Line) -> String {
    format!("line {}", line.number)
}

fn chunk_named(line: &Line, i: usize) -> String {
    format!("span {} of line {}", i + 1, line.number)
}

/// An encoder may finish in any order, but only what it was asked for.
fn put<T>(slots: &mut [Option<T>], at: usize, encoded: T) -> Result<(), EncodeError> {
    let slot =
        slots.get_mut(at).ok_or_else(|| EncodeError::Bug(format!("vectors came for text {at}, which is none")))?;
    *slot = Some(encoded);
    Ok(())
}
