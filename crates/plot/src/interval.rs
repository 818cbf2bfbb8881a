//! Dots with whiskers, one row each: values side by side with what is not known of them.
//!
//! Rows instead of columns, as names are long and lie flat.

use crate::canvas::{Anchor, Canvas, NAME, SMALL, WIDTH};
use crate::number::{self, coordinate as n, sane};
use crate::parts::{Labels, Reference, SeriesClass, Theme};
use crate::scale::Scale;
use crate::text::{shortened, width};

/// One value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntervalRow {
    /// Whose value.
    pub name: String,
    /// The value, if there is one.
    pub value: Option<f64>,
    /// Lower end of its interval, if known.
    pub low: Option<f64>,
    /// Upper end of its interval, if known.
    pub high: Option<f64>,
    /// What is written at the end of the row, such as `.780 [.64, .89]`.
    pub note: String,
    /// What it is among the others.
    pub class: SeriesClass,
    /// How many steps its name is set in, for a row that belongs to one above.
    pub indent: u8,
}

/// Values with their intervals over a common horizontal axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntervalChart {
    /// Title, description, name of the axis of values (`x`) and heading of the names (`y`).
    pub labels: Labels,
    /// The range of values; what is outside is drawn as a point at the edge.
    pub x: (f64, f64),
    /// The rows from top to bottom.
    pub rows: Vec<IntervalRow>,
    /// A value to compare with, such as what chance gives.
    pub reference: Option<Reference>,
}

const ROW: f64 = 24.0;
const STEP: f64 = 16.0;

impl IntervalChart {
    /// The chart as an SVG element. `id` begins the ids in it.
    pub fn svg(&self, theme: Theme, id: &str) -> String {
        let mut canvas = Canvas::new(&self.labels, theme);
        let reference = self.reference.as_ref().filter(|r| sane(r.y).is_some());
        let indent = |row: &IntervalRow| f64::from(row.indent.min(6)) * STEP;
        let taken = |text: &str, room: f64| width(&shortened(text, NAME, room), NAME);
        let names = self.rows.iter().map(|r| indent(r) + taken(&r.name, 300.0 - indent(r)));
        let names = names.fold(taken(&self.labels.y, 160.0), f64::max);
        let notes = self.rows.iter().map(|r| taken(&r.note, 190.0)).fold(0.0, f64::max);

        let left = 4.0 + names + 16.0;
        let right = WIDTH - 12.0 - if notes > 0.0 { notes + 14.0 } else { 8.0 };
        let headed = reference.is_some_and(|r| !r.name.is_empty()) || !self.labels.y.is_empty();
        let top = canvas.top() + if headed { 24.0 } else { 4.0 };
        let bottom = top + ROW * self.rows.len().max(2) as f64 + 4.0;
        let x = Scale::linear(self.x, (left + 8.0, right - 8.0));

        canvas.text("quiet", (4.0, top - 8.0), Anchor::Start, SMALL, names, &self.labels.y);
        for tick in x.ticks_apart(false, SMALL) {
            let place = x.place(tick.value);
            canvas.line("hair", (place, top), (place, bottom));
            canvas.text("quiet", (place, bottom + 18.0), Anchor::Middle, SMALL, WIDTH, &tick.label);
        }
        canvas.line("axis", (left, bottom), (right, bottom));
        let middle = (left + right) / 2.0;
        canvas.text("quiet", (middle, bottom + 38.0), Anchor::Middle, SMALL, right - left, &self.labels.x);
        if let Some(reference) = reference {
            let place = x.place(reference.y);
            canvas.line("ref", (place, top - 2.0), (place, bottom));
            let half = width(&shortened(&reference.name, SMALL, right - left), SMALL) / 2.0;
            let place = place.clamp(left + half, (right - half).max(left + half));
            canvas.text("quiet", (place, top - 8.0), Anchor::Middle, SMALL, right - left, &reference.name);
        }
        for (i, row) in self.rows.iter().enumerate() {
            let y = top + ROW * (i as f64 + 0.5) + 2.0;
            let muted = row.class != SeriesClass::Normal;
            canvas.open(if muted { "row s0" } else { "row s1" }, &told(row));
            let set_in = indent(row);
            let class = if muted { "quiet" } else { "" };
            canvas.text(class, (4.0 + set_in, y + 4.5), Anchor::Start, NAME, 300.0 - set_in, &row.name);
            canvas.line("hair", (left, y), (right, y));
            draw(&mut canvas, &x, row, y, left);
            canvas.text("", (right + 14.0, y + 4.5), Anchor::Start, NAME, 190.0, &row.note);
            canvas.close();
        }
        if self.rows.is_empty() {
            canvas.no_data((middle, (top + bottom) / 2.0 + 4.0));
        }
        canvas.finish(WIDTH, bottom + if self.labels.x.is_empty() { 28.0 } else { 48.0 }, id)
    }
}

/// A row in words.
fn told(row: &IntervalRow) -> String {
    let value = row.value.map_or("no data".to_owned(), number::value);
    match (row.low.and_then(sane), row.high.and_then(sane)) {
        (Some(low), Some(high)) => format!("{}: {value} [{}, {}]", row.name, number::value(low), number::value(high)),
        _ => format!("{}: {value}", row.name),
    }
}

fn draw(canvas: &mut Canvas<'_>, x: &Scale, row: &IntervalRow, y: f64, left: f64) {
    let Some(value) = row.value.and_then(sane) else {
        canvas.text("quiet", (left + 8.0, y + 4.0), Anchor::Start, SMALL, 100.0, "no data");
        return;
    };
    if let (Some(low), Some(high)) = (row.low.and_then(sane), row.high.and_then(sane)) {
        canvas.line("whisker", (x.place(low), y), (x.place(high), y));
        // An end that the chart cuts off has no cap.
        for end in [low, high].into_iter().filter(|end| x.holds(*end)) {
            canvas.line("whisker", (x.place(end), y - 4.0), (x.place(end), y + 4.0));
        }
    }
    let at = x.place(value);
    let class = if row.class == SeriesClass::Normal { "mark" } else { "mark hollow" };
    if x.holds(value) {
        canvas.circle(class, (at, y), 4.5, "");
    } else {
        // Which way out it lies.
        let point = if at > left + 8.5 { 6.0 } else { -6.0 };
        let data = format!("M{} {}L{} {}L{} {}Z", n(at + point), n(y), n(at), n(y - 5.0), n(at), n(y + 5.0));
        canvas.path(class, &data, "");
    }
}
