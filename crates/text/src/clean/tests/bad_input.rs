//! Files that are no filing, and files that are made to hurt.

use std::io::Write;
use std::time::{Duration, Instant};

use flate2::{Compression, write::GzEncoder};

use super::clean;
use crate::TextError;

fn refused(bytes: &[u8]) -> TextError {
    clean(bytes).unwrap_err()
}

#[test]
fn what_is_no_filing_is_refused_by_name() {
    assert_eq!(refused(b""), TextError::Empty);
    assert_eq!(refused(b"  \r\n"), TextError::Empty);
    assert_eq!(refused(b"%PDF-1.4\n\xE2\xE3\xCF\xD3"), TextError::Binary("PDF"));
    assert_eq!(refused(b"\x89PNG\r\n\x1A\n"), TextError::Binary("PNG image"));
    assert_eq!(
        refused(b"<html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head><body>x</body></html>"),
        TextError::ErrorPage("Request Rate Threshold Exceeded")
    );
    assert_eq!(refused(b"<html><head><title>EDGAR Filing Documents for 1</title></head><p>x"), TextError::IndexPage);
    assert_eq!(
        refused(b"<SEC-DOCUMENT>1\n<SEC-HEADER>\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>\nThe Comp"),
        TextError::Truncated
    );
    assert_eq!(
        refused(
            b"<SEC-DOCUMENT>1\n<SEC-HEADER>\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>10-K\n<TEXT>\nx</TEXT>\n</DOCUMENT>\n"
        ),
        TextError::NoPrimaryDocument
    );
    assert_eq!(refused(b"<html><body><div style='display:none'>x</div></body></html>"), TextError::NoText);
    assert_eq!(refused("\u{FFFD}a ".repeat(100).as_bytes()), TextError::Undecodable(100));
}

#[test]
fn damaged_gzip_is_refused() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all("Some words of a filing. ".repeat(50).as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    assert!(clean(&packed).is_ok());
    assert_eq!(refused(&packed[..packed.len() / 2]), TextError::Gzip);
    assert_eq!(refused(b"\x1F\x8B"), TextError::Gzip);
}

/// Debug builds on a busy machine are slow; quadratic work on these inputs takes minutes.
const PATIENCE: Duration = Duration::from_secs(20);

fn ends_soon(name: &str, source: &str) {
    let start = Instant::now();
    let result = clean(source.as_bytes());
    assert!(start.elapsed() < PATIENCE, "{name} took {:?}", start.elapsed());
    if let Ok(c) = result {
        super::check(source.as_bytes(), &c);
    }
}

#[test]
fn deep_nesting_is_no_recursion() {
    for tag in ["div", "b", "table", "td", "p", "span", "ul", "foo", "pre", "sup", "ix:header"] {
        let source = format!(
            "<html><body>a{}x{}b</body>",
            format!("<{tag}>").repeat(100_000),
            format!("</{tag}>").repeat(100_000)
        );
        ends_soon(tag, &source);
    }
    let source = format!("<html><body>a{}", "<table><tr><td>x".repeat(50_000));
    ends_soon("tables", &source);
}

#[test]
fn text_shows_however_deep_it_lies() {
    let nested = |inner: &str| {
        let source = format!("<html><body>{}{inner}</body>", "<div>".repeat(100_100));
        clean(source.as_bytes()).unwrap().text
    };
    assert_eq!(nested("one<p>two</p><b>th</b>ree<div>four</div>five"), "one\ntwo\nthree\nfour\nfive");
    assert_eq!(nested("one<div style=\"display:none\">two<b>two</b></div><div>three</div>"), "one\nthree");
    let closed = format!("<html><body>{}one{}two", "<div>".repeat(100_100), "</div>".repeat(100_100));
    assert_eq!(clean(closed.as_bytes()).unwrap().text, "one\ntwo");
}

#[test]
fn hostile_input_stays_linear() {
    let n = 200_000;
    for piece in [
        "<",
        "<a ",
        "<a b=\"",
        "<a b='x",
        "<!--",
        "<![CDATA[",
        "<?",
        "</",
        "</b>",
        "<b><i></b>",
        "<title>",
        "<script>",
        "&",
        "&#",
        "&a",
        "<br>",
        "<td>",
        "<tr><td>a<td>b<td>c",
        "<sup>1",
        "<p>a<hr>",
        "Item 2.05 ",
        "<br>Item 2.05 Costs ",
        "<pre>a\n",
        "<type>",
        "<ix:nonNumeric name=\"dei:X\">",
        "<center></body>",
        "<div style=\"display:none\">x</div>",
        "<b>A</b>a",
    ] {
        ends_soon(piece, &format!("<html><body>{}", piece.repeat(n)));
    }
    for piece in [
        "<",
        "<a",
        "a\n",
        "Item 5. Other Events ",
        "Item 5.",
        "(",
        ". ",
        "a   b\n",
        "-",
        "|\n",
        "a | b ",
        "|",
        "a\n\nb",
        "SIGNATURES",
        "A\n",
        "ITEM 5\n",
        "\t",
        "a-\n",
    ] {
        ends_soon(piece, &piece.repeat(n));
    }
}
