//! Any bytes as a data set in JSON lines, plain or gzipped: rows, an error, never a panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| eightk_dataset::fuzz_jsonl(data));
