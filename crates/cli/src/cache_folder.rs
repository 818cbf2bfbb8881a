//! Where vectors are kept: one rule for the commands that fill the cache and the one that shows it.

use std::path::PathBuf;

use crate::failure::{Failure, Outcome};

/// The option that names the folder.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct CacheFolder {
    /// Folder of the cache of vectors. Default: EIGHTK_CACHE, else eightk in XDG_CACHE_HOME, else ~/.cache/eightk.
    #[arg(long = "cache", value_name = "DIR")]
    given: Option<PathBuf>,
}

impl CacheFolder {
    /// The folder, whether it is there or not.
    pub(crate) fn path(&self) -> Outcome<PathBuf> {
        folder(self.given.clone(), |name| std::env::var_os(name).map(PathBuf::from)).ok_or_else(|| {
            Failure::usage("there is no home folder to keep vectors in; name a folder by --cache DIR or EIGHTK_CACHE")
        })
    }
}

/// An empty variable is one that is not set; a relative XDG_CACHE_HOME is to be ignored, says its specification.
fn folder(given: Option<PathBuf>, variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|p| !p.as_os_str().is_empty());
    given
        .or_else(|| set("EIGHTK_CACHE"))
        .or_else(|| set("XDG_CACHE_HOME").filter(|p| p.is_absolute()).map(|p| p.join("eightk")))
        .or_else(|| set("HOME").map(|p| p.join(".cache/eightk")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_wish_wins() {
        let of = |given: Option<&str>, set: &[(&str, &str)]| {
            folder(given.map(PathBuf::from), |name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| PathBuf::from(v)))
        };
        let all = [("EIGHTK_CACHE", "own"), ("XDG_CACHE_HOME", "/xdg"), ("HOME", "/home/ann")];
        assert_eq!(of(Some("given"), &all), Some("given".into()));
        assert_eq!(of(None, &all), Some("own".into()));
        assert_eq!(of(None, &all[1..]), Some("/xdg/eightk".into()));
        assert_eq!(of(None, &all[2..]), Some("/home/ann/.cache/eightk".into()));
        let odd = [("EIGHTK_CACHE", ""), ("XDG_CACHE_HOME", "here"), ("HOME", "/home/ann")];
        assert_eq!(of(None, &odd), Some("/home/ann/.cache/eightk".into()));
        assert_eq!(of(None, &[]), None);
    }
}
