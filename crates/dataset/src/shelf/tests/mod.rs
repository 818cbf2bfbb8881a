//! The shelf against reading the whole set.

mod changed;
mod foreign;
mod real;

use std::path::Path;

use eightk_core::{CharSpan, DropReason, query_id};

use super::*;
use crate::{CardText, Dropped, Manifest, WriteOptions, Writer, judge, testing};

/// Writes a data set as a build does; of each filing the first characters are dropped.
fn write(set: &DataSet, folder: &Path) {
    let mut writer = Writer::create(folder, WriteOptions { audit: false, ..WriteOptions::default() }).unwrap();
    let groups = set.by_filing();
    for filing in set.filings.iter().flatten() {
        let rows = groups.get(filing.source_url.as_str()).into_iter().flatten();
        let chunks: Vec<Chunk> = rows.map(|i| set.chunks[*i].clone()).collect();
        writer.push_filing(filing, &chunks).unwrap();
        for end in [9, 60] {
            let span = CharSpan::new(end - 9, end);
            let text = &filing.text[span.start..span.end];
            writer.push_dropped(&Dropped::new(&filing.source_url, span, DropReason::Heading, text)).unwrap();
        }
    }
    writer.push_queries(&set.queries).unwrap();
    writer.push_rivals(set.rivals.clone().unwrap_or_default());
    writer.finish(&Manifest::default(), &CardText::default()).unwrap();
}

fn written(set: &DataSet) -> (tempfile::TempDir, Source) {
    let dir = tempfile::tempdir().unwrap();
    write(set, &dir.path().join("set"));
    let source = Source::Folder(dir.path().join("set"));
    (dir, source)
}

/// Every answer of the shelf is what reading the whole set gives, with and without repair.
fn same_as_read(source: &Source) -> Shelf {
    let (mut set, report) = crate::read(source).unwrap();
    let shelf = Shelf::open(source).unwrap();
    same(&shelf, &set);
    let unfit: Vec<UnfitSpan> = shelf.filings().iter().flat_map(|f| shelf.unfit(&f.source_url).unwrap()).collect();
    let sorted = |mut unfit: Vec<UnfitSpan>| {
        unfit.sort_by(|a, b| a.chunk_id.cmp(&b.chunk_id));
        unfit
    };
    assert_eq!(sorted(unfit), sorted(report.unfit.clone()));
    // What needs the texts, or the ends, is not known at opening.
    let mut wanted = ReadReport { unfit: Vec::new(), ..report };
    wanted.missing.retain(|m| m.column != "chunk_end_char");
    assert_eq!(shelf.report(), &wanted);
    repair_spans(&mut set);
    same(&Shelf::open_with(source, ShelfOptions { repair: true }).unwrap(), &set);
    shelf
}

fn same(shelf: &Shelf, set: &DataSet) {
    let groups = set.by_filing();
    let with_chunks = shelf.filings().iter().filter(|f| f.chunks > 0).map(|f| f.source_url.as_str());
    assert!(with_chunks.eq(groups.keys().copied()));
    assert_eq!(shelf.queries(), set.queries);
    assert_eq!((shelf.has_rows(), shelf.has_rivals()), (set.filings.is_some(), set.rivals.is_some()));
    let judged = judge(set);
    for filing in shelf.filings() {
        let url = filing.source_url.as_str();
        let rows = groups.get(url).into_iter().flatten();
        let chunks: Vec<Chunk> = rows.map(|i| set.chunks[*i].clone()).collect();
        assert_eq!(filing.chunks, chunks.len());
        assert_eq!(shelf.chunks(url).unwrap(), chunks);
        let row = set.filings.iter().flatten().find(|r| r.source_url == url);
        assert_eq!(shelf.row(url).unwrap().as_ref(), row);
        assert_eq!(filing.has_row, row.is_some());
        let marks = shelf.facts_of(url).unwrap();
        assert_eq!(marks.len(), chunks.len());
        for (i, (chunk, marks)) in chunks.iter().zip(marks).enumerate() {
            if i == 0 || set.chunks.len() < 1_000 {
                assert_eq!(shelf.chunk(&chunk.id).unwrap().as_ref(), Some(chunk));
            }
            assert_eq!(marks.chunk_id, chunk.id);
            for query in 0..set.queries.len() {
                let (id, gold) = (query_id(query), marks.golds.iter().find(|g| g.query == query));
                assert_eq!(gold.map(|g| &g.score), judged.qrels.queries[&id].get(&chunk.id));
                assert!(gold.is_none_or(|g| set.queries[query].golds[g.gold].role == g.role));
                let others = judged.alternatives.get(&id);
                assert_eq!(marks.alternative_of.contains(&query), others.is_some_and(|o| o.contains(&chunk.id)));
                let mut sets = set.rivals.iter().flatten().filter(|s| s.query == id);
                assert_eq!(marks.rival_of.contains(&query), sets.any(|s| s.rivals.contains(&chunk.id)));
            }
        }
    }
    for query in 0..=set.queries.len() {
        let id = query_id(query);
        let sets: Vec<_> = set.rivals.iter().flatten().filter(|s| s.query == id).cloned().collect();
        assert_eq!(shelf.rivals(query).unwrap(), sets);
    }
    assert_eq!(shelf.chunk("elsewhere#s0").unwrap(), None);
    assert!(shelf.chunks("elsewhere").unwrap().is_empty() && shelf.row("elsewhere").unwrap().is_none());
    assert!(shelf.chunks("elsewhere").unwrap().is_empty() && shelf.row("elsewhere").unwrap().is_none());
}

#[test]
fn gives_what_reading_gives() {
    for n in [1, 7, 60] {
        let (_dir, source) = written(&testing::dataset(n));
        let shelf = same_as_read(&source);
        for filing in shelf.filings() {
            let dropped = shelf.dropped(&filing.source_url).unwrap();
            let spans: Vec<_> = dropped.iter().map(|d| (d.span.start, d.span.end, d.reason.as_str())).collect();
            assert_eq!(spans, [(0, 9, "heading"), (51, 60, "heading")]);
        }
    }
}

#[test]
fn filings_are_found_by_what_their_titles_hold() {
    let (_dir, source) = written(&testing::dataset(30));
    let shelf = Shelf::open(&source).unwrap();
    for text in
        ["OSTRAVA", "böhm & o", "-24-0000", "8-k 2024-03-1", "001", "", "nothing of the kind", "1 8-K 2024-03-02\u{0}"]
    {
        let holds =
            |f: &ShelfFiling| [&f.title, &f.source_url].iter().any(|s| s.to_lowercase().contains(&text.to_lowercase()));
        let wanted: Vec<usize> = (0..30).filter(|i| holds(&shelf.filings()[*i])).collect();
        for (from, limit) in [(0, 100), (0, 3), (2, 4), (50, 5), (0, 0), (usize::MAX, usize::MAX)] {
            let found = shelf.find_filings(text, from, limit);
            let page: Vec<usize> = wanted.iter().copied().skip(from).take(limit).collect();
            assert_eq!(found, FoundFilings { total: wanted.len(), page }, "{text} {from} {limit}");
        }
    }
}

#[test]
fn nothing_is_found_across_two_filings() {
    let mut set = testing::dataset(2);
    let title = |set: &mut DataSet, i: usize, title: &str| {
        set.filings.as_mut().unwrap()[i].title = title.to_owned();
        set.chunks[4 * i..4 * i + 4].iter_mut().for_each(|c| c.title = title.to_owned());
    };
    title(&mut set, 0, "aab");
    title(&mut set, 1, "");
    let (_dir, source) = written(&set);
    let shelf = Shelf::open(&source).unwrap();
    assert_eq!(shelf.find_filings("b0", 0, 9).total, 0, "a title and the name after it");
    assert_eq!(shelf.find_filings("AB", 0, 9).page, [0]);
    assert_eq!(shelf.find_filings(&shelf.filings()[1].source_url, 0, 9).page, [1]);
}

#[test]
fn what_the_set_says_of_itself() {
    let (dir, source) = written(&testing::dataset(3));
    let about = Shelf::open(&source).unwrap().about().clone();
    assert_eq!(about.fingerprint, Some(crate::fingerprint(&crate::read(&source).unwrap().0)));
    assert_eq!((about.tool.as_deref(), about.version.as_deref()), (Some("eightk"), Some(env!("CARGO_PKG_VERSION"))));
    assert_eq!((about.statistics["chunks"].as_u64(), about.audit), (Some(12), None));

    let root = dir.path().join("set");
    let audit = r#"{"passed": false, "checks": [{"name": "a", "outcome": "passed"}, {"name": "b", "outcome": "failed"}],
        "sections": [{"name": "s", "checks": [{"name": "c", "outcome": "failed", "value": 1.5}, {"name": "d", "outcome": "skipped"}]}]}"#;
    std::fs::write(root.join("audit/result.json"), audit).unwrap();
    let manifest = r#"{"fingerprint": 7, "recipe": {"name": "r"}, "counts": [], "dropped": {"short": 2, "table": "x"}, "inputs": 3}"#;
    std::fs::write(root.join("manifest.json"), manifest).unwrap();
    let shelf = same_as_read(&source);
    let about = shelf.about();
    assert_eq!(
        (about.fingerprint.as_ref(), about.recipe.as_deref(), about.recipe_sha256.as_ref()),
        (None, Some("r"), None)
    );
    assert!(about.counts.is_empty() && about.dropped == [("short".to_owned(), 2)].into());
    let audit = about.audit.as_ref().unwrap();
    assert!(!audit.passed);
    assert_eq!(
        [&audit.passed_checks, &audit.failed_checks, &audit.skipped_checks],
        [&vec!["a"], &vec!["b", "c"], &vec!["d"]]
    );
    for damaged in ["", "[]", "{", "\u{0}"] {
        std::fs::write(root.join("audit/result.json"), damaged).unwrap();
        std::fs::write(root.join("manifest.json"), damaged).unwrap();
        assert_eq!(Shelf::open(&source).unwrap().about(), &ShelfFacts::default());
    }
}

#[test]
fn threads_get_the_same() {
    let (_dir, source) = written(&testing::dataset(40));
    let shelf = Shelf::open(&source).unwrap();
    let all = || -> Vec<_> {
        let one = |f: &ShelfFiling| {
            let url = &f.source_url;
            (
                shelf.chunks(url).unwrap(),
                shelf.row(url).unwrap(),
                shelf.dropped(url).unwrap(),
                shelf.facts_of(url).unwrap(),
            )
        };
        shelf.filings().iter().map(one).collect()
    };
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(all)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(found[0], all());
}
