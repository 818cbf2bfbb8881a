//! Plain tables that fit a terminal and paste into a mail.

/// On which side a column's cells are padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows under a header. Widths are in code points, which is right for the letters and digits we print.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    header: Vec<(String, Align)>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone)]
enum Row {
    Cells(Vec<String>),
    /// Across all columns.
    Line(String),
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        Self { header: columns.into_iter().map(|(n, a)| (n.to_owned(), a)).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty, further ones are not shown.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Row::Cells(cells.into_iter().collect()));
    }

    /// Adds a line across all columns: the heading of a group, or a name too long for its column.
    pub(crate) fn line(&mut self, text: &str) {
        self.rows.push(Row::Line(text.to_owned()));
    }

    /// The table as text, two spaces between columns, a rule under the header.
    pub(crate) fn render(&self) -> String {
        let width = |c: usize| {
            let cells = self.rows.iter().filter_map(|r| match r {
                Row::Cells(cells) => cells.get(c),
                Row::Line(_) => None,
            });
            let cells = cells.chain([&self.header[c].0]);
            cells.map(|s| s.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let line = |cells: &[&str]| {
            let padded = widths.iter().enumerate().map(|(c, w)| {
                let cell = cells.get(c).copied().unwrap_or_default();
                let space = " ".repeat(w.saturating_sub(cell.chars().count()));
                if self.header[c].1 == Align::Right { space + cell } else { cell.to_owned() + &space }
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
        };
        let mut out = line(&self.header.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>());
        out += &line(
            &widths.iter().map(|w| "─".repeat(*w)).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>(),
        );
        for row in &self.rows {
            match row {
                Row::Cells(cells) => out += &line(&cells.iter().map(String::as_str).collect::<Vec<_>>()),
                Row::Line(text) => out += &format!("{text}\n"),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut t = Table::new([("system", Align::Left), ("r@1", Align::Right)]);
        t.row(["é".into(), "1.000".into()]);
        t.row(["longer name".into()]);
        t.line("a line across both columns");
        assert_eq!(
            t.render(),
            "system         r@1\n───────────  ─────\né            1.000\nlonger name\na line across both columns\n"
        );
    }
}
