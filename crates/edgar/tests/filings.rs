//! Real filings are whole documents, and halves of them are not.

use std::path::PathBuf;

use eightk_edgar::web::Wanted;
use eightk_edgar::web::sent::Sent;
use eightk_edgar::web::verdict::{Verdict, judge};

/// Where real data is, if it is.
#[allow(clippy::disallowed_methods, clippy::print_stderr, reason = "a test that runs where the data is")]
fn shared() -> Option<PathBuf> {
    let named = std::env::var("EIGHTK_SHARED").ok();
    let folder = named
        .as_ref()
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    if folder.join("data/filings/manifest.jsonl").exists() {
        return Some(folder);
    }
    assert!(named.is_none(), "EIGHTK_SHARED names {}, where no filings are", folder.display());
    eprintln!("no real filings at {}: not tested", folder.display());
    None
}

fn sent(body: &[u8], of: usize) -> Sent {
    Sent { status: 200, length: Some(of as u64), ended: body.len() == of, body: body.to_vec(), ..Sent::default() }
}

#[test]
fn every_filing_is_whole_and_no_half_is() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("data/filings");
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    let (mut documents, mut headers, mut wrong) = (0, 0, Vec::new());
    for line in manifest.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let (file, kind) = (entry["file"].as_str().unwrap(), entry["kind"].as_str().unwrap());
        if kind == "extracted-text" {
            continue;
        }
        documents += 1;
        let body = std::fs::read(folder.join(file)).unwrap();
        match judge(Wanted::Document, &sent(&body, body.len())) {
            Verdict::Good(kept) if kept == body => {}
            other => wrong.push(format!("{file}: {}", other.word())),
        }
        // Where only the end tag can tell.
        let whole = Sent { length: None, ended: false, ..sent(&body, body.len()) };
        let half = Sent { length: None, ended: false, ..sent(&body[..body.len() / 2], body.len() / 2) };
        if judge(Wanted::Document, &whole).word() != "good" || judge(Wanted::Document, &half).word() != "again" {
            wrong.push(format!("{file}: without a length"));
        }
        if kind == "sgml-txt" {
            headers += 1;
            if !matches!(judge(Wanted::Header, &sent(&body, body.len())), Verdict::Good(_)) {
                wrong.push(format!("{file}: header"));
            }
        }
    }
    assert!(documents >= 600 && headers >= 50, "{documents} documents, {headers} headers");
    assert!(wrong.is_empty(), "{} of {documents}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn recorded_answers_are_what_they_are() {
    let Some(shared) = shared() else { return };
    let mut seen = 0;
    for entry in std::fs::read_dir(shared.join("data/edgar-api")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let body = std::fs::read(&path).unwrap();
        let word = |wanted| judge(wanted, &sent(&body, body.len())).word();
        let expected = if name.contains("_hits.json") || name.starts_with("edgarkit_search_") {
            (Wanted::Search, "good")
        } else if name.ends_with("-index.htm.html") || name == "secedgar_single_filing_page.html" {
            (Wanted::Document, "again")
        } else if name.contains("master.") && name.ends_with(".idx") {
            (Wanted::Index, "good")
        } else if name.ends_with(".htm") || name.ends_with(".html") {
            (Wanted::Index, "again")
        } else {
            continue;
        };
        seen += 1;
        assert_eq!(word(expected.0), expected.1, "{name}");
    }
    assert!(seen >= 15, "{seen}");
}
