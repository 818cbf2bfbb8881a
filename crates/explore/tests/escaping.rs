//! A data set whose every text is an attack: nothing of it becomes an element, an attribute, a link or a header.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use common::html::{Parsed, parse};
use common::live::Told;
use common::runs::{Skill, account};
use common::sets::{HOSTILE, Maker};
use common::{Running, options, serve_with};

/// Elements and attributes that pages of ours are made of.
const ELEMENTS: &str = "html head meta title link script body a header nav main ul ol li h1 h2 h3 h4 p div span section form label input \
    select option button dl dt dd code small table caption thead tbody tr th td br bdi mark s del ins strong em details summary \
    svg g path rect line circle text desc tspan polyline polygon figure figcaption footer output wbr";
const ATTRIBUTES: &str = "lang charset name content http-equiv rel href type src defer class id tabindex role aria-label aria-labelledby \
    aria-current aria-sort aria-hidden aria-describedby method action for value maxlength required selected title scope data-sort data-value \
    data-label viewbox d x y x1 x2 y1 y2 cx cy r rx width height points transform text-anchor dominant-baseline open dx dy data-filter \
    data-list data-noun data-words font-size xmlns preserveaspectratio focusable hidden start colspan rowspan";

/// Every page that links lead to, from a few that nothing links to.
fn crawl(server: &Running, begin: &[String]) -> Vec<(String, Parsed)> {
    let mut ahead: VecDeque<String> = begin.iter().cloned().collect();
    let mut seen: BTreeSet<String> = ahead.iter().cloned().collect();
    let mut pages = Vec::new();
    while let Some(path) = ahead.pop_front() {
        let answer = server.get(&path);
        assert!([200, 303, 404].contains(&answer.status), "{path}: {}", answer.head);
        assert!(answer.header("set-cookie").is_none(), "{path}: {}", answer.head);
        if let Some(to) = answer.header("location") {
            assert!(to.starts_with("/filings/"), "{path} leads to {to}");
        }
        if !answer.header("content-type").is_some_and(|t| t.starts_with("text/html")) {
            continue;
        }
        let page = parse(&answer.body);
        for link in page.links() {
            if link.starts_with('/') && seen.insert(link.clone()) {
                ahead.push_back(link);
            }
        }
        pages.push((path, page));
    }
    pages
}

fn check(path: &str, page: &Parsed) {
    let elements: BTreeSet<&str> = ELEMENTS.split_whitespace().collect();
    let attributes: BTreeSet<&str> = ATTRIBUTES.split_whitespace().collect();
    assert_eq!(page.comments, 0, "{path}");
    for tag in &page.tags {
        assert!(elements.contains(tag.name.as_str()), "{path}: <{}>", tag.name);
        for (name, value) in &tag.attributes {
            assert!(attributes.contains(name.as_str()), "{path}: {name}={value:?} in <{}>", tag.name);
            if ["href", "src", "action"].contains(&name.as_str()) {
                let ours = value.starts_with('/') && !value.starts_with("//") && !value.starts_with("/\\");
                let known = ours || value.starts_with('#') || value.starts_with("https://www.sec.gov/");
                assert!(known, "{path}: {name}={value:?}");
            }
            // What a field sends back is exact; it is shown within its field alone.
            assert!(name == "value" || !value.contains(turns), "{path}: {name}={value:?}");
        }
        if tag.name == "script" {
            assert!(tag.attributes.get("src").is_some_and(|s| s.starts_with("/assets/script-")), "{path}");
        }
    }
    assert!(!page.text.contains(turns), "{path}: {:?}", page.text.chars().filter(|c| turns(*c)).collect::<Vec<_>>());
}

/// Characters that turn the direction of text, or that nobody sees.
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\0' | '\u{1b}' | '\u{7f}')
}

#[test]
fn nothing_a_stranger_wrote_becomes_markup() {
    for rows in [true, false] {
        let set = Maker { rows, ..Maker::hostile() };
        let folder = set.write();
        let chunks: Vec<String> = set.names.iter().map(|(name, ..)| format!("{name}#s0")).collect();
        let skills = [Skill::Gold, Skill::Rival, Skill::Level, Skill::Nothing];
        let systems: Vec<_> = HOSTILE.iter().copied().zip(skills.into_iter().cycle()).collect();
        let account = account(folder.path(), &systems);
        let server = serve_with(folder.path(), options(), Arc::new(Told::new(chunks)), |explorer| {
            explorer.name = HOSTILE[1].to_owned();
            explorer.account = Some(account);
        });
        let mut begin = vec!["/".to_owned(), "/search".to_owned()];
        for text in HOSTILE {
            let text: String = text.bytes().map(|b| format!("%{b:02x}")).collect();
            for path in ["/filings?q", "/filings?sort", "/filings?page", "/filing?id", "/queries?q", "/queries?fact"] {
                begin.push(format!("{path}={text}"));
            }
            begin.push(format!("/queries?failed={text}"));
            begin.push(format!("/search?q={text}&a=quick&b=back%3Cwards%3E"));
            begin.push(format!("/search?q={text}&a={text}"));
            begin.push(format!("/search?q={text}&a=broken&b=late"));
            begin.push(format!("/filings/{text}"));
            begin.push(format!("/{text}"));
        }
        let pages = crawl(&server, &begin);
        assert!(pages.len() > 60, "{}", pages.len());
        for (path, page) in &pages {
            check(path, page);
        }
        // The texts are there all the same, as text.
        let all: String = pages.iter().map(|(_, page)| page.text.as_str()).collect();
        for text in [HOSTILE[0], HOSTILE[1], "onerror=alert(1)", "javascript:alert(1)", "U+202E", "U+0000", "&lt;b&gt;"]
        {
            assert!(all.contains(text), "{text}");
        }
        assert!(server.complaints.lock().unwrap().is_empty(), "{:?}", server.complaints);
    }
}

#[test]
fn every_filing_and_query_is_reached_by_number_and_by_name() {
    let set = Maker::hostile();
    let folder = set.write();
    let server = serve_with(folder.path(), options(), Arc::new(Told::new(Vec::new())), |_| {});
    let mut reached = BTreeSet::new();
    for (name, ..) in &set.names {
        let id: String = name.bytes().map(|b| format!("%{b:02X}")).collect();
        let answer = server.get(&format!("/filing?id={id}"));
        assert_eq!(answer.status, 303, "{name}");
        let page = server.page(answer.header("location").unwrap());
        let own = name.split('<').next().unwrap().split(['"', '\'', '\u{202e}', '\0', '&', '=']).next().unwrap();
        assert!(parse(&page).text.contains(own), "{name}");
        reached.insert(answer.header("location").unwrap().to_owned());
    }
    assert_eq!(reached.len(), set.names.len());
    for i in 0..set.names.len() {
        server.page(&format!("/queries/{i}"));
        server.page(&format!("/queries/{i}/rivals"));
    }
}

#[test]
fn downloads_hold_what_rows_hold_and_run_in_no_spreadsheet() {
    let set = Maker::hostile();
    let folder = set.write();
    let server = serve_with(folder.path(), options(), Arc::new(Told::new(Vec::new())), |_| {});
    let answer = server.get("/download/queries.csv");
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"queries.csv\""));
    assert!(answer.header("content-type").unwrap().starts_with("text/csv"));
    // One record per query and a head: line ends within cells are quoted.
    let records = rows_of(&answer.body);
    assert_eq!(records.len(), set.names.len() + 1);
    assert!(records.iter().all(|r| r.len() == records[0].len()));
    let facts: Vec<&str> = records[1..].iter().map(|r| r[2].as_str()).collect();
    assert_eq!(facts[..10], HOSTILE[..10]);
    assert_eq!(facts[10], format!("'{}", HOSTILE[10]));
    for path in [
        "/download/filings.csv",
        "/download/chunks.csv",
        "/download/rivals.csv",
        "/queries/3/rivals.csv",
        "/filings/3/sentences.csv",
    ] {
        let records = rows_of(&server.get(path).body);
        assert!(records.len() > 2 && records.iter().all(|r| r.len() == records[0].len()), "{path}");
    }
    assert_eq!(server.get("/download/..%2f..%2fqueries.csv").status, 404);
    assert_eq!(server.get("/download/scores.csv").status, 404);
}

/// RFC 4180, read back.
fn rows_of(csv: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'));
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(!quoted && cell.is_empty() && row.is_empty());
    rows
}
