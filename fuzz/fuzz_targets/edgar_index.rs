//! Any bytes as a list of filings: every row is counted once.
#![no_main]

use eightk_core::Form;
use eightk_edgar::event::Unwatched;
use eightk_edgar::find::{Query, index};
use libfuzzer_sys::fuzz_target;

mod answering;

fuzz_target!(|body: &[u8]| {
    let day = |s: &str| s.parse().ok();
    let (from, to) = (day("2024-01-01"), day("2024-03-31"));
    let query = Query { phrase: String::new(), forms: vec![Form::EightK], items: vec![], from, to, exhibits: false };
    let Some(today) = to else { return };
    if let Ok(out) = index::list(&answering::Bodies::new(&[body]), &query, today, &Unwatched) {
        assert_eq!(out.rows, out.other_forms + out.other_days + out.repeated + out.filings.len());
        assert!(out.filings.iter().all(|f| f.path.starts_with("edgar/data/") && !f.path.contains("..")));
    }
});
