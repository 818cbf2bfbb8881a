//! Bad input gets a clear error, and nothing is lost.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::Path;

use support::{arg, eightk, eightk_with_input, synth};

/// A folder with one file of each kind that is no filing, and one that is.
fn zoo(root: &Path) {
    std::fs::create_dir_all(root).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(root.join(name), bytes).unwrap();
    write("empty.htm", b"");
    write("blank.txt", b" \n\t\r\n ");
    write("scan.htm", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n");
    write("binary.htm", &(0..4096_u32).map(|i| (i * 7 % 256) as u8).collect::<Vec<_>>());
    write(
        "busy.htm",
        b"<html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head><body><h1>Your request rate has exceeded</h1></body></html>",
    );
    write(
        "index.htm",
        b"<html><head><title>EDGAR Filing Documents for 0000000001-20-000001</title></head><body><div id=\"formName\">Form 8-K</div><table class=\"tableFile\" summary=\"Document Format Files\"><tr><th>Seq</th></tr></table></body></html>",
    );
    write(
        "cut.txt",
        b"<SEC-DOCUMENT>0000000001-20-000002.txt : 20200102\n<SEC-HEADER>\nACCESSION NUMBER: 0000000001-20-000002\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<TEXT>\nItem 8.01 Other Events\n\nThe Company paints",
    );
    write("broken.htm.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03damaged");
    write("nested.htm", format!("{}<p>deep</p>", "<div>".repeat(100_000)).as_bytes());
    write(
        "anonymous.htm",
        b"<p>Item 8.01 Other Events</p><p>The Company moved its headquarters to a larger building this spring.</p>",
    );
}

#[test]
fn each_bad_file_is_refused_with_its_reason_and_the_rest_is_built() {
    let dir = tempfile::tempdir().unwrap();
    let bad = dir.path().join("bad");
    zoo(&bad);
    let good = synth(dir.path(), 30, 1);
    let out = dir.path().join("out");
    let summary = eightk(["build", arg(&bad), arg(&good), "--out", arg(&out), "--json"]).exits(0).json();
    let refused: Vec<(String, String)> = summary["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["file"].as_str().unwrap().to_owned(), r["reason"].as_str().unwrap().to_owned()))
        .collect();
    let reason = |file: &str| {
        let found = refused.iter().find(|(f, _)| f == file);
        found.unwrap_or_else(|| panic!("{file} was not refused: {refused:?}")).1.clone()
    };
    for (file, word) in [
        ("empty.htm", "empty"),
        ("blank.txt", "empty"),
        ("scan.htm", "PDF"),
        ("binary.htm", "binary"),
        ("busy.htm", "Request Rate Threshold Exceeded"),
        ("index.htm", "index page"),
        ("cut.txt", "cut off"),
        ("broken.htm.gz", "gzip"),
        ("nested.htm", "company"),
        ("anonymous.htm", "company"),
    ] {
        assert!(reason(file).contains(word), "{file}: {}", reason(file));
    }
    assert_eq!(refused.len(), 10, "{refused:?}");
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let listed = manifest.to_string();
    for (file, _) in &refused {
        assert!(listed.contains(file.as_str()), "{file} is not in manifest.json");
    }
}

#[test]
fn a_file_of_60_mb_is_refused_unread() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("huge.htm");
    std::fs::File::create(&file).unwrap().set_len(60_000_000).unwrap();
    let ran = eightk(["inspect", arg(&file)]).exits(1);
    assert!(ran.stderr.contains("larger than 50 MB"), "{}", ran.stderr);
}

#[test]
fn when_every_file_is_refused_there_is_no_data_set() {
    let dir = tempfile::tempdir().unwrap();
    let bad = dir.path().join("bad");
    zoo(&bad);
    let out = dir.path().join("out");
    let ran = eightk(["build", arg(&bad), "--out", arg(&out)]).exits(1);
    assert!(ran.stderr.contains("none of the 10 files"), "{}", ran.stderr);
    assert!(!out.exists());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "something was left beside the folder");
}

#[test]
fn a_second_filing_with_one_accession_is_refused_and_a_row_without_file_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let good = synth(dir.path(), 30, 2);
    let manifest = good.join("manifest.jsonl");
    let mut rows = std::fs::read_to_string(&manifest).unwrap();
    let first: serde_json::Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
    let mut again = first.clone();
    let name = first["file"].as_str().unwrap();
    std::fs::copy(good.join(name), good.join(format!("again-{name}"))).unwrap();
    again["file"] = format!("again-{name}").into();
    rows += &format!("{again}\n{{\"file\": \"gone.htm\"}}\n");
    std::fs::write(&manifest, rows).unwrap();
    let out = dir.path().join("out");
    let refused = eightk(["build", arg(&good), "--out", arg(&out), "--json"]).exits(0).json()["refused"].to_string();
    assert!(refused.contains("was already read from"), "{refused}");
    assert!(refused.contains("gone.htm"), "{refused}");
}

#[test]
fn wrong_use_exits_with_2_and_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let good = synth(dir.path(), 12, 3);
    let recipe = dir.path().join("mine.toml");
    let out = dir.path().join("out");
    let build = |recipe: &str| eightk(["build", arg(&good), "--recipe", recipe, "--out", arg(&out)]);
    assert!(build("no-such-recipe").exits(2).stderr.contains("restructuring"));
    std::fs::write(&recipe, "name = \"x\"\n[[fact]\n").unwrap();
    assert!(build(arg(&recipe)).exits(2).stderr.contains("mine.toml"));
    let builtin = eightk(["recipe", "show", "restructuring"]).exits(0).stdout;
    std::fs::write(&recipe, format!("surprise = 1\n{builtin}")).unwrap();
    assert!(build(arg(&recipe)).exits(2).stderr.contains("surprise"));
    assert!(!out.exists());
    assert!(
        eightk(["build", arg(&dir.path().join("nowhere")), "--out", arg(&out)]).exits(2).stderr.contains("nowhere")
    );
    eightk(["build"]).exits(2);
    eightk(["frobnicate"]).exits(2);
    eightk(["build", arg(&good), "--out", arg(&out), "--threads", "0"]).exits(2);
}

#[test]
fn only_a_folder_of_our_own_is_replaced_and_only_with_force() {
    let dir = tempfile::tempdir().unwrap();
    let good = synth(dir.path(), 30, 4);
    let out = dir.path().join("out");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("precious.txt"), "mine").unwrap();
    let ran = eightk(["build", arg(&good), "--out", arg(&out)]).exits(2);
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    let ran = eightk(["build", arg(&good), "--out", arg(&out), "--force"]).exits(2);
    assert!(ran.stderr.contains("only folders that eightk wrote"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(out.join("precious.txt")).unwrap(), "mine");
    let set = dir.path().join("set");
    eightk(["build", arg(&good), "--out", arg(&set)]).exits(0);
    eightk(["build", arg(&good), "--out", arg(&set)]).exits(2);
    eightk(["build", arg(&good), "--out", arg(&set), "--force"]).exits(0);
    // What is read is never replaced, though it was generated.
    let ran = eightk(["build", arg(&good), "--out", arg(&good), "--force"]).exits(2);
    assert!(ran.stderr.contains("is an input"), "{}", ran.stderr);
    eightk(["eval", arg(&set), "--system", "bm25", "--out", arg(&set), "--force"]).exits(2);
    eightk(["audit", arg(&set)]).exits(0);
}

#[test]
fn a_broken_manifest_row_takes_down_nothing_but_itself() {
    let dir = tempfile::tempdir().unwrap();
    let good = synth(dir.path(), 30, 5);
    let manifest = good.join("manifest.jsonl");
    let rows = std::fs::read_to_string(&manifest).unwrap();
    let left = rows.lines().skip(2).collect::<Vec<_>>().join("\n");
    std::fs::write(&manifest, format!("{{\"file\": 5}}\nno json\n{left}\n")).unwrap();
    let out = dir.path().join("out");
    let summary = eightk(["build", arg(&good), "--out", arg(&out), "--json"]).exits(0).json();
    let refused = summary["refused"].to_string();
    assert!(refused.contains("line 1 of the manifest") && refused.contains("line 2 of the manifest"), "{refused}");
    assert_eq!(summary["filings"], 28);
    assert_eq!(summary["unlisted"], 2, "the two filings whose rows are broken");
}

#[cfg(unix)]
#[test]
fn links_to_filings_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    let good = synth(dir.path(), 20, 6);
    let links = dir.path().join("links");
    std::fs::create_dir(&links).unwrap();
    let mut n = 0;
    for entry in std::fs::read_dir(&good).unwrap() {
        let path = entry.unwrap().path();
        if !path.to_string_lossy().ends_with(".jsonl") {
            std::os::unix::fs::symlink(&path, links.join(path.file_name().unwrap())).unwrap();
            n += 1;
        }
    }
    std::os::unix::fs::symlink(&links, links.join("loop")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("nowhere.htm"), links.join("dead.htm")).unwrap();
    let out = dir.path().join("out");
    let summary = eightk(["build", arg(&links), "--out", arg(&out), "--json"]).exits(0).json();
    let refused = summary["refused"].as_array().unwrap();
    assert_eq!(summary["filings"].as_u64().unwrap() as usize + refused.len(), n + 1);
    assert!(refused.iter().any(|r| r["file"] == "dead.htm"), "{refused:?}");
}

#[test]
fn split_reports_the_line_that_is_no_json() {
    let ran = eightk_with_input(&["split", "-"], b"{\"text\": \"One. Two.\"}\nnot json\n").exits(1);
    assert!(ran.stderr.contains("line 2"), "{}", ran.stderr);
}

#[test]
fn offsets_of_split_are_code_points() {
    let ran = eightk_with_input(&["split", "-"], "{\"text\": \"Café opens. 日本 too.\"}\n".as_bytes()).exits(0);
    assert_eq!(ran.stdout, "{\"spans\":[[0,11],[12,19]]}\n");
}
