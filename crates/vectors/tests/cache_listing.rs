//! What the cache says of itself, and throwing it out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs;

use eightk_encode::VectorStore;
use eightk_vectors::Cache;
use support::{keys, pair, who};

#[test]
fn encoders_have_files_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path());
    cache.put(&who("b"), &[pair(1)]).unwrap();
    cache.put(&who("a"), &[pair(1), pair(2)]).unwrap();
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    fs::write(dir.path().join("other.sqlite"), "mine").unwrap();
    let listed = cache.list().unwrap();
    assert_eq!(
        listed.iter().map(|e| (e.identity.clone().unwrap(), e.vectors)).collect::<Vec<_>>(),
        [(who("a"), 2), (who("b"), 1)]
    );
    assert!(listed.iter().all(|e| e.fault.is_none() && e.bytes > 1_000 && e.written.is_some()));
    assert_eq!(cache.get(&who("b"), &keys(1..3)).unwrap(), [Some(pair(1).1), None]);
    assert_eq!(cache.clear(|e| e.is_named("NOBODY")).unwrap(), []);
    let gone = cache.clear(|e| e.identity.as_ref().is_some_and(|i| i.model == "a")).unwrap();
    assert_eq!(gone, listed[..1]);
    assert_eq!(cache.get(&who("a"), &keys(1..2)).unwrap(), [None]);
    assert_eq!(cache.clear(|_| true).unwrap().len(), 1);
    let mut left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["notes.txt", "other.sqlite"]);
}

#[test]
fn who_is_writing_while_it_is_cleared_begins_anew() {
    let dir = tempfile::tempdir().unwrap();
    let (writer, other) = (Cache::open(dir.path()), Cache::open(dir.path()));
    for turn in 1..4 {
        writer.put(&who("m"), &[pair(turn)]).unwrap();
        assert_eq!(other.list().unwrap()[0].vectors, 1);
        assert_eq!(other.clear(|e| e.is_named("toy")).unwrap().len(), 1);
    }
    assert_eq!(writer.notes(), Vec::<String>::new());
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn damaged_files_are_listed_and_cleared() {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path());
    cache.put(&who("m"), &[pair(1)]).unwrap();
    let file = cache.list().unwrap()[0].file.clone();
    fs::write(dir.path().join(&file), "no database at all").unwrap();
    let listed = Cache::open(dir.path()).list().unwrap();
    assert_eq!((listed[0].identity.as_ref(), listed[0].fault.is_some()), (None, true));
    let fresh = Cache::open(dir.path());
    fresh.put(&who("m"), &[pair(1)]).unwrap();
    let listed = fresh.list().unwrap();
    assert_eq!(listed.iter().map(|e| e.file.as_str()).collect::<Vec<_>>(), [file.clone(), file + ".damaged"]);
    assert!(listed[1].fault.is_some() && listed[1].is_named("TOY-m"));
    assert_eq!(fresh.clear(|_| true).unwrap().len(), 2);
    assert_eq!(fresh.list().unwrap(), []);
}
