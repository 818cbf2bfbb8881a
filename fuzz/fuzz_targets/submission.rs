//! Any bytes as the header and the documents of a submission.

#![no_main]

mod invariants;

libfuzzer_sys::fuzz_target!(|parts: (&[u8], &[u8], &[u8])| {
    let (header, lines, text) = parts;
    let file = [
        b"<SEC-DOCUMENT>0000000000-26-000001.txt : 20260101\n<SEC-HEADER>\n",
        header,
        b"\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n",
        lines,
        b"\n<TEXT>\n",
        text,
        b"\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n",
    ]
    .concat();
    invariants::hold(&file);
});
