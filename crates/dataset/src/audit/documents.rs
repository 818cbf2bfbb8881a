//! Rules for `documents` and `filings`.

use std::collections::HashSet;

use eightk_core::{CharIndex, Chunk, chunk_id};

use super::Check;
use super::context::{Context, Entry, excerpt};
use crate::spans::fits;
use crate::{fingerprint, short_name};

/// Fewest code points of a chunk.
const SHORTEST: usize = 40;

pub(super) const CHECKS: &[Entry] = &[
    ("chunk-ids-unique", ids_unique),
    ("chunk-ids-well-formed", ids_well_formed),
    ("source-urls-well-formed", source_urls),
    ("documents-ordered", ordered),
    ("chunk-idx-from-zero", numbered),
    ("spans-fit", spans_fit),
    ("spans-equal-text", spans_equal_text),
    ("chunks-do-not-overlap", no_overlap),
    ("chunk-lengths", lengths),
    ("chunks-clean", clean),
    ("titles-well-formed", titles),
    ("one-title-per-filing", one_title),
    ("filings-match-documents", filings_match),
    ("rows-as-manifest-states", as_stated),
];

const NO_FILINGS: &str = "there is no filings config";

fn as_stated(c: &Context<'_>) -> Check {
    let Some(stated) = &c.report.stated_fingerprint else {
        return Check::skipped("there is no manifest.json with a fingerprint");
    };
    let found = fingerprint(c.dataset);
    let differs = (*stated != found).then_some(found);
    Check::of(differs.into_iter(), |found| {
        format!(
            "manifest.json states the fingerprint {stated}, the rows have {found}: the data set was changed or damaged"
        )
    })
}

fn ids_unique(c: &Context<'_>) -> Check {
    // The look-up by id has one entry per id: when it is complete, nothing repeats.
    let repeats = c.by_id.len() < c.dataset.chunks.len();
    let mut seen = HashSet::new();
    let repeated =
        c.dataset.chunks.iter().filter(|_| repeats).filter_map(|c| (!seen.insert(c.id.as_str())).then_some(&c.id));
    Check::of(repeated, |id| format!("{id} stands twice"))
}

fn ids_well_formed(c: &Context<'_>) -> Check {
    if !c.sentence_ids {
        return Check::skipped("ids have a form of their own, not {source_url}#s{start}");
    }
    let odd = c.dataset.chunks.iter().filter(|c| !has_own_id(c));
    Check::of(odd, |c| format!("{} should be {}", c.id, chunk_id(&c.source_url, c.span.start)))
}

/// Whether the id is the one the chunk's filing and start give, without putting that one together.
fn has_own_id(chunk: &Chunk) -> bool {
    let start = chunk.id.strip_prefix(&chunk.source_url).and_then(|rest| rest.strip_prefix("#s"));
    // A number has one spelling: no sign, no leading zero.
    let plain = |s: &&str| s.bytes().all(|b| b.is_ascii_digit()) && (s.len() == 1 || !s.starts_with('0'));
    start.filter(plain).and_then(|s| s.parse().ok()) == Some(chunk.span.start)
}

fn source_urls(c: &Context<'_>) -> Check {
    if c.dataset.filings.is_none() {
        return Check::skipped(NO_FILINGS);
    }
    // An accession number, or the stem of a file: anything else would not survive a path or a URL.
    let sound = |url: &str| {
        url.parse::<eightk_core::Accession>().is_ok_and(|a| a.as_str() == url)
            || (url.chars().any(|c| c.is_ascii_alphabetic())
                && url.chars().all(|c| c.is_alphanumeric() || "_.-".contains(c)))
    };
    Check::of(c.by_filing.keys().filter(|url| !sound(url)), |url| {
        format!("{url} is no accession number and no file's stem")
    })
}

fn ordered(c: &Context<'_>) -> Check {
    if c.dataset.filings.is_none() {
        return Check::skipped(NO_FILINGS);
    }
    let key = |c: &Chunk| (c.source_url.clone(), c.idx);
    let broken = c.dataset.chunks.windows(2).filter_map(|w| match w {
        [a, b] if (&a.source_url, a.idx) > (&b.source_url, b.idx) => Some((key(a), key(b))),
        _ => None,
    });
    Check::of(broken, |((a, i), (b, j))| format!("{a} chunk {i} stands before {b} chunk {j}"))
}

fn numbered(c: &Context<'_>) -> Check {
    let broken = c.by_filing.iter().filter_map(|(url, chunks)| {
        let (at, chunk) = chunks.iter().enumerate().find(|(i, c)| c.idx != *i)?;
        Some((*url, at, chunk.idx))
    });
    Check::of(broken, |(url, at, idx)| format!("{url}: chunk number {at} has chunk_idx {idx}"))
}

fn spans_fit(c: &Context<'_>) -> Check {
    let broken = c.dataset.chunks.iter().filter(|c| !fits(c.span, &c.text));
    Check::of(broken, |c| {
        let (start, end) = (c.span.start, c.span.end);
        format!(
            "{}: {start}..{end} for {} characters; eightk can restore the end from the length",
            c.id,
            c.text.chars().count()
        )
    })
}

fn spans_equal_text(c: &Context<'_>) -> Check {
    if c.dataset.filings.is_none() {
        return Check::skipped(NO_FILINGS);
    }
    let broken = c.by_filing.iter().flat_map(|(url, chunks)| {
        let text = c.filings.get(url).map_or("", |f| f.text.as_str());
        let index = CharIndex::new(text);
        chunks.iter().filter(move |c| index.to_bytes(c.span).of(text) != c.text || c.span.end > index.char_len())
    });
    Check::of(broken, |c| format!("{}: the filing's text at {}..{} is not the chunk", c.id, c.span.start, c.span.end))
}

fn no_overlap(c: &Context<'_>) -> Check {
    if !c.sentence_ids {
        return Check::skipped("chunks are not sentences");
    }
    let pairs = c.by_filing.values().flat_map(|chunks| chunks.windows(2));
    let broken = pairs.filter_map(|w| match w {
        [a, b] if a.span.end > b.span.start => Some((*a, *b)),
        _ => None,
    });
    Check::of(broken, |(a, b)| format!("{} ends at {}, after {} begins", a.id, a.span.end, b.id))
}

fn lengths(c: &Context<'_>) -> Check {
    // Only our own sets promise a shortest length; nobody's chunk may be empty.
    let shortest = if c.dataset.filings.is_some() { SHORTEST } else { 1 };
    let short = c.dataset.chunks.iter().filter(|c| c.text.chars().nth(shortest - 1).is_none());
    Check::of(short, |c| format!("{}: {} characters, fewer than {shortest}", c.id, c.text.chars().count()))
}

fn clean(c: &Context<'_>) -> Check {
    if c.dataset.filings.is_none() {
        return Check::skipped(NO_FILINGS);
    }
    let dirty = c.dataset.chunks.iter().filter(|c| c.text.trim() != c.text || has_debris(&c.text));
    Check::of(dirty, |c| format!("{}: untrimmed, or markup or an odd space is left in it", c.id))
}

/// Whether markup, a character reference, or a space or mark that cleaning removes is left.
fn has_debris(text: &str) -> bool {
    let odd = |c: char| matches!(c, '\u{a0}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{fffd}');
    if !text.is_ascii() && text.contains(odd) {
        return true;
    }
    memchr::memchr2_iter(b'<', b'&', text.as_bytes()).any(|at| {
        let rest = text.as_bytes().get(at + 1..).unwrap_or_default();
        if text.as_bytes().get(at) == Some(&b'<') {
            return rest.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'/');
        }
        let (rest, digits) = rest.strip_prefix(b"#").map_or((rest, false), |r| (r, true));
        // Names of references are short; looking no further keeps a text full of & cheap.
        let end = rest.iter().take(32).position(|b| !if digits { b.is_ascii_digit() } else { b.is_ascii_lowercase() });
        end.is_some_and(|end| end > 0 && rest.get(end) == Some(&b';'))
    })
}

fn titles(c: &Context<'_>) -> Check {
    if !c.titled {
        return Check::skipped("titles are missing or have a form of their own, not {name} 8-K {date}");
    }
    // Neighbours share their title: it is looked at once for all of them.
    let runs = c.dataset.chunks.chunk_by(|a, b| a.title == b.title);
    let broken = runs.filter(|run| run.first().is_some_and(|c| short_name(&c.title).is_none())).flatten();
    Check::of(broken, |c| format!("{}: title {}", c.id, excerpt(&c.title)))
}

fn one_title(c: &Context<'_>) -> Check {
    let broken = c.by_filing.iter().filter_map(|(url, chunks)| {
        let first = &chunks.first()?.title;
        let other = chunks.iter().find(|c| c.title != *first)?;
        Some((*url, first, &other.title))
    });
    Check::of(broken, |(url, a, b)| format!("{url}: {} and {}", excerpt(a), excerpt(b)))
}

fn filings_match(c: &Context<'_>) -> Check {
    let Some(filings) = &c.dataset.filings else { return Check::skipped(NO_FILINGS) };
    let unknown = c
        .by_filing
        .keys()
        .filter(|url| !c.filings.contains_key(*url))
        .map(|url| format!("{url} has chunks but no row in filings"));
    let titles = filings.iter().filter_map(|f| {
        let first = c.by_filing.get(f.source_url.as_str())?.first()?;
        (first.title != f.title).then(|| format!("{}: the title in filings is not that of its chunks", f.source_url))
    });
    let order = filings.windows(2).filter_map(|w| match w {
        [a, b] if a.source_url >= b.source_url => Some(format!("{} stands before {}", a.source_url, b.source_url)),
        _ => None,
    });
    Check::of(unknown.chain(titles).chain(order), |s| s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_compared_as_they_are_spelled() {
        let (_, chunks) = crate::testing::filing(0);
        let mut chunk = chunks[1].clone();
        assert!(has_own_id(&chunk));
        let (url, start) = (chunk.source_url.clone(), chunk.span.start);
        for id in [
            format!("{url}#s0{start}"),
            format!("{url}#s+{start}"),
            format!("{url}#s"),
            format!("{url}{start}"),
            format!("{url}#s{start}0"),
        ] {
            chunk.id = id;
            assert!(!has_own_id(&chunk), "{}", chunk.id);
        }
        chunk.span.start = 0;
        chunk.id = chunk_id(&url, 0);
        assert!(has_own_id(&chunk));
    }

    #[test]
    fn debris_is_told_from_prose() {
        for bad in ["a &amp; b", "a &#160; b", "<b>x", "x</p>", "a\u{a0}b", "soft\u{ad}hyphen", "\u{fffd}"] {
            assert!(has_debris(bad), "{bad}");
        }
        for good in ["R&D; sales", "AT&T", "a < b; c", "5 <6", "“Böhm & Otter”", "&", "<", "a & b; c", "&#;"] {
            assert!(!has_debris(good), "{good}");
        }
    }
}
