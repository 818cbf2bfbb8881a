//! The cache on damaged files: never a wrong vector, never a crash, and it goes on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use eightk_encode::{EncodeError, VectorStore};
use eightk_vectors::Cache;
use support::{Dice, key, keys, pair, who};

const N: u64 = 120;

fn filled(folder: &Path) -> PathBuf {
    let cache = Cache::open(folder);
    for batch in (0..N).step_by(20) {
        cache.put(&who("m"), &(batch..batch + 20).map(pair).collect::<Vec<_>>()).unwrap();
    }
    folder.join(&cache.list().unwrap()[0].file)
}

/// Whatever is known is right; what is not can be put again, and then all is known. Returns how many were known at first, and the notes.
#[track_caller]
fn goes_on(folder: &Path) -> (usize, Vec<String>) {
    let cache = Cache::open(folder);
    let found = cache.get(&who("m"), &keys(0..N)).unwrap();
    for (n, found) in (0..N).zip(&found) {
        assert!(found.is_none() || *found == Some(pair(n).1), "a wrong vector");
    }
    let missing: Vec<_> = (0..N).zip(&found).filter(|(_, f)| f.is_none()).map(|(n, _)| pair(n)).collect();
    // Whether put or get stumbles over damage that the first get did not meet: a second turn finds all.
    cache.put(&who("m"), &missing).unwrap();
    let found_now = cache.get(&who("m"), &keys(0..N)).unwrap();
    let missing: Vec<_> = (0..N).zip(&found_now).filter(|(_, f)| f.is_none()).map(|(n, _)| pair(n)).collect();
    cache.put(&who("m"), &missing).unwrap();
    let all = cache.get(&who("m"), &keys(0..N)).unwrap();
    assert!((0..N).zip(all).all(|(n, found)| found == Some(pair(n).1)), "not all could be made anew");
    (found.iter().flatten().count(), cache.notes())
}

#[test]
fn flipped_bits_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let sound = fs::read(&path).unwrap();
    let mut dice = Dice(11);
    let (mut partly, mut told, mut silently) = (0, 0, 0);
    for round in 0..300 {
        let mut bytes = sound.clone();
        // Every other time in the first page, where all the structure of the file hangs.
        let reach = if round % 2 == 0 { 4096 } else { bytes.len() as u64 };
        for _ in 0..=dice.roll(3) {
            bytes[dice.roll(reach) as usize] ^= 1 << dice.roll(8);
        }
        fs::write(&path, &bytes).unwrap();
        let (known, notes) = goes_on(dir.path());
        partly += usize::from(known > 0 && known < N as usize);
        told += usize::from(!notes.is_empty());
        // A bit in a key of the index makes it another key: that one is not known, and nothing tells that it ever was.
        silently += usize::from(known < N as usize && notes.is_empty());
    }
    assert!(partly > 20 && told > 100 && silently < 20, "{partly} partly known, {told} told, {silently} silently");
}

#[test]
fn every_byte_of_the_header() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let sound = fs::read(&path).unwrap();
    for at in 0..108 {
        for value in [0, 2, 3, 255] {
            let mut bytes = sound.clone();
            bytes[at] = value;
            fs::write(&path, &bytes).unwrap();
            goes_on(dir.path());
        }
    }
}

#[test]
fn cut_short_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let sound = fs::read(&path).unwrap();
    for cut in (0..sound.len()).step_by(sound.len() / 60).chain([1, 15, 16, 99, 100, 4095, 4096, sound.len() - 1]) {
        fs::write(&path, &sound[..cut]).unwrap();
        goes_on(dir.path());
    }
}

#[test]
fn what_is_sound_is_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let sound = fs::read(&path).unwrap();
    // Every page of an index: none of the keys can be found, all of the rows are there.
    let spoil = |which: fn(u8) -> bool, every: usize| {
        let mut bytes = sound.clone();
        for page in bytes.chunks_mut(4096).skip(1).filter(|p| which(p[0])).step_by(every) {
            page.fill(0x77);
        }
        fs::write(&path, bytes).unwrap();
    };
    spoil(|kind| kind == 0x0a || kind == 0x02, 1);
    let (known, notes) = goes_on(dir.path());
    assert_eq!(known, N as usize);
    assert!(notes.len() == 1 && notes[0].contains("120 of its vectors were saved"), "{notes:?}");
    // Every fifth page of rows.
    spoil(|kind| kind == 0x0d, 5);
    let (known, notes) = goes_on(dir.path());
    assert!(known > N as usize / 2 && known < N as usize, "{known}");
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn a_file_that_is_no_database_is_set_aside_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    fs::write(&path, "a diary, of all things").unwrap();
    let (known, notes) = goes_on(dir.path());
    assert_eq!(known, 0);
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].contains("set aside as"), "{notes:?}");
    let aside =
        fs::read_dir(dir.path()).unwrap().flatten().find(|e| e.path().extension().is_some_and(|e| e == "damaged"));
    assert_eq!(fs::read_to_string(aside.unwrap().path()).unwrap(), "a diary, of all things");
}

#[test]
fn a_journal_of_another_file_does_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let mut journal = path.clone().into_os_string();
    journal.push("-journal");
    let mut dice = Dice(5);
    for _ in 0..50 {
        // The journal's own first bytes, then anything.
        let mut bytes = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
        bytes.extend((0..9000).map(|_| dice.roll(256) as u8));
        fs::write(&journal, bytes).unwrap();
        goes_on(dir.path());
    }
}

#[test]
fn a_folder_that_is_not_there_knows_nothing_and_is_made_when_needed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("a/b");
    let cache = Cache::open(&folder);
    assert_eq!(cache.get(&who("m"), &keys(0..2)).unwrap(), [None, None]);
    assert_eq!(cache.list().unwrap(), []);
    assert_eq!(cache.clear(|_| true).unwrap(), []);
    cache.put(&who("m"), &[]).unwrap();
    assert!(!folder.exists(), "reading makes nothing");
    cache.put(&who("m"), &[pair(1)]).unwrap();
    assert_eq!(cache.get(&who("m"), &[key(1), key(2)]).unwrap(), [Some(pair(1).1), None]);
}

#[test]
fn where_nothing_can_be_written_the_path_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let cache = Cache::open(file.join("cache"));
    let Err(EncodeError::Io { path, .. }) = cache.put(&who("m"), &[pair(1)]) else { panic!("it was written") };
    assert!(path.contains("file/cache"), "{path}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = filled(dir.path());
    let rights = |p: &Path, mode| fs::set_permissions(p, fs::Permissions::from_mode(mode)).unwrap();
    rights(&path, 0o444);
    rights(dir.path(), 0o555);
    let root_may_all = fs::write(dir.path().join("probe"), "").is_ok();
    let cache = Cache::open(dir.path());
    let found = cache.get(&who("m"), &keys(0..N)).unwrap();
    let put = cache.put(&who("m"), &[pair(N)]);
    let listed = cache.list().unwrap();
    rights(dir.path(), 0o755);
    assert!((0..N).zip(found).all(|(n, found)| found == Some(pair(n).1)));
    assert_eq!(listed[0].vectors, N + u64::from(root_may_all));
    if !root_may_all {
        let Err(EncodeError::Io { path: named, why }) = put else { panic!("it was written") };
        assert!(named.contains("vectors1.sqlite") && why.contains("cannot be written"), "{named}: {why}");
    }
}
