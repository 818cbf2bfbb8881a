//! What a figure consists of.

use eightk_plot::{IntervalChart, Labels, LineChart, MatrixChart, Theme};

/// A chart with its words and numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Unique among the figures of an account: letters, digits and `-`.
    pub id: String,
    /// What is shown, in a few words.
    pub title: String,
    /// What can be seen in it, worked out of its numbers; a sentence or two.
    pub seen: String,
    /// The drawing.
    pub chart: Chart,
    /// Its numbers, and those there was no room to draw.
    pub table: FigureTable,
    /// How it was made, and what it leaves out, in whole sentences.
    pub notes: Vec<String>,
}

/// One of the kinds of charts.
#[derive(Debug, Clone, PartialEq)]
pub enum Chart {
    /// Lines with bands.
    Lines(LineChart),
    /// Dots with whiskers.
    Intervals(IntervalChart),
    /// A matrix of counts.
    Matrix(MatrixChart),
}

/// A table as data.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FigureTable {
    /// What its cells hold.
    pub caption: String,
    /// Heads of the columns; the first is that of the rows' heads.
    pub columns: Vec<String>,
    /// From top to bottom.
    pub rows: Vec<FigureRow>,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureRow {
    /// What it is about.
    pub head: String,
    /// There to be compared with, or not about a system at all.
    pub muted: bool,
    /// One per column after the first.
    pub cells: Vec<FigureCell>,
}

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum FigureCell {
    /// Nothing is known.
    Missing,
    /// Words.
    Words(String),
    /// How many.
    Count(f64),
    /// A score between 0 and 1 (or a rank), with its interval where that is known.
    Score {
        /// The mean.
        value: f64,
        /// Lower end.
        low: Option<f64>,
        /// Upper end.
        high: Option<f64>,
    },
    /// A difference of scores, with its interval where that is known.
    Difference {
        /// The mean.
        value: f64,
        /// Lower end.
        low: Option<f64>,
        /// Upper end.
        high: Option<f64>,
    },
    /// A p-value.
    Probability(f64),
}

impl Figure {
    /// The drawing as an SVG element, named by the figure's title and described by what can be seen in it. Its ids begin with
    /// the figure's.
    pub fn svg(&self, theme: Theme) -> String {
        match &self.chart {
            Chart::Lines(chart) => chart.svg(theme, &self.id),
            Chart::Intervals(chart) => chart.svg(theme, &self.id),
            Chart::Matrix(chart) => chart.svg(theme, &self.id),
        }
    }

    /// Gives the chart the figure's words.
    pub(super) fn worded(mut self) -> Self {
        let (title, description) = (self.title.clone(), self.seen.clone());
        let labels: &mut Labels = match &mut self.chart {
            Chart::Lines(chart) => &mut chart.labels,
            Chart::Intervals(chart) => &mut chart.labels,
            Chart::Matrix(chart) => &mut chart.labels,
        };
        labels.title = title;
        labels.description = description;
        self
    }
}
