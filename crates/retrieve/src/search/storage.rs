//! How floats are kept.

use std::fmt;
use std::str::FromStr;

use super::SearchError;

/// How an index keeps vectors that come as f32. Int8 vectors and bits are kept as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Storage {
    /// As they are: 4 bytes a dimension.
    #[default]
    F32,
    /// Rounded to half precision after an exact scaling by a power of two per vector: 2 bytes.
    F16,
    /// Rounded to −127 … 127 of the vector's largest component: 1 byte.
    Int8,
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Int8 => "int8",
        })
    }
}

impl FromStr for Storage {
    type Err = SearchError;

    fn from_str(s: &str) -> Result<Self, SearchError> {
        match s {
            "f32" => Ok(Self::F32),
            "f16" => Ok(Self::F16),
            "int8" => Ok(Self::Int8),
            _ => Err(SearchError::UnknownStorage(s.to_owned())),
        }
    }
}
