//! From text to spec.

use std::collections::BTreeMap;

use super::settings::{self, KEYS};
use super::text::{self, Cut, cut, plain};
use super::{
    DEFAULT_RERANKED, DEFAULT_RRF_K, DenseSpec, EncoderKind, EncoderSpec, RerankerKind, RerankerSpec, SystemSpec, help,
};
use crate::{Bm25Options, Control, RetrieveError, Storage, View};

/// How deep systems may stand in systems.
const MAX_DEPTH: usize = 4;
/// How many parts one may have.
const MAX_PARTS: usize = 32;
/// The longest spec. Command lines of programs are the longest part of one.
const MAX_LENGTH: usize = 10_000;

type Result<T> = std::result::Result<T, RetrieveError>;

/// Reads a whole spec.
pub(super) fn system(s: &str) -> Result<SystemSpec> {
    if s.len() > MAX_LENGTH {
        let why = format!("is {} bytes long, at most {MAX_LENGTH} are read", s.len());
        return Err(RetrieveError::Malformed { spec: s.chars().take(60).chain("…".chars()).collect(), why });
    }
    if s.contains(char::is_control) {
        return Err(malformed(&s.escape_debug().to_string(), "holds a control character such as a line break"));
    }
    nested(s, 0)
}

/// `depth` grows with each parenthesis and is bounded.
fn nested(s: &str, depth: usize) -> Result<SystemSpec> {
    for (word, read) in [("rrf", rrf as fn(&Inside<'_>) -> Result<SystemSpec>), ("sum", sum), ("rerank", rerank)] {
        let Some(rest) = s.strip_prefix(word).and_then(|rest| rest.trim_start().strip_prefix('(')) else { continue };
        if depth == MAX_DEPTH {
            return Err(malformed(s, format!("stands too deep: systems may be nested {MAX_DEPTH} levels deep")));
        }
        let Some(inside) = rest.strip_suffix(')') else {
            return Err(malformed(
                s,
                "must end with its closing parenthesis; all settings stand inside it, as in rrf(A; B; as=NAME)",
            ));
        };
        let parts = text::parts(inside).map_err(|why| malformed(s, why))?;
        if parts.len() > MAX_PARTS {
            return Err(malformed(s, format!("has {} parts, at most {MAX_PARTS} are read", parts.len())));
        }
        return read(&Inside::of(s, &parts, depth + 1)?);
    }
    single(s)
}

/// The settings of a system of systems.
struct Settings {
    number: Option<u32>,
    view: View,
    name: Option<String>,
}

/// What stands between the parentheses of a system of systems.
struct Inside<'t> {
    /// The whole of it, for messages.
    spec: &'t str,
    systems: Vec<&'t str>,
    /// `k=60`, `n=100`, `view=title`, `as=NAME`.
    settings: Vec<(&'t str, &'t str)>,
    depth: usize,
}

impl<'t> Inside<'t> {
    fn of(spec: &'t str, parts: &[&'t str], depth: usize) -> Result<Self> {
        let mut inside = Self { spec, systems: Vec::new(), settings: Vec::new(), depth };
        for part in parts {
            match part.split_once('=') {
                Some((key, value)) if ["k", "n", "as", "view"].contains(&key.trim_end()) => {
                    inside.settings.push((key.trim_end(), value.trim()));
                }
                _ if part.is_empty() => {
                    return Err(malformed(spec, "has an empty part; parts stand between semicolons"));
                }
                _ => inside.systems.push(part),
            }
        }
        Ok(inside)
    }

    /// The number of that key, the view where there can be one, and the name; no other settings.
    fn settings(&self, number: Option<&str>, viewed: bool) -> Result<Settings> {
        let (mut n, mut view, mut name) = (None, None, None);
        for (key, value) in &self.settings {
            let wrong = |why| setting(self.spec, &format!("{key}={value}"), why);
            if *key == "as" && name.is_none() {
                settings::check_name(value).map_err(wrong)?;
                name = Some((*value).to_owned());
            } else if number == Some(*key) && n.is_none() {
                match value.parse::<u32>() {
                    Ok(number @ 1..=1_000_000) => n = Some(number),
                    _ => return Err(wrong("must be a whole number from 1 to 1000000")),
                }
            } else if viewed && *key == "view" && view.is_none() {
                let given: View = value.parse()?;
                if given.sees_filing() || given.prefix_file().is_some() {
                    return Err(wrong(
                        "is not for rerankers, which read one passage; possible are bare, title, lead, lead:N and window:N",
                    ));
                }
                view = Some(given);
            } else {
                let number = number.map_or_else(String::new, |n| format!("{n}=NUMBER, "));
                let view = if viewed { "view=VIEW, " } else { "" };
                return Err(wrong(&format!("is given twice or unknown here; possible are {number}{view}as=NAME")));
            }
        }
        Ok(Settings { number: n, view: view.unwrap_or(View::BARE), name })
    }

    fn part(&self, part: &str) -> Result<SystemSpec> {
        nested(part, self.depth)
    }

    fn several(&self) -> Result<&[&'t str]> {
        if self.systems.len() < 2 {
            return Err(malformed(self.spec, "needs at least two systems, with a semicolon between them"));
        }
        Ok(&self.systems)
    }
}

fn rrf(inside: &Inside<'_>) -> Result<SystemSpec> {
    let Settings { number: k, name, .. } = inside.settings(Some("k"), false)?;
    let parts = inside.several()?.iter().map(|part| inside.part(part)).collect::<Result<_>>()?;
    Ok(SystemSpec::Rrf { parts, k: k.unwrap_or(DEFAULT_RRF_K), name })
}

fn sum(inside: &Inside<'_>) -> Result<SystemSpec> {
    let Settings { name, .. } = inside.settings(None, false)?;
    let part = |part: &&str| {
        let weighted = part.split_once('*').and_then(|(weight, part)| {
            let weight = weight.trim().parse::<f64>().ok().filter(|w| *w > 0.0 && w.is_finite())?;
            Some((weight, part.trim_start()))
        });
        let Some((weight, part)) = weighted else {
            return Err(malformed(
                inside.spec,
                format!("needs a weight above 0 before each system, as in 0.3*bm25; `{part}` has none"),
            ));
        };
        Ok((weight, inside.part(part)?))
    };
    let parts = inside.several()?.iter().map(part).collect::<Result<_>>()?;
    Ok(SystemSpec::WeightedSum { parts, name })
}

fn rerank(inside: &Inside<'_>) -> Result<SystemSpec> {
    let Settings { number: n, view, name } = inside.settings(Some("n"), true)?;
    let [first, second] = inside.systems.as_slice() else {
        return Err(malformed(inside.spec, "needs a system and a reranker, as in rerank(bm25; cohere:MODEL; n=100)"));
    };
    let n = n.map_or(DEFAULT_RERANKED, |n| n as usize);
    Ok(SystemSpec::Rerank { first: Box::new(inside.part(first)?), reranker: reranker(second)?, n, view, name })
}

fn reranker(s: &str) -> Result<RerankerSpec> {
    let named = s
        .split_once(':')
        .and_then(|(kind, rest)| Some((RerankerKind::ALL.into_iter().find(|k| k.as_str() == kind)?, rest)));
    let Some((kind, rest)) = named else {
        let kinds = RerankerKind::ALL.map(RerankerKind::as_str).join(", ");
        return Err(malformed(s, format!("is no reranker; it must be KIND:MODEL, with KIND one of {kinds}")));
    };
    let cut = cut(rest, KEYS);
    let name = name(s, &cut, kind == RerankerKind::Tei, kind.keys(), true)?;
    let mut settings = BTreeMap::new();
    for (key, value) in cut.settings {
        keep(s, key, value, kind.keys(), &mut settings)?;
    }
    Ok(RerankerSpec { kind, name, settings })
}

fn single(s: &str) -> Result<SystemSpec> {
    let kind = s.split([':', '?', ',']).next().unwrap_or_default();
    let rest = s.get(kind.len()..).unwrap_or_default();
    if let Some(rest) = rest.strip_prefix(':')
        && let Some(kind) = EncoderKind::ALL.into_iter().find(|k| k.as_str() == kind)
    {
        return dense(s, kind, rest);
    }
    match kind {
        "bm25" => bm25(s, rest),
        "name-filter" => match rest.split_once('?') {
            None if rest.is_empty() => Ok(SystemSpec::NameFilter { options: Bm25Options::default() }),
            Some(("", written)) => Ok(SystemSpec::NameFilter { options: options(s, Some(written))? }),
            _ => Err(unknown(s)),
        },
        "random" | "oracle" if rest.starts_with(['?', ',']) => {
            Err(setting(s, rest.get(1..).unwrap_or_default(), "is not for this system, which has no settings"))
        }
        "random" => {
            let number = |seed: &str| {
                seed.parse().map_err(|_| setting(s, seed, "is no seed; give a whole number from 0 to 2^64 - 1"))
            };
            Ok(SystemSpec::Random { seed: rest.strip_prefix(':').map(number).transpose()? })
        }
        "oracle" if rest.is_empty() => Ok(SystemSpec::Oracle),
        _ => Err(unknown(s)),
    }
}

fn bm25(s: &str, rest: &str) -> Result<SystemSpec> {
    let Cut { name: head, settings, .. } = cut(rest, KEYS);
    let (head, written) = match head.split_once('?') {
        Some((head, written)) => (head, Some(written)),
        None => (head, None),
    };
    let mut view = match head.strip_prefix(':') {
        Some(view) => Some(plain(view).parse::<View>()?),
        None if head.is_empty() => None,
        None => return Err(unknown(s)),
    };
    let (mut control, mut name) = (None, None);
    for (key, value) in settings {
        let (value, wrong) = (plain(value.trim()), |why| setting(s, &format!("{key}={value}"), why));
        match key {
            "control" if control.is_none() => {
                let given: Control = value.parse()?;
                if given == Control::Swap {
                    return Err(wrong(
                        "is not for BM25, which has one index for all queries; possible are masked, minus-binding, filing-wrong",
                    ));
                }
                control = Some(given);
            }
            "view" if view.is_none() => view = Some(value.parse()?),
            "as" if name.is_none() => {
                settings::check_name(&value).map_err(wrong)?;
                name = Some(value);
            }
            "control" | "view" | "as" => return Err(wrong("is given twice")),
            _ => return Err(wrong("is not for BM25; possible are ?k1=, b=, stop=, then view=, control=, as=")),
        }
    }
    let (view, options) = (view.unwrap_or(View::BARE), options(s, written)?);
    control.map_or(Ok(()), |control: Control| control.check(&view))?;
    Ok(SystemSpec::Bm25 { view, options, control, name })
}

fn options(s: &str, written: Option<&str>) -> Result<Bm25Options> {
    let mut options = Bm25Options::default();
    for written in written.into_iter().flat_map(|w| w.split(',')) {
        options.set(written).map_err(|why| setting(s, written, why))?;
    }
    Ok(options)
}

fn dense(s: &str, kind: EncoderKind, rest: &str) -> Result<SystemSpec> {
    let cut = cut(rest, KEYS);
    let mut possible: Vec<&str> = vec!["view", "control", "storage", "as"];
    if kind == EncoderKind::Vectors {
        possible.retain(|key| *key != "control");
    }
    possible.extend(kind.keys());
    let encoder_name = name(s, &cut, kind == EncoderKind::Tei, &possible, kind != EncoderKind::Cmd)?;
    let (mut view, mut control, mut storage, mut label) = (None, None, None, None);
    let mut settings = BTreeMap::new();
    for (key, value) in cut.settings {
        let shown = value.trim();
        let wrong = |why: &str| setting(s, &format!("{key}={shown}"), why);
        match key {
            "view" if view.is_none() => view = Some(plain(shown).parse::<View>()?),
            "control" if kind == EncoderKind::Vectors => {
                return Err(wrong(
                    "cannot be: vectors made elsewhere are what they are; make them with the control in place",
                ));
            }
            "control" if control.is_none() => control = Some(plain(shown).parse()?),
            "storage" if storage.is_none() => {
                storage = Some(shown.parse::<Storage>().map_err(|_| wrong("must be f32, f16 or int8"))?);
            }
            "as" if label.is_none() => {
                settings::check_name(shown).map_err(wrong)?;
                label = Some(shown.to_owned());
            }
            "view" | "control" | "storage" | "as" => return Err(wrong("is given twice")),
            _ => keep(s, key, value, &possible, &mut settings)?,
        }
    }
    let view = view.unwrap_or(View::BARE);
    control.map_or(Ok(()), |control: Control| control.check(&view))?;
    let encoder = EncoderSpec { kind, name: encoder_name, settings };
    Ok(SystemSpec::Dense(DenseSpec { encoder, view, control, storage: storage.unwrap_or_default(), name: label }))
}

/// The name of an encoder or reranker.
fn name(s: &str, cut: &Cut<'_>, address: bool, possible: &[&str], strict: bool) -> Result<String> {
    let name = plain(cut.name.trim_start());
    let name = if cut.name.ends_with(char::is_whitespace) { name.trim_end().to_owned() } else { name };
    if name.is_empty() {
        return Err(malformed(s, "names nothing after the colon; give a model, a folder, a program or an address"));
    }
    // A name may hold a comma and `=`; far more often someone has mistyped a key.
    if let Some(stray) = cut.stray.filter(|_| strict) {
        let why =
            format!("is unknown; possible are {}. Where the comma belongs to the name, write \\,", keys(possible));
        return Err(setting(s, &format!("{stray}="), &why));
    }
    if address {
        settings::check_url(&name).map_err(|why| malformed(s, format!("what stands after the colon {why}")))?;
    }
    Ok(name)
}

/// Checks a setting of an encoder or reranker and keeps it. Prompts keep their spaces.
fn keep(s: &str, key: &str, value: &str, possible: &[&str], settings: &mut BTreeMap<String, String>) -> Result<()> {
    let value = if key.ends_with("-prompt") { plain(value) } else { plain(value.trim()) };
    let wrong = |why: &str| setting(s, &format!("{key}={value}"), why);
    if !possible.contains(&key) {
        return Err(wrong(&format!("is not for this kind; possible are {}", keys(possible))));
    }
    settings::check(key, &value).map_err(wrong)?;
    if settings.contains_key(key) {
        return Err(wrong("is given twice"));
    }
    settings.insert(key.to_owned(), value);
    Ok(())
}

fn keys(possible: &[&str]) -> String {
    possible.iter().map(|key| format!("{key}=")).collect::<Vec<_>>().join(", ")
}

fn unknown(s: &str) -> RetrieveError {
    RetrieveError::UnknownSystem { spec: s.to_owned(), possible: help::POSSIBLE }
}

fn malformed(s: &str, why: impl Into<String>) -> RetrieveError {
    RetrieveError::Malformed { spec: s.to_owned(), why: why.into() }
}

fn setting(s: &str, setting: &str, why: &str) -> RetrieveError {
    RetrieveError::Setting { spec: s.to_owned(), setting: setting.to_owned(), why: why.to_owned() }
}
