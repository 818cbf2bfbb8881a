//! Invented filings, paragraph by paragraph, with the reason each sentence should have.

use proptest::prelude::*;

use super::*;
use crate::clean::SegmentMap;
use crate::{Paragraph, ParagraphKind};

/// Builds a narrative. A line begins with flags: `H` Item heading, `B` emphasis, `T` table row, `P` after a page break, `.` none.
fn narrative(lines: &[&str]) -> Narrative {
    let mut n = Narrative {
        text: String::new(),
        paragraphs: Vec::new(),
        map: SegmentMap::default(),
        items: Vec::new(),
        headings: Vec::new(),
    };
    for line in lines {
        let (flags, text) = line.split_once(' ').unwrap();
        if !n.text.is_empty() {
            n.text.push('\n');
        }
        let span = Span::new(n.text.len(), n.text.len() + text.len());
        n.text.push_str(text);
        let kind = if flags.contains('T') { ParagraphKind::TableRow } else { ParagraphKind::Prose };
        let emphasis = flags.contains('B');
        n.paragraphs.push(Paragraph { span, kind, emphasis, after_page_break: flags.contains('P') });
        n.headings.push(flags.contains('H'));
        if flags.contains('H') {
            let mut words = text.split_whitespace().skip(1);
            let number = words.next().unwrap_or("8.01").trim_end_matches('.').to_owned();
            let title = words.collect::<Vec<_>>().join(" ");
            n.items.push(ItemSection { numbers: vec![number], title, span, redirect: None });
        }
    }
    let ends: Vec<usize> = n.items.iter().skip(1).map(|i| i.span.start).chain([n.text.len()]).collect();
    for (item, end) in n.items.iter_mut().zip(ends) {
        item.span.end = end;
    }
    n
}

/// What became of each sentence: its text, and `kept` or the reason.
fn fates(lines: &[&str]) -> Vec<(String, &'static str)> {
    let n = narrative(lines);
    let all = sentences(&n, Splitter::Legal);
    all.iter().map(|s| (s.span.of(&n.text).to_owned(), s.dropped.map_or("kept", DropReason::as_str))).collect()
}

#[track_caller]
fn fate(line: &str, want: &str) {
    let got = fates(&[line]);
    assert_eq!(got.iter().map(|f| f.1).collect::<Vec<_>>(), want.split(' ').collect::<Vec<_>>(), "{got:?}");
}

#[test]
fn paragraphs_that_are_no_prose() {
    fate("H Item 2.05. Costs Associated with Exit or Disposal Activities.", "heading");
    fate(". SECTION 5 - CORPORATE GOVERNANCE AND MANAGEMENT", "heading");
    fate("B Background of the Plan", "heading");
    fate(". Retention Agreement with Our Chief Financial Officer", "heading");
    fate("T Severance\t1.2\t3.4", "table");
    fate(". - 3 -", "page-number");
    fate(". Page 2 of 4", "page-number");
    fate(". (a)", "label");
    fate(". •", "label");
    fate(". ----------", "fragment");
    fate(". Birch Tower, 12 Elm Road, Third Floor, Springfield", "heading");
}

#[test]
fn prose_is_kept_when_it_is_long_enough() {
    fate(". The Company expects to incur charges of about $5 million. It was late.", "kept short");
    fate("B The Company expects to incur charges of about $5 million in the third quarter of the year.", "kept");
    fate(". The plan has the following parts, each of which is described below:", "kept");
    fate(". The changes announced today will allow the Company to go on with its work", "kept");
    fate(". the right of the owners to the water of the brook above the old mill; and", "kept");
    fate(". Cost of the mills, less income received, adjusted for sales $442,673", "fragment");
    fate(". The votes were as follows: For Against Anna Birch 12,345,678 234,567 12,345 123,456 were cast.", "table");
    fate(". The notes fall due on May 1, 2019, 2020, 2021, 2022, 2023 and 2024 and were all sold.", "kept");
    fate(". (b) It is impracticable to provide the statements at this time.", "kept");
}

#[test]
fn headings_run_in() {
    fate(". Costs of the Plan. The Company expects to incur charges of about $5 million.", "heading kept");
    fate(
        ". Termination Benefits for Named Executive Officers. The board approved them on May 1 of the year.",
        "heading kept",
    );
}

#[test]
fn safe_harbour_passages_go_as_a_whole() {
    let got = fates(&[
        "H Item 8.01 Other Events",
        ". The Company expects to close the mill in the third quarter of 2031.",
        "B Cautionary Note Regarding Forward-Looking Statements",
        ". This report speaks of plans. They may not come true as the Company hopes today.",
        ". Many things lie outside its control, among them the weather and the price of wood.",
        "B About the Company",
        ". The Company makes paper in three mills on the eastern coast of the country.",
        "H Item 9.01 Exhibits",
    ]);
    let want = [
        "heading",
        "kept",
        "heading",
        "forward-looking",
        "forward-looking",
        "forward-looking",
        "heading",
        "kept",
        "heading",
    ];
    assert_eq!(got.iter().map(|f| f.1).collect::<Vec<_>>(), want, "{got:?}");
}

#[test]
fn safe_harbour_in_running_prose_ends_with_its_list() {
    let got = fates(&[
        ". This report contains forward-looking statements. They rest on what is known today, among others:",
        ". • the price of wood and of other goods that the mills buy in the market;",
        ". • the weather on the eastern coast in the months in which the mills are open.",
        ". The Company closed its mill on the western coast on May 1, 2031.",
    ]);
    let want = ["forward-looking", "forward-looking", "forward-looking", "forward-looking", "kept"];
    assert_eq!(got.iter().map(|f| f.1).collect::<Vec<_>>(), want, "{got:?}");
}

#[test]
fn furnished_not_filed_is_said_once() {
    let first = ". The information in this Item shall not be deemed “filed” for purposes of Section 18 of the Act.";
    let again = ". The information in this report shall not be deemed \"filed\" for purposes of Section 18 of the Act.";
    let news = ". The mill closed on May 1, and a copy of the note, which shall not be deemed “filed”, is furnished.";
    let fates = fates(&[first, again, news, ". [Remainder of page intentionally left blank, signatures on the next.]"]);
    assert_eq!(fates.iter().map(|f| f.1).collect::<Vec<_>>(), ["kept", "boilerplate", "kept", "boilerplate"]);
}

#[test]
fn sentences_with_many_capitals_are_no_titles() {
    fate(". The Company held its Annual Meeting of Stockholders on November 12, 2031.", "kept");
    fate(". Stockholders approved the Birch Companies Inc. Executive Annual Incentive Plan.", "kept");
    fate(". Item 5.02. Departure of Directors; Election of Directors; Appointment of Certain Officers.", "heading");
}

#[test]
fn what_a_page_number_cut_off_is_a_fragment() {
    let got = fates(&[
        ". The target for each of the units will be set by the committee for",
        ". 2",
        ". each of the years of the plan. It has three years and can be renewed once.",
    ]);
    assert_eq!(got.iter().map(|f| f.1).collect::<Vec<_>>(), ["kept", "page-number", "fragment", "kept"], "{got:?}");
}

#[test]
fn expecting_is_no_safe_harbour() {
    fate(". The Company expects, and believes it likely, that the plan will be finished by the end of June.", "kept");
}

#[test]
fn exhibit_lists() {
    let got = fates(&[
        "H Item 9.01 Financial Statements and Exhibits",
        ". (a) Financial statements of businesses acquired.",
        ". The statements that this Item asks for will be filed within seventy days.",
        ". (d) Exhibits.",
        "T Exhibit No.\tDescription\tPage",
        ". 99.1 Press release of Birch Inc., dated May 1, 2031 (filed with an earlier report that was late).",
        ". 104",
        ". Cover page in Inline XBRL, a file of its own inside the report",
        ". * Schedules have been left out and are given to the Commission if it asks for them.",
    ]);
    let want = ["heading", "heading", "kept", "heading", "exhibit", "exhibit", "exhibit", "exhibit", "exhibit"];
    assert_eq!(got.iter().map(|f| f.1).collect::<Vec<_>>(), want, "{got:?}");
}

#[test]
fn the_same_sentence_counts_once_in_a_filing() {
    let same = ". The matter was put to the vote of the holders and was carried.";
    assert_eq!(fates(&[same, same]).iter().map(|f| f.1).collect::<Vec<_>>(), ["kept", "duplicate"]);
}

#[test]
fn items_are_followed() {
    let n = narrative(&[
        ". A note that stands before the first Item of the report.",
        "H Item 2.05. Costs",
        ". The Company expects to incur charges of about $5 million.",
        "H Item 8.01. Other Events",
        ". The Company closed its mill on the western coast.",
    ]);
    let items: Vec<_> = sentences(&n, Splitter::Legal).iter().map(|s| s.item).collect();
    assert_eq!(items, [None, Some(0), Some(0), Some(1), Some(1)]);
}

proptest! {
    #[test]
    fn every_stretch_is_one_sentence(
        parts in prop::collection::vec(("[HBTP.]", "[A-Za-z0-9(][ -~“”•é\t]{0,80}[a-z.:;)]"), 0..12),
    ) {
        let lines: Vec<String> = parts.iter().map(|(f, t)| format!("{f} {t}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let n = narrative(&lines);
        for splitter in Splitter::ALL {
            let all = sentences(&n, *splitter);
            prop_assert_eq!(&all, &sentences(&n, *splitter));
            let mut last = 0;
            for s in &all {
                prop_assert!(last <= s.span.start && s.span.start < s.span.end);
                let text = n.text.get(s.span.start..s.span.end).unwrap();
                prop_assert_eq!(text.trim(), text);
                prop_assert!(n.paragraphs.iter().any(|p| p.span.contains(s.span)));
                last = s.span.end;
            }
            // Nothing but white space lies outside.
            let black = |t: &str| t.chars().filter(|c| !c.is_whitespace()).count();
            prop_assert_eq!(all.iter().map(|s| black(s.span.of(&n.text))).sum::<usize>(), black(&n.text));
        }
    }
}

#[test]
fn an_exhibit_list_without_line_breaks_is_found_by_sentence() {
    let reasons = |line: &str| -> Vec<&'static str> {
        fates(&["H Item 9.01 Financial Statements and Exhibits.", line]).into_iter().skip(1).map(|f| f.1).collect()
    };
    assert_eq!(
        reasons(". (d) Exhibits. 99.1 Text of a press release titled \u{201c}The Mill Will Close.\u{201d}"),
        ["heading", "exhibit"]
    );
    assert_eq!(
        reasons(
            ". (d) Exhibits Exhibit Number Description 99.1 Text of a letter to the owners of the mill, of May 3, 2019, about the end of its work"
        ),
        ["exhibit"]
    );
    assert_eq!(
        reasons(". (d) Exhibits Exhibit No. Description 10.1 Deed of the mill, dated May 3, 2019, by the owners."),
        ["heading", "exhibit"]
    );
    assert_eq!(
        reasons(". The owners have paid for the mill. Sales of cloth rose by 16 percent over the year before it."),
        ["short", "kept"]
    );
}
