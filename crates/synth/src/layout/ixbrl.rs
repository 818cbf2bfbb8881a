//! XHTML with inline XBRL: facts on the cover, a hidden header, headings in two cells or split over spans.

use super::markup::{Marks, escape, paragraph};
use crate::rng::Rng;
use crate::scene::{Block, Item, Scene};

const SPAN: (&str, &str) = ("<span style=\"font-family:'Times New Roman'\">", "</span>");

pub(super) fn render(scene: &Scene, rng: &mut Rng) -> String {
    let mut out = String::with_capacity(16_000);
    let company = escape(&scene.company.full, Marks::Decimal);
    out.push_str("<?xml version='1.0' encoding='ASCII'?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:ix=\"http://www.xbrl.org/2013/inlineXBRL\" xmlns:dei=\"http://xbrl.sec.gov/dei/2026\">\n");
    out.push_str("<head><meta http-equiv=\"Content-Type\" content=\"text/html\"/><title>8-K</title></head>\n<body>\n<div style=\"display:none\"><ix:header><ix:hidden>");
    out.push_str(&format!(
        "<ix:nonNumeric name=\"dei:EntityCentralIndexKey\" contextRef=\"c0\">{}</ix:nonNumeric>",
        scene.company.cik
    ));
    out.push_str(&format!(
        "<ix:nonNumeric name=\"dei:AmendmentFlag\" contextRef=\"c0\">false</ix:nonNumeric>{}",
        escape(&scene.hidden, Marks::Decimal)
    ));
    out.push_str("</ix:hidden><ix:references></ix:references><ix:resources></ix:resources></ix:header></div>\n");
    cover(&mut out, scene, &company);
    for (i, item) in scene.items.iter().enumerate() {
        if i > 0 && rng.chance(30) {
            out.push_str(&format!(
                "<div><p style=\"text-align:center\">{}</p></div><hr style=\"page-break-after:always\"/>\n",
                i + 1
            ));
        }
        item_html(&mut out, item, rng);
    }
    out.push_str("<hr style=\"page-break-after:always\"/>\n<p style=\"text-align:center\"><b>SIGNATURE</b></p>\n<p>Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned hereunto duly authorized.</p>\n");
    out.push_str(&format!("<table><tr><td>Date: {}</td><td>{company}</td></tr><tr><td></td><td>By: /s/ Signe Solheim</td></tr><tr><td></td><td>Name: Signe Solheim<br/>Title: General Counsel</td></tr></table>\n</body></html>\n", scene.filed.long()));
    out
}

fn cover(out: &mut String, scene: &Scene, company: &str) {
    let fact = |name: &str, value: &str| {
        format!("<ix:nonNumeric name=\"dei:{name}\" contextRef=\"c0\" id=\"f-{name}\">{value}</ix:nonNumeric>")
    };
    out.push_str("<p style=\"text-align:center\"><b>UNITED STATES</b></p><p style=\"text-align:center\"><b>SECURITIES AND EXCHANGE COMMISSION</b></p><p style=\"text-align:center\">Washington, D.C. 20549</p>\n");
    out.push_str(&format!("<p style=\"text-align:center\"><b>FORM {}</b></p><p style=\"text-align:center\"><b>CURRENT REPORT</b></p><p style=\"text-align:center\">Pursuant to Section 13 or 15(d) of the Securities Exchange Act of 1934</p>\n", fact("DocumentType", "8-K")));
    out.push_str(&format!(
        "<p style=\"text-align:center\">Date of Report (Date of earliest event reported): {}</p>\n",
        fact("DocumentPeriodEndDate", &scene.reported.long())
    ));
    out.push_str(&format!("<p style=\"text-align:center\"><b>{}</b></p><p style=\"text-align:center\">(Exact name of registrant as specified in its charter)</p>\n", fact("EntityRegistrantName", company)));
    out.push_str(&format!("<table><tr><td>{}</td><td>001-{:05}</td><td>00-0000000</td></tr><tr><td>(State or other jurisdiction of incorporation)</td><td>(Commission File Number)</td><td>(IRS Employer Identification No.)</td></tr></table>\n", fact("EntityIncorporationStateCountryCode", "DE"), scene.company.cik.len() * 977));
    out.push_str(&format!("<p>1 Mill Road, {}</p><p>(Address of principal executive offices) (Zip Code)</p><p>Registrant&#8217;s telephone number, including area code: (000) 000-0000</p>\n", scene.company.city));
    out.push_str("<p>Check the appropriate box below if the Form 8-K filing is intended to simultaneously satisfy the filing obligation of the registrant under any of the following provisions:</p>\n");
    for line in [
        "Written communications pursuant to Rule 425 under the Securities Act (17 CFR 230.425)",
        "Soliciting material pursuant to Rule 14a-12 under the Exchange Act (17 CFR 240.14a-12)",
    ] {
        out.push_str(&format!("<table><tr><td>&#9744;</td><td>{line}</td></tr></table>\n"));
    }
    out.push_str("<p>Securities registered pursuant to Section 12(b) of the Act:</p>\n<table><tr><td>Title of each class</td><td>Trading Symbol(s)</td><td>Name of each exchange on which registered</td></tr>");
    out.push_str(&format!(
        "<tr><td>Common Stock</td><td>{}</td><td>{}</td></tr></table>\n",
        fact("TradingSymbol", &scene.company.ticker),
        fact("SecurityExchangeName", "NYSE")
    ));
    out.push_str("<p>Indicate by check mark whether the registrant is an emerging growth company as defined in Rule 405 of the Securities Act of 1933.</p><p>Emerging growth company &#9744;</p>\n<hr style=\"page-break-after:always\"/>\n");
}

fn heading(out: &mut String, number: &str, title: &str, layout: usize) {
    let title = escape(title, Marks::Decimal);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    match layout {
        0 => out.push_str(&format!(
            "<table><tr><td style=\"width:10%\"><b>Item {number}</b></td><td><b>{title}.</b></td></tr></table>\n"
        )),
        1 => out.push_str(&format!("<p><b>Item&#160;{number}. {title}.</b></p>\n")),
        2 => out.push_str(&format!("<div><b>Item {number}</b></div>\n<div><b>{title}</b></div>\n")),
        3 => out.push_str(&format!(
            "<p><span><b>Item {whole}.</b></span><span><b>{part}</b></span><span><b>&#8195;{title}</b></span></p>\n"
        )),
        _ => out.push_str(&format!("<p><b><u>Item {number}</u></b> <u>{title}</u>.</p>\n")),
    }
}

fn item_html(out: &mut String, item: &Item, rng: &mut Rng) {
    let layout = rng.below(5);
    if let Some((number, title)) = item.stacked {
        heading(out, number, title, layout);
    }
    heading(out, item.number, item.title, layout);
    for block in &item.blocks {
        match block {
            Block::Prose(sentences) => {
                let text = paragraph(sentences, Marks::Decimal, SPAN, rng);
                out.push_str(&format!("<p style=\"margin-top:12pt\">{}{text}{}</p>\n", SPAN.0, SPAN.1));
            }
            Block::Heading(text) => out.push_str(&format!("<p><b><i>{}</i></b></p>\n", escape(text, Marks::Decimal))),
            Block::Table(rows) => {
                out.push_str("<table>");
                for row in rows {
                    let cells: String = row.iter().map(|c| format!("<td>{}</td>", escape(c, Marks::Decimal))).collect();
                    out.push_str(&format!("<tr>{cells}</tr>"));
                }
                out.push_str("</table>\n");
            }
        }
    }
}
