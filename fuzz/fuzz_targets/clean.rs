//! Any bytes as a primary document.

#![no_main]

mod invariants;

libfuzzer_sys::fuzz_target!(|data: &[u8]| invariants::hold(data));
