//! Scores by their index.

use serde::Deserialize;

use super::dialect::Place;
use crate::web::{Unread, json};

/// One result; services disagree on the name of its score.
#[derive(Deserialize)]
struct Scored {
    index: Option<u64>,
    #[serde(alias = "score")]
    relevance_score: Option<f64>,
}

/// Cohere's and Jina's answer, and of those who follow them. Without the list it is none: an error that comes with status 200 is one.
#[derive(Deserialize)]
struct WithResults {
    results: Vec<Scored>,
    usage: Option<Counted>,
}

/// Voyage's answer.
#[derive(Deserialize)]
struct WithData {
    data: Vec<Scored>,
    usage: Option<Counted>,
}

#[derive(Deserialize)]
struct Counted {
    total_tokens: Option<u64>,
}

/// Reads an answer to so many passages: a score for each that has one, and the tokens that the service counted, where it says so.
///
/// # Errors
///
/// What is wrong, as the end of a sentence about the answer.
pub(super) fn read(place: Place, passages: usize, body: &[u8]) -> Result<(Vec<Option<f64>>, Option<u64>), Unread> {
    let (results, usage) = match place {
        Place::Bare => (json(body)?, None),
        Place::Results => json(body).map(|WithResults { results, usage }| (results, usage))?,
        Place::Data => json(body).map(|WithData { data, usage }| (data, usage))?,
    };
    let tokens = usage.and_then(|u| u.total_tokens);
    Ok((placed(results, passages).map_err(Unread::Wrong)?, tokens))
}

fn placed(results: Vec<Scored>, passages: usize) -> Result<Vec<Option<f64>>, String> {
    if results.is_empty() {
        return Err(format!("holds no result for {passages} passages"));
    }
    let mut scores = vec![None; passages];
    for Scored { index, relevance_score } in results {
        let Some(index) = index else { return Err("holds a result without index".to_owned()) };
        let slot = usize::try_from(index).ok().and_then(|i| scores.get_mut(i));
        let Some(slot) = slot else {
            return Err(format!("holds a result with index {index}, where {passages} passages were sent"));
        };
        let Some(score) = relevance_score.filter(|s| s.is_finite()) else {
            return Err(format!("holds no number as the score of index {index}"));
        };
        if slot.replace(score).is_some() {
            return Err(format!("holds two results with index {index}"));
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wrong(place: Place, passages: usize, body: &str) -> String {
        match read(place, passages, body.as_bytes()) {
            Err(Unread::Wrong(why)) => why,
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn scores_stand_where_their_index_says() {
        let body = br#"{"results":[{"index":2,"relevance_score":0.9},{"index":0,"relevance_score":-3}],"usage":{"total_tokens":7}}"#;
        assert_eq!(read(Place::Results, 3, body).unwrap(), (vec![Some(-3.0), None, Some(0.9)], Some(7)));
        let body = br#"{"object":"list","data":[{"index":0,"relevance_score":1,"document":"x"}],"usage":{}}"#;
        assert_eq!(read(Place::Data, 1, body).unwrap(), (vec![Some(1.0)], None));
        let body = br#"[{"index":1,"score":0.5,"text":null},{"index":0,"score":0.25}]"#;
        assert_eq!(read(Place::Bare, 2, body).unwrap(), (vec![Some(0.25), Some(0.5)], None));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let one = |result: &str| format!("{{\"results\":[{result}]}}");
        for (result, part) in [
            (r#"{"relevance_score":1}"#, "without index"),
            (r#"{"index":2,"relevance_score":1}"#, "index 2, where 2 passages"),
            (r#"{"index":18446744073709551615,"relevance_score":1}"#, "where 2 passages"),
            (r#"{"index":0,"relevance_score":null}"#, "no number as the score of index 0"),
            (r#"{"index":0}"#, "no number as the score of index 0"),
            (r#"{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}"#, "two results with index 0"),
            (r#"{"index":0,"relevance_score":NaN}"#, "NaN"),
            (r#"{"index":0,"relevance_score":1e999}"#, "not the JSON"),
            (r#"{"index":-1,"relevance_score":1}"#, "not the JSON"),
            (r#"{"index":0,"relevance_score":"1"}"#, "not the JSON"),
            ("", "no result for 2 passages"),
        ] {
            let why = wrong(Place::Results, 2, &one(result));
            assert!(why.contains(part), "{result}: {why}");
        }
        assert!(wrong(Place::Results, 1, r#"{"data":[]}"#).contains("missing field `results`"));
        assert!(wrong(Place::Results, 1, r#"{"error":{"message":"m"}}"#).contains("an error: \"m\""));
        assert!(wrong(Place::Results, 1, "[]").contains("not the JSON"));
        assert!(wrong(Place::Bare, 1, r#"{"error":"m"}"#).contains("an error: \"m\""));
        assert!(matches!(read(Place::Bare, 1, b"[{\"index\":0,"), Err(Unread::BrokenOff(_))));
    }

    proptest! {
        #[test]
        fn any_order_is_undone(eighths in prop::collection::vec(-99i32..99, 1..40), seed: u64) {
            // Exact in binary: the reader may be off by the last bit of others.
            let scores: Vec<f64> = eighths.iter().map(|n| f64::from(*n) / 8.0).collect();
            let mut order: Vec<usize> = (0..scores.len()).collect();
            order.sort_by_key(|i| (*i as u64 + 1).wrapping_mul(seed | 1).rotate_left(17));
            let results: Vec<serde_json::Value> = order.iter().map(|i| serde_json::json!({"index": i, "score": scores[*i]})).collect();
            let body = serde_json::to_vec(&results).unwrap();
            let (read, _) = read(Place::Bare, scores.len(), &body).unwrap();
            let wanted: Vec<_> = scores.into_iter().map(Some).collect();
            prop_assert_eq!(read, wanted);
        }
    }
}
