//! Vectors of any text, through the real binary: a server, a program, a model that runs here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::embeddings::Embeddings;
use support::{Ran, arg, eightk, eightk_with_input, minilm, shared};

/// A program that counts letters; with a context, those of the whole text count a little too. What it was asked goes to stderr.
const LETTERS: &str = r#"
import json, sys
count = lambda t: [t.lower().count(c) for c in "abcdefgh"]
for line in sys.stdin:
    r = json.loads(line)
    texts = r.get("chunks") or r.get("queries")
    whole = count(r.get("context", {}).get("text", ""))
    print(len(texts), "texts", "in context" if "context" in r else "alone", file=sys.stderr, flush=True)
    print(json.dumps({"vectors": [[a + b / 8 for a, b in zip(count(t), whole)] for t in texts]}), flush=True)
"#;

fn letters(dir: &Path) -> String {
    let script = dir.join("letters.py");
    std::fs::write(&script, LETTERS).unwrap();
    format!("cmd:python3 {}", script.display())
}

fn embed(model: &str, more: &[&str], lines: &[Value]) -> Ran {
    let input: String = lines.iter().map(|l| format!("{l}\n")).collect();
    eightk_with_input(&[&["embed", "--model", model], more].concat(), input.as_bytes())
}

/// The vectors of each line.
fn vectors(ran: &Ran) -> Vec<Vec<Vec<f32>>> {
    let of =
        |line: &str| serde_json::from_value(serde_json::from_str::<Value>(line).unwrap()["vectors"].clone()).unwrap();
    ran.stdout.lines().map(of).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// What sentence-transformers made of real texts: the lines, and the vectors of all of them in order.
fn reference(name: &str) -> Option<(Vec<Value>, Vec<Vec<f32>>)> {
    let folder = shared()?.join("data/embeddings");
    let path = |end: &str| folder.join(format!("{name}.{end}"));
    let lines: Vec<Value> = serde_json::from_reader(BufReader::new(File::open(path("json")).unwrap())).unwrap();
    let file = File::open(path("npy")).unwrap();
    let length = file.metadata().unwrap().len();
    let matrix = eightk_vectors::read_npy(BufReader::new(file), length).unwrap();
    let rows = (0..matrix.rows()).map(|i| matrix.vector(i).unwrap().to_f32()).collect();
    Some((lines, rows))
}

#[track_caller]
fn agrees(given: &[Vec<f32>], expected: &[Vec<f32>]) {
    assert_eq!(given.len(), expected.len());
    for (i, (a, b)) in given.iter().zip(expected).enumerate() {
        let cosine = cosine(a, b);
        assert!(cosine >= 0.99999, "vector {i}: {cosine}");
    }
}

fn model_folder() -> Option<(PathBuf, String)> {
    let folder = minilm()?;
    let name = folder.display().to_string();
    Some((folder, name))
}

#[test]
fn real_texts_get_the_vectors_of_sentence_transformers() {
    let Some((_, model)) = model_folder() else { return };
    let Some((texts, expected)) = reference("texts") else { return };
    let lines: Vec<Value> = texts.iter().map(|text| json!({"text": text})).collect();
    let ran = embed(&model, &[], &lines).exits(0);
    let given: Vec<Vec<f32>> = vectors(&ran).into_iter().flatten().collect();
    assert!(given.len() == 321 && given.len() == ran.stdout.lines().count());
    agrees(&given, &expected);
    // Some of them are longer than the model takes.
    assert!(ran.stderr.starts_with("note: ") && ran.stderr.contains("were cut"), "{}", ran.stderr);
    // Whatever stands beside it in a batch, a text has the same digits; so it has as a query of a model without prompts.
    let some: Vec<Value> = lines.iter().rev().step_by(40).cloned().collect();
    for more in [&[][..], &["--query"], &["--threads", "1"]] {
        let again = embed(&model, more, &some).exits(0);
        let expected: Vec<&str> = ran.stdout.lines().rev().step_by(40).collect();
        assert_eq!(again.stdout.lines().collect::<Vec<_>>(), expected, "{more:?}");
    }
    let spec = embed(&format!("dense:{model},pooling=cls"), &[], &some[..1]).exits(0);
    assert!(cosine(&vectors(&spec)[0][0], expected.last().unwrap()) < 0.99);
}

#[test]
fn real_chunks_get_the_vectors_of_late_chunking() {
    let Some((_, model)) = model_folder() else { return };
    let Some((documents, expected)) = reference("late") else { return };
    let ran = embed(&model, &[], &documents).exits(0);
    let given = vectors(&ran);
    assert!(given.len() == 15 && expected.len() == 76);
    for (document, vectors) in documents.iter().zip(&given) {
        assert_eq!(vectors.len(), document["spans"].as_array().unwrap().len());
    }
    agrees(&given.concat(), &expected);
    assert_eq!(ran.stderr, "");
    // Another text around it, another vector.
    let (text, spans) = (documents[0]["text"].as_str().unwrap(), &documents[0]["spans"]);
    let first: String = text.chars().take(spans[0][1].as_u64().unwrap() as usize).collect();
    let alone = embed(&model, &[], &[json!({"text": first, "spans": [spans[0]]})]).exits(0);
    assert!(cosine(&vectors(&alone)[0][0], &expected[0]) < 0.999);
}

#[test]
fn an_empty_text_and_texts_with_and_without_spans() {
    let Some((_, model)) = model_folder() else { return };
    let lines = [
        json!({"text": ""}),
        json!({"text": "Quarry Lane Kilns lowers its dividend.", "spans": []}),
        json!({"text": "Zürich Öfen AG wächst. It opens a plant.", "spans": [[0, 22], [23, 40]]}),
        json!({"text": "It opens a plant."}),
        json!({"text": "It opens a plant.", "spans": [[0, 17]]}),
    ];
    let ran = embed(&model, &[], &lines).exits(0);
    let given = vectors(&ran);
    assert_eq!(given.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 2, 1, 1]);
    assert!(given.iter().flatten().all(|v| v.len() == 384 && (cosine(v, v) - 1.0).abs() < 1e-9));
    let in_context = cosine(&given[2][1], &given[4][0]);
    assert!(in_context > 0.3 && in_context < 0.999, "{in_context}");
}

#[test]
fn a_server_is_asked_for_batches_within_its_budget() {
    let server = Embeddings::start();
    let model = format!("openai:words,url={},batch=16", server.url);
    let lines: Vec<Value> = (0..200).map(|i| json!({"text": format!("kiln number {i} of the plant")})).collect();
    let ran = embed(&model, &[], &lines).exits(0);
    let all = vectors(&ran);
    assert_eq!((all.len(), server.requests()), (200, 13));
    assert_eq!(ran.stderr, "");
    // In order, though the server answers backwards.
    let one = embed(&model, &["--query"], &lines[137..138]).exits(0);
    assert_eq!(vectors(&one)[0], all[137]);
    assert!(all.iter().zip(all.iter().skip(1)).any(|(a, b)| a != b));

    let before = server.requests();
    let short = embed(&model, &["--max-requests", "2"], &lines).exits(1);
    assert_eq!(server.requests(), before + 2);
    assert!(short.stderr.contains("--max-requests"), "{}", short.stderr);
    assert!(short.stdout.lines().count() < 200);
    embed(&model, &["--max-tokens", "10"], &lines).exits(1);

    // It sees no context: to leave the text around a chunk out in silence would be a lie.
    let spans = embed(&model, &[], &[json!({"text": "a b"}), json!({"text": "a b", "spans": [[0, 1]]})]).exits(2);
    assert!(spans.stderr.contains("line 2") && spans.stderr.contains("for itself"), "{}", spans.stderr);
    assert_eq!(spans.stdout.lines().count(), 1);
}

#[test]
fn a_program_is_asked_for_many_texts_at_once_and_shown_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let model = letters(dir.path());
    let mut lines: Vec<Value> = (0..100).map(|i| json!({"text": "ab".repeat(i + 1)})).collect();
    lines.insert(50, json!({"text": "abba egg", "spans": [[0, 4], [5, 8]]}));
    let file = dir.path().join("texts.jsonl");
    std::fs::write(&file, lines.iter().map(|l| format!("{l}\n")).collect::<String>()).unwrap();
    let ran = eightk(["embed", "--model", &model, arg(&file)]).exits(0);
    let given = vectors(&ran);
    assert_eq!(given.len(), 101);
    assert_eq!(given[7], [[8.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]);
    assert_eq!(given[50][1], [0.25, 0.25, 0.0, 0.0, 1.125, 0.0, 2.25, 0.0]);
    assert_eq!(given[100][0][0], 100.0);
    let asked: Vec<bool> = ["50 texts alone", "2 texts in context", "50 texts alone"]
        .iter()
        .zip(ran.stderr.lines())
        .map(|(asked, line)| line.ends_with(asked))
        .collect();
    assert_eq!(asked, [true; 3], "{}", ran.stderr);
    let query = embed(&format!("{model},query-prompt=ff"), &["--query"], &[json!({"text": "a"})]).exits(0);
    assert_eq!(vectors(&query)[0][0][5], 2.0);
}

#[test]
fn what_comes_back_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let model = letters(dir.path());
    // No letter that it counts: zeros, which point nowhere.
    let zero = embed(&model, &[], &[json!({"text": "abc"}), json!({"text": "xyz"})]).exits(1);
    assert!(zero.stderr.contains("line 2") && zero.stderr.contains("zeros"), "{}", zero.stderr);
    let dims = embed(&format!("{model},dims=7"), &[], &[json!({"text": "abc"})]).exits(1);
    assert!(dims.stderr.contains("line 1") && dims.stderr.contains("8 dimensions"), "{}", dims.stderr);
}

#[test]
fn a_bad_line_is_named_and_those_before_it_are_answered() {
    let dir = tempfile::tempdir().unwrap();
    let model = letters(dir.path());
    for (bad, named) in [
        ("no json", "column"),
        ("[1, 2]", "\"text\""),
        ("{\"texts\": \"a\"}", "missing field `text`"),
        ("{\"text\": 5}", "a string"),
        ("{\"text\": \"a\", \"spans\": 3}", "\"spans\""),
        ("{\"text\": \"a\", \"spans\": [[0]]}", "invalid length"),
        ("{\"text\": \"a\", \"spans\": [[0, 1, 2]]}", "trailing"),
        ("{\"text\": \"a\", \"spans\": [[-1, 0]]}", "-1"),
        ("{\"text\": \"öab\", \"spans\": [[0, 4]]}", "3 code points"),
        ("{\"text\": \"abc\", \"spans\": [[2, 1]]}", "ends before it starts"),
        ("{\"text\": \"abc\", \"spans\": [[1, 2], [0, 1]]}", "in order"),
        ("{\"text\": \"abc\", \"spans\": [[0, 2], [1, 3]]}", "span 2 of 2, [1, 3]"),
        ("{\"text\": \"abc\", \"spans\": [[0, 18446744073709551615]]}", "3 code points"),
        ("{\"text\": \"a\"} {\"text\": \"b\"}", "trailing"),
    ] {
        let input = format!("{{\"text\": \"a\"}}\n\n{{\"text\": \"b\"}}\n{bad}\n{{\"text\": \"c\"}}\n");
        let ran = eightk_with_input(&["embed", "--model", &model, "-"], input.as_bytes()).exits(1);
        assert!(ran.stderr.contains("-, line 4: ") && ran.stderr.contains(named), "{bad}: {}", ran.stderr);
        assert!(!ran.stderr.contains("line 1 column"), "{}", ran.stderr);
        assert_eq!(vectors(&ran).len(), 2, "{bad}");
    }
    let ran = eightk_with_input(&["embed", "--model", &model], b"{\"text\": \"\xff\"}\n").exits(1);
    assert!(ran.stderr.contains("line 1"), "{}", ran.stderr);
    let ran = embed(&model, &["--query"], &[json!({"text": "a", "spans": [[0, 1]]})]).exits(2);
    assert!(ran.stderr.contains("--query"), "{}", ran.stderr);
}

#[test]
fn what_is_no_encoder_is_refused_with_its_reason() {
    let gone = tempfile::tempdir().unwrap().path().join("gone");
    let gone_file = arg(&gone).to_owned();
    for (args, named) in [
        (&["--model", "vectors:folder"][..], "ids of a data set"),
        (&["--model", "dense:acme/tiny,view=title"], "view=title"),
        (&["--model", "dense:acme/tiny,view=filing,control=filing-shuffled"], "view=filing"),
        (&["--model", "bm25"], "makes no vectors"),
        (&["--model", "openai:words,colour=red"], "colour"),
        (&["--model", &gone_file], "no folder of a model"),
        (&["--model", "cmd:python3 x.py", &gone_file], "cannot open"),
        (&[], "--model"),
    ] {
        let ran = eightk_with_input(&[&["embed"], args].concat(), b"").exits(2);
        assert!(ran.stderr.contains(named), "{args:?}: {}", ran.stderr);
    }
}

/// A running `embed` with its pipes.
fn filter(model: &str) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
    command.args(["embed", "--model", model]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn each_line_is_answered_before_the_next_is_asked() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = filter(&letters(dir.path()));
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for text in ["a", "bad", "cabbage"] {
        writeln!(stdin, "{}", json!({"text": text})).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["vectors"][0][0].as_f64().unwrap() as usize, text.matches('a').count());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let server = Embeddings::start();
    let mut child = filter(&format!("openai:words,url={}", server.url));
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    // Until it is gone too.
    while writeln!(stdin, "{}", json!({"text": "a kiln"})).is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
