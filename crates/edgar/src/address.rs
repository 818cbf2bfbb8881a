//! EDGAR's addresses.
//!
//! Three hosts serve what is needed. A single base address can replace them all, paths kept: that is how a mirror or a stand-in
//! takes EDGAR's place. Records always hold the real address, whoever answered: it is where the filing was published.

use eightk_core::Accession;

/// Full-text search.
const SEARCH: &str = "https://efts.sec.gov";
/// Archives.
const ARCHIVES: &str = "https://www.sec.gov";
/// Submissions.
const DATA: &str = "https://data.sec.gov";

/// Who answers for EDGAR.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hosts {
    base: Option<String>,
}

impl Hosts {
    /// One address in place of all three hosts.
    ///
    /// # Errors
    ///
    /// What is wrong with the address, when it is no `http://` or `https://` address of a host without query.
    pub fn at(base: &str) -> Result<Self, String> {
        let base = base.trim().trim_end_matches('/');
        let rest = base.strip_prefix("http://").or_else(|| base.strip_prefix("https://"));
        match rest {
            Some(host) if !host.is_empty() && !host.contains(['?', '#', ' ']) && !host.contains(char::is_control) => {
                Ok(Self { base: Some(base.to_owned()) })
            }
            _ => Err(format!("`{base}` is no address that can stand in for EDGAR; write http://HOST:PORT")),
        }
    }

    /// Whether EDGAR itself answers.
    pub fn is_edgar(&self) -> bool {
        self.base.is_none()
    }

    /// The address to ask for what EDGAR publishes at `url`.
    pub fn resolve(&self, url: &str) -> String {
        let Some(base) = &self.base else { return url.to_owned() };
        let path = [SEARCH, ARCHIVES, DATA].iter().find_map(|host| url.strip_prefix(host));
        path.map_or_else(|| url.to_owned(), |path| format!("{base}{path}"))
    }
}

/// The full-text search with a query string that is already encoded.
pub fn search(query: &str) -> String {
    format!("{SEARCH}/LATEST/search-index?{query}")
}

/// A document of a filing. `cik`: of any of its filers, without leading zeros.
pub fn document(cik: &str, accession: &Accession, file: &str) -> String {
    format!("{ARCHIVES}/Archives/edgar/data/{cik}/{}/{}", accession.undashed(), percent_encoded(file))
}

/// A file named by its path below Archives, as indexes do: `edgar/data/320193/0000320193-94-000002.txt`.
pub fn archived(path: &str) -> String {
    format!("{ARCHIVES}/Archives/{}", path.trim_start_matches('/'))
}

/// The list of all filings of a quarter (1 to 4), one row per filer.
pub fn quarter(year: i16, quarter: u8) -> String {
    format!("{ARCHIVES}/Archives/edgar/full-index/{year}/QTR{quarter}/master.idx")
}

/// The list of all filings of one day; `day` as `YYYYMMDD`.
pub fn day(year: i16, quarter: u8, day: &str) -> String {
    format!("{ARCHIVES}/Archives/edgar/daily-index/{year}/QTR{quarter}/master.{day}.idx")
}

/// Percent-encoding of a query value or a file name: all but letters, digits and `-._~`.
pub fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for b in text.bytes() {
        if b.is_ascii_alphanumeric() || b"-._~".contains(&b) {
            out.push(char::from(b));
        } else {
            out.push_str(&format!("%{b:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_base_replaces_three_hosts() {
        let hosts = Hosts::at("http://127.0.0.1:8080/").unwrap();
        assert_eq!(hosts.resolve(&search("q=")), "http://127.0.0.1:8080/LATEST/search-index?q=");
        let number: Accession = "0001234567-24-000001".parse().unwrap();
        let url = document("77", &number, "a b.htm");
        assert_eq!(url, "https://www.sec.gov/Archives/edgar/data/77/000123456724000001/a%20b.htm");
        assert_eq!(hosts.resolve(&url), "http://127.0.0.1:8080/Archives/edgar/data/77/000123456724000001/a%20b.htm");
        assert_eq!(Hosts::default().resolve(&url), url);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for bad in ["", "127.0.0.1:80", "ftp://x", "http://", "http://a b", "http://h?x=1"] {
            assert!(Hosts::at(bad).is_err(), "{bad}");
        }
    }
}
