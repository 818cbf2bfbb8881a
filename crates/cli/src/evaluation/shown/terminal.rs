//! Tables for a terminal of 80 columns.

use super::asked::Which;
use super::page::{Cell, Grid, Line, Page, Part, Place, Role};
use crate::output::colour::{FAINT, SIGN, STRONG, styled};
use crate::output::width::{one_line, wrapped};
use crate::output::{Align, Table, Text};

/// Scores, differences and notes, then what stands behind them.
pub(super) fn page(page: &Page, colours: bool) -> String {
    let is_detail = |which: Which| matches!(which, Which::FirstPlace | Which::Rivals | Which::Splits | Which::Ties);
    let (details, headline): (Vec<&Part>, Vec<&Part>) =
        page.parts_for(Place::Terminal).partition(|p| is_detail(p.which()));
    let mut blocks = blocks(&headline, colours);
    let notes: String = page.notes.iter().map(|(_, note)| wrapped(note)).collect();
    if !notes.is_empty() {
        blocks.push(notes);
    }
    blocks.extend(self::blocks(&details, colours));
    blocks.join("\n")
}

/// A block a table, one for all words that follow each other.
fn blocks(parts: &[&Part], colours: bool) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut in_words = false;
    for part in parts {
        match part {
            Part::Grid(grid) => blocks.push(table(grid, colours)),
            Part::Words(_, words) => {
                let text: String = words.iter().map(|w| wrapped(w)).collect();
                match blocks.last_mut().filter(|_| in_words) {
                    Some(block) => *block += &text,
                    None => blocks.push(text),
                }
            }
        }
        in_words = matches!(part, Part::Words(..));
    }
    blocks
}

fn table(grid: &Grid, colours: bool) -> String {
    let header = grid.columns.iter().map(|(name, align)| (name.as_str(), *align));
    let mut table = Table::new([(grid.corner.as_str(), Align::Left)].into_iter().chain(header));
    for line in &grid.lines {
        match line {
            Line::Group(text) => table.line(text),
            Line::Row(row) => {
                let faint = row.role == Role::Mark;
                let name = one_line(&row.name);
                let name = if faint { Text::coloured(&name, styled(FAINT, &name)) } else { name.into() };
                table.texts([name].into_iter().chain(row.cells.iter().map(|c| text(c, faint))));
            }
        }
    }
    let title = if grid.titled { wrapped(&grid.caption) } else { String::new() };
    title + &table.render_with(colours)
}

fn text(cell: &Cell, faint: bool) -> Text {
    let plain = cell.plain();
    if faint {
        return Text::coloured(&plain, styled(FAINT, &plain));
    }
    if !cell.strong && !cell.star {
        return plain.into();
    }
    let value = if cell.strong { styled(STRONG, &cell.text) } else { cell.text.clone() };
    let space = if cell.interval.is_empty() { "" } else { " " };
    let star = if cell.star { styled(SIGN, "*") } else { String::new() };
    let coloured = format!("{value}{space}{}{star}", cell.interval);
    Text::coloured(&plain, coloured)
}
