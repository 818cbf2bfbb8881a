//! Data sets of the same shape that were not written here: other types, other layouts, missing columns.
#![allow(clippy::unwrap_used)] // Helpers of tests fail like tests.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, LargeListBuilder, ListBuilder, StringBuilder, StringViewBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int16Array, Int32Array, Int64Array, LargeStringArray, RecordBatch,
    StringArray, StringViewArray, UInt64Array,
};
use eightk_core::Role;
use eightk_dataset::{
    DataSet, DatasetError, ErrorKind, ReadReport, Source, audit, fingerprint, judge, read, repair_spans,
};
use parquet::arrow::ArrowWriter;

const DOCUMENTS: &str = r#"{"chunk_id": "f1#s0", "chunk": "Tandem Lantern Inc. (the “Company”) adopted a plan.", "source_url": "f1", "title": "Tandem Lantern 8-K 2024-05-02", "chunk_idx": 0, "chunk_start_char": 0, "chunk_end_char": 51}
{"chunk_id": "f1#s52", "chunk": "The Company expects charges of about $3 million.", "source_url": "f1", "title": "Tandem Lantern 8-K 2024-05-02", "chunk_idx": 1, "chunk_start_char": 52, "chunk_end_char": 100}
{"chunk_id": "f2#s0", "chunk": "We expect charges of about $9 million.", "source_url": "f2", "title": "Ostrava Glass 8-K 2024-06-03", "chunk_idx": 0, "chunk_start_char": 0, "chunk_end_char": 38}
"#;

const QUERIES: &str = r#"{"original_query": "What charges does Tandem Lantern expect?", "query": "What charges does Tandem Lantern expect?", "answer": ["The Company expects charges of about $3 million.", "Tandem Lantern Inc. (the “Company”) adopted a plan."], "score": [2, 1], "source_url": ["f1", "f1"], "frag_start_char": [52, 0], "frag_end_char": [100, 51], "n_gold": 2, "roles": ["answer", "evidence"]}
"#;

const IDS: [&str; 3] = ["f1#s0", "f1#s52", "f2#s0"];
const TEXTS: [&str; 3] = [
    "Tandem Lantern Inc. (the “Company”) adopted a plan.",
    "The Company expects charges of about $3 million.",
    "We expect charges of about $9 million.",
];
const TITLES: [&str; 3] =
    ["Tandem Lantern 8-K 2024-05-02", "Tandem Lantern 8-K 2024-05-02", "Ostrava Glass 8-K 2024-06-03"];
const QUESTION: &str = "What charges does Tandem Lantern expect?";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn read_folder(path: &Path) -> Result<(DataSet, ReadReport), DatasetError> {
    read(&Source::Folder(path.to_owned()))
}

fn jsonl() -> (DataSet, ReadReport) {
    read_folder(folder(&[("documents.jsonl", DOCUMENTS), ("queries.jsonl", QUERIES)]).path()).unwrap()
}

fn parquet(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// Documents and queries in types that nobody would choose, with columns we do not know.
fn odd_parquet(root: &Path) {
    parquet(
        &root.join("data/documents-00000-of-00002.parquet"),
        vec![
            ("embedding", Arc::new(Float64Array::from(vec![0.5, 0.25]))),
            ("chunk_id", Arc::new(LargeStringArray::from(IDS[..2].to_vec()))),
            ("chunk", Arc::new(StringViewArray::from(TEXTS[..2].to_vec()))),
            ("source_url", Arc::new(vec!["f1", "f1"].into_iter().collect::<DictionaryArray<Int32Type>>())),
            ("title", Arc::new(TITLES[..2].iter().copied().collect::<DictionaryArray<Int32Type>>())),
            ("chunk_idx", Arc::new(Int16Array::from(vec![0, 1]))),
            ("chunk_start_char", Arc::new(UInt64Array::from(vec![0, 52]))),
            ("chunk_end_char", Arc::new(Float64Array::from(vec![51.0, 100.0]))),
        ],
    );
    // The second shard has types of its own.
    parquet(
        &root.join("data/documents-00001-of-00002.parquet"),
        vec![
            ("chunk_end_char", Arc::new(Int32Array::from(vec![38]))),
            ("chunk_start_char", Arc::new(Int64Array::from(vec![0]))),
            ("chunk_idx", Arc::new(Int32Array::from(vec![0]))),
            ("title", strings(&TITLES[2..])),
            ("source_url", strings(&["f2"])),
            ("chunk", strings(&TEXTS[2..])),
            ("chunk_id", strings(&IDS[2..])),
        ],
    );
    let mut answer = LargeListBuilder::new(StringViewBuilder::new());
    answer.values().append_value(TEXTS[1]);
    answer.values().append_value(TEXTS[0]);
    answer.append(true);
    let mut filings = ListBuilder::new(StringBuilder::new());
    filings.values().append_value("f1");
    filings.values().append_value("f1");
    filings.append(true);
    let numbers = |values: [i32; 2]| {
        let mut list = LargeListBuilder::new(Int32Builder::new());
        list.values().append_slice(&values);
        list.append(true);
        Arc::new(list.finish()) as ArrayRef
    };
    parquet(
        &root.join("data/queries-00000-of-00001.parquet"),
        vec![
            ("query", Arc::new(LargeStringArray::from(vec![QUESTION]))),
            ("answer", Arc::new(answer.finish())),
            ("score", numbers([2, 1])),
            ("source_url", Arc::new(filings.finish())),
            ("frag_start_char", numbers([52, 0])),
            ("frag_end_char", numbers([100, 51])),
        ],
    );
}

#[test]
fn types_do_not_matter() {
    let root = tempfile::tempdir().unwrap();
    odd_parquet(root.path());
    let (set, report) = read_folder(root.path()).unwrap();
    let (wanted, _) = jsonl();
    assert_eq!(set, wanted);
    assert_eq!(fingerprint(&set), fingerprint(&wanted), "missing columns are filled in before the fingerprint");
    let missing: Vec<&str> = report.missing.iter().map(|m| m.column).collect();
    assert_eq!(missing, ["original_query", "n_gold", "roles", "fact", "alternatives"]);
    assert!(report.unfit.is_empty());
    let checks = audit(&set, &report);
    let failed: Vec<&str> = checks.failed().map(|c| c.name.as_str()).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn gzip_and_crlf_do_not_matter_either() {
    let (wanted, _) = jsonl();
    let root = tempfile::tempdir().unwrap();
    let mut gz = flate2::write::GzEncoder::new(
        File::create(root.path().join("documents.jsonl.gz")).unwrap(),
        flate2::Compression::fast(),
    );
    std::io::Write::write_all(&mut gz, DOCUMENTS.replace('\n', "\r\n").as_bytes()).unwrap();
    gz.finish().unwrap();
    fs::write(root.path().join("queries.jsonl"), QUERIES.trim_end()).unwrap();
    assert_eq!(read_folder(root.path()).unwrap().0, wanted);
}

#[test]
fn scores_of_one_everywhere_are_answers() {
    let unscored = QUERIES.replace("\"score\": [2, 1], ", "");
    let neither = unscored.replace(", \"roles\": [\"answer\", \"evidence\"]", "");
    for queries in [QUERIES.replace("[2, 1]", "[1, 1]"), neither] {
        let root = folder(&[("documents.jsonl", DOCUMENTS), ("queries.jsonl", &queries)]);
        let (set, report) = read_folder(root.path()).unwrap();
        assert!(report.answer_only);
        assert!(set.queries[0].golds.iter().all(|g| g.role == Role::Answer && g.score == 1));
        assert_eq!(judge(&set).qrels.answer_grade(), 1);
    }
    // Roles alone say which gold answers.
    let root = folder(&[("documents.jsonl", DOCUMENTS), ("queries.jsonl", &unscored)]);
    let (set, report) = read_folder(root.path()).unwrap();
    assert!(!report.answer_only && report.lacks("queries", "score"));
    assert_eq!(set.queries, jsonl().0.queries);
}

#[test]
fn roles_are_read_where_they_are_and_come_from_scores_elsewhere() {
    let without = QUERIES.replace(", \"roles\": [\"answer\", \"evidence\"]", "");
    let root = folder(&[("documents.jsonl", DOCUMENTS), ("queries.jsonl", &without)]);
    assert_eq!(read_folder(root.path()).unwrap().0, jsonl().0);
    let swapped = QUERIES.replace("[\"answer\", \"evidence\"]", "[\"evidence\", \"reply\"]");
    let root = folder(&[("documents.jsonl", DOCUMENTS), ("queries.jsonl", &swapped)]);
    let (set, report) = read_folder(root.path()).unwrap();
    assert_eq!(set.queries[0].golds[0].role, Role::Evidence);
    assert_eq!(report.unknown_roles, [("q0".to_owned(), "reply".to_owned())]);
    let failed: Vec<String> = audit(&set, &report).failed().map(|c| c.name.clone()).collect();
    assert_eq!(failed, ["roles-mirror-score"]);
}

#[test]
fn spans_that_do_not_fit_are_reported_and_repaired_on_request() {
    let broken = DOCUMENTS
        .replace("\"chunk_end_char\": 100", "\"chunk_end_char\": -7")
        .replace("\"chunk_end_char\": 38", "\"chunk_end_char\": 30");
    let root = folder(&[("documents.jsonl", &broken), ("queries.jsonl", QUERIES)]);
    let (mut set, report) = read_folder(root.path()).unwrap();
    let unfit: Vec<_> = report.unfit.iter().map(|u| (u.chunk_id.as_str(), u.start, u.end, u.chars)).collect();
    assert_eq!(unfit, [("f1#s52", 52, -7, 48), ("f2#s0", 0, 30, 38)]);
    assert_eq!(judge(&set).dangling.len(), 1);
    assert_eq!(repair_spans(&mut set).chunks, 2);
    assert_eq!(set, jsonl().0);
}

#[test]
fn missing_positions_are_restored() {
    let mut documents = DOCUMENTS.to_owned();
    for (idx, end) in [(0, 51), (1, 100), (0, 38)] {
        documents = documents.replacen(&format!("\"chunk_idx\": {idx}, "), "", 1);
        documents = documents.replacen(&format!(", \"chunk_end_char\": {end}"), "", 1);
    }
    assert!(!documents.contains("chunk_idx") && !documents.contains("chunk_end_char"));
    let root = folder(&[("documents.jsonl", &documents), ("queries.jsonl", QUERIES)]);
    let (set, report) = read_folder(root.path()).unwrap();
    assert_eq!(set, jsonl().0);
    assert!(report.lacks("documents", "chunk_idx") && report.lacks("documents", "chunk_end_char"));
}

#[test]
fn errors_say_where_and_what() {
    let says = |documents: &str, queries: &str| {
        let root = folder(&[("documents.jsonl", documents), ("queries.jsonl", queries)]);
        let error = read_folder(root.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data, "{error}");
        error.to_string()
    };
    let e = says(&DOCUMENTS.replace("f2#s0", "f1#s0"), QUERIES);
    assert!(
        e.contains("`f1#s0`") && e.contains("documents.jsonl, line 1") && e.contains("documents.jsonl, line 3"),
        "{e}"
    );
    let e = says(&DOCUMENTS.replacen("\"source_url\": \"f2\"", "\"source_url\": null", 1), QUERIES);
    assert!(e.contains("line 3") && e.contains("`source_url`"), "{e}");
    let e = says(&DOCUMENTS.replacen("\"chunk_start_char\": 52", "\"chunk_start_char\": -1", 1), QUERIES);
    assert!(e.contains("line 2") && e.contains("`chunk_start_char`") && e.contains("-1"), "{e}");
    let e = says(DOCUMENTS, &QUERIES.replace("[52, 0]", "[52]"));
    assert!(e.contains("queries.jsonl, line 1") && e.contains("`frag_start_char`") && e.contains("1 entries"), "{e}");
    let e = says(DOCUMENTS, &QUERIES.replace("[\"f1\", \"f1\"]", "[\"f1\", null]"));
    assert!(e.contains("`source_url`") && e.contains("null"), "{e}");
    let e = says("PK\u{3}\u{4} no json", QUERIES);
    assert!(e.contains("line 1"), "{e}");
}

#[test]
fn duplicates_across_shards_name_both_files() {
    let root = tempfile::tempdir().unwrap();
    odd_parquet(root.path());
    let shard = root.path().join("data/documents-00001-of-00002.parquet");
    fs::copy(root.path().join("data/documents-00000-of-00002.parquet"), shard).unwrap();
    let e = read_folder(root.path()).unwrap_err().to_string();
    assert!(e.contains("00000-of-00002.parquet, row 1") && e.contains("00001-of-00002.parquet, row 1"), "{e}");
}

#[test]
fn a_column_of_the_wrong_type_is_named() {
    let root = tempfile::tempdir().unwrap();
    odd_parquet(root.path());
    parquet(
        &root.path().join("data/queries-00000-of-00001.parquet"),
        vec![("query", strings(&["q"])), ("answer", strings(&["a"]))],
    );
    let e = read_folder(root.path()).unwrap_err().to_string();
    assert!(e.contains("queries-00000-of-00001.parquet") && e.contains("`answer`") && e.contains("list"), "{e}");
    parquet(&root.path().join("data/queries-00000-of-00001.parquet"), vec![("other", strings(&["q"]))]);
    let e = read_folder(root.path()).unwrap_err().to_string();
    assert!(e.contains("row 1") && e.contains("`query`"), "{e}");
}

#[test]
fn what_is_no_data_set_is_a_users_mistake() {
    let root = folder(&[("documents.jsonl", DOCUMENTS)]);
    let e = read_folder(root.path()).unwrap_err();
    assert!(e.kind() == ErrorKind::Usage && e.to_string().contains("`queries`"), "{e}");
    let documents = vec![root.path().join("documents.jsonl")];
    let (set, _) = read(&Source::Files { documents, queries: vec![] }).unwrap();
    assert_eq!((set.chunks.len(), set.queries.len()), (3, 0));
    let gone = Source::Files { documents: vec![root.path().join("gone.parquet")], queries: vec![] };
    assert_eq!(read(&gone).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn grouping_does_not_depend_on_stored_order() {
    let mut lines: Vec<&str> = DOCUMENTS.lines().collect();
    lines.reverse();
    let root = folder(&[("documents.jsonl", &lines.join("\n")), ("queries.jsonl", QUERIES)]);
    let (set, _) = read_folder(root.path()).unwrap();
    let grouped: Vec<_> = set.by_filing().into_iter().collect();
    assert_eq!(grouped, [("f1", vec![2, 1]), ("f2", vec![0])]);
}
