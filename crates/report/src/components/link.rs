//! Links that leave the page.
//!
//! Only to `https://www.sec.gov/`: an address in a data set is a stranger's word, and `javascript:` or somebody's counting pixel are
//! addresses too. Any other is shown as text, and so is that of a filing which nobody filed.

use eightk_core::{Accession, INVENTED_CIKS, is_invented};
use maud::{Markup, html};

use super::safe_text::title as titled;

/// The only place that pages link to.
const SEC: &str = "https://www.sec.gov/";

/// Under it every company has a folder, named by its CIK.
const FOLDERS: &str = "Archives/edgar/data/";

/// What a link may hold beside letters and digits.
fn is_safe(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '/' | '-' | '_' | '.' | '~' | '?' | '=' | '&' | '%' | '+' | ',' | ':' | '#')
}

/// The address, where it is one of sec.gov, holds nothing but what an address needs, and is not of an invented company's folder.
pub fn sec_address(address: &str) -> Option<&str> {
    let path = address.strip_prefix(SEC)?;
    let company = path.strip_prefix(FOLDERS).and_then(|rest| rest.split('/').next());
    (!is_invented(company, None) && path.chars().all(is_safe)).then_some(address)
}

/// The index page of a filing on sec.gov, from its accession number and its company's CIK. The number alone is not enough: its first part
/// is whoever sent the filing in, often an agent, and the folder is the company's. None for an invented company.
pub fn filing_address(accession: &str, cik: u64) -> Option<String> {
    let accession: Accession = accession.parse().ok().filter(|_| !INVENTED_CIKS.contains(&cik))?;
    Some(format!("{SEC}{FOLDERS}{cik}/{}/{accession}-index.htm", accession.undashed()))
}

/// A filing's title, linked to the address that its data set gives where that is one of sec.gov; the filing's name where it has no title.
pub fn filing(title: &str, name: &str, published: Option<&str>) -> Markup {
    let shown = titled(if title.trim().is_empty() { name } else { title });
    published.map_or_else(|| shown.clone(), |address| external(address, &shown))
}

/// A link out; text alone where the address is not of sec.gov. It tells the other side nothing of this page.
pub fn external(address: &str, text: &Markup) -> Markup {
    match sec_address(address) {
        Some(address) => html! { a href=(address) rel="noopener noreferrer external" { (text) } },
        None => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_to_sec_gov() {
        let good = "https://www.sec.gov/Archives/edgar/data/12/000000001225000001/a-8k.htm";
        assert_eq!(sec_address(good), Some(good));
        for bad in [
            "javascript:alert(1)",
            "http://www.sec.gov/x",
            "https://www.sec.gov.example/x",
            "https://www.sec.gov@example/x",
            "https://www.sec.gov/\" onclick=\"x",
            "//www.sec.gov/x",
            "",
        ] {
            assert_eq!(sec_address(bad), None, "{bad}");
            assert_eq!(external(bad, &html! { "t" }).into_string(), "t");
        }
    }

    #[test]
    fn a_number_and_a_company_are_enough() {
        let made = filing_address("0000950170-25-000060", 51434).unwrap();
        assert_eq!(
            made,
            "https://www.sec.gov/Archives/edgar/data/51434/000095017025000060/0000950170-25-000060-index.htm"
        );
        assert!(sec_address(&made).is_some());
        assert_eq!(filing_address("some-file_2008", 1), None);
        assert_eq!(filing_address("0000950170-25-000060", 9_000_000_012), None);
        assert_eq!(sec_address("https://www.sec.gov/Archives/edgar/data/9000000012/900000001225000001/a-8k.htm"), None);
        assert_eq!(filing("<b>", "x", Some("javascript:1")).into_string(), "<bdi>&lt;b&gt;</bdi>");
        assert!(filing("", "x", Some(&made)).into_string().contains("<bdi>x</bdi></a>"));
    }
}
