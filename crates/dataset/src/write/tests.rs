//! What is written is what is read back.

use super::*;
use crate::{Source, fingerprint, read, testing};
use std::collections::BTreeMap;

/// Writes a data set the way a build does.
pub(super) fn write(set: &DataSet, target: &Path, options: WriteOptions) -> Result<Written, DatasetError> {
    let mut writer = Writer::create(target, options)?;
    for filing in set.filings.iter().flatten() {
        let chunks: Vec<Chunk> = set.chunks.iter().filter(|c| c.source_url == filing.source_url).cloned().collect();
        writer.push_filing(filing, &chunks)?;
        writer.push_dropped(&Dropped::new(&filing.source_url, CharSpan::new(0, 4), DropReason::Heading, "Item"))?;
    }
    writer.push_left_out(&serde_json::json!({"source_url": "x", "reason": "no reason"}))?;
    writer.push_queries(&set.queries)?;
    writer.push_rivals(set.rivals.clone().unwrap_or_default());
    let mut manifest = Manifest::default();
    manifest.recipe.name = "invented".to_owned();
    manifest.dropped.insert("heading".to_owned(), 3);
    manifest.counts.insert("filings".to_owned(), 3.into());
    manifest.audit.insert("ceiling".to_owned(), 0.5.into());
    let text = CardText {
        name: "Invented: “plans”".to_owned(),
        summary: "Invented filings.".to_owned(),
        ..CardText::default()
    };
    writer.finish(&manifest, &text)
}

pub(super) fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut out, mut open) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                out.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    out
}

#[test]
fn comes_back_as_it_went() {
    let root = tempfile::tempdir().unwrap();
    let set = testing::dataset(5);
    let written = write(&set, &root.path().join("set"), WriteOptions::default()).unwrap();
    assert!(written.audit.as_ref().unwrap().passed, "{:#?}", written.audit);
    let (back, report) = read(&Source::Folder(written.folder.clone())).unwrap();
    assert_eq!(back, set);
    assert_eq!(written.fingerprint, fingerprint(&set));
    let stated = crate::ReadReport {
        stated_fingerprint: Some(written.fingerprint.clone()),
        stated_recipe: Some("invented".to_owned()),
        stated_limits: Some(serde_json::json!({"ceiling": 0.5})),
        ..crate::ReadReport::default()
    };
    assert_eq!(report, stated);
    assert!(audit(&back, &report).checks.iter().all(|c| c.outcome == crate::CheckOutcome::Passed));
    assert_eq!(written.statistics, Statistics::of(&set));
    let names: Vec<String> = files(&written.folder).into_keys().collect();
    assert_eq!(
        names,
        [
            "README.md",
            "audit/dropped.jsonl",
            "audit/left-out.jsonl",
            "audit/result.json",
            "audit/rivals.jsonl",
            "documents/test-00000-of-00001.parquet",
            "filings/test-00000-of-00001.parquet",
            "manifest.json",
            "plots/chunk-lengths.svg",
            "plots/rivals-per-query.svg",
            "queries/test-00000-of-00001.parquet"
        ]
    );
}

#[test]
fn shards_change_nothing_but_the_files() {
    let root = tempfile::tempdir().unwrap();
    let set = testing::dataset(5);
    for (rows, documents) in [(1, 20), (3, 7), (20, 1), (7, 3)] {
        let options = WriteOptions { rows_per_shard: rows, ..WriteOptions::default() };
        let written = write(&set, &root.path().join(format!("by-{rows}")), options).unwrap();
        assert_eq!(read(&Source::Folder(written.folder.clone())).unwrap().0, set);
        let files = files(&written.folder);
        let shards: Vec<&String> = files.keys().filter(|f| f.starts_with("documents/")).collect();
        assert_eq!(shards.len(), documents, "{shards:?}");
        assert_eq!(*shards[documents - 1], format!("documents/test-{:05}-of-{documents:05}.parquet", documents - 1));
    }
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let root = tempfile::tempdir().unwrap();
    let set = testing::dataset(4);
    let [a, b] = ["a", "b"].map(|n| files(&write(&set, &root.path().join(n), WriteOptions::default()).unwrap().folder));
    assert_eq!(a, b);
    let unaudited = WriteOptions { audit: false, ..WriteOptions::default() };
    let mut c = files(&write(&set, &root.path().join("c"), unaudited).unwrap().folder);
    assert!(!c.contains_key("audit/result.json"));
    let card = |f: &BTreeMap<String, Vec<u8>>| String::from_utf8(f["README.md"].clone()).unwrap();
    let shown = card(&a).split("## How it was made").next().unwrap().to_owned();
    assert!(shown.contains("**Rivals**") && card(&c).starts_with(&shown), "the example does not need the audit");
    c.remove("README.md");
    assert!(c.iter().all(|(name, bytes)| a[name] == *bytes));
}

#[test]
fn an_empty_set_can_be_written_and_read() {
    let root = tempfile::tempdir().unwrap();
    let written = write(&DataSet::default(), &root.path().join("set"), WriteOptions::default()).unwrap();
    let (back, _) = read(&Source::Folder(written.folder)).unwrap();
    assert_eq!((back.chunks.len(), back.queries.len()), (0, 0));
    assert!(!written.audit.unwrap().passed, "there is no query");
}

#[test]
fn rows_that_contradict_each_other_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let target = root.path().join("set");
    let mut writer = Writer::create(&target, WriteOptions::default()).unwrap();
    let ((a, a_chunks), (b, b_chunks)) = (testing::filing(0), testing::filing(1));
    assert!(matches!(writer.push_filing(&a, &b_chunks), Err(DatasetError::Inconsistent { .. })));
    assert!(matches!(writer.push_filing(&a, &a_chunks[1..]), Err(DatasetError::Inconsistent { .. })));
    writer.push_filing(&b, &b_chunks).unwrap();
    assert!(matches!(writer.push_filing(&a, &a_chunks), Err(DatasetError::FilingOrder { .. })));
    assert!(matches!(writer.push_filing(&b, &b_chunks), Err(DatasetError::FilingOrder { .. })));
    drop(writer);
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0, "an unfinished set leaves nothing");
}

#[test]
fn the_card_opens_with_its_configs() {
    let root = tempfile::tempdir().unwrap();
    let written = write(&testing::dataset(3), &root.path().join("set"), WriteOptions::default()).unwrap();
    let card = fs::read_to_string(written.folder.join("README.md")).unwrap();
    let head = card.strip_prefix("---\n").unwrap().split("\n---\n").next().unwrap();
    for config in ["documents", "queries", "filings"] {
        let block = format!("- config_name: {config}\n  data_files:\n  - split: test\n    path: {config}/test-*");
        assert!(head.contains(&block), "{head}");
    }
    assert!(head.contains("pretty_name: \"Invented: “plans”\"") && head.contains("- n<1K"));
    assert!(card.contains(&written.fingerprint) && card.contains("smoke test"));
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(written.folder.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["fingerprint"], written.fingerprint);
    assert_eq!(manifest["files"][0]["rows"], 12);
    assert!(!manifest.to_string().contains(root.path().to_str().unwrap()));
}

/// Holds a written set against the checker that reads with `datasets`, where both are there.
#[test]
#[allow(clippy::disallowed_methods)] // The tools lie where the environment says.
fn the_readers_users_have_agree() {
    let shared = std::env::var("EIGHTK_SHARED").map(PathBuf::from);
    let asked = shared.is_ok();
    let shared = shared.unwrap_or_else(|_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")));
    let tool = shared.join("tools/check_dataset.py");
    assert!(!asked || shared.is_dir(), "EIGHTK_SHARED is set, but {} is not there", shared.display());
    let python = std::env::var("EIGHTK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let ready = |python: &str| {
        let probe = std::process::Command::new(python).args(["-c", "import datasets, pyarrow"]).output();
        probe.is_ok_and(|o| o.status.success())
    };
    if !tool.is_file() || !ready(&python) {
        eprintln!("skipped: needs {} and a Python with datasets and pyarrow (EIGHTK_PYTHON)", tool.display());
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let options = WriteOptions { rows_per_shard: 40, ..WriteOptions::default() };
    let written = write(&testing::dataset(40), &root.path().join("set"), options).unwrap();
    let out = std::process::Command::new(python)
        .arg(tool)
        .arg(&written.folder)
        .args(["--min-queries", "40", "--min-evidence", "40", "--min-filings", "40", "--min-chunks", "160"])
        .env("HF_DATASETS_CACHE", root.path().join("cache"))
        .env("HF_HUB_OFFLINE", "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{said}\n{}", String::from_utf8_lossy(&out.stderr));
    assert!(said.contains("40 filings, 160 chunks, 40 queries") && said.contains(" 0 wrong"), "{said}");
}

#[test]
fn an_audit_of_the_callers_lies_in_the_folder_and_on_the_card() {
    let root = tempfile::tempdir().unwrap();
    let set = testing::dataset(2);
    let mut writer = Writer::create(&root.path().join("set"), WriteOptions::default()).unwrap();
    for filing in set.filings.as_ref().unwrap() {
        let chunks: Vec<_> = set.chunks.iter().filter(|c| c.source_url == filing.source_url).cloned().collect();
        writer.push_filing(filing, &chunks).unwrap();
    }
    writer.push_queries(&set.queries).unwrap();
    writer.push_rivals(set.rivals.clone().unwrap());
    let auditor = |rows: &DataSet| {
        assert_eq!(*rows, set);
        let invariants = audit(rows, &ReadReport::default());
        Ok(Audited {
            invariants,
            result: serde_json::json!({"seen": rows.chunks.len()}),
            card: "Nothing to see.\n".into(),
        })
    };
    let written = writer.finish_with(&Manifest::default(), &CardText::default(), auditor).unwrap();
    let result = fs::read_to_string(written.folder.join("audit/result.json")).unwrap();
    assert_eq!(result, "{\n  \"seen\": 8\n}\n");
    let card = fs::read_to_string(written.folder.join("README.md")).unwrap();
    assert!(card.contains("\n## Audit\n\nNothing to see.\n\n## Checking it\n"), "{card}");
    assert!(written.audit.unwrap().passed);
}
