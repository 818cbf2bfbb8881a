//! Filings that nobody filed.
//!
//! Generated filings travel the same road as real ones — stores, data sets, runs, reports — and must not be taken for them at its end: a
//! link to EDGAR would lead nowhere, and "public records" would be untrue of them. They are told by their numbers, which pass through
//! every file unharmed: EDGAR hands out Central Index Keys in order and has come to seven digits, and generated companies have keys that
//! begin at nine thousand million. The road not taken is a column of its own, which neither a filing's header nor EDGAR's answers carry.

use std::ops::Range;

/// Central Index Keys of invented companies. The numbers of those who file on paper (`9999999997-…`) lie above.
pub const INVENTED_CIKS: Range<u64> = 9_000_000_000..9_100_000_000;

/// Whether this filing was generated: by its company's CIK, or by the first part of its accession number, which is the CIK of whoever sent
/// it in. What is no number says nothing.
pub fn is_invented(cik: Option<&str>, accession: Option<&str>) -> bool {
    let sender = accession.and_then(|a| a.get(..10));
    let numbers = cik.into_iter().chain(sender);
    numbers.filter_map(|n| n.parse().ok()).any(|n: u64| INVENTED_CIKS.contains(&n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_by_either_number() {
        assert!(is_invented(Some("9000000017"), None));
        assert!(is_invented(None, Some("9000000017-25-000001")));
        assert!(is_invented(None, Some("900000001725000001")));
        for (cik, accession) in [
            (None, None),
            (Some("320193"), Some("0000320193-25-000079")),
            // Filed on paper.
            (Some("1018724"), Some("9999999997-25-000001")),
            (Some(""), Some("")),
            (Some("90000000170"), Some("ééééé")),
        ] {
            assert!(!is_invented(cik, accession), "{cik:?} {accession:?}");
        }
    }
}
