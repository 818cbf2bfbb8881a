//! A view's name, read and written.

use std::fmt;
use std::str::FromStr;

use super::{Filing, View};
use crate::RetrieveError;

/// How many sentences `lead` is when nothing is said.
const DEFAULT_LEAD: usize = 2;
/// The longest lead and the widest window; what sees more than this is the whole filing, and another kind of system.
const MAX_CHUNKS: usize = 64;

impl View {
    fn add(&mut self, part: &str) -> Result<(), &'static str> {
        let (name, argument) = match part.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (part, None),
        };
        let number = |count: &str| match count.parse::<usize>() {
            Ok(n @ 1..=MAX_CHUNKS) => Ok(n),
            _ => Err("the number of chunks must be 1 to 64"),
        };
        match (name, argument) {
            ("title", None) if !self.title => self.title = true,
            ("prefix", Some(file)) if self.prefix.is_none() => self.prefix = Some(unquoted(file)?.to_owned()),
            ("prefix", None) => return Err("say which file holds the contexts: prefix:contexts.jsonl"),
            ("lead", _) if self.lead == 0 => self.lead = argument.map_or(Ok(DEFAULT_LEAD), number)?,
            ("window", Some(count)) if self.window == 0 => self.window = number(count)?,
            ("window", None) => return Err("say how many chunks on each side: window:2"),
            ("filing", Some(what)) if what != "text" => return Err("the filing is seen as `filing` or `filing:text`"),
            ("filing", what) if self.filing.is_none() => {
                self.filing = Some(what.map_or(Filing::Chunks, |_| Filing::Text));
            }
            ("title" | "prefix" | "lead" | "window" | "filing", _) => {
                return Err("given twice, or with a number it does not take");
            }
            ("bare", None) => return Err("bare stands alone"),
            _ => return Err("unknown"),
        }
        Ok(())
    }
}

/// A file's name without the quotes that it stands in if it holds a `+`.
fn unquoted(file: &str) -> Result<&str, &'static str> {
    let name = match file.strip_prefix('"') {
        Some(rest) => rest
            .strip_suffix('"')
            .filter(|name| !name.contains('"'))
            .ok_or("the quote does not close, or something other than `+` follows it")?,
        None => file,
    };
    if name.is_empty() { Err("say which file holds the contexts: prefix:contexts.jsonl") } else { Ok(name) }
}

/// The part that `s` begins with, and what follows its `+`.
fn next_part(s: &str) -> (&str, Option<&str>) {
    let quoted = s.strip_prefix("prefix:\"").and_then(|rest| rest.find('"')).map_or(0, |at| at + "prefix:\"\"".len());
    match s.get(quoted..).and_then(|rest| rest.find('+')) {
        Some(at) => (s.get(..quoted + at).unwrap_or(s), s.get(quoted + at + 1..)),
        None => (s, None),
    }
}

impl FromStr for View {
    type Err = RetrieveError;

    /// Reads `bare`, `title`, `title+window:2`, …; parts in any order.
    fn from_str(s: &str) -> Result<Self, RetrieveError> {
        let mut view = Self::BARE;
        let mut rest = (s != "bare").then_some(s);
        while let Some(parts) = rest {
            let (part, after) = next_part(parts);
            view.add(part).map_err(|why| RetrieveError::UnknownView { part: part.to_owned(), why })?;
            rest = after;
        }
        if view.sees_filing() && view.sees_neighbours() {
            let why = "the whole filing holds lead and window already; leave them out, or leave out `filing`";
            return Err(RetrieveError::UnknownView { part: s.to_owned(), why });
        }
        Ok(view)
    }
}

impl fmt::Display for View {
    /// The canonical name: parts in the order title, prefix, lead, window, filing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lead = match self.lead {
            0 => None,
            DEFAULT_LEAD => Some("lead".to_owned()),
            n => Some(format!("lead:{n}")),
        };
        let title = self.title.then(|| "title".to_owned());
        let quote = |file: &String| if file.contains('+') { "\"" } else { "" };
        let prefix = self.prefix.as_ref().map(|file| format!("prefix:{0}{file}{0}", quote(file)));
        let window = (self.window > 0).then(|| format!("window:{}", self.window));
        let filing = self.filing.map(|f| if f == Filing::Text { "filing:text" } else { "filing" }.to_owned());
        let parts: Vec<_> = [title, prefix, lead, window, filing].into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "bare" } else { "" })?;
        f.write_str(&parts.join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nonsense_is_refused_with_its_reason() {
        for (bad, says) in [
            ("", "unknown"),
            ("titel", "unknown"),
            ("window", "on each side"),
            ("window:0", "1 to 64"),
            ("window:65", "1 to 64"),
            ("window:-1", "1 to 64"),
            ("lead:x", "1 to 64"),
            ("title:2", "does not take"),
            ("title+title", "twice"),
            ("bare+title", "stands alone"),
            ("+", "unknown"),
            ("title+", "unknown"),
            ("prefix", "which file"),
            ("prefix:", "which file"),
            ("prefix:\"\"", "which file"),
            ("prefix:\"a", "does not close"),
            ("prefix:\"a\"b", "does not close"),
            ("prefix:a+prefix:b", "twice"),
            ("filing:all", "`filing:text`"),
            ("filing+filing:text", "twice"),
            ("filing+window:2", "already"),
            ("lead+filing:text", "already"),
        ] {
            let error = bad.parse::<View>().unwrap_err().to_string();
            assert!(error.contains("is no view") && error.contains("window:N"), "{bad}: {error}");
            assert!(error.contains(says), "{bad}: {error}");
        }
    }

    #[test]
    fn a_file_name_goes_to_the_next_plus_unless_it_is_quoted() {
        let file = |view: &str| view.parse::<View>().unwrap().prefix_file().map(str::to_owned);
        assert_eq!(file("title+prefix:C:/x y,z=1.jsonl+lead").as_deref(), Some("C:/x y,z=1.jsonl"));
        assert_eq!(file("prefix:\"a+b.jsonl\"+title").as_deref(), Some("a+b.jsonl"));
        assert_eq!(file("prefix:\"plain\"").as_deref(), Some("plain"));
        assert_eq!("lead+prefix:\"a+b\"+title".parse::<View>().unwrap().to_string(), "title+prefix:\"a+b\"+lead");
    }

    proptest! {
        #[test]
        fn names_go_there_and_back(
            title: bool, lead in 0..=MAX_CHUNKS, window in 0..=MAX_CHUNKS, file in prop::option::of("[a-z+:, ]{1,8}"), whole in 0..3,
        ) {
            let mut view = View { title, prefix: file, lead, window, filing: None };
            if whole > 0 {
                let filing = Some(if whole == 1 { Filing::Chunks } else { Filing::Text });
                view = View { lead: 0, window: 0, filing, ..view };
            }
            prop_assert_eq!(view.to_string().parse::<View>().unwrap(), view);
        }

        #[test]
        fn no_text_makes_it_panic(s in "\\PC{0,20}|(prefix:|lead|title|filing)[\":+a-z0-9é]{0,20}") {
            if let Ok(view) = s.parse::<View>() {
                prop_assert_eq!(view.to_string().parse::<View>().unwrap(), view);
            }
        }
    }
}
