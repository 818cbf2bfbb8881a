//! Runs made elsewhere, and data sets made elsewhere.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::io::Write;

use support::{arg, eightk, shared, synth};

const QRELS: &str = "q1 0 a 2\nq1 0 e 1\nq2 0 b 2\n";

#[test]
fn a_run_is_scored_from_plain_and_gzipped_files() {
    let dir = tempfile::tempdir().unwrap();
    let (qrels, run) = (dir.path().join("q.txt"), dir.path().join("s.run.gz"));
    std::fs::write(&qrels, QRELS).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(b"q1 Q0 e 1 2.0 mine\r\nq1 Q0 a 2 1.0 mine\r\n").unwrap();
    std::fs::write(&run, gz.finish().unwrap()).unwrap();
    let report = eightk(["score", arg(&qrels), arg(&run), "--metric", "mrr", "--metric", "joint@2", "--json"]);
    let report = report.exits(0).json();
    let system = &report["systems"][0];
    assert_eq!(system["name"], "mine");
    assert_eq!(system["missing"], 1);
    // q1: the answer is second; q2 is missing and counts 0.
    assert_eq!(system["metrics"]["mrr"]["expected"], 0.25);
    assert_eq!(system["metrics"]["joint@2"]["expected"], 1.0);
}

#[test]
fn rivals_beside_qrels_give_disambiguation() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let qrels = write("q.txt", "q1 0 a 2\n");
    let run = write("s.run", "q1 Q0 r1 1 3 s\nq1 Q0 a 2 2 s\nq1 Q0 r2 3 1 s\n");
    let rivals = write("r.jsonl", "{\"query\": \"q1\", \"rivals\": [\"r1\", \"r2\", \"r3\"]}\n");
    let args = ["score", "--qrels", arg(&qrels), "--run", arg(&run), "--rivals", arg(&rivals)];
    let report = eightk(args.into_iter().chain(["--metric", "rival_auc", "--metric", "resolved@1", "--json"]));
    let metrics = report.exits(0).json()["systems"][0]["metrics"].clone();
    // Above r2 and above r3, which was not retrieved; below r1.
    assert!((metrics["rival_auc"]["expected"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(metrics["resolved@1"]["expected"], 0.0);
}

#[test]
fn what_cannot_be_scored_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let (qrels, run) = (dir.path().join("q.txt"), dir.path().join("s.run"));
    std::fs::write(&qrels, QRELS).unwrap();
    std::fs::write(&run, "other Q0 a 1 1.0 s\n").unwrap();
    let ran = eightk(["score", arg(&qrels), arg(&run)]).exits(1);
    assert!(ran.stderr.contains("other") && ran.stderr.contains("q1"), "{}", ran.stderr);
    let ran = eightk(["score", arg(&qrels), arg(&run), "--metric", "ndgc@10"]).exits(2);
    assert!(ran.stderr.contains("ndcg"), "{}", ran.stderr);
    eightk(["score", arg(&qrels)]).exits(2);
    eightk(["score", arg(&qrels), arg(&dir.path().join("none.run"))]).exits(2);
    let ran = eightk(["score", arg(&qrels), arg(dir.path())]).exits(2);
    assert!(ran.stderr.contains("results.json"), "{}", ran.stderr);
}

#[test]
fn one_failed_system_does_not_take_the_others_down() {
    let dir = tempfile::tempdir().unwrap();
    // A data set without titles: what needs them cannot run.
    std::fs::write(
        dir.path().join("documents.jsonl"),
        "{\"chunk_id\": \"f#s0\", \"chunk\": \"The Company shut its smaller kiln for good.\", \"source_url\": \"f\", \"chunk_idx\": 0, \"chunk_start_char\": 0, \"chunk_end_char\": 43}\n",
    )
    .unwrap();
    std::fs::write(
        dir.path().join("queries.jsonl"),
        "{\"query\": \"Which kiln did Corvale shut?\", \"answer\": [\"The Company shut its smaller kiln for good.\"], \"score\": [1], \"source_url\": [\"f\"], \"frag_start_char\": [0], \"frag_end_char\": [43]}\n",
    )
    .unwrap();
    let only = ["eval", arg(dir.path()), "--system", "bm25", "--system", "bm25:title", "--only", "--json"];
    let ran = eightk(only).exits(1);
    let report = ran.json();
    assert_eq!(report["systems"].as_array().unwrap().len(), 1);
    assert_eq!(report["failed"][0]["name"], "bm25:title");
    assert_eq!(report["systems"][0]["metrics"]["standard_recall@1"]["expected"], 1.0);
    // Floors that nobody asked for are told of and are no failure; a baseline that failed is compared with nobody.
    let runs = dir.path().join("runs");
    let ran = eightk(["eval", arg(dir.path()), "--system", "bm25:window:1", "--out", arg(&runs)]).exits(0);
    assert!(ran.stdout.contains("bm25:title could not run and has no score"), "{}", ran.stdout);
    let saved = eightk(["score", arg(&runs), "--json"]).exits(0).json();
    let failed: Vec<&str> = saved["failed"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(failed, ["bm25:title", "name-filter"]);
    let named = |name: &str| saved["systems"].as_array().unwrap().iter().any(|s| s["name"] == name);
    assert!(named("oracle") && !named("bm25:title"));
    let args = ["eval", arg(dir.path()), "--system", "bm25:window:1", "--baseline", "bm25:title", "--json"];
    let report = eightk(args).exits(1).json();
    assert_eq!(
        (report["comparisons"].as_array().unwrap().len(), &report["settings"]["baseline"]),
        (0, &serde_json::Value::Null)
    );
}

#[test]
fn an_audit_that_finds_something_exits_with_1() {
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 30, 9);
    let data = dir.path().join("data");
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    eightk(["audit", arg(&data)]).exits(0);
    let rivals = data.join("audit/rivals.jsonl");
    let text = std::fs::read_to_string(&rivals).unwrap().replacen("\"rivals\":[\"", "\"rivals\":[\"nowhere#s0\",\"", 1);
    std::fs::write(&rivals, text).unwrap();
    let ran = eightk(["audit", arg(&data)]).exits(1);
    assert!(ran.stdout.contains("nowhere#s0"), "{}", ran.stdout);
}

#[test]
fn spans_that_do_not_fit_are_named_and_repaired_on_request() {
    let Some(shared) = shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let head = std::fs::read_to_string(shared.join("data/published/documents-head.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(head.lines().nth(1).unwrap()).unwrap();
    let start = first["chunk_start_char"].as_u64().unwrap();
    let query = serde_json::json!({
        "query": "Which charges are expected?", "answer": [first["chunk"]], "score": [1], "source_url": [first["source_url"]],
        "frag_start_char": [start], "frag_end_char": [start + 10],
    });
    std::fs::write(dir.path().join("documents.jsonl"), head).unwrap();
    std::fs::write(dir.path().join("queries.jsonl"), format!("{query}\n")).unwrap();
    let ran = eightk(["eval", arg(dir.path()), "--system", "bm25:title", "--json"]).exits(0);
    assert!(ran.stderr.contains("2 chunk spans do not fit"), "{}", ran.stderr);
    let ran = eightk(["eval", arg(dir.path()), "--system", "bm25:title", "--repair-spans", "--json"]).exits(0);
    assert!(ran.stderr.contains("2 repaired"), "{}", ran.stderr);
}

#[test]
fn predictions_of_mteb_and_dictionaries_score_as_the_same_trec_run_does() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let qrels = write("q.txt", QRELS);
    let trec = write("s.run", "q1 Q0 e 1 2.5 m\nq1 Q0 a 2 1 m\nq2 Q0 x 1 3 m\nq2 Q0 b 2 2 m\n");
    let hits = "{\"q1\": {\"e\": 2.5, \"a\": 1}, \"q2\": {\"x\": 3, \"b\": 2}}";
    let plain = write("ranx.json", hits);
    let mteb = write(
        "mteb.json",
        &format!(
            "{{\"mteb_model_meta\": {{\"model_name\": \"m\", \"revision\": \"1\"}}, \"default\": {{\"test\": {hits}}}}}"
        ),
    );
    let metrics = |run: &std::path::Path| {
        let report = eightk(["score", arg(&qrels), arg(run), "--json"]).exits(0).json();
        report["systems"][0]["metrics"].clone()
    };
    let wanted = metrics(&trec);
    assert_eq!(wanted["mrr"]["expected"], 0.5);
    assert_eq!(metrics(&plain), wanted);
    assert_eq!(metrics(&mteb), wanted);
    // Two runs in one file: one has to be named, and only one of them is the run above.
    let two = write(
        "two.json",
        &format!("{{\"default\": {{\"test\": {hits}}}, \"graded\": {{\"test\": {{\"q1\": {{\"a\": 1}}}}}}}}"),
    );
    let ran = eightk(["score", arg(&qrels), arg(&two), "--json"]);
    assert_ne!(ran.code, 0);
    assert!(ran.stderr.contains("graded") && ran.stderr.contains("default"), "{}", ran.stderr);
    let report = eightk(["score", arg(&qrels), arg(&two), "--section", "default", "--json"]).exits(0).json();
    assert_eq!(report["systems"][0]["metrics"], wanted);
}

#[test]
fn a_bad_file_is_named_with_its_line_and_an_odd_one_is_scored_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let (qrels, run) = (write("q.txt", QRELS.as_bytes()), write("ok.run", b"q1 Q0 a 1 2 s\n"));
    for (name, bytes, says) in [
        ("few.run", &b"q1 Q0 a 1 2 s\nq1 Q0 e 2 1.0\n"[..], "few.run:2: 5 columns"),
        ("comma.run", b"q1,Q0,a,1,2,s\n", "comma.run:1:"),
        ("blank.run", b"q1 Q0 a b 1 2 s\n", "blank.run:1: 7 columns"),
        ("nan.run", b"q1 Q0 a 1 NaN s\n", "nan.run:1: score"),
        ("twice.run", b"q1 Q0 a 1 2 s\nq1 Q0 a 2 1 s\n", "twice.run:2:"),
        ("bytes.run", b"q1 Q0 \xFF 1 2 s\n", "bytes.run:1: not UTF-8"),
        ("nan.json", b"{\"q1\":\n {\"a\": NaN}}", "nan.json:2: score"),
        ("cut.json", b"{\"q1\": {\"a\": 1", "cut.json:1:15:"),
        ("twice.json", b"{\"q1\": {\"a\": 1, \"a\": 2}}", "twice.json:1:"),
        ("list.json", b"[{\"q1\": 1}]", "list.json:1: a list"),
        ("cut.run.gz", b"\x1F\x8B\x08\0\0\0", "cut.run.gz: damaged gzip"),
    ] {
        let ran = eightk(["score", arg(&qrels), arg(&write(name, bytes))]).exits(1);
        assert!(ran.stderr.contains(says), "{name}: {}", ran.stderr);
    }
    for (name, bytes, says) in [
        ("half.qrels", &b"q1 0 a 2\nq1 0 b 1.5\n"[..], "half.qrels:2: grade `1.5`"),
        ("both.qrels", b"q1 0 a 2\nq1 0 a 1\n", "both.qrels:2:"),
        ("none.qrels", b"", "none.qrels: no judgement"),
    ] {
        let ran = eightk(["score", arg(&write(name, bytes)), arg(&run)]).exits(1);
        assert!(ran.stderr.contains(says), "{name}: {}", ran.stderr);
    }
    let mrr = |qrels: &std::path::Path, run: &std::path::Path, warns: &str| {
        let ran = eightk(["score", arg(qrels), arg(run), "--metric", "mrr", "--json"]).exits(0);
        assert!(ran.stderr.contains(warns) && (warns.is_empty() == ran.stderr.is_empty()), "{warns}: {}", ran.stderr);
        ran.json()["systems"][0]["metrics"]["mrr"]["expected"].as_f64().unwrap()
    };
    assert_eq!(mrr(&qrels, &write("bom.run", b"\xEF\xBB\xBFq1\tQ0\ta\t1\t2\ts\r\n"), ""), 0.5);
    assert_eq!(mrr(&qrels, &write("inf.run", b"q1 Q0 a 1 inf s\n"), "inf.run:1: 1 infinite"), 0.5);
    assert_eq!(mrr(&qrels, &write("empty.run", b""), "empty.run: no data"), 0.0);
    assert_eq!(mrr(&write("minus.qrels", b"q1 0 a 2\nq1 0 b -1\n"), &run, "minus.qrels:2: 1 grades below 0"), 1.0);
    assert_eq!(mrr(&write("beir.tsv", b"query-id\tcorpus-id\tscore\nq1\ta\t2\n"), &run, ""), 1.0);
    // A system that ran no query is no system with score 0.
    let shown = eightk(["score", arg(&qrels), arg(&run), arg(&dir.path().join("empty.run"))]).exits(0).stdout;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("empty: none of the queries is in its run: it did not run, and has no score"), "{shown}");
}

/// Judgements alone do not tell which queries share a filing, and the note under the table does not say that they do.
#[test]
fn what_is_not_known_of_filings_is_not_claimed() {
    let dir = tempfile::tempdir().unwrap();
    let (qrels, run) = (dir.path().join("q.txt"), dir.path().join("s.run"));
    std::fs::write(&qrels, QRELS).unwrap();
    std::fs::write(&run, "q1 Q0 a 1 2.0 s\nq2 Q0 b 1 2.0 s\n").unwrap();
    let bare = eightk(["score", arg(&qrels), arg(&run)]).exits(0).stdout;
    let words = bare.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("they may be too narrow") && !words.contains("drawn whole"), "{bare}");
}
