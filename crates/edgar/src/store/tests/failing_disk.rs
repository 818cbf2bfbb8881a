//! A disk that fails at any byte, and at any step, leaves nothing half made.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::store::disk::Sink;

/// A file on a disk with so many bytes left.
struct Limited {
    file: File,
    left: Arc<AtomicU64>,
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::SeqCst);
        if left == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let n = self.file.write(&bytes[..bytes.len().min(usize::try_from(left).unwrap())])?;
        self.left.fetch_sub(n as u64, Ordering::SeqCst);
        Ok(n)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for Limited {
    /// Some systems tell only here that there was no room.
    fn sync(&self) -> io::Result<()> {
        if self.left.load(Ordering::SeqCst) == 0 {
            Err(io::ErrorKind::StorageFull.into())
        } else {
            self.file.sync_all()
        }
    }
}

/// A store on a disk of which the test decides how much is left.
fn store(root: &Path) -> (Store, Arc<AtomicU64>) {
    let left = Arc::new(AtomicU64::new(u64::MAX));
    let of_disk = Arc::clone(&left);
    let disk =
        Disk::with(move |path| Ok(Box::new(Limited { file: File::create_new(path)?, left: Arc::clone(&of_disk) })));
    (Store::open_on(root, disk).unwrap(), left)
}

#[test]
fn a_full_disk_leaves_a_filing_whole_or_absent() {
    let dir = tempfile::tempdir().unwrap();
    let (store, left) = store(dir.path());
    let bytes = b"<html>0123456789</html>";
    let record = record(1, bytes);
    let before = tree(dir.path());
    let mut room = 0;
    loop {
        left.store(room, Ordering::SeqCst);
        let Err(error) = store.put_filing(&record, bytes) else { break };
        let text = error.to_string();
        let file = if room <= bytes.len() as u64 { "d8k.htm" } else { "filing.json" };
        assert!(text.contains(&format!("9000000000-24-000001/{file}")), "{room}: {text}");
        assert!(matches!(error, EdgarError::Io { ref source, .. } if source.kind() == io::ErrorKind::StorageFull));
        assert_eq!(tree(dir.path()), before, "with {room} bytes left");
        room += 3;
    }
    assert!(room > bytes.len() as u64 + 100, "{room}: the record is written too");
    assert!(matches!(store.filing(&accession(1)).unwrap(), State::Whole(_)));
}

#[test]
fn a_full_disk_keeps_the_earlier_plan_and_answer() {
    let dir = tempfile::tempdir().unwrap();
    let (store, left) = store(dir.path());
    store.put_plan("p", &"old").unwrap();
    store.put_answer("https://h/a", b"old").unwrap();
    for room in [0, 1, 20, 60] {
        left.store(room, Ordering::SeqCst);
        assert!(store.put_plan("p", &"new ".repeat(100)).is_err());
        left.store(room, Ordering::SeqCst);
        assert!(store.put_answer("https://h/a", &[b'x'; 200]).is_err());
    }
    assert_eq!(store.plan::<String>("p").unwrap().as_deref(), Some("old"));
    assert_eq!(store.answer("https://h/a").as_deref(), Some(b"old".as_slice()));
    assert!(!tree(dir.path()).iter().any(|path| path.contains(".tmp")));
}

#[test]
fn a_damaged_filing_is_not_lost_to_a_full_disk() {
    let dir = tempfile::tempdir().unwrap();
    let (store, left) = store(dir.path());
    store.put_filing(&record(1, b"whole"), b"whole").unwrap();
    std::fs::write(dir.path().join("filings/9000000000-24-000001/d8k.htm"), "harmed").unwrap();
    left.store(3, Ordering::SeqCst);
    assert!(store.put_filing(&record(1, b"whole"), b"whole").is_err());
    let aside = dir.path().join("set-aside/9000000000-24-000001-1/d8k.htm");
    assert_eq!(std::fs::read(aside).unwrap(), b"harmed");
    assert_eq!(store.filing(&accession(1)).unwrap(), State::Missing);
}
