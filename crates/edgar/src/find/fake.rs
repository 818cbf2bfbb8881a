//! An EDGAR in memory for tests: the search over a list of filings, and index files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::web::{Answer, Wanted, Web, WebError};

/// A filing of the search.
#[derive(Debug, Clone)]
pub(crate) struct Doc {
    pub(crate) accession: String,
    pub(crate) form: String,
    pub(crate) filed: String,
    pub(crate) items: Vec<String>,
    pub(crate) cik: String,
    pub(crate) name: String,
    /// Lower case.
    pub(crate) text: String,
}

impl Doc {
    pub(crate) fn new(number: usize, filed: &str, items: &[&str]) -> Self {
        Self {
            accession: format!("0001234567-24-{number:06}"),
            form: "8-K".to_owned(),
            filed: filed.to_owned(),
            items: items.iter().map(|i| (*i).to_owned()).collect(),
            cik: (1000 + number).to_string(),
            name: format!("TARN {number} INC"),
            text: String::new(),
        }
    }
}

type Tamper = Box<dyn Fn(usize, &str, &mut Value) + Sync + Send>;

/// Answers from memory and remembers what was asked.
pub(crate) struct Fake {
    pub(crate) docs: Vec<Doc>,
    pub(crate) cap: usize,
    /// Spoils the answer of the n-th request.
    pub(crate) tamper: Tamper,
    /// Files by address; what is not here is not found.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Default for Fake {
    fn default() -> Self {
        Self {
            docs: Vec::new(),
            cap: 10_000,
            tamper: Box::new(|_, _, _| {}),
            files: BTreeMap::new(),
            asked: Mutex::new(Vec::new()),
        }
    }
}

impl Fake {
    pub(crate) fn of(docs: Vec<Doc>) -> Self {
        Self { docs, ..Self::default() }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn search(&self, query: &str) -> Value {
        let mut fields: BTreeMap<String, String> = BTreeMap::new();
        for pair in query.split('&') {
            let (key, value) = pair.split_once('=').unwrap();
            fields.insert(key.to_owned(), decoded(value));
        }
        let list = |key: &str| -> Vec<String> {
            fields
                .get(key)
                .map(|v| v.split(',').filter(|x| !x.is_empty()).map(str::to_owned).collect())
                .unwrap_or_default()
        };
        let (forms, items, ciks) = (list("forms"), list("items"), list("ciks"));
        let phrase = fields.get("q").map(|q| q.trim_matches('"').to_lowercase()).unwrap_or_default();
        let (first, last) = (fields.get("startdt"), fields.get("enddt"));
        let from: usize = fields["from"].parse().unwrap();
        let found: Vec<&Doc> = self
            .docs
            .iter()
            .filter(|d| {
                forms.contains(&d.form.replace("/A", ""))
                    && !forms.contains(&format!("-{}", d.form))
                    && (items.is_empty() || d.items.iter().any(|i| items.contains(i)))
                    && (ciks.is_empty() || ciks.contains(&format!("{:0>10}", d.cik)))
                    && first.is_none_or(|day| d.filed >= *day)
                    && last.is_none_or(|day| d.filed <= *day)
                    && d.text.contains(&phrase)
            })
            .collect();
        let numbers: &[usize] = if phrase.is_empty() { &[1] } else { &[2, 1] };
        let hits: Vec<(&Doc, usize)> = found.iter().flat_map(|d| numbers.iter().map(move |n| (*d, *n))).collect();
        let page: Vec<Value> = hits
            .iter()
            .take(self.cap)
            .skip(from)
            .take(100)
            .map(|(d, n)| {
                let file = if *n == 1 { "main.htm" } else { "ex991.htm" };
                json!({"_id": format!("{}:{file}", d.accession), "_source": {"adsh": d.accession, "form": d.form,
                    "file_date": d.filed, "period_ending": d.filed, "sequence": n, "items": d.items, "ciks": [format!("{:0>10}", d.cik)],
                    "file_type": if *n == 1 { d.form.as_str() } else { "EX-99.1" },
                    "display_names": [format!("{}  (CIK {:0>10})", d.name, d.cik)]}})
            })
            .collect();
        let relation = if hits.len() > self.cap { "gte" } else { "eq" };
        let must: Vec<Value> =
            if phrase.is_empty() { vec![] } else { vec![json!({"match_phrase": {"doc_text": phrase}})] };
        json!({"hits": {"total": {"value": hits.len().min(self.cap), "relation": relation}, "hits": page},
            "aggregations": {"form_filter": {"buckets": [{"doc_count": hits.len()}], "sum_other_doc_count": 0}},
            "query": {"query": {"bool": {"must": must, "filter": [{"terms": {"root_forms": forms}}, {"terms": {"items": items}},
                {"range": {"file_date": {"gte": first, "lte": last}}}]}}, "from": from, "size": 100}})
    }
}

impl Web for Fake {
    fn get(&self, url: &str, wanted: Wanted) -> Result<Answer, WebError> {
        let n = {
            let mut asked = self.asked.lock().unwrap();
            asked.push(url.to_owned());
            asked.len()
        };
        if wanted == Wanted::Search {
            let query = url.split_once("/LATEST/search-index?").unwrap().1;
            let mut answer = self.search(query);
            (self.tamper)(n, url, &mut answer);
            let body = match answer {
                Value::String(text) => text.into_bytes(),
                json => serde_json::to_vec(&json).unwrap(),
            };
            return Ok(Answer { body, unclosed: false });
        }
        match self.files.get(url) {
            Some(body) => Ok(Answer { body: body.clone(), unclosed: false }),
            None => Err(WebError::NotFound { status: 404 }),
        }
    }
}

fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let [first, tail @ ..] = rest {
        if *first == b'%' {
            let hex = std::str::from_utf8(&tail[..2]).unwrap();
            bytes.push(u8::from_str_radix(hex, 16).unwrap());
            rest = &tail[2..];
        } else {
            bytes.push(*first);
            rest = tail;
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// The folder of real data; `None` where there is none.
#[allow(clippy::disallowed_methods)]
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let given = std::env::var("EIGHTK_SHARED").ok();
    let root = given.clone().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").to_owned());
    let path = PathBuf::from(root).join(folder);
    assert!(given.is_none() || path.is_dir(), "EIGHTK_SHARED names a folder that is not there: {}", path.display());
    if path.is_dir() {
        Some(path)
    } else {
        eprintln!("skipped: no {}", path.display());
        None
    }
}

/// The filings that the stand-in serves, by its own rule; `amendments`: with every fifth filed again a week later.
pub(crate) fn real_filings(amendments: bool) -> Option<Vec<(Doc, Option<String>)>> {
    let manifest = std::fs::read_to_string(shared("data/filings")?.join("manifest.jsonl")).unwrap();
    let mut docs: Vec<(Doc, Option<String>)> = Vec::new();
    for line in manifest.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let field = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let complete = ["accession", "cik", "filed", "company"].iter().all(|key| !field(key).is_empty());
        if !complete || field("kind") == "extracted-text" {
            continue;
        }
        let items = row["items"].as_array().map(|l| l.iter().map(|i| i.as_str().unwrap().to_owned()).collect());
        let doc = Doc {
            accession: field("accession"),
            form: field("form"),
            filed: field("filed"),
            items: items.unwrap_or_default(),
            cik: field("cik").trim_start_matches('0').to_owned(),
            name: field("company"),
            text: String::new(),
        };
        docs.push((doc.clone(), None));
        if amendments && doc.form == "8-K" && field("kind") != "sgml-txt" && docs.len().is_multiple_of(5) {
            let day: jiff::civil::Date = doc.filed.parse().unwrap();
            let later = day.checked_add(jiff::Span::new().days(7)).unwrap();
            let number = format!("{}-9{}", &doc.accession[..13], &doc.accession[15..]);
            let again = Doc { form: "8-K/A".to_owned(), accession: number, filed: later.to_string(), ..doc.clone() };
            docs.push((again, Some(doc.accession)));
        }
    }
    Some(docs)
}
