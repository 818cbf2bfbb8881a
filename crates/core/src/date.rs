//! The day a filing was made.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::CoreError;

/// A calendar day, read and written as `YYYY-MM-DD` and nothing else.
///
/// Strict on purpose: a date in another form (`01/06/2023`, `2023Q1`) is ambiguous or no date, and counts as missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FilingDate(jiff::civil::Date);

impl FilingDate {
    /// The day as year, month and day.
    pub fn civil(self) -> jiff::civil::Date {
        self.0
    }
}

impl From<jiff::civil::Date> for FilingDate {
    fn from(date: jiff::civil::Date) -> Self {
        Self(date)
    }
}

impl FromStr for FilingDate {
    type Err = CoreError;
    fn from_str(s: &str) -> Result<Self, CoreError> {
        let b = s.as_bytes();
        let shape = b.len() == 10
            && b.iter().enumerate().all(|(i, c)| if i == 4 || i == 7 { *c == b'-' } else { c.is_ascii_digit() });
        let date = if shape { s.parse().ok() } else { None };
        date.map(Self).ok_or_else(|| CoreError::Date(s.to_owned()))
    }
}

impl TryFrom<String> for FilingDate {
    type Error = CoreError;
    fn try_from(s: String) -> Result<Self, CoreError> {
        s.parse()
    }
}

impl From<FilingDate> for String {
    fn from(d: FilingDate) -> Self {
        d.to_string()
    }
}

impl fmt::Display for FilingDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_days_in_one_form() {
        assert_eq!("2025-08-21".parse::<FilingDate>().unwrap().to_string(), "2025-08-21");
        for s in ["2025-8-21", "2025-02-30", "20250821", "2023Q1", "2025-08-21T00:00", "+025-08-21"] {
            assert!(s.parse::<FilingDate>().is_err(), "{s}");
        }
    }
}
