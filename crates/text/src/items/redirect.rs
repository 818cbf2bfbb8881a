//! Items that only point to another Item of the same report.

use std::collections::BTreeSet;

use eightk_core::ItemSection;

use super::number;

/// An Item longer than this tells something itself.
pub(super) const LONGEST: usize = 1_200;

/// A sentence shorter than this tells nothing by itself.
const SHORTEST: usize = 40;

/// Sets [`ItemSection::redirect`] where all that an Item says is that another one holds the news. `bodies` are the texts of
/// the Items without their headings.
pub(super) fn resolve(items: &mut [ItemSection], bodies: &[String]) {
    let known: BTreeSet<String> = items.iter().flat_map(|i| i.numbers.iter().cloned()).collect();
    for (item, body) in items.iter_mut().zip(bodies) {
        item.redirect = target(body).into_iter().find(|n| known.contains(n) && !item.numbers.contains(n));
    }
}

/// The numbers that a body points to; empty where it says more than that.
fn target(body: &str) -> Vec<String> {
    if body.len() > LONGEST {
        return Vec::new();
    }
    let mut targets = Vec::new();
    for sentence in sentences(body) {
        let lower = sentence.to_ascii_lowercase();
        let items = numbers_in(sentence);
        let points = lower.contains("incorporated")
            || lower.starts_with("see ")
            || lower.contains("is set forth in")
            || lower.contains("is included in")
            || lower.contains("is contained in")
            || lower.contains("refer to item");
        if points && !items.is_empty() && !tells_of_papers(&lower) {
            targets.extend(items);
        } else if sentence.len() >= SHORTEST && !says_nothing(&lower) {
            return Vec::new();
        }
    }
    targets
}

/// Whether papers are filed between the Item that is named and the word that incorporates it: then that word is about them.
fn tells_of_papers(lower: &str) -> bool {
    let Some(item) = lower.find("item ").or_else(|| lower.find("items ")) else { return false };
    let Some(after) = lower.get(item..) else { return false };
    let until = after.find("incorporated").unwrap_or(0);
    after.get(..until).is_some_and(|between| {
        ["filed", "attached", "furnished with", "furnished as"].iter().any(|w| between.contains(w))
    })
}

/// "Furnished, not filed".
fn says_nothing(lower: &str) -> bool {
    lower.contains("deemed \u{201c}filed\u{201d}")
        || lower.contains("deemed \"filed\"")
        || lower.contains("deemed to be \u{201c}filed\u{201d}")
        || lower.contains("deemed to be \"filed\"")
        || lower.contains("not deemed filed")
        || lower.contains("incorporated by reference")
}

/// Item numbers in the order of their mention.
fn numbers_in(sentence: &str) -> Vec<String> {
    let bytes = sentence.as_bytes();
    let places = memchr::memchr2_iter(b'i', b'I', bytes);
    let items = places.filter(|at| bytes.get(*at..at + 4).is_some_and(|w| w.eq_ignore_ascii_case(b"item")));
    items.filter_map(|at| number::parse(sentence, at)).filter(|n| !n.irregular).flat_map(|n| n.list).collect()
}

/// Rough sentences: a full stop, a blank, a capital. Good enough to count them.
fn sentences(body: &str) -> impl Iterator<Item = &str> {
    let mut rest = body;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let end = memchr::memchr2_iter(b'.', b'\n', bytes).find(|i| {
            bytes.get(*i) == Some(&b'\n')
                || (bytes.get(i + 1) == Some(&b' ')
                    && bytes.get(i + 2).is_some_and(|b| b.is_ascii_uppercase() || *b == b'(')
                    && !rest.get(..*i).is_some_and(|r| r.ends_with("Item") || r.ends_with("No") || r.ends_with("Inc")))
        });
        let (head, tail) = rest.split_at_checked(end.map_or(rest.len(), |e| e + 1)).unwrap_or((rest, ""));
        rest = tail;
        Some(head.trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(n: &str) -> ItemSection {
        ItemSection {
            numbers: vec![n.to_owned()],
            title: String::new(),
            span: eightk_core::Span::default(),
            redirect: None,
        }
    }

    fn resolved(body: &str) -> Option<String> {
        let mut items = [item("1.01"), item("2.05"), item("8.01")];
        resolve(&mut items, &[String::new(), body.to_owned(), String::new()]);
        items[1].redirect.clone()
    }

    #[test]
    fn a_pointer_names_its_target() {
        let s = "The matters described in Item 1.01 above are incorporated by reference into this Item 2.05.";
        assert_eq!(resolved(s).as_deref(), Some("1.01"));
        assert_eq!(resolved("See Item 8.01 of this report, which speaks of it.").as_deref(), Some("8.01"));
        let furnished =
            "Item 8.01 is incorporated here. Nothing herein shall be deemed \"filed\" for the purposes of that act.";
        assert_eq!(resolved(furnished).as_deref(), Some("8.01"));
    }

    #[test]
    fn news_of_its_own_is_no_redirect() {
        let s = "The plan in Item 1.01 is incorporated by reference. It closes two mills and costs four million dollars in cash.";
        assert_eq!(resolved(s), None);
        assert_eq!(resolved("The release in Exhibit 99.1 is incorporated by reference into this Item 2.05."), None);
        assert_eq!(resolved("Item 4.01 of another report is incorporated by reference."), None);
        let papers = "With the sale that Item 1.01 describes, these exhibits are filed here and incorporated by reference elsewhere.";
        assert_eq!(resolved(papers), None);
        assert_eq!(resolved(""), None);
    }
}
