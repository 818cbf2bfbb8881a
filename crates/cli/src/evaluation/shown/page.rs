//! What is shown, before it is decided how: tables of cells with their notes.
//!
//! Every format for people is made from this one value, so that none of them can round, mark or leave out what another does not.
//! (CSV, for machines, takes the numbers themselves, see [`records`](super::records).)

use eightk_measure::{FailedSystem, Metric};

use super::asked::Which;
use super::{ablation, details, differences, headline, notes};
use crate::evaluation::{Against, Scored};
use crate::output::Align;

/// All that there is to show.
pub(super) struct Page {
    pub(super) about: About,
    pub(super) parts: Vec<Part>,
    /// Each with the table that it belongs to.
    pub(super) notes: Vec<(Which, String)>,
}

/// What all the tables are about.
pub(super) struct About {
    /// The data set, or the file of judgements; empty where it does not matter.
    pub(super) data: String,
    /// The data set's, shortened.
    pub(super) fingerprint: Option<String>,
    /// Queries with an answer.
    pub(super) queries: usize,
    /// Too few of them.
    pub(super) smoke_test: bool,
    /// What brackets hold; none where nothing was drawn.
    pub(super) intervals: Option<&'static str>,
}

impl About {
    /// The data set, or the file, as what it is.
    pub(super) fn source(&self) -> Option<String> {
        let what = if self.fingerprint.is_some() { "Data set" } else { "Judgements" };
        (!self.data.is_empty()).then(|| format!("{what} {}", self.data))
    }

    /// How many queries, and the rule for ties.
    pub(super) fn said(&self) -> [String; 2] {
        let few = if self.smoke_test { " (a smoke test, not a result)" } else { "" };
        [
            format!("{} queries with an answer{few}", self.queries),
            "expected values over a random order inside ties".to_owned(),
        ]
    }
}

/// A table, or words about the tables before it.
pub(super) enum Part {
    Grid(Grid),
    Words(Which, Vec<String>),
}

impl Part {
    pub(super) fn which(&self) -> Which {
        match self {
            Self::Grid(grid) => grid.which,
            Self::Words(which, _) => *which,
        }
    }
}

/// One table. The first column holds names.
pub(super) struct Grid {
    pub(super) which: Which,
    /// For a person who sees this table alone.
    pub(super) caption: String,
    /// Over the first column.
    pub(super) corner: String,
    pub(super) columns: Vec<(String, Align)>,
    pub(super) lines: Vec<Line>,
    /// Only on a terminal, or only elsewhere; else everywhere.
    pub(super) only: Option<Place>,
    /// Whether a terminal shows the caption: where several tables of one kind follow each other.
    pub(super) titled: bool,
}

/// Where a table makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Terminal,
    Document,
}

/// A line of a table.
pub(super) enum Line {
    /// The heading of the lines below.
    Group(String),
    Row(Row),
}

/// One system, most often.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) cells: Vec<Cell>,
}

/// What a row is among the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// May be the best.
    System,
    /// A floor or ceiling made from the judgements, or chance itself: a mark on the scale.
    Mark,
}

/// A number as all formats show it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) text: String,
    /// In brackets, or empty.
    pub(super) interval: String,
    /// A difference that is shown.
    pub(super) star: bool,
    /// The best of its column, or what is shown at 5 %.
    pub(super) strong: bool,
}

impl Cell {
    /// On one line, as in a text.
    pub(super) fn plain(&self) -> String {
        let star = if self.star { "*" } else { "" };
        let space = if self.interval.is_empty() { "" } else { " " };
        format!("{}{space}{}{star}", self.text, self.interval)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl Grid {
    /// A table without lines yet, shown everywhere.
    pub(super) fn new(which: Which, caption: &str, corner: &str, columns: Vec<(String, Align)>) -> Self {
        Self {
            which,
            caption: caption.to_owned(),
            corner: corner.to_owned(),
            columns,
            lines: Vec::new(),
            only: None,
            titled: false,
        }
    }

    pub(super) fn group(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Group(text.into()));
    }

    pub(super) fn row(&mut self, name: impl Into<String>, role: Role, cells: impl IntoIterator<Item = Cell>) {
        self.lines.push(Line::Row(Row { name: name.into(), role, cells: cells.into_iter().collect() }));
    }

    /// What strong cells are; none where no cell is.
    pub(super) fn strong_means(&self) -> Option<&'static str> {
        self.rows().any(|row| row.cells.iter().any(|c| c.strong)).then_some(match self.which {
            Which::Comparisons => "bold: below .05 after Holm's correction",
            _ => "bold: best, floors and ceilings made from the judgements aside",
        })
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &Row> {
        self.lines.iter().filter_map(|line| if let Line::Row(row) = line { Some(row) } else { None })
    }

    /// The caption as a sentence begins.
    pub(super) fn title(&self) -> String {
        let mut caption = self.caption.chars();
        caption.next().into_iter().flat_map(char::to_uppercase).chain(caption).collect()
    }

    /// Whether lines stand under headings.
    pub(super) fn is_grouped(&self) -> bool {
        self.lines.iter().any(|l| matches!(l, Line::Group(_)))
    }
}

/// Names of columns, all on one side.
pub(super) fn columns<'c>(names: impl IntoIterator<Item = &'c str>, align: Align) -> Vec<(String, Align)> {
    names.into_iter().map(|name| (name.to_owned(), align)).collect()
}

impl Page {
    /// Headline, differences, what context brought; with `details` what stands behind them.
    pub(super) fn new(scored: &Scored, against: Option<&Against>, failed: &[FailedSystem], details: bool) -> Self {
        let metrics_named = scored.settings.metrics != Metric::DEFAULT;
        let mut parts = Vec::new();
        let grids = if metrics_named { headline::named(scored) } else { headline::headline(scored) };
        parts.extend(grids.into_iter().map(Part::Grid));
        parts.extend(differences::differences(scored).into_iter().map(Part::Grid));
        parts.extend(scored.ablations.iter().flat_map(ablation::ablation));
        if details {
            parts.extend(details::details(scored).into_iter().map(Part::Grid));
        }
        let first = scored.systems.first().map(|s| &s.scores);
        let data = against.and_then(|a| a.data.as_ref());
        let about = About {
            data: data.map(|d| d.name.clone()).or_else(|| against.map(|a| a.name.clone())).unwrap_or_default(),
            fingerprint: data.map(|d| d.fingerprint.chars().take(12).collect()),
            queries: first.map_or(0, |s| s.queries.len() - s.undefined.answer),
            smoke_test: first.is_some_and(eightk_measure::SystemScores::smoke_test),
            intervals: first.filter(|s| s.draws > 0).map(|_| match scored.filings_known {
                true => "in brackets 95 % bootstrap intervals, filings drawn whole",
                false => "in brackets 95 % bootstrap intervals over queries",
            }),
        };
        Self { about, parts, notes: notes::notes(scored, failed) }
    }

    /// Only what belongs to one table.
    pub(super) fn only(mut self, which: Which) -> Self {
        self.parts.retain(|p| p.which() == which);
        self.notes.retain(|(of, _)| *of == which);
        self
    }

    /// The tables for a place, with the words between them.
    pub(super) fn parts_for(&self, place: Place) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(move |p| match p {
            Part::Grid(grid) => grid.only.is_none_or(|only| only == place),
            Part::Words(..) => true,
        })
    }
}
