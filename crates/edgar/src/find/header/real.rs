//! Headers of real submissions and of recorded answers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::*;
use crate::find::fake::shared;

/// What comes with a request for a header: everything up to the first document's `<TEXT>`.
fn beginning(file: &[u8]) -> &[u8] {
    let end = memchr::memmem::find(file, b"<TEXT>").map_or(file.len(), |at| at + 6);
    &file[..end]
}

#[test]
fn headers_of_real_submissions() {
    let Some(folder) = shared("data/filings") else { return };
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    let mut read_files = 0;
    let mut documents = 0;
    let mut items: BTreeMap<bool, usize> = BTreeMap::new();
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        if row["kind"] != "sgml-txt" {
            continue;
        }
        let name = row["file"].as_str().unwrap();
        let file = std::fs::read(folder.join(name)).unwrap();
        let header = read(beginning(&file)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(header.accession.as_ref().map(Accession::as_str), row["accession"].as_str(), "{name}");
        assert_eq!(header.filed.map(|d| d.to_string()).as_deref(), row["filed"].as_str(), "{name}");
        assert_eq!(header.form, Some(Form::EightK), "{name}");
        let cik = row["cik"].as_str().unwrap().trim_start_matches('0');
        assert!(header.filers.iter().any(|f| f.cik == cik && !f.name.is_empty()), "{name}: {:?}", header.filers);
        let told: Vec<&str> = row["items"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let told: Vec<&str> = told.iter().map(|i| i.strip_prefix("old:").unwrap_or(i)).collect();
        let known = header.items.iter().all(|i| eightk_text::items::is_known(i));
        assert!(known, "{name}: {:?}", header.items);
        *items.entry(header.items.iter().all(|i| told.contains(&i.as_str()))).or_default() += 1;
        documents += usize::from(header.document.is_some());
        read_files += 1;
        // The same from the whole file.
        assert_eq!(read(&file).unwrap(), header, "{name}");
    }
    assert_eq!((read_files, documents), (62, 47));
    // One manifest row lacks an item that the header has.
    assert!(items.get(&false).copied().unwrap_or_default() <= 2, "{items:?}");
}

#[test]
fn headers_of_recorded_answers() {
    let Some(folder) = shared("data/edgar-api") else { return };
    for (file, accession, cik, items, document) in [
        (
            "cassette_filing_text_baseline_0000950137-05-004969.yaml",
            "0000950137-05-004969",
            "1109357",
            "5.02",
            "c94636e8vk.htm",
        ),
        ("cassette_test_issue_879_meta_8k.yaml", "0001628280-25-058337", "1326801", "5.02", "meta-20251219.htm"),
    ] {
        let yaml = std::fs::read_to_string(folder.join(file)).unwrap();
        let start = yaml.find("<SEC-DOCUMENT>").unwrap();
        let text = unfolded(&yaml[start..]);
        let header = read(beginning(text.as_bytes())).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(header.accession.unwrap().as_str(), accession);
        assert_eq!(header.filers[0].cik, cik);
        assert_eq!(header.items.join(" "), items, "{file}");
        assert_eq!(header.document.as_deref(), Some(document));
    }
    for (file, accession) in
        [("edgartools_index-headers.html", "0000905729-24-000095"), ("edgartools_23AndMe.index-headers.html", "")]
    {
        let page = std::fs::read_to_string(folder.join(file)).unwrap();
        let text = page.split_once("<PRE>").unwrap().1.replace("&lt;", "<").replace("&gt;", ">");
        let header = read(beginning(text.as_bytes())).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert!(header.accession.unwrap().as_str().ends_with(accession));
        assert!(header.document.is_some() && !header.items.is_empty() && !header.filers[0].name.is_empty(), "{file}");
    }
}

/// The beginning of a quoted string of a recording: escapes undone, folded lines joined.
fn unfolded(quoted: &str) -> String {
    let mut out = String::new();
    for line in quoted.lines().take(400) {
        let line = line.trim_start();
        let (line, joined) = match line.strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match (c, if c == '\\' { chars.next() } else { None }) {
                ('\\', Some('n')) => out.push('\n'),
                ('\\', Some('t')) => out.push('\t'),
                ('\\', Some(other)) => out.push(other),
                _ => out.push(c),
            }
        }
        if !joined {
            out.push(' ');
        }
    }
    out
}
