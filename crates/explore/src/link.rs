//! Addresses: ours, and the one foreign host that is linked to.
//!
//! Pages are addressed by position (`/filings/17`, `/queries/3`), as ids of foreign sets hold anything: slashes, dots, 100 KB of
//! text. An id given as `?id=` leads to the position.

use eightk_report::components::link::{filing_address, sec_address};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What a query string holds unescaped.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `path?name=value&…`, each value escaped; empty values are left out.
pub(crate) fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = path.to_owned();
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        out.push(if out.contains('?') { '&' } else { '?' });
        out.push_str(name);
        out.push('=');
        out.extend(utf8_percent_encode(value, PART));
    }
    out
}

/// A filing's page.
pub(crate) fn filing(index: usize) -> String {
    format!("/filings/{index}")
}

/// Kept sentences on one page of a filing.
pub(crate) const SENTENCES: usize = 500;

/// A sentence on its filing's page.
pub(crate) fn sentence(filing: usize, idx: usize) -> String {
    match idx / SENTENCES {
        0 => format!("/filings/{filing}#s{idx}"),
        page => format!("/filings/{filing}?page={}#s{idx}", page.saturating_add(1)),
    }
}

/// A query's page.
pub(crate) fn query(index: usize) -> String {
    format!("/queries/{index}")
}

/// A query's rivals beside its gold.
pub(crate) fn rivals(index: usize) -> String {
    format!("/queries/{index}/rivals")
}

/// Where a filing's original is: its own address where that is one of sec.gov, else the index page that EDGAR keeps under company and
/// accession number. Whatever is not exactly of that form is not linked.
pub(crate) fn original(url: Option<&str>, cik: Option<&str>, accession: Option<&str>) -> Option<String> {
    if let Some(url) = url.and_then(sec_address) {
        return Some(url.to_owned());
    }
    let cik = cik.filter(|c| c.len() <= 10 && c.bytes().all(|b| b.is_ascii_digit()))?;
    filing_address(accession?, cik.parse().ok().filter(|c| *c > 0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_there_and_back() {
        let odd = "a b&c=d#e/../%2e?ü\u{0}+\"<";
        let path = with_query("/filing", &[("id", odd), ("sort", ""), ("q", "x")]);
        assert_eq!(path.matches(['&', '?', '=']).count(), 4, "{path}");
        let value = path.split_once("id=").unwrap().1.split_once('&').unwrap().0;
        assert_eq!(percent_encoding::percent_decode_str(value).decode_utf8().unwrap(), odd);
    }

    #[test]
    fn only_the_one_host_is_linked() {
        let number = Some("0000051434-25-000060");
        let page = "https://www.sec.gov/Archives/edgar/data/51434/000005143425000060/x8k.htm";
        assert_eq!(original(Some(page), None, None).unwrap(), page);
        let index = "https://www.sec.gov/Archives/edgar/data/51434/000005143425000060/0000051434-25-000060-index.htm";
        for url in [
            None,
            Some("javascript:alert(1)"),
            Some("http://www.sec.gov/x"),
            Some("https://www.sec.gov@evil.example/"),
            Some("https://www.sec.gov.evil.example/"),
            Some("https://www.sec.gov/\" onclick=\"x"),
            Some(" https://www.sec.gov/x"),
            Some("https://www.sec.gov/\u{202e}x"),
            Some("//www.sec.gov/x"),
        ] {
            assert_eq!(original(url, Some("0000051434"), number).as_deref(), Some(index), "{url:?}");
            for cik in [None, Some("51434/../x"), Some("000"), Some("+51434"), Some("")] {
                assert_eq!(original(url, cik, number), None, "{url:?}");
            }
            assert_eq!(original(url, Some("51434"), Some("../../x")), None);
        }
    }
}
