//! Scores for people, on a terminal and in documents, and as tables for other programs.
//!
//! ```text
//! scored ──▶ page (tables of rounded cells, notes) ──▶ terminal, markdown, latex
//!    └─────▶ records (every digit) ──▶ csv
//! ```

mod ablation;
mod asked;
mod best;
mod cells;
mod csv;
mod details;
mod differences;
mod headline;
mod latex;
mod markdown;
mod notes;
mod page;
mod records;
mod terminal;

pub(crate) use asked::ShownArgs;

use std::io::Write;

use eightk_measure::FailedSystem;

use super::{Against, Scored};
use crate::failure::Outcome;
use crate::output::{self, colour};
use asked::{Format, Which};
use page::Page;

/// The headline tables with chance levels, differences, notes: for a terminal, in its colours.
pub(crate) fn show(scored: &Scored, failed: &[FailedSystem]) -> String {
    terminal::page(&Page::new(scored, None, failed, false), colour::colours())
}

/// Prints scores as asked for.
pub(crate) fn print(args: &ShownArgs, scored: &Scored, against: &Against, failed: &[FailedSystem]) -> Outcome {
    let render: fn(&Page) -> String = match args.format() {
        Format::Json => return output::json(&scored.report(against, failed)),
        Format::Csv => {
            let which = args.table().unwrap_or(Which::Systems);
            return output::text(&records::records(which, scored, failed).csv());
        }
        Format::Table => |page| terminal::page(page, colour::colours()),
        Format::Markdown => markdown::page,
        Format::Latex => latex::page,
    };
    let mut page = Page::new(scored, Some(against), failed, args.details());
    if let Some(which) = args.table() {
        page = page.only(which);
        if page.parts.is_empty() {
            let _ = writeln!(std::io::stderr(), "note: there is nothing for --table {}", which.name());
        }
    }
    output::text(&render(&page))
}
