//! Why a sentence is no chunk.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::CoreError;

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// Why a sentence was not kept as a chunk. Every dropped sentence has exactly one; kept + dropped = all.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum DropReason {
            $($(#[$doc])* $variant,)*
        }

        impl DropReason {
            /// Every reason, in the order they are listed in outputs.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name used in data and on the command line.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

reasons! {
    /// An Item heading, a section line, a sub-heading.
    Heading = "heading",
    /// No sentence: a piece without verb or end.
    Fragment = "fragment",
    /// A sentence of fewer than 40 characters.
    Short = "short",
    /// A list label alone, such as `(a)`.
    Label = "label",
    /// A row or cell of a table.
    Table = "table",
    /// A page number or running header.
    PageNumber = "page-number",
    /// Safe-harbour prose about forward-looking statements.
    ForwardLooking = "forward-looking",
    /// Prose that stands in every filing ("furnished, not filed").
    Boilerplate = "boilerplate",
    /// A row of the exhibit list or a footnote to it.
    Exhibit = "exhibit",
    /// The same sentence again within one filing.
    Duplicate = "duplicate",
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for DropReason {
    type Err = CoreError;
    fn from_str(s: &str) -> Result<Self, CoreError> {
        let found = Self::ALL.iter().find(|r| r.as_str() == s);
        found.copied().ok_or_else(|| CoreError::DropReason(s.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for r in DropReason::ALL {
            assert_eq!(r.as_str().parse::<DropReason>().unwrap(), *r);
            assert_eq!(serde_json::to_value(r).unwrap(), r.as_str());
        }
    }
}
