//! What a data set says of itself: `manifest.json` and `audit/result.json`.
//!
//! Taken as stated and not checked: the fingerprint is over every row. Each statement stands alone, so that a file of another
//! tool, or of another version, gives what it has in common with ours. The list of input filings, by far the largest
//! part of a manifest, is passed over.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Shelf;
use crate::ReadReport;
use crate::read::MANIFEST;
use crate::write::RESULT;

/// What a data set says of itself; `None` and empty where it does not say.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ShelfFacts {
    /// The fingerprint of its rows.
    pub fingerprint: Option<String>,
    /// The program that wrote it.
    pub tool: Option<String>,
    /// That program's version.
    pub version: Option<String>,
    /// The recipe's name.
    pub recipe: Option<String>,
    /// SHA-256 of the recipe's text.
    pub recipe_sha256: Option<String>,
    /// Settings beside the recipe, in the order stated.
    pub settings: Map<String, Value>,
    /// How much each step let through, in the order of the steps.
    pub counts: Map<String, Value>,
    /// Dropped sentences by reason.
    pub dropped: BTreeMap<String, u64>,
    /// Queries left out by reason.
    pub left_out: BTreeMap<String, u64>,
    /// Counts and lengths of what is in it.
    pub statistics: Map<String, Value>,
    /// How its audit went.
    pub audit: Option<AuditFacts>,
}

/// How an audit went.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AuditFacts {
    /// Whether no check failed, as the result states it.
    pub passed: bool,
    /// Names of the checks that passed, invariants first, then section by section.
    pub passed_checks: Vec<String>,
    /// Names of the checks that failed.
    pub failed_checks: Vec<String>,
    /// Names of the checks that do not apply to this data set.
    pub skipped_checks: Vec<String>,
}

impl Shelf {
    /// What the data set says of itself.
    pub fn about(&self) -> &ShelfFacts {
        &self.facts
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Manifest {
    tool: Value,
    version: Value,
    fingerprint: Value,
    recipe: Value,
    settings: Value,
    counts: Value,
    dropped: Value,
    left_out: Value,
    statistics: Value,
    audit: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Audit {
    passed: Option<bool>,
    checks: Vec<Checked>,
    sections: Vec<Section>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Section {
    checks: Vec<Checked>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Checked {
    name: String,
    outcome: String,
}

impl ShelfFacts {
    /// Reads what lies in a folder; what the manifest states beyond it goes into the report, as [`crate::read()`] has it.
    pub(super) fn read(root: &Path, report: &mut ReadReport) -> Self {
        let manifest: Manifest = json(&root.join(MANIFEST)).unwrap_or_default();
        let recipe = |key: &str| text(manifest.recipe.get(key));
        let facts = Self {
            fingerprint: text(Some(&manifest.fingerprint)),
            tool: text(Some(&manifest.tool)),
            version: text(Some(&manifest.version)),
            recipe: recipe("name"),
            recipe_sha256: recipe("sha256"),
            settings: object(manifest.settings),
            counts: object(manifest.counts),
            dropped: numbers(manifest.dropped),
            left_out: numbers(manifest.left_out),
            statistics: object(manifest.statistics),
            audit: AuditFacts::of_folder(root),
        };
        report.stated_fingerprint.clone_from(&facts.fingerprint);
        report.stated_recipe.clone_from(&facts.recipe);
        report.stated_limits = manifest.audit;
        facts
    }
}

impl AuditFacts {
    /// What the audit kept with a data set folder found; `None` where none is kept, or none of this shape.
    pub fn of_folder(root: &Path) -> Option<Self> {
        json(&root.join(RESULT)).and_then(Self::new)
    }

    fn new(audit: Audit) -> Option<Self> {
        let mut facts = Self { passed: audit.passed?, ..Self::default() };
        for check in audit.checks.into_iter().chain(audit.sections.into_iter().flat_map(|section| section.checks)) {
            match check.outcome.as_str() {
                "passed" => facts.passed_checks.push(check.name),
                "failed" => facts.failed_checks.push(check.name),
                _ => facts.skipped_checks.push(check.name),
            }
        }
        Some(facts)
    }
}

/// What a file of JSON holds; `None` where there is none of this shape. Such files are no part of the data and their faults no error.
fn json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let file = File::open(path).ok()?;
    serde_json::from_reader(BufReader::with_capacity(1 << 16, file)).ok()
}

fn text(value: Option<&Value>) -> Option<String> {
    Some(value?.as_str()?.to_owned())
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn numbers(value: Value) -> BTreeMap<String, u64> {
    object(value).into_iter().filter_map(|(key, value)| Some((key, value.as_u64()?))).collect()
}
