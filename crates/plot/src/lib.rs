//! Charts as SVG.
//!
//! A chart is a value: fill [`LineChart`], [`IntervalChart`], [`BarChart`] or [`MatrixChart`] and ask for its `svg`. Nothing is
//! measured, loaded or looked up, so the same value gives the same bytes everywhere.
//!
//! ```
//! use eightk_plot::{Bar, BarChart, Labels, Theme};
//!
//! let chart = BarChart {
//!     labels: Labels {
//!         title: "Rivals per query".into(),
//!         description: "Most queries have two rivals.".into(),
//!         x: "rivals".into(),
//!         y: "queries".into(),
//!     },
//!     bars: vec![Bar { label: "1".into(), value: 3.0 }, Bar { label: "2".into(), value: 8.0 }],
//! };
//! assert!(chart.svg(Theme::Page, "rivals").starts_with("<svg "));
//! ```
//!
//! - **Colour belongs to the page.** Elements carry classes; [`CSS`] colours them through the page's variables `--ink --muted
//!   --line --paper --s1 … --s8` and has colours of its own where a page sets none. [`Theme::Standalone`] carries its style inside.
//! - **Nothing covers anything.** Widths of text are estimated from the widest of the usual system fonts, labels are moved
//!   apart, ticks thinned and long names shortened in the middle; the whole name is in a `<title>`.
//! - **Any input draws.** A number that is not finite (or beyond ±1e100) is no data: it leaves a gap, or the words “no data”.
//!   What lies outside a given range is drawn at its edge; its `<title>` gives the true value.
//! - **It can be heard.** `role="img"` with title and description, tied by ids made of the caller's prefix, which must be unique
//!   in its page.
//!
//! The road not taken is a plotting crate: the usual ones write colours and fonts into the drawing, which leaves a page no dark
//! mode, and none names a chart for a screen reader.
#![deny(missing_docs)]

mod bars;
mod canvas;
mod interval;
mod line;
mod marker;
mod matrix;
mod number;
mod parts;
mod scale;
mod spread;
mod style;
mod text;

pub use bars::{Bar, BarChart};
pub use interval::{IntervalChart, IntervalRow};
pub use line::{LineChart, Point, Series};
pub use matrix::MatrixChart;
pub use parts::{Labels, Reference, SeriesClass, Theme};
pub use style::{CSS, DARK, LIGHT};
