//! What stands on a command line: `hf://datasets/OWNER/NAME@REV/FOLDER`.
//!
//! The grammar is the one of Python's tools: a revision with a slash is written with `%2F`, save `refs/convert/…` and
//! `refs/pr/…`, which stand as they are. Everything that is let through here can stand in an address and in a path of the
//! cache; the road not taken is to let the Hub refuse odd names, because the cache may be asked before the Hub is.

use std::fmt;

use crate::HubError;

/// What kind of repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepoKind {
    /// A model.
    Model,
    /// A data set.
    Dataset,
}

impl RepoKind {
    /// As it stands in `hf://` names, addresses of the API and names of cache folders.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Model => "models",
            Self::Dataset => "datasets",
        }
    }

    /// As people say it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Dataset => "data set",
        }
    }
}

/// A repository at a revision, or a folder in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoName {
    pub(crate) kind: RepoKind,
    /// `OWNER/NAME`, or `NAME` alone for the oldest repositories.
    pub(crate) id: String,
    pub(crate) revision: Option<String>,
    /// Empty, or a folder without slashes around it.
    pub(crate) folder: String,
}

/// The revision where none is named.
const DEFAULT_REVISION: &str = "main";

/// Longest id that the Hub allows.
const LONGEST_ID: usize = 96;

impl RepoName {
    /// Whether this is meant as a name on the Hub: whether it begins with `hf://`.
    pub fn is_meant(given: &str) -> bool {
        given.starts_with("hf://")
    }

    /// Reads a name. A data set is written `hf://datasets/OWNER/NAME[@REV][/FOLDER]`; a model `hf://OWNER/NAME`,
    /// `hf://models/OWNER/NAME` or `OWNER/NAME`, with the same endings.
    ///
    /// # Errors
    /// [`HubError::Name`] says what is wrong and how to write it.
    pub fn parse(given: &str, kind: RepoKind) -> Result<Self, HubError> {
        let form = match kind {
            RepoKind::Dataset => "hf://datasets/OWNER/NAME",
            RepoKind::Model => "hf://models/OWNER/NAME",
        };
        let wrong = |problem: String, hint: String| HubError::Name { given: given.to_owned(), problem, hint };
        let write = || format!("Write {form}, with @REVISION and /FOLDER after it where needed");
        let body = match given.strip_prefix("hf://") {
            Some(body) => body,
            None if kind == RepoKind::Model => given,
            None => return Err(wrong("it does not begin with hf://".into(), write())),
        };
        let (prefix, rest) = body.split_once('/').unwrap_or((body, ""));
        let location = match (prefix, kind) {
            ("datasets", RepoKind::Dataset) | ("models", RepoKind::Model) => rest,
            ("datasets" | "models" | "spaces" | "kernels" | "buckets", _) => {
                return Err(wrong(format!("a {} is needed, and this names {prefix}", kind.noun()), write()));
            }
            (_, RepoKind::Model) => body,
            (_, RepoKind::Dataset) => {
                let hint = format!("Write hf://datasets/{body}");
                return Err(wrong("without `datasets/` the name is a model's".into(), hint));
            }
        };
        let (id, revision, folder) = split(location);
        check_id(&id).map_err(|problem| wrong(problem, write()))?;
        if let Some(revision) = &revision {
            check_revision(revision).map_err(|problem| wrong(problem, write()))?;
        }
        if !folder.is_empty() && !is_safe_path(&folder) {
            return Err(wrong(format!("`{folder}` is no folder in a repository"), write()));
        }
        Ok(Self { kind, id, revision, folder })
    }

    /// `OWNER/NAME`, or `NAME` alone.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The branch, tag or commit; `main` where none was named.
    pub fn revision(&self) -> &str {
        self.revision.as_deref().unwrap_or(DEFAULT_REVISION)
    }

    /// The folder in the repository; empty for its root.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The same repository at another revision.
    #[must_use]
    pub fn at(&self, revision: &str) -> Self {
        Self { revision: Some(revision.to_owned()), ..self.clone() }
    }
}

impl fmt::Display for RepoName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hf://{}/{}", self.kind.plural(), self.id)?;
        if let Some(revision) = &self.revision {
            let plain = special(revision) == Some(revision.len());
            write!(f, "@{}", if plain { revision.clone() } else { revision.replace('/', "%2F") })?;
        }
        if self.folder.is_empty() { Ok(()) } else { write!(f, "/{}", self.folder) }
    }
}

/// Id, revision and folder. A `@` behind the second slash belongs to a folder's name.
fn split(location: &str) -> (String, Option<String>, String) {
    let tidy = |folder: &str| folder.trim_end_matches('/').to_owned();
    match location.split_once('@') {
        Some((id, rest)) if id.matches('/').count() < 2 => {
            let cut = special(rest).unwrap_or_else(|| rest.find('/').unwrap_or(rest.len()));
            let (revision, folder) = rest.split_at_checked(cut).unwrap_or((rest, ""));
            let revision = revision.replace("%2F", "/").replace("%2f", "/");
            (id.to_owned(), Some(revision), tidy(folder.strip_prefix('/').unwrap_or(folder)))
        }
        _ => {
            let mut parts = location.splitn(3, '/');
            let (owner, name, folder) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
            let id = match name {
                Some(name) if !name.is_empty() || folder.is_some() => format!("{owner}/{name}"),
                _ => owner.to_owned(),
            };
            (id, None, tidy(folder.unwrap_or_default()))
        }
    }
}

/// How many bytes of `text` are a revision that holds slashes by its nature: `refs/convert/NAME`, `refs/pr/NUMBER`.
fn special(text: &str) -> Option<usize> {
    let of = |prefix: &str, fits: fn(char) -> bool| {
        let rest = text.strip_prefix(prefix)?;
        let length = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        let ends = rest.get(length..).is_some_and(|r| r.is_empty() || r.starts_with('/'));
        (length > 0 && ends).then_some(prefix.len() + length)
    };
    of("refs/convert/", |c| c.is_ascii_alphanumeric() || "_.-".contains(c))
        .or_else(|| of("refs/pr/", |c| c.is_ascii_digit()))
}

fn check_id(id: &str) -> Result<(), String> {
    if id.is_empty() {
        return Err("it names no repository".into());
    }
    if id.len() > LONGEST_ID {
        return Err(format!("`{id}` is longer than {LONGEST_ID} characters"));
    }
    for part in id.split('/') {
        if let Some(odd) = part.chars().find(|c| !c.is_ascii_alphanumeric() && !"_.-".contains(*c)) {
            return Err(format!(
                "{odd:?} cannot stand in the name of a repository (letters, digits, `-`, `_` and `.` can)"
            ));
        }
        let edge = |c: char| c == '-' || c == '.';
        if part.is_empty() || part.starts_with(edge) || part.ends_with(edge) || part.ends_with(".git") {
            return Err(format!(
                "`{part}` is no name on the Hub: none is empty, begins or ends with `-` or `.`, or ends with `.git`"
            ));
        }
        if part.contains("--") || part.contains("..") {
            return Err(format!("`{part}` is no name on the Hub: none holds `--` or `..`"));
        }
    }
    Ok(())
}

/// The rules of git for names of branches and tags.
fn check_revision(revision: &str) -> Result<(), String> {
    let odd = |c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c);
    let segment = |s: &str| s.starts_with('.') || s.ends_with(".lock") || s.ends_with('.');
    if revision.is_empty() {
        Err("the revision after `@` is empty".into())
    } else if !is_safe_path(revision)
        || revision.contains(odd)
        || revision.contains("..")
        || revision.contains("@{")
        || revision.split('/').any(segment)
    {
        Err(format!("{revision:?} is no branch, tag or commit"))
    } else {
        Ok(())
    }
}

/// Whether this is a commit: 40 lower-case hex digits.
pub(crate) fn is_commit(text: &str) -> bool {
    is_hex(text, 40)
}

/// Whether this is `length` lower-case hex digits.
pub(crate) fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Whether a path stays below the folder that it is joined to, on any system: no `..`, no root, no drive, nothing empty.
pub(crate) fn is_safe_path(path: &str) -> bool {
    let plain = |segment: &str| !segment.is_empty() && segment != "." && segment != "..";
    let normal = |c: std::path::Component<'_>| matches!(c, std::path::Component::Normal(_));
    !path.contains(['\0', '\\'])
        && path.split('/').all(plain)
        && path.as_bytes().get(1) != Some(&b':')
        && std::path::Path::new(path).components().all(normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset(given: &str) -> Result<RepoName, HubError> {
        RepoName::parse(given, RepoKind::Dataset)
    }

    #[test]
    fn names_of_data_sets() {
        for (given, id, revision, folder) in [
            ("hf://datasets/acme/shelf", "acme/shelf", "main", ""),
            ("hf://datasets/acme/shelf/", "acme/shelf", "main", ""),
            ("hf://datasets/shelf", "shelf", "main", ""),
            ("hf://datasets/shelf@v1", "shelf", "v1", ""),
            ("hf://datasets/acme/shelf.v2_x@v1.0", "acme/shelf.v2_x", "v1.0", ""),
            ("hf://datasets/acme/shelf@v1/sub/folder", "acme/shelf", "v1", "sub/folder"),
            ("hf://datasets/acme/shelf/sub/fol@der", "acme/shelf", "main", "sub/fol@der"),
            ("hf://datasets/acme/shelf@refs/convert/parquet", "acme/shelf", "refs/convert/parquet", ""),
            ("hf://datasets/acme/shelf@refs/convert/parquet/x", "acme/shelf", "refs/convert/parquet", "x"),
            ("hf://datasets/acme/shelf@refs/pr/12/x", "acme/shelf", "refs/pr/12", "x"),
            ("hf://datasets/acme/shelf@feature%2Fkiln/x", "acme/shelf", "feature/kiln", "x"),
            ("hf://datasets/acme/shelf@a@b", "acme/shelf", "a@b", ""),
        ] {
            let name = dataset(given).unwrap();
            assert_eq!((name.id(), name.revision(), name.folder()), (id, revision, folder), "{given}");
            assert_eq!(dataset(&name.to_string()).unwrap(), name, "{given} does not come back from {name}");
        }
    }

    #[test]
    fn wrong_names_say_what_is_wrong() {
        for (given, word) in [
            ("hf://acme/shelf", "Write hf://datasets/acme/shelf"),
            ("hf://", "datasets/"),
            ("hf://datasets", "names no repository"),
            ("hf://datasets/", "names no repository"),
            ("hf://models/acme/shelf", "this names models"),
            ("hf://spaces/acme/shelf", "this names spaces"),
            ("hf://datasets/acme//", "is no name on the Hub"),
            ("hf://datasets//shelf", "is no name on the Hub"),
            ("hf://datasets/../shelf", "is no name on the Hub"),
            ("hf://datasets/ac me/shelf", "' ' cannot stand"),
            ("hf://datasets/acme/she\nlf", "'\\n' cannot stand"),
            ("hf://datasets/acme/she?lf", "'?' cannot stand"),
            ("hf://datasets/acme/a--b", "`--`"),
            ("hf://datasets/acme/shelf@", "revision after `@` is empty"),
            ("hf://datasets/acme/shelf@../x", "is no branch"),
            ("hf://datasets/acme/shelf@..%2f..%2fx", "is no branch"),
            ("hf://datasets/acme/shelf@a b", "is no branch"),
            ("hf://datasets/acme/shelf@/x", "revision after `@` is empty"),
            ("hf://datasets/acme/shelf@v1/../x", "no folder"),
            ("hf://datasets/acme/shelf@v1//x", "no folder"),
            ("hf://datasets/acme/shelf@v1/a\\b", "no folder"),
        ] {
            let error = dataset(given).unwrap_err();
            assert!(error.is_user_mistake(), "{given}");
            assert!(error.to_string().contains(word), "{given}: {error}");
        }
        assert!(dataset(&format!("hf://datasets/acme/{}", "x".repeat(97))).is_err());
    }

    #[test]
    fn models_have_three_ways_to_be_named() {
        for given in ["acme/kiln-small@v1", "hf://acme/kiln-small@v1", "hf://models/acme/kiln-small@v1"] {
            let name = RepoName::parse(given, RepoKind::Model).unwrap();
            assert_eq!((name.id(), name.revision()), ("acme/kiln-small", "v1"));
            assert_eq!(name.to_string(), "hf://models/acme/kiln-small@v1");
        }
        assert!(RepoName::parse("hf://datasets/acme/shelf", RepoKind::Model).is_err());
    }

    #[test]
    fn only_paths_below_are_safe() {
        for safe in ["a", "a/b.c", "..a/b..", ".hidden/x"] {
            assert!(is_safe_path(safe), "{safe}");
        }
        for unsafe_path in ["", "/", "/a", "..", "a/../b", "a//b", "./a", "a/", "a\\b", "a\0", "C:/x", "c:x"] {
            assert!(!is_safe_path(unsafe_path), "{unsafe_path:?}");
        }
    }

    proptest::proptest! {
        /// Whatever is let through comes back from how it is shown, and stays inside the cache.
        #[test]
        fn no_name_climbs(text in "[a-z./@%F2\\\\:~ -]{0,24}", prefix in "(acme/shelf)?(@|/)?(refs/(pr|convert)/)?") {
            for kind in [RepoKind::Dataset, RepoKind::Model] {
                let given = format!("hf://{}/{prefix}{text}", kind.plural());
                let Ok(name) = RepoName::parse(&given, kind) else { continue };
                proptest::prop_assert_eq!(&RepoName::parse(&name.to_string(), kind).unwrap(), &name);
                proptest::prop_assert!(is_safe_path(name.revision()) && is_safe_path(&name.id));
                proptest::prop_assert!(name.folder.is_empty() || is_safe_path(&name.folder));
                proptest::prop_assert!(!name.id.contains("--"));
            }
        }
    }
}
