//! What is to be fetched.

use serde::{Deserialize, Serialize};

use crate::digest::sha256_hex;
use crate::find::{Query, pick::PickRule};

/// By which road filings are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Road {
    /// Full-text search: since 2001, by words and items.
    #[default]
    Search,
    /// The quarterly indexes: since 1993, every filing; what a filing is about is read from its header and document.
    Index,
}

/// An order for filings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// What the plan is called; a recipe's name.
    pub name: String,
    /// What is looked for.
    pub query: Query,
    /// Where.
    pub road: Road,
    /// Which of the filings found are wanted.
    pub rule: PickRule,
}

impl Order {
    /// The name of its plan: the order's own, and a hash of everything that can change which filings it brings.
    pub fn key(&self) -> String {
        let name: String =
            self.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).take(40).collect();
        let what = serde_json::json!({ "road": self.road, "query": self.query, "rule": self.rule });
        let hash = sha256_hex(what.to_string().as_bytes());
        let hex = hash.get(..10).unwrap_or(&hash);
        format!("{}-{hex}", if name.is_empty() { "fetch" } else { &name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::Form;

    fn order() -> Order {
        let query = Query {
            phrase: "expects to incur".into(),
            forms: vec![Form::EightK],
            items: vec!["2.05".into()],
            from: None,
            to: None,
            exhibits: false,
        };
        Order { name: "my recipe/2".into(), query, road: Road::Search, rule: PickRule::EarliestPerCompany }
    }

    #[test]
    fn whatever_changes_the_filings_changes_the_key() {
        let key = order().key();
        assert!(key.starts_with("my-recipe-2-"), "{key}");
        assert_eq!(key, order().key());
        let mut all = vec![key];
        all.push(Order { road: Road::Index, ..order() }.key());
        all.push(Order { rule: PickRule::All, ..order() }.key());
        let mut other = order();
        other.query.to = "2024-01-01".parse().ok();
        all.push(other.key());
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 4);
    }
}
