//! The three shapes of answers: bare lists, a flat list of objects, objects within documents.

use eightk_encode::Vector;
use serde::Deserialize;
use serde_json::Value;

use super::format::Format;
use super::placed::placed;
use super::raw::Raw;
use crate::web::{Unread, json};

/// Vectors of each unit, in order, and the tokens that the service counted, where it says so.
pub(crate) type Answer = (Vec<Vec<Vector>>, Option<u64>);

#[derive(Deserialize)]
struct Flat {
    data: Vec<Item>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Nested {
    data: Vec<Document>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Document {
    index: Option<u64>,
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<u64>,
    embedding: Raw,
}

/// Not typed any stricter: an odd count is no reason to lose the vectors that were paid for.
#[derive(Deserialize)]
struct Usage {
    total_tokens: Option<Value>,
    prompt_tokens: Option<Value>,
}

impl Usage {
    fn tokens(&self) -> Option<u64> {
        [&self.total_tokens, &self.prompt_tokens].into_iter().flatten().find_map(Value::as_u64)
    }
}

/// A list of lists, in the order of the texts: TEI.
pub(crate) fn bare(format: Format, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
    let rows: Vec<Raw> = json(body)?;
    let texts: usize = shape.iter().sum();
    if rows.len() != texts {
        return Err(Unread::Wrong(format!("holds {} vectors where {texts} were asked for", rows.len())));
    }
    let vectors = rows.into_iter().enumerate().map(|(i, raw)| vector(format, raw, i)).collect::<Result<_, _>>()?;
    Ok((units(vectors, shape), None))
}

/// `data` with one object per text: OpenAI and whoever copies it.
pub(crate) fn flat(format: Format, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
    let Flat { data, usage } = json(body)?;
    let vectors = items(format, data, shape.iter().sum()).map_err(Unread::Wrong)?;
    Ok((units(vectors, shape), usage.and_then(|u| u.tokens())))
}

/// `data` with one object per document, in which is `data` with one object per text: Voyage's and Perplexity's contextual models.
pub(crate) fn nested(format: Format, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
    let Nested { data, usage } = json(body)?;
    let documents =
        placed(data.into_iter().map(|d| (d.index, d.data)), shape.len(), "document").map_err(Unread::Wrong)?;
    let within = |(i, (data, texts)): (usize, (Vec<Item>, &usize))| {
        items(format, data, *texts).map_err(|why| Unread::Wrong(format!("has a document (index {i}) that {why}")))
    };
    let vectors = documents.into_iter().zip(shape).enumerate().map(within).collect::<Result<_, _>>()?;
    Ok((vectors, usage.and_then(|u| u.tokens())))
}

fn items(format: Format, data: Vec<Item>, texts: usize) -> Result<Vec<Vector>, String> {
    let raws = placed(data.into_iter().map(|item| (item.index, item.embedding)), texts, "vector")?;
    raws.into_iter().enumerate().map(|(i, raw)| format.vector(raw).map_err(|why| of_vector(i, &why))).collect()
}

fn vector(format: Format, raw: Raw, index: usize) -> Result<Vector, Unread> {
    format.vector(raw).map_err(|why| Unread::Wrong(of_vector(index, &why)))
}

fn of_vector(index: usize, why: &str) -> String {
    format!("holds a vector (index {index}) that {why}")
}

/// Cuts the vectors of all texts into those of each unit.
fn units(vectors: Vec<Vector>, shape: &[usize]) -> Vec<Vec<Vector>> {
    let mut vectors = vectors.into_iter();
    shape.iter().map(|texts| vectors.by_ref().take(*texts).collect()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn wrong<T: std::fmt::Debug>(answer: Result<T, Unread>) -> String {
        match answer.unwrap_err() {
            Unread::Wrong(why) => why,
            other => panic!("{other:?}"),
        }
    }

    fn first(vectors: &[Vec<Vector>]) -> Vec<Vec<f32>> {
        vectors.iter().map(|unit| unit.iter().map(|v| v.to_f32()[0]).collect()).collect()
    }

    #[test]
    fn each_shape_out_of_order() {
        let body = br#"{"data":[{"index":2,"embedding":[3]},{"index":0,"embedding":[1]},{"index":1,"embedding":[2]}],"usage":{"total_tokens":9}}"#;
        let (vectors, tokens) = flat(Format::Float, &[1, 2], body).unwrap();
        assert_eq!((first(&vectors), tokens), (vec![vec![1.0], vec![2.0, 3.0]], Some(9)));
        let body = br#"{"data":[{"index":1,"data":[{"index":1,"embedding":[3]},{"index":0,"embedding":[2]}]},{"index":0,"data":[{"index":0,"embedding":[1]}]}],
            "usage":{"prompt_tokens":4}}"#;
        let (vectors, tokens) = nested(Format::Float, &[1, 2], body).unwrap();
        assert_eq!((first(&vectors), tokens), (vec![vec![1.0], vec![2.0, 3.0]], Some(4)));
        let (vectors, tokens) = bare(Format::Float, &[1, 1], b"[[1],[2]]").unwrap();
        assert_eq!((first(&vectors), tokens), (vec![vec![1.0], vec![2.0]], None));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let document = |inner: &str| format!(r#"{{"data":[{{"index":0,"data":[{inner}]}}]}}"#);
        let two = r#"{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}"#;
        assert!(
            wrong(nested(Format::Float, &[2], document(two).as_bytes()))
                .contains("(index 0) that holds two vectors with index 0")
        );
        assert!(wrong(nested(Format::Float, &[1, 1], document(two).as_bytes())).contains("1 documents where 2"));
        let text = r#"{"index":0,"embedding":"AA"}"#;
        assert!(wrong(nested(Format::Int8, &[1], document(text).as_bytes())).contains("(index 0) that is text"));
        assert!(wrong(bare(Format::Float, &[3], b"[[1],[2]]")).contains("2 vectors where 3"));
        assert!(wrong(flat(Format::Float, &[1], br#"{"data":[{"embedding":[1]}]}"#)).contains("without index"));
        assert!(wrong(flat(Format::Float, &[1], br#"{"data":null}"#)).contains("null"));
    }

    #[test]
    fn odd_counts_of_tokens_are_ignored() {
        for usage in ["null", r#"{"total_tokens":"many"}"#, r#"{"total_tokens":-1}"#, "{}"] {
            let body = format!(r#"{{"data":[{{"index":0,"embedding":[1]}}],"usage":{usage}}}"#);
            assert_eq!(flat(Format::Float, &[1], body.as_bytes()).unwrap().1, None, "{usage}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_read_has_the_shape_that_was_asked_for(picks in prop::collection::vec(0_usize..12, 0..40), shape in prop::collection::vec(0_usize..4, 0..4)) {
            const PIECES: [&str; 12] = ["{\"data\":[", "{\"index\":0,\"embedding\":[1]}", "{\"index\":1,\"embedding\":\"AAAA\"}", ",", "]}", "[", "]",
                "{\"index\":0,\"data\":[", "null", "1", "}", "{\"index\":1,\"data\":[{\"index\":0,\"embedding\":[2]}]}"];
            let body: String = picks.into_iter().map(|p| PIECES[p]).collect();
            for read in [bare, flat, nested] {
                for format in [Format::Float, Format::Int8, Format::PackedBits] {
                    if let Ok((vectors, _)) = read(format, &shape, body.as_bytes()) {
                        prop_assert_eq!(vectors.iter().map(Vec::len).collect::<Vec<_>>(), shape.clone());
                    }
                }
            }
        }
    }
}
