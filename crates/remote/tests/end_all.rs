//! Ending every child at once, as a handler of Ctrl-C does. In a process of its own: it would end the children of other tests.

#![cfg(unix)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use eightk_encode::{EncodeError, Encoder};
use eightk_remote::child::{CommandEncoder, CommandSettings, end_all};

#[test]
fn all_children_end_and_their_encoders_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let started = |name: &str| folder.path().join(name);
    let encode = |name: &str| {
        // Deaf to everything but a kill, as one deep in a computation is, and so is what it started.
        let script = "trap '' INT TERM HUP; sleep 1000 & echo $! > \"$0\"; wait";
        let words = ["sh", "-c", script, &started(name).display().to_string()];
        let line = shlex::try_join(words).unwrap();
        CommandEncoder::new(&line, CommandSettings::default(), Arc::new(|_: &str| {})).unwrap()
    };
    let start = Instant::now();
    std::thread::scope(|scope| {
        let ask = |name: &'static str| {
            let encoder = encode(name);
            scope.spawn(move || encoder.encode_queries(&["q"], &mut |_, _| Ok(())))
        };
        let asked = [ask("a"), ask("b")];
        while !["a", "b"].iter().all(|name| std::fs::read_to_string(started(name)).is_ok_and(|id| id.ends_with('\n'))) {
            assert!(start.elapsed() < Duration::from_secs(20), "the children did not start");
            std::thread::sleep(Duration::from_millis(10));
        }
        end_all();
        for asked in asked {
            let error = asked.join().unwrap().unwrap_err();
            assert!(matches!(&error, EncodeError::Unavailable(m) if m.contains("SIGKILL")), "{error}");
        }
    });
    assert!(start.elapsed() < Duration::from_secs(30));
    end_all();
}
