//! EDGAR's name for one filing.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::CoreError;

/// An accession number, `0000051434-25-000060`: the submitter's CIK, the year, a running number.
///
/// The first part is the CIK of whoever *submitted*, often a filing agent, so it says nothing about the company.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Accession(String);

impl Accession {
    /// The number with its dashes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The number without dashes, as it stands in Archives paths.
    pub fn undashed(&self) -> String {
        self.0.replace('-', "")
    }
}

impl FromStr for Accession {
    type Err = CoreError;

    /// Reads the dashed form, or the 18 digits without dashes.
    fn from_str(s: &str) -> Result<Self, CoreError> {
        let digits = |s: &str, n: usize| s.len() == n && s.bytes().all(|b| b.is_ascii_digit());
        let dashed = || {
            let mut parts = s.split('-');
            let (a, b, c) = (parts.next()?, parts.next()?, parts.next()?);
            (parts.next().is_none() && digits(a, 10) && digits(b, 2) && digits(c, 6)).then(|| s.to_owned())
        };
        if digits(s, 18) {
            return Ok(Self(format!("{}-{}-{}", &s[..10], &s[10..12], &s[12..])));
        }
        dashed().map(Self).ok_or_else(|| CoreError::Accession(s.to_owned()))
    }
}

impl TryFrom<String> for Accession {
    type Error = CoreError;
    fn try_from(s: String) -> Result<Self, CoreError> {
        s.parse()
    }
}

impl From<Accession> for String {
    fn from(a: Accession) -> Self {
        a.0
    }
}

impl fmt::Display for Accession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_one_number() {
        let a: Accession = "0000051434-25-000060".parse().unwrap();
        assert_eq!(a, "000005143425000060".parse().unwrap());
        assert_eq!(a.undashed(), "000005143425000060");
    }

    #[test]
    fn what_only_looks_like_one_is_refused() {
        for s in ["", "0000051434-25-00006", "0000051434-25-000060-1", "000005143x-25-000060", "0000051434_25_000060"] {
            assert!(s.parse::<Accession>().is_err(), "{s}");
        }
    }
}
