//! Any bytes as the answer of any embedding service: read or refused, never a panic, never a vector too many.

#![no_main]

use eightk_remote::{RemoteKind, read_any_answer};
use libfuzzer_sys::fuzz_target;

const DTYPES: [&str; 4] = ["float", "int8", "binary", "ubinary"];

fuzz_target!(|bytes: &[u8]| {
    let [kind, dtype, context, texts, rest @ ..] = bytes else { return };
    let kind = RemoteKind::ALL[usize::from(*kind) % RemoteKind::ALL.len()];
    let dtype = DTYPES[usize::from(*dtype) % DTYPES.len()];
    // Documents of no, one, two and three texts.
    let shape: Vec<usize> = (0..4).map(|i| usize::from(texts >> (2 * i) & 3)).filter(|n| *n > 0).collect();
    let _ = read_any_answer(kind, dtype, context % 2 == 1, &shape, rest);
});
