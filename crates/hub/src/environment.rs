//! The environment, read here and nowhere else.
//!
//! The same variables with the same meaning as in Python's tools, so that a machine that is set up for those needs nothing more:
//! `HF_ENDPOINT`, `HF_HUB_CACHE`, `HF_HOME`, `XDG_CACHE_HOME`, `HF_TOKEN`, `HF_TOKEN_PATH`, `HF_HUB_DISABLE_IMPLICIT_TOKEN`,
//! `HF_HUB_OFFLINE`, `HF_HUB_DISABLE_SYMLINKS`. Unlike there, an empty variable counts as one that is not set.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::HubError;
use crate::options::{Options, Token};

impl Options {
    /// Options as the environment says them.
    ///
    /// # Errors
    /// [`HubError::Setting`] where a variable holds nonsense or no folder for the cache can be told; [`HubError::Cache`]
    /// where there is a token file that cannot be read.
    pub fn from_environment() -> Result<Self, HubError> {
        // Paths need not be UTF-8, hence `var_os`.
        let mut options = from_lookup(&|name| std::env::var_os(name))?;
        options.system_proxy = true;
        Ok(options)
    }
}

type Lookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

fn from_lookup(lookup: Lookup<'_>) -> Result<Options, HubError> {
    let given = |name: &str| lookup(name).filter(|v| !v.is_empty());
    let home = given("HOME").or_else(|| given("USERPROFILE")).map(PathBuf::from);
    let path = |name: &str| given(name).map(|v| expand(Path::new(&v), home.as_deref()));
    let text = |name: &str| {
        let value = given(name).map(OsString::into_string).transpose();
        value.map_err(|_| HubError::Setting { what: name.to_owned(), problem: "is not UTF-8".to_owned() })
    };
    let is_true = |name: &str| -> Result<bool, HubError> {
        Ok(text(name)?.is_some_and(|v| ["1", "true", "yes", "on"].contains(&v.to_lowercase().as_str())))
    };
    let hf_home = path("HF_HOME")
        .or_else(|| path("XDG_CACHE_HOME").map(|p| p.join("huggingface")))
        .or_else(|| home.as_ref().map(|h| h.join(".cache/huggingface")));
    let Some(cache) = path("HF_HUB_CACHE").or_else(|| hf_home.as_ref().map(|h| h.join("hub"))) else {
        let problem = "is not set, and neither is HOME: name a folder for downloaded files".to_owned();
        return Err(HubError::Setting { what: "HF_HOME".to_owned(), problem });
    };
    let mut options = Options::new(cache);
    if let Some(endpoint) = text("HF_ENDPOINT")? {
        options.endpoint = endpoint;
    }
    options.offline = is_true("HF_HUB_OFFLINE")?;
    options.symlinks = !is_true("HF_HUB_DISABLE_SYMLINKS")?;
    if !is_true("HF_HUB_DISABLE_IMPLICIT_TOKEN")? {
        options.token = match text("HF_TOKEN")? {
            Some(token) => Token::new(&token, "HF_TOKEN")?,
            None => None,
        };
        if options.token.is_none() {
            let file = path("HF_TOKEN_PATH").or_else(|| hf_home.map(|h| h.join("token")));
            options.token = file.map_or(Ok(None), |f| token_file(&f))?;
        }
    }
    Ok(options)
}

fn token_file(path: &Path) -> Result<Option<Token>, HubError> {
    match std::fs::read(path) {
        Ok(bytes) => Token::new(&String::from_utf8_lossy(&bytes), &path.display().to_string()),
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(source) => Err(HubError::Cache { action: "read the token in", path: path.to_owned(), source }),
    }
}

/// `~` at the beginning of a path is the home folder, also where no shell saw it.
fn expand(path: &Path, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(variables: &[(&str, &str)]) -> Result<Options, HubError> {
        from_lookup(&|name| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| OsString::from(v)))
    }

    #[test]
    fn the_cache_is_where_python_looks() {
        for (variables, cache) in [
            (&[("HOME", "/h")][..], "/h/.cache/huggingface/hub"),
            (&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x")], "/x/huggingface/hub"),
            (&[("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("HF_HOME", "/f")], "/f/hub"),
            (&[("HOME", "/h"), ("HF_HOME", "~/f")], "/h/f/hub"),
            (&[("HOME", "/h"), ("HF_HOME", "")], "/h/.cache/huggingface/hub"),
            (&[("HF_HOME", "/f"), ("HF_HUB_CACHE", "/c")], "/c"),
        ] {
            assert_eq!(options(variables).unwrap().cache, Path::new(cache), "{variables:?}");
        }
        assert!(options(&[]).unwrap_err().to_string().contains("HF_HOME"));
    }

    #[test]
    fn tokens_come_from_the_usual_places() {
        let dir = tempfile::tempdir().unwrap();
        let (home, file) = (dir.path().to_str().unwrap(), dir.path().join("elsewhere"));
        std::fs::write(dir.path().join("token"), "hf_from_home\n").unwrap();
        std::fs::write(&file, "hf_from_file").unwrap();
        let header = |more: &[(&str, &str)]| {
            let variables = [&[("HF_HOME", home)], more].concat();
            options(&variables).unwrap().token.map(|t| t.header())
        };
        assert_eq!(header(&[]).as_deref(), Some("Bearer hf_from_home"));
        let at = [("HF_TOKEN_PATH", file.to_str().unwrap())];
        assert_eq!(header(&at).as_deref(), Some("Bearer hf_from_file"));
        assert_eq!(header(&[("HF_TOKEN", " hf_given ")]).as_deref(), Some("Bearer hf_given"));
        assert_eq!(header(&[("HF_TOKEN", " ")]).as_deref(), Some("Bearer hf_from_home"));
        assert_eq!(header(&[("HF_TOKEN", "hf_given"), ("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")]), None);
        assert_eq!(options(&[("HF_HOME", "/nowhere/at/all")]).unwrap().token, None);
    }

    #[test]
    fn switches_are_read_as_python_reads_them() {
        for (value, on) in [("1", true), ("true", true), ("YES", true), ("On", true), ("0", false), ("no", false)] {
            assert_eq!(options(&[("HOME", "/h"), ("HF_HUB_OFFLINE", value)]).unwrap().offline, on, "{value}");
        }
        assert!(!options(&[("HOME", "/h"), ("HF_HUB_DISABLE_SYMLINKS", "1")]).unwrap().symlinks);
        let endpoint = options(&[("HOME", "/h"), ("HF_ENDPOINT", "http://mirror/")]).unwrap().endpoint;
        assert_eq!(endpoint, "http://mirror/");
    }
}
