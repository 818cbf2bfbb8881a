//! Headers, facts and cover pages of invented companies.

use eightk_core::{Form, Span};

use crate::clean::SegmentMap;
use crate::{Cleaned, Declared, DocumentKind, InlineFact, Paragraph, ParagraphKind};

use super::declared;

fn document(header: &str, facts: &[(&str, &str)], lines: &[&str]) -> Cleaned {
    let mut text = String::new();
    let mut paragraphs = Vec::new();
    for line in lines {
        if !text.is_empty() {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(line);
        let span = Span::new(start, text.len());
        paragraphs.push(Paragraph { span, kind: ParagraphKind::Prose, emphasis: false, after_page_break: false });
    }
    let fact = |(name, text): &(&str, &str)| InlineFact { name: (*name).to_owned(), text: (*text).to_owned() };
    Cleaned {
        text,
        paragraphs,
        map: SegmentMap::default(),
        kind: DocumentKind::Html,
        declared: Declared::default(),
        header_text: header.to_owned(),
        inline_facts: facts.iter().map(fact).collect(),
    }
}

fn cover(lines: &[&str]) -> Declared {
    declared(&document("", &[], lines))
}

const HEADER: &str = "<SEC-DOCUMENT>0001234567-05-000012.txt : 20050302
<SEC-HEADER>0001234567-05-000012.hdr.sgml : 20050302
ACCESSION NUMBER:\t\t0001234567-05-000012
CONFORMED SUBMISSION TYPE:\t8-K/A
CONFORMED PERIOD OF REPORT:\t20050228
ITEM INFORMATION:\t\tCosts Associated with Exit or Disposal Activities
ITEM INFORMATION:\t\t
ITEM INFORMATION:\t\tOther Events
FILED AS OF DATE:\t\t20050302

FILER:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tTARN MILLS INC /DE/
\t\tCENTRAL INDEX KEY:\t\t\t0000012345
\tFORMER COMPANY:\t
\t\tFORMER CONFORMED NAME:\tTARN WEAVING CO
\t\tDATE OF NAME CHANGE:\t19990304
FILER:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tTARN FINANCE CORP
\t\tCENTRAL INDEX KEY:\t\t\t0000099999
\t\tFORMER CONFORMED NAME:\tTARN CREDIT
<DOCUMENT>
<TYPE>8-K
<TEXT>
";

#[test]
fn the_header_tells_of_the_first_filer() {
    let d = declared(&document(HEADER, &[], &[]));
    assert_eq!(d.accession.unwrap().as_str(), "0001234567-05-000012");
    assert_eq!(d.cik.as_deref(), Some("12345"));
    assert_eq!(d.companies, ["TARN MILLS INC /DE/"]);
    assert_eq!(d.former_names, ["TARN WEAVING CO"]);
    assert_eq!(d.form, Some(Form::EightKA));
    assert_eq!(d.filed.unwrap().to_string(), "2005-03-02");
    assert_eq!(d.reported.unwrap().to_string(), "2005-02-28");
    assert_eq!(d.items, ["2.05", "8.01"]);
}

#[test]
fn titles_before_the_renumbering_give_old_numbers() {
    let old = "FILED AS OF DATE: 19990304\nITEM INFORMATION: Other events\nITEM INFORMATION: Financial statements and \
               exhibits\nITEM INFORMATION: 7\nITEM INFORMATION: Weather";
    assert_eq!(declared(&document(old, &[], &[])).items, ["5", "7", "7"]);
}

#[test]
fn tags_of_separate_header_files_are_read_too() {
    let header = "<ACCESSION-NUMBER>0001234567-21-000001\n<TYPE>8-K\n<PERIOD>20210301\n<FILING-DATE>20210302\n<ITEMS>2.05\n\
                  <CONFORMED-NAME>Tarn Mills\n<CIK>0000012345";
    let d = declared(&document(header, &[], &[]));
    assert_eq!((d.cik.as_deref(), d.form, d.items), (Some("12345"), Some(Form::EightK), vec!["2.05".to_owned()]));
}

#[test]
fn facts_of_the_inline_cover() {
    let facts = [
        ("AmendmentFlag", "false"),
        ("EntityCentralIndexKey", "0000012345"),
        ("DocumentType", "8-K"),
        ("DocumentPeriodEndDate", "March 29, 2021"),
        ("EntityRegistrantName", "TARN\u{a0}MILLS, INC."),
        ("TradingSymbol", "TARN"),
        ("TradingSymbol", "TARN/25"),
        ("TradingSymbol", "TARN"),
        ("TradingSymbol", "N/A"),
        ("EntityRegistrantName", "TARN FINANCE"),
        ("EntityInformationFormerLegalOrRegisteredName", "Not Applicable"),
    ];
    let d = declared(&document("", &facts, &[]));
    assert_eq!(d.cik.as_deref(), Some("12345"));
    assert_eq!(d.companies, ["TARN MILLS, INC."]);
    assert_eq!(d.former_names.len(), 0);
    assert_eq!(d.tickers, ["TARN", "TARN/25"]);
    assert_eq!(d.form, Some(Form::EightK));
    assert_eq!(d.reported.unwrap().to_string(), "2021-03-29");
    let amended = [("DocumentType", "8-K"), ("AmendmentFlag", "TRUE")];
    assert_eq!(declared(&document("", &amended, &[])).form, Some(Form::EightKA));
}

#[test]
fn company_above_or_before_its_label() {
    let label = "(Exact name of registrant as specified in its charter)";
    let name = Some("TARN MILLS, INC.".to_owned());
    for lines in [
        vec!["FORM 8-K", "TARN MILLS, INC.", label],
        vec!["FORM 8-K", "TARN MILLS, INC.", "--------------------", label],
        vec!["FORM 8-K", "TARN MILLS, INC. ------------- (Exact Name of Registrant as Specified in Its Charter)"],
        vec!["FORM 8-K", "TARN MILLS, INC.", "(Exact name of small business issuer as specified in its charter)"],
        vec![
            "Date of Report (Date of earliest event reported): June 3, 2019 TARN MILLS, INC. (Exact name of registrant)",
        ],
        vec!["Date of Report (Date of earliest event reported): June 3, 2019 TARN MILLS, INC.", label],
        vec![
            "June 3, 2019 Date of Report (Date of earliest event reported) TARN MILLS, INC. (Exact name of registrant)",
        ],
        vec!["Exact name of registrant as specified in its charter: TARN MILLS, INC."],
    ] {
        assert_eq!(cover(&lines).companies.first().cloned(), name, "{lines:?}");
    }
    for lines in [
        vec![label],
        vec!["Pursuant to Section 13 of the act", label],
        vec!["Commission File Number Exact Name of Registrant as Specified in Its Charter; Address"],
    ] {
        assert_eq!(cover(&lines).companies.len(), 0, "{lines:?}");
    }
}

#[test]
fn day_of_report_in_many_layouts() {
    for lines in [
        vec!["Date of Report (Date of earliest event reported): March 8, 2024"],
        vec!["Date of Report (Date of earliest event reported)", "March 8, 2024", "TARN MILLS"],
        vec!["March 8, 2024", "Date of Report (Date of earliest event reported)", "TARN MILLS"],
        vec!["March 8, 2024", "Date of Report", "(Date of earliest event reported)", "TARN MILLS"],
        vec!["Date of Report:", "(Date of earliest event reported)", "March 8, 2024"],
        vec!["Date of report (Date of earliest event reported): March 12, 2024 (March 8, 2024)"],
        vec![
            "Under the Act of 1934 Date of Report (Date of Earliest Event Reported) \u{2013} March 8, 2024 TARN MILLS",
        ],
        vec!["March 8, 2024 Date of Report (Date of earliest event reported)"],
        vec![
            "Pursuant to Section 13 or 15(d) of the Securities Exchange Act of 1934 March 8, 2024 Date of Report (Date of earliest event)",
        ],
    ] {
        assert_eq!(cover(&lines).reported.map(|d| d.to_string()).as_deref(), Some("2024-03-08"), "{lines:?}");
    }
    assert!(cover(&["Date of Report", "TARN MILLS", "It met on March 8, 2024."]).reported.is_none());
}

#[test]
fn form_and_its_amendment() {
    assert_eq!(cover(&["FORM 8-K", "CURRENT REPORT"]).form, Some(Form::EightK));
    assert_eq!(cover(&["FORM", "8-K", "CURRENT REPORT"]).form, Some(Form::EightK));
    assert_eq!(cover(&["Form 8-K/A", "CURRENT REPORT"]).form, Some(Form::EightKA));
    assert_eq!(cover(&["FORM 8-K", "(Amendment No. 1)", "CURRENT REPORT"]).form, Some(Form::EightKA));
    assert_eq!(cover(&["FORM 8 - K / A"]).form, Some(Form::EightKA));
    let mention =
        "The mill furnishes the release as an exhibit to this Current Report on Form 8-K and to no other report.";
    assert_eq!(cover(&[mention]).form, None);
}

#[test]
fn the_header_goes_before_facts_and_facts_before_the_page() {
    let facts = [("EntityRegistrantName", "Tarn Mills, Inc."), ("DocumentPeriodEndDate", "2005-02-27")];
    let lines = ["FORM 8-K", "Date of Report: February 26, 2005", "TARN MILLS, INC.", "(Exact name of registrant)"];
    let d = declared(&document(HEADER, &facts, &lines));
    assert_eq!(d.companies, ["Tarn Mills, Inc.", "TARN MILLS INC /DE/", "TARN MILLS, INC."]);
    assert_eq!(d.reported.unwrap().to_string(), "2005-02-28");
    assert_eq!(declared(&document("", &facts, &lines)).reported.unwrap().to_string(), "2005-02-27");
    assert_eq!(declared(&document("", &[], &lines)).reported.unwrap().to_string(), "2005-02-26");
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(
        header in "\\PC{0,80}",
        lines in proptest::collection::vec("(FORM 8-K|Date of Report|exact name of|\\(|March 8, 2024|:|\\PC{0,9})+", 0..8),
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|l| !l.is_empty()).collect();
        let d = declared(&document(&header, &[("DocumentPeriodEndDate", &header)], &lines));
        proptest::prop_assert!(d.companies.iter().all(|c| !c.trim().is_empty()));
    }
}
