//! Plain text and `<pre>`.

use super::{body, cleaned, paragraphs, plain};
use crate::DocumentKind;

#[test]
fn lines_are_unwrapped_and_blank_lines_end_paragraphs() {
    let text = "The Company will close its long-\nterm care unit and\r\nmove on.\n\n   Second one\nhere.\n";
    assert_eq!(plain(text), ["The Company will close its long-term care unit and move on.", "Second one here."]);
    assert_eq!(plain("pre-\nand post-merger"), ["pre- and post-merger"]);
}

#[test]
fn preformatted_documents_are_unwrapped_too() {
    let c = cleaned(
        "<html><body><pre>ACME CORP\n\nItem 5. Other Events\nOn May 3, the <b>Company</b>\nclosed &amp; sold it.</pre></body></html>",
    );
    assert_eq!(paragraphs(&c), ["ACME CORP", "Item 5. Other Events", "On May 3, the Company closed & sold it."]);
    assert_eq!(c.kind, DocumentKind::Plain);
    assert_eq!(body("<p>a</p><pre>b\nc</pre>d"), ["a", "b c", "d"]);
}

#[test]
fn typesetting_tags_go_and_less_than_stays() {
    let text = "<PAGE>\n<CAPTION>\nRates\n<S>\nif x < 5 and\ny <6 then\n<TABLE>\n<S>      <C>     <C>\nPlant    12      15\n</TABLE>\nwho <me@acme.test>";
    assert_eq!(plain(text), ["Rates", "if x < 5 and y <6 then", "[Plant|12|15]", "who <me@acme.test>"]);
}

#[test]
fn a_heading_ends_a_paragraph_without_a_blank_line() {
    let text = "and so it was done.\nItem 2.05 Costs Associated with Exit or\nDisposal Activities\nOn May 3, the Company acted as set forth in\nItem 2.06 below and went on.\nITEM 8.01\nOTHER EVENTS\nNothing else.";
    assert_eq!(
        plain(text),
        [
            "and so it was done.",
            "Item 2.05 Costs Associated with Exit or Disposal Activities",
            "On May 3, the Company acted as set forth in Item 2.06 below and went on.",
            "ITEM 8.01 OTHER EVENTS",
            "Nothing else."
        ]
    );
}

#[test]
fn rules_part_and_table_debris_goes() {
    assert_eq!(plain("one\n-----\ntwo\n- ------\nthree\n=====\nfour"), ["one", "two", "three", "four"]);
    assert_eq!(
        plain("--------Item 4.02 Non-Reliance on Previously Issued Financial Statements"),
        ["Item 4.02 Non-Reliance on Previously Issued Financial Statements"]
    );
    assert_eq!(plain("the plan\n|\nwas kept"), ["the plan was kept"]);
}

#[test]
fn a_lone_bar_is_debris_wherever_it_stands() {
    let text = "Item 2.05. | Costs Associated with Exit or Disposal Activities. |\nThe mill closes. |\n|\n|It employs a|b people. |\n";
    assert_eq!(
        plain(text),
        ["Item 2.05. Costs Associated with Exit or Disposal Activities.", "The mill closes.", "It employs a|b people."]
    );
    assert_eq!(plain("ITEM 8.01 |\n|\nOTHER EVENTS |\nNews."), ["ITEM 8.01 OTHER EVENTS", "News."]);
    let flattened =
        format!("{} || Item 8.01 | Other Events | {} |", "Words | go on. ".repeat(40), "More words. ".repeat(5));
    let shown = plain(&flattened);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown.iter().all(|p| !p.contains('|')), "{shown:?}");
    assert!(shown[1].starts_with("Item 8.01 Other Events More words."), "{shown:?}");
    assert_eq!(
        plain("| Plant | Jobs | Cost |\n|---|---|---|\n| North | 12 | 5 |"),
        ["[Plant|Jobs|Cost]", "[North|12|5]"]
    );
}

#[test]
fn a_blank_line_inside_a_clause_is_a_space() {
    let full = "On Monday the directors of the company met in the town hall and approved";
    assert_eq!(plain(&format!("{full}\n \nthe sale of the mill.")), [format!("{full} the sale of the mill.")]);
    assert_eq!(plain(&format!("{full}\n\nThe sale of the mill.")).len(), 2);
    assert_eq!(plain(&format!("{full}.\n\nthe sale of the mill.")).len(), 2);
    assert_eq!(plain(&format!("{full} of\n\nThe Mill.")), [format!("{full} of The Mill.")]);
    assert_eq!(plain(&format!("{full}\na plan for\n\nthe sale of the mill.")).len(), 1);
    assert_eq!(plain(&format!("{full}\n{full}\n\nA plan.\n\nMills for\n\nsale")).len(), 4);
}

#[test]
fn a_justified_line_is_no_table_row() {
    let full = "On Monday the directors of the company met in the town hall and approved";
    let stretched = "the sale   of the mill,   of its looms   and of   every   bale of cloth in";
    assert_eq!(plain(&format!("{full}\n{stretched}\nit.")).len(), 1);
    assert_eq!(
        plain(&format!("{full}\nthe sale   of 12 mills   for   15   years and of their   looms and cloth")).len(),
        2
    );
}

#[test]
fn a_table_with_one_cell_a_line_is_no_prose() {
    let full = "On Monday the owners of the company met in the town hall, and their votes were as follows:";
    let text = format!("{full}\nFor\nAgainst\nAnna Birch\n1,200,300\n98.5%\n20,100\nElection of Directors\n{full}");
    let shown = plain(&text);
    assert_eq!(shown.first().map(String::as_str), Some(full));
    assert!(shown.contains(&"98.5%".to_owned()) && shown.contains(&"Election of Directors".to_owned()), "{shown:?}");
    assert_eq!(shown.last().map(String::as_str), Some(full));
    assert_eq!(
        plain("The mill employs\n1,200\npeople and is for\n3\nyears ours."),
        ["The mill employs 1,200 people and is for 3 years ours."]
    );
}

#[test]
fn indented_first_lines_begin_paragraphs() {
    let text = "     The first paragraph of this text is long enough to fill a line of it,\nand ends here now.\n     The second one begins with an indent as the first one did and it goes\non.";
    assert_eq!(plain(text).len(), 2);
}

#[test]
fn columns_are_rows_and_hanging_lines_are_not() {
    assert_eq!(
        plain("Plant          Jobs         Cost\nOhio ........ 12\nIowa           40           $ 5.0"),
        ["[Plant|Jobs|Cost]", "[Ohio|12]", "[Iowa|40|$ 5.0]"]
    );
    assert_eq!(
        plain("99.1        Press release of Acme Corp.\n            dated May 3, 2026."),
        ["99.1 Press release of Acme Corp. dated May 3, 2026."]
    );
}

#[test]
fn page_breaks_are_marked_and_numbers_stay() {
    let c = cleaned("The plan was set\n                  2\n<PAGE>\nout before.\n\u{C}\nThe end.");
    assert_eq!(paragraphs(&c), ["The plan was set", "2", "out before.", "The end."]);
    let breaks: Vec<bool> = c.paragraphs.iter().map(|p| p.after_page_break).collect();
    assert_eq!(breaks, [false, false, true, true]);
}

#[test]
fn flattened_text_is_cut_before_its_headings() {
    let filler = "The Company said nothing that would matter here at all. ".repeat(8);
    let text = format!(
        "FORM 8-K {filler}Item 2.05 Costs Associated with Exit or Disposal Activities. {filler}As in Item 2.05 above, so here. \
         SIGNATURES Pursuant to the requirements of the Act, signed."
    );
    let found = plain(&text);
    assert_eq!(found.len(), 3);
    assert!(found[1].starts_with("Item 2.05 Costs"));
    assert!(found[2].starts_with("SIGNATURES"));
}
