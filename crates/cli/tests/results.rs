//! What `eval` saves can be scored again, bit for bit, and cannot be mixed up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{arg, eightk, shared, synth};

/// The text of `results.json` without white space between tokens.
fn compact(text: &str) -> String {
    let (mut out, mut inside, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        if inside || !c.is_ascii_whitespace() {
            out.push(c);
        }
        inside ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    out
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn results(runs: &Path) -> Value {
    serde_json::from_str(&read(&runs.join("results.json"))).unwrap()
}

fn built(dir: &Path, filings: usize, seed: u64) -> PathBuf {
    let (data, filings) = (dir.join(format!("data-{seed}")), synth(dir, filings, seed));
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    data
}

/// Every number that scoring the saved folder prints stands in `results.json` in the same digits, and the other way round.
#[track_caller]
fn scores_as_it_did(runs: &Path) {
    let saved = compact(&read(&runs.join("results.json")));
    let (from, to) = (saved.find("\"dataset\":").unwrap(), saved.rfind(",\"rankings\":").unwrap());
    let again = eightk(["score", arg(runs), "--json"]).exits(0);
    assert_eq!(again.stderr, "");
    assert_eq!(again.stdout.trim(), format!("{{{}}}", &saved[from..to]));
    assert!(again.stdout.contains("\"rival_auc\":{\"expected\":"));
    assert!(again.stdout.contains("\"family\":\"near(0.5)\"") && again.stdout.contains("\"split\":\"fact\""));
}

#[test]
fn saved_runs_score_as_they_did() {
    let dir = tempfile::tempdir().unwrap();
    let (data, runs) = (built(dir.path(), 60, 21), dir.path().join("runs"));
    let table = eightk(["eval", arg(&data), "--system", "bm25:lead", "--system", "random:7", "--out", arg(&runs)]);
    scores_as_it_did(&runs);
    // The folder by its files, against the data set: the same systems.
    let saved = results(&runs);
    let files: Vec<PathBuf> =
        saved["rankings"].as_array().unwrap().iter().map(|r| runs.join(r["file"].as_str().unwrap())).collect();
    assert_eq!(files.len(), 7);
    let args = ["score", arg(&data)].into_iter().chain(files.iter().map(|f| arg(f))).chain(["--json"]);
    let loose = eightk(args).exits(0).json();
    assert_eq!(loose["systems"], saved["systems"]);
    assert_eq!(loose["data"], saved["data"]);
    // For people too.
    let shown = table.exits(0).stdout;
    let again = eightk(["score", arg(&runs)]).exits(0).stdout;
    let (again, recorded) = again.split_once("Every number is as recorded").unwrap();
    assert_eq!(recorded, " in results.json.\n");
    assert!(again.contains("against bm25") && shown.starts_with(again), "{shown}\n{again}");
}

#[test]
fn saved_runs_of_real_filings_score_as_they_did() {
    let Some(shared) = shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (data, runs) = (dir.path().join("data"), dir.path().join("runs"));
    let (filings, excerpts) = (shared.join("data/filings"), shared.join("data/excerpts"));
    eightk(["build", arg(&filings), arg(&excerpts), "--out", arg(&data)]).exits(0);
    let table = eightk(["eval", arg(&data), "--system", "bm25:window:2", "--out", arg(&runs)]).exits(0).stdout;
    for line in table.lines().take_while(|l| !l.starts_with("runs and scores")) {
        assert!(line.chars().count() <= 80, "wider than a terminal: {line}");
    }
    scores_as_it_did(&runs);
}

#[test]
fn results_say_what_was_scored_against_what_and_how() {
    let dir = tempfile::tempdir().unwrap();
    let (data, runs) = (built(dir.path(), 40, 22), dir.path().join("runs"));
    eightk(["eval", arg(&data), "--system", "bm25:title?k1=0.9", "--out", arg(&runs)]).exits(0);
    let saved = results(&runs);
    let manifest: Value = serde_json::from_str(&read(&data.join("manifest.json"))).unwrap();
    assert_eq!((saved["tool"].as_str(), saved["version"].as_str()), (Some("eightk"), Some(env!("CARGO_PKG_VERSION"))));
    assert_eq!(saved["data"]["name"], "data-22");
    assert_eq!(saved["data"]["fingerprint"], manifest["fingerprint"]);
    assert_eq!(saved["data"]["recipe"], manifest["recipe"]);
    for hash in ["qrels_sha256", "rivals_sha256"] {
        assert_eq!(saved["data"][hash].as_str().unwrap().len(), 64);
    }
    let settings = &saved["settings"];
    assert!(settings["ties"].as_str().unwrap().contains("descending"));
    assert_eq!(
        (&settings["bootstrap"]["draws"], &settings["randomization"]["draws"]),
        (&10_000.into(), &10_000.into())
    );
    assert!(settings["bootstrap"]["seed"].is_u64() && settings["randomization"]["seed"].is_u64());
    assert_eq!(settings["baseline"], "bm25");
    assert_eq!(settings["contestants"], serde_json::json!(["bm25:title?k1=0.9"]));
    let names = |of: &Value| -> Vec<String> {
        of.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap().to_owned()).collect()
    };
    let want = ["bm25:title?k1=0.9", "bm25", "bm25:title", "name-filter", "random", "oracle"];
    assert_eq!(names(&saved["systems"]), want);
    assert_eq!(names(&saved["rankings"]), want);
    assert_eq!(names(&saved["run"]["systems"]), want);
    let made = &saved["rankings"][0];
    assert_eq!((&made["system"]["view"], &made["system"]["settings"]["k1"]), (&"title".into(), &"0.9".into()));
    assert!(made["system"]["settings"]["analyzer"].as_str().unwrap().contains("stemmer"));
    assert_eq!((&made["truncated_inputs"], &made["depth"]), (&0.into(), &1_000.into()));
    for phase in ["index", "search", "score"] {
        assert!(saved["run"]["systems"][0][phase]["seconds"].as_f64().unwrap() > 0.0);
        if cfg!(target_os = "linux") {
            assert!(saved["run"]["systems"][0][phase]["peak_memory_bytes"].as_u64().unwrap() > 1_000_000);
        }
    }
    // Nobody asked for the floors: they cost the family of comparisons nothing.
    let pairs: Vec<(&str, &str)> = (saved["comparisons"].as_array().unwrap().iter())
        .map(|c| (c["a"].as_str().unwrap(), c["b"].as_str().unwrap()))
        .collect();
    assert_eq!(pairs, [("bm25:title?k1=0.9", "bm25"); 3]);
    let auc = &saved["comparisons"][2];
    assert_eq!((&auc["metric"], &auc["p"]), (&"rival_auc".into(), &auc["p_holm"]), "a family of one");
    let first = &saved["systems"][0];
    assert_eq!(first["chance"][0]["metric"], "rival_auc");
    assert!(["equivalent", "different", "undecided"].contains(&first["chance"][0]["verdict"].as_str().unwrap()));
    let splits: std::collections::BTreeSet<&str> =
        first["splits"].as_array().unwrap().iter().map(|s| s["split"].as_str().unwrap()).collect();
    assert_eq!(splits.into_iter().collect::<Vec<_>>(), ["evidence", "fact", "sentences to the evidence", "|D|"]);
    assert!(first["first_place"]["filing_right"].is_f64());
}

#[test]
fn with_only_there_is_nothing_but_what_was_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = built(dir.path(), 40, 23);
    let eval = |more: &[&str]| eightk(["eval", arg(&data), "--json"].iter().chain(more).copied());
    let report = eval(&["--system", "bm25:lead", "--system", "oracle", "--only"]).exits(0).json();
    assert_eq!(report["systems"].as_array().unwrap().len(), 2);
    assert_eq!(report["settings"]["baseline"], "bm25:lead");
    eval(&["--only"]).exits(2);
    let ran = eval(&["--system", "bm25:lead", "--only", "--baseline", "bm25"]).exits(2);
    assert!(ran.stderr.contains("--only"), "{}", ran.stderr);
    // A baseline that is not among the systems is run too.
    let report = eval(&["--system", "bm25:lead", "--baseline", "bm25:window:3"]).exits(0).json();
    assert_eq!(
        (&report["comparisons"][0]["a"], &report["comparisons"][0]["b"]),
        (&"bm25:lead".into(), &"bm25:window:3".into())
    );
    // Nothing named: the floors, compared with each other.
    let report = eval(&[]).exits(0).json();
    assert_eq!(report["settings"]["contestants"], serde_json::json!(["bm25", "bm25:title", "name-filter"]));
    // The best has the most, or the least where less is better. (Where the baseline is best, nothing is said twice.)
    for (metric, sign) in [("rival_auc", -1.0), ("rival_rank", 1.0)] {
        let report = eval(&["--metric", metric]).exits(0).json();
        let value = |name: &str| {
            let s = report["systems"].as_array().unwrap().iter().find(|s| s["name"] == name).unwrap();
            sign * s["metrics"][metric]["expected"].as_f64().unwrap()
        };
        let rows = report["against_best"].as_array().unwrap();
        assert_eq!(rows.len(), 2, "the two others");
        for row in rows {
            assert!(value(row["b"].as_str().unwrap()) <= value(row["a"].as_str().unwrap()), "{row}");
        }
    }
    let report = eval(&["--metric", "rival_auc", "--baseline", "bm25:title"]).exits(0).json();
    assert_eq!(report["against_best"], serde_json::json!([]));
    assert_eq!(report["comparisons"].as_array().unwrap().len(), 2);
}

#[test]
fn a_query_without_gold_and_one_that_finds_nothing_stay_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let chunk = |filing: &str, n: usize, text: &str| {
        serde_json::json!({"chunk_id": format!("{filing}#s{n}"), "chunk": text, "source_url": filing, "chunk_idx": n,
            "title": format!("{filing} 8-K 2024-01-0{}", n + 1), "chunk_start_char": 100 * n, "chunk_end_char": 100 * n + text.chars().count()})
    };
    let query = |text: &str, filing: &str, start: usize| {
        serde_json::json!({"query": text, "answer": ["x"], "score": [2], "source_url": [filing],
            "frag_start_char": [start], "frag_end_char": [start + 10]})
    };
    let documents = [
        chunk("Corvale", 0, "The Company shut its smaller kiln."),
        chunk("Ostrava", 0, "The Company sold a barge."),
        chunk("Corvale", 1, "Nothing else was decided."),
        chunk("Corvale", 2, "Corvale makes bricks."),
    ];
    let mut kiln = query("Which kiln did Corvale shut?", "Corvale", 0);
    for (key, evidence) in [
        ("answer", Value::from("y")),
        ("score", 1.into()),
        ("source_url", "Corvale".into()),
        ("frag_start_char", 200.into()),
        ("frag_end_char", 210.into()),
    ] {
        kiln[key].as_array_mut().unwrap().push(evidence);
    }
    let queries = [kiln, query("Zyzzyva?", "Ostrava", 0), query("Which barge did Ostrava sell?", "Ostrava", 900)];
    let lines = |rows: &[Value]| rows.iter().map(|r| format!("{r}\n")).collect::<String>();
    std::fs::write(dir.path().join("documents.jsonl"), lines(&documents)).unwrap();
    std::fs::write(dir.path().join("queries.jsonl"), lines(&queries)).unwrap();
    let runs = dir.path().join("runs");
    eightk(["eval", arg(dir.path()), "--system", "bm25", "--only", "--out", arg(&runs)]).exits(0);
    let saved = results(&runs);
    assert_eq!(saved["rankings"][0]["found_nothing"], serde_json::json!(["q1"]));
    let known: Vec<Value> =
        read(&runs.join("queries.jsonl")).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(known.iter().map(|q| q["distance"].as_u64()).collect::<Vec<_>>(), [Some(2), None, None]);
    assert_eq!(known[0]["filing"], "Corvale");
    let system = &saved["systems"][0];
    assert_eq!(
        (&system["queries"], &system["missing"], &system["undefined"]["answer"]),
        (&3.into(), &0.into(), &1.into())
    );
    for args in [vec!["score", arg(&runs)], vec!["score", arg(dir.path()), arg(&runs.join("runs/bm25.run"))]] {
        let again = eightk(args.into_iter().chain(["--json"])).exits(0).json();
        assert_eq!(again["systems"], saved["systems"]);
    }
}

#[test]
fn scores_on_different_data_are_refused_in_one_table() {
    let dir = tempfile::tempdir().unwrap();
    let (one, two) = (built(dir.path(), 40, 24), built(dir.path(), 40, 25));
    let saved = |data: &Path, name: &str, system: &str| {
        let runs = dir.path().join(name);
        eightk(["eval", arg(data), "--system", "bm25", "--system", system, "--only", "--out", arg(&runs)]).exits(0);
        runs
    };
    let (of_one, of_two) = (saved(&one, "runs-one", "oracle"), saved(&two, "runs-two", "oracle"));
    let prints = [results(&of_one), results(&of_two)].map(|r| r["data"]["fingerprint"].as_str().unwrap().to_owned());
    let loose = of_two.join("runs/bm25.run");
    for args in [
        vec!["score", arg(&of_one), arg(&of_two)],
        vec!["score", arg(&one), arg(&of_two)],
        vec!["score", arg(&one), arg(&loose)],
        vec!["score", arg(&of_one), arg(&loose)],
    ] {
        let ran = eightk(args).exits(1);
        for says in [&prints[0], &prints[1], "data-24", "data-25"] {
            assert!(ran.stderr.contains(says), "{says}: {}", ran.stderr);
        }
    }
    // Of one data set they may stand together, and with runs made elsewhere; what is the same stands there once.
    let more = saved(&one, "runs-more", "bm25:lead");
    let mine = dir.path().join("mine.run");
    std::fs::write(&mine, read(&of_one.join("runs/bm25.run")).replace(" bm25\n", " mine\n")).unwrap();
    let report = eightk(["score", arg(&of_one), arg(&more), arg(&mine), "--json"]).exits(0).json();
    let names: Vec<&str> = report["systems"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bm25", "oracle", "bm25:lead", "mine"]);
    assert_eq!(report["systems"][3]["metrics"], report["systems"][0]["metrics"]);
    assert_eq!(report["settings"]["contestants"], serde_json::json!(["bm25", "bm25:lead", "mine"]));
    // Two different runs of one name: the path tells them apart.
    let other = dir.path().join("other.run");
    std::fs::write(&other, read(&of_one.join("runs/oracle.run")).replace(" oracle\n", " bm25\n")).unwrap();
    let report = eightk(["score", arg(&of_one), arg(&other), "--json"]).exits(0).json();
    assert_eq!(report["systems"][2]["name"], arg(&other));
}

#[test]
fn what_the_numbers_stand_on_must_not_have_changed() {
    let dir = tempfile::tempdir().unwrap();
    let (data, runs) = (built(dir.path(), 40, 26), dir.path().join("runs"));
    eightk(["eval", arg(&data), "--system", "bm25", "--only", "--out", arg(&runs)]).exits(0);
    for (file, from, to) in [("qrels.txt", " 2\n", " 1\n"), ("rivals.jsonl", "\"rivals\":[\"", "\"rivals\":[\"x\",\"")]
    {
        let whole = read(&runs.join(file));
        std::fs::write(runs.join(file), whole.replacen(from, to, 1)).unwrap();
        let ran = eightk(["score", arg(&runs)]).exits(1);
        assert!(ran.stderr.contains(file) && ran.stderr.contains("not what it was"), "{}", ran.stderr);
        std::fs::write(runs.join(file), whole).unwrap();
    }
    let run = runs.join("runs/bm25.run");
    let fewer: String = read(&run).lines().skip(1).map(|l| format!("{l}\n")).collect();
    std::fs::write(&run, fewer).unwrap();
    let ran = eightk(["score", arg(&runs)]).exits(0);
    assert!(ran.stderr.contains("bm25.run: changed since"), "{}", ran.stderr);
    assert!(ran.stderr.contains("systems[0] (bm25) differs from"), "{}", ran.stderr);
    assert!(!ran.stdout.contains("as recorded"), "{}", ran.stdout);
    std::fs::remove_file(&run).unwrap();
    eightk(["score", arg(&runs)]).exits(2);
    let saved_text = read(&runs.join("results.json"));
    std::fs::write(runs.join("results.json"), "{\"tool\": 1}").unwrap();
    let ran = eightk(["score", arg(&runs)]).exits(1);
    assert!(ran.stderr.contains("results.json") && ran.stderr.contains("run eval again"), "{}", ran.stderr);
    let elsewhere = saved_text.replacen("\"file\": \"runs/", "\"file\": \"../runs/", 1);
    std::fs::write(runs.join("results.json"), elsewhere).unwrap();
    let ran = eightk(["score", arg(&runs)]).exits(1);
    assert!(ran.stderr.contains("no file of this folder"), "{}", ran.stderr);
    std::fs::write(runs.join("results.json"), "{\"tool\": 1}").unwrap();
    // A folder of results is replaced like one of data: with --force, and only if it is ours.
    eightk(["eval", arg(&data), "--system", "bm25", "--out", arg(&runs), "--force"]).exits(2);
    std::fs::write(runs.join("results.json"), "{\"tool\": \"eightk\"}").unwrap();
    eightk(["eval", arg(&data), "--system", "bm25", "--out", arg(&runs), "--force"]).exits(0);
}
