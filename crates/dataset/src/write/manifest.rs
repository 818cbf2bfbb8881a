//! `manifest.json`: what a data set was made from, exactly enough to make it again.
//!
//! No clock, no absolute path, no thread count: the same inputs give the same bytes.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::shards::ShardFile;
use super::statistics::Statistics;

/// What the maker of a data set knows about it. The writer adds version, fingerprint, statistics and files.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Manifest {
    /// The recipe.
    pub recipe: RecipeUsed,
    /// Settings beside the recipe that change the result (`splitter`), in the order given.
    pub settings: Map<String, Value>,
    /// Filings that went in, in the order of `source_url`.
    pub inputs: Vec<InputFiling>,
    /// Files that were refused, and why; in the order of their names.
    pub refused: Vec<Refused>,
    /// How much each step let through, in the order of the steps (`filings`, `sentences`, `chunks`, …).
    pub counts: Map<String, Value>,
    /// Dropped sentences by reason.
    pub dropped: BTreeMap<String, usize>,
    /// Queries left out by reason.
    pub left_out: BTreeMap<String, usize>,
    /// The limits that the data set is audited by, as its recipe sets them; left out where there are none.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub audit: Map<String, Value>,
}

/// Which recipe.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RecipeUsed {
    /// Its name.
    pub name: String,
    /// SHA-256 of its text, lower-case hex.
    pub sha256: String,
}

/// One filing that went in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct InputFiling {
    /// The file's name, without the folder it lay in.
    pub file: String,
    /// What its chunks are grouped by.
    pub source_url: String,
    /// SHA-256 of the file, lower-case hex.
    pub sha256: String,
}

/// One file that did not.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Refused {
    /// The file's name, without the folder it lay in.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// The manifest as it is stored.
#[derive(Serialize)]
pub(super) struct Stored<'a> {
    pub(super) tool: &'static str,
    pub(super) version: &'static str,
    pub(super) fingerprint: &'a str,
    #[serde(flatten)]
    pub(super) manifest: &'a Manifest,
    pub(super) statistics: &'a Statistics,
    pub(super) files: &'a [ShardFile],
}
