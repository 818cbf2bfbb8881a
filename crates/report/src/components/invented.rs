//! That nobody filed what is shown.

use maud::{Markup, html};

use super::numbers::thousands;

/// Beside a number of filings, how many of them are of invented companies; nothing where none is.
pub fn of_invented(invented: usize, filings: usize) -> Markup {
    html! {
        @if invented > 0 {
            " " small { @if invented >= filings { "all" } @else { (thousands(invented)) } " of invented companies" }
        }
    }
}
