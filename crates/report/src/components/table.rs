//! A table that says what it holds, can be read by a screen reader, sorted by script, and scrolls in a box of its own.

use maud::{Markup, html};

use super::numbers::{NONE, interval, three};
use super::safe_text::name;

/// How a column is read and sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// By its words.
    Text,
    /// By its numbers; largest first at the first press.
    Number,
    /// Not at all.
    Never,
}

/// The head of a column.
#[derive(Debug, Clone)]
pub struct Column {
    head: Markup,
    sort: Sort,
    numeric: bool,
}

impl Column {
    /// Words.
    pub fn text(head: &str) -> Self {
        Self { head: name(head), sort: Sort::Text, numeric: false }
    }

    /// Numbers, to the right.
    pub fn number(head: &str) -> Self {
        Self { head: name(head), sort: Sort::Number, numeric: true }
    }

    /// A second line under the head: a chance level, a unit.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Self {
        let head = self.head;
        self.head = html! { (head) br; span.kind { (note) } };
        self
    }

    /// Not to be sorted by.
    #[must_use]
    pub fn unsorted(mut self) -> Self {
        self.sort = Sort::Never;
        self
    }
}

/// One cell.
#[derive(Debug, Clone)]
pub struct Cell {
    content: Markup,
    value: Option<String>,
    best: bool,
}

impl Cell {
    /// Words or any mark-up.
    pub fn text(content: Markup) -> Self {
        Self { content, value: None, best: false }
    }

    /// A number as it is written, sorted by its value.
    pub fn number(written: &str, value: f64) -> Self {
        let value = if value.is_finite() { value.to_string() } else { String::new() };
        Self { content: html! { (written) }, value: Some(value), best: false }
    }

    /// A score with its interval: `.780 [.64,.89]`; a dash where there is none.
    pub fn score(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Self {
        let Some(value) = value else { return Self::none() };
        let mut cell = Self::number(&three(value), value);
        if let Some(bounds) = interval(low, high) {
            cell.content = html! { (cell.content) " " span.interval { (bounds) } };
        }
        cell
    }

    /// No number; sorted last.
    pub fn none() -> Self {
        Self { content: html! { (NONE) }, value: Some(String::new()), best: false }
    }

    /// The best of its column.
    #[must_use]
    pub fn best(mut self, best: bool) -> Self {
        self.best = best;
        self
    }

    /// More behind it.
    #[must_use]
    pub fn with_note(mut self, note: &Markup) -> Self {
        let content = self.content;
        self.content = html! { (content) " " (note) };
        self
    }
}

/// One row: what it is about, then its cells.
#[derive(Debug, Clone)]
pub struct Row {
    /// What the row is about; its `<th scope="row">`.
    pub head: Markup,
    /// One per column after the first.
    pub cells: Vec<Cell>,
    /// There to be compared with: a floor or a ceiling.
    pub muted: bool,
}

/// A table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Unique in its page; made of letters, digits and `-`.
    pub id: String,
    /// What it shows, in a sentence.
    pub caption: Markup,
    /// The first is that of the rows' heads.
    pub columns: Vec<Column>,
    /// In the order in which they are read without script.
    pub rows: Vec<Row>,
    /// Whether heads are made to sort by.
    pub sortable: bool,
}

impl Table {
    /// In a box that scrolls sideways, reached by keyboard, named by the caption.
    pub fn markup(&self) -> Markup {
        let caption = format!("{}-caption", self.id);
        let numeric = |i: usize| self.columns.get(i).is_some_and(|c| c.numeric);
        html! {
            div.scroll role="region" tabindex="0" aria-labelledby=(caption) {
                table #(self.id) .sortable[self.sortable] {
                    caption #(caption) { (self.caption) }
                    thead { tr {
                        @for column in &self.columns {
                            th scope="col" .num[column.numeric] data-sort=[self.key(column)] { (column.head) }
                        }
                    } }
                    tbody {
                        @for row in &self.rows {
                            tr .muted[row.muted] {
                                th scope="row" { (row.head) }
                                @for (i, cell) in row.cells.iter().enumerate() {
                                    td .num[numeric(i + 1)] .best[cell.best] data-value=[self.value(i + 1, cell)] { (cell.content) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn key(&self, column: &Column) -> Option<&'static str> {
        match column.sort {
            _ if !self.sortable => None,
            Sort::Text => Some("text"),
            Sort::Number => Some("number"),
            Sort::Never => None,
        }
    }

    /// Only where it is sorted by.
    fn value<'c>(&self, column: usize, cell: &'c Cell) -> Option<&'c str> {
        let sorted = self.columns.get(column).and_then(|c| self.key(c)).is_some();
        cell.value.as_deref().filter(|_| sorted)
    }
}

/// Whatever is wider than the page, in a box that scrolls by itself; `label` names it to screen readers.
pub fn scrolling(label: &str, class: &str, content: &Markup) -> Markup {
    html! { div class={ "scroll " (class) } role="region" tabindex="0" aria-label=(label) { (content) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_scopes_and_numbers_their_values() {
        let row = |name: &str, cell: Cell| Row { head: html! { (name) }, cells: vec![cell], muted: name == "random" };
        let table = Table {
            id: "t".into(),
            caption: html! { "Scores." },
            columns: vec![Column::text("system"), Column::number("rival AUC").with_note("chance .500")],
            rows: vec![
                row("a<b", Cell::score(Some(0.78), Some(0.64), Some(0.89)).best(true)),
                row("random", Cell::none()),
            ],
            sortable: true,
        };
        let html = table.markup().into_string();
        assert!(
            html.contains(
                r#"<td class="num best" data-value="0.78">.780 <span class="interval">[.64,.89]</span></td>"#
            )
        );
        assert!(html.contains(r#"<tr class="muted"><th scope="row">random</th><td class="num" data-value="">–</td>"#));
        assert!(html.contains(r#"aria-labelledby="t-caption"><table class="sortable" id="t">"#), "{html}");
        assert!(html.contains("a&lt;b"));
        let unsorted = Table { sortable: false, ..table }.markup().into_string();
        assert!(!unsorted.contains("data-") && !unsorted.contains("sortable"));
    }
}
