//! A folder on disk, or the names of what a folder elsewhere holds: layouts are found in both by the same rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::DatasetError;

/// Where files are looked for.
pub(super) enum Tree<'a> {
    /// A folder on disk.
    Disk(&'a Path),
    /// Paths below a folder that is somewhere else, with `/` between their parts.
    Names {
        /// What the folder is called.
        root: &'a str,
        /// The paths.
        paths: &'a [&'a str],
    },
}

impl Tree<'_> {
    /// A folder as people know it; `""` is the root.
    pub(super) fn shown(&self, folder: &str) -> PathBuf {
        match self {
            Self::Disk(root) => root.join(folder),
            Self::Names { root, .. } if folder.is_empty() => PathBuf::from(root),
            Self::Names { root, .. } => PathBuf::from(format!("{root}/{folder}")),
        }
    }

    /// Names of the files that lie in a folder itself, sorted; none where there is no such folder.
    pub(super) fn files(&self, folder: &str) -> Result<Vec<String>, DatasetError> {
        match self {
            Self::Disk(_) => self.entries(folder, Path::is_file),
            Self::Names { .. } => {
                let names: BTreeSet<&str> = self.below(folder).filter(|p| !p.contains('/')).collect();
                Ok(names.into_iter().map(str::to_owned).collect())
            }
        }
    }

    /// Names of the folders that lie in a folder itself, sorted.
    pub(super) fn folders(&self, folder: &str) -> Result<Vec<String>, DatasetError> {
        match self {
            Self::Disk(_) => self.entries(folder, Path::is_dir),
            Self::Names { .. } => {
                let names: BTreeSet<&str> = self.below(folder).filter_map(|p| Some(p.split_once('/')?.0)).collect();
                Ok(names.into_iter().map(str::to_owned).collect())
            }
        }
    }

    /// Of the names, what is below a folder.
    fn below<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'s str> {
        let paths = match self {
            Self::Disk(_) => &[],
            Self::Names { paths, .. } => *paths,
        };
        paths.iter().filter_map(move |path| {
            if folder.is_empty() { Some(*path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
        })
    }

    /// On disk: names of what is in a folder and is of a kind.
    fn entries(&self, folder: &str, is_wanted: fn(&Path) -> bool) -> Result<Vec<String>, DatasetError> {
        let folder = self.shown(folder);
        let mut names = Vec::new();
        if !folder.is_dir() {
            return Ok(names);
        }
        for entry in fs::read_dir(&folder).map_err(DatasetError::io("list", &folder))? {
            let path = entry.map_err(DatasetError::io("list", &folder))?.path();
            if let Some(name) = path.file_name().and_then(|n| n.to_str()).filter(|_| is_wanted(&path)) {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }
}
