//! What commands print.

pub(crate) mod colour;
mod downloading;
mod fetching;
mod progress;
mod table;
pub(crate) mod width;

pub(crate) use downloading::Downloading;
pub(crate) use fetching::{Fetching, clock, megabytes};
pub(crate) use progress::{ByteProgress, Progress, Ticker};
pub(crate) use table::{Align, Table, Text};

pub(crate) use eightk_runs::thousands;

use std::io::Write;

use crate::failure::Outcome;

/// Prints a value as one line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Outcome {
    let line = serde_json::to_string(value).map_err(std::io::Error::from)?;
    Ok(writeln!(std::io::stdout().lock(), "{line}")?)
}

/// Prints a text to standard output.
pub(crate) fn text(text: &str) -> Outcome {
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}

/// A text without what steers a terminal: names and messages come from strangers. Line breaks stay.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_do_not_steer_the_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\nc"), "a\u{fffd}[2Jb\nc");
    }
}
