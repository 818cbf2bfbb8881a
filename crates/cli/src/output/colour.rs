//! When standard output is coloured, and with what.
//!
//! Sparing: a table must say the same without colour. Bold and dim follow the terminal's own colours, whatever its ground is.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

/// What is best, or what one looks for.
pub(crate) const STRONG: Style = Style::new().bold();
/// What is a mark on the scale and no contestant.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// The sign of a difference that is shown.
pub(crate) const SIGN: Style = AnsiColor::Green.on_default().bold();

/// Whether standard output is a terminal that takes colours, and nobody said that they do not want any (`NO_COLOR`, not empty).
/// `CLICOLOR_FORCE` colours a pipe too, for pagers.
pub(crate) fn colours() -> bool {
    if anstyle_query::no_color() {
        return false;
    }
    anstyle_query::clicolor_force() || (std::io::stdout().is_terminal() && anstyle_query::term_supports_color())
}

/// A text in a style.
pub(crate) fn styled(style: Style, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}
