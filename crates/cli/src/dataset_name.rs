//! What stands for a data set on the command line, made a folder that can be read.
//!
//! A name on the Hub is fetched into the Hub's own cache; everything else is passed on as it is. Here the network meets the
//! reader: the client does not know what a data set needs, the reader does not know where it comes from.

use std::io::Write;

use eightk_dataset::{DatasetError, Purpose, Source, files_of};
use eightk_hub::{Hub, Options, RepoKind, RepoName};

use crate::failure::Outcome;
use crate::output::Downloading;

/// Where the Hub keeps a Parquet copy of data sets that are stored otherwise.
const CONVERTED: &str = "refs/convert/parquet";

/// A data set as it was named, with the place where it can be read.
#[derive(Debug)]
pub(crate) struct NamedDataset {
    given: String,
    folder: Option<String>,
    commit: Option<String>,
}

impl NamedDataset {
    /// Fetches what is needed to read it, where it is a name on the Hub.
    pub(crate) fn find(given: &str) -> Outcome<Self> {
        Self::find_for(given, Purpose::Read)
    }

    /// Fetches what this purpose needs.
    pub(crate) fn find_for(given: &str, purpose: Purpose) -> Outcome<Self> {
        if !RepoName::is_meant(given) {
            return Ok(Self { given: given.to_owned(), folder: None, commit: None });
        }
        let name = RepoName::parse(given, RepoKind::Dataset)?;
        let hub = Hub::new(Options::from_environment()?)?;
        let mut watch = Downloading::default();
        let listing = hub.list(&name, &mut watch)?;
        for note in listing.notes() {
            let _ = writeln!(std::io::stderr(), "note: {given}: {note}");
        }
        let paths: Vec<&str> = listing.paths().collect();
        let wanted = files_of(given, &paths, purpose).map_err(|e| with_hint(e, &name))?;
        let folder = hub.fetch(&listing, &wanted, &mut watch)?;
        let folder = Some(folder.to_string_lossy().into_owned());
        Ok(Self { given: given.to_owned(), folder, commit: Some(listing.commit().to_owned()) })
    }

    /// As it was named.
    pub(crate) fn given(&self) -> &str {
        &self.given
    }

    /// Where it lies: what was named, or the folder that it was fetched into.
    pub(crate) fn path(&self) -> &str {
        self.folder.as_deref().unwrap_or(&self.given)
    }

    /// What the reader reads.
    pub(crate) fn source(&self) -> Outcome<Source> {
        Ok(Source::parse(self.path())?)
    }

    /// What results call it: a folder's name, or the name on the Hub and the commit. No path of this machine.
    pub(crate) fn named(&self) -> String {
        match &self.commit {
            None => self.given.trim_end_matches('/').rsplit('/').next().unwrap_or(&self.given).to_owned(),
            Some(commit) if self.given.contains(commit.as_str()) => self.given.clone(),
            Some(commit) => format!("{} {commit}", self.given.trim_end_matches('/')),
        }
    }
}

/// A repository without the files that are read may have them as the Hub's own conversion.
fn with_hint(error: DatasetError, name: &RepoName) -> DatasetError {
    match error {
        DatasetError::NotADataset { path, problem, hint } if name.revision() != CONVERTED => {
            let hint = format!("{hint}. The Hub converts many data sets to Parquet: try {}", name.at(CONVERTED));
            DatasetError::NotADataset { path, problem, hint }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(given: &str, commit: Option<&str>) -> String {
        let (given, commit) = (given.to_owned(), commit.map(str::to_owned));
        NamedDataset { given, folder: Some("/cache/x".to_owned()), commit }.named()
    }

    #[test]
    fn results_name_what_was_named_and_the_commit_once() {
        assert_eq!(named("sets/shelf/", None), "shelf");
        assert_eq!(named("hf://datasets/acme/shelf", Some("abc")), "hf://datasets/acme/shelf abc");
        assert_eq!(named("hf://datasets/acme/shelf@abc", Some("abc")), "hf://datasets/acme/shelf@abc");
    }

    #[test]
    fn the_conversion_is_hinted_at_once() {
        let hint = |given: &str| {
            let name = RepoName::parse(given, RepoKind::Dataset).unwrap();
            let (path, problem, hint) = (given.to_owned(), "it is empty".to_owned(), "Fill it".to_owned());
            with_hint(DatasetError::NotADataset { path, problem, hint }, &name).to_string()
        };
        assert!(hint("hf://datasets/acme/shelf").ends_with("try hf://datasets/acme/shelf@refs/convert/parquet"));
        assert!(hint("hf://datasets/acme/shelf@refs/convert/parquet").ends_with("Fill it"));
    }
}
