//! An embedding as JSON holds it: a list of numbers, or text in base64.
//!
//! Read by hand and not as an untagged enum: that would keep every number twice, and would say of a `null` among a thousand numbers no more than that no
//! variant matched.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// One embedding, not yet understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Raw {
    /// Numbers. All that services send as whole numbers is small enough to be exact.
    Numbers(Vec<f32>),
    /// Base64, probably.
    Text(String),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an embedding: a list of numbers, or base64")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
        // No capacity from the outside: what a list claims to hold is the sender's word.
        let mut numbers = Vec::new();
        while let Some(number) = seq.next_element::<Option<f64>>()? {
            let Some(number) = number else {
                return Err(A::Error::custom(format_args!("null at position {} of an embedding", numbers.len())));
            };
            // JSON has no numbers beyond f64; what is beyond f32 becomes infinite here, and is refused as that.
            numbers.push(number as f32);
        }
        Ok(Raw::Numbers(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Raw, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }

    #[test]
    fn lists_and_texts() {
        assert_eq!(read("[1, -0.5, 1e-3]"), Ok(Raw::Numbers(vec![1.0, -0.5, 0.001])));
        assert_eq!(read("[]"), Ok(Raw::Numbers(vec![])));
        assert_eq!(read("\"AAA=\""), Ok(Raw::Text("AAA=".into())));
        assert_eq!(read("[1e200]"), Ok(Raw::Numbers(vec![f32::INFINITY])));
    }

    #[test]
    fn anything_else_is_named() {
        assert!(read("[1, null]").unwrap_err().contains("null at position 1"));
        for bad in ["null", "{}", "[[1]]", "[\"1\"]", "1", "[NaN]", "[1e999]"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
