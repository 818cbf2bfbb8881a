//! Children that die, fall silent, babble or lie.

use std::time::{Duration, Instant};

use super::*;

/// What comes of asking a script for one query.
fn fails(body: &str, pairs: &[(&str, &str)]) -> Option<EncodeError> {
    let script = Script::python(body)?;
    let start = Instant::now();
    let error = ask(&encoder(&script.line(), pairs), &["q"]).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(30), "it took {:?}: {error}", start.elapsed());
    Some(error)
}

#[test]
fn its_death_is_told_with_its_last_words() {
    let Some(error) = fails(
        r#"
import sys
sys.stdin.readline()
for i in range(20): print("loading part", i, file=sys.stderr)
sys.exit(3)
"#,
        &[],
    ) else {
        return;
    };
    let EncodeError::Unavailable(message) = error else { panic!("{error}") };
    assert!(
        message.starts_with("python3 encoder.py ended (exit status: 3) before it answered for query 1"),
        "{message}"
    );
    assert!(message.ends_with("\n  loading part 18\n  loading part 19") && !message.contains("part 14"), "{message}");
}

#[test]
fn one_that_never_starts_to_read_or_ends_at_once_is_dead() {
    for line in ["true", "false", "sh -c 'kill -9 $$'", "sh -c 'exec <&-; exit 4'"] {
        let error = ask(&encoder(line, &[]), &["q"]).unwrap_err();
        assert!(matches!(&error, EncodeError::Unavailable(m) if m.contains("ended (")), "{line}: {error}");
    }
    // It answers once and ends: the second request finds it gone.
    let encoder = encoder(r#"sh -c 'read line; echo "{\"vectors\": [[1, 2]]}"'"#, &[("batch", "1")]);
    let error = ask(&encoder, &["q", "r"]).unwrap_err();
    assert!(
        matches!(&error, EncodeError::Unavailable(m) if m.contains("ended (exit status: 0) before it answered for query 2")),
        "{error}"
    );
    assert_eq!(ask(&encoder, &["again"]).unwrap(), [[1.0, 2.0]], "the next call starts it anew");
}

#[test]
fn its_silence_has_an_end() {
    let silent = "import sys, time\nprint('thinking', file=sys.stderr)\nsys.stdin.readline()\ntime.sleep(1000)";
    let Some(error) = fails(silent, &[("timeout", "1.5")]) else { return };
    assert!(
        matches!(&error, EncodeError::Unavailable(m) if m.contains("within 1.5 s") && m.contains("timeout=") && m.ends_with("thinking")),
        "{error}"
    );
}

#[test]
fn one_that_never_reads_does_not_hold_us() {
    let Some(script) = Script::python("import time\ntime.sleep(1000)") else { return };
    let encoder = encoder(&script.line(), &[("timeout", "1")]);
    let long = "word ".repeat(100_000);
    let start = Instant::now();
    assert!(matches!(ask(&encoder, &[&long]), Err(EncodeError::Unavailable(_))));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn one_that_closes_its_pipes_and_lives_on_is_as_good_as_dead() {
    // More than a pipe holds, so that the request cannot be lost in it unread; a short one would be, and end in silence.
    let long = "word ".repeat(100_000);
    for pipe in ["os.close(0)", "os.close(1)"] {
        let Some(script) = Script::python(&format!("import os, time\n{pipe}\ntime.sleep(1000)")) else { return };
        let start = Instant::now();
        let error = ask(&encoder(&script.line(), &[("timeout", "60")]), &[&long]).unwrap_err();
        assert!(matches!(&error, EncodeError::Unavailable(m) if m.contains("closed its stdin or stdout")), "{error}");
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn what_it_started_dies_with_it() {
    // A shell that waits for something that does not end, as wrappers do; both hold the pipes.
    let script =
        Script::of("wrap.sh", "cd \"$(dirname \"$0\")\"; sleep 1000 & echo $! > inner; echo $$ > outer; wait\n");
    let encoder = encoder(&format!("sh {}", script.path("wrap.sh")), &[("timeout", "1")]);
    assert!(ask(&encoder, &["q"]).is_err());
    for id in ["inner", "outer"] {
        let id = script.read(id);
        assert!(!id.is_empty());
        // The inner one's zombie is for the system to collect, not for us.
        let gone = || {
            !is_there(&id)
                || std::fs::read_to_string(format!("/proc/{}/stat", id.trim())).is_ok_and(|s| s.contains(") Z"))
        };
        let start = Instant::now();
        while !gone() {
            assert!(start.elapsed() < Duration::from_secs(10), "{id} still runs");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_death_is_seen_though_its_pipes_stay_open() {
    let start = Instant::now();
    let error = ask(&encoder("sh -c 'sleep 1000 & exit 5'", &[]), &["q"]).unwrap_err();
    assert!(matches!(&error, EncodeError::Unavailable(m) if m.contains("exit status: 5")), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn lines_that_are_no_answers_are_shown() {
    let answering = |line: &str| {
        format!(
            "import sys\nsys.stdin.readline()\nsys.stdout.buffer.write({line})\nsys.stdout.flush()\nsys.stdin.read()"
        )
    };
    for (line, wanted) in [
        (r#"b"Loading weights\n""#, "Loading weights"),
        (r#"b"\xff\xfe{}\n""#, "no JSON object"),
        (r#"b"\n""#, "no JSON object"),
        (r#"b"[[1.0]]\n""#, "[[1.0]]"),
        (r#"b'{"vectors": [[1.0], [1.0]]}\n'"#, "2 vectors came back for the 1"),
        (r#"b'{"vectors": []}\n'"#, "0 vectors came back for the 1"),
        (r#"b'{"vectors": [[1.0, NaN]]}\n'"#, "NaN at position 1"),
        (r#"b'{"vectors": [[-Infinity, 1]]}\n'"#, "-inf at position 0"),
        (r#"b'{"vectors": [[1e39, 1]]}\n'"#, "inf at position 0"),
        (r#"b'{"vectors": [[0.0, 0]]}\n'"#, "all zeros"),
        (r#"b'{"vectors": [[]]}\n'"#, "all zeros"),
        (r#"b'{"error": "no GPU"}\n'"#, "cannot answer for query 1: no GPU"),
        (r#"b'{"vectors": [[' + b"1.0," * 1000000"#, "longer than"),
        (r#"b"x" * 10000000"#, "longer than"),
    ] {
        let Some(error) = fails(&answering(line), &[]) else { return };
        assert!(error.to_string().contains(wanted), "{line}: {error}");
    }
}

#[test]
fn dimensions_stay_what_they_were() {
    let body = r#"
import json, sys
n = 2
for line in sys.stdin:
    print(json.dumps({"vectors": [[1.0] * n]}))
    n += 1
"#;
    let Some(error) = fails(body, &[("dims", "3")]) else { return };
    assert!(matches!(error, EncodeError::Dimension { .. }));
    let Some(script) = Script::python(body) else { return };
    let encoder = encoder(&script.line(), &[]);
    ask(&encoder, &["q"]).unwrap();
    assert!(matches!(encode(&encoder, &[filing("f", &["c"])]), Err(EncodeError::Dimension { .. })));
    assert_eq!(ask(&encoder, &["q"]).unwrap()[0].len(), 2, "after a fault it begins anew");
}

#[test]
fn one_that_speaks_unasked_is_not_believed() {
    // Its greeting would be taken for the first answer, and every vector would be its neighbour's.
    let babbling = r#"
import json, sys
print("a greeting")
print("to all", file=sys.stderr)
for line in sys.stdin: print(json.dumps({"vectors": [[1.0]]}))
"#;
    let Some(error) = fails(babbling, &[]) else { return };
    assert!(matches!(&error, EncodeError::Data(m) if m.contains("a greeting") && m.contains("stderr")), "{error}");

    let twice = r#"
import json, sys, time
for line in sys.stdin:
    print(json.dumps({"vectors": [[1.0]]}) + "\n" + json.dumps({"vectors": [[2.0]]}))
"#;
    let Some(script) = Script::python(twice) else { return };
    let encoder = encoder(&script.line(), &[]);
    ask(&encoder, &["q"]).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let error = ask(&encoder, &["r"]).unwrap_err();
    assert!(matches!(&error, EncodeError::Data(m) if m.contains("before it was asked for query 1")), "{error}");
}

#[test]
fn one_that_never_stops_writing_fills_no_memory() {
    // Reads nothing, says much on both pipes.
    let start = Instant::now();
    let error = ask(&encoder("sh -c 'yes >&2 & yes'", &[("timeout", "5")]), &["q"]).unwrap_err();
    assert!(matches!(error, EncodeError::Data(_)), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_finished_filing_is_told_before_the_next_fails() {
    let Some(script) = Script::python(
        r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["id"] == "bad": sys.exit("cannot")
    print(json.dumps({"vectors": [[1.0]] * len(request["chunks"])}))
"#,
    ) else {
        return;
    };
    let mut told = Vec::new();
    let filings = [filing("good", &["a", "b"]), filing("bad", &["c"]), filing("never", &["d"])];
    let error = encoder(&script.line(), &[])
        .encode_filings(&filings, &mut |i, encoded| {
            told.push((i, encoded.len()));
            Ok(())
        })
        .unwrap_err();
    assert_eq!(told, [(0, 2)]);
    assert!(error.to_string().contains("answered for bad") && error.to_string().contains("cannot"), "{error}");
}

#[test]
fn what_cannot_be_started_says_what_to_do() {
    let start = |line: &str| ask(&encoder(line, &[]), &["q"]).unwrap_err();
    let error = start("no-such-program-anywhere x");
    assert!(
        matches!(&error, EncodeError::Usage(m) if m.contains("no-such-program-anywhere") && m.contains("PATH")),
        "{error}"
    );
    let script = Script::of("plain.txt", "text");
    let error = start(&script.path("plain.txt"));
    assert!(matches!(&error, EncodeError::Usage(m) if m.contains("executable")), "{error}");
    let error = CommandEncoder::new("enc 'x", CommandSettings::default(), Heard::default().sink()).unwrap_err();
    assert!(matches!(error, EncodeError::Usage(_)));
}
