//! Damaged files: an error that names the file, or what was stored.

#![allow(clippy::unwrap_used)] // Helpers of tests fail like tests.

mod many;

use std::fs;

use eightk_dataset::{DatasetError, Shelf, Source, read};

/// Opens a set and asks for everything; errors must name the file.
fn ask(source: &Source, file: &str) {
    let named = |error: DatasetError| assert!(error.to_string().contains(file), "{error}");
    // What is damaged without being broken reads the same either way.
    let whole = read(source).ok().map(|(set, _)| set);
    let groups = whole.as_ref().map(|set| set.by_filing());
    let shelf = match Shelf::open(source) {
        Ok(shelf) => shelf,
        Err(error) => return named(error),
    };
    for filing in shelf.filings() {
        let url = &filing.source_url;
        let chunks = shelf.chunks(url);
        if let (Ok(chunks), Some(set), Some(groups)) = (&chunks, &whole, &groups) {
            let rows = groups.get(url.as_str()).into_iter().flatten();
            assert!(rows.map(|i| &set.chunks[*i]).eq(chunks));
        }
        let _ = chunks.map_err(named);
        let row = shelf.row(url).map_err(named).unwrap_or_default();
        assert!(row.is_none_or(|row| row.source_url == *url));
        let _ = shelf.dropped(url).map_err(named);
        let _ = shelf.facts_of(url).map_err(named);
    }
    for query in 0..shelf.queries().len() {
        let _ = shelf.rivals(query).map_err(named);
    }
    let _ = shelf.chunk("unknown").map_err(named);
}

#[test]
fn never_panic() {
    // The decoder's own panics are caught and turned into errors; their messages would drown this test's.
    std::panic::set_hook(Box::new(|_| {}));
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("set");
    many::write(&folder, 2, 2, 1);
    let source = Source::Folder(folder);
    let shard = "test-00000-of-00001.parquet";
    let files = [
        &format!("documents/{shard}"),
        &format!("filings/{shard}"),
        "audit/dropped.jsonl",
        "audit/rivals.jsonl",
        "manifest.json",
    ];
    let result = std::panic::catch_unwind(|| {
        for file in files {
            let path = dir.path().join("set").join(file);
            let sound = fs::read(&path).unwrap();
            let write = |bytes: &[u8]| {
                // A new file each time: some file systems bring a file that is overwritten to the disk at once.
                fs::remove_file(&path).unwrap();
                fs::write(&path, bytes).unwrap();
                ask(&source, file);
            };
            for length in (0..sound.len()).step_by(61) {
                write(&sound[..length]);
            }
            // Lines are much alike; the end of a parquet file is not.
            let step = if file.ends_with(".parquet") { 9 } else { 61 };
            for at in (0..sound.len()).step_by(step) {
                let mut bytes = sound.clone();
                bytes[at] ^= [0x01, 0x80, 0xff][at % 3];
                write(&bytes);
            }
            write(&sound);
        }
    });
    let _ = std::panic::take_hook();
    if let Err(problem) = result {
        std::panic::resume_unwind(problem);
    }
}
