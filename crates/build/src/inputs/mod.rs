//! Which files are filings.
//!
//! An input is a file, a store of fetched filings, a folder with a `manifest.jsonl`, or a folder that is searched for documents.
//! The manifest, where there is one, is the list: files beside it that it does not name are not read. Found files are in manifest
//! order, by accession number in a store, or sorted by path; inputs keep the order they were named in, so the first of two filings with one accession number is
//! always the same one.

mod manifest;
mod store;

pub use manifest::ManifestRow;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::BuildError;

/// The name of the list of a folder's filings.
pub const MANIFEST: &str = "manifest.jsonl";

/// A file to read as a filing, with what its manifest says of it.
#[derive(Debug, Clone, PartialEq)]
pub struct InputFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is called in outputs: the path relative to the input folder, `/` between parts; in a store the file name alone.
    pub name: String,
    /// Its row of the manifest; default where there is none.
    pub row: ManifestRow,
}

/// A file that is no filing of the data set, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refused {
    /// The file, as named in its input.
    pub file: String,
    /// Why it was refused and what to do.
    pub reason: String,
}

/// What was found in the inputs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Inputs {
    /// Files to read.
    pub files: Vec<InputFile>,
    /// Manifest rows that name no file, links that lead nowhere, folders that cannot be read.
    pub refused: Vec<Refused>,
    /// Documents that lie beside a manifest which does not name them: not read.
    pub unlisted: usize,
}

/// Lists the filings in files and folders. Reads manifests, no filing.
pub fn discover(paths: &[PathBuf]) -> Result<Inputs, BuildError> {
    let mut inputs = Inputs::default();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(|_| BuildError::NoSuchInput(path.clone()))?;
        if meta.is_dir() { folder(path, &mut inputs)? } else { single(path, &mut inputs)? }
    }
    Ok(inputs)
}

/// One file named by the user. Its row is taken from a manifest or a store's record beside it, where there is one that names it.
fn single(path: &Path, inputs: &mut Inputs) -> Result<(), BuildError> {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let manifest = path.parent().unwrap_or(Path::new("")).join(MANIFEST);
    let listed = if manifest.is_file() && name != MANIFEST {
        manifest::read(&manifest)?.into_iter().flatten().find(|r| r.file == name)
    } else {
        None
    };
    let row = listed.or_else(|| store::Beside::default().row(path)).unwrap_or_default();
    inputs.files.push(InputFile { path: path.to_owned(), name, row });
    Ok(())
}

fn folder(path: &Path, inputs: &mut Inputs) -> Result<(), BuildError> {
    let before = inputs.files.len() + inputs.refused.len();
    let manifest = path.join(MANIFEST);
    if store::is_store(path) {
        return store::list(path, inputs);
    }
    if manifest.is_file() {
        let mut listed = BTreeSet::new();
        for row in manifest::read(&manifest)? {
            let row = match row {
                Ok(row) => row,
                Err(reason) => {
                    inputs.refused.push(Refused { file: MANIFEST.into(), reason });
                    continue;
                }
            };
            let file = path.join(&row.file);
            let name = row.file.clone();
            listed.insert(file.clone());
            if !stays_inside(&name) {
                inputs
                    .refused
                    .push(Refused { file: name, reason: "the manifest names a file outside its folder".into() });
            } else if file.is_file() {
                inputs.files.push(InputFile { path: file, name, row });
            } else {
                let reason = format!("{} names it, but there is no such file", manifest.display());
                inputs.refused.push(Refused { file: name, reason });
            }
        }
        let beside = walk(path);
        inputs.unlisted += beside.documents.iter().filter(|d| !listed.contains(*d)).count();
    } else {
        let found = walk(path);
        let unread = |(at, reason): (PathBuf, String)| Refused { file: relative(path, &at), reason };
        inputs.refused.extend(found.unread.into_iter().map(unread));
        let mut records = store::Beside::default();
        for file in found.documents {
            let name = relative(path, &file);
            let row = records.row(&file).unwrap_or_default();
            inputs.files.push(InputFile { path: file, name, row });
        }
    }
    if inputs.files.len() + inputs.refused.len() == before {
        return Err(BuildError::NothingToRead(path.to_owned()));
    }
    Ok(())
}

/// A manifest comes with the data, so its paths are foreign: none may climb out of the folder.
fn stays_inside(name: &str) -> bool {
    use std::path::Component;
    !name.is_empty() && Path::new(name).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir))
}

fn relative(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap_or(file);
    inside.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// What lies below a folder.
#[derive(Default)]
struct Walked {
    /// Files with the name of a document, sorted.
    documents: Vec<PathBuf>,
    /// What could not be looked into, and why.
    unread: Vec<(PathBuf, String)>,
}

/// Collects documents below a folder, level by level. Links are followed, each folder is entered once; hidden folders are not.
fn walk(root: &Path) -> Walked {
    let mut walked = Walked::default();
    let mut entered = BTreeSet::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        if std::fs::canonicalize(&dir).is_ok_and(|real| !entered.insert(real)) {
            continue;
        }
        let entries = match std::fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(e) => {
                walked.unread.push((dir, format!("the folder cannot be read: {e}")));
                continue;
            }
        };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().to_lowercase());
            // The folder's own word is enough for plain files, which is nearly all of them.
            if is_document(&name) && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                walked.documents.push(path);
                continue;
            }
            match std::fs::metadata(&path) {
                Ok(meta) if meta.is_dir() && !name.starts_with('.') => open.push(path),
                Ok(meta) if meta.is_file() && is_document(&name) => walked.documents.push(path),
                Ok(meta) if !meta.is_dir() && is_document(&name) => {
                    walked.unread.push((path, "it is no regular file".into()));
                }
                Err(e) if is_document(&name) => walked.unread.push((path, format!("it cannot be read: {e}"))),
                _ => {}
            }
        }
    }
    walked.documents.sort();
    walked.unread.sort();
    walked
}

/// Whether a lower-case file name is that of a document.
fn is_document(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    [".htm", ".html", ".xhtml", ".txt", ".sgml", ".nc"].iter().any(|end| name.ends_with(end))
}

/// A file's name without its ending, in the letters a `source_url` may have: how a filing without accession is named.
pub fn stem(name: &str) -> String {
    let base = name.rsplit('/').next().unwrap_or(name);
    let base = base.strip_suffix(".gz").unwrap_or(base);
    let stem = base.rsplit_once('.').map_or(base, |(s, _)| if s.is_empty() { base } else { s });
    let clean: String = stem.chars().map(|c| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' }).collect();
    // A name of digits and dashes alone would look like an accession number.
    if clean.chars().any(char::is_alphabetic) { clean } else { format!("file-{clean}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_safe_names() {
        assert_eq!(stem("a/b/acme 2024.8-K.htm.gz"), "acme_2024.8-K");
        assert_eq!(stem("0001-02"), "file-0001-02");
        assert_eq!(stem(".htm"), "_htm".replace('_', "."));
        assert_eq!(stem("x"), "x");
    }

    #[test]
    fn a_manifest_cannot_climb_out() {
        assert!(stays_inside("a/b.htm"));
        for name in ["../x.htm", "/etc/x.htm", "", "a/../../x"] {
            assert!(!stays_inside(name), "{name}");
        }
    }

    #[test]
    fn a_folder_without_manifest_is_searched_in_path_order() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("sub")).unwrap();
        for name in ["b.htm", "a.txt.gz", "sub/c.HTML", "notes.md"] {
            std::fs::write(dir.path().join(name), "x").unwrap();
        }
        let inputs = discover(&[dir.path().to_owned()]).unwrap();
        let names: Vec<_> = inputs.files.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["a.txt.gz", "b.htm", "sub/c.HTML"]);
    }

    #[test]
    fn rows_without_their_file_are_refused_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("here.htm"), "x").unwrap();
        let rows = "{\"file\":\"here.htm\",\"items\":[\"old:5\"]}\n\n{\"file\":\"gone.htm\"}\n";
        std::fs::write(dir.path().join(MANIFEST), rows).unwrap();
        let inputs = discover(&[dir.path().to_owned()]).unwrap();
        assert_eq!(inputs.files.len(), 1);
        assert_eq!(inputs.files[0].row.expected_items(), ["5"]);
        assert_eq!(inputs.refused[0].file, "gone.htm");
        assert!(inputs.refused[0].reason.contains("no such file"));
    }
}
