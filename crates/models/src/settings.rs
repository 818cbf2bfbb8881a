//! What a user may say about a local model beside its folder.

use eightk_encode::EncodeError;

use crate::folder::PoolingMode;

/// Overrides of what the model's own configuration says; none of it is needed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalSettings {
    /// What the model is called, where its folder does not say it well.
    pub name: Option<String>,
    /// Stands before each query, in place of the configured prompt.
    pub query_prompt: Option<String>,
    /// Stands before each passage, in place of the configured prompt.
    pub passage_prompt: Option<String>,
    /// In place of the configured pooling.
    pub pooling: Option<PoolingMode>,
    /// Most tokens of a text and of a late-chunking window, marks included.
    pub max_tokens: Option<usize>,
    /// Only the first so many dimensions, normalised again (Matryoshka).
    pub dims: Option<usize>,
}

impl LocalSettings {
    /// From the keys and values of a system spec: `query-prompt`, `passage-prompt`, `pooling`, `max-tokens`, `dims`.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] for another key or a value that it cannot have.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, EncodeError> {
        let mut settings = Self::default();
        for (key, value) in pairs {
            let usage = |why: &str| EncodeError::Usage(format!("{key}={value}: {why}"));
            let count = || value.parse::<usize>().ok().filter(|n| *n > 0).ok_or_else(|| usage("give a number above 0"));
            match key {
                "query-prompt" => settings.query_prompt = Some(value.to_owned()),
                "passage-prompt" => settings.passage_prompt = Some(value.to_owned()),
                "pooling" => {
                    let mode = PoolingMode::named(value);
                    settings.pooling =
                        Some(mode.ok_or_else(|| usage(&format!("is none of {}", PoolingMode::names())))?);
                }
                "max-tokens" => settings.max_tokens = Some(count()?),
                "dims" => settings.dims = Some(count()?),
                _ => {
                    return Err(usage(
                        "is no setting of a local model; query-prompt, passage-prompt, pooling, max-tokens and dims are",
                    ));
                }
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_a_spec() {
        let pairs = [("query-prompt", "q: "), ("pooling", "cls"), ("max-tokens", "128"), ("dims", "64")];
        let expected = LocalSettings {
            query_prompt: Some("q: ".into()),
            pooling: Some(PoolingMode::Cls),
            max_tokens: Some(128),
            dims: Some(64),
            ..LocalSettings::default()
        };
        assert_eq!(LocalSettings::from_pairs(pairs), Ok(expected));
        for (key, value) in [("dims", "0"), ("dims", "x"), ("max-tokens", "-1"), ("pooling", "median"), ("url", "x")] {
            let said = LocalSettings::from_pairs([(key, value)]).unwrap_err();
            assert!(matches!(&said, EncodeError::Usage(s) if s.contains(key)), "{said}");
        }
    }
}
