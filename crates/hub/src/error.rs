//! What can go wrong between a name and a folder, told apart by what to do next.
//!
//! No message holds a token, nor the query of an address: signed addresses are as good as a token.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A repository that cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// The name is none.
    #[error("{given:?} is no name on the Hub: {problem}. {hint}")]
    Name {
        /// What was given.
        given: String,
        /// What is wrong with it.
        problem: String,
        /// How to write it.
        hint: String,
    },
    /// A variable or option holds nonsense.
    #[error("{what} {problem}")]
    Setting {
        /// Which.
        what: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// There is no such repository, revision or folder.
    #[error("{name}: {problem}. {hint}")]
    NotFound {
        /// What was asked for.
        name: String,
        /// What there is not.
        problem: String,
        /// What to do next.
        hint: String,
    },
    /// The Hub wants to know who asks, or does not let them.
    #[error("{name}: {problem}. {hint}")]
    Access {
        /// What was asked for.
        name: String,
        /// What the Hub said.
        problem: String,
        /// What to do next.
        hint: String,
    },
    /// The Hub asks for patience for longer than we have it.
    #[error("{name}: the Hub has had too many requests from here{}. Wait, or log in (HF_TOKEN): limits are higher for users", after(.pause))]
    TooManyRequests {
        /// What was asked for.
        name: String,
        /// How long the Hub asked to wait, where it said so.
        pause: Option<Duration>,
    },
    /// No answer, or only failures.
    #[error(
        "{name}: {url} cannot be had: {problem}. Check the network and try again; HF_ENDPOINT names another Hub, HF_HUB_OFFLINE=1 uses what is in the cache"
    )]
    Unreachable {
        /// What was asked for.
        name: String,
        /// The address, without its query.
        url: String,
        /// What happened.
        problem: String,
    },
    /// An answer that no Hub gives.
    #[error(
        "{name}: unexpected answer from {url}: {problem}. Is there a proxy or a login page between here and the Hub, or is HF_ENDPOINT no Hub?"
    )]
    Unexpected {
        /// What was asked for.
        name: String,
        /// The address, without its query.
        url: String,
        /// What is wrong with the answer.
        problem: String,
    },
    /// A path in a listing that would leave the cache.
    #[error(
        "{name}: the listing holds the path {path:?}, which would leave the cache folder; nothing was written. Do not trust this repository or HF_ENDPOINT"
    )]
    UnsafePath {
        /// What was asked for.
        name: String,
        /// The path.
        path: String,
    },
    /// A file that is not what the listing says.
    #[error("{name}: {file} did not arrive as it was listed: {problem}. Nothing was kept of it; try again")]
    Damaged {
        /// What was asked for.
        name: String,
        /// Which file.
        file: String,
        /// What differs.
        problem: String,
    },
    /// Offline, and the cache does not have it.
    #[error("{name}: not in the cache {}, and HF_HUB_OFFLINE is set: {missing}. Run once without HF_HUB_OFFLINE to fetch it", .cache.display())]
    NotCached {
        /// What was asked for.
        name: String,
        /// The folder that was looked in.
        cache: PathBuf,
        /// What exactly is missing.
        missing: String,
    },
    /// The cache folder cannot be used.
    #[error("cannot {action} {}: {source}. The folder for downloaded files can be moved by HF_HOME or HF_HUB_CACHE", .path.display())]
    Cache {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file was asked for that the listing does not have: a bug of the caller.
    #[error("{name}: `{file}` is not in the listing. This is a bug in eightk; please report it")]
    NotListed {
        /// What was asked for.
        name: String,
        /// Which file.
        file: String,
    },
}

impl HubError {
    /// Whether the user named something that cannot be: a wrong name or setting, a repository that is not there.
    pub fn is_user_mistake(&self) -> bool {
        matches!(self, Self::Name { .. } | Self::Setting { .. } | Self::NotFound { .. })
    }

    /// Whether the Hub was not really spoken to, so that the cache may answer for it.
    pub(crate) fn is_silence(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Unexpected { .. } | Self::TooManyRequests { .. })
    }

    /// Wraps an I/O error with what was tried on which path.
    pub(crate) fn cache(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Cache { action, path, source }
    }
}

fn after(pause: &Option<Duration>) -> String {
    pause.map_or_else(String::new, |p| format!(" and asks to wait for {} s", p.as_secs()))
}
