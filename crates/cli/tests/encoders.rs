//! Embedding models as systems: a server, a program, a model that runs here, through the real binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::embeddings::Embeddings;
use support::{Ran, arg, eightk, minilm, ran, synth};

const KEY: &str = "sk-not-to-be-seen-7f3a";

fn built(dir: &Path, filings: usize, seed: u64) -> PathBuf {
    let (data, filings) = (dir.join("data"), synth(dir, filings, seed));
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    data
}

/// `eval` with a cache of its own and a key in the environment.
fn eval(cache: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
    command.arg("eval").args(args).env("EIGHTK_CACHE", cache).env("OUR_KEY", KEY);
    ran(command.output().unwrap())
}

fn results(runs: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(runs.join("results.json")).unwrap()).unwrap()
}

/// What of a result is the same on every run.
fn lasting(mut results: Value) -> Value {
    results.as_object_mut().unwrap().remove("run");
    results
}

fn metric(results: &Value, system: &str, metric: &str) -> f64 {
    let all = results["systems"].as_array().unwrap();
    let system = all.iter().find(|s| s["name"] == system).unwrap_or_else(|| panic!("no system {system}"));
    system["metrics"][metric]["expected"].as_f64().unwrap()
}

#[test]
fn a_server_of_embeddings_climbs_the_ladder_and_is_asked_once() {
    let dir = tempfile::tempdir().unwrap();
    let (data, cache) = (built(dir.path(), 40, 5), dir.path().join("cache"));
    let server = Embeddings::start();
    let model = format!("openai:words,url={},key-env=OUR_KEY,price=0.5,as=words", server.url);
    let plan = eval(&cache, &[arg(&data), "--ablation", &model, "--dry-run", "--json"]).exits(0).json();
    assert_eq!(server.requests(), 0, "a plan asks nobody");
    let planned = |plan: &Value, key: &str| {
        plan["systems"].as_array().unwrap().iter().filter_map(|s| s[key].as_f64()).sum::<f64>()
    };
    assert!(planned(&plan, "requests") > 0.0 && planned(&plan, "dollars") > 0.0, "{plan}");

    let runs = dir.path().join("runs");
    let hybrid = format!("rrf(bm25:title;{model},view=title)");
    let climb = |runs: &Path| {
        eval(&cache, &[arg(&data), "--ablation", &model, "--system", &hybrid, "--out", arg(runs)]).exits(0)
    };
    let first = climb(&runs);
    let asked = server.requests();
    assert!(
        asked > 0 && asked as f64 <= planned(&plan, "requests"),
        "{asked} requests of {}",
        planned(&plan, "requests")
    );
    assert!(server.keys().iter().all(|k| k == KEY) && !server.keys().is_empty());
    for part in ["words:title", "words: each view less the bare sentence", "follow rate", "Exchanged with a rival's"] {
        assert!(first.stdout.contains(part), "no `{part}` in\n{}", first.stdout);
    }
    assert!(first.stdout.lines().all(|l| l.chars().count() <= 80), "{}", first.stdout);
    let found = results(&runs);
    assert!(metric(&found, "words:title", "rival_auc") > metric(&found, "words", "rival_auc") + 0.2);
    let follow = &found["ablations"][0]["follow"][0];
    assert_eq!(follow["system"], "words:lead/swap");
    assert!(follow["rate"]["expected"].as_f64().unwrap() >= 0.0);

    // Again: the same numbers, and nobody is asked anything.
    let again = dir.path().join("again");
    let second = climb(&again);
    assert_eq!(server.requests(), asked, "everything is in the cache");
    assert_eq!(lasting(results(&again)), lasting(found.clone()));
    let encoded: Vec<&Value> = found["run"]["systems"].as_array().unwrap().iter().map(|s| &s["encoding"]).collect();
    assert!(encoded.iter().any(|e| e["encoded"].as_u64().is_some_and(|n| n > 0)));
    let plan = eval(&cache, &[arg(&data), "--ablation", &model, "--dry-run", "--json"]).exits(0).json();
    assert_eq!(planned(&plan, "requests"), 0.0);

    // The numbers can be made again, the ladder's too.
    let scored = eightk(["score", arg(&runs)]).exits(0);
    assert!(
        scored.stdout.contains("Every number is as recorded")
            && scored.stdout.contains("words: each view less the bare sentence"),
        "{}",
        scored.stdout
    );

    // The key is nowhere: not in what is printed, saved or kept.
    let mut files = vec![runs.clone(), cache.clone()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            assert!(!bytes.windows(KEY.len()).any(|w| w == KEY.as_bytes()), "the key is in {}", path.display());
        }
    }
    assert!([&first, &second].iter().all(|r| !r.stdout.contains(KEY) && !r.stderr.contains(KEY)));
    let kept = eightk(["cache", "list", "--cache", arg(&cache)]).exits(0);
    assert!(kept.stdout.contains("words"), "{}", kept.stdout);
}

#[test]
fn a_budget_ends_a_system_and_keeps_what_was_made() {
    let dir = tempfile::tempdir().unwrap();
    let (data, cache) = (built(dir.path(), 20, 6), dir.path().join("cache"));
    let server = Embeddings::start();
    let model = format!("openai:words,url={},batch=8", server.url);
    let short = eval(&cache, &[arg(&data), "--system", &model, "--max-requests", "5"]).exits(1);
    assert_eq!(server.requests(), 5);
    assert!(short.stderr.contains("could not run") && short.stderr.contains("--max-requests"), "{}", short.stderr);
    eval(&cache, &[arg(&data), "--system", &model]).exits(0);
    let all = server.requests();
    let (other, fresh) = (Embeddings::start(), dir.path().join("fresh"));
    eval(&fresh, &[arg(&data), "--system", &format!("openai:words,url={},batch=8", other.url)]).exits(0);
    assert_eq!(all, other.requests(), "what five requests had brought was not asked for again");
}

#[test]
fn a_server_that_is_not_there_is_a_failed_system() {
    let dir = tempfile::tempdir().unwrap();
    let (data, cache) = (built(dir.path(), 20, 6), dir.path().join("cache"));
    let bad = eval(&cache, &[arg(&data), "--system", "openai:words"]).exits(1);
    assert!(bad.stderr.contains("OPENAI_API_KEY"), "{}", bad.stderr);
    let used_wrong = eval(&cache, &[arg(&data), "--ablation", "bm25"]).exits(2);
    assert!(used_wrong.stderr.contains("ladder"), "{}", used_wrong.stderr);
}

#[test]
fn a_program_is_a_system() {
    let dir = tempfile::tempdir().unwrap();
    let (data, cache) = (built(dir.path(), 20, 7), dir.path().join("cache"));
    let script = dir.path().join("count letters.py");
    std::fs::write(
        &script,
        "import json, sys\n\
         for line in sys.stdin:\n\
         \x20   r = json.loads(line)\n\
         \x20   texts = r.get('chunks') or r.get('queries')\n\
         \x20   print(json.dumps({'vectors': [[t.lower().count(c) + .1 for c in 'abcdefghijklmnopqrstuvwxyz'] for t in texts]}), flush=True)\n",
    )
    .unwrap();
    let program = format!("cmd:python3 '{}',as=letters", script.display());
    let runs = dir.path().join("runs");
    eval(
        &cache,
        &[
            arg(&data),
            "--system",
            &program,
            "--system",
            &format!("{program}-in-context,view=filing"),
            "--out",
            arg(&runs),
        ],
    )
    .exits(0);
    let found = results(&runs);
    assert!(metric(&found, "letters", "rival_auc") > 0.0);
    // It looks at each chunk alone, whatever it is handed.
    let rankings = found["rankings"].as_array().unwrap();
    let of = |name: &str| rankings.iter().find(|r| r["name"] == name).unwrap();
    assert_eq!(
        (&of("letters")["context_free"], &of("letters-in-context")["context_free"]),
        (&false.into(), &true.into())
    );
}

#[test]
fn a_model_that_runs_here_on_generated_filings() {
    let Some(model) = minilm() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (data, cache, runs) = (built(dir.path(), 24, 9), dir.path().join("cache"), dir.path().join("runs"));
    let spec = format!("dense:{},as=minilm", model.display());
    let table = eval(&cache, &[arg(&data), "--ablation", &spec, "--out", arg(&runs)]).exits(0);
    for part in [
        "minilm:title+filing",
        "minilm:filing/minus-binding",
        "minilm: each view less the bare sentence",
        "follow rate",
    ] {
        assert!(table.stdout.contains(part), "no `{part}` in\n{}", table.stdout);
    }
    let found = results(&runs);
    // The title names the company: any model that reads it gains.
    assert!(metric(&found, "minilm:title", "rival_auc") > metric(&found, "minilm", "rival_auc") + 0.1);
    let of = |name: &str| found["rankings"].as_array().unwrap().iter().find(|r| r["name"] == name).unwrap().clone();
    assert_eq!(of("minilm:filing")["context_free"], false);
    assert!(!of("minilm:filing/swap")["per_query"].as_object().unwrap().is_empty());
    let settings = of("minilm")["system"]["settings"].to_string();
    assert!(settings.contains("query_prompt") && settings.contains("revision"), "{settings}");
    let again = eval(&cache, &[arg(&data), "--ablation", &spec]).exits(0);
    assert_eq!(again.stdout.trim(), table.stdout.split("runs and scores:").next().unwrap().trim());
}
