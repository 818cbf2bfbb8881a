//! A matrix of numbers: what was taken for what.

use crate::canvas::{Anchor, Canvas, NAME, SMALL, WIDTH};
use crate::number::{self, sane};
use crate::parts::{Labels, Theme};
use crate::text::{shortened, width};

/// Numbers in rows and columns, shaded by size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatrixChart {
    /// Title, description, what the columns (`x`) and rows (`y`) are.
    pub labels: Labels,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns. Where they are those of the rows, the diagonal is outlined.
    pub columns: Vec<String>,
    /// The numbers, by row and column. 0 is left empty but for a dot; what is missing or no number is left out. Shades go from 0
    /// to the largest; a number below 0 has none.
    pub cells: Vec<Vec<f64>>,
}

impl MatrixChart {
    /// The chart as an SVG element. `id` begins the ids in it.
    pub fn svg(&self, theme: Theme, id: &str) -> String {
        let mut canvas = Canvas::new(&self.labels, theme);
        let cell = |row: usize, column: usize| self.cells.get(row)?.get(column).copied().and_then(sane);
        let present = || (0..self.rows.len()).flat_map(|r| (0..self.columns.len()).map(move |c| (r, c)));
        let most = present().filter_map(|(r, c)| cell(r, c)).fold(0.0, f64::max);
        let widest =
            present().filter_map(|(r, c)| cell(r, c)).map(|v| width(&number::value(v), SMALL)).fold(0.0, f64::max);

        let taken = |text: &str, size: f64, room: f64| width(&shortened(text, size, room), size);
        let names = self.rows.iter().map(|r| taken(r, NAME, 240.0)).fold(taken(&self.labels.y, SMALL, 240.0), f64::max);
        let left = 4.0 + names + 12.0;
        let headings = self.columns.iter().map(|c| taken(c, SMALL, 170.0)).fold(0.0, f64::max);
        // Headings lie flat where the columns can be wide enough for them, and rise where they cannot.
        let roomy = (WIDTH - 12.0 - left) / self.columns.len().max(1) as f64;
        let least = (widest + 8.0).clamp(26.0, 90.0);
        let flat = least.max((headings + 12.0).min(120.0)) <= roomy;
        let across = if flat { least.max((headings + 12.0).clamp(48.0, 120.0)).min(roomy) } else { least };
        let down = 26.0;
        let lean = std::f64::consts::FRAC_1_SQRT_2;
        let above = if flat { 20.0 } else { headings * lean + 18.0 };
        let named = if self.labels.x.is_empty() { 0.0 } else { 20.0 };
        let top = canvas.top() + named + above;
        let right = left + across * self.columns.len().max(1) as f64;
        let overhang = if flat { 12.0 } else { (headings * lean + 16.0 - across / 2.0).max(12.0) };
        let wide = (right + overhang).max(WIDTH);
        let bottom = top + down * self.rows.len().max(1) as f64;

        canvas.text("quiet", (left, canvas.top() + 10.0), Anchor::Start, SMALL, wide - left - 12.0, &self.labels.x);
        canvas.text("quiet", (left - 12.0, top - 8.0), Anchor::End, SMALL, names, &self.labels.y);
        for (i, column) in self.columns.iter().enumerate() {
            let middle = left + across * (i as f64 + 0.5);
            if flat {
                canvas.text("", (middle, top - 8.0), Anchor::Middle, SMALL, across - 4.0, column);
            } else {
                canvas.rising("", (middle + 4.0, top - 6.0), SMALL, 170.0, column);
            }
        }
        for (r, row) in self.rows.iter().enumerate() {
            let y = top + down * r as f64;
            canvas.text("", (left - 12.0, y + down / 2.0 + 4.5), Anchor::End, NAME, 240.0, row);
            for (c, column) in self.columns.iter().enumerate() {
                let Some(value) = cell(r, c) else { continue };
                let x = left + across * c as f64;
                let level = level(value, most);
                let title =
                    if value == 0.0 { String::new() } else { format!("{row} → {column}: {}", number::value(value)) };
                if level > 0 {
                    canvas.rect(&format!("cell s1 q{level}"), (x + 0.5, y + 0.5), (across - 1.0, down - 1.0), &title);
                }
                let at = (x + across / 2.0, y + down / 2.0 + 4.2);
                let class = if value == 0.0 {
                    "quiet"
                } else if level == 6 {
                    "on"
                } else {
                    ""
                };
                let text = if value == 0.0 { "·".to_owned() } else { number::value(value) };
                canvas.text(class, at, Anchor::Middle, SMALL, across - 2.0, &text);
            }
        }
        let empty = self.rows.is_empty() || self.columns.is_empty();
        for i in (0..=self.rows.len()).filter(|_| !empty) {
            let y = top + down * i as f64;
            canvas.line("hair", (left, y), (right, y));
        }
        for i in (0..=self.columns.len()).filter(|_| !empty) {
            let x = left + across * i as f64;
            canvas.line("hair", (x, top), (x, bottom));
        }
        if self.rows == self.columns {
            for i in 0..self.rows.len() {
                let at = (left + across * i as f64, top + down * i as f64);
                canvas.rect("own", at, (across, down), "");
            }
        }
        if present().all(|(r, c)| cell(r, c).is_none()) {
            canvas.no_data((wide / 2.0, bottom + 22.0));
            return canvas.finish(wide, bottom + 34.0, id);
        }
        canvas.finish(wide, bottom + 10.0, id)
    }
}

/// 0 to 6, in proportion to the largest.
fn level(value: f64, most: f64) -> usize {
    if value <= 0.0 || most <= 0.0 { 0 } else { ((value / most * 6.0).ceil() as usize).clamp(1, 6) }
}
