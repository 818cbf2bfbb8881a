//! What of its filing a chunk's representation may see.
//!
//! A view names pieces, the filing's title and chunks by position, and rendering is one rule for all of them: in document order,
//! each once, joined by one space. So parts compose without repeating a sentence, and a scorer that counts words
//! can work on the pieces instead of on copies of the text (a window of n would copy every sentence 2n + 1 times). The road not
//! taken, a template string per view, composes badly: in `lead+window:2` the first sentences would stand there twice.

use std::fmt;
use std::str::FromStr;

use crate::{FilingChunks, RetrieveError};

/// How many sentences `lead` is when nothing is said.
const DEFAULT_LEAD: usize = 2;
/// The longest lead and the widest window; what sees more than this is the whole filing, and another kind of system.
const MAX_CHUNKS: usize = 64;

/// What a chunk is represented by: itself, with some of its filing.
///
/// Written `bare`, or one or several of these joined by `+`:
///
/// * `title`: the filing's title first;
/// * `lead:N` (`lead` is `lead:2`): the filing's first N chunks, as far as they stand before the chunk. The chunk itself is
///   never repeated, and the first chunk is seen bare;
/// * `window:N`: the N chunks before and the N chunks after. In a filing of few chunks several see the same text, and then tie;
/// * `filing`: all chunks of the filing, for encoders that represent a chunk in its context;
/// * `filing:text`: the same with everything that stands between the chunks.
///
/// `filing` does not combine with `lead` and `window`, which it holds already.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct View {
    title: bool,
    lead: usize,
    window: usize,
    filing: Option<Filing>,
}

/// What is seen of a filing seen whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Filing {
    Chunks,
    Text,
}

/// A part of what is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// The filing's title.
    Title,
    /// The chunk at this position in the filing.
    Chunk(usize),
}

impl View {
    /// The chunk alone.
    pub const BARE: Self = Self { title: false, lead: 0, window: 0, filing: None };
    /// Title, then the chunk.
    pub const TITLE: Self = Self { title: true, lead: 0, window: 0, filing: None };

    /// Whether the title is seen.
    pub const fn sees_title(&self) -> bool {
        self.title
    }

    /// Whether a chunk is to be represented in its whole filing, and not by a text of its own.
    pub const fn sees_filing(&self) -> bool {
        self.filing.is_some()
    }

    /// Whether that is the full narrative.
    pub const fn sees_narrative(&self) -> bool {
        matches!(self.filing, Some(Filing::Text))
    }

    /// What chunk `i` of a filing of `chunks` chunks is represented by, in order; of a view of the whole filing, what is its own.
    /// Nothing when there is no such chunk.
    pub fn pieces(&self, chunks: usize, i: usize) -> impl Iterator<Item = Piece> + use<> {
        let (begin, end) = (i.saturating_sub(self.window), i.saturating_add(self.window).saturating_add(1).min(chunks));
        let (begin, lead) = if i < chunks { (begin, self.lead.min(begin)) } else { (end, 0) };
        let title = (self.title && i < chunks).then_some(Piece::Title);
        title.into_iter().chain((0..lead).chain(begin..end).map(Piece::Chunk))
    }

    /// The text of every chunk of a filing as this view shows it, in order: what an encoder is given.
    pub fn texts(&self, filing: &FilingChunks<'_, '_>) -> Vec<String> {
        (0..filing.chunks.len()).map(|i| self.text(filing, i)).collect()
    }

    /// The text of chunk `i` as this view shows it: its non-empty pieces joined by one space.
    pub fn text(&self, filing: &FilingChunks<'_, '_>, i: usize) -> String {
        let mut text = String::new();
        for piece in self.pieces(filing.chunks.len(), i) {
            let piece = match piece {
                Piece::Title => filing.title,
                Piece::Chunk(i) => filing.chunks.get(i).map_or("", |c| c.text.as_str()),
            };
            if !text.is_empty() && !piece.is_empty() {
                text.push(' ');
            }
            text.push_str(piece);
        }
        text
    }

    fn add(&mut self, part: &str) -> Result<(), &'static str> {
        let (name, count) = match part.split_once(':') {
            Some((name, count)) => (name, Some(count)),
            None => (part, None),
        };
        let number = |count: &str| match count.parse::<usize>() {
            Ok(n @ 1..=MAX_CHUNKS) => Ok(n),
            _ => Err("the number of chunks must be 1 to 64"),
        };
        match (name, count) {
            ("title", None) if !self.title => self.title = true,
            ("lead", _) if self.lead == 0 => self.lead = count.map_or(Ok(DEFAULT_LEAD), number)?,
            ("window", Some(count)) if self.window == 0 => self.window = number(count)?,
            ("window", None) => return Err("say how many chunks on each side: window:2"),
            ("filing", None) if self.filing.is_none() => self.filing = Some(Filing::Chunks),
            ("filing", Some("text")) if self.filing.is_none() => self.filing = Some(Filing::Text),
            ("filing", Some(what)) if what != "text" => return Err("the filing is seen as `filing` or `filing:text`"),
            ("filing", _) => return Err("given twice"),
            ("title" | "lead" | "window", _) => return Err("given twice, or with a number it does not take"),
            ("bare", None) => return Err("bare stands alone"),
            _ => return Err("unknown"),
        }
        Ok(())
    }
}

impl FromStr for View {
    type Err = RetrieveError;

    /// Reads `bare`, `title`, `title+window:2`, …; parts in any order.
    fn from_str(s: &str) -> Result<Self, RetrieveError> {
        let mut view = Self::BARE;
        if s != "bare" {
            for part in s.split('+') {
                view.add(part).map_err(|why| RetrieveError::UnknownView { part: part.to_owned(), why })?;
            }
            if view.filing.is_some() && (view.lead > 0 || view.window > 0) {
                let why = "the whole filing holds lead and window already; leave them out, or leave out `filing`";
                return Err(RetrieveError::UnknownView { part: s.to_owned(), why });
            }
        }
        Ok(view)
    }
}

impl fmt::Display for View {
    /// The canonical name: parts in the order title, lead, window, filing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = match self.lead {
            0 => None,
            DEFAULT_LEAD => Some("lead".to_owned()),
            n => Some(format!("lead:{n}")),
        };
        let title = self.title.then(|| "title".to_owned());
        let window = (self.window > 0).then(|| format!("window:{}", self.window));
        let filing = self.filing.map(|f| if f == Filing::Text { "filing:text" } else { "filing" }.to_owned());
        let parts: Vec<_> = [title, lead, window, filing].into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "bare" } else { "" })?;
        f.write_str(&parts.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Corpus;
    use crate::testing::filings;
    use proptest::prelude::*;

    fn texts(view: &str) -> Vec<String> {
        let rows = filings(&[("Name", &["a", "b", "c", "d", "e"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let filing = corpus.filings().next().unwrap();
        view.parse::<View>().unwrap().texts(&filing)
    }

    #[test]
    fn each_view_shows_what_it_says() {
        assert_eq!(texts("bare"), ["a", "b", "c", "d", "e"]);
        assert_eq!(texts("title"), ["Name a", "Name b", "Name c", "Name d", "Name e"]);
        assert_eq!(texts("lead"), ["a", "a b", "a b c", "a b d", "a b e"]);
        assert_eq!(texts("lead:1"), ["a", "a b", "a c", "a d", "a e"]);
        assert_eq!(texts("window:1"), ["a b", "a b c", "b c d", "c d e", "d e"]);
        assert_eq!(texts("window:64"), ["a b c d e"; 5]);
        assert_eq!(texts("window:1+lead"), ["a b", "a b c", "a b c d", "a b c d e", "a b d e"]);
        assert_eq!(texts("lead+title")[3], "Name a b d");
    }

    #[test]
    fn an_empty_title_leaves_no_space() {
        let rows = filings(&[("", &["a"])]);
        let corpus = Corpus::new(&rows).unwrap();
        assert_eq!(View::TITLE.texts(&corpus.filings().next().unwrap()), ["a"]);
    }

    #[test]
    fn nonsense_is_refused_with_its_reason() {
        for bad in [
            "",
            "titel",
            "window",
            "window:0",
            "window:65",
            "window:-1",
            "lead:x",
            "title:2",
            "title+title",
            "bare+title",
            "filing:all",
            "filing+filing:text",
            "filing+window:2",
            "lead+filing:text",
            "+",
        ] {
            let error = bad.parse::<View>().unwrap_err().to_string();
            assert!(error.contains("is no view") && error.contains("window:N"), "{bad}: {error}");
        }
    }

    proptest! {
        #[test]
        fn names_go_there_and_back(title: bool, lead in 0..=MAX_CHUNKS, window in 0..=MAX_CHUNKS) {
            let view = View { title, lead, window, filing: None };
            prop_assert_eq!(view.to_string().parse::<View>().unwrap(), view);
        }

        #[test]
        fn pieces_are_in_order_once_and_hold_the_chunk(lead in 0usize..5, window in 0usize..5, chunks in 0usize..9, i in 0usize..12) {
            let seen: Vec<_> = View { title: false, lead, window, filing: None }.pieces(chunks, i).collect();
            let positions: Vec<_> = seen.iter().map(|p| match p { Piece::Chunk(n) => *n, Piece::Title => usize::MAX }).collect();
            prop_assert!(positions.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(positions.contains(&i), i < chunks);
            for n in 0..chunks {
                let expected = i < chunks && (n.abs_diff(i) <= window || (n < lead && n < i));
                prop_assert_eq!(positions.contains(&n), expected);
            }
        }
    }
}
