//! Inline and block elements, hidden parts, references.

use super::{body, cleaned, paragraphs};
use crate::DocumentKind;

#[test]
fn breaks_part_words_and_inline_tags_do_not() {
    assert_eq!(body("Net<BR>weighted<BR>price"), ["Net weighted price"]);
    assert_eq!(body("<font>RI</font><font>SK</font> F<b>A</b>CTORS"), ["RISK FACTORS"]);
    assert_eq!(body("Registrant<i>’s</i> <u>plan</u>."), ["Registrant’s plan."]);
    assert_eq!(body("<p>one</p><p>two</p>three<div>four</div>"), ["one", "two", "three", "four"]);
    assert_eq!(body("<span>a\n</span><span>b</span>"), ["a b"]);
}

#[test]
fn two_line_breaks_end_a_paragraph() {
    assert_eq!(body("one<br> <br/>two<br>three"), ["one", "two three"]);
}

#[test]
fn an_inline_division_does_not_break() {
    let m =
        "(<div style=\"display:inline\"><font>H</font><font>unger</font></div> <p style='display: inline'>Fund</p>)";
    assert_eq!(body(m), ["(Hunger Fund)"]);
}

#[test]
fn a_block_span_breaks() {
    assert_eq!(body("<span style='display:block'>a</span>b"), ["a", "b"]);
}

#[test]
fn text_after_a_fact_stays() {
    let m = "<p>costs of $<ix:nonFraction name='x:Cost'>95.2</ix:nonFraction> billion, of which <ix:nonNumeric name=\"x:T\" \
             escape=\"true\"><b>half</b> is <i>cash</i></ix:nonNumeric>.</p>";
    assert_eq!(body(m), ["costs of $95.2 billion, of which half is cash."]);
    assert_eq!(body("a<ix:exclude>b</ix:exclude><ix:continuation id='c'>c</ix:continuation>"), ["abc"]);
}

#[test]
fn nothing_hidden_shows() {
    let m = "<title>T1</title><style>p{T2}</style><script>if (a<b) T3</script>a\
             <div style=\"display:none\">T4<p>T5</div>b<span style='visibility:hidden'>T6</span>\
             <ix:header><ix:hidden><ix:nonNumeric name='dei:AmendmentFlag'>T7</ix:nonNumeric></ix:hidden><ix:resources>T8\
             </ix:resources></ix:header><span style='font-size:0'>T9</span><!-- T10 --><![CDATA[T11]]><?x T12?><b hidden>T13</b>c";
    assert_eq!(body(m), ["a", "bc"]);
}

#[test]
fn what_was_opened_inside_hidden_parts_ends_with_them() {
    assert_eq!(body("<div style='display:none'><p>x<table><tr><td>y</div></td></tr></table></div>z"), ["z"]);
    assert_eq!(body("<b><div style='display:none'>x</b>y</div>z"), ["z"]);
    // An end tag without its element ends nothing.
    assert_eq!(body("<div style='display:none'>x</center>y</section>z</div>w"), ["w"]);
}

#[test]
fn empty_xml_elements_do_not_swallow_the_document() {
    let xhtml = "<?xml version='1.0' encoding='ASCII'?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title/></head>\
                 <body><a name=\"x\"/><div/><span/><script src='y'/><p>shown</p></body></html>";
    let c = cleaned(xhtml);
    assert_eq!(c.text, "shown");
    assert_eq!(c.kind, DocumentKind::Xhtml);
    assert_eq!(body("<title>cut\n<p>shown</p>"), ["shown"]);
}

#[test]
fn a_wide_empty_span_is_a_space() {
    assert_eq!(body("Item 2.05<span style=\"padding-left:20pt\"></span>Costs"), ["Item 2.05 Costs"]);
    assert_eq!(body("Item 2.05<span style=\"padding-left:20pt\">Costs</span>"), ["Item 2.05 Costs"]);
    assert_eq!(body("(d)<font style='display:inline-block;width:0.3in'></font>Exhibits"), ["(d) Exhibits"]);
    assert_eq!(
        body("<span style='display:inline-flex;min-width:3%'>(2)</span><span>Reflects</span>"),
        ["(2) Reflects"]
    );
    assert_eq!(body("fin<span style='margin-left:0'></span>ance<span style='width:2pt'></span>d"), ["financed"]);
}

#[test]
fn footnote_marks_go_and_their_labels_stay() {
    assert_eq!(body("plan<sup>(1)</sup> and costs<sup> 2</sup>."), ["plan and costs."]);
    assert_eq!(body("plan<span style='vertical-align:super;font-size:6pt'>*</span>, too"), ["plan, too"]);
    assert_eq!(body("plan<div style='display:inline;position:relative;top:-2.4pt'>1</div> next"), ["plan next"]);
    assert_eq!(body("the 4<sup>th</sup> quarter"), ["the 4th quarter"]);
    assert_eq!(body("<sup>(1)</sup>Includes costs."), ["(1) Includes costs."]);
    assert_eq!(body("a <sup>1</sup> b"), ["a 1 b"]);
}

#[test]
fn references_become_characters() {
    assert_eq!(
        body("R&amp;D, AT&T &#146;92 &ldquo;x&rdquo; &#8212; &sect;&nbsp;5&#160;&#8201;6"),
        ["R&D, AT&T ’92 “x” — § 5 6"]
    );
    assert_eq!(body("<img alt=\"a > b\" src=x>text"), ["text"]);
}

#[test]
fn white_space_is_collapsed_and_invisible_characters_go() {
    assert_eq!(body("a\u{A0}\u{A0} b\u{2009}c\u{AD}d\u{200B}e\u{FEFF} f\u{2011}g"), ["a b cde f\u{2011}g"]);
}

#[test]
fn digits_in_prose_are_no_page_numbers() {
    assert_eq!(body("<p>F-35 program and F16 jets in</p><p>2024</p>"), ["F-35 program and F16 jets in", "2024"]);
}

#[test]
fn less_than_stays() {
    assert_eq!(body("if 5 < 6 &lt; 7"), ["if 5 < 6 < 7"]);
}

#[test]
fn emphasis_needs_every_letter() {
    let c = cleaned(
        "<body><p><b>Bold</b></p><p><b>Bold</b> not</p><p>UPPER</p><h2>Head</h2><p><b>A</b> B</p><p>12</p></body>",
    );
    let emphasis: Vec<bool> = c.paragraphs.iter().map(|p| p.emphasis).collect();
    assert_eq!(emphasis, [true, false, true, true, true, false]);
}

#[test]
fn page_breaks_are_marked() {
    let c = cleaned(
        "<body><p>a.</p><hr/><p>B</p><p style='page-break-before:always'>C</p><div style='page-break-after:always'>D</div>E<p>F</p>",
    );
    let breaks: Vec<bool> = c.paragraphs.iter().map(|p| p.after_page_break).collect();
    assert_eq!(breaks, [false, true, true, false, true, false]);
}

#[test]
fn a_sentence_over_a_page_break_is_joined_when_nothing_stands_between() {
    let first = "The Company will close two plants in Ohio and move their work to";
    assert_eq!(body(&format!("<p>{first}</p><hr><p>its plant in Iowa.</p>")), [format!("{first} its plant in Iowa.")]);
    assert_eq!(body(&format!("<p>{first}</p><p>2</p><hr><p>its plant.</p>")), [first, "2", "its plant."]);
    assert_eq!(body(&format!("<p>{first}</p><p>its plant.</p>")), [first, "its plant."]);
}

#[test]
fn line_breaks_around_an_item_heading_end_paragraphs() {
    let m = "Intro text.<br>Item 2.05<br>Costs Associated with Exit or Disposal Activities<br>On May 3 we<br>acted.";
    assert_eq!(
        body(m),
        ["Intro text.", "Item 2.05 Costs Associated with Exit or Disposal Activities", "On May 3 we acted."]
    );
    assert_eq!(body("as set forth in<br>Item 2.05 above"), ["as set forth in Item 2.05 above"]);
}

#[test]
fn facts_are_collected_from_hidden_and_visible_parts() {
    let c = cleaned(
        "<body><div style='display:none'><ix:header><ix:hidden><ix:nonNumeric name=\"dei:EntityCentralIndexKey\">0000012345\
         </ix:nonNumeric></ix:hidden></ix:header></div><p><ix:nonNumeric name='dei:EntityRegistrantName'><b>Acme &amp; </b>\n<i>Sons</i>\
         </ix:nonNumeric> <ix:nonNumeric name='us-gaap:X'>y</ix:nonNumeric></p></body>",
    );
    let facts: Vec<_> = c.inline_facts.iter().map(|f| (f.name.as_str(), f.text.as_str())).collect();
    assert_eq!(facts, [("EntityCentralIndexKey", "0000012345"), ("EntityRegistrantName", "Acme & Sons")]);
    assert_eq!(paragraphs(&c), ["Acme & Sons y"]);
}
