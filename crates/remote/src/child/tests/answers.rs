//! Children that do as they are asked.

use eightk_core::Span;
use eightk_encode::Similarity;

use super::*;

/// Represents a text by counts of a few letters, and a chunk in a context by the context's too. Keeps a list of what it was asked.
const LETTERS: &str = r#"
import json, os, sys
folder = os.path.dirname(os.path.abspath(__file__))
log = open(os.path.join(folder, "asked"), "a", encoding="utf-8")
print(os.getpid(), file=open(os.path.join(folder, "pid"), "w"))
print("ready", file=sys.stderr)
def vector(text):
    return [1 + text.count(letter) for letter in "aeé𝄞"]
for line in sys.stdin:
    log.write(line); log.flush()
    request = json.loads(line)
    if request["kind"] == "queries":
        print(json.dumps({"vectors": [vector(q) for q in request["queries"]]}))
    else:
        vectors = [vector(c) for c in request["chunks"]]
        context = request.get("context")
        if context:
            around = vector(context["text"])
            for chunk, (start, end), own in zip(request["chunks"], context["spans"], vectors):
                assert context["text"][start:end] == chunk, (context, chunk)
                own.extend(around)
        else:
            vectors = [v + [0] * 4 for v in vectors]
        print(json.dumps({"vectors": vectors}))
print("bye", file=sys.stderr)
"#;

#[test]
fn filings_and_queries_in_order_from_one_process() {
    let Some(script) = Script::python(LETTERS) else { return };
    let heard = Heard::default();
    let encoder = CommandEncoder::new(&script.line(), CommandSettings::default(), heard.sink()).unwrap();
    assert_eq!(script.read("asked"), "", "nothing is started before it is needed");
    let filings: Vec<_> = (0..20).map(|_| filing("f1", &["a é", "eee\n", "𝄞𝄞 \u{2028}"])).collect();
    let encoded = encode(&encoder, &filings).unwrap();
    assert_eq!(encoded.len(), 20);
    let vectors: Vec<Vec<f32>> = encoded[19].iter().map(|e| e.vector.to_f32()).collect();
    assert_eq!(vectors[0], [2.0, 1.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(vectors[1][..4], [1.0, 4.0, 1.0, 1.0]);
    assert_eq!(vectors[2][..4], [1.0, 1.0, 1.0, 3.0]);
    let id = script.read("pid");
    drop(encoder);
    assert_eq!(script.read("asked").lines().count(), 20);
    assert!(!is_there(&id), "it is gone, and no zombie stays");
    assert_eq!(heard.lines(), ["python3: ready", "python3: bye"], "it was told by the end of its stdin");
}

#[test]
fn queries_come_in_batches_with_their_prompt() {
    let Some(script) = Script::python(LETTERS) else { return };
    let encoder = encoder(&script.line(), &[("batch", "2"), ("query-prompt", "aaa ")]);
    let vectors = ask(&encoder, &["", "a", "e", "é", "x"]).unwrap();
    assert_eq!(vectors.iter().map(|v| v[0]).collect::<Vec<_>>(), [4.0, 5.0, 4.0, 4.0, 4.0]);
    assert_eq!(script.read("asked").lines().count(), 3);
    assert_eq!(ask(&encoder, &[]).unwrap().len(), 0);
    assert_eq!(encode(&encoder, &[filing("f1", &[])]).unwrap(), [vec![]], "nothing to ask");
    assert_eq!(script.read("asked").lines().count(), 3);
    assert_eq!(encoder.identity().query_prompt, "aaa ");
}

#[test]
fn a_context_is_handed_over_and_changes_vectors() {
    let Some(script) = Script::python(LETTERS) else { return };
    let encoder = encoder(&script.line(), &[]);
    assert!(encoder.sees_context());
    let of = |title: &str| encode(&encoder, &[in_context("f1", title, &["an é", "b 𝄞"])]).unwrap().remove(0);
    let (birch, elm) = (of("Birch é"), of("Elm e"));
    assert_ne!(birch[0].vector, elm[0].vector);
    assert_eq!(birch[0].vector.to_f32()[..4], elm[0].vector.to_f32()[..4]);
    assert_eq!(birch[1].seen, None);
    let closed = encoder_without_context(&script);
    assert!(matches!(encode(&closed, &[in_context("f1", "x", &["y"])]), Err(EncodeError::Usage(_))));
    assert!(encode(&closed, &[filing("f1", &["y"])]).is_ok());
}

fn encoder_without_context(script: &Script) -> CommandEncoder {
    let closed = encoder(&script.line(), &[("context", "false")]);
    assert!(!closed.sees_context());
    closed
}

#[test]
fn it_may_tell_what_it_cut_and_saw() {
    let Some(script) = Script::python(
        r#"
import json, sys
for line in sys.stdin:
    spans = json.loads(line)["context"]["spans"]
    print(json.dumps({"vectors": [[1.0, 2.0]] * len(spans), "truncated": [True, False], "seen": [spans[0], None]}))
"#,
    ) else {
        return;
    };
    let encoder = encoder(&script.line(), &[("passage-prompt", "pé ")]);
    let encoded = encode(&encoder, &[in_context("f1", "Éa", &["One.", "Two."])]).unwrap().remove(0);
    assert_eq!((encoded[0].truncated, encoded[1].truncated), (true, false));
    assert_eq!((encoded[0].seen, encoded[1].seen), (Some(Span::new(4, 8)), None), "bytes, without the prompt");
}

#[test]
fn asked_who_it_is_it_may_answer_or_not() {
    let Some(script) = Script::python(
        r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["kind"] == "about":
        print(json.dumps({"model": "tiny", "revision": "7", "dims": 2, "similarity": "dot", "context": False}))
    else:
        print(json.dumps({"vectors": [[3.0, 4.0] for _ in request["queries"]]}))
"#,
    ) else {
        return;
    };
    let told = encoder(&script.line(), &[("about", "true")]);
    let who = told.identity();
    assert_eq!((who.model.as_str(), who.dims, who.similarity), ("tiny", Some(2), Similarity::Dot));
    assert_eq!(who.settings["stated-revision"], "7");
    assert!(!told.sees_context());
    assert_eq!(ask(&told, &["q"]).unwrap(), [[3.0, 4.0]]);
    let overruled = encoder(&script.line(), &[("about", "true"), ("similarity", "cosine"), ("context", "true")]);
    assert_eq!((overruled.identity().similarity, overruled.sees_context()), (Similarity::Cosine, true));
    let silent = encoder(&script.line(), &[]);
    assert_eq!((silent.identity().model.as_str(), silent.identity().dims), ("python3 encoder.py", None));

    let Some(script) = Script::python("import sys\nfor _ in sys.stdin: print('{}')") else { return };
    let who = encoder(&script.line(), &[("about", "true")]).identity().clone();
    assert_eq!(who, encoder(&script.line(), &[]).identity().clone());
}

#[test]
fn other_contents_are_another_identity() {
    let script = Script::of("encoder.py", "one");
    let before = encoder(&script.line(), &[]).identity().hash();
    std::fs::write(script.folder.path().join("encoder.py"), "two").unwrap();
    assert_ne!(before, encoder(&script.line(), &[]).identity().hash());
    assert_ne!(
        encoder(&script.line(), &[("query-prompt", "q")]).identity().hash(),
        encoder(&script.line(), &[("query-prompt", "p")]).identity().hash()
    );
}

#[test]
fn a_request_larger_than_any_pipe_meets_an_answer_as_large() {
    // Answers while it still reads: without a thread for each direction both would wait for the other.
    let Some(script) = Script::python(
        r#"
import json, sys
read = sys.stdin.buffer.read
first = read(1)
sys.stdout.write('{"vectors": [[' + "1.0, " * 16383 + '1.0],\n'.strip()); sys.stdout.flush()
sys.stdin.buffer.readline()
sys.stdout.write('[' + "2.0, " * 16383 + '2.0]]}\n'); sys.stdout.flush()
sys.stdin.buffer.read()
"#,
    ) else {
        return;
    };
    let encoder = encoder(&script.line(), &[]);
    let long = "word ".repeat(400_000);
    let vectors = ask(&encoder, &[&long, "q"]).unwrap();
    assert_eq!((vectors[0].len(), vectors[1][16383]), (16384, 2.0));
}
