//! Dictionaries of dictionaries: query → document → number, with up to two levels of names above.
//!
//! The depth of the first number decides the shape of the whole file, and a number at another depth is an error with its
//! place. The road not taken is to try one shape after another: each would report why it is not the file's, and none where
//! the file is wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::events::{Bracket, Event, Events, Syntax};
use crate::MeasureError;
use crate::formats::parsed::{Oddities, Oddity};

/// MTEB's key for what the system is, beside the results.
const META: &str = "mteb_model_meta";
/// Subset, split, query: no name stands deeper.
const DEEPEST: usize = 3;

/// A number under a query and a document.
pub(super) trait Leaf: Copy {
    /// Reads it as written.
    fn read(spot: &Spot<'_>, odd: &mut Oddities) -> Result<Self, MeasureError>;

    /// What it means that a document stands twice. Where it is no error, the first counts.
    fn again(first: (Self, Spot<'_>), second: Self, spot: &Spot<'_>, odd: &mut Oddities) -> Result<(), MeasureError>;
}

/// Where a number stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) origin: &'a str,
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) query: &'a str,
    pub(super) document: &'a str,
    pub(super) written: &'a str,
}

impl Spot<'_> {
    pub(super) fn line(&self) -> usize {
        line_of(self.text, self.at)
    }
}

/// 1-based line of an offset.
fn line_of(text: &str, at: usize) -> usize {
    1 + memchr::memchr_iter(b'\n', text.as_bytes().get(..at).unwrap_or_default()).count()
}

/// Numbers by query and document.
pub(super) type Table<T> = BTreeMap<String, Vec<(String, T)>>;

/// A file's contents.
pub(super) struct Nested<T> {
    /// The model's name, where the file says it.
    pub(super) model: Option<String>,
    /// Tables by the names above them: none, or split, or subset and split.
    pub(super) sections: BTreeMap<Vec<String>, Table<T>>,
}

/// Reads a file.
pub(super) fn read<T: Leaf>(text: &str, origin: &str, odd: &mut Oddities) -> Result<Nested<T>, MeasureError> {
    let mut reader = Reader {
        origin,
        text,
        odd,
        path: Vec::new(),
        seen: Vec::new(),
        depth: None,
        leaves: Vec::new(),
        offsets: Vec::new(),
        empty: Vec::new(),
        model: None,
        sections: BTreeMap::new(),
    };
    reader.walk(&mut Events::new(text))?;
    reader.place_empty();
    Ok(Nested { model: reader.model, sections: reader.sections })
}

struct Reader<'a, T> {
    origin: &'a str,
    text: &'a str,
    odd: &'a mut Oddities,
    /// Keys of the objects that are open, but for the outermost.
    path: Vec<String>,
    /// For each open object the keys that led deeper.
    seen: Vec<BTreeSet<String>>,
    /// How many keys stand above a number, once one has been met.
    depth: Option<usize>,
    /// Numbers of the innermost object, and where they stand.
    leaves: Vec<(String, T)>,
    offsets: Vec<usize>,
    /// Objects without anything in them.
    empty: Vec<Vec<String>>,
    model: Option<String>,
    sections: BTreeMap<Vec<String>, Table<T>>,
}

impl<T: Leaf> Reader<'_, T> {
    fn walk<'t>(&mut self, events: &mut Events<'t>) -> Result<(), MeasureError> {
        let mut key = String::new();
        loop {
            let event = events.next().map_err(|e| self.syntax(e))?;
            let at = events.at();
            match event {
                Event::End => return Ok(()),
                Event::Key(name) => key = name.into_owned(),
                Event::Open(Bracket::Object) if self.seen.is_empty() => self.seen.push(BTreeSet::new()),
                Event::Open(Bracket::Object) => {
                    let name = std::mem::take(&mut key);
                    if self.path.is_empty() && name == META {
                        self.model = self.meta(events)?;
                    } else {
                        self.open(name, at)?;
                    }
                }
                Event::Open(Bracket::Array) => return Err(self.shape(at, "a list")),
                Event::Close => self.close()?,
                Event::Number(written) | Event::Word(written) => self.leaf(std::mem::take(&mut key), written, at)?,
                Event::Text(written) => {
                    let quoted = format!("\"{written}\"");
                    self.leaf(std::mem::take(&mut key), &quoted, at)?;
                }
            }
        }
    }

    /// Reads over what MTEB says of the model; its name.
    fn meta(&self, events: &mut Events<'_>) -> Result<Option<String>, MeasureError> {
        let (mut inside, mut name, mut key) = (1_usize, None, String::new());
        while inside > 0 {
            match events.next().map_err(|e| self.syntax(e))? {
                Event::Open(_) => inside += 1,
                Event::Close => inside -= 1,
                Event::Key(k) => key = k.into_owned(),
                Event::Text(text) if inside == 1 && (key == "model_name" || key == "name") => {
                    name = Some(text.into_owned());
                }
                Event::End => break,
                _ => {}
            }
        }
        Ok(name)
    }

    fn open(&mut self, name: String, at: usize) -> Result<(), MeasureError> {
        let deep = self.path.len() + 1;
        if deep > DEEPEST || self.depth.is_some_and(|depth| deep >= depth) {
            self.path.push(name);
            return Err(self.shape(at, "an object"));
        }
        if !self.leaves.is_empty() {
            // Numbers beside objects: the numbers are a level too high, or the object one too low.
            return Err(self.shape(at, "an object beside numbers"));
        }
        if self.seen.last_mut().is_some_and(|seen| !seen.insert(name.clone())) {
            let place = format!("{}:{}", self.origin, line_of(self.text, at));
            return Err(MeasureError::DuplicateKey { place, key: name });
        }
        self.path.push(name);
        self.seen.push(BTreeSet::new());
        Ok(())
    }

    fn leaf(&mut self, document: String, written: &str, at: usize) -> Result<(), MeasureError> {
        let deep = self.path.len() + 1;
        let Some(query) = self.path.last().filter(|_| self.depth.is_none_or(|depth| depth == deep)) else {
            if !self.seen.is_empty() {
                self.path.push(document);
            }
            return Err(self.shape(at, "a single value"));
        };
        if self.seen.last().is_some_and(|seen| !seen.is_empty()) {
            return Err(self.shape(at, "an object beside numbers"));
        }
        let (origin, text) = (self.origin, self.text);
        let spot = Spot { origin, text, at, query, document: &document, written };
        let value = T::read(&spot, self.odd)?;
        if unwritable(&document) {
            self.odd.note_at(Oddity::UnwritableId, || spot.line());
        }
        self.depth = Some(deep);
        self.leaves.push((document, value));
        self.offsets.push(at);
        Ok(())
    }

    fn close(&mut self) -> Result<(), MeasureError> {
        let seen = self.seen.pop().unwrap_or_default();
        let Some(query) = self.path.last() else {
            if seen.is_empty() {
                self.empty.push(Vec::new());
            }
            return Ok(());
        };
        if self.leaves.is_empty() {
            if seen.is_empty() {
                self.empty.push(self.path.clone());
            }
            self.path.pop();
            return Ok(());
        }
        if unwritable(query) {
            let (text, at) = (self.text, self.offsets.first().copied().unwrap_or_default());
            self.odd.note_at(Oddity::UnwritableId, || line_of(text, at));
        }
        self.drop_repetitions()?;
        let query = self.path.pop().unwrap_or_default();
        self.offsets.clear();
        let table = self.sections.entry(self.path.clone()).or_default();
        table.insert(query, std::mem::take(&mut self.leaves));
        Ok(())
    }

    /// Keeps the first of what stands twice, where that is no error.
    fn drop_repetitions(&mut self) -> Result<(), MeasureError> {
        let mut first: HashMap<&str, usize, foldhash::fast::RandomState> = HashMap::default();
        first.reserve(self.leaves.len());
        let mut repeated = BTreeSet::new();
        for (i, (document, value)) in self.leaves.iter().enumerate() {
            let before = *first.entry(document).or_insert(i);
            if before == i {
                continue;
            }
            let (origin, text, query) = (self.origin, self.text, self.path.last().map_or("", String::as_str));
            let at = |i: usize| self.offsets.get(i).copied().unwrap_or_default();
            let spot = |i| Spot { origin, text, at: at(i), query, document, written: "" };
            if let Some((_, met)) = self.leaves.get(before) {
                T::again((*met, spot(before)), *value, &spot(i), self.odd)?;
            }
            repeated.insert(i);
        }
        if !repeated.is_empty() {
            let mut i = 0..;
            self.leaves.retain(|_| i.next().is_none_or(|i| !repeated.contains(&i)));
        }
        Ok(())
    }

    /// Gives objects without numbers their place: a ranking that found nothing, or a section without queries.
    fn place_empty(&mut self) {
        let deepest = self.empty.iter().map(Vec::len).max();
        let Some(deepest) = deepest else { return };
        let by_shape = if self.model.is_some() { DEEPEST } else { deepest };
        let query_level = self.depth.map_or(by_shape, |depth| depth - 1);
        for mut path in std::mem::take(&mut self.empty) {
            if path.len() == query_level {
                let query = path.pop();
                let table = self.sections.entry(path).or_default();
                table.extend(query.map(|query| (query, Vec::new())));
            } else if path.len() + 1 == query_level {
                self.sections.entry(path).or_default();
            }
        }
    }

    fn syntax(&self, e: Syntax) -> MeasureError {
        let line_start = self.text.get(..e.at).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
        let column = 1 + self.text.get(line_start..e.at).map_or(0, |t| t.chars().count());
        MeasureError::Json { origin: self.origin.to_owned(), line: line_of(self.text, e.at), column, what: e.what }
    }

    fn shape(&self, at: usize, found: &'static str) -> MeasureError {
        let path = if self.path.is_empty() { "the top level".to_owned() } else { format!("`{}`", self.path.join("/")) };
        MeasureError::Nesting { origin: self.origin.to_owned(), line: line_of(self.text, at), path, found }
    }
}

fn unwritable(id: &str) -> bool {
    id.is_empty() || id.contains(|c: char| c.is_ascii_whitespace())
}
