//! Bars: a histogram of counts.

use crate::canvas::{Anchor, Canvas, SMALL, WIDTH};
use crate::number::{self, sane};
use crate::parts::{Labels, Theme};
use crate::scale::Scale;
use crate::text::width;

/// A bar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bar {
    /// What is counted, such as `100–119`.
    pub label: String,
    /// How many; what is not a number, or below 0, has no bar.
    pub value: f64,
}

/// Bars side by side, in the order given.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BarChart {
    /// Title, description, names of the axes.
    pub labels: Labels,
    /// The bars. Where there is no room for every label, every second, third … is written.
    pub bars: Vec<Bar>,
}

const HEIGHT: f64 = 220.0;

impl BarChart {
    /// The chart as an SVG element. `id` begins the ids in it.
    pub fn svg(&self, theme: Theme, id: &str) -> String {
        let mut canvas = Canvas::new(&self.labels, theme);
        let values: Vec<f64> = self.bars.iter().map(|b| sane(b.value).unwrap_or(0.0).max(0.0)).collect();
        let most = values.iter().copied().fold(0.0, f64::max);
        let top = canvas.top() + if self.labels.y.is_empty() { 18.0 } else { 38.0 };
        let bottom = top + HEIGHT;
        let y = Scale::linear((0.0, if most > 0.0 { most } else { 1.0 }), (bottom, top));
        let ticks = y.ticks(4, values.iter().all(|v| v.fract() == 0.0));
        let left = ticks.iter().map(|t| width(&t.label, SMALL)).fold(20.0, f64::max) + 14.0;
        let right = WIDTH - 12.0;

        canvas.text("quiet", (4.0, top - 24.0), Anchor::Start, SMALL, WIDTH - 16.0, &self.labels.y);
        for tick in &ticks {
            let place = y.place(tick.value);
            canvas.line("hair", (left, place), (right, place));
            canvas.text("quiet", (left - 7.0, place + 4.0), Anchor::End, SMALL, left, &tick.label);
        }
        let pitch = (right - left) / self.bars.len().max(1) as f64;
        // A lone bar as wide as the chart is a wall.
        let wide = (pitch - (pitch * 0.12).clamp(0.0, 4.0)).min(110.0);
        let middle_of = |i: usize| left + pitch * (i as f64 + 0.5);

        let counts: Vec<String> = values.iter().map(|v| number::value(*v)).collect();
        let counted = counts.iter().all(|c| width(c, SMALL) + 4.0 <= pitch);
        for (i, ((bar, value), count)) in self.bars.iter().zip(&values).zip(&counts).enumerate() {
            let (middle, place) = (middle_of(i), y.place(*value));
            if *value > 0.0 {
                let title = format!("{}: {count}", bar.label);
                let height = (bottom - place).max(0.5);
                canvas.rect("bar s1", (middle - wide / 2.0, bottom - height), (wide, height), &title);
            }
            if counted && *value > 0.0 {
                canvas.text("", (middle, place - 5.0), Anchor::Middle, SMALL, pitch, count);
            }
        }
        canvas.line("axis", (left, bottom), (right, bottom));
        let widest = self.bars.iter().map(|b| width(&b.label, SMALL).min(140.0)).fold(0.0, f64::max);
        let stride = (((widest + 10.0) / pitch).ceil() as usize).max(1);
        // Counted from the last, which may be another kind of bar: all that is larger.
        for (i, bar) in self.bars.iter().enumerate().rev().step_by(stride) {
            // The outermost may stand out over the ends of the axis, not of the chart.
            let room = (2.0 * (middle_of(i) - 2.0).min(WIDTH - 2.0 - middle_of(i))).min(140.0);
            canvas.text("quiet", (middle_of(i), bottom + 18.0), Anchor::Middle, SMALL, room, &bar.label);
        }
        let middle = (left + right) / 2.0;
        canvas.text("quiet", (middle, bottom + 38.0), Anchor::Middle, SMALL, right - left, &self.labels.x);
        if most <= 0.0 {
            canvas.no_data((middle, (top + bottom) / 2.0 + 4.0));
        }
        canvas.finish(WIDTH, bottom + if self.labels.x.is_empty() { 28.0 } else { 48.0 }, id)
    }
}
