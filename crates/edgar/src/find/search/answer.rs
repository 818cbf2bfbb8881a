//! A page of search results, read from JSON.
//!
//! Fields change their type between answers (`sequence` is a number or a string), are null or missing, and new ones appear. Every
//! field is therefore taken from a [`Value`] by what it holds: one odd hit must not cost the page it stands on.

use std::collections::BTreeSet;

use eightk_core::Accession;
use serde_json::Value;

/// A page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Page {
    /// How many documents the search says there are.
    pub(super) total: u64,
    /// Whether there are more, which it does not count.
    pub(super) capped: bool,
    /// Sum over the buckets of forms: the true total of a capped search, where it is told.
    pub(super) counted: u64,
    /// Whether a part of the index did not answer.
    pub(super) partial: bool,
    /// The documents of this page.
    pub(super) hits: Vec<Hit>,
    /// The query that was run, as the answer tells it.
    pub(super) query: Option<Value>,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Hit {
    /// Accession number and file name, parted by a colon.
    pub(super) id: String,
    pub(super) accession: String,
    pub(super) form: String,
    pub(super) filed: String,
    /// Day of the event; empty where null.
    pub(super) reported: String,
    /// 1 for the primary document; `None` where it cannot be read.
    pub(super) sequence: Option<u64>,
    /// Its own type: the form, or `EX-99.1`.
    pub(super) file_type: String,
    pub(super) items: Vec<String>,
    pub(super) ciks: Vec<String>,
    pub(super) display_names: Vec<String>,
}

/// Totals beyond this are not counted by the search.
const CAP: u64 = 10_000;

/// Reads a page.
///
/// # Errors
///
/// What is wrong, in words for the user: no JSON, an error told by the search, no list of hits.
pub(super) fn read(body: &[u8]) -> Result<Page, String> {
    let json: Value = serde_json::from_slice(body).map_err(|e| format!("the answer is no JSON ({e})"))?;
    let told = ["error", "message", "errorMessage"].iter().find_map(|key| json.get(key).map(text));
    let told = told.filter(|t| !t.is_empty()).map(|t| t.chars().take(200).collect::<String>());
    let total = json.pointer("/hits/total").and_then(|t| number(t.get("value").unwrap_or(t)));
    let (Some(total), Some(hits)) = (total, json.pointer("/hits/hits").and_then(Value::as_array)) else {
        return Err(match told {
            Some(told) => format!("the search says: {told}"),
            None => "the answer holds no list of hits".to_owned(),
        });
    };
    let relation = json.pointer("/hits/total/relation").map(text);
    let failed = json.pointer("/_shards/failed").and_then(number).unwrap_or(0);
    Ok(Page {
        total,
        capped: relation.is_some_and(|r| r != "eq") || total >= CAP,
        counted: counted(&json).max(total),
        partial: failed > 0 || json.get("timed_out") == Some(&Value::Bool(true)),
        hits: hits.iter().map(hit).collect(),
        query: json.get("query").filter(|q| q.is_object()).cloned(),
    })
}

fn counted(json: &Value) -> u64 {
    let Some(forms) = json.pointer("/aggregations/form_filter") else { return 0 };
    let buckets = forms.get("buckets").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let named = buckets.iter().filter_map(|b| b.get("doc_count").and_then(number));
    let others = forms.get("sum_other_doc_count").and_then(number).unwrap_or(0);
    named.fold(others, u64::saturating_add)
}

fn hit(value: &Value) -> Hit {
    let source = value.get("_source").unwrap_or(&Value::Null);
    let field = |key: &str| source.get(key).map(text).unwrap_or_default();
    let list = |key: &str| source.get(key).map(texts).unwrap_or_default();
    let id = value.get("_id").map(text).unwrap_or_default();
    let mut accession = field("adsh");
    // EDGAR has hits whose accession number is the word `undefined`.
    if accession.parse::<Accession>().is_err() {
        accession = id.split(':').next().unwrap_or_default().to_owned();
    }
    let mut items: Vec<String> = list("items").iter().map(|i| item(i)).filter(|i| !i.is_empty()).collect();
    let mut seen = BTreeSet::new();
    items.retain(|i| seen.insert(i.clone()));
    Hit {
        accession,
        form: field("form"),
        filed: field("file_date"),
        reported: field("period_ending"),
        sequence: source.get("sequence").and_then(number),
        file_type: field("file_type"),
        items,
        ciks: list("ciks"),
        display_names: list("display_names"),
        id,
    }
}

/// An item's bare number: the numbering of the form before 2004 is marked in some lists (`old:5`).
pub(in crate::find) fn item(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix("old:").unwrap_or(text).trim().to_owned()
}

/// A string, or a number as one; anything else is empty.
fn text(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Number(n) => n.to_string(),
        _ => String::new(),
    }
}

/// A list of strings; a lone one is a list of one.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Array(list) => list.iter().map(text).collect(),
        Value::String(_) | Value::Number(_) => vec![text(value)],
        _ => Vec::new(),
    }
}

/// A number, written as one or as a string.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str().and_then(|s| s.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(json: &str) -> Page {
        read(json.as_bytes()).unwrap()
    }

    #[test]
    fn fields_of_many_types() {
        let p = page(
            r#"{"hits":{"total":{"value":"2","relation":"eq"},"max_score":null,"hits":[
            {"_id":"0001234567-24-000001:a.htm","_score":null,"schema_version":3,"_source":{"adsh":"0001234567-24-000001",
             "sequence":"1","form":"8-K","file_date":"2024-03-01","period_ending":null,"items":null,"ciks":["0000000001"],
             "display_names":"TARN"}},
            {"_id":"0001234567-24-000002:b.htm","_source":{"adsh":"undefined","sequence":2,"items":["old:5","5","2.05"]}},
            null, 3]}}"#,
        );
        assert_eq!((p.total, p.capped, p.hits.len()), (2, false, 4));
        assert_eq!(p.hits[0].sequence, Some(1));
        assert_eq!(p.hits[0].reported, "");
        assert_eq!(p.hits[0].display_names, ["TARN"]);
        assert_eq!(p.hits[1].accession, "0001234567-24-000002");
        assert_eq!(p.hits[1].items, ["5", "2.05"]);
        assert_eq!(p.hits[2], Hit::default());
        assert_eq!(p.query, None);
    }

    #[test]
    fn totals_that_are_not_totals() {
        assert!(page(r#"{"hits":{"total":{"value":9999,"relation":"gte"},"hits":[]}}"#).capped);
        assert!(page(r#"{"hits":{"total":{"value":10000,"relation":"eq"},"hits":[]}}"#).capped);
        assert!(page(r#"{"hits":{"total":{"value":100,"relation":"gte"},"hits":[]}}"#).capped);
        assert!(!page(r#"{"hits":{"total":7,"hits":[]}}"#).capped);
        let counted = r#"{"hits":{"total":{"value":10000,"relation":"gte"},"hits":[]},"aggregations":{"form_filter":
            {"buckets":[{"key":"8-K","doc_count":12000},{"doc_count":5}],"sum_other_doc_count":3}}}"#;
        assert_eq!(page(counted).counted, 12_008);
    }

    #[test]
    fn parts_of_the_index_that_were_silent() {
        assert!(page(r#"{"timed_out":true,"hits":{"total":0,"hits":[]}}"#).partial);
        assert!(page(r#"{"_shards":{"failed":1},"hits":{"total":0,"hits":[]}}"#).partial);
        assert!(!page(r#"{"timed_out":false,"_shards":{"failed":0},"hits":{"total":0,"hits":[]}}"#).partial);
    }

    #[test]
    fn what_is_no_page_says_why() {
        for (body, why) in [
            ("<html>", "no JSON"),
            ("", "no JSON"),
            ("\"backend down\"", "no list of hits"),
            (r#"{"message":"Internal server error"}"#, "Internal server error"),
            (r#"{"error":"Blank search not valid","hits":{"hits":[]}}"#, "Blank search"),
            (r#"{"hits":{"total":{"value":3}}}"#, "no list of hits"),
            (r#"{"hits":{"hits":[]}}"#, "no list of hits"),
        ] {
            assert!(read(body.as_bytes()).unwrap_err().contains(why), "{body}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..60)) {
            let _ = read(&bytes);
        }
    }
}
