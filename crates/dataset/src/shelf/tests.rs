use std::path::Path;

use eightk_core::{CharSpan, DropReason};

use super::*;
use crate::{CardText, Dropped, Manifest, WriteOptions, Writer, testing};

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

/// Every answer of the shelf is what reading the whole set gives.
fn same_as_read(source: &Source) -> Shelf {
    let (set, report) = crate::read(source).unwrap();
    let shelf = Shelf::open(source).unwrap();
    let groups = set.by_filing();
    let with_chunks = shelf.filings().iter().filter(|f| f.chunks > 0).map(|f| f.source_url.as_str());
    assert!(with_chunks.eq(groups.keys().copied()));
    for (source_url, rows) in &groups {
        let chunks: Vec<Chunk> = rows.iter().map(|i| set.chunks[*i].clone()).collect();
        assert_eq!(shelf.filing(source_url).unwrap().chunks, chunks.len());
        assert_eq!(shelf.chunks(source_url).unwrap(), chunks);
        assert_eq!(shelf.chunk(&chunks[0].id).unwrap().as_ref(), Some(&chunks[0]));
    }
    let unfit = shelf.filings().iter().map(|f| shelf.unfit(&f.source_url).unwrap().len()).sum::<usize>();
    assert_eq!(unfit, report.unfit.len());
    assert_eq!(shelf.queries(), set.queries);
    assert_eq!((shelf.has_rows(), shelf.has_rivals()), (set.filings.is_some(), set.rivals.is_some()));
    for filing in shelf.filings() {
        let row = set.filings.iter().flatten().find(|r| r.source_url == filing.source_url);
        assert_eq!(shelf.row(&filing.source_url).unwrap().as_ref(), row);
        assert_eq!(filing.has_row, row.is_some());
    }
    for query in 0..=set.queries.len() {
        let id = eightk_core::query_id(query);
        let sets: Vec<_> = set.rivals.iter().flatten().filter(|s| s.query == id).cloned().collect();
        assert_eq!(shelf.rivals(query).unwrap(), sets);
    }
    shelf
}

#[test]
fn gives_what_reading_gives() {
    for n in [1, 7, 300] {
        let (_dir, source) = written(&testing::dataset(n));
        let shelf = same_as_read(&source);
        for filing in shelf.filings() {
            let dropped = shelf.dropped(&filing.source_url).unwrap();
            let spans: Vec<_> = dropped.iter().map(|d| (d.span.start, d.span.end, d.reason.as_str())).collect();
            assert_eq!(spans, [(0, 9, "heading"), (51, 60, "heading")]);
        }
        assert!(shelf.chunks("elsewhere").unwrap().is_empty() && shelf.row("elsewhere").unwrap().is_none());
    }
}
