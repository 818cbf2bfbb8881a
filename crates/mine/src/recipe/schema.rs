//! The keys of a recipe file, exactly as they are written.
//!
//! Only shapes here; what they mean is worked out in `compile`. Every table refuses keys it does not know, so that a
//! misspelt key is an error and not a rule that silently does nothing.

use serde::Deserialize;
use toml::Spanned;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecipeToml {
    pub(crate) name: Spanned<String>,
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) source: SourceToml,
    pub(crate) coreference: CoreferenceToml,
    #[serde(default)]
    pub(crate) evidence: EvidenceToml,
    #[serde(default)]
    pub(crate) rivals: RivalsToml,
    #[serde(default)]
    pub(crate) queries: QueriesToml,
    #[serde(default)]
    pub(crate) audit: std::collections::BTreeMap<Spanned<String>, Spanned<f64>>,
    #[serde(default)]
    pub(crate) words: std::collections::BTreeMap<String, String>,
    pub(crate) fact: Vec<FactToml>,
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceToml {
    #[serde(default)]
    pub(crate) phrase: String,
    #[serde(default)]
    pub(crate) forms: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) items: Vec<String>,
    pub(crate) from: Option<Spanned<String>>,
    pub(crate) to: Option<Spanned<String>>,
    #[serde(default)]
    pub(crate) one_per_company: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CoreferenceToml {
    pub(crate) terms: Vec<String>,
    #[serde(default)]
    pub(crate) quoted: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EvidenceToml {
    pub(crate) binding: bool,
    pub(crate) nearest_name: bool,
}

impl Default for EvidenceToml {
    fn default() -> Self {
        Self { binding: true, nearest_name: true }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RivalsToml {
    pub(crate) near: f64,
    pub(crate) exact_duplicates: bool,
    pub(crate) at_most: usize,
}

impl Default for RivalsToml {
    fn default() -> Self {
        Self { near: 0.5, exact_duplicates: true, at_most: 200 }
    }
}

#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueriesToml {
    #[serde(default)]
    pub(crate) seed: u64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactToml {
    pub(crate) name: Spanned<String>,
    pub(crate) description: String,
    pub(crate) gate: Vec<Vec<String>>,
    #[serde(default)]
    pub(crate) replace: Vec<ReplaceToml>,
    #[serde(default)]
    pub(crate) values: Vec<String>,
    #[serde(default)]
    pub(crate) require: Vec<RequireToml>,
    #[serde(default)]
    pub(crate) exclude: Vec<String>,
    #[serde(default)]
    pub(crate) reject: Vec<String>,
    pub(crate) head: Option<HeadToml>,
    #[serde(default)]
    pub(crate) whole: Vec<String>,
    #[serde(default)]
    pub(crate) part: Vec<String>,
    pub(crate) query: Vec<QueryToml>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplaceToml {
    pub(crate) find: String,
    pub(crate) with: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequireToml {
    pub(crate) any: Vec<String>,
    #[serde(default)]
    pub(crate) weak: Vec<String>,
    #[serde(default)]
    pub(crate) before: Vec<String>,
    #[serde(default)]
    pub(crate) previous: usize,
    #[serde(default)]
    pub(crate) items: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HeadToml {
    pub(crate) before: BeforeToml,
    pub(crate) after: AfterToml,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BeforeToml {
    pub(crate) wanted: Vec<String>,
    #[serde(default)]
    pub(crate) other: Vec<String>,
    #[serde(default)]
    pub(crate) direct: usize,
    #[serde(default)]
    pub(crate) link: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AfterToml {
    pub(crate) wanted: Vec<String>,
    #[serde(default)]
    pub(crate) other: Vec<String>,
    #[serde(default)]
    pub(crate) stop: Vec<String>,
    pub(crate) words: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryToml {
    pub(crate) template: String,
    pub(crate) rewrite: Option<String>,
}
