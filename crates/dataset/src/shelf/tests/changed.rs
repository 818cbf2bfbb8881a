//! Files that change under an open shelf.

use std::fs;

use super::*;

/// Changes one file under a shelf and asks for everything.
fn after(file: &str, change: impl Fn(&Path)) -> Vec<String> {
    let (dir, source) = written(&testing::dataset(3));
    let shelf = Shelf::open(&source).unwrap();
    shelf.warm().unwrap();
    let url = &shelf.filings()[1].source_url;
    change(&dir.path().join("set").join(file));
    let errors = [
        shelf.chunks(url).err(),
        shelf.row(url).err(),
        shelf.dropped(url).err(),
        shelf.rivals(1).err(),
        shelf.chunk("unknown").err(),
    ];
    errors.into_iter().flatten().map(|e| e.to_string()).collect()
}

#[test]
fn are_an_error_and_never_a_wrong_text() {
    let shard = "test-00000-of-00001.parquet";
    for file in
        [&format!("documents/{shard}"), &format!("filings/{shard}"), "audit/dropped.jsonl", "audit/rivals.jsonl"]
    {
        assert!(after(file, |_| {}).is_empty());
        // As long as before, and of the same time where the system lets us.
        let replace = |path: &Path| {
            let (bytes, time) = (fs::read(path).unwrap(), fs::metadata(path).unwrap().modified().unwrap());
            fs::write(path.with_extension("new"), bytes).unwrap();
            let new = fs::File::options().write(true).open(path.with_extension("new")).unwrap();
            new.set_modified(time).unwrap();
            fs::rename(path.with_extension("new"), path).unwrap();
        };
        let shorten = |path: &Path| {
            let file = fs::File::options().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() / 2).unwrap();
        };
        let remove = |path: &Path| fs::remove_file(path).unwrap();
        for (change, says) in
            [(&replace as &dyn Fn(&Path), "has changed"), (&shorten, "has changed"), (&remove, "cannot open")]
        {
            let errors = after(file, change);
            assert!(!errors.is_empty() && errors.iter().all(|e| e.contains(says) && e.contains(file)), "{errors:?}");
        }
    }
}
