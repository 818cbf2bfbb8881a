//! Which files hold which config.
//!
//! Data sets are laid out in a handful of ways; each is looked for by name, the usual one first. The road not taken is to
//! read the `configs:` block of README.md: cards are often missing from a download, while the names are not.

use std::path::{Path, PathBuf};

use super::tree::Tree;
use crate::DatasetError;

/// Where a data set is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A folder with configs as folders or files: `documents/*.parquet`, `documents.parquet`, `documents.jsonl`,
    /// `data/documents-*.parquet` and the like.
    Folder(PathBuf),
    /// Files named one by one, parquet or JSONL (also gzipped).
    Files {
        /// The `documents` config, in shard order.
        documents: Vec<PathBuf>,
        /// The `queries` config, in shard order; empty for a corpus alone.
        queries: Vec<PathBuf>,
    },
}

impl Source {
    /// Reads what stands on the command line: a folder; one file of a pair (`documents.parquet` finds `queries.*` beside it); or both
    /// files with a comma between them, documents first.
    pub fn parse(given: &str) -> Result<Self, DatasetError> {
        let wrong = |problem: &str, hint: &str| DatasetError::NotADataset {
            path: given.to_owned(),
            problem: problem.to_owned(),
            hint: hint.to_owned(),
        };
        if given.starts_with("hf://") {
            return Err(wrong(
                "it names a data set on the Hub, and what reads files here uses no network",
                "Fetch it first, with the crate eightk-hub or by `hf download --repo-type dataset OWNER/NAME --local-dir DIR`, and name the folder",
            ));
        }
        let path = Path::new(given);
        if path.is_dir() {
            return Ok(Self::Folder(path.to_owned()));
        }
        if path.is_file() {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            return match path.parent() {
                Some(folder) if name.starts_with("documents") || name.starts_with("queries") => {
                    Ok(Self::Folder(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }))
                }
                _ => Err(wrong("a single file", "Name both files, documents first: documents.jsonl,queries.jsonl")),
            };
        }
        match given.split_once(',') {
            Some((documents, queries)) if Path::new(documents).is_file() && Path::new(queries).is_file() => {
                Ok(Self::Files { documents: vec![documents.into()], queries: vec![queries.into()] })
            }
            _ => Err(wrong(
                "there is no such folder or file",
                "Name a folder that `eightk build` wrote, or one downloaded from the Hub",
            )),
        }
    }
}

/// What was found for one config.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<PathBuf>,
    /// What else was there and was passed over.
    pub(super) note: Option<String>,
}

/// The files of one config in a folder; none where it has no such config.
pub(super) fn find(root: &Path, config: &str) -> Result<Found, DatasetError> {
    let found = find_in(&Tree::Disk(root), config)?;
    Ok(Found { files: found.files.iter().map(|f| root.join(f)).collect(), note: found.note })
}

/// Paths of the files of one config, relative to the tree's root.
pub(super) struct FoundIn {
    pub(super) files: Vec<String>,
    note: Option<String>,
}

/// [`find`] in any tree.
pub(super) fn find_in(tree: &Tree<'_>, config: &str) -> Result<FoundIn, DatasetError> {
    let in_data = format!("data/{config}");
    for folder in [config, &in_data] {
        let mut found = choose(tree, folder, list(tree, folder, |_| true)?, config)?;
        if found.files.is_empty() {
            found = splits(tree, folder, config)?;
        }
        if !found.files.is_empty() {
            return Ok(found);
        }
    }
    for folder in ["", "data"] {
        let own =
            |stem: &str| stem == config || stem.strip_prefix(config).is_some_and(|rest| rest.starts_with(['-', '_']));
        let found = choose(tree, folder, list(tree, folder, own)?, config)?;
        if !found.files.is_empty() {
            return Ok(found);
        }
    }
    Ok(FoundIn { files: Vec::new(), note: None })
}

/// Splits as folders of a config's folder, as the Hub's own conversion to Parquet lays them out: the test split, else all.
fn splits(tree: &Tree<'_>, folder: &str, config: &str) -> Result<FoundIn, DatasetError> {
    let mut names = tree.folders(folder)?;
    // The Hub converts the beginning of a large data set only, and says so in the folder's name.
    if let Some(part) = names.iter().find(|n| n.starts_with("partial-")) {
        return Err(DatasetError::File {
            file: tree.shown(&format!("{folder}/{part}")),
            problem: "it holds a part of the data set only".to_owned(),
            hint: "Name the revision that holds all of it",
        });
    }
    let all = names.len();
    if names.iter().any(|n| n == "test") {
        names.retain(|n| n == "test");
    }
    let mut note = (names.len() < all)
        .then(|| format!("{config}: of {all} splits in {} the test split was read", tree.shown(folder).display()));
    let mut files = Vec::new();
    for split in &names {
        let split = format!("{folder}/{split}");
        let found = choose(tree, &split, list(tree, &split, |_| true)?, config)?;
        files.extend(found.files);
        note = note.or(found.note);
    }
    Ok(FoundIn { files, note })
}

/// Data files of a folder with their stem and format, sorted by name.
fn list(tree: &Tree<'_>, folder: &str, wanted: impl Fn(&str) -> bool) -> Result<Vec<DataFile>, DatasetError> {
    let mut files = Vec::new();
    for name in tree.files(folder)? {
        let parquet = name.strip_suffix(".parquet");
        let jsonl =
            || [".jsonl", ".jsonl.gz", ".ndjson", ".json", ".json.gz"].iter().find_map(|end| name.strip_suffix(end));
        let Some(stem) = parquet.or_else(jsonl) else { continue };
        if wanted(stem) {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            files.push(DataFile { stem: stem.to_owned(), is_parquet: parquet.is_some(), path });
        }
    }
    Ok(files)
}

struct DataFile {
    stem: String,
    is_parquet: bool,
    path: String,
}

/// Of several splits or formats takes one: parquet before JSONL, the test split before others.
fn choose(tree: &Tree<'_>, folder: &str, mut files: Vec<DataFile>, config: &str) -> Result<FoundIn, DatasetError> {
    let all = files.len();
    if files.iter().any(|f| f.is_parquet) {
        files.retain(|f| f.is_parquet);
    }
    let is_test = |stem: &str| {
        let rest = stem.strip_prefix(config).map_or(stem, |r| r.trim_start_matches(['-', '_']));
        rest.strip_prefix("test").is_some_and(|r| r.is_empty() || r.starts_with(['-', '_']))
    };
    if files.iter().any(|f| is_test(&f.stem)) {
        files.retain(|f| is_test(&f.stem));
    }
    let taken = files.len();
    complete(&tree.shown(folder), &files)?;
    let note = (taken < all).then(|| {
        format!(
            "{config}: {taken} of {all} files in {} were read (parquet before JSONL, the test split before others)",
            tree.shown(folder).display()
        )
    });
    Ok(FoundIn { files: files.into_iter().map(|f| f.path).collect(), note })
}

/// Whether every shard that the names promise (`-00001-of-00003`) is there.
fn complete(folder: &Path, files: &[DataFile]) -> Result<(), DatasetError> {
    let shard = |stem: &str| {
        let (rest, total) = stem.rsplit_once("-of-")?;
        let (_, number) = rest.rsplit_once('-')?;
        Some((number.parse::<usize>().ok()?, total.parse::<usize>().ok()?))
    };
    let shards: Vec<(usize, usize)> = files.iter().filter_map(|f| shard(&f.stem)).collect();
    let Some((_, total)) = shards.first() else { return Ok(()) };
    // Sorted by name and zero-padded, so the first number that is out of step is missing (or stands twice).
    let gap = (0..*total).zip(shards.iter().map(Some).chain(std::iter::repeat(None)));
    match gap.into_iter().find(|(i, shard)| *shard != Some(&(*i, *total))) {
        None if shards.len() == *total => Ok(()),
        odd => Err(DatasetError::File {
            file: folder.to_owned(),
            problem: format!("shard {} of {total} is missing or does not belong here", odd.map_or(*total, |(i, _)| i)),
            hint: "Download the folder again",
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::Purpose;
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        dir
    }

    fn found(names: &[&str]) -> Result<Vec<String>, DatasetError> {
        let dir = folder(names);
        let found = find(dir.path(), "documents")?.files;
        let on_disk: Vec<String> =
            found.iter().map(|p| p.strip_prefix(dir.path()).unwrap().to_str().unwrap().to_owned()).collect();
        // Names alone must lead to the same files, in whatever order they come.
        for paths in [names.to_vec(), names.iter().rev().copied().collect()] {
            assert_eq!(find_in(&Tree::Names { root: "hf://x", paths: &paths }, "documents")?.files, on_disk);
        }
        Ok(on_disk)
    }

    #[test]
    fn layouts_in_use() {
        for (names, wanted) in [
            (
                vec!["documents/test-00000-of-00001.parquet", "queries/test-00000-of-00001.parquet"],
                vec!["documents/test-00000-of-00001.parquet"],
            ),
            (vec!["documents/a.parquet", "documents/b.parquet"], vec!["documents/a.parquet", "documents/b.parquet"]),
            (vec!["documents.parquet", "documents.jsonl"], vec!["documents.parquet"]),
            (vec!["documents.jsonl.gz", "README.md"], vec!["documents.jsonl.gz"]),
            (
                vec!["data/documents-00000-of-00002.parquet", "data/documents-00001-of-00002.parquet"],
                vec!["data/documents-00000-of-00002.parquet", "data/documents-00001-of-00002.parquet"],
            ),
            (
                vec!["documents/train-00000-of-00001.parquet", "documents/test-00000-of-00001.parquet"],
                vec!["documents/test-00000-of-00001.parquet"],
            ),
            (vec!["documents_test.jsonl", "documentsx.jsonl"], vec!["documents_test.jsonl"]),
            (vec!["queries.jsonl"], vec![]),
            (
                vec!["documents/test/0000.parquet", "documents/test/0001.parquet", "documents/train/0000.parquet"],
                vec!["documents/test/0000.parquet", "documents/test/0001.parquet"],
            ),
            (vec!["documents/train/0000.parquet"], vec!["documents/train/0000.parquet"]),
            (
                vec!["documents/notes/a.txt", "data/documents-00000-of-00001.parquet"],
                vec!["data/documents-00000-of-00001.parquet"],
            ),
        ] {
            assert_eq!(found(&names).unwrap(), wanted);
        }
    }

    #[test]
    fn a_part_of_a_data_set_is_none() {
        let error = found(&["documents/partial-test/0000.parquet"]).unwrap_err();
        assert!(error.to_string().contains("a part of the data set"), "{error}");
    }

    #[test]
    fn what_has_to_be_fetched_is_what_is_read_and_the_card() {
        let paths = [
            ".gitattributes",
            "README.md",
            "audit/dropped.jsonl",
            "audit/result.json",
            "audit/rivals.jsonl",
            "data/documents-00000-of-00001.parquet",
            "data/filings-00000-of-00001.parquet",
            "manifest.json",
            "queries.jsonl",
            "queries.md",
        ];
        let files = super::super::files_of("hf://x", &paths, Purpose::Read).unwrap();
        assert_eq!(
            files,
            [
                "data/documents-00000-of-00001.parquet",
                "queries.jsonl",
                "data/filings-00000-of-00001.parquet",
                "README.md",
                "manifest.json",
                "audit/rivals.jsonl",
                "audit/result.json",
            ]
        );
        let more = super::super::files_of("hf://x", &paths, Purpose::Browse).unwrap();
        assert_eq!(more.strip_prefix(files.as_slice()).unwrap(), ["audit/dropped.jsonl"]);
        let error = super::super::files_of("hf://x", &["README.md", "documents.csv"], Purpose::Read).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Usage);
        assert!(error.to_string().starts_with("hf://x is no data set: it has no `documents` config"), "{error}");
    }

    #[test]
    fn a_missing_shard_is_an_error() {
        for names in [
            &["documents/test-00000-of-00002.parquet"][..],
            &["documents/test-00001-of-00002.parquet"],
            &[
                "documents/test-00000-of-00001.parquet",
                "documents/test-00000-of-00002.parquet",
                "documents/test-00001-of-00002.parquet",
            ],
        ] {
            assert!(found(names).unwrap_err().to_string().contains("shard"), "{names:?}");
        }
    }

    #[test]
    fn what_stands_on_the_command_line() {
        let dir = folder(&["documents.jsonl", "queries.jsonl", "other.jsonl"]);
        let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let whole = Source::Folder(dir.path().to_owned());
        assert_eq!(Source::parse(dir.path().to_str().unwrap()).unwrap(), whole);
        assert_eq!(Source::parse(&at("queries.jsonl")).unwrap(), whole);
        let pair = format!("{},{}", at("other.jsonl"), at("queries.jsonl"));
        assert!(matches!(Source::parse(&pair).unwrap(), Source::Files { .. }));
        for bad in [at("other.jsonl"), at("none"), "hf://datasets/a/b".to_owned()] {
            assert!(matches!(Source::parse(&bad), Err(DatasetError::NotADataset { .. })), "{bad}");
        }
    }
}
