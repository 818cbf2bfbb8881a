//! What the cache holds, and what is not asked for again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use eightk_hub::{Hub, HubError, Observer, Options, RepoKind, RepoName};
use support::{Fault, Reply, Repo, StandIn, git_hash, sha256};

const OLD: &str = "1111111111111111111111111111111111111111";
const NEW: &str = "2222222222222222222222222222222222222222";

fn shelf() -> Repo {
    Repo::new("datasets/acme/shelf", OLD)
        .small("README.md", "a shelf\n")
        .large("documents/test.parquet", vec![7; 5_000])
        .large("queries/test.parquet", vec![8; 4_000])
}

fn options(standin: &StandIn, cache: &Path) -> Options {
    let mut options = Options::new(cache.to_owned());
    options.endpoint = standin.hub.url();
    (options.first_pause, options.attempts) = (Duration::from_millis(5), 2);
    options
}

/// What a run brought: the folder, notes of the listing, what was asked for.
struct Fetched {
    folder: PathBuf,
    notes: Vec<String>,
    asked: Vec<String>,
}

fn fetch_of(standin: &StandIn, options: Options, given: &str, kind: RepoKind) -> Result<Fetched, HubError> {
    standin.take();
    let hub = Hub::new(options)?;
    let listing = hub.list(&RepoName::parse(given, kind)?, &mut ())?;
    let wanted: Vec<String> = listing.paths().filter(|p| !p.contains("unwanted")).map(String::from).collect();
    let folder = hub.fetch(&listing, &wanted, &mut ())?;
    Ok(Fetched { folder, notes: listing.notes().to_vec(), asked: standin.take() })
}

fn fetch(standin: &StandIn, options: Options, given: &str) -> Result<Fetched, HubError> {
    fetch_of(standin, options, given, RepoKind::Dataset)
}

const MAIN: &str = "hf://datasets/acme/shelf";

#[test]
fn the_layout_is_the_one_of_pythons_tools() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let fetched = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    let root = dir.path().join("datasets--acme--shelf");
    assert_eq!(fetched.folder, root.join("snapshots").join(OLD));
    assert_eq!(std::fs::read_to_string(root.join("refs/main")).unwrap(), OLD);
    let mut blobs: Vec<String> =
        std::fs::read_dir(root.join("blobs")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    blobs.sort();
    let mut wanted = vec![git_hash(b"a shelf\n"), sha256(&[7; 5_000]), sha256(&[8; 4_000])];
    wanted.sort();
    assert_eq!(blobs, wanted, "small files by git's hash, large ones by SHA-256, and nothing else");
    let tree: serde_json::Value =
        serde_json::from_slice(&std::fs::read(root.join("trees").join(format!("{OLD}.json"))).unwrap()).unwrap();
    assert_eq!(tree["format_version"], 1);
    assert_eq!(tree["files"]["documents/test.parquet"]["lfs_sha256"], sha256(&[7; 5_000]));
    assert_eq!(tree["files"]["README.md"]["size"], 8);
    #[cfg(unix)]
    {
        let link = std::fs::read_link(fetched.folder.join("documents/test.parquet")).unwrap();
        assert_eq!(link, Path::new("../../../blobs").join(sha256(&[7; 5_000])));
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(fetched.folder.join("README.md")).unwrap().permissions(),
        );
        assert_eq!(mode & 0o400, 0o400);
        assert_eq!(mode & 0o111, 0);
    }
}

#[test]
fn a_second_run_asks_for_the_commit_alone_and_a_commit_asks_for_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    let again = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    assert_eq!(again.asked, ["/api/datasets/acme/shelf/revision/main"]);
    let by_commit = fetch(&standin, options(&standin, dir.path()), &format!("{MAIN}@{OLD}")).unwrap();
    assert_eq!(by_commit.asked, [""; 0]);
    assert_eq!(by_commit.folder, again.folder);
}

#[test]
fn a_commit_without_its_listing_asks_for_the_listing_alone() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    std::fs::remove_dir_all(dir.path().join("datasets--acme--shelf/trees")).unwrap();
    let asked = fetch(&standin, options(&standin, dir.path()), &format!("{MAIN}@{OLD}")).unwrap().asked;
    assert!(!asked.is_empty() && asked.iter().all(|t| t.contains("/tree/")), "{asked:?}");
}

#[test]
fn a_new_commit_fetches_what_has_changed() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    standin.change(|r| {
        r.refs.insert("main".to_owned(), NEW.to_owned());
        r.files.get_mut("queries/test.parquet").unwrap().bytes = vec![9; 4_500];
    });
    let fetched = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    let files: Vec<&String> = fetched.asked.iter().filter(|t| t.contains("/resolve/")).collect();
    assert_eq!(files, [&format!("/datasets/acme/shelf/resolve/{NEW}/queries/test.parquet")]);
    assert_eq!(std::fs::read(fetched.folder.join("queries/test.parquet")).unwrap(), vec![9; 4_500]);
    assert_eq!(std::fs::read(fetched.folder.join("documents/test.parquet")).unwrap(), vec![7; 5_000]);
    let old = dir.path().join("datasets--acme--shelf/snapshots").join(OLD).join("queries/test.parquet");
    assert_eq!(std::fs::read(old).unwrap(), vec![8; 4_000], "the old commit is as it was");
}

#[test]
fn what_python_put_there_is_not_fetched_again() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let snapshot = dir.path().join("datasets--acme--shelf/snapshots").join(OLD);
    std::fs::create_dir_all(snapshot.join("documents")).unwrap();
    std::fs::write(snapshot.join("documents/test.parquet"), vec![7; 5_000]).unwrap();
    // Half a file is none.
    std::fs::write(snapshot.join("README.md"), "a sh").unwrap();
    let fetched = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    let files: Vec<&String> = fetched.asked.iter().filter(|t| t.contains("/resolve/")).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    assert!(!files.iter().any(|f| f.contains("documents")));
    assert_eq!(std::fs::read(snapshot.join("README.md")).unwrap(), b"a shelf\n");
}

#[test]
fn offline_makes_no_request_and_names_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let offline = || {
        let mut options = options(&standin, dir.path());
        options.offline = true;
        options
    };
    let error = fetch(&standin, offline(), MAIN).err().unwrap();
    assert!(matches!(&error, HubError::NotCached { missing, .. } if missing.contains("`main`")), "{error}");
    let error = fetch(&standin, offline(), &format!("{MAIN}@{OLD}")).err().unwrap();
    assert!(matches!(&error, HubError::NotCached { missing, .. } if missing.contains(OLD)), "{error}");
    let online = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    for given in [MAIN.to_owned(), format!("{MAIN}@{OLD}")] {
        let fetched = fetch(&standin, offline(), &given).unwrap();
        assert_eq!(fetched.folder, online.folder);
        assert_eq!(fetched.asked, [""; 0]);
    }
    // A file and its bytes are gone: offline says which.
    std::fs::remove_file(online.folder.join("queries/test.parquet")).unwrap();
    std::fs::remove_file(dir.path().join("datasets--acme--shelf/blobs").join(sha256(&[8; 4_000]))).unwrap();
    let error = fetch(&standin, offline(), MAIN).err().unwrap();
    assert!(matches!(&error, HubError::NotCached { missing, .. } if missing == "queries/test.parquet"), "{error}");
    assert!(standin.take().is_empty(), "offline asked the Hub");
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    fetch(&standin, offline(), MAIN).unwrap();
}

#[test]
fn offline_takes_a_snapshot_without_listing_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let root = dir.path().join("datasets--acme--shelf");
    let snapshot = root.join("snapshots").join(OLD);
    std::fs::create_dir_all(snapshot.join("documents")).unwrap();
    std::fs::create_dir_all(root.join("refs")).unwrap();
    std::fs::write(snapshot.join("documents/test.parquet"), "x").unwrap();
    std::fs::write(root.join("refs/main"), OLD).unwrap();
    let mut options = options(&standin, dir.path());
    options.offline = true;
    let fetched = fetch(&standin, options, MAIN).unwrap();
    assert_eq!(fetched.folder, snapshot);
    assert!(fetched.notes[0].contains("taken for all of it"), "{:?}", fetched.notes);
}

#[test]
fn a_silent_hub_is_answered_for_by_the_cache() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let first = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    assert!(first.notes.is_empty());
    for reply in [Reply::new(503, ""), Reply::new(200, "<html>"), Reply::new(429, "").header("Retry-After", "9999")] {
        standin.fail("/revision/", 2, Fault::Reply(reply));
        let fetched = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
        assert_eq!(fetched.folder, first.folder);
        assert!(fetched.notes[0].contains(OLD) && fetched.notes[0].contains("was not reached"), "{:?}", fetched.notes);
        standin.heal();
    }
    // A closed gate is an answer: it is told, not papered over.
    standin.fail("/revision/", 1, Fault::Reply(Reply::new(403, "").header("X-Error-Code", "GatedRepo")));
    let error = fetch(&standin, options(&standin, dir.path()), MAIN).err().unwrap();
    assert!(matches!(error, HubError::Access { .. }), "{error}");
}

#[test]
fn a_branch_is_remembered_only_when_all_of_it_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    standin.change(|r| {
        r.refs.insert("main".to_owned(), NEW.to_owned());
        r.files.get_mut("queries/test.parquet").unwrap().bytes = vec![9; 4_500];
    });
    standin.fail("queries", 9, Fault::Reply(Reply::new(500, "")));
    fetch(&standin, options(&standin, dir.path()), MAIN).err().unwrap();
    let mut offline = options(&standin, dir.path());
    offline.offline = true;
    assert!(fetch(&standin, offline, MAIN).unwrap().folder.ends_with(OLD));
}

#[test]
fn without_links_the_files_lie_in_the_snapshot() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let mut plain = options(&standin, dir.path());
    plain.symlinks = false;
    let fetched = fetch(&standin, plain.clone(), MAIN).unwrap();
    let file = fetched.folder.join("documents/test.parquet");
    assert!(std::fs::symlink_metadata(&file).unwrap().is_file());
    assert_eq!(std::fs::read(&file).unwrap(), vec![7; 5_000]);
    assert_eq!(std::fs::read_dir(dir.path().join("datasets--acme--shelf/blobs")).unwrap().count(), 0);
    assert_eq!(fetch(&standin, plain.clone(), MAIN).unwrap().asked.len(), 1);
    // A blob that links made is copied.
    let other = tempfile::tempdir().unwrap();
    let linked = fetch(&standin, options(&standin, other.path()), MAIN).unwrap();
    std::fs::remove_dir_all(&linked.folder).unwrap();
    plain.cache = other.path().to_owned();
    assert_eq!(fetch(&standin, plain, MAIN).unwrap().asked.len(), 1);
    assert!(std::fs::symlink_metadata(linked.folder.join("queries/test.parquet")).unwrap().is_file());
}

#[test]
fn folders_revisions_and_models() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf().small("v2/documents/a.jsonl", "{}"));
    standin.change(|r| {
        r.refs.insert("refs/convert/parquet".to_owned(), NEW.to_owned());
        r.refs.insert("feature/kiln".to_owned(), NEW.to_owned());
    });
    let fetched = fetch(&standin, options(&standin, dir.path()), &format!("{MAIN}@main/v2")).unwrap();
    assert!(fetched.folder.ends_with(format!("{OLD}/v2")) && fetched.folder.join("documents/a.jsonl").is_file());
    assert_eq!(fetched.asked.iter().filter(|t| t.contains("/resolve/")).count(), 1);
    let fetched = fetch(&standin, options(&standin, dir.path()), &format!("{MAIN}@refs/convert/parquet")).unwrap();
    assert!(fetched.asked[0].ends_with("/revision/refs%2Fconvert%2Fparquet"), "{:?}", fetched.asked);
    fetch(&standin, options(&standin, dir.path()), &format!("{MAIN}@feature%2Fkiln")).unwrap();
    let refs = dir.path().join("datasets--acme--shelf/refs");
    for known in ["main", "refs/convert/parquet", "feature/kiln"] {
        assert!(refs.join(known).is_file(), "{known}");
    }
    standin.change(|r| r.place = "models/acme/kiln".to_owned());
    let fetched = fetch_of(&standin, options(&standin, dir.path()), "acme/kiln", RepoKind::Model).unwrap();
    assert!(fetched.folder.ends_with(format!("models--acme--kiln/snapshots/{OLD}")));
    assert!(fetched.asked.contains(&format!("/acme/kiln/resolve/{OLD}/README.md")), "{:?}", fetched.asked);
}

#[test]
fn an_empty_file_is_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf().small("small-and-empty.txt", "").large("large-and-empty.bin", ""));
    let fetched = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    for name in ["small-and-empty.txt", "large-and-empty.bin"] {
        assert_eq!(std::fs::read(fetched.folder.join(name)).unwrap(), b"");
    }
    assert_eq!(fetch(&standin, options(&standin, dir.path()), MAIN).unwrap().asked.len(), 1);
}

#[test]
fn two_at_once_do_not_disturb_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let runs: Vec<_> = (0..4)
        .map(|_| {
            let options = options(&standin, dir.path());
            std::thread::spawn(move || {
                let hub = Hub::new(options).unwrap();
                let listing = hub.list(&RepoName::parse(MAIN, RepoKind::Dataset).unwrap(), &mut ()).unwrap();
                let wanted: Vec<String> = listing.paths().map(String::from).collect();
                let folder = hub.fetch(&listing, &wanted, &mut ()).unwrap();
                assert_eq!(std::fs::read(folder.join("queries/test.parquet")).unwrap(), vec![8; 4_000]);
            })
        })
        .collect();
    runs.into_iter().for_each(|r| r.join().unwrap());
    let root = dir.path().join("datasets--acme--shelf");
    assert_eq!(std::fs::read_dir(root.join("blobs")).unwrap().count(), 3, "parts are left");
    assert_eq!(std::fs::read_dir(root.join("snapshots").join(OLD).join("queries")).unwrap().count(), 1);
}

#[test]
fn parts_of_killed_runs_are_removed_after_a_day() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let blobs = dir.path().join("datasets--acme--shelf/blobs");
    std::fs::create_dir_all(&blobs).unwrap();
    let (old, young, other) =
        (blobs.join("a.x.eightk-part"), blobs.join("b.x.eightk-part"), blobs.join("c.incomplete"));
    for path in [&old, &young, &other] {
        let file = std::fs::File::create(path).unwrap();
        if path != &young {
            file.set_modified(file.metadata().unwrap().modified().unwrap() - Duration::from_secs(48 * 3600)).unwrap();
        }
    }
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    assert!(!old.exists() && young.exists() && other.exists(), "only old parts of ours go");
}

#[test]
fn a_cache_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let cache = dir.path().join("file");
    std::fs::write(&cache, "in the way").unwrap();
    let error = fetch(&standin, options(&standin, &cache), MAIN).err().unwrap();
    assert!(matches!(&error, HubError::Cache { path, .. } if path.starts_with(&cache)), "{error}");
    assert!(error.to_string().contains("HF_HOME"), "{error}");
}

#[test]
fn a_folder_of_blobs_that_cannot_be_used_is_named_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let root = dir.path().join("datasets--acme--shelf");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("blobs"), "in the way").unwrap();
    let error = fetch(&standin, options(&standin, dir.path()), MAIN).err().unwrap();
    assert!(matches!(&error, HubError::Cache { path, .. } if path.ends_with("blobs")), "{error}");
    assert!(!root.join("snapshots").exists() && !root.join("refs").exists());
}

#[test]
fn nonsense_in_the_cache_counts_as_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    fetch(&standin, options(&standin, dir.path()), MAIN).unwrap();
    let root = dir.path().join("datasets--acme--shelf");
    std::fs::write(root.join("refs/main"), "../../../etc").unwrap();
    std::fs::write(root.join("trees").join(format!("{OLD}.json")), "{\"format_version\": 1, \"fil").unwrap();
    let mut offline = options(&standin, dir.path());
    offline.offline = true;
    assert!(matches!(fetch(&standin, offline, MAIN).err().unwrap(), HubError::NotCached { .. }));
    let asked = fetch(&standin, options(&standin, dir.path()), MAIN).unwrap().asked;
    assert!(asked.iter().any(|t| t.contains("/tree/")) && !asked.iter().any(|t| t.contains("/resolve/")), "{asked:?}");
}

/// What an observer is told.
#[derive(Default)]
struct Told {
    begun: Option<(usize, u64)>,
    last: std::collections::BTreeMap<String, (u64, u64)>,
}

impl Observer for Told {
    fn begin(&mut self, files: usize, bytes: u64) {
        self.begun = Some((files, bytes));
    }

    fn progress(&mut self, file: &str, done: u64, total: u64) {
        self.last.insert(file.to_owned(), (done, total));
    }
}

#[test]
fn progress_is_told_in_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let hub = Hub::new(options(&standin, dir.path())).unwrap();
    let listing = hub.list(&RepoName::parse(MAIN, RepoKind::Dataset).unwrap(), &mut ()).unwrap();
    let wanted = ["README.md".to_owned(), "queries/test.parquet".to_owned()];
    let mut told = Told::default();
    hub.fetch(&listing, &wanted, &mut told).unwrap();
    assert_eq!(told.begun, Some((2, 4_008)));
    assert_eq!(told.last["queries/test.parquet"], (4_000, 4_000));
    let mut told = Told::default();
    hub.fetch(&listing, &wanted, &mut told).unwrap();
    assert_eq!(told.begun, None, "nothing is left to fetch");
    let error = hub.fetch(&listing, &["gone.txt".to_owned()], &mut ()).unwrap_err();
    assert!(matches!(error, HubError::NotListed { .. }), "{error}");
}
