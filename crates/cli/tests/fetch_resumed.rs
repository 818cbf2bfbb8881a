//! Stopped, blocked, damaged, offline: how a fetch goes on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use support::standin::{EVERYTHING, StandIn, assert_holds, served, stored};
use support::{arg, eightk, ran, shared, synth};

#[test]
fn a_stop_tells_how_to_go_on_and_a_second_process_is_refused() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 40, 21);
    let standin = StandIn::start(dir.path(), &["--filings", arg(&filings)]).unwrap();
    let store = dir.path().join("store");
    let child = standin.command(&store, EVERYTHING).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while stored(&store).len() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    let second = standin.fetch(&store, EVERYTHING).exits(1);
    assert!(second.stderr.contains(&child.id().to_string()), "{}", second.stderr);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let stopped = ran(child.wait_with_output().unwrap()).exits(130);
    assert!(
        stopped.stdout.contains("not asked for yet") && stopped.stdout.contains("goes on from here"),
        "{}",
        stopped.stdout
    );
    let there = stored(&store).len();
    assert!((3..40).contains(&there), "{there}");
    let report = standin.fetch(&store, &[EVERYTHING, &["--json"]].concat()).exits(0).json();
    assert_eq!(
        (report["stored"].as_u64(), report["downloaded"].as_u64()),
        (Some(there as u64), Some(40 - there as u64))
    );
    assert_holds(&store, &served(&filings));
    standin.assert_polite(9, 0.0);
}

#[test]
fn a_pause_is_kept_over_a_restart() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 10, 22);
    let faults = dir.path().join("faults.json");
    std::fs::write(&faults, r#"[{"path": "/data/", "times": [4], "fault": "403"}]"#).unwrap();
    let standin =
        StandIn::start(dir.path(), &["--filings", arg(&filings), "--faults", arg(&faults), "--block", "5"]).unwrap();
    let store = dir.path().join("store");
    let args = [EVERYTHING, &["--block-pause", "6s"]].concat();
    let mut child = standin.command(&store, &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !store.join("pause.json").exists() {
        assert!(begun.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let run = standin.fetch(&store, &args).exits(0);
    assert!(run.stderr.contains("waiting"), "{}", run.stderr);
    assert_holds(&store, &served(&filings));
    standin.assert_polite(9, 6.0);
    assert!(!store.join("pause.json").exists());
}

#[test]
fn damage_is_named_and_repaired_and_offline_says_what_is_missing() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 8, 23);
    let standin = StandIn::start(dir.path(), &["--filings", arg(&filings)]).unwrap();
    let store = dir.path().join("store");
    let offline = [EVERYTHING, &["--offline"]].concat();
    eightk(["fetch", "--store", arg(&store)].into_iter().chain(offline.iter().copied())).exits(2);
    // A dry run asks the search, and fetches no document.
    let dry = standin.fetch(&store, &[EVERYTHING, &["--dry-run", "--json"]].concat()).exits(0).json();
    assert_eq!(dry["would"]["requests"], 8, "{dry}");
    assert!(standin.seen().iter().all(|s| !s.is_document()));
    standin.fetch(&store, EVERYTHING).exits(0);
    eightk(["fetch", "--store", arg(&store)].into_iter().chain(offline.iter().copied())).exits(0);
    // One document changes, one goes.
    let names: Vec<String> = stored(&store).into_keys().collect();
    let document = |accession: &str| {
        let folder = store.join("filings").join(accession);
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).find(|p| !p.ends_with("filing.json")).unwrap()
    };
    let changed = document(&names[2]);
    let mut bytes = std::fs::read(&changed).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&changed, bytes).unwrap();
    std::fs::remove_dir_all(store.join("filings").join(&names[5])).unwrap();
    let check = eightk(["fetch", "--check", "--store", arg(&store)]).exits(1);
    assert!(check.stdout.contains(&format!("damaged filings/{}", names[2])), "{}", check.stdout);
    assert!(check.stdout.contains(&format!("missing {}", names[5])), "{}", check.stdout);
    let missing = eightk(["fetch", "--store", arg(&store)].into_iter().chain(offline.iter().copied())).exits(1);
    for name in [&names[2], &names[5]] {
        assert!(missing.stdout.contains(&format!("missing {name}")), "{}", missing.stdout);
    }
    let report = standin.fetch(&store, &[EVERYTHING, &["--json"]].concat()).exits(0).json();
    assert_eq!(report["downloaded"], 2, "{report}");
    assert_holds(&store, &served(&filings));
    eightk(["fetch", "--check", "--store", arg(&store)]).exits(0);
}

#[test]
fn amendments_come_on_request_and_know_what_they_amend() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 60, 24);
    let standin = StandIn::start(dir.path(), &["--filings", arg(&filings), "--amendments"]).unwrap();
    let (plain, amended) = (dir.path().join("plain"), dir.path().join("amended"));
    let left = standin.fetch(&plain, &[EVERYTHING, &["--json"]].concat()).exits(0).json();
    assert_holds(&plain, &served(&filings));
    assert_eq!(left["picked"], 60);
    let both: Vec<&str> = EVERYTHING.iter().map(|a| if *a == "8-K" { "8-K,8-K/A" } else { a }).collect();
    let report = standin.fetch(&amended, &[both.as_slice(), &["--json"]].concat()).exits(0).json();
    let amendments = report["picked"].as_u64().unwrap() - 60;
    assert!(amendments >= 5, "{report}");
    let mut linked = 0;
    for accession in stored(&amended).into_keys() {
        let path = amended.join("filings").join(&accession).join("filing.json");
        let record: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        if record["form"] == "8-K/A" {
            let original = record["amends"].as_str().unwrap_or_else(|| panic!("{accession} amends nothing"));
            // The stand-in numbers an amendment after its original, with a 9 for one digit.
            assert_eq!((&original[..14], &original[15..]), (&accession[..14], &accession[15..]));
            linked += 1;
        }
    }
    assert_eq!(linked, amendments);
}

/// A disk that is full: nothing half is left, and the message names the place.
#[test]
fn a_full_disk_ends_the_run_cleanly() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let small = dir.path().join("small");
    std::fs::create_dir(&small).unwrap();
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=192k", "tmpfs", arg(&small)]).output();
    if !mounted.is_ok_and(|m| m.status.success()) {
        eprintln!("skipped: no small file system can be mounted here");
        return;
    }
    let filings = synth(dir.path(), 60, 25);
    let standin = StandIn::start(dir.path(), &["--filings", arg(&filings)]).unwrap();
    let store = small.join("store");
    let run = standin.fetch(&store, EVERYTHING);
    let there = stored(&store);
    let check = eightk(["fetch", "--check", "--store", arg(&store), "--json"]).exits(1).json();
    Command::new("umount").arg(&small).status().unwrap();
    let run = run.exits(1);
    assert!(run.stderr.contains("No space left") && run.stderr.contains("store/"), "{}", run.stderr);
    let expected = served(&filings);
    assert!(!there.is_empty() && there.len() < 60);
    assert!(there.iter().all(|(accession, bytes)| expected[accession] == *bytes));
    assert_eq!(check["damaged"].as_array().map(Vec::len), Some(0), "{check}");
}
