//! Lines with bands: how a score goes with a depth, a size, a number of rivals.
//!
//! Every line is named at its end instead of in a box: the names then stand in the order of the lines, which is the ranking one
//! looks for, and lead back to them. A name carries a sample of its line, for those that meet at their ends.

use crate::canvas::{Anchor, Canvas, NAME, SMALL, WIDTH};
use crate::marker::Look;
use crate::number::{self, coordinate as n, sane};
use crate::parts::{Labels, Reference, SeriesClass, Theme};
use crate::scale::Scale;
use crate::spread::spread;
use crate::text::{shortened, width};

/// A point of a line, with the interval it lies in where that is known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// Along the chart.
    pub x: f64,
    /// The value; not finite where there is none, which leaves a gap.
    pub y: f64,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end of its interval.
    pub high: Option<f64>,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its points in any order; they are joined from left to right.
    pub points: Vec<Point>,
    /// What it is among the others.
    pub class: SeriesClass,
}

/// Lines over a common axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineChart {
    /// Title, description, names of the axes.
    pub labels: Labels,
    /// Whether x goes by its logarithm; points that are not positive are left out then.
    pub x_log: bool,
    /// The range of y; what is outside is drawn at its edge.
    pub y: (f64, f64),
    /// The lines. Up to 17 are told apart with comfort, up to 32 at all.
    pub series: Vec<Series>,
    /// Values to compare with.
    pub references: Vec<Reference>,
}

/// Height of a line of names.
const LINE: f64 = 17.0;
/// From the end of the plot to the sample of a name, and the sample.
const LEAD: f64 = 26.0;
const SAMPLE: f64 = 28.0;

impl LineChart {
    /// The chart as an SVG element. `id` begins the ids in it.
    pub fn svg(&self, theme: Theme, id: &str) -> String {
        let mut canvas = Canvas::new(&self.labels, theme);
        let lines: Vec<Vec<Point>> = self.series.iter().map(|s| self.drawable(s)).collect();
        let references: Vec<&Reference> = self.references.iter().filter(|r| sane(r.y).is_some()).collect();

        let longest = self.series.iter().map(label).chain(references.iter().map(|r| r.name.clone()));
        let named = longest.map(|name| width(&shortened(&name, NAME, 250.0), NAME)).fold(0.0, f64::max);
        let count = self.series.len() + references.len();
        let column = if count == 0 { 0.0 } else { LEAD + SAMPLE + 6.0 + named };
        let right = WIDTH - column - 12.0;
        let top = canvas.top() + if self.labels.y.is_empty() { 4.0 } else { 26.0 };
        let bottom = top + (LINE * (count.max(1) - 1) as f64).max(280.0);

        let y = Scale::linear(self.y, (bottom, top));
        let ticks = y.ticks(5, false);
        let left = ticks.iter().map(|t| width(&t.label, SMALL)).fold(20.0, f64::max) + 14.0;
        let xs = lines.iter().flatten().map(|p| p.x);
        let x = Scale::over(xs.clone(), self.x_log, (left + 8.0, right - 8.0));

        canvas.text("quiet", (4.0, top - 14.0), Anchor::Start, SMALL, WIDTH - 16.0, &self.labels.y);
        for tick in &ticks {
            let place = y.place(tick.value);
            canvas.line("hair", (left, place), (right, place));
            canvas.text("quiet", (left - 7.0, place + 4.0), Anchor::End, SMALL, left, &tick.label);
        }
        canvas.line("axis", (left, bottom), (right, bottom));
        let whole = xs.clone().all(|x| x.fract() == 0.0);
        if xs.clone().next().is_some() {
            for tick in x.ticks_apart(whole, SMALL) {
                let place = x.place(tick.value);
                canvas.line("axis", (place, bottom), (place, bottom + 4.0));
                canvas.text("quiet", (place, bottom + 20.0), Anchor::Middle, SMALL, WIDTH, &tick.label);
            }
        }
        let middle = (left + right) / 2.0;
        canvas.text("quiet", (middle, bottom + 40.0), Anchor::Middle, SMALL, right - left, &self.labels.x);

        for reference in &references {
            let place = y.place(reference.y);
            canvas.line("ref", (left, place), (right, place));
        }
        let looks = Look::each(self.series.iter().map(|s| s.class));
        let places = Frame { x, y, right, bottom };
        let ends: Vec<(f64, f64)> = lines
            .iter()
            .map(|points| points.iter().rev().find_map(|p| Some(places.at(p.x, sane(p.y)?))).unwrap_or((right, bottom)))
            .collect();
        let wanted: Vec<f64> = ends.iter().map(|(_, y)| *y).chain(references.iter().map(|r| y.place(r.y))).collect();
        let rows = spread(&wanted, LINE, top, bottom);

        let banded = lines.iter().filter(|points| points.iter().any(|p| interval(p).is_some())).count();
        let names = self.series.iter().zip(&lines).zip(&looks).zip(ends.iter().zip(&rows));
        for (((series, points), look), (end, row)) in names {
            canvas.open(&format!("series s{}", look.colour), &series.name);
            places.bands(&mut canvas, points, if banded > 4 { "band many" } else { "band" });
            places.line(&mut canvas, points, *look);
            self.marks(&mut canvas, &places, series, points, *look);
            if points.iter().any(|p| sane(p.y).is_some()) {
                places.lead(&mut canvas, *end, *row);
            }
            let start = right + LEAD;
            canvas.line(&look.line(), (start, *row), (start + SAMPLE, *row));
            look.mark(&mut canvas, (start + SAMPLE / 2.0, *row), "");
            places.name(&mut canvas, "", *row, &label(series));
            canvas.close();
        }
        for ((reference, row), place) in
            references.iter().zip(rows.iter().skip(lines.len())).zip(wanted.iter().skip(lines.len()))
        {
            canvas.open("s0", &reference.name);
            places.lead(&mut canvas, (right, *place), *row);
            canvas.line("ref", (right + LEAD, *row), (right + LEAD + SAMPLE, *row));
            places.name(&mut canvas, "quiet", *row, &reference.name);
            canvas.close();
        }
        if lines.iter().flatten().all(|p| sane(p.y).is_none()) {
            canvas.no_data((middle, (top + bottom) / 2.0 + 4.5));
        }
        canvas.finish(WIDTH, bottom + if self.labels.x.is_empty() { 30.0 } else { 50.0 }, id)
    }

    /// The points that have a place along the chart, from left to right.
    fn drawable(&self, series: &Series) -> Vec<Point> {
        let has_place = |p: &&Point| sane(p.x).is_some_and(|x| !self.x_log || x >= 1e-100);
        let mut points: Vec<Point> = series.points.iter().filter(has_place).copied().collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        points
    }

    fn marks(&self, canvas: &mut Canvas<'_>, places: &Frame, series: &Series, points: &[Point], look: Look) {
        let valued: Vec<&Point> = points.iter().filter(|p| sane(p.y).is_some()).collect();
        // Markers at every point of a long line would be the line.
        let stride = if valued.len() <= 16 { 1 } else { valued.len().div_ceil(12) };
        for point in valued.iter().rev().step_by(stride).rev() {
            let along = if self.labels.x.is_empty() { "x" } else { &self.labels.x };
            let within = interval(point)
                .map_or(String::new(), |(low, high)| format!(" [{}, {}]", number::value(low), number::value(high)));
            let title =
                format!("{}: {}{within} at {along} {}", series.name, number::value(point.y), number::value(point.x));
            look.mark(canvas, places.at(point.x, point.y), &title);
        }
    }
}

/// The name of a series, or that it has nothing to show.
fn label(series: &Series) -> String {
    if series.points.iter().any(|p| sane(p.y).is_some() && sane(p.x).is_some()) {
        series.name.clone()
    } else {
        format!("{} (no data)", series.name)
    }
}

fn interval(point: &Point) -> Option<(f64, f64)> {
    sane(point.y)?;
    let (low, high) = (sane(point.low?)?, sane(point.high?)?);
    Some((low.min(high), low.max(high)))
}

/// Where things lie.
struct Frame {
    x: Scale,
    y: Scale,
    right: f64,
    bottom: f64,
}

impl Frame {
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.place(x), self.y.place(y).min(self.bottom))
    }

    fn line(&self, canvas: &mut Canvas<'_>, points: &[Point], look: Look) {
        for stretch in points.split(|p| sane(p.y).is_none()).filter(|s| s.len() > 1) {
            let places: Vec<(f64, f64)> = stretch.iter().map(|p| self.at(p.x, p.y)).collect();
            canvas.path(&look.line(), &joined(places.into_iter()), "");
        }
    }

    fn bands(&self, canvas: &mut Canvas<'_>, points: &[Point], class: &str) {
        for stretch in points.split(|p| interval(p).is_none()) {
            let ends: Vec<(f64, (f64, f64))> = stretch.iter().filter_map(|p| Some((p.x, interval(p)?))).collect();
            match ends.as_slice() {
                [] => {}
                // A band needs two points; one alone has a whisker.
                [(x, (low, high))] => canvas.line("whisker", self.at(*x, *low), self.at(*x, *high)),
                many => {
                    let upper = many.iter().map(|(x, (_, high))| self.at(*x, *high));
                    let lower = many.iter().rev().map(|(x, (low, _))| self.at(*x, *low));
                    canvas.path(class, &format!("{}Z", joined(upper.chain(lower))), "");
                }
            }
        }
    }

    /// From the end of a line to its name.
    fn lead(&self, canvas: &mut Canvas<'_>, end: (f64, f64), row: f64) {
        let places =
            [(end.0, end.1), (self.right, end.1), (self.right + LEAD - 8.0, row), (self.right + LEAD - 2.0, row)];
        canvas.path("lead", &joined(places.into_iter()), "");
    }

    fn name(&self, canvas: &mut Canvas<'_>, class: &str, row: f64, name: &str) {
        canvas.text(class, (self.right + LEAD + SAMPLE + 6.0, row + 4.5), Anchor::Start, NAME, 250.0, name);
    }
}

fn joined(places: impl Iterator<Item = (f64, f64)>) -> String {
    let mut data = String::new();
    for (i, (x, y)) in places.enumerate() {
        data.push_str(if i == 0 { "M" } else { "L" });
        data.push_str(&format!("{} {}", n(x), n(y)));
    }
    data
}
