//! Whether an answer is about the question that was asked.
//!
//! EDGAR's cache has been seen to answer one question with the results of another whose filter differs. The answer repeats the
//! query that was run, so the two are compared. The shape of that query has changed over the years and differs between words and
//! filters, hence its clauses are looked up by name wherever they stand, not by place.

use std::collections::BTreeSet;

use eightk_core::Form;
use serde_json::Value;

use super::request::Request;
use crate::find::words::fold;

/// How the query that was run compares with the one asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Echo {
    /// It is the same, as far as it is told.
    Same,
    /// A filter that can be made good from the hits themselves is not told.
    Wider(&'static str),
    /// The search put in a range of days where none was asked.
    Dated,
    /// It is another one; in words.
    Other(String),
}

/// Compares the query of an answer with the question.
pub(super) fn compare(query: &Value, asked: &Request, from: u64) -> Echo {
    let run = Run::of(query);
    let other = |what: &str, was: &str| Echo::Other(format!("it ran a search with {what} {was}"));
    if run.from.is_some_and(|f| f != from) {
        return other("from", &run.from.unwrap_or_default().to_string());
    }
    let words = asked.words();
    let loose = words.any || words.wanted.iter().chain(&words.unwanted).any(|w| w.contains('*'));
    let asked_words = words_of(words.wanted.iter());
    if !loose && words_of(run.phrases.iter()) != asked_words {
        let told = if run.phrases.is_empty() { "(none)".to_owned() } else { run.phrases.join("; ") };
        return other("the words", &told);
    }
    let list = |set: &BTreeSet<String>| set.iter().map(String::as_str).collect::<Vec<_>>().join(",");
    let asked_items: BTreeSet<String> = asked.items.iter().cloned().collect();
    if !run.items.is_empty() && run.items != asked_items {
        return other("items", &list(&run.items));
    }
    let root = Form::EightK.as_str();
    if !run.roots.is_empty() && !run.roots.iter().all(|f| f == root) {
        return other("forms", &list(&run.roots));
    }
    let named = |forms: &BTreeSet<String>, form: &Form| forms.contains(form.as_str());
    if (!run.forms.is_empty() && !asked.forms.iter().all(|f| named(&run.forms, f)))
        || asked.forms.iter().any(|f| named(&run.not_forms, f))
    {
        return other("forms", &format!("{} not {}", list(&run.forms), list(&run.not_forms)));
    }
    match (&asked.dates, &run.days) {
        (None, Some(_)) => return Echo::Dated,
        (Some((first, last)), Some((a, b))) => {
            let same = |day: &Option<String>, asked: String| day.as_ref().is_none_or(|d| d.get(..10) == Some(&asked));
            if !same(a, first.to_string()) || !same(b, last.to_string()) {
                let show = |d: &Option<String>| d.clone().unwrap_or_default();
                return other("days", &format!("{} to {}", show(a), show(b)));
            }
        }
        _ => {}
    }
    match () {
        // Days first: without them a search cannot be cut at all.
        () if asked.dates.is_some() && run.days.is_none() => Echo::Wider("days"),
        () if run.items.is_empty() && !asked_items.is_empty() => Echo::Wider("items"),
        () if run.roots.is_empty() && run.forms.is_empty() => Echo::Wider("forms"),
        () => Echo::Same,
    }
}

/// What the query that was run tells.
#[derive(Debug, Default)]
struct Run {
    from: Option<u64>,
    /// What must occur.
    phrases: Vec<String>,
    items: BTreeSet<String>,
    roots: BTreeSet<String>,
    forms: BTreeSet<String>,
    not_forms: BTreeSet<String>,
    /// First and last day, where one is told.
    days: Option<(Option<String>, Option<String>)>,
}

/// A clause on the way, and what it stands under.
#[derive(Clone, Copy)]
struct Clause<'v> {
    value: &'v Value,
    key: &'v str,
    negated: bool,
}

impl Run {
    fn of(query: &Value) -> Self {
        let mut run = Self { from: query.get("from").and_then(Value::as_u64), ..Self::default() };
        let mut clauses = vec![Clause { value: query.get("query").unwrap_or(query), key: "", negated: false }];
        while let Some(clause) = clauses.pop() {
            match clause.value {
                Value::Object(fields) => {
                    for (key, value) in fields {
                        let negated = clause.negated || key == "must_not";
                        if !run.take(clause, key, value) {
                            clauses.push(Clause { value, key, negated });
                        }
                    }
                }
                Value::Array(list) => clauses.extend(list.iter().map(|value| Clause { value, ..clause })),
                // A list of words under `must`.
                Value::String(word) if clause.key == "must" && !clause.negated => run.phrases.push(word.clone()),
                _ => {}
            }
        }
        run
    }

    /// Takes a clause that is known; whether it was.
    fn take(&mut self, parent: Clause<'_>, field: &str, value: &Value) -> bool {
        let values = || strings(value).into_iter();
        match (parent.key, field) {
            ("match_phrase" | "match", "doc_text") => {
                if !parent.negated {
                    self.phrases.extend(values());
                }
            }
            ("terms" | "term", "items") if !parent.negated => self.items.extend(values()),
            ("terms" | "term", "root_forms" | "root_form") if !parent.negated => {
                self.roots.extend(values().filter(|f| !f.starts_with('-')));
            }
            ("terms" | "term", "form") => {
                let side = if parent.negated { &mut self.not_forms } else { &mut self.forms };
                side.extend(values().filter(|f| !f.starts_with('-')));
            }
            ("range", "file_date") if !parent.negated => {
                let end =
                    |key: &str| value.get(key).and_then(Value::as_str).filter(|d| !d.is_empty()).map(str::to_owned);
                let (first, last) = (end("gte"), end("lte"));
                if first.is_some() || last.is_some() {
                    self.days = Some((first, last));
                }
            }
            _ => return false,
        }
        true
    }
}

/// The strings of a value: itself, a list, or what stands under `value` or `query`.
fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::String(s) => vec![s.clone()],
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::Object(fields) => {
            let inner = ["value", "query"].iter().find_map(|k| fields.get(*k)).and_then(Value::as_str);
            inner.map(str::to_owned).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// All words of some phrases, sorted: how they are grouped may differ. Bare numbers do not count, as the index has none.
fn words_of<'a>(phrases: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut words = Vec::new();
    for phrase in phrases {
        let folded = fold(phrase);
        let parts = folded.split(|c: char| !c.is_alphanumeric());
        words.extend(parts.filter(|w| w.chars().any(char::is_alphabetic)).map(str::to_owned));
    }
    words.sort();
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::Query;
    use serde_json::json;

    fn asked(phrase: &str, items: &[&str], dates: bool) -> Request {
        let day = |s: &str| s.parse().unwrap();
        let query = Query {
            phrase: phrase.to_owned(),
            forms: vec![Form::EightK],
            items: items.iter().map(|i| (*i).to_owned()).collect(),
            from: dates.then(|| day("2022-01-01")),
            to: dates.then(|| day("2022-03-31")),
            exhibits: false,
        };
        Request::new(&query, day("1993-01-01"), day("2024-01-01"))
    }

    #[allow(clippy::needless_pass_by_value)]
    fn run(must: Value, filter: Value) -> Value {
        json!({"query": {"bool": {"must": must, "must_not": [], "should": [], "filter": filter}}, "from": 0, "size": 100})
    }

    fn days() -> Value {
        json!({"range": {"file_date": {"gte": "2022-01-01", "lte": "2022-03-31"}}})
    }

    #[test]
    fn both_shapes_of_words() {
        let filter = json!([{"terms": {"root_forms": ["8-K"]}}, {"terms": {"items": ["2.05"]}}, days()]);
        let a = asked("Expects to Close", &["2.05"], true);
        for must in [json!([{"match_phrase": {"doc_text": "expects to close"}}]), json!(["expects to close"])] {
            assert_eq!(compare(&run(must, filter.clone()), &a, 0), Echo::Same);
        }
        for must in [json!([{"match_phrase": {"doc_text": "expects to open"}}]), json!([])] {
            assert!(matches!(compare(&run(must, filter.clone()), &a, 0), Echo::Other(_)));
        }
        let words = asked("\"mill closure\" -paper wool", &["2.05"], true);
        let must =
            json!([{"match_phrase": {"doc_text": {"query": "wool"}}}, {"match_phrase": {"doc_text": "mill closure"}}]);
        let mut q = run(must, filter);
        q["query"]["bool"]["must_not"] = json!([{"match_phrase": {"doc_text": "paper"}}]);
        assert_eq!(compare(&q, &words, 0), Echo::Same);
    }

    #[test]
    fn another_filter_is_another_search() {
        let a = asked("", &["2.05"], true);
        let with = |items: Value, forms: Value, days: Value| {
            run(json!([]), json!([{"terms": {"items": items}}, {"terms": {"root_forms": forms}}, days]))
        };
        assert_eq!(compare(&with(json!(["2.05"]), json!(["8-K", "-8-K/A"]), days()), &a, 0), Echo::Same);
        for q in [
            with(json!(["9.99"]), json!(["8-K"]), days()),
            with(json!(["2.05", "2.06"]), json!(["8-K"]), days()),
            with(json!(["2.05"]), json!(["10-K"]), days()),
            with(
                json!(["2.05"]),
                json!(["8-K"]),
                json!({"range": {"file_date": {"gte": "2022-01-01", "lte": "2022-04-30"}}}),
            ),
        ] {
            assert!(matches!(compare(&q, &a, 0), Echo::Other(_)), "{q}");
        }
        assert!(matches!(compare(&with(json!(["2.05"]), json!(["8-K"]), days()), &a, 100), Echo::Other(_)));
        let none = asked("", &[], true);
        assert!(matches!(compare(&with(json!(["2.05"]), json!(["8-K"]), days()), &none, 0), Echo::Other(_)));
        let mut excluded = with(json!(["2.05"]), json!(["8-K"]), days());
        excluded["query"]["bool"]["must_not"] = json!([{"term": {"form": {"value": "8-K"}}}]);
        assert!(matches!(compare(&excluded, &a, 0), Echo::Other(_)));
    }

    #[test]
    fn a_filter_that_is_not_told_makes_it_wider() {
        let a = asked("", &["2.05"], true);
        assert_eq!(
            compare(&run(json!([]), json!([{"terms": {"root_forms": ["8-K"]}}, days()])), &a, 0),
            Echo::Wider("items")
        );
        let a = asked("", &[], true);
        assert_eq!(compare(&run(json!([]), json!([days(), {"terms": {"items": []}}])), &a, 0), Echo::Wider("forms"));
        let forms = json!([{"terms": {"root_forms": ["8-K"]}}, {"range": {"file_date": {"gte": null, "lte": null}}}]);
        assert_eq!(compare(&run(json!([]), forms.clone()), &a, 0), Echo::Wider("days"));
        assert_eq!(compare(&run(json!([]), forms), &asked("", &[], false), 0), Echo::Same);
        assert_eq!(
            compare(&run(json!([]), json!([{"terms": {"root_forms": ["8-K"]}}, days()])), &asked("", &[], false), 0),
            Echo::Dated
        );
    }

    #[test]
    fn a_choice_of_words_is_not_checked() {
        let filter = json!([{"terms": {"root_forms": ["8-K"]}}]);
        assert_eq!(compare(&run(json!([]), filter.clone()), &asked("\"mill\" OR \"loom\"", &[], false), 0), Echo::Same);
        assert_eq!(compare(&run(json!([]), filter), &asked("clos*", &[], false), 0), Echo::Same);
    }
}
