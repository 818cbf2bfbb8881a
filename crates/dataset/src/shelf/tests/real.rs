//! A data set built from real filings, where one is at hand.

use std::path::PathBuf;

use super::*;

#[test]
fn gives_what_reading_gives() {
    #[allow(clippy::disallowed_methods)] // Where the data lie is the environment's to say.
    let Ok(folder) = std::env::var("EIGHTK_REAL_SET") else {
        eprintln!("skipped: EIGHTK_REAL_SET names no data set");
        return;
    };
    let shelf = same_as_read(&Source::Folder(PathBuf::from(folder)));
    let about = shelf.about();
    let dropped: usize = shelf.filings().iter().map(|f| shelf.dropped(&f.source_url).unwrap().len()).sum();
    assert_eq!(dropped as u64, about.dropped.values().sum::<u64>());
}
