//! What of its filing a chunk's representation may see.
//!
//! A view names pieces, the filing's title, a context made elsewhere and chunks by position, and rendering is one rule for all of them:
//! in one order, each once, joined by one space. So parts compose without repeating a sentence, and a scorer that counts words
//! can work on the pieces instead of on copies of the text (a window of n would copy every sentence 2n + 1 times). The road not
//! taken, a template string per view, composes badly: in `lead+window:2` the first sentences would stand there twice.

mod name;

use crate::FilingChunks;

/// What a chunk is represented by: itself, with some of its filing.
///
/// Written `bare`, or one or several of these joined by `+`, in any order:
///
/// * `title`: the filing's title first;
/// * `prefix:FILE`: a context for each chunk that was made elsewhere ([`parse_prefixes`](crate::parse_prefixes)), after the title. FILE goes
///   to the next `+`; a name that holds one is put in double quotes, `prefix:"a+b.jsonl"`;
/// * `lead:N` (`lead` is `lead:2`): the filing's first N chunks, as far as they stand before the chunk. The chunk itself is
///   never repeated, and the first chunk is seen bare;
/// * `window:N`: the N chunks before and the N chunks after. In a filing of few chunks several see the same text, and then tie;
/// * `filing`: all chunks of the filing, for encoders that represent a chunk in its context;
/// * `filing:text`: the same with everything that stands between the chunks.
///
/// `filing` does not combine with `lead` and `window`, which it holds already. With it the title is a passage before all others, and a
/// prefix one before its chunk; without it they are part of the text that stands for the chunk.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct View {
    title: bool,
    prefix: Option<String>,
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
    /// The context made elsewhere of the chunk that is represented.
    Prefix,
    /// The chunk at this position in the filing.
    Chunk(usize),
}

impl View {
    /// The chunk alone.
    pub const BARE: Self = Self { title: false, prefix: None, lead: 0, window: 0, filing: None };
    /// Title, then the chunk.
    pub const TITLE: Self = Self { title: true, prefix: None, lead: 0, window: 0, filing: None };

    /// Whether the title is seen.
    pub const fn sees_title(&self) -> bool {
        self.title
    }

    /// The file whose contexts are seen, as it was written.
    pub fn prefix_file(&self) -> Option<&str> {
        self.prefix.as_deref()
    }

    /// Whether other chunks of the filing are part of the text that stands for a chunk.
    pub const fn sees_neighbours(&self) -> bool {
        self.lead > 0 || self.window > 0
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
        let prefix = (self.prefix.is_some() && i < chunks).then_some(Piece::Prefix);
        title.into_iter().chain(prefix).chain((0..lead).chain(begin..end).map(Piece::Chunk))
    }

    /// The text of every chunk of a filing as this view shows it, in order, without a prefix.
    pub fn texts(&self, filing: &FilingChunks<'_, '_>) -> Vec<String> {
        (0..filing.chunks.len()).map(|i| self.text(filing, i)).collect()
    }

    /// The text of chunk `i` as this view shows it: its non-empty pieces joined by one space. Of a prefix, which is known elsewhere,
    /// nothing.
    pub fn text(&self, filing: &FilingChunks<'_, '_>, i: usize) -> String {
        let mut text = String::new();
        for piece in self.pieces(filing.chunks.len(), i) {
            let piece = match piece {
                Piece::Title => filing.title,
                Piece::Prefix => "",
                Piece::Chunk(i) => filing.chunks.get(i).map_or("", |c| c.text.as_str()),
            };
            if !text.is_empty() && !piece.is_empty() {
                text.push(' ');
            }
            text.push_str(piece);
        }
        text
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

    proptest! {
        #[test]
        fn pieces_are_in_order_once_and_hold_the_chunk(lead in 0usize..5, window in 0usize..5, chunks in 0usize..9, i in 0usize..12) {
            let seen: Vec<_> = View { lead, window, ..View::BARE }.pieces(chunks, i).collect();
            let positions: Vec<_> = seen.iter().map(|p| match p { Piece::Chunk(n) => *n, _ => usize::MAX }).collect();
            prop_assert!(positions.is_sorted_by(|a, b| a < b));
            prop_assert_eq!(positions.contains(&i), i < chunks);
            for n in 0..chunks {
                let expected = i < chunks && (n.abs_diff(i) <= window || (n < lead && n < i));
                prop_assert_eq!(positions.contains(&n), expected);
            }
        }
    }
}
