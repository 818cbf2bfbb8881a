//! Filings in a store that `fetch` wrote: `filings/{accession}/`, each with the document and what is known of it.
//!
//! The folder and not the store's plans says what there is: a person may add or take away filings. They are named by their
//! document's file name, as they would be in a plain folder, so that the same filings give the same data set wherever they lie;
//! which filing is meant is in the accession number beside the name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eightk_core::store_layout::{FILINGS, FORMAT, MARKER, RECORD, TEMPORARY};
use serde::Deserialize;

use super::{InputFile, Inputs, ManifestRow, Refused};
use crate::BuildError;

/// No record comes near this; a larger file is something else.
const LARGEST_RECORD: u64 = 1_000_000;

/// Whether a folder is a store.
pub(super) fn is_store(folder: &Path) -> bool {
    folder.join(MARKER).is_file()
}

/// Lists the filings of a store by accession number.
pub(super) fn list(root: &Path, inputs: &mut Inputs) -> Result<(), BuildError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        |source| BuildError::Io { path, source }
    };
    let marker = root.join(MARKER);
    known_format(root, &std::fs::read(&marker).map_err(io(&marker))?)?;
    let folder = root.join(FILINGS);
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    if folder.is_dir() {
        for entry in std::fs::read_dir(&folder).map_err(io(&folder))? {
            let entry = entry.map_err(io(&folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A fetch that goes on meanwhile, or was killed.
            if !name.starts_with(TEMPORARY) {
                found.push((name, entry.path()));
            }
        }
    }
    if found.is_empty() {
        return Err(BuildError::EmptyStore(root.to_owned()));
    }
    found.sort();
    for (name, path) in found {
        match filing(&name, &path) {
            Ok(file) => inputs.files.push(file),
            Err(reason) => inputs.refused.push(Refused { file: format!("{FILINGS}/{name}"), reason }),
        }
    }
    Ok(())
}

fn known_format(root: &Path, marker: &[u8]) -> Result<(), BuildError> {
    #[derive(Deserialize)]
    struct Marker {
        format: u64,
        #[serde(default)]
        written_by: Option<String>,
    }
    let problem = match serde_json::from_slice::<Marker>(marker) {
        Ok(m) if m.format == FORMAT => return Ok(()),
        Ok(m) => format!(
            "it is a store of format {}, written by {}; this version reads format {FORMAT}",
            m.format,
            m.written_by.as_deref().unwrap_or("another version of eightk")
        ),
        Err(e) => format!("its {MARKER} cannot be read: {e}"),
    };
    Err(BuildError::Store { path: root.to_owned(), problem })
}

/// One filing of a store; the error is the reason for refusing it.
fn filing(name: &str, folder: &Path) -> Result<InputFile, String> {
    if !folder.is_dir() {
        return Err("it is no folder of a filing; remove it".into());
    }
    let again = "fetch it again";
    let row = record(&folder.join(RECORD)).map_err(|e| format!("{e}; {again}"))?;
    if row.accession.as_deref() != Some(name) {
        let other = row.accession.as_deref().unwrap_or("no filing");
        return Err(format!("its {RECORD} is that of {other}; {again}"));
    }
    if row.sha256.as_deref().is_none_or(str::is_empty) {
        return Err(format!("its {RECORD} holds no SHA-256; {again}"));
    }
    if !is_plain_name(&row.file) {
        return Err(format!("its {RECORD} names a file outside its folder"));
    }
    let path = folder.join(&row.file);
    if !path.is_file() {
        return Err(format!("its document {:?} is not there; {again}", row.file));
    }
    Ok(InputFile { path, name: row.file.clone(), row })
}

/// Records beside documents. Each is read once, however many documents lie around it.
#[derive(Default)]
pub(super) struct Beside {
    /// By folder.
    read: BTreeMap<PathBuf, Option<ManifestRow>>,
}

impl Beside {
    /// What the record beside a document says of it; `None` where there is no record, or one of another document.
    pub(super) fn row(&mut self, document: &Path) -> Option<ManifestRow> {
        let name = document.file_name()?.to_str()?;
        let folder = document.parent()?.to_owned();
        let row = self.read.entry(folder).or_insert_with_key(|folder| record(&folder.join(RECORD)).ok());
        row.as_ref().filter(|row| row.file == name).cloned()
    }
}

fn record(path: &Path) -> Result<ManifestRow, String> {
    let why = |e: &dyn std::fmt::Display| format!("its {RECORD} cannot be read: {e}");
    let meta = std::fs::metadata(path).map_err(|e| why(&e))?;
    if !meta.is_file() || meta.len() > LARGEST_RECORD {
        return Err(why(&"it is no record of a filing"));
    }
    let bytes = std::fs::read(path).map_err(|e| why(&e))?;
    serde_json::from_slice(&bytes).map_err(|e| why(&e))
}

/// A record comes with the data, so its file name is foreign: it must stay in its folder.
fn is_plain_name(name: &str) -> bool {
    use std::path::Component;
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) && !name.contains(['/', '\\'])
}

#[cfg(test)]
mod tests {
    use super::super::discover;
    use super::*;

    fn put(root: &Path, folder: &str, record: &str, document: &str) {
        let folder = root.join(FILINGS).join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(RECORD), record).unwrap();
        if !document.is_empty() {
            std::fs::write(folder.join(document), "<p>x</p>").unwrap();
        }
    }

    fn row(accession: &str, file: &str) -> String {
        format!(
            r#"{{"file":"{file}","accession":"{accession}","cik":"7","company":"DRAYMERE CO","sha256":"ab","bytes":8}}"#
        )
    }

    #[test]
    fn filings_come_by_number_and_damage_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let number = |n: u32| format!("9000000001-24-{n:06}");
        std::fs::write(dir.path().join(MARKER), r#"{"format":1}"#).unwrap();
        put(dir.path(), &number(2), &row(&number(2), "d8k.htm"), "d8k.htm");
        put(dir.path(), &number(1), &row(&number(1), "odd name"), "odd name");
        put(dir.path(), &number(3), &row(&number(9), "d8k.htm"), "d8k.htm");
        put(dir.path(), &number(4), &row(&number(4), "d8k.htm"), "");
        put(dir.path(), &number(5), &row(&number(5), "../../eightk-store.json"), "");
        put(dir.path(), &number(6), "{", "d8k.htm");
        put(dir.path(), &number(7), &row(&number(7), "d8k.htm").replace("ab", ""), "d8k.htm");
        put(dir.path(), ".tmp-3", "half", "d8k.htm");
        std::fs::write(dir.path().join("filings/notes.txt"), "x").unwrap();
        put(dir.path(), "../candidates/9000000001-24-000008", &row(&number(8), "d8k.htm"), "d8k.htm");
        let inputs = discover(&[dir.path().to_owned()]).unwrap();
        let files: Vec<_> =
            inputs.files.iter().map(|f| (f.name.as_str(), f.row.accession.as_deref().unwrap())).collect();
        assert_eq!(files, [("odd name", number(1).as_str()), ("d8k.htm", number(2).as_str())]);
        let refused: Vec<_> = inputs.refused.iter().map(|r| r.file.clone()).collect();
        let mut want: Vec<_> = (3..=7).map(|n| format!("filings/{}", number(n))).collect();
        want.push("filings/notes.txt".into());
        assert_eq!(refused, want);
        assert!(inputs.refused.iter().all(|r| !r.reason.is_empty() && !r.reason.contains('\n')));
        assert_eq!(inputs.unlisted, 0);
    }

    #[test]
    fn a_newer_or_an_empty_store_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let marker = dir.path().join(MARKER);
        std::fs::write(&marker, r#"{"format":2,"written_by":"eightk 5.0.0"}"#).unwrap();
        let said = discover(&[dir.path().to_owned()]).unwrap_err().to_string();
        assert!(said.contains("format 2") && said.contains("eightk 5.0.0"), "{said}");
        std::fs::write(&marker, "no json").unwrap();
        assert!(matches!(discover(&[dir.path().to_owned()]), Err(BuildError::Store { .. })));
        std::fs::write(&marker, r#"{"format":1}"#).unwrap();
        for _ in 0..2 {
            assert!(matches!(discover(&[dir.path().to_owned()]), Err(BuildError::EmptyStore(_))));
            std::fs::create_dir_all(dir.path().join(FILINGS)).unwrap();
        }
    }

    #[test]
    fn one_document_of_a_store_is_known_by_the_record_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), "9000000001-24-000001", &row("9000000001-24-000001", "d8k.htm"), "d8k.htm");
        let folder = dir.path().join("filings/9000000001-24-000001");
        std::fs::write(folder.join("other.htm"), "x").unwrap();
        let one = |path: &Path| discover(&[path.to_owned()]).unwrap().files;
        assert_eq!(one(&folder.join("d8k.htm"))[0].row.company.as_deref(), Some("DRAYMERE CO"));
        assert_eq!(one(&folder.join("other.htm"))[0].row, ManifestRow::default());
        // The same in folders that are searched: the filings of a store, copied elsewhere.
        for searched in [dir.path(), &folder] {
            let companies: Vec<_> = one(searched).iter().map(|f| f.row.company.clone()).collect();
            assert_eq!(companies, [Some("DRAYMERE CO".to_owned()), None]);
        }
    }
}
