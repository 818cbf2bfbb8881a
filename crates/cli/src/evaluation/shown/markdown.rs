//! Tables for a README or an issue: GitHub's Markdown.
//!
//! Columns are padded, so that the source reads as a table too.

use super::page::{About, Cell, Grid, Line, Page, Part, Place};
use crate::output::Align;
use crate::output::width::{one_line, width};

/// Tables with captions, words below their tables, notes as a list at the end.
pub(super) fn page(page: &Page) -> String {
    let mut blocks = Vec::new();
    for part in page.parts_for(Place::Document) {
        match part {
            Part::Grid(grid) => {
                let caption = caption(grid, &page.about, blocks.is_empty());
                blocks.push(format!("{caption}\n\n{}", table(grid)));
            }
            Part::Words(_, words) => blocks.push(list(words.iter().map(String::as_str))),
        }
    }
    if !page.notes.is_empty() {
        blocks.push(list(page.notes.iter().map(|(_, note)| note.as_str())));
    }
    blocks.join("\n")
}

/// What the table is; the first one of a page says of all what they are about.
fn caption(grid: &Grid, about: &About, first: bool) -> String {
    let mut said: Vec<String> = about.source().map(|source| escaped(&source)).into_iter().collect();
    if first {
        said.extend(about.fingerprint.as_ref().map(|print| format!("fingerprint `{print}`")));
        said.extend(about.said());
        said.extend(about.intervals.map(str::to_owned));
    }
    said.extend(grid.strong_means().map(str::to_owned));
    let title = format!("**{}.**", escaped(&grid.title()));
    if said.is_empty() { title } else { format!("{title} {}.", said.join("; ")) }
}

fn table(grid: &Grid) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let header = [escaped(&grid.corner)].into_iter().chain(grid.columns.iter().map(|(name, _)| escaped(name)));
    rows.push(header.collect());
    for line in &grid.lines {
        match line {
            Line::Group(text) => rows.push(vec![format!("*{}*", escaped(text))]),
            Line::Row(row) => {
                rows.push([escaped(row.name.trim_start())].into_iter().chain(row.cells.iter().map(cell)).collect());
            }
        }
    }
    let aligns: Vec<Align> = [Align::Left].into_iter().chain(grid.columns.iter().map(|(_, a)| *a)).collect();
    let of = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
    let widest = |column: usize| rows.iter().map(|row| width(&of(row, column))).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..aligns.len()).map(widest).collect();
    let line = |row: &[String]| {
        let cells = widths.iter().zip(&aligns).enumerate().map(|(column, (w, align))| {
            let text = of(row, column);
            let space = " ".repeat(w - width(&text));
            if *align == Align::Right { space + &text } else { text + &space }
        });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().zip(&aligns).map(|(w, align)| match align {
        Align::Left => "-".repeat(*w),
        Align::Right => "-".repeat(w - 1) + ":",
    });
    let rule = line(&rule.collect::<Vec<_>>());
    let (header, body) = rows.split_first().map_or((String::new(), &rows[..]), |(header, body)| (line(header), body));
    header + &rule + &body.iter().map(|row| line(row)).collect::<String>()
}

fn cell(cell: &Cell) -> String {
    let value = escaped(&cell.text);
    let value = if cell.strong && !value.is_empty() { format!("**{value}**") } else { value };
    let space = if cell.interval.is_empty() { "" } else { " " };
    // No link can come of a pair of brackets that holds two numbers.
    format!("{value}{space}{}{}", cell.interval, if cell.star { "\\*" } else { "" })
}

fn list<'n>(notes: impl Iterator<Item = &'n str>) -> String {
    notes.map(|note| format!("- {}\n", at_beginning(&escaped(note)))).collect()
}

/// A text that is nothing but text. An underscore inside a word is left alone: it never means emphasis.
fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let inside = before.is_alphanumeric() && chars.peek().is_some_and(|c| c.is_alphanumeric());
        if matches!(c, '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '&') || (c == '_' && !inside) {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// The same where a block begins: no heading, quotation or list.
fn at_beginning(escaped: &str) -> String {
    let digits = escaped.bytes().take_while(u8::is_ascii_digit).count();
    let (head, rest) = escaped.split_at_checked(digits).unwrap_or((escaped, ""));
    let marks: &[char] = if digits == 0 { &['#', '+', '-', '='] } else { &['.', ')'] };
    let slash = if rest.starts_with(marks) { "\\" } else { "" };
    format!("{head}{slash}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_nothing_but_text() {
        for (text, want) in [
            ("a|b", "a\\|b"),
            ("ndcg_answer@10", "ndcg_answer@10"),
            ("_it_ *b* `c`", "\\_it\\_ \\*b\\* \\`c\\`"),
            ("<img src=x>", "\\<img src=x\\>"),
            ("[x](http://y) &amp; $a$ ~~b~~", "\\[x\\](http://y) \\&amp; \\$a\\$ \\~\\~b\\~\\~"),
            ("back\\slash\nline", "back\\\\slash\u{fffd}line"),
        ] {
            assert_eq!(escaped(text), want);
        }
        assert_eq!(
            ["# a", "1. b", "24 queries", "- c", "bm25"].map(at_beginning),
            ["\\# a", "1\\. b", "24 queries", "\\- c", "bm25"]
        );
    }

    #[test]
    fn columns_are_aligned_and_a_bar_in_a_name_is_no_column() {
        use super::super::asked::Which;
        use super::super::page::{Role, columns};
        let mut grid = Grid::new(Which::Systems, "scores", "system", columns(["p", "value"], Align::Right));
        grid.group("group_");
        grid.row("a|検", Role::System, [Cell { strong: true, ..Cell::from(".5".to_owned()) }, ".25".to_owned().into()]);
        grid.row("b", Role::Mark, [Cell { interval: "[.1,.2]".into(), ..Cell::from(".9".to_owned()) }]);
        let want = "\
| system    |          p | value |
| --------- | ---------: | ----: |
| *group\\_* |            |       |
| a\\|検     |     **.5** |   .25 |
| b         | .9 [.1,.2] |       |
";
        assert_eq!(table(&grid), want);
    }
}
