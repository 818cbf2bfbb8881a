//! Filings found and ordered without reading any.
//!
//! Names and titles of all filings are a few megabytes even for a million chunks, so a search walks them all: a text index would cost more
//! at the start than all searches of a session.

use std::sync::OnceLock;

use eightk_core::short_name;

/// How a list of filings is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Order {
    /// As the data set has them.
    #[default]
    Stored,
    /// By title, then as stored.
    Title,
    /// By day of filing, latest first; filings without one last.
    Latest,
    /// By number of chunks, most first.
    Chunks,
}

impl Order {
    /// All, with the word in addresses and the words on the page.
    pub(crate) const ALL: &[(Self, &str, &str)] = &[
        (Self::Stored, "", "accession number"),
        (Self::Title, "title", "company"),
        (Self::Latest, "latest", "day of filing, latest first"),
        (Self::Chunks, "chunks", "number of chunks, most first"),
    ];

    /// The order an address names; as stored where it names none.
    pub(crate) fn named(word: &str) -> Self {
        Self::ALL.iter().find(|(_, w, _)| *w == word).map_or(Self::Stored, |(order, ..)| *order)
    }

    /// Its word in addresses.
    pub(crate) fn word(self) -> &'static str {
        Self::ALL.iter().find(|(order, ..)| *order == self).map_or("", |(_, word, _)| word)
    }
}

/// One filing as it is looked for.
pub(crate) struct Entry<'a> {
    pub(crate) source_url: &'a str,
    pub(crate) title: &'a str,
    pub(crate) chunks: usize,
}

/// Filings by position.
#[derive(Debug)]
pub(crate) struct Filings {
    /// Name and title of each filing, in lower case.
    keys: Vec<Box<str>>,
    by_title: OnceLock<Vec<u32>>,
    latest: OnceLock<Vec<u32>>,
    by_chunks: OnceLock<Vec<u32>>,
}

/// A filing's position as it is kept; no set has four thousand million filings.
fn small(i: usize) -> u32 {
    u32::try_from(i).unwrap_or(u32::MAX)
}

impl Filings {
    pub(crate) fn new<'a>(entries: impl Fn(usize) -> Option<Entry<'a>>, count: usize) -> Self {
        let key = |e: Entry<'_>| format!("{}\n{}", e.source_url, e.title).to_lowercase().into_boxed_str();
        let keys = (0..count).filter_map(&entries).map(key).collect();
        Self { keys, by_title: OnceLock::new(), latest: OnceLock::new(), by_chunks: OnceLock::new() }
    }

    /// Positions of the filings that hold every word of `wanted`, in that order.
    pub(crate) fn find<'a>(
        &self,
        wanted: &str,
        order: Order,
        entries: impl Fn(usize) -> Option<Entry<'a>>,
    ) -> Vec<usize> {
        let wanted = wanted.to_lowercase();
        let words: Vec<&str> = wanted.split_whitespace().take(16).collect();
        let holds = |i: &usize| self.keys.get(*i).is_some_and(|key| words.iter().all(|w| key.contains(w)));
        let ordered = match order {
            Order::Stored => return (0..self.keys.len()).filter(holds).collect(),
            Order::Title => self.by_title.get_or_init(|| {
                self.sorted(|i| {
                    let title = entries(i).map(|e| e.title).unwrap_or_default();
                    short_name(title).unwrap_or(title).to_lowercase()
                })
            }),
            Order::Latest => self.latest.get_or_init(|| {
                self.sorted(|i| {
                    let title = entries(i).map(|e| e.title).unwrap_or_default();
                    let day = short_name(title).and_then(|_| title.rsplit(' ').next());
                    std::cmp::Reverse(day.map(str::to_owned))
                })
            }),
            Order::Chunks => {
                self.by_chunks.get_or_init(|| self.sorted(|i| std::cmp::Reverse(entries(i).map_or(0, |e| e.chunks))))
            }
        };
        ordered.iter().map(|i| *i as usize).filter(holds).collect()
    }

    fn sorted<K: Ord>(&self, key: impl Fn(usize) -> K) -> Vec<u32> {
        let mut all: Vec<u32> = (0..self.keys.len()).map(small).collect();
        all.sort_by_cached_key(|i| key(*i as usize));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &[(&str, &str, usize)] =
        &[("b-1", "Zimt Mills 8-K 2020-01-01", 3), ("a-2", "alder 8-K 2024-01-01", 9), ("c-3", "", 1)];

    fn entry(i: usize) -> Option<Entry<'static>> {
        ALL.get(i).map(|(source_url, title, chunks)| Entry { source_url, title, chunks: *chunks })
    }

    #[test]
    fn filings_are_found_by_any_of_their_names() {
        let filings = Filings::new(entry, ALL.len());
        let find = |wanted: &str, order| filings.find(wanted, order, entry);
        assert_eq!(find("", Order::Stored), [0, 1, 2]);
        assert_eq!(find("", Order::Title), [2, 1, 0]);
        assert_eq!(find("", Order::Latest), [1, 0, 2]);
        assert_eq!(find("", Order::Chunks), [1, 0, 2]);
        assert_eq!(find("8-k  ZIMT", Order::Title), [0]);
        assert_eq!(find("C-3", Order::Stored), [2]);
        assert!(find("nobody", Order::Stored).is_empty());
    }
}
