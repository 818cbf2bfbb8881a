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
                let caption = caption(grid, &page.about);
                for (i, lines) in sheets(&grid.lines).into_iter().enumerate() {
                    let caption =
                        if i == 0 { caption.clone() } else { format!("{}, continued.", escaped(&grid.title())) };
                    let label = label(grid, &page.about, &mut labels);
                    tables += &format!("\n{}", table(grid, lines, &caption, &label));
                }
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
    let data = data.trim_matches('-');
    let dash = if data.is_empty() { "" } else { "-" };
    let stem = format!("tab:{data}{dash}{}", grid.which.name());
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

/// Lines that a page has room for.
const LINES: usize = 44;

/// What stands on one page: as many groups as fit. A table cannot go over the end of a page.
fn sheets(lines: &[Line]) -> Vec<&[Line]> {
    let heads = lines.iter().enumerate().filter(|(_, l)| matches!(l, Line::Group(_))).map(|(i, _)| i);
    let ends: Vec<usize> = heads.skip_while(|i| *i == 0).chain([lines.len()]).collect();
    let (mut sheets, mut from, mut to) = (Vec::new(), 0, 0);
    for end in ends {
        if to > from && end - from > LINES {
            sheets.extend(lines.get(from..to));
            from = to;
        }
        to = end;
    }
    sheets.extend(lines.get(from..to));
    sheets
}

fn table(grid: &Grid, lines: &[Line], caption: &str, label: &str) -> String {
    let sides: String = grid.columns.iter().map(|(_, a)| if *a == Align::Right { 'r' } else { 'l' }).collect();
    let header = [escaped(&grid.corner)].into_iter().chain(grid.columns.iter().map(|(name, _)| escaped(name)));
    let header = header.collect::<Vec<_>>().join(" & ");
    let mut out = format!("\\begin{{table}}\n\\centering\n\\caption{{{caption}}}\n\\label{{{label}}}\n");
    // Five columns with intervals fit between the margins of an article.
    out += "\\small\n\\setlength{\\tabcolsep}{4pt}\n";
    out += &format!("\\begin{{tabular}}{{@{{}}l{sides}@{{}}}}\n\\toprule\n{header} \\\\\n\\midrule\n");
    for (i, line) in lines.iter().enumerate() {
        match line {
            Line::Group(text) => {
                if i > 0 {
                    out += "\\addlinespace\n";
                }
                let columns = grid.columns.len() + 1;
                out += &format!("\\multicolumn{{{columns}}}{{@{{}}l}}{{\\emph{{{}}}}} \\\\\n", escaped(text));
            }
            Line::Row(row) => {
                let indent = if grid.is_grouped() { "\\enspace " } else { "" };
                let name = format!("{indent}{}", escaped(row.name.trim_start()));
                // A row may have fewer cells than there are columns; the rest stays empty.
                let cells = [name].into_iter().chain(row.cells.iter().map(cell));
                out += &(cells.collect::<Vec<_>>().join(" & ") + " \\\\\n");
            }
        }
    }
    out + "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
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
