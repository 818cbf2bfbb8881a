//! What a file is, told from its first bytes: things that are no filing are refused before any decoding.

use memchr::memmem;

use crate::TextError;

/// How far into the file markup and EDGAR's pages are looked for.
const HEAD: usize = 16 * 1024;

/// First bytes of formats that turn up under the names of filings.
const MAGIC: &[(&[u8], &str)] = &[
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"\x89PNG\r\n", "PNG image"),
    (b"\xFF\xD8\xFF", "JPEG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"BM\x00\x00", "bitmap image"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
    (b"\xD0\xCF\x11\xE0", "Office document"),
    (b"\x28\xB5\x2F\xFD", "zstd archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xFD7zXZ", "xz archive"),
    (b"7z\xBC\xAF", "7-Zip archive"),
    (b"PAR1", "Parquet file"),
    (b"\x7FELF", "program"),
    (b"{\\rtf", "RTF document"),
];

/// Refuses what is no text, and the pages that EDGAR serves in place of documents.
///
/// # Errors
///
/// [`TextError::Empty`], [`TextError::Binary`], [`TextError::ErrorPage`], [`TextError::IndexPage`].
pub(crate) fn refuse_strangers(bytes: &[u8]) -> Result<(), TextError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(TextError::Empty);
    }
    let start = bytes.trim_ascii_start();
    for (magic, name) in MAGIC {
        // A text may begin with the letters BZh or PK; a binary goes on with bytes that no text has.
        if start.starts_with(magic)
            && (magic.iter().any(|b| !b.is_ascii_graphic()) || magic.len() > 4 || has_controls(start))
        {
            return Err(TextError::Binary(name));
        }
    }
    let utf16 = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    if !utf16 && has_controls(head) {
        return Err(TextError::Binary("unknown format"));
    }
    edgar_page(head, bytes.len())
}

/// Whether more than one byte in a hundred is a control character that text does not use.
fn has_controls(bytes: &[u8]) -> bool {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let control =
        |b: &u8| u8::from((*b < 0x20) & (*b != b'\t') & (*b != b'\n') & (*b != b'\r') & (*b != 0x0C) & (*b != 0x1A));
    // Counted in bytes, a stretch at a time, and without branches: so the compiler takes many bytes at once.
    let controls: usize = head.chunks(255).map(|c| usize::from(c.iter().map(control).sum::<u8>())).sum();
    controls * 100 > head.len()
}

/// EDGAR's own pages. A filing may quote their words, so short pages and titles alone count.
fn edgar_page(head: &[u8], len: usize) -> Result<(), TextError> {
    let title = title(head);
    let in_title = |words: &str| memmem::find(title, words.as_bytes()).is_some();
    let in_short = |words: &str| len < 20_000 && memmem::find(head, words.as_bytes()).is_some();
    for page in ["Request Rate Threshold Exceeded", "Undeclared Automated Tool"] {
        if in_title(page) || (in_short(page) && in_short("SEC.gov")) {
            return Err(TextError::ErrorPage(page));
        }
    }
    if in_short("NoSuchKey") && in_short("<Error>") {
        return Err(TextError::ErrorPage("NoSuchKey"));
    }
    let index = in_title("EDGAR Filing Documents") || in_title("EDGAR Filing Index");
    if index || (memmem::find(head, b"class=\"tableFile\"").is_some() && memmem::find(head, b"formGrouping").is_some())
    {
        return Err(TextError::IndexPage);
    }
    Ok(())
}

fn title(head: &[u8]) -> &[u8] {
    let starts = |at: usize, tag: &[u8]| head.get(at..at + tag.len()).is_some_and(|t| t.eq_ignore_ascii_case(tag));
    let Some(start) = memchr::memchr_iter(b'<', head).find(|at| starts(*at, b"<title")) else { return &[] };
    // The first `<` behind it ends any title that was meant as one.
    let rest = head.get(start + 1..).unwrap_or_default();
    let end = memchr::memchr(b'<', rest).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// Whether the text is HTML rather than plain text.
pub(crate) fn is_html(text: &str) -> bool {
    let head = text.as_bytes().get(..HEAD).unwrap_or(text.as_bytes());
    let mut tags = 0;
    for at in memchr::memchr_iter(b'<', head) {
        let rest = head.get(at + 1..).unwrap_or_default();
        let len = rest.iter().take(12).take_while(|b| b.is_ascii_alphanumeric() || **b == b'!').count();
        let name = rest.get(..len).unwrap_or_default().to_ascii_lowercase();
        match name.as_slice() {
            b"html" | b"body" | b"!doctype" => return true,
            b"p" | b"div" | b"br" | b"font" | b"td" | b"tr" | b"span" | b"b" | b"center" | b"hr" | b"a" | b"u"
            | b"i" | b"pre" => tags += 1,
            _ => {}
        }
        if tags >= 3 {
            return true;
        }
    }
    false
}

/// Whether an HTML document is XHTML: it has an XML prolog or the XHTML name space.
pub(crate) fn is_xhtml(text: &str) -> bool {
    let mut head = text.len().min(8 * 1024);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    let head = text.get(..head).unwrap_or_default();
    head.trim_start().starts_with("<?xml") || head.contains("http://www.w3.org/1999/xhtml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_named() {
        assert_eq!(refuse_strangers(b""), Err(TextError::Empty));
        assert_eq!(refuse_strangers(b" \n\t "), Err(TextError::Empty));
        assert_eq!(refuse_strangers(b"%PDF-1.7 whatever"), Err(TextError::Binary("PDF")));
        assert_eq!(refuse_strangers(b"PK\x03\x04..."), Err(TextError::Binary("ZIP archive")));
        assert_eq!(refuse_strangers(&[0u8; 99]), Err(TextError::Binary("unknown format")));
        let page =
            b"<html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head><body>Wait.</body></html>";
        assert_eq!(refuse_strangers(page), Err(TextError::ErrorPage("Request Rate Threshold Exceeded")));
        let tool =
            b"<html><title>SEC.gov</title><h1>Your Request Originates from an Undeclared Automated Tool</h1></html>";
        assert_eq!(refuse_strangers(tool), Err(TextError::ErrorPage("Undeclared Automated Tool")));
        let index = b"<html><head><title>EDGAR Filing Documents for 0000000001-26-000001</title></head></html>";
        assert_eq!(refuse_strangers(index), Err(TextError::IndexPage));
        assert_eq!(refuse_strangers(b"BZheng Corp. moved its plant."), Ok(()));
    }

    #[test]
    fn html_or_plain() {
        assert!(is_html("<!DOCTYPE html>"));
        assert!(is_html("<p>a<p>b<br>"));
        assert!(!is_html("<PAGE>\n<TABLE>\n<S> <C>\n a < b"));
        assert!(is_xhtml("<?xml version='1.0'?><html/>"));
        assert!(!is_xhtml("<html>"));
    }
}
