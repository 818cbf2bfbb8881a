//! Plain tables that fit a terminal and paste into a mail.
//!
//! No line is wider than 80 columns, whatever stands in the cells: a name too long for its column gets a line of its own, columns
//! that do not fit beside each other stand below each other. The road not taken is to ask the terminal for its width: a table
//! in a mail or an issue would then look as it did in one person's window.

use super::width::{COLUMNS, one_line, shortened, width, wrapped};

/// On which side a column's cells are padded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Between columns.
const GAP: usize = 2;

/// So much of the first column is kept beside the others; longer names get a line of their own when they must.
const NAMES: usize = 16;

/// Rows under a header. The first column holds names.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    header: Vec<(String, Align)>,
    rows: Vec<Row>,
}

/// What stands in a cell: as it is measured, and as it is shown in colours.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    plain: String,
    coloured: Option<String>,
}

impl Text {
    /// A text whose coloured form takes as many columns.
    pub(crate) fn coloured(plain: &str, coloured: String) -> Self {
        Self { plain: one_line(plain), coloured: Some(coloured) }
    }

    fn shown(&self, colours: bool) -> &str {
        self.coloured.as_deref().filter(|_| colours).unwrap_or(&self.plain)
    }

    /// Shortened, it has no colours.
    fn shortened(&self, most: usize) -> Self {
        if width(&self.plain) <= most {
            return self.clone();
        }
        Self { plain: shortened(&self.plain, most), coloured: None }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { plain: one_line(&text), coloured: None }
    }
}

#[derive(Debug, Clone)]
enum Row {
    Cells(Vec<Text>),
    /// Across all columns.
    Line(String),
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        Self { header: columns.into_iter().map(|(n, a)| (one_line(n), a)).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty, further ones are not shown.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.texts(cells.into_iter().map(Text::from));
    }

    /// Adds a row that may have colours.
    pub(crate) fn texts(&mut self, cells: impl IntoIterator<Item = Text>) {
        self.rows.push(Row::Cells(cells.into_iter().collect()));
    }

    /// Adds a line across all columns, the heading of a group; broken at blanks where it is too long.
    pub(crate) fn line(&mut self, text: &str) {
        self.rows.push(Row::Line(text.to_owned()));
    }

    /// The table as text, two spaces between columns, a rule under the header.
    pub(crate) fn render(&self) -> String {
        self.render_with(false)
    }

    /// The same, in colours or not.
    pub(crate) fn render_with(&self, colours: bool) -> String {
        let blocks = self.blocks();
        blocks.iter().map(|columns| self.block(columns, colours)).collect::<Vec<_>>().join("\n")
    }

    /// Columns a column takes, header and all.
    fn width_of(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|r| match r {
            Row::Cells(cells) => cells.get(column).map(|c| c.plain.as_str()),
            Row::Line(_) => None,
        });
        let header = self.header.get(column).map(|(name, _)| name.as_str());
        cells.chain(header).map(width).max().unwrap_or(0)
    }

    /// Which columns stand beside each other, with their widths; the first one not among them.
    fn blocks(&self) -> Vec<Vec<(usize, usize)>> {
        let names = self.width_of(0).min(NAMES);
        let (mut blocks, mut used) = (vec![Vec::new()], names);
        for column in 1..self.header.len() {
            let wide = self.width_of(column).min(COLUMNS - GAP - names);
            let begins = used + GAP + wide > COLUMNS && blocks.last().is_some_and(|b: &Vec<_>| !b.is_empty());
            if begins {
                blocks.push(Vec::new());
                used = names;
            }
            used += GAP + wide;
            if let Some(block) = blocks.last_mut() {
                block.push((column, wide));
            }
        }
        blocks
    }

    /// One block with the names before it.
    fn block(&self, columns: &[(usize, usize)], colours: bool) -> String {
        let room = COLUMNS.saturating_sub(columns.iter().map(|(_, w)| GAP + w).sum());
        let fitting = self.rows.iter().filter_map(|r| match r {
            Row::Cells(cells) => cells.first().map(|c| width(&c.plain)).filter(|w| *w <= room),
            Row::Line(_) => None,
        });
        let header = self.header.first().map(|(name, _)| shortened(name, room)).unwrap_or_default();
        let names = fitting.chain([width(&header)]).max().unwrap_or(0);
        let widths: Vec<(usize, usize)> = [(0, names)].into_iter().chain(columns.iter().copied()).collect();
        let line = |cells: &[Text]| {
            let padded = cells.iter().zip(&widths).map(|(cell, (column, w))| {
                let cell = cell.shortened(*w);
                let space = " ".repeat(w.saturating_sub(width(&cell.plain)));
                match self.header.get(*column) {
                    Some((_, Align::Right)) => space + cell.shown(colours),
                    _ => cell.shown(colours).to_owned() + &space,
                }
            });
            padded.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned() + "\n"
        };
        let of = |texts: &dyn Fn(usize) -> Text| widths.iter().map(|(c, _)| texts(*c)).collect::<Vec<_>>();
        let title = |c: usize| self.header.get(c).map_or_else(Text::default, |(name, _)| name.clone().into());
        let mut titles = of(&title);
        if let Some(first) = titles.first_mut() {
            *first = header.into();
        }
        let mut out = line(&titles);
        out += &line(&widths.iter().map(|(_, w)| "─".repeat(*w).into()).collect::<Vec<_>>());
        for row in &self.rows {
            match row {
                Row::Line(text) if width(text) <= COLUMNS => out += &(one_line(text) + "\n"),
                Row::Line(text) => out += &wrapped(text),
                Row::Cells(cells) => {
                    let mut shown = of(&|c| cells.get(c).cloned().unwrap_or_default());
                    if let Some(name) = shown.first_mut().filter(|name| width(&name.plain) > room) {
                        out += &(std::mem::take(name).shortened(COLUMNS).shown(colours).to_owned() + "\n");
                    }
                    out += &line(&shown);
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::colour::{STRONG, styled};

    #[test]
    fn columns_line_up() {
        let mut t = Table::new([("system", Align::Left), ("r@1", Align::Right)]);
        t.row(["é".to_owned(), "1.000".to_owned()]);
        t.row(["longer name".to_owned()]);
        t.line("a line across both columns");
        assert_eq!(
            t.render(),
            "system         r@1\n───────────  ─────\né            1.000\nlonger name\na line across both columns\n"
        );
    }

    #[test]
    fn wide_letters_count_twice() {
        let mut t = Table::new([("system", Align::Left), ("r@1", Align::Right)]);
        t.row(["検索".to_owned(), ".5".to_owned()]);
        t.row(["abcdefg".to_owned(), ".5".to_owned()]);
        assert_eq!(t.render(), "system   r@1\n───────  ───\n検索      .5\nabcdefg   .5\n");
    }

    /// Columns that do not fit beside each other stand below each other, and a long name above its numbers.
    #[test]
    fn nothing_is_wider_than_a_terminal() {
        let columns = ["one", "two", "three", "four", "five", "six"];
        let mut t = Table::new([("system", Align::Left)].into_iter().chain(columns.map(|c| (c, Align::Left))));
        let cell = ".167 [.04,.33]".to_owned();
        let long = format!("検{}", "x".repeat(50));
        t.row([long.clone()].into_iter().chain(std::iter::repeat_n(cell.clone(), 6)));
        t.row(["y".repeat(200)].into_iter().chain(std::iter::repeat_n("z".repeat(100), 6)));
        t.line(&"group ".repeat(30));
        let shown = t.render();
        assert!(shown.lines().all(|l| width(l) <= 80), "{shown}");
        assert!(shown.contains(&format!("{long}\n")) && shown.matches(&cell).count() == 6, "{shown}");
        assert_eq!(shown.matches('…').count(), 6 + 6, "a name a block, and the cells too wide for any line\n{shown}");
    }

    #[test]
    fn colours_take_no_room() {
        let mut t = Table::new([("system", Align::Left), ("r@1", Align::Right)]);
        t.texts([Text::from("a".to_owned()), Text::coloured(".5", styled(STRONG, ".5"))]);
        let coloured = t.render_with(true);
        assert_eq!(coloured.replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""), t.render());
        assert!(coloured.contains("\u{1b}[1m.5\u{1b}[0m"), "{coloured:?}");
    }
}
