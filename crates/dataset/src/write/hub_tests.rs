//! The card as the Hub and its library read it.

use std::collections::BTreeSet;

use saphyr::{LoadableYamlNode, Yaml};

use super::tests::{files, write};
use super::*;
use crate::testing;

/// What the Hub defines for a card's head: keys, and their values where they are a list of its own.
const VALUES: &[(&str, &[&str])] = &[
    ("pretty_name", &[]),
    ("language", &["en"]),
    ("license", &["apache-2.0", "mit", "cc-by-4.0", "cc0-1.0", "odc-by", "pddl", "unknown", "other"]),
    ("license_name", &[]),
    ("license_link", &[]),
    (
        "annotations_creators",
        &["found", "crowdsourced", "expert-generated", "machine-generated", "no-annotation", "other"],
    ),
    ("language_creators", &["found", "crowdsourced", "expert-generated", "machine-generated", "other"]),
    ("multilinguality", &["monolingual", "multilingual", "translation", "other"]),
    ("source_datasets", &["original", "extended"]),
    ("task_categories", &["text-retrieval", "question-answering", "text-ranking", "sentence-similarity", "other"]),
    (
        "size_categories",
        &["n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B"],
    ),
    ("tags", &[]),
    ("configs", &[]),
];

/// The head of a card, parsed, and what follows.
fn parts(card: &str) -> (Yaml<'_>, &str) {
    let (head, body) = card.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    let mut documents = Yaml::load_from_str(head).unwrap();
    assert_eq!(documents.len(), 1);
    (documents.remove(0), body)
}

/// A string, or the strings of a list.
fn strings<'y>(value: &'y Yaml<'_>) -> Vec<&'y str> {
    match value.as_sequence() {
        Some(list) => list.iter().map(|v| v.as_str().expect("a list of strings")).collect(),
        None => vec![value.as_str().expect("a string")],
    }
}

/// The card and the names of the files beside it.
fn written(filings: usize, rows_per_shard: usize) -> (String, BTreeSet<String>) {
    let root = tempfile::tempdir().unwrap();
    let options = WriteOptions { rows_per_shard, ..WriteOptions::default() };
    let written = write(&testing::dataset(filings), &root.path().join("set"), options).unwrap();
    let files = files(&written.folder);
    (String::from_utf8(files["README.md"].clone()).unwrap(), files.into_keys().collect())
}

#[test]
fn the_head_holds_what_the_hub_defines() {
    for (filings, size) in [(3, "n<1K"), (300, "1K<n<10K")] {
        let (card, _) = written(filings, 1_000_000);
        let (head, _) = parts(&card);
        for (key, value) in head.as_mapping().unwrap() {
            let key = key.as_str().unwrap();
            let Some((_, allowed)) = VALUES.iter().find(|(name, _)| *name == key) else { panic!("{key} is no key") };
            if !allowed.is_empty() {
                assert!(strings(value).iter().all(|v| allowed.contains(v)), "{key}: {value:?}");
            }
        }
        assert_eq!(head["pretty_name"].as_str(), Some("Invented: “plans”"));
        assert_eq!(strings(&head["size_categories"]), [size]);
        // A licence of no list needs a name and a place where it can be read.
        let (license, name) = (head["license"].as_str(), head["license_name"].as_str().unwrap());
        assert!(license == Some("other") && name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
        assert!(head["license_link"].as_str().unwrap().starts_with("https://"));
    }
}

#[test]
fn invented_filings_are_not_called_public_records() {
    let card = |invented: usize| {
        let mut set = testing::dataset(4);
        for row in set.filings.iter_mut().flatten().take(invented) {
            row.cik = Some("9000000012".into());
        }
        let root = tempfile::tempdir().unwrap();
        let written = write(&set, &root.path().join("set"), WriteOptions::default()).unwrap();
        let card = String::from_utf8(files(&written.folder)["README.md"].clone()).unwrap();
        let (head, body) = parts(&card);
        let creators: Vec<String> = strings(&head["language_creators"]).into_iter().map(str::to_owned).collect();
        (head["license"].as_str().unwrap().to_owned(), creators, body.to_owned())
    };
    let (license, creators, body) = card(0);
    assert_eq!((license.as_str(), creators.as_slice()), ("other", &["found".to_owned()][..]));
    assert!(!body.contains("are invented") && body.contains("public records"));
    let (license, creators, body) = card(1);
    assert_eq!((license.as_str(), creators.len()), ("other", 2));
    assert!(body.contains("1 of 4 filings are invented") && body.contains("public records"));
    let (license, creators, body) = card(4);
    assert_eq!((license.as_str(), creators.as_slice()), ("cc0-1.0", &["machine-generated".to_owned()][..]));
    assert!(body.contains("The filings are invented") && !body.contains("public records") && !body.contains("EDGAR]"));
}

#[test]
fn every_config_finds_its_files_and_every_shard_belongs_to_one() {
    let (card, files) = written(20, 9);
    let (head, _) = parts(&card);
    let mut claimed = BTreeSet::new();
    let mut names = Vec::new();
    for config in head["configs"].as_sequence().unwrap() {
        names.push(config["config_name"].as_str().unwrap());
        for split in config["data_files"].as_sequence().unwrap() {
            assert_eq!(split["split"].as_str(), Some("test"));
            let (before, after) = split["path"].as_str().unwrap().split_once('*').unwrap();
            let found: Vec<&String> = files.iter().filter(|f| f.starts_with(before) && f.ends_with(after)).collect();
            assert!(found.len() > 1, "{before}*{after}: {files:?}");
            assert!(found.iter().all(|f| claimed.insert((*f).clone())), "two configs claim a file");
        }
    }
    assert_eq!(names, ["documents", "queries", "filings"]);
    let shards: BTreeSet<String> = files.iter().filter(|f| f.ends_with(".parquet")).cloned().collect();
    assert_eq!(claimed, shards);
}

#[test]
fn every_file_the_card_names_is_there() {
    let (card, files) = written(5, 1_000_000);
    let (_, body) = parts(&card);
    let mut pictures = 0;
    for picture in body.split("\n![").skip(1) {
        let (told, rest) = picture.split_once("](").unwrap();
        let path = rest.split_once(')').unwrap().0;
        assert!(files.contains(path), "{path}");
        assert!(told.len() > 40 && told.ends_with('.') && !told.contains('\n'), "{told}");
        pictures += 1;
    }
    assert_eq!(pictures, 2);
    // Everything in backquotes that looks like a file of the set.
    let named: BTreeSet<&str> =
        body.split('`').filter(|w| w.contains('.') && !w.contains([' ', '\n', '[', '('])).collect();
    let named: Vec<_> = named.into_iter().filter(|w| w.ends_with(".json") || w.ends_with(".jsonl")).collect();
    assert!(named.contains(&"audit/dropped.jsonl") && named.contains(&"manifest.json"), "{named:?}");
    assert!(named.iter().all(|n| files.contains(*n)), "{named:?} of {files:?}");
}

#[test]
fn a_set_without_queries_shows_no_rivals() {
    let root = tempfile::tempdir().unwrap();
    let mut set = testing::dataset(2);
    (set.queries, set.rivals) = (Vec::new(), Some(Vec::new()));
    let written = write(&set, &root.path().join("set"), WriteOptions::default()).unwrap();
    let files = files(&written.folder);
    assert!(files.contains_key("plots/chunk-lengths.svg") && !files.contains_key("plots/rivals-per-query.svg"));
    assert!(!String::from_utf8_lossy(&files["README.md"]).contains("rivals-per-query.svg"));
}

#[test]
fn a_name_with_markup_breaks_neither_head_nor_body() {
    let root = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(&root.path().join("set"), WriteOptions::default()).unwrap();
    let (filing, chunks) = testing::filing(0);
    writer.push_filing(&filing, &chunks).unwrap();
    let name = "a: \"b\" # c\n---\nlicense: mit <b>\u{1f600}";
    let text = CardText { name: name.into(), ..CardText::default() };
    let written = writer.finish(&Manifest::default(), &text).unwrap();
    let card = fs::read_to_string(written.folder.join("README.md")).unwrap();
    let (head, body) = parts(&card);
    assert_eq!(head["pretty_name"].as_str(), Some(name));
    assert_eq!(head["license"].as_str(), Some("other"));
    assert!(body.contains("# a: \"b\" \\# c --- license: mit \\<b\\>\u{1f600}\n"), "{body}");
}

/// `datasets` finds the three configs and nothing else: a picture is no row.
#[test]
#[allow(clippy::disallowed_methods)] // Which Python, the environment says.
fn the_hubs_library_finds_the_configs_alone() {
    let python = std::env::var("EIGHTK_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let probe = std::process::Command::new(&python).args(["-c", "import datasets"]).output();
    if !probe.is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: needs a Python with datasets (EIGHTK_PYTHON)");
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let written = write(&testing::dataset(6), &root.path().join("set"), WriteOptions::default()).unwrap();
    assert!(written.folder.join("plots/chunk-lengths.svg").is_file());
    let script = "import sys, datasets\nroot = sys.argv[1]\n\
                  for name in datasets.get_dataset_config_names(root):\n    \
                  print(name, {s: len(rows) for s, rows in datasets.load_dataset(root, name).items()})";
    let out = std::process::Command::new(&python)
        .args(["-c", script])
        .arg(&written.folder)
        .env("HF_DATASETS_CACHE", root.path().join("cache"))
        .env("HF_HUB_OFFLINE", "1")
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let said = String::from_utf8_lossy(&out.stdout);
    assert_eq!(said, "documents {'test': 24}\nqueries {'test': 6}\nfilings {'test': 6}\n");
}
