//! HTML as it was made in the 2000s: capitals, FONT elements, paragraphs that never close, tables for everything.

use super::markup::{Marks, escape, paragraph};
use crate::rng::Rng;
use crate::scene::{Block, Item, Scene};

const FONT: (&str, &str) = ("<FONT SIZE=2 FACE=\"Times New Roman\">", "</FONT>");

pub(super) fn render(scene: &Scene, rng: &mut Rng) -> String {
    let marks = match rng.below(3) {
        0 => Marks::Decimal,
        1 => Marks::Named,
        _ => Marks::Windows,
    };
    let company = escape(&scene.company.full.to_uppercase(), marks);
    let mut out = String::with_capacity(12_000);
    out.push_str("<HTML>\n<HEAD>\n<TITLE>Form 8-K</TITLE>\n</HEAD>\n<BODY BGCOLOR=\"#FFFFFF\">\n");
    if rng.chance(40) {
        out.push_str(&format!("<DIV STYLE=\"display: none\">{}</DIV>\n", escape(&scene.hidden, marks)));
    }
    let centred = |text: &str| format!("<P ALIGN=CENTER><FONT SIZE=2><B>{text}</B></FONT>\n");
    for line in [
        "UNITED STATES",
        "SECURITIES AND EXCHANGE COMMISSION",
        "Washington, D.C. 20549",
        "FORM 8-K",
        "CURRENT REPORT",
        "Pursuant to Section 13 or 15(d) of the Securities Exchange Act of 1934",
    ] {
        out.push_str(&centred(line));
    }
    out.push_str(&centred(&format!("Date of Report (Date of earliest event reported): {}", scene.reported.long())));
    out.push_str(&centred(&company));
    out.push_str("<P ALIGN=CENTER>(Exact name of registrant as specified in its charter)\n<TABLE WIDTH=100%><TR><TD>Delaware</TD><TD>0-00000</TD><TD>00-0000000</TD></TR>\n<TR><TD>(State or other jurisdiction of incorporation)</TD><TD>(Commission File Number)</TD><TD>(IRS Employer Identification No.)</TD></TR></TABLE>\n");
    out.push_str(&format!("<P ALIGN=CENTER>1 Mill Road, {}<BR>(Address of principal executive offices)\n<P ALIGN=CENTER>Registrant&#146;s telephone number, including area code: (000) 000-0000\n", scene.company.city));
    out.push_str("<P>Check the appropriate box below if the Form 8-K filing is intended to simultaneously satisfy the filing obligation of the registrant under any of the following provisions:\n<P>[ ] Written communications pursuant to Rule 425 under the Securities Act (17 CFR 230.425)\n<P>[ ] Soliciting material pursuant to Rule 14a-12 under the Exchange Act (17 CFR 240.14a-12)\n<HR SIZE=3>\n");
    let layout = rng.below(5);
    for (i, item) in scene.items.iter().enumerate() {
        if i > 0 && rng.chance(30) {
            out.push_str(&format!(
                "<P ALIGN=CENTER><FONT SIZE=2>{}</FONT>\n<HR SIZE=1 STYLE=\"page-break-before: always\">\n",
                i + 1
            ));
        }
        item_html(&mut out, item, marks, layout, rng);
    }
    out.push_str("<P ALIGN=CENTER><B>SIGNATURES</B>\n<P>Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned hereunto duly authorized.\n");
    out.push_str(&format!("<TABLE><TR><TD>Date: {}</TD><TD>{company}<BR>By: /s/ Henrik Vondrak<BR>Henrik Vondrak<BR>Chief Financial Officer</TD></TR></TABLE>\n</BODY>\n</HTML>\n", scene.filed.long()));
    out
}

fn heading(out: &mut String, number: &str, title: &str, marks: Marks, layout: usize) {
    let title = escape(title, marks);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let dot = if part.is_empty() { "" } else { "." };
    match layout {
        0 => out.push_str(&format!(
            "<P><FONT SIZE=2><B>ITEM&nbsp;{number}. {}.</B></FONT>\n",
            title.to_uppercase().replace("&RSQUO;", "&rsquo;")
        )),
        1 => out.push_str(&format!(
            "<TABLE><TR VALIGN=TOP><TD WIDTH=12%><B>Item&nbsp;{number}.</B></TD><TD><B>{title}.</B></TD></TR></TABLE>\n"
        )),
        2 => out.push_str(&format!("<P><B>Item {whole}{dot}</B><B>{part}</B><B> &nbsp;{title}</B>\n")),
        3 => out.push_str(&format!("<P><B>Item {number}</B>\n<P><B><U>{title}</U></B>\n")),
        _ => out.push_str(&format!("<P><FONT SIZE=2><B>Item {number}&nbsp;&nbsp;&nbsp;{title}</B></FONT>\n")),
    }
}

fn item_html(out: &mut String, item: &Item, marks: Marks, layout: usize, rng: &mut Rng) {
    if let Some((number, title)) = item.stacked {
        heading(out, number, title, marks, layout);
    }
    heading(out, item.number, item.title, marks, layout);
    for block in &item.blocks {
        match block {
            Block::Prose(sentences) => {
                let text = paragraph(sentences, marks, FONT, rng);
                out.push_str(&format!("<P>{}{text}{}\n", FONT.0, FONT.1));
            }
            Block::Heading(text) => out.push_str(&format!("<P><I>{}</I>\n", escape(text, marks))),
            Block::Table(rows) => {
                out.push_str("<TABLE BORDER=0>\n");
                for row in rows {
                    let cells: String = row.iter().map(|c| format!("<TD>{}", escape(c, marks))).collect();
                    out.push_str(&format!("<TR>{cells}</TR>\n"));
                }
                out.push_str("</TABLE>\n");
            }
        }
    }
}

/// The attached press release as a document of its own.
pub(super) fn exhibit(paragraphs: &[Vec<String>]) -> String {
    let body: String = paragraphs.iter().map(|p| format!("<P>{}\n", escape(&p.join(" "), Marks::Decimal))).collect();
    format!("<HTML><BODY>\n<P ALIGN=RIGHT>Exhibit 99.1\n<P ALIGN=CENTER><B>PRESS RELEASE</B>\n{body}</BODY></HTML>\n")
}
