//! From a name to a folder: listing, then fetching.
//!
//! Two steps, so that the caller stands between them and chooses the files. Rules of the cache:
//!
//! * a commit that was listed before needs no request, and a branch one, for its commit;
//! * where the Hub is silent, the commit that a branch had last is used, and a note says so;
//! * a branch is remembered only when all that was wanted of its commit is there, so that what is remembered is always whole;
//! * offline there is no request at all.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use crate::address::{encode, encode_path};
use crate::cache::CachedRepo;
use crate::download::Download;
use crate::listing::{Entry, Files, Listing, RemoteFile, add};
use crate::name::{is_commit, is_safe_path};
use crate::web::Web;
use crate::{HubError, Observer, Options, RepoName};

/// Most files of a repository that are listed.
const MOST_FILES: usize = 1_000_000;

/// Most pages of a listing; the Hub puts a thousand entries on each.
const MOST_PAGES: usize = 2_000;

/// Attempts while there is something in the cache to fall back on.
const FEW_ATTEMPTS: u32 = 2;

/// Most names of missing files in a message.
const NAMES_SHOWN: usize = 5;

/// A client of the Hub with its cache.
pub struct Hub {
    web: Web,
    options: Options,
}

/// What is read of `/api/…/revision/…`.
#[derive(Deserialize)]
struct Revision {
    sha: String,
}

impl Hub {
    /// A client. Nothing is asked and nothing made yet.
    ///
    /// # Errors
    /// [`HubError::Setting`] where the endpoint is no address.
    pub fn new(options: Options) -> Result<Self, HubError> {
        Ok(Self { web: Web::new(options.clone())?, options })
    }

    /// Finds the commit that a name means, and what it holds.
    ///
    /// # Errors
    /// Everything that [`HubError`] tells but damage to files: of those none is read here.
    pub fn list(&self, name: &RepoName, observer: &mut dyn Observer) -> Result<Listing, HubError> {
        let cached = self.cached(name);
        let mut notes = Vec::new();
        let (commit, is_old) = self.commit(name, &cached, &mut notes, observer)?;
        let files = match cached.listing(&commit) {
            Some(files) => files,
            None => self.files(name, &commit, &cached, is_old, &mut notes, observer)?,
        };
        let listing = Listing { name: name.clone(), commit, files, notes };
        listing.check_folder()?;
        Ok(listing)
    }

    /// Makes files of a listing lie in a folder, and names the folder. `wanted` are paths as [`Listing::paths`] gives them.
    ///
    /// Files that are there are not fetched again. Others that lie in the folder are left as they are.
    ///
    /// # Errors
    /// [`HubError::NotCached`] offline, [`HubError::Damaged`] for a file that is not what the listing says,
    /// [`HubError::Cache`] where it cannot be written, and what requests can bring.
    pub fn fetch(
        &self,
        listing: &Listing,
        wanted: &[String],
        observer: &mut dyn Observer,
    ) -> Result<PathBuf, HubError> {
        let (name, commit) = (&listing.name, listing.commit.as_str());
        let cached = self.cached(name);
        let mut missing: Vec<(String, &RemoteFile)> = Vec::new();
        for path in wanted {
            let path = listing.whole(path);
            if !is_safe_path(&path) {
                return Err(HubError::UnsafePath { name: name.to_string(), path });
            }
            let Some(file) = listing.files.get(&path) else {
                return Err(HubError::NotListed { name: name.to_string(), file: path });
            };
            match file {
                file if cached.has(commit, &path, file.as_ref()) => {}
                Some(file) => {
                    if !cached.adopt(commit, &path, file)? {
                        missing.push((path, file));
                    }
                }
                // It was there when it was listed.
                None => return Err(self.not_cached(name, format!("the file {path}"))),
            }
        }
        if !missing.is_empty() {
            if self.options.offline {
                return Err(self.not_cached(name, named(&missing)));
            }
            cached.tidy();
            observer.begin(missing.len(), missing.iter().map(|(_, f)| f.length()).sum());
            for (path, file) in &missing {
                self.download(name, commit, path, file, &cached, observer)?;
            }
        }
        // Only spares a request later; a cache that cannot be written is still good to read.
        let _ = cached.set_commit(name.revision(), commit);
        Ok(cached.snapshot(commit).join(name.folder()))
    }

    fn cached(&self, name: &RepoName) -> CachedRepo {
        CachedRepo::new(&self.options.cache, name, self.options.symlinks)
    }

    /// The commit, and whether the cache had to answer for the Hub.
    fn commit(
        &self,
        name: &RepoName,
        cached: &CachedRepo,
        notes: &mut Vec<String>,
        observer: &mut dyn Observer,
    ) -> Result<(String, bool), HubError> {
        let revision = name.revision();
        if is_commit(revision) {
            return Ok((revision.to_owned(), false));
        }
        let known = cached.commit_of(revision);
        if self.options.offline {
            let missing = || self.not_cached(name, format!("which commit `{revision}` is"));
            return Ok((known.ok_or_else(missing)?, true));
        }
        let url = self.web.at(&format!("{}/revision/{}", api(name), encode(revision)))?;
        let attempts = if known.is_some() { FEW_ATTEMPTS.min(self.options.attempts) } else { self.options.attempts };
        match (self.web.json::<Revision>(name, &url, attempts, observer), known) {
            (Ok((Revision { sha }, _)), _) if is_commit(&sha) => Ok((sha, false)),
            (Ok(_), _) => Err(HubError::Unexpected {
                name: name.to_string(),
                url: url.to_string(),
                problem: "the commit that it names is none".to_owned(),
            }),
            (Err(silence), Some(known)) if silence.is_silence() => {
                notes.push(format!("the Hub was not reached; commit {known} is used, which `{revision}` was when last asked ({silence})"));
                Ok((known, true))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// What a commit holds, where no listing is stored.
    fn files(
        &self,
        name: &RepoName,
        commit: &str,
        cached: &CachedRepo,
        is_old: bool,
        notes: &mut Vec<String>,
        observer: &mut dyn Observer,
    ) -> Result<Files, HubError> {
        let on_disk = || cached.files_on_disk(commit);
        let taken_as_is = format!("what the cache holds of commit {commit} is taken for all of it");
        if self.options.offline {
            let files = on_disk().ok_or_else(|| self.not_cached(name, format!("every file of commit {commit}")))?;
            notes.push(format!("no listing is in the cache; {taken_as_is}"));
            return Ok(files);
        }
        let attempts = if is_old { 1 } else { self.options.attempts };
        match self.tree(name, commit, attempts, observer) {
            Ok(files) => {
                // As above: without it the next run asks again.
                let _ = cached.set_listing(commit, &files);
                Ok(files)
            }
            Err(silence) if silence.is_silence() => {
                let files = on_disk().ok_or(silence)?;
                notes.push(format!("the Hub was not reached; {taken_as_is}"));
                Ok(files)
            }
            Err(error) => Err(error),
        }
    }

    /// Asks for the whole tree, page after page.
    fn tree(
        &self,
        name: &RepoName,
        commit: &str,
        attempts: u32,
        observer: &mut dyn Observer,
    ) -> Result<Files, HubError> {
        let mut files = Files::new();
        let mut next = Some(self.web.at(&format!("{}/tree/{commit}?recursive=true", api(name)))?);
        for _ in 0..MOST_PAGES {
            let Some(url) = next else { return Ok(files) };
            let (page, following) = self.web.json::<Vec<Entry>>(name, &url, attempts, observer)?;
            add(&mut files, page, name)?;
            next = following;
            if files.len() > MOST_FILES {
                break;
            }
        }
        Err(HubError::Unexpected {
            name: name.to_string(),
            url: self.web.at(&api(name))?.to_string(),
            problem: format!("its listing does not end after {} files", files.len()),
        })
    }

    fn download(
        &self,
        repo: &RepoName,
        commit: &str,
        path: &str,
        file: &RemoteFile,
        cached: &CachedRepo,
        observer: &mut dyn Observer,
    ) -> Result<(), HubError> {
        let prefix = match repo.kind {
            crate::RepoKind::Model => "",
            crate::RepoKind::Dataset => "/datasets",
        };
        let url = self.web.at(&format!("{prefix}/{}/resolve/{commit}/{}", repo.id, encode_path(path)))?;
        let idle = self.options.idle_timeout;
        let limit = idle.saturating_add(Duration::from_secs(file.length() / self.options.slowest.max(1)));
        let download = Download { repo, url, path, file, attempts: self.options.attempts, limit };
        let mut part = cached.part(file)?;
        download.fill(&self.web, &mut part, observer)?;
        cached.publish(part, commit, path, file)
    }

    fn not_cached(&self, name: &RepoName, missing: String) -> HubError {
        let cache = self.cached(name).root().to_owned();
        HubError::NotCached { name: name.to_string(), cache, missing }
    }
}

/// The path of a repository in the API.
fn api(name: &RepoName) -> String {
    format!("/api/{}/{}", name.kind.plural(), name.id)
}

/// The names of missing files, the first few where they are many.
fn named(missing: &[(String, &RemoteFile)]) -> String {
    let names: Vec<&str> = missing.iter().take(NAMES_SHOWN).map(|(path, _)| path.as_str()).collect();
    match missing.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
