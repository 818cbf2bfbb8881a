//! A data set built from a store of fetched filings is, byte for byte, the one built from a folder of the same filings.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::Path;

use eightk_build::{BuildOptions, BuildSummary, build, discover};
use eightk_core::Form;
use eightk_edgar::address;
use eightk_edgar::find::{Filer, Found};
use eightk_edgar::store::{Record, Store};
use eightk_mine::Recipe;
use eightk_synth::{Corpus, GeneratedFile, Options, generate};

fn write_folder(corpus: &Corpus, folder: &Path) {
    std::fs::create_dir(folder).unwrap();
    let mut manifest = String::new();
    for file in &corpus.files {
        std::fs::write(folder.join(&file.name), &file.bytes).unwrap();
        manifest += &(serde_json::to_string(&file.row).unwrap() + "\n");
    }
    std::fs::write(folder.join("manifest.jsonl"), manifest).unwrap();
}

/// What the search tells of a filing: no names but the company's, the filing's numbers, its day and its Items.
fn found(file: &GeneratedFile) -> Found {
    let row = &file.row;
    let name = row.company.clone().unwrap();
    Found {
        accession: row.accession.as_deref().unwrap().parse().unwrap(),
        form: Form::parse(&row.form).unwrap(),
        filed: row.filed.as_deref().unwrap().parse().unwrap(),
        report_date: row.filed.as_deref().unwrap().parse().ok(),
        items: row.items.iter().map(|i| i.trim_start_matches("old:").to_owned()).collect(),
        filers: vec![Filer { cik: row.cik.clone().unwrap(), name, tickers: vec![] }],
        document: Some(file.name.clone()),
        amends: None,
    }
}

/// `name`: what each document is called.
fn write_store(corpus: &Corpus, root: &Path, name: impl Fn(&GeneratedFile) -> String) {
    let store = Store::open(root).unwrap();
    // Downloads end in any order.
    for file in corpus.files.iter().rev() {
        let found = found(file);
        let name = name(file);
        let url = address::document(&found.filers[0].cik, &found.accession, &name);
        let record = Record::new(&found, &name, &url, &file.bytes).unwrap();
        store.put_filing(&record, &file.bytes).unwrap();
    }
}

fn built(from: &Path, out: &Path) -> BuildSummary {
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let options = BuildOptions { out: out.to_owned(), ..BuildOptions::default() };
    build(discover(&[from.to_owned()]).unwrap(), &recipe, &options, || {}).unwrap()
}

/// Every file below a folder with its bytes, by relative path.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut out, mut open) = (BTreeMap::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                out.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    out
}

#[test]
fn a_store_and_a_folder_give_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let corpus = generate(&Options { filings: 300, seed: 21, ..Options::default() });
    write_folder(&corpus, &at("folder"));
    write_store(&corpus, &at("store"), |file| file.name.clone());
    let from_folder = built(&at("folder"), &at("a"));
    let from_store = built(&at("store"), &at("b"));
    assert_eq!(from_folder, from_store);
    assert_eq!((from_folder.filings, from_folder.refused.len()), (300, 0));
    assert!(from_folder.queries >= 50, "{} queries", from_folder.queries);
    let (a, b) = (tree(&at("a")), tree(&at("b")));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    assert!(a.len() >= 8, "{:?}", a.keys());
    for (name, bytes) in &a {
        assert!(bytes == &b[name], "{name} differs");
    }
}

#[test]
fn a_damaged_document_is_refused_and_the_rest_is_built() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let corpus = generate(&Options { filings: 20, seed: 22, ..Options::default() });
    write_store(&corpus, &at("store"), |_| "d8k.htm".into());
    let harmed = &corpus.files[4];
    let accession = harmed.row.accession.as_deref().unwrap();
    let mut bytes = harmed.bytes.clone();
    bytes[40] ^= 1;
    std::fs::write(at("store/filings").join(accession).join("d8k.htm"), bytes).unwrap();
    let summary = built(&at("store"), &at("out"));
    assert_eq!(summary.filings, 19);
    assert_eq!(summary.refused.len(), 1);
    let refused = &summary.refused[0];
    assert_eq!(refused.file, "d8k.htm");
    assert!(refused.reason.contains("SHA-256") && refused.reason.contains(accession), "{}", refused.reason);
}
