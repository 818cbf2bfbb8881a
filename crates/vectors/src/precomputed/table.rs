//! One side of a folder, chunks or queries: ids and their vectors, whatever the format.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use eightk_encode::{EncodeError, Vector};
use sha2::{Digest, Sha256};

use super::matrix::{Element, Matrix};
use super::{ids, npy, parquet, safetensors};

/// Vectors by id.
#[derive(Debug)]
pub(super) struct Table {
    matrix: Matrix,
    rows: HashMap<String, usize>,
    /// Where the vectors are, for messages.
    pub(super) path: PathBuf,
    /// `npy`, `parquet`, `safetensors`.
    pub(super) format: &'static str,
}

fn bad(path: &Path, why: impl std::fmt::Display) -> EncodeError {
    EncodeError::Data(format!("{}: {why}", path.display()))
}

impl Table {
    /// Reads `{side}.npy` with its ids, `{side}.parquet` or `{side}.safetensors`, whichever is there, and adds each file to the hash. `id_names`: what
    /// a column of ids may be called.
    pub(super) fn read(folder: &Path, side: &str, id_names: &[&str], hash: &mut Sha256) -> Result<Self, EncodeError> {
        let formats = ["npy", "parquet", "safetensors"];
        let there: Vec<&str> = formats.into_iter().filter(|f| folder.join(format!("{side}.{f}")).is_file()).collect();
        let format = match there[..] {
            [one] => one,
            [] => {
                return Err(EncodeError::Usage(format!(
                    "{}: there is no {side}.npy, {side}.parquet or {side}.safetensors in this folder of vectors",
                    folder.display()
                )));
            }
            _ => {
                let all = there.iter().map(|f| format!("{side}.{f}")).collect::<Vec<_>>().join(" and ");
                return Err(EncodeError::Usage(format!("{}: holds {all}; leave one of them", folder.display())));
            }
        };
        let path = folder.join(format!("{side}.{format}"));
        let (file, length) = open(&path)?;
        hash_file(&path, hash)?;
        let mut beside = || read_ids(folder, side, hash);
        let (matrix, ids) = match format {
            "npy" => (npy::read_npy(BufReader::new(file), length).map_err(|e| bad(&path, e))?, beside()?),
            "parquet" => parquet::read(file, id_names).map_err(|e| bad(&path, e))?,
            _ => match safetensors::read_safetensors(BufReader::new(file), length).map_err(|e| bad(&path, e))? {
                (matrix, Some(json)) => {
                    (matrix, ids::parse(&json).map_err(|e| bad(&path, format!("metadata `ids`: {e}")))?)
                }
                (matrix, None) => (matrix, beside()?),
            },
        };
        if ids.len() != matrix.rows() {
            return Err(bad(&path, format!("{} vectors, but {} ids; each row needs one", matrix.rows(), ids.len())));
        }
        let mut rows = HashMap::with_capacity(ids.len());
        for (row, id) in ids.into_iter().enumerate() {
            if let Some(other) = rows.insert(id, row) {
                let id = rows.iter().find(|(_, r)| **r == row).map_or("", |(id, _)| id);
                return Err(bad(&path, format!("id `{id}` stands twice, in rows {} and {}", other + 1, row + 1)));
            }
        }
        Ok(Self { matrix, rows, path, format })
    }

    pub(super) fn row(&self, id: &str) -> Option<usize> {
        self.rows.get(id).copied()
    }

    pub(super) fn vector(&self, row: usize) -> Option<Vector> {
        self.matrix.vector(row)
    }

    pub(super) fn rows(&self) -> usize {
        self.matrix.rows()
    }

    pub(super) fn element(&self) -> Element {
        self.matrix.element()
    }
}

fn open(path: &Path) -> Result<(File, u64), EncodeError> {
    let file = File::open(path).map_err(|e| EncodeError::io(path, &e))?;
    let length = file.metadata().map_err(|e| EncodeError::io(path, &e))?.len();
    Ok((file, length))
}

fn read_ids(folder: &Path, side: &str, hash: &mut Sha256) -> Result<Vec<String>, EncodeError> {
    let names = [format!("{side}.ids.txt"), format!("{side}.ids.json")];
    let there: Vec<PathBuf> = names.iter().map(|n| folder.join(n)).filter(|p| p.is_file()).collect();
    let [path] = &there[..] else {
        let [text, json] = names;
        let say = if there.is_empty() { "ids belong in" } else { "leave one of" };
        return Err(EncodeError::Usage(format!("{}: {say} {text} (one a line) or {json} (a list)", folder.display())));
    };
    hash_file(path, hash)?;
    let text = std::fs::read_to_string(path).map_err(|e| EncodeError::io(path, &e))?;
    ids::parse(&text).map_err(|e| bad(path, e))
}

/// Adds a file's name, length and bytes.
fn hash_file(path: &Path, hash: &mut Sha256) -> Result<(), EncodeError> {
    let (mut file, length) = open(path)?;
    hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
    hash.update([0]);
    hash.update(length.to_le_bytes());
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(n) => hash.update(block.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(EncodeError::io(path, &e)),
        }
    }
}
