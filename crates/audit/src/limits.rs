//! Which limits a data set is held to, and where they come from.

use eightk_dataset::ReadReport;
use eightk_mine::{AuditLimits, Recipe};

/// Limits, and whose they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    values: AuditLimits,
    origin: String,
}

/// A limit that cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("limit `{given}`: {problem}")]
pub struct LimitError {
    /// What was given.
    pub given: String,
    /// What is wrong with it and what would be right.
    pub problem: String,
}

impl Default for Limits {
    /// What holds for a data set of which nothing is known.
    fn default() -> Self {
        Self { values: AuditLimits::default(), origin: "defaults".to_owned() }
    }
}

impl Limits {
    /// Those of a recipe.
    pub fn of_recipe(recipe: &Recipe) -> Self {
        Self { values: recipe.audit().clone(), origin: format!("recipe {}", recipe.name()) }
    }

    /// Those that a data set was built with: stated in its manifest, else those of the built-in recipe that the manifest names, else
    /// the defaults. A limit that is stated but unknown here, or out of its range, is passed over.
    pub fn of_dataset(report: &ReadReport) -> Self {
        let name = report.stated_recipe.as_deref();
        if let Some(stated) = report.stated_limits.as_ref().and_then(serde_json::Value::as_object) {
            let mut values = AuditLimits::default();
            for (key, value) in stated {
                if let Some(value) = value.as_f64() {
                    // A newer version may know more limits than this one.
                    let _ = values.set(key, value);
                }
            }
            let origin = name.map_or_else(String::new, |n| format!(", recipe {n}"));
            return Self { values, origin: format!("manifest.json{origin}") };
        }
        let builtin = name.and_then(Recipe::builtin).and_then(Result::ok);
        builtin.map_or_else(Self::default, |recipe| Self::of_recipe(&recipe))
    }

    /// Sets one limit, `key=number`.
    ///
    /// # Errors
    /// No such limit, no number, or one out of its range.
    pub fn set(&mut self, given: &str) -> Result<(), LimitError> {
        let wrong = |problem: String| LimitError { given: given.to_owned(), problem };
        let (key, value) =
            given.split_once('=').ok_or_else(|| wrong("write it as key=number, such as ceiling=0.5".to_owned()))?;
        let number = value.trim().parse().map_err(|_| wrong(format!("`{value}` is no number")))?;
        self.values.set(key.trim(), number).map_err(|e| wrong(format!("{} {e}", key.trim())))?;
        if !self.origin.ends_with("some set by hand") {
            self.origin += "; some set by hand";
        }
        Ok(())
    }

    /// The numbers.
    pub fn values(&self) -> &AuditLimits {
        &self.values
    }

    /// Whose they are, for people: `recipe restructuring`.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_manifest_decides_then_the_recipe_it_names_then_the_defaults() {
        let mut report = ReadReport::default();
        assert_eq!(Limits::of_dataset(&report), Limits::default());
        report.stated_recipe = Some("restructuring".into());
        assert_eq!(Limits::of_dataset(&report).origin(), "recipe restructuring");
        report.stated_limits = Some(json!({"rivals": 7, "ceiling": 3.0, "unheard_of": 1, "contested": "all"}));
        let limits = Limits::of_dataset(&report);
        assert_eq!(limits.origin(), "manifest.json, recipe restructuring");
        assert_eq!(limits.values(), &AuditLimits { rivals: 7.0, ..AuditLimits::default() });
        report.stated_limits = Some(json!("none"));
        report.stated_recipe = Some("somebody's own".into());
        assert_eq!(Limits::of_dataset(&report), Limits::default());
    }

    #[test]
    fn a_limit_set_by_hand_is_checked() {
        let mut limits = Limits::default();
        limits.set("ceiling=0.5").unwrap();
        limits.set(" rivals = 1 ").unwrap();
        assert_eq!((limits.values().ceiling, limits.values().rivals), (0.5, 1.0));
        assert_eq!(limits.origin(), "defaults; some set by hand");
        for (given, says) in
            [("ceiling", "key=number"), ("ceiling=x", "no number"), ("x=1", "known are"), ("ceiling=2", "between")]
        {
            assert!(limits.set(given).unwrap_err().to_string().contains(says), "{given}");
        }
    }
}
