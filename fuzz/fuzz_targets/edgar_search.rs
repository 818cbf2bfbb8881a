//! Any bytes as the answers of a search: filings in order with file names that stay in their folder, an error, never a panic.
#![no_main]

use eightk_core::Form;
use eightk_edgar::event::Unwatched;
use eightk_edgar::find::{Query, search};
use libfuzzer_sys::fuzz_target;

mod answering;

fuzz_target!(|answers: (Vec<&[u8]>, &str, bool)| {
    let (bodies, phrase, exhibits) = answers;
    let day = "2024-03-01".parse().ok();
    let query =
        Query { phrase: phrase.to_owned(), forms: vec![Form::EightK], items: vec![], from: day, to: day, exhibits };
    let Some(today) = day else { return };
    if let Ok(found) = search::search(&answering::Bodies::new(&bodies), &query, today, &Unwatched) {
        assert!(found.filings.is_sorted_by(|a, b| a.accession < b.accession));
        for filing in &found.filings {
            assert!(!filing.filers.is_empty() && filing.form == Form::EightK);
            assert!(
                filing.document.as_ref().is_none_or(|name| !name.contains(['/', '\\', '\0']) && !name.starts_with('.'))
            );
        }
    }
});
