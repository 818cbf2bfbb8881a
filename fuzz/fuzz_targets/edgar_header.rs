//! Any bytes as the beginning of a submission, bare or behind the lines that make it one.
#![no_main]

use eightk_edgar::find::header;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let _ = header::read(body);
    let wrapped = [b"<SEC-HEADER>\n", body, b"\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n", body, b"<TEXT>"].concat();
    if let Ok(header) = header::read(&wrapped) {
        assert!(header.document.is_none_or(|name| !name.contains(['/', '\\', '\0']) && !name.starts_with('.')));
    }
});
