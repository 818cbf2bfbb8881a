//! Lines of `audit/` by what they are about.
//!
//! Two million dropped sentences are 170 MB: too much to parse for a look at one filing. Our own writer puts the key first in each
//! line, so one pass that looks at the first few bytes tells where each filing's lines lie; only where a line begins
//! otherwise is it parsed. The road not taken is to look for a filing by halving the file: that is right only in a file that is
//! sorted, which nobody knows without the pass.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use super::file::{At, RowFile};
use super::runs::{Last, Runs};
use crate::DatasetError;
use crate::error::Place;
use crate::read::jsonl::{self, Line};
use crate::read::rows::Text;

/// What is done with a line: its place, its key, its text.
pub(super) type EachLine<'a> = dyn FnMut(&Place, &str, &[u8]) -> Result<(), DatasetError> + 'a;

/// A file of lines that is indexed when it is first needed.
pub(super) struct KeyedLines {
    file: Arc<RowFile>,
    key: &'static str,
    index: Mutex<Option<Arc<Runs>>>,
}

impl KeyedLines {
    /// The file below `root`, if there is one, whose lines are about what stands under `key`.
    pub(super) fn find(root: Option<&Path>, name: &str, key: &'static str) -> Result<Option<Self>, DatasetError> {
        let path = root.map(|root| root.join(name)).filter(|path| path.is_file());
        let file = path.map(|path| RowFile::open_lines(&path)).transpose()?;
        Ok(file.map(|file| Self { file: Arc::new(file), key, index: Mutex::new(None) }))
    }

    /// Where the lines of each key lie; `number` gives the number of a key, if it has one. Made at the first call; others wait.
    pub(super) fn index(&self, number: impl Fn(&str) -> Option<u32>) -> Result<Arc<Runs>, DatasetError> {
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = &*index {
            return Ok(index.clone());
        }
        let mut runs = Runs::default();
        let mut last = Last::default();
        runs.add(self.file.clone(), |file, found| {
            file.lines(&mut |line| {
                let at = At { number: line.number, offset: line.offset, bytes: line.bytes };
                match self.with_key(&line, |key| last.number(key, &number))? {
                    Some(number) => found.push(number, at),
                    None => found.skip(),
                }
                Ok(())
            })
        })?;
        runs.sort(|key| key);
        Ok(index.insert(Arc::new(runs)).clone())
    }

    /// Calls `each` with every line, where it stands, and its key.
    pub(super) fn each(&self, each: &mut EachLine<'_>) -> Result<(), DatasetError> {
        self.file.lines(&mut |line| {
            let place = line.place(self.file.path());
            self.with_key(&line, |key| each(&place, key, line.text))?
        })
    }

    /// Calls `with` with the key of a line; a line without one is about `""`.
    pub(super) fn with_key<T>(&self, line: &Line<'_>, with: impl FnOnce(&str) -> T) -> Result<T, DatasetError> {
        if let Some(key) = first_value(line.text, self.key) {
            return Ok(with(key));
        }
        let keys: Keys = jsonl::row(&line.place(self.file.path()), line.text)?;
        let key = if self.key == "query" { keys.query } else { keys.source_url };
        Ok(with(key.0.as_deref().unwrap_or_default()))
    }
}

/// What lines of `audit/` are about.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Keys {
    source_url: Text,
    query: Text,
}

/// The value of the first key of an object, where that is `key` and the value a string without escapes.
fn first_value<'l>(line: &'l [u8], key: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(b"{\"")?.strip_prefix(key.as_bytes())?.strip_prefix(b"\":\"")?;
    let value = rest.get(..memchr::memchr2(b'"', b'\\', rest)?)?;
    if rest.get(value.len()) != Some(&b'"') {
        return None;
    }
    std::str::from_utf8(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_is_taken_only_where_it_is_plain() {
        assert_eq!(first_value(br#"{"query":"q7","rivals":[]}"#, "query"), Some("q7"));
        for line in
            [r#"{"query": "q7"}"#, r#"{"query":"q\u0037"}"#, r#"{"fact":"x","query":"q7"}"#, r#"{"query":"q7"#, "{", ""]
        {
            assert_eq!(first_value(line.as_bytes(), "query"), None, "{line}");
        }
    }
}
