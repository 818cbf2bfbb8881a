//! Data sets in the shapes of other tools, through the real binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::{Path, PathBuf};

use support::{Ran, arg, eightk, synth, tree};

const FORMATS: [&str; 4] = ["beir", "mteb", "trec", "jsonl"];

/// A data set of generated filings.
fn built(dir: &Path) -> PathBuf {
    let data = dir.join("data");
    eightk(["build", arg(&synth(dir, 40, 3)), "--out", arg(&data), "--json"]).exits(0);
    data
}

fn export(data: &str, format: &str, out: &Path, more: &[&str]) -> Ran {
    eightk(["export", data, "--format", format, "--out", arg(out)].iter().chain(more))
}

/// A foreign set of four chunks: no titles, no grades, no filings.
fn foreign(dir: &Path, ids: [&str; 4]) -> PathBuf {
    let data = dir.join("foreign");
    std::fs::create_dir_all(&data).unwrap();
    let sentences = [
        "Lantern Foundry Ltd. (the \u{201c}Company\u{201d}) will shut its older furnace.",
        "The Company expects charges of about $3 million\u{2028}for the furnace.",
        "A second furnace\tstays lit.",
        "Nobody else is affected.",
    ];
    let (mut documents, mut start) = (String::new(), 0);
    for (i, (id, text)) in ids.iter().zip(sentences).enumerate() {
        let row = serde_json::json!({
            "chunk_id": id, "chunk": text, "source_url": "lantern", "chunk_idx": i,
            "chunk_start_char": start, "chunk_end_char": start + text.chars().count(),
        });
        start += text.chars().count() + 1;
        documents += &format!("{row}\n");
    }
    std::fs::write(data.join("documents.jsonl"), documents).unwrap();
    let query = |text: &str, spans: &[(usize, usize)]| {
        serde_json::json!({
            "query": text, "answer": spans.iter().map(|_| "x").collect::<Vec<_>>(), "score": vec![1; spans.len()],
            "source_url": vec!["lantern"; spans.len()],
            "frag_start_char": spans.iter().map(|s| s.0).collect::<Vec<_>>(),
            "frag_end_char": spans.iter().map(|s| s.1).collect::<Vec<_>>(),
        })
    };
    let queries = [
        query("What will Lantern\tspend\non its furnace?", &[(70, 90)]),
        query("Who made this?", &[]),
        query("What stays lit?", &[(5000, 5010)]),
        query("And all of it?", &[(0, 100)]),
    ];
    std::fs::write(data.join("queries.jsonl"), queries.map(|q| format!("{q}\n")).concat()).unwrap();
    data
}

#[test]
fn json_lines_are_the_same_data_set() {
    let dir = tempfile::tempdir().unwrap();
    let data = built(dir.path());
    let out = dir.path().join("lines");
    let exported = export(arg(&data), "jsonl", &out, &["--json"]).exits(0).json();
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(exported["fingerprint"], manifest["fingerprint"]);
    assert_eq!(exported["not_carried"], serde_json::json!({}));
    // The audit holds the rows against the fingerprint in the manifest, spans against texts, rivals against queries.
    eightk(["audit", arg(&out)]).exits(0);
    let eval = |set: &Path| eightk(["eval", arg(set), "--system", "bm25:title", "--json"]).exits(0).json();
    assert_eq!(eval(&data)["systems"], eval(&out)["systems"]);
    // And from there to Parquet-reading tools: every format comes out the same as from the original.
    for format in ["beir", "mteb", "trec", "jsonl"] {
        let (from_data, from_lines) = (dir.path().join(format!("{format}-1")), dir.path().join(format!("{format}-2")));
        export(arg(&data), format, &from_data, &[]).exits(0);
        export(arg(&out), format, &from_lines, &[]).exits(0);
        assert_eq!(tree(&from_data), tree(&from_lines), "{format}");
    }
}

#[test]
fn exported_judgements_score_as_the_data_set_does() {
    let dir = tempfile::tempdir().unwrap();
    let data = built(dir.path());
    let (beir, trec, runs) = (dir.path().join("beir"), dir.path().join("trec"), dir.path().join("runs"));
    export(arg(&data), "beir", &beir, &[]).exits(0);
    export(arg(&data), "trec", &trec, &[]).exits(0);
    eightk(["eval", arg(&data), "--system", "bm25:title", "--out", arg(&runs), "--json"]).exits(0);
    let run = runs.join("runs/bm25-title.run");
    let score = |against: &Path, metric: &str, more: &[&str]| {
        let args = ["score", arg(against), arg(&run), "--metric", metric, "--json"];
        let report = eightk(args.iter().chain(more)).exits(0).json();
        report["systems"][0]["metrics"][metric]["expected"].as_f64().unwrap()
    };
    for metric in ["ndcg@10", "standard_recall@5", "evidence_recall@10", "mrr"] {
        let wanted = score(&data, metric, &[]);
        assert!(wanted > 0.0, "{metric} says nothing");
        for graded in [beir.join("qrels/test.tsv"), trec.join("qrels.graded.trec")] {
            assert_eq!(score(&graded, metric, &[]), wanted, "{metric} {}", graded.display());
        }
    }
    // Over the answers alone every recall is the recall of answers.
    let answers = score(&beir.join("qrels/answer.tsv"), "evidence_recall@5", &[]);
    assert_eq!(answers, score(&data, "standard_recall@5", &[]));
    assert_eq!(answers, score(&trec.join("qrels.answer.trec"), "standard_recall@5", &[]));
    let rivals = trec.join("rivals.jsonl");
    let resolved = score(&trec.join("qrels.graded.trec"), "resolved@1", &["--rivals", arg(&rivals)]);
    assert_eq!(resolved, score(&data, "resolved@1", &[]));
}

#[test]
fn files_are_what_their_readers_expect() {
    let dir = tempfile::tempdir().unwrap();
    let data = foreign(dir.path(), ["a#s0", "a#s63", "a#s117", "a#s145"]);
    let at = |format: &str, more: &[&str]| {
        let out = dir.path().join(format!("{format}{}", more.len()));
        export(arg(&data), format, &out, more).exits(0);
        move |name: &str| std::fs::read_to_string(out.join(name)).unwrap()
    };
    let beir = at("beir", &[]);
    // Two golds of the last query stand in two chunks; the second query has none, the third one's matches nothing.
    let qrels = "query-id\tcorpus-id\tscore\nq0\ta#s63\t1\nq3\ta#s0\t1\nq3\ta#s63\t1\n";
    assert_eq!(beir("qrels/test.tsv"), qrels);
    assert_eq!(beir("qrels/answer.tsv"), qrels, "a set with 1 everywhere is answer-only");
    assert_eq!(
        beir("corpus.jsonl").lines().nth(2).unwrap(),
        "{\"_id\":\"a#s117\",\"title\":\"\",\"text\":\"A second furnace\\tstays lit.\",\"metadata\":{\"doc_id\":\"lantern\",\"chunk_idx\":2,\"start_char\":131,\"end_char\":158}}"
    );
    assert_eq!(
        beir("queries.jsonl").lines().next().unwrap(),
        "{\"_id\":\"q0\",\"text\":\"What will Lantern\\tspend\\non its furnace?\",\"metadata\":{\"original_query\":\"What will Lantern\\tspend\\non its furnace?\",\"fact\":null}}"
    );
    let trec = at("trec", &[]);
    assert_eq!(trec("qrels.graded.trec"), "q0 0 a#s63 1\nq3 0 a#s0 1\nq3 0 a#s63 1\n");
    assert_eq!(
        trec("topics.tsv"),
        "q0\tWhat will Lantern spend on its furnace?\nq1\tWho made this?\nq2\tWhat stays lit?\nq3\tAnd all of it?\n"
    );
    assert_eq!(
        trec("collection/documents.jsonl").lines().next_back().unwrap(),
        "{\"id\":\"a#s145\",\"contents\":\"Nobody else is affected.\",\"title\":\"\",\"doc_id\":\"lantern\",\"chunk_idx\":3,\"start_char\":159,\"end_char\":183}"
    );
    let mteb = at("mteb", &["--bare"]);
    for config in ["default", "corpus", "queries", "graded-qrels", "graded-corpus", "graded-queries"] {
        assert!(mteb("README.md").contains(&format!("- config_name: {config}\n")), "{config}");
    }
}

#[test]
fn what_is_left_out_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let data = foreign(dir.path(), ["a#s0", "a#s63", "a#s117", "a#s145"]);
    let out = dir.path().join("out");
    let ran = export(arg(&data), "trec", &out, &[]).exits(0);
    for line in [
        "4 chunks, 4 queries, 3 judgements, 3 of answers alone",
        "2 queries without gold: in no qrels",
        "1 golds that match no chunk: in no qrels",
        "1 golds that match several chunks",
        "no place in this format for 3 spans of golds",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("with evidence and no answer"), "{}", ran.stdout);
    assert!(ran.stderr.contains("no column `title`"), "{}", ran.stderr);
}

#[test]
fn ids_that_do_not_fit_are_refused_and_nothing_is_left_behind() {
    let dir = tempfile::tempdir().unwrap();
    let data = foreign(dir.path(), ["a#s0", "a s63", "a\ts117", "a#s145"]);
    for (format, n) in [("trec", 2), ("beir", 1)] {
        let out = dir.path().join(format);
        let ran = export(arg(&data), format, &out, &[]).exits(1);
        assert!(ran.stderr.contains(&format!("{n} of 4 chunk ids")) && ran.stderr.contains("jsonl"), "{}", ran.stderr);
        assert!(!out.exists());
    }
    export(arg(&data), "mteb", &dir.path().join("mteb"), &[]).exits(0);
    export(arg(&data), "jsonl", &dir.path().join("jsonl"), &[]).exits(0);
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3, "the set and two exports");
}

#[test]
fn used_wrong_it_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let data = foreign(dir.path(), ["a", "b", "c", "d"]);
    let out = dir.path().join("out");
    let ran = export(arg(&data), "csv", &out, &[]).exits(2);
    assert!(ran.stderr.contains("beir, mteb, trec, jsonl"), "{}", ran.stderr);
    let ran = export(arg(&data), "trec", &out, &["--bare"]).exits(2);
    assert!(ran.stderr.contains("beir and mteb"), "{}", ran.stderr);
    export(arg(&dir.path().join("none")), "trec", &out, &[]).exits(2);
    std::fs::remove_file(data.join("queries.jsonl")).unwrap();
    let ran = export(arg(&data), "trec", &out, &[]).exits(2);
    assert!(ran.stderr.contains("queries"), "{}", ran.stderr);
    assert!(!out.exists());
}

#[test]
fn only_folders_of_ours_are_replaced_and_never_the_data_set() {
    let dir = tempfile::tempdir().unwrap();
    let data = foreign(dir.path(), ["a", "b", "c", "d"]);
    let out = dir.path().join("out");
    export(arg(&data), "beir", &out, &[]).exits(0);
    let before = tree(&out);
    let ran = export(arg(&data), "trec", &out, &[]).exits(2);
    assert!(ran.stderr.contains("--force"), "{}", ran.stderr);
    assert_eq!(tree(&out), before);
    export(arg(&data), "trec", &out, &["--force"]).exits(0);
    assert!(out.join("topics.tsv").is_file() && !out.join("corpus.jsonl").exists());
    let other = dir.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.txt"), "years of work").unwrap();
    export(arg(&data), "trec", &other, &["--force"]).exits(2);
    assert!(other.join("thesis.txt").is_file());
    // A data set that eightk wrote may be replaced by the writer, so the command itself must refuse.
    let lines = dir.path().join("lines");
    export(arg(&data), "jsonl", &lines, &[]).exits(0);
    let (documents, queries) = (lines.join("documents.jsonl"), lines.join("queries.jsonl"));
    for given in [arg(&lines), arg(&documents), &format!("{},{}", arg(&documents), arg(&queries))] {
        let ran = export(given, "trec", &lines, &["--force"]).exits(2);
        assert!(ran.stderr.contains("that is the data set"), "{}", ran.stderr);
    }
    assert!(documents.is_file());
}

#[test]
fn twice_and_with_any_number_of_threads_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let data = built(dir.path());
    for format in FORMATS {
        let (one, two) = (dir.path().join(format!("{format}-1")), dir.path().join(format!("{format}-2")));
        export(arg(&data), format, &one, &["--threads", "1"]).exits(0);
        export(arg(&data), format, &two, &["--threads", "4"]).exits(0);
        assert_eq!(tree(&one), tree(&two), "{format}");
    }
}
