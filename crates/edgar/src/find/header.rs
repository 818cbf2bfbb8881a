//! The header of a filing that was only listed: its items, its filers in order, its primary document.

use eightk_core::{Accession, FilingDate, Form};
use eightk_text::metadata::submission_head;
use serde::{Deserialize, Serialize};

use super::index::Listed;
use super::{Filer, Found, file_name};

/// What the beginning of a full submission says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Header {
    /// The filing's number.
    pub accession: Option<Accession>,
    /// Its form; `None` where it is no 8-K.
    pub form: Option<Form>,
    /// Day of filing.
    pub filed: Option<FilingDate>,
    /// Day of the event reported.
    pub report_date: Option<FilingDate>,
    /// Item numbers in order. Headers before 1997 or so name none.
    pub items: Vec<String>,
    /// All filers in order: the first is the issuer.
    pub filers: Vec<Filer>,
    /// Names the issuer had before.
    pub former_names: Vec<String>,
    /// File name of the primary document. `None` where it has none (in old submissions), or none that is safe to use: then the
    /// submission itself is the document.
    pub document: Option<String>,
}

/// Reads the beginning of a full submission, cut off anywhere behind the header.
///
/// # Errors
///
/// What is wrong with it, in words: it is no submission, is cut inside the header, or the header is empty.
pub fn read(bytes: &[u8]) -> Result<Header, String> {
    let head = submission_head(bytes).map_err(|e| format!("the header cannot be read: {e}"))?;
    let head = head.ok_or("the file is no full submission: it has no SGML header")?;
    if head.accession.is_none() && head.filers.is_empty() {
        return Err("the header names neither the filing nor a filer".to_owned());
    }
    let former_names = head.filers.first().map(|f| f.former_names.clone()).unwrap_or_default();
    let filer = |f: eightk_text::metadata::HeaderFiler| Filer {
        cik: f.cik.unwrap_or_default(),
        name: f.name.unwrap_or_default(),
        tickers: Vec::new(),
    };
    let mut filers: Vec<Filer> = Vec::new();
    for filer in head.filers.into_iter().map(filer) {
        if filer.cik.is_empty() || !filers.iter().any(|f| f.cik == filer.cik) {
            filers.push(filer);
        }
    }
    Ok(Header {
        accession: head.accession,
        form: head.form,
        filed: head.filed,
        report_date: head.reported,
        items: head.items,
        filers,
        former_names,
        document: head.file_name.and_then(|name| file_name::checked(&name).ok()),
    })
}

/// The filing of a list with what its header tells. Form and day are the list's, by which it was chosen; the filers are the
/// header's, in whose order the issuer is first, and then those that only the list has.
///
/// # Errors
///
/// When the header is another filing's.
pub fn found(listed: &Listed, header: &Header) -> Result<Found, String> {
    if let Some(other) = header.accession.as_ref().filter(|a| **a != listed.accession) {
        return Err(format!("the header is that of another filing, {other}"));
    }
    let mut filers = header.filers.clone();
    let unnamed: Vec<&Filer> = listed.filers.iter().filter(|f| !filers.iter().any(|h| h.cik == f.cik)).collect();
    filers.extend(unnamed.into_iter().cloned());
    Ok(Found {
        accession: listed.accession.clone(),
        form: listed.form,
        filed: listed.filed,
        report_date: header.report_date,
        items: header.items.clone(),
        filers,
        document: header.document.clone(),
        amends: None,
    })
}

/// Whether a filing has one of the wanted items; nothing wanted is always met.
pub fn matches_items(items: &[String], wanted: &[String]) -> bool {
    let wanted = wanted.iter().map(|w| super::search::item(w));
    let mut none = true;
    for number in wanted {
        none = false;
        if items.contains(&number) {
            return true;
        }
    }
    none
}

#[cfg(test)]
mod real;
#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "<SEC-DOCUMENT>0001234567-05-000012.txt : 20050302
<SEC-HEADER>0001234567-05-000012.hdr.sgml : 20050302
ACCESSION NUMBER:\t\t0001234567-05-000012
CONFORMED SUBMISSION TYPE:\t8-K
CONFORMED PERIOD OF REPORT:\t20050228
ITEM INFORMATION:\t\tCosts Associated with Exit or Disposal Activities
ITEM INFORMATION:\t\tDeparture of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers
FILED AS OF DATE:\t\t20050302

FILER:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tTARN MILLS INC /DE/
\t\tCENTRAL INDEX KEY:\t\t\t0000012345
\tFORMER COMPANY:\t
\t\tFORMER CONFORMED NAME:\tTARN WEAVING CO
FILER:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tTARN FINANCE CORP
\t\tCENTRAL INDEX KEY:\t\t\t0000099999
</SEC-HEADER>
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>tarn.htm
<TEXT>
";

    fn listed(number: &str) -> Listed {
        let filer = |cik: &str| Filer { cik: cik.to_owned(), name: "ROW".to_owned(), tickers: Vec::new() };
        Listed {
            accession: number.parse().unwrap(),
            form: Form::EightK,
            filed: "2005-03-02".parse().unwrap(),
            filers: vec![filer("99999"), filer("777"), filer("12345")],
            path: String::new(),
        }
    }

    #[test]
    fn the_header_orders_the_filers() {
        let header = read(FILE.as_bytes()).unwrap();
        assert_eq!(header.items, ["2.05", "5.02"]);
        assert_eq!(header.former_names, ["TARN WEAVING CO"]);
        let found = found(&listed("0001234567-05-000012"), &header).unwrap();
        assert_eq!(found.filers.iter().map(|f| f.cik.as_str()).collect::<Vec<_>>(), ["12345", "99999", "777"]);
        assert_eq!(found.issuer().unwrap().name, "TARN MILLS INC /DE/");
        assert_eq!(found.document.as_deref(), Some("tarn.htm"));
        assert_eq!(found.report_date.unwrap().to_string(), "2005-02-28");
        assert!(super::found(&listed("0001234567-05-000099"), &header).unwrap_err().contains("another filing"));
    }

    #[test]
    fn an_unsafe_or_missing_file_name_leaves_the_submission() {
        for name in ["", "<FILENAME>../x.htm\n", "<FILENAME>\n"] {
            let file = FILE.replace("<FILENAME>tarn.htm\n", name);
            assert_eq!(read(file.as_bytes()).unwrap().document, None, "{name}");
        }
    }

    #[test]
    fn what_has_no_header_is_refused() {
        for file in ["", "<html>", "<DOCUMENT><TYPE>8-K\n<TEXT>", "<SEC-HEADER>\n</SEC-HEADER>", &FILE[..300]] {
            assert!(read(file.as_bytes()).is_err(), "{file}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..99), cut in 0..FILE.len()) {
            let _ = read(&bytes);
            let _ = read(&[&FILE.as_bytes()[..cut], &bytes].concat());
        }
    }

    #[test]
    fn any_wanted_item_is_enough() {
        let list = |items: &[&str]| items.iter().map(|i| (*i).to_owned()).collect::<Vec<_>>();
        assert!(matches_items(&list(&["2.05", "9.01"]), &list(&["2.06", "2.05"])));
        assert!(matches_items(&list(&["5"]), &list(&["old:5"])));
        assert!(!matches_items(&list(&["9.01"]), &list(&["2.05"])));
        assert!(!matches_items(&[], &list(&["2.05"])));
        assert!(matches_items(&[], &[]));
    }
}
