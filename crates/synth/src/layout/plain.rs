//! Plain text of the 1990s: 72 columns, centred cover, page breaks with page numbers.

use super::ascii;
use crate::rng::Rng;
use crate::scene::{Block, Item, Scene};

const WIDTH: usize = 72;

pub(super) fn render(scene: &Scene, rng: &mut Rng) -> String {
    let mut out = String::with_capacity(8_000);
    for line in [
        "SECURITIES AND EXCHANGE COMMISSION",
        "WASHINGTON, D.C. 20549",
        "",
        "FORM 8-K",
        "",
        "CURRENT REPORT",
        "PURSUANT TO SECTION 13 OR 15(d) OF",
        "THE SECURITIES EXCHANGE ACT OF 1934",
        "",
    ] {
        centred(&mut out, line);
    }
    centred(&mut out, &format!("Date of Report (Date of earliest event reported): {}", scene.reported.long()));
    out.push('\n');
    centred(&mut out, &scene.company.full.to_uppercase());
    centred(&mut out, &"-".repeat(scene.company.full.len()));
    centred(&mut out, "(Exact name of registrant as specified in its charter)");
    out.push('\n');
    out.push_str("     Delaware                  0-00000                00-0000000\n (State or other        (Commission File Number)    (IRS Employer\n  jurisdiction of                                 Identification No.)\n  incorporation)\n\n");
    centred(&mut out, &format!("1 Mill Road, {}", scene.company.city));
    centred(&mut out, "(Address of principal executive offices)");
    out.push('\n');
    centred(&mut out, "Registrant's telephone number, including area code: (000) 000-0000");
    page_break(&mut out, 1);
    let indent = if rng.chance(50) { 5 } else { 0 };
    let capitals = rng.chance(50);
    for (i, item) in scene.items.iter().enumerate() {
        if i > 0 && rng.chance(35) {
            page_break(&mut out, i + 1);
        }
        item_text(&mut out, item, indent, capitals);
    }
    page_break(&mut out, scene.items.len() + 1);
    centred(&mut out, "SIGNATURES");
    out.push('\n');
    wrapped(
        &mut out,
        "Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned hereunto duly authorized.",
        indent,
    );
    out.push_str(&format!("                              {}\n\n                              By: /s/ Carla Castellane\n                              Carla Castellane, Secretary\n\nDate: {}\n", scene.company.full.to_uppercase(), scene.filed.long()));
    out
}

fn centred(out: &mut String, line: &str) {
    let pad = WIDTH.saturating_sub(line.chars().count()) / 2;
    out.extend(std::iter::repeat_n(' ', if line.is_empty() { 0 } else { pad }));
    out.push_str(line);
    out.push('\n');
}

fn page_break(out: &mut String, page: usize) {
    out.push('\n');
    centred(out, &format!("-{page}-"));
    out.push_str("\n<PAGE>\n\n");
}

/// A paragraph with an indented first line and a blank line after it.
fn wrapped(out: &mut String, text: &str, indent: usize) {
    let mut column = indent;
    out.extend(std::iter::repeat_n(' ', indent));
    let mut first = true;
    for word in text.split(' ') {
        let len = word.chars().count();
        if !first && column + 1 + len > WIDTH {
            out.push('\n');
            column = 0;
        } else if !first {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += len;
        first = false;
    }
    out.push_str("\n\n");
}

fn item_text(out: &mut String, item: &Item, indent: usize, capitals: bool) {
    let title = ascii(item.title);
    if capitals {
        wrapped(out, &format!("ITEM {}.  {}", item.number, title.to_uppercase()), 0);
    } else {
        wrapped(out, &format!("Item {}. {title}", item.number), 0);
    }
    for block in &item.blocks {
        match block {
            Block::Prose(sentences) => wrapped(out, &ascii(&sentences.join(" ")), indent),
            Block::Heading(text) => wrapped(out, text, 0),
            Block::Table(rows) => {
                for [label, low, high] in rows {
                    out.push_str(&format!("     {:<24}{low:>10}   {high:>10}\n", ascii(label)));
                }
                out.push('\n');
            }
        }
    }
}

/// The attached press release.
pub(super) fn exhibit(paragraphs: &[Vec<String>]) -> String {
    let mut out = String::new();
    centred(&mut out, "PRESS RELEASE");
    out.push('\n');
    for sentences in paragraphs {
        wrapped(&mut out, &ascii(&sentences.join(" ")), 0);
    }
    out
}
