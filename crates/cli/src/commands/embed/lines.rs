//! What is asked, a bounded amount at a time.

use std::io::{BufRead, BufReader, Read};

use eightk_core::{CharIndex, CharSpan, Span};
use eightk_encode::Role;
use serde::Deserialize;

use crate::failure::{Failure, Outcome};

/// What is read before it is encoded. With more, equal lengths find each other better, and one waits longer for the first answer.
const BUFFER: usize = 1 << 18;
/// A line is held whole; one beyond this is no text but a file that somebody took for lines.
const LONGEST_LINE: u64 = 1 << 26;

/// What the encoder can do with a line.
pub(super) struct Wanted {
    pub(super) role: Role,
    /// Whether it sees contexts.
    pub(super) context: bool,
    pub(super) model: String,
}

/// A text to encode.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: String,
    /// Its chunks, in bytes; none where the text itself is wanted.
    pub(super) chunks: Option<Vec<Span>>,
}

#[derive(Deserialize)]
struct Input {
    text: String,
    spans: Option<Vec<[usize; 2]>>,
}

/// The lines of a file or a pipe.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    name: String,
    wanted: Wanted,
    number: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(input: R, name: String, wanted: Wanted) -> Self {
        Self { reader: BufReader::with_capacity(BUFFER, input), name, wanted, number: 0 }
    }

    /// The lines that can be had without waiting for more than the first of them; and, once there are no more, how it ended.
    pub(super) fn some(&mut self) -> (Vec<Line>, Option<Outcome>) {
        let mut lines = Vec::new();
        loop {
            match self.next() {
                Ok(Some(line)) => lines.extend(line),
                Ok(None) => return (lines, Some(Ok(()))),
                Err(failure) => return (lines, Some(Err(failure))),
            }
            // A whole line lies in the buffer: reading it waits for nobody.
            if !self.reader.buffer().contains(&b'\n') {
                return (lines, None);
            }
        }
    }

    /// None at the end; nothing inside for a blank line.
    fn next(&mut self) -> Outcome<Option<Option<Line>>> {
        let mut bytes = Vec::new();
        let read = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        self.number += 1;
        let read = read.map_err(|e| self.wrong(&e.to_string()))?;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
            return Err(
                self.wrong(&format!("is longer than {} MiB; each text stands on its own line", LONGEST_LINE >> 20))
            );
        }
        if bytes.trim_ascii().is_empty() {
            return Ok(Some(None));
        }
        let input: Input = serde_json::from_slice(&bytes).map_err(|e| self.no_input(&e))?;
        let chunks = input.spans.map(|spans| self.chunks(&input.text, &spans)).transpose()?;
        Ok(Some(Some(Line { number: self.number, text: input.text, chunks })))
    }

    fn wrong(&self, why: &str) -> Failure {
        Failure::wrong(format!("{}, line {}: {why}", self.name, self.number))
    }

    fn no_input(&self, e: &serde_json::Error) -> Failure {
        // It counts lines too, and knows only this one.
        let said = e.to_string();
        let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
        self.wrong(&format!(
            "{said} (column {}); each line is a JSON object {{\"text\": \"…\"}}, with \"spans\": [[start, end], …] for chunks",
            e.column()
        ))
    }

    /// Spans in code points, found to be in order and inside the text, in bytes.
    fn chunks(&self, text: &str, spans: &[[usize; 2]]) -> Outcome<Vec<Span>> {
        if self.wanted.role == Role::Query {
            let why = "has spans, which are chunks of a passage; leave them out, or leave out --query";
            return Err(Failure::usage(format!("{}, line {}: {why}", self.name, self.number)));
        }
        if !self.wanted.context {
            return Err(Failure::usage(format!(
                "{}, line {}: has spans, but {} represents each text for itself; leave them out and give chunks as texts, or take a \
                 model that sees contexts",
                self.name, self.number, self.wanted.model
            )));
        }
        let index = CharIndex::new(text);
        let length = index.char_len();
        let mut before = 0;
        let chunk = |(i, &[start, end]): (usize, &[usize; 2])| {
            let why = if start > end {
                "ends before it starts".to_owned()
            } else if end > length {
                format!("reaches beyond the text, which has {length} code points")
            } else if start < before {
                format!("starts before {before}, where the one before it ends; spans stand in order, without overlap")
            } else {
                before = end;
                return Ok(index.to_bytes(CharSpan::new(start, end)));
            };
            Err(self.wrong(&format!("span {} of {}, [{start}, {end}], {why}", i + 1, spans.len())))
        };
        spans.iter().enumerate().map(chunk).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out what it is given piece by piece, as a pipe does.
    struct Pieces(Vec<&'static [u8]>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let piece = self.0.remove(0);
            into[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    fn lines(pieces: &[&'static [u8]]) -> Lines<Pieces> {
        let wanted = Wanted { role: Role::Passage, context: true, model: "toy".into() };
        Lines::new(Pieces(pieces.to_vec()), "-".into(), wanted)
    }

    fn numbers(lines: &[Line]) -> Vec<usize> {
        lines.iter().map(|l| l.number).collect()
    }

    #[test]
    fn nobody_waits_for_lines_that_are_not_there_yet() {
        let mut all = lines(&[
            b"{\"text\": \"one\"}\n",
            b"{\"text\": \"two\"}\n\n{\"text\": \"three\"}\r\n{\"te",
            b"xt\": \"four\"}",
        ]);
        let (first, end) = all.some();
        assert!(numbers(&first) == [1] && end.is_none());
        let (second, end) = all.some();
        assert!(numbers(&second) == [2, 4] && end.is_none());
        let (third, end) = all.some();
        assert_eq!((numbers(&third), third[0].text.as_str()), (vec![5], "four"));
        assert!(end.is_none_or(|end| end.is_ok()));
        let (none, end) = all.some();
        assert!(none.is_empty() && end.is_some_and(|end| end.is_ok()));
    }

    #[test]
    fn spans_become_bytes() {
        let (read, _) = lines(&["{\"text\": \"Ö1 日本\", \"spans\": [[0, 2], [2, 2], [3, 5]]}\n".as_bytes()]).some();
        assert_eq!(read[0].chunks, Some(vec![Span::new(0, 3), Span::new(3, 3), Span::new(4, 10)]));
        let (read, _) =
            lines(&[b"{\"text\": \"a\", \"spans\": null, \"id\": 7}\n{\"text\": \"\", \"spans\": []}\n"]).some();
        assert_eq!((&read[0].chunks, &read[1].chunks), (&None, &Some(Vec::new())));
    }

    #[test]
    fn a_line_without_end_is_not_swallowed() {
        let wanted = Wanted { role: Role::Passage, context: true, model: "toy".into() };
        let mut endless = Lines::new(std::io::repeat(b'x'), "-".into(), wanted);
        let (read, end) = endless.some();
        assert!(read.is_empty() && end.is_some_and(|end| end.is_err()));
    }
}
