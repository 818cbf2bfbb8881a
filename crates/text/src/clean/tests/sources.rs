//! Submissions, compression, and the way back to the source.

use std::io::Write;

use eightk_core::Span;
use flate2::{Compression, write::GzEncoder};

use super::{check, clean, cleaned};
use crate::Cleaned;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn source_of<'a>(source: &'a str, c: &Cleaned, shown: &str) -> &'a str {
    let at = c.text.find(shown).unwrap();
    c.map.source_of(Span::new(at, at + shown.len())).of(source)
}

const SUBMISSION: &str = "-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001\n\n<SEC-DOCUMENT>1.txt : 20260101\n\
    <SEC-HEADER>1.hdr.sgml : 20260101\nCOMPANY CONFORMED NAME: ACME CORP\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n\
    <DESCRIPTION>ITEM 5.02 AND ITEM 5.03\n<TEXT>\n<html><body><p>We closed a&nbsp;plant.</p></body></html>\n</TEXT>\n</DOCUMENT>\n\
    <DOCUMENT>\n<TYPE>EX-99\n<SEQUENCE>2\n<TEXT>\nAttached words\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n";

#[test]
fn a_submission_shows_its_primary_document_only() {
    let c = cleaned(SUBMISSION);
    assert_eq!(c.text, "We closed a plant.");
    assert_eq!(source_of(SUBMISSION, &c, "closed a plant"), "closed a&nbsp;plant");
    assert!(c.header_text.starts_with("<SEC-HEADER>"));
    assert!(c.header_text.contains("ACME CORP") && c.header_text.contains("<TYPE>8-K"));
    assert!(!c.header_text.contains("Attached"));
    check(SUBMISSION.as_bytes(), &c);
}

#[test]
fn a_bare_document_is_unwrapped() {
    let source = "<DOCUMENT>\n<TYPE>8-K/A\n<TEXT>\nSome words\nhere.\n</TEXT>\n</DOCUMENT>";
    let c = cleaned(source);
    assert_eq!(c.text, "Some words here.");
    assert_eq!(source_of(source, &c, "words here"), "words\nhere");
}

#[test]
fn gzip_is_unpacked_and_positions_are_those_of_the_content() {
    let packed = gzip(SUBMISSION.as_bytes());
    let c = clean(&packed).unwrap();
    assert_eq!(c.text, "We closed a plant.");
    assert_eq!(source_of(SUBMISSION, &c, "plant"), "plant");
}

#[test]
fn positions_in_single_byte_files_are_right() {
    let source = b"<html><body><p>the \x93Company\x94 &#147;x&#148; closed</p></body></html>";
    let c = clean(source).unwrap();
    assert_eq!(c.text, "the “Company” “x” closed");
    let at = c.text.find("“Company”").unwrap();
    let span = c.map.source_of(Span::new(at, at + "“Company”".len()));
    assert_eq!(&source[span.start..span.end], b"\x93Company\x94");
    let at = c.text.find("closed").unwrap();
    let span = c.map.source_of(Span::new(at, at + 6));
    assert_eq!(&source[span.start..span.end], b"closed");
    check(source, &c);
}

#[test]
fn positions_behind_a_byte_order_mark_are_right() {
    let source = "\u{FEFF}<html><body><p>one two</p></body></html>";
    let c = cleaned(source);
    assert_eq!(source_of(source, &c, "two"), "two");
}

#[test]
fn positions_in_preformatted_text_are_right() {
    let source = "<html><body><pre>one &amp;\n   two\t\tthree</pre></body></html>";
    let c = cleaned(source);
    assert_eq!(source_of(source, &c, "& two"), "&amp;\n   two");
}
