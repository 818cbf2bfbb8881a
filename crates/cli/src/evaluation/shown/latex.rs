//! Tables for a paper: `table` environments in the style of the package booktabs.
//!
//! Intervals are small, since they are there to temper the numbers and not to compete with them. Notes are comments: what of
//! them belongs into the paper is for its author to say, but for what a table cannot be read without.

use super::page::{About, Cell, Grid, Line, Page, Part, Place};
use crate::output::Align;
use crate::output::width::one_line;

/// All tables, with words and notes as comments.
pub(super) fn page(page: &Page) -> String {
    let mut out = String::from("% Needs \\usepackage{booktabs} in the preamble.\n");
    let (mut labels, mut tables): (Vec<String>, String) = (Vec::new(), String::new());
    for part in page.parts_for(Place::Document) {
        match part {
            Part::Grid(grid) => {
                let label = label(grid, &page.about, &mut labels);
                tables += &format!("\n{}", table(grid, &page.about, &label));
            }
            Part::Words(_, words) => tables += &comments(words.iter().map(String::as_str)),
        }
    }
    if !tables.is_ascii() {
        out += "% Letters beyond ASCII: compile with LuaLaTeX or XeLaTeX and a font that has them, if pdfLaTeX does not know them.\n";
    }
    out + &tables + &comments(page.notes.iter().map(|(_, note)| note.as_str()))
}

/// Unique on the page; letters, digits and hyphens only.
fn label(grid: &Grid, about: &About, taken: &mut Vec<String>) -> String {
    let letters = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let data: String = about.data.chars().map(letters).collect();
    let stem = format!("tab:{}-{}", data.trim_matches('-'), grid.which.name());
    let numbered = (2..).map(|n| format!("{stem}-{n}"));
    let label = [stem.clone()].into_iter().chain(numbered).find(|l| !taken.contains(l)).unwrap_or(stem);
    taken.push(label.clone());
    label
}

/// A table in a paper stands alone: each says what it is about.
fn caption(grid: &Grid, about: &About) -> String {
    let cells: Vec<&Cell> = grid.rows().flat_map(|row| &row.cells).collect();
    let mut said: Vec<String> = about.source().map(|source| escaped(&source)).into_iter().collect();
    said.extend(about.fingerprint.as_ref().map(|print| format!("fingerprint \\texttt{{{}}}", escaped(print))));
    said.extend(about.said());
    said.extend(about.intervals.filter(|_| cells.iter().any(|c| !c.interval.is_empty())).map(escaped));
    said.extend(grid.strong_means().map(escaped));
    if cells.iter().any(|c| c.star) {
        said.push("$^{*}$: $p < .05$ after Holm's correction".to_owned());
    }
    format!("{}. {}.", escaped(&grid.title()), said.join("; "))
}

fn table(grid: &Grid, about: &About, label: &str) -> String {
    let sides: String = grid.columns.iter().map(|(_, a)| if *a == Align::Right { 'r' } else { 'l' }).collect();
    let header = [escaped(&grid.corner)].into_iter().chain(grid.columns.iter().map(|(name, _)| escaped(name)));
    let mut body = String::new();
    for (i, line) in grid.lines.iter().enumerate() {
        match line {
            Line::Group(text) => {
                if i > 0 {
                    body += "\\addlinespace\n";
                }
                let columns = grid.columns.len() + 1;
                body += &format!("\\multicolumn{{{columns}}}{{l}}{{\\emph{{{}}}}} \\\\\n", escaped(text));
            }
            Line::Row(row) => {
                let indent = if grid.is_grouped() { "\\quad " } else { "" };
                let name = format!("{indent}{}", escaped(row.name.trim_start()));
                // A row may have fewer cells than there are columns; the rest stays empty.
                body +=
                    &([name].into_iter().chain(row.cells.iter().map(cell)).collect::<Vec<_>>().join(" & ") + " \\\\\n");
            }
        }
    }
    format!(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{{label}}}\n\\begin{{tabular}}{{@{{}}l{sides}@{{}}}}\n\\toprule\n{} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n",
        caption(grid, about),
        header.collect::<Vec<_>>().join(" & ")
    )
}

fn cell(cell: &Cell) -> String {
    let mut text = number(&cell.text);
    if cell.strong && !text.is_empty() {
        text = format!("\\textbf{{{text}}}");
    }
    if !cell.interval.is_empty() {
        text += &format!(" {{\\scriptsize{}}}", number(&cell.interval));
    }
    text + if cell.star { "$^{*}$" } else { "" }
}

/// A hyphen before a digit is a minus.
fn number(text: &str) -> String {
    // Brackets of an interval follow a command that takes no argument, and stay as they are.
    text.chars()
        .map(|c| {
            if c == '-' {
                "$-$".to_owned()
            } else if matches!(c, '[' | ']') {
                c.to_string()
            } else {
                one(c)
            }
        })
        .collect()
}

/// A text that is nothing but text, whatever the font encoding.
fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for c in text.chars() {
        // Two hyphens would become a dash.
        if c == '-' && before == '-' {
            out += "{}";
        }
        out += &one(c);
        before = c;
    }
    out
}

fn one(c: char) -> String {
    let command = match c {
        '\\' => "\\textbackslash{}",
        '~' => "\\textasciitilde{}",
        '^' => "\\textasciicircum{}",
        '`' => "\\textasciigrave{}",
        '<' => "\\textless{}",
        '>' => "\\textgreater{}",
        '|' => "\\textbar{}",
        '±' => "$\\pm$",
        '–' => "--",
        '…' => "\\ldots{}",
        '\u{fffd}' => "?",
        // At the beginning of a row these two would be arguments of the line end before it.
        '[' => "{[}",
        ']' => "{]}",
        '*' => "{*}",
        '_' | '%' | '&' | '#' | '$' | '{' | '}' => return format!("\\{c}"),
        _ => return c.to_string(),
    };
    command.to_owned()
}

fn comments<'n>(notes: impl Iterator<Item = &'n str>) -> String {
    notes.map(|note| format!("% {}\n", one_line(note))).collect()
}
