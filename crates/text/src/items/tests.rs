//! Heading forms, what only looks like a heading, and what leaves the text, on filings of invented companies.

use proptest::prelude::*;

use crate::clean::SegmentMap;
use crate::{Cleaned, Declared, DocumentKind, Narrative, Paragraph, ParagraphKind};
use eightk_core::Span;

use super::narrative;

const BODY: &str =
    "On June 3, 2019, the board of Tarn Mills approved a plan to close two of its four looms before the year is out.";
const MORE: &str =
    "The closure will cost the mill some four million dollars, most of which it will pay in cash within the year.";

fn cleaned(lines: &[&str]) -> Cleaned {
    let mut text = String::new();
    let mut paragraphs = Vec::new();
    for line in lines {
        if line.is_empty() {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(line);
        let kind = if line.matches('\t').count() >= 2 { ParagraphKind::TableRow } else { ParagraphKind::Prose };
        let emphasis = !line.chars().any(char::is_lowercase);
        paragraphs.push(Paragraph { span: Span::new(start, text.len()), kind, emphasis, after_page_break: false });
    }
    let mut map = SegmentMap::default();
    map.append(text.len(), 1_000, text.len());
    Cleaned {
        text,
        paragraphs,
        map,
        kind: DocumentKind::Html,
        declared: Declared::default(),
        header_text: String::new(),
        inline_facts: Vec::new(),
    }
}

fn read(lines: &[&str]) -> Narrative {
    narrative(&cleaned(lines), &[]).unwrap()
}

/// Numbers and titles of all Items.
fn items(lines: &[&str]) -> Vec<(Vec<String>, String)> {
    read(lines).items.into_iter().map(|i| (i.numbers, i.title)).collect()
}

fn numbers(lines: &[&str]) -> Vec<String> {
    items(lines).into_iter().map(|(n, _)| n.join("+")).collect()
}

fn one(lines: &[&str], number: &str, title: &str) {
    assert_eq!(items(lines), [(vec![number.to_owned()], title.to_owned())], "{lines:?}");
}

#[test]
fn number_and_title_on_one_line() {
    one(
        &["Item 2.05. Costs Associated with Exit or Disposal Activities.", BODY],
        "2.05",
        "Costs Associated with Exit or Disposal Activities.",
    );
    one(
        &["ITEM 2.05 COSTS ASSOCIATED WITH EXIT OR DISPOSAL ACTIVITIES", BODY],
        "2.05",
        "COSTS ASSOCIATED WITH EXIT OR DISPOSAL ACTIVITIES",
    );
    one(&["Item 8.01 - Other Events", BODY], "8.01", "Other Events");
    one(&["Item 8.01: Other Events", BODY], "8.01", "Other Events");
    one(&["Item 8.01\u{2014}Other Events", BODY], "8.01", "Other Events");
    one(&["Item 8.01Other Events", BODY], "8.01", "Other Events");
    one(
        &["Item 2. 02 Results of Operations and Financial Condition", BODY],
        "2.02",
        "Results of Operations and Financial Condition",
    );
    one(
        &["Item 5.02(e) Compensatory Arrangements of Certain Officers", BODY],
        "5.02",
        "Compensatory Arrangements of Certain Officers",
    );
    one(&["Item 9.01(d). Exhibits", BODY], "9.01", "Exhibits");
}

#[test]
fn title_in_the_next_paragraph_or_two() {
    one(&["Item 8.01", "Other Events.", BODY], "8.01", "Other Events.");
    one(&["Item 8.01 |", "|", "Other Events |", BODY], "8.01", "Other Events");
    let split = [
        "Item 5.02 Departure of Directors or Certain Officers; Election of Directors;",
        "Appointment of Certain Officers; Compensatory Arrangements of Certain Officers.",
        BODY,
    ];
    let n = read(&split);
    assert!(n.items[0].title.ends_with("Arrangements of Certain Officers."));
    assert_eq!(n.headings, [true, true, false]);
}

#[test]
fn number_without_title() {
    one(&["Item 8.01", BODY], "8.01", "");
    one(&["ITEM 2.", BODY], "2", "");
    let n = read(&["Item 2. On June 3, 2019, Tarn Mills bought the looms of its neighbour.", MORE]);
    assert_eq!(n.items[0].title, "");
    assert_eq!(n.headings, [true, false, false]);
    assert_eq!(n.text.lines().nth(1).unwrap().split(' ').next(), Some("On"));
}

#[test]
fn wrong_number_keeps_its_number() {
    one(
        &["ITEM 9.01", "Amendments to Articles of Incorporation or Bylaws", BODY],
        "9.01",
        "Amendments to Articles of Incorporation or Bylaws",
    );
    one(
        &["Item 5.2 Departure of Directors or Certain Officers", BODY],
        "5.02",
        "Departure of Directors or Certain Officers",
    );
    one(
        &["ITEM 502. DEPARTURE OF DIRECTORS OR CERTAIN OFFICERS", BODY],
        "5.02",
        "DEPARTURE OF DIRECTORS OR CERTAIN OFFICERS",
    );
}

#[test]
fn title_of_the_filers_own_making() {
    one(&["Item 8.01 Quarterly Dividend of Tarn Mills", BODY], "8.01", "Quarterly Dividend of Tarn Mills");
}

#[test]
fn heading_glued_to_a_rule() {
    let n = read(&["---------------Item 4.02 Non-Reliance on Previously Issued Financial Statements", BODY]);
    assert!(n.text.starts_with("Item 4.02"));
    let n = read(&[
        "Item 2.02 Results of Operations and Financial Condition",
        BODY,
        "-----------Item 8.01 Other Events",
        MORE,
    ]);
    assert_eq!(n.items.len(), 2);
    assert!(n.items[1].span.of(&n.text).starts_with("Item 8.01"));
}

#[test]
fn several_numbers_in_one_heading() {
    assert_eq!(numbers(&["Items 1.01 and 5.02 Entry into a Material Definitive Agreement", BODY]), ["1.01+5.02"]);
    assert_eq!(
        numbers(&[
            "Item 2.05 and Item 2.06 Costs Associated with Exit or Disposal Activities; Material Impairments",
            BODY
        ]),
        ["2.05+2.06"]
    );
    assert_eq!(numbers(&["Items 1.01(a) and 5.02(e) Amendment of an Agreement", BODY]), ["1.01+5.02"]);
}

#[test]
fn stacked_headings_share_one_section() {
    let lines = [
        "Item 2.02 Results of Operations and Financial Condition",
        "Item 7.01 Regulation FD Disclosure",
        BODY,
        "Item 9.01 Exhibits",
        "99.1 Release",
    ];
    assert_eq!(numbers(&lines), ["2.02+7.01", "9.01"]);
    let one_line = [
        "Item 1.01 Entry into a Material Definitive Agreement; Item 2.03 Creation of a Direct Financial Obligation",
        BODY,
    ];
    assert_eq!(numbers(&one_line), ["1.01+2.03"]);
    let with_section = [
        "Item 2.02 Results of Operations and Financial Condition",
        "Section 7 - Regulation FD",
        "Item 7.01 Regulation FD Disclosure",
        BODY,
    ];
    assert_eq!(numbers(&with_section), ["2.02+7.01"]);
}

#[test]
fn numbers_may_come_in_any_order() {
    assert_eq!(
        numbers(&[
            "Item 7.01 Regulation FD Disclosure",
            BODY,
            "Item 2.05 Costs Associated with Exit or Disposal Activities",
            MORE
        ]),
        ["7.01", "2.05"]
    );
    assert_eq!(numbers(&["Item 8.01 Other Events", BODY, "Item 8.01 Other Events", MORE]), ["8.01", "8.01"]);
}

#[test]
fn section_lines_are_headings_above_headings() {
    let lines = [
        "Section 2 \u{2013} Financial Information",
        "Item 2.02 Results of Operations and Financial Condition",
        BODY,
        "Section 8 - Other Events",
        "Item 8.01 Other Events",
        MORE,
    ];
    let n = read(&lines);
    assert!(n.text.starts_with("Item 2.02"));
    assert_eq!(n.headings, [true, false, true, true, false]);
    let flat = read(&[
        "Item 2.02 Results of Operations and Financial Condition",
        BODY,
        "Section 8 - Other Events Item 8.01 Other Events",
        MORE,
    ]);
    assert_eq!(flat.headings, [true, false, true, true, false]);
}

#[test]
fn old_numbers_where_no_decimal_one_stands() {
    assert_eq!(
        numbers(&["ITEM 5. OTHER EVENTS", BODY, "ITEM 7. FINANCIAL STATEMENTS AND EXHIBITS", "99 Release"]),
        ["5", "7"]
    );
    assert_eq!(numbers(&["Item 12 - Results of Operations and Financial Condition", BODY]), ["12"]);
    assert_eq!(numbers(&["Item 4: Change in Registrant's Certifying Accountant", BODY]), ["4"]);
    assert_eq!(numbers(&["Item 8.01 Other Events", BODY, "Item 7. Exhibits", MORE]), ["8.01"]);
}

#[test]
fn a_table_of_contents_is_not_the_items() {
    let lines = [
        "TABLE OF CONTENTS",
        "Item 2.02 Results of Operations and Financial Condition",
        "2",
        "Item 9.01 Financial Statements and Exhibits",
        "3",
        "SIGNATURES",
        "EXHIBIT INDEX",
        "Ex-99.1 Press release of the mill, in which it tells of the quarter that it has just brought to its end, and so on.",
        "Item 2.02 Results of Operations and Financial Condition",
        BODY,
        "Item 9.01 Financial Statements and Exhibits",
        "99.1 Press release",
    ];
    let n = read(&lines);
    assert_eq!(numbers(&lines), ["2.02", "9.01"]);
    assert!(n.items[0].span.of(&n.text).contains(BODY));
    assert_eq!(n.items[0].span.start, 0);
}

#[test]
fn long_titles_in_a_table_of_contents_are_no_introduction() {
    let title = "Item 5.02 Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; \
                 Compensatory Arrangements of Certain Officers.";
    let n = filing(&["TABLE OF CONTENTS", title, "SIGNATURE", title, BODY], &[]);
    assert_eq!(n.text, format!("{title}\n{BODY}"));
    // A note above the table is kept without it.
    let n = filing(&["EXPLANATORY NOTE", MORE, "TABLE OF CONTENTS", title, "SIGNATURE", title, BODY], &[]);
    assert_eq!(n.text, format!("EXPLANATORY NOTE\n{MORE}\nTABLE OF CONTENTS\n{title}\n{BODY}"));
}

#[test]
fn the_foot_of_a_page_is_a_paragraph_of_its_own() {
    let lines = ["Item 8.01 Other Events", &format!("{BODY} -2- Table of Contents"), MORE];
    assert_eq!(read(&lines).text, format!("Item 8.01 Other Events\n{BODY}\n-2- Table of Contents\n{MORE}"));
}

#[test]
fn the_whole_filing_on_one_line() {
    let flat = format!(
        "FORM 8-K Date of Report June 3, 2019 TARN MILLS, INC. (Exact name of registrant) TABLE OF CONTENTS Item 5. Other Events Item 7. Financial \
         Statements and Exhibits SIGNATURES Item 5. Other Events. {BODY} It said so under Item 5 of an earlier report. -2- Table of Contents \
         Item 7. Financial Statements and Exhibits. (c) Exhibits. 99.1 Release SIGNATURES Pursuant to the requirements of the Securities \
         Exchange Act of 1934, the registrant has duly caused this report to be signed."
    );
    let n = read(&[&flat]);
    let got: Vec<String> = n.items.iter().map(|i| i.numbers.join("+")).collect();
    assert_eq!(got, ["5", "7"]);
    assert!(n.text.starts_with("Item 5. Other Events.\nOn June 3"));
    assert!(n.text.ends_with("99.1 Release"), "{}", n.text);
    assert!(n.text.contains("\n-2- Table of Contents\n"));
}

#[test]
fn references_are_no_headings() {
    let start = "Item 8.01 Other Events";
    for line in [
        "The information in this Item 2.05 is furnished and not filed.",
        "This report is furnished pursuant to Items 2.02 and 7.01 of Form 8-K.",
        "The matters set forth in Item 1.01 are incorporated by reference into this Item 2.05.",
        "Nothing is required to be disclosed pursuant to Item 404(a) of Regulation S-K.",
        "For more, refer to Item 10 of the Form 10-K of the mill.",
        "The statements required by Item 9.01(a) will follow.",
        "Item 2.06 below is incorporated into it by reference, as the mill has said.",
        "Item 1.01 of this report is incorporated here by reference.",
        "Items 2.02 and 7.01 are furnished together and shall not be deemed filed.",
        "It is furnished under \u{201c}Item 9.01. Financial Statements and Exhibits\u{201d} alone.",
        "Item 1A. Risk Factors of the annual report tells more of this.",
        "As told in Part II, Item 8. Financial Statements, of the annual report.",
        "Item 5.02 (continued)",
        "The looms made 3,400 items. 2.05 of them were flawed on average.",
    ] {
        assert_eq!(numbers(&[start, BODY, line, MORE]), ["8.01"], "{line}");
    }
    // A clause that a paragraph break tears apart.
    let torn = [
        "Item 8.01 Other Events",
        BODY,
        "The mill tells more of the plan to close its looms in the report under",
        "Item 2.05 Costs Associated with Exit or Disposal Activities and says so.",
        MORE,
    ];
    assert_eq!(numbers(&torn), ["8.01"]);
}

#[test]
fn what_is_expected_weighs_in_but_forbids_nothing() {
    let lines = ["Item 8.01 the mill has closed its looms and will not open them again this year", MORE];
    assert!(numbers(&lines).is_empty());
    let other = ["Item 8.01 Other Events", BODY];
    let n = narrative(&cleaned(&other), &["2.05".to_owned()]).unwrap();
    assert_eq!(n.items[0].numbers, ["8.01"]);
}

const COVER: [&str; 7] = [
    "UNITED STATES SECURITIES AND EXCHANGE COMMISSION",
    "FORM 8-K",
    "TARN MILLS, INC.",
    "(Exact name of registrant as specified in its charter)",
    "Check the appropriate box below if the filing is intended to satisfy another obligation of the registrant as well:",
    "If an emerging growth company, indicate by check mark if the registrant has elected not to use the longer period.",
    "\u{2610}",
];
const SIGNED: [&str; 4] = [
    "SIGNATURES",
    "Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned.",
    "TARN MILLS, INC.",
    "EXHIBIT INDEX",
];

fn filing(middle: &[&str], after: &[&str]) -> Narrative {
    let lines: Vec<&str> = COVER.iter().chain(middle).chain(&SIGNED).chain(after).copied().collect();
    read(&lines)
}

#[test]
fn cover_signatures_and_attachments_leave() {
    let n = filing(
        &["Item 8.01 Other Events", BODY, "* * * * *"],
        &["Exhibit 99.1", "The mill is glad to say that it closes two looms."],
    );
    assert_eq!(n.text, format!("Item 8.01 Other Events\n{BODY}"));
}

#[test]
fn headings_tables_and_safe_harbour_inside_an_item_stay() {
    let inside = [
        "Item 5.07 Submission of Matters to a Vote of Security Holders",
        "Forward-Looking Statements",
        BODY,
        "For\tAgainst\tAbstain",
        "10\t20\t30",
    ];
    assert_eq!(filing(&inside, &[]).text, inside.join("\n"));
}

#[test]
fn an_introduction_is_kept() {
    let n = filing(&["EXPLANATORY NOTE", MORE, "Item 8.01 Other Events", BODY], &[]);
    assert!(n.text.starts_with("EXPLANATORY NOTE\n"));
    assert_eq!(n.items[0].span.start, n.text.find("Item 8.01").unwrap());
    let n = filing(&[MORE, "Item 8.01 Other Events", BODY], &[]);
    assert!(n.text.starts_with(MORE));
}

#[test]
fn without_headings_cover_and_signatures_still_leave() {
    let n = filing(&[BODY, MORE], &["Exhibit 99.1"]);
    assert_eq!(n.text, format!("{BODY}\n{MORE}"));
    assert!(n.items.is_empty());
    assert_eq!(read(&[BODY, MORE]).text, format!("{BODY}\n{MORE}"));
}

#[test]
fn items_may_go_on_after_the_signatures() {
    let n = filing(&["ITEM 5. OTHER EVENTS", BODY], &["ITEM 7. FINANCIAL STATEMENTS AND EXHIBITS", "(c) None."]);
    // An exhibit index comes first: what follows is attached.
    assert_eq!(n.items.len(), 1);
    let lines = [
        "ITEM 5. OTHER EVENTS",
        BODY,
        "SIGNATURE",
        SIGNED[1],
        "By: A. Weaver",
        "ITEM 7. FINANCIAL STATEMENTS AND EXHIBITS",
        MORE,
        "SIGNATURE",
        SIGNED[1],
    ];
    let n = read(&lines);
    assert_eq!(n.text, format!("ITEM 5. OTHER EVENTS\n{BODY}\nITEM 7. FINANCIAL STATEMENTS AND EXHIBITS\n{MORE}"));
}

#[test]
fn a_signature_heading_is_enough_near_the_end() {
    let n = read(&["Item 8.01 Other Events", BODY, "SIGNATURE", "A. Weaver, Chief Executive"]);
    assert!(n.text.ends_with(BODY));
    let n = read(&["Item 8.01 Other Events", &format!("{BODY} SIGNATURES"), SIGNED[1]]);
    assert!(n.text.ends_with(BODY));
}

#[test]
fn a_pointer_is_marked() {
    let lines = [
        "Item 1.01 Entry into a Material Definitive Agreement",
        BODY,
        "Item 2.03 Creation of a Direct Financial Obligation",
        "The matters set forth in Item 1.01 of this report are incorporated by reference into this Item 2.03.",
    ];
    let n = read(&lines);
    assert_eq!(n.items[0].redirect, None);
    assert_eq!(n.items[1].redirect.as_deref(), Some("1.01"));
}

#[test]
fn a_document_that_is_all_cover_has_no_narrative() {
    assert!(narrative(&cleaned(&["FORM 8-K", "CURRENT REPORT"]), &[]).is_err());
    assert!(narrative(&cleaned(&[]), &[]).is_err());
}

/// Lines of filings and of anything else, in any order.
fn line() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "Item 2.05",
        "ITEM 5. OTHER EVENTS",
        "item",
        "Items 1.01 and 5.02",
        "Other Events.",
        "Section 5 -",
        "SIGNATURES",
        SIGNED[1],
        "FORM 8-K",
        "---",
        "\u{201c}",
        "Pursuant to the requirements of the Securities Exchange Act",
        "duly caused this",
        "Exhibit 99.1",
        "EXHIBIT INDEX",
        "\t",
        "(d)",
        "On June 3, the mill \u{e9}",
        ".",
        "of",
        "Table of Contents",
        "-2-",
        "Item 9.01 Exhibits",
        "see Item 1.01 above.",
        MORE,
    ]);
    let known = prop::collection::vec(pieces, 1..6).prop_map(|p| p.join(" ").trim().to_owned());
    prop_oneof![4 => known, 1 => "\\PC{1,60}".prop_map(|s| s.trim().to_owned())]
}

proptest! {
    #[test]
    fn any_text_gives_ordered_spans_and_a_true_map(lines in prop::collection::vec(line(), 0..24)) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|l| !l.is_empty()).collect();
        let source = cleaned(&lines);
        let Ok(n) = narrative(&source, &["2.05".to_owned()]) else { return Ok(()) };
        prop_assert_eq!(n.headings.len(), n.paragraphs.len());
        let mut end = 0;
        for (i, p) in n.paragraphs.iter().enumerate() {
            prop_assert_eq!(p.span.start, if i == 0 { 0 } else { end + 1 });
            end = p.span.end;
            let words = p.span.of(&n.text);
            prop_assert!(!words.is_empty() && words == words.trim());
            // The map of `narrative` above copies the cleaned text to position 1,000.
            let from = n.map.source_of(p.span);
            let stood = source.text.get(from.start - 1_000..from.end - 1_000).unwrap();
            // Where a page had torn the paragraph, what stood on its edge is left out.
            let mut all = stood.split_whitespace();
            prop_assert!(words.split_whitespace().all(|w| all.any(|a| a == w)), "{words:?} from {stood:?}");
            prop_assert!(stood == words || stood.contains('\n'));
        }
        prop_assert_eq!(end, n.text.len());
        prop_assert_eq!(n.map.out_len(), n.text.len());
        let mut last = 0;
        for item in &n.items {
            prop_assert!(last <= item.span.start && item.span.start < item.span.end && item.span.end <= n.text.len());
            prop_assert!(n.text[item.span.start..].get(..4).is_some_and(|w| w.eq_ignore_ascii_case("item")));
            prop_assert!(!item.numbers.is_empty());
            last = item.span.end;
        }
        let again = narrative(&source, &["2.05".to_owned()]).unwrap();
        prop_assert_eq!(again.text, n.text);
        prop_assert_eq!(again.items, n.items);
    }
}

#[test]
fn a_page_break_does_not_tear_a_sentence() {
    let head = "The closure will cost the mill some four million dollars, most of which";
    let paragraphs = |lines: &[&str]| -> Vec<String> {
        let n = read(lines);
        assert_eq!(n.map.out_len(), n.text.len());
        n.paragraphs.iter().map(|p| p.span.of(&n.text).to_owned()).collect()
    };
    let heading = "Item 8.01 Other Events.";
    let whole = format!("{head} it will pay in cash.");
    for between in [&["2"][..], &["- 2 -", "Table of Contents"]] {
        let lines: Vec<&str> =
            [heading, head].into_iter().chain(between.iter().copied()).chain(["it will pay in cash."]).collect();
        assert_eq!(paragraphs(&lines), [heading, whole.as_str()]);
    }
    for second in ["IT WILL PAY IN CASH.", "a) it will pay in cash."] {
        assert_eq!(paragraphs(&[heading, head, "2", second]).len(), 4, "{second}");
    }
    assert_eq!(paragraphs(&[heading, BODY, "2", "it will pay in cash."]).len(), 4);
    assert_eq!(paragraphs(&[heading, head, "it will pay in cash."]).len(), 3);
    let of = "The closure will cost the mill some four million dollars after the end of";
    assert_eq!(paragraphs(&[heading, of, "2", MORE]).len(), 2);
    assert_eq!(paragraphs(&[heading, of, "2", "Item 9.01 Financial Statements and Exhibits."]).len(), 4);
}
