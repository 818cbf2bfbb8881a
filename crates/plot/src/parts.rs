//! What every chart is told.

/// Where a chart will stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Inline in a page: no size, no ground, no visible title (the page has a caption), coloured by [`crate::CSS`].
    Page,
    /// A file of its own, for `<img>`: its style inside, light or dark as the reader prefers, its title visible, its size stated.
    Standalone,
}

/// The words of a chart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// What is shown, a few words: the chart's accessible name.
    pub title: String,
    /// What can be seen in it, a sentence or two, for who cannot see it.
    pub description: String,
    /// What the horizontal axis counts; may be empty.
    pub x: String,
    /// What the vertical axis counts; may be empty.
    pub y: String,
}

/// What a series or row is among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SeriesClass {
    /// One of those compared.
    #[default]
    Normal,
    /// What can be had without skill: muted.
    Floor,
    /// What cannot be surpassed: muted.
    Ceiling,
}

/// A value to compare with, drawn as a line across the chart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reference {
    /// Its name, such as `by chance`.
    pub name: String,
    /// Where it lies on the axis of values: vertical in a [`crate::LineChart`], horizontal in an [`crate::IntervalChart`].
    pub y: f64,
}
