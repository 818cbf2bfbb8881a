//! Qrels and runs from anywhere: read or refused, and what was read is written and read again unchanged.
#![no_main]

use eightk_measure::trec;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(parsed) = trec::parse_qrels(bytes, "fuzz") {
        if let Ok(text) = trec::write_qrels(&parsed.value) {
            let again = trec::parse_qrels(text.as_bytes(), "again").expect("what we write we read");
            assert_eq!(parsed.value, again.value);
        }
    }
    if let Ok(parsed) = trec::parse_run(bytes, "fuzz") {
        if let Ok(text) = trec::write_run(&parsed.value) {
            trec::parse_run(text.as_bytes(), "again").expect("what we write we read");
        }
    }
});
