//! What may be opened, and by how many.

use super::*;

fn problem(root: &Path) -> String {
    let error = Store::open(root).unwrap_err();
    assert!(matches!(error, EdgarError::NotAStore { .. } | EdgarError::Damaged { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with(&root.display().to_string()) && !text.contains('\n'), "{text}");
    text
}

#[test]
fn absent_and_empty_folders_become_stores() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a/b/new", "empty"] {
        let root = dir.path().join(name);
        if name == "empty" {
            std::fs::create_dir(&root).unwrap();
        }
        assert!(Store::look(&root).unwrap_err().to_string().contains("no store"), "looking makes nothing");
        let store = Store::open(&root).unwrap();
        assert!(!store.left_running() && store.last_active().is_none());
        drop(store);
        assert_eq!(tree(&root), ["answers", "candidates", "eightk-store.json", "filings", "headers", "lock", "plans"]);
        assert!(!Store::open(&root).unwrap().left_running(), "a clean end");
    }
}

#[test]
fn what_is_no_store_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "x").unwrap();
    assert!(problem(&file).contains("this is a file"));
    assert!(problem(&file.join("below")).contains("cannot be used"));
    let foreign = dir.path().join("pictures");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("cat.jpg"), "x").unwrap();
    std::fs::write(foreign.join("dog.jpg"), "x").unwrap();
    let said = problem(&foreign);
    assert!(said.contains("cat.jpg") && said.contains("1 more"), "{said}");
    assert_eq!(tree(&foreign), ["cat.jpg", "dog.jpg"]);
    #[cfg(unix)]
    {
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(dir.path().join("gone"), &link).unwrap();
        problem(&link);
    }
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let marker = dir.path().join(MARKER);
    std::fs::write(&marker, r#"{"format": 7, "written_by": "eightk 3.1.4"}"#).unwrap();
    let said = problem(dir.path());
    assert!(said.contains("format 7") && said.contains("eightk 3.1.4") && said.contains("format 1"), "{said}");
    assert!(Store::look(dir.path()).is_err());
    assert_eq!(tree(dir.path()), [MARKER]);
    for bad in ["", "[]", "{\"format\": \"1\"}", "{\"format\": 0}", "\u{0}"] {
        std::fs::write(&marker, bad).unwrap();
        let error = Store::open(dir.path()).unwrap_err();
        assert!(matches!(error, EdgarError::Damaged { .. }), "{bad}: {error}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Disk::with(|_| Err(std::io::ErrorKind::PermissionDenied.into()));
    drop(Store::open(dir.path()).unwrap());
    let error = Store::open_on(dir.path(), disk).unwrap_err();
    assert!(error.is_user_mistake() && error.to_string().contains("cannot write in it"), "{error}");
}

#[test]
fn a_run_killed_in_its_first_moments_is_no_foreign_folder() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("lock"), "4711\n").unwrap();
    std::fs::write(dir.path().join(".tmp-0"), "{").unwrap();
    let store = Store::open(dir.path()).unwrap();
    assert!(store.left_running());
    assert!(!dir.path().join(".tmp-0").exists());
}

#[test]
fn only_our_own_leftovers_are_cleared_away() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::open(dir.path()).unwrap());
    std::fs::create_dir(dir.path().join("filings/.tmp-12")).unwrap();
    std::fs::write(dir.path().join("filings/.tmp-12/d8k.htm"), "half").unwrap();
    for kept in ["filings/.tmp-a", "filings/.tmp-", "answers/tmp-1"] {
        std::fs::write(dir.path().join(kept), "x").unwrap();
    }
    std::fs::write(dir.path().join("answers/.tmp-3"), "half").unwrap();
    drop(Store::open(dir.path()).unwrap());
    let left = tree(dir.path());
    assert!(!left.iter().any(|p| p.contains(".tmp-12") || p.contains(".tmp-3")), "{left:?}");
    assert!(["filings/.tmp-a", "filings/.tmp-", "answers/tmp-1"].iter().all(|p| left.iter().any(|l| l == p)));
}

#[test]
fn a_store_is_worked_on_once_and_looked_at_by_many() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(error, EdgarError::Busy { pid, .. } if pid == Some(std::process::id())), "{error:?}");
    let look = Store::look(dir.path()).unwrap();
    assert!(check(&look, []).unwrap().is_sound());
    assert!(look.put_filing(&record(1, b"x"), b"x").is_err() && look.put_plan("p", &1).is_err());
    assert!(look.put_answer("u", b"").is_err() && look.forget_answers().is_err() && look.adopt(&accession(1)).is_err());
    drop(store);
    Store::open(dir.path()).unwrap();
}

/// Names like ours are not ours: nothing is removed or emptied before the folder is known to be a store.
#[test]
fn a_foreign_folder_with_names_like_ours_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::create_dir(at(".tmp-1")).unwrap();
    std::fs::write(at(".tmp-1/thesis"), "x").unwrap();
    std::fs::write(at("lock"), "precious").unwrap();
    for _ in 0..2 {
        assert!(Store::open(dir.path()).unwrap_err().is_user_mistake());
        assert!(at(".tmp-1/thesis").exists());
        let _ = std::fs::remove_file(at("lock"));
        std::fs::write(at("lock"), "123\n").unwrap();
    }
    assert_eq!(std::fs::read_to_string(at("lock")).unwrap(), "123\n");
}
