//! JSON runs and qrels from anywhere, and files of unknown format: read or refused, and what was read is written and read
//! again unchanged.
#![no_main]

use eightk_measure::formats::{self, json};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(parsed) = json::parse_qrels(bytes, "fuzz", None) {
        let text = json::write_qrels(&parsed.value);
        let again = json::parse_qrels(text.as_bytes(), "again", None).expect("what we write we read");
        assert_eq!(parsed.value, again.value);
    }
    if let Ok(parsed) = json::parse_run(bytes, "fuzz", Some("test")) {
        let text = json::write_run(&parsed.value).expect("no score that was read is NaN");
        let again = json::parse_run(text.as_bytes(), "again", None).expect("what we write we read");
        assert!(parsed.value.queries.keys().eq(again.value.queries.keys()));
    }
    let _ = formats::parse_run(bytes, "fuzz", None);
    let _ = formats::parse_qrels(bytes, "fuzz", None);
});
