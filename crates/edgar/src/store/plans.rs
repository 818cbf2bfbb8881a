//! Plans: what a query named and what is wanted of it, written down before the first download.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::disk::entries;
use super::marker::version;
use super::names::usable_plan_name;
use super::{PLANS, Store};
use crate::EdgarError;

/// The version of the shape of plans.
const FORMAT: u64 = 1;

#[derive(Serialize)]
struct Envelope<'a, T> {
    format: u64,
    written_by: String,
    plan: &'a T,
}

impl Store {
    /// The plan of that name; `None` where there is none.
    ///
    /// # Errors
    /// A plan that is no plan any more, or is one of a newer version.
    pub fn plan<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, EdgarError> {
        let path = self.plan_path(name)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(EdgarError::Io { what: "read", path, source }),
        };
        let damaged = |path: PathBuf, why: String| EdgarError::Damaged {
            path,
            problem: format!(
                "it is no plan ({why}); remove it, and the next run makes a new one: what is fetched stays"
            ),
        };
        let mut value: Value = match serde_json::from_slice(&bytes) {
            Ok(value) => value,
            Err(e) => return Err(damaged(path, e.to_string())),
        };
        match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => {}
            Some(newer) if newer > FORMAT => {
                let by = value.get("written_by").and_then(Value::as_str).unwrap_or("a newer eightk");
                let problem = format!(
                    "this plan has format {newer}, written by {by}; {} knows format {FORMAT}: use the newer version",
                    version()
                );
                return Err(EdgarError::Damaged { path, problem });
            }
            _ => return Err(damaged(path, "it tells no format".into())),
        }
        let plan = value.get_mut("plan").map(Value::take).unwrap_or_default();
        serde_json::from_value(plan).map(Some).map_err(|e| damaged(path, e.to_string()))
    }

    /// Writes a plan; replaces the earlier one of that name.
    pub fn put_plan(&self, name: &str, plan: &impl Serialize) -> Result<(), EdgarError> {
        self.writable()?;
        let path = self.plan_path(name)?;
        let envelope = Envelope { format: FORMAT, written_by: version(), plan };
        let mut json = serde_json::to_vec_pretty(&envelope)
            .map_err(|e| EdgarError::Damaged { path: path.clone(), problem: e.to_string() })?;
        json.push(b'\n');
        self.disk.put_file(&path, &[&json])
    }

    /// Names of the plans, sorted.
    pub fn plans(&self) -> Result<Vec<String>, EdgarError> {
        let folder = self.root.join(PLANS);
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let names = entries(&folder)?.into_iter().filter_map(|(name, _)| name.strip_suffix(".json").map(str::to_owned));
        Ok(names.filter(|name| usable_plan_name(name)).collect())
    }

    /// Where the plan of that name is.
    ///
    /// # Errors
    /// When the name cannot be a file's.
    pub fn plan_path(&self, name: &str) -> Result<PathBuf, EdgarError> {
        if usable_plan_name(name) {
            return Ok(self.root.join(PLANS).join(format!("{name}.json")));
        }
        Err(EdgarError::Usage(format!(
            "{name:?} cannot be the name of a plan; letters, digits, `-`, `_` and `.` can, up to 100"
        )))
    }
}
