//! The shapes there are.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// A shape to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The folder that BEIR's loaders read.
    Beir,
    /// The Parquet configs that MTEB's retrieval loader reads.
    Mteb,
    /// Topics, qrels and a JSON collection.
    Trec,
    /// The data set itself as JSON lines.
    Jsonl,
}

impl Format {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Beir, Self::Mteb, Self::Trec, Self::Jsonl];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beir => "beir",
            Self::Mteb => "mteb",
            Self::Trec => "trec",
            Self::Jsonl => "jsonl",
        }
    }

    /// Whether its readers put a document's title before its text.
    pub const fn prepends_titles(self) -> bool {
        matches!(self, Self::Beir | Self::Mteb)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = || Self::ALL.iter().map(|f| f.name()).collect::<Vec<_>>().join(", ");
        let found = Self::ALL.iter().copied().find(|f| f.name() == name);
        found.ok_or_else(|| format!("no format `{name}`; there are {}", known()))
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.name())
    }
}
