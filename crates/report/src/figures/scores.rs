//! One score of every system, with its interval and what chance gives.

use eightk_measure::{Metric, Value, Verdict};
use eightk_plot::{IntervalChart, IntervalRow, Labels, Reference, SeriesClass};

use super::figure::{Chart, Figure, FigureCell, FigureRow, FigureTable};
use super::lines::some;
use super::lineup::{Entrant, Lineup, Role};
use super::words::{counted, interval, short, three};

/// # Errors
/// Why there is none.
pub(super) fn of_systems(lineup: &Lineup<'_>, metric: Metric) -> Result<Figure, String> {
    let mut order = lineup.ranked(metric);
    order.extend(lineup.entrants.iter().filter(|e| e.role != Role::Contestant));
    order.retain(|e| e.value(metric).is_some());
    let Some(queries) = order.iter().filter_map(|e| e.value(metric)).map(|v| v.queries).max() else {
        return Err(
            "Rivals: no query has an answer and a rival to tell it from, so there is nothing to resolve.".into()
        );
    };
    let name = short(metric);
    let chance = order.iter().find_map(|e| e.value(metric)?.chance).filter(|c| c.is_finite());
    let mut notes =
        vec![about(metric).to_owned(), format!("Means over {} with rivals.", counted(queries, "query", "queries"))];
    if chance.is_some() {
        notes.push("Filled dots are contestants and controls, hollow ones are there to compare with.".into());
    }
    notes.extend(lineup.smoke_test());
    notes.extend(lineup.without.iter().cloned());
    let row = |e: &&Entrant<'_>| {
        let value = e.value(metric);
        IntervalRow {
            name: e.name.to_owned(),
            value: value.map(|v| v.expected),
            low: value.and_then(|v| v.low),
            high: value.and_then(|v| v.high),
            note: value.map_or(String::new(), |v| three(v.expected) + &interval(v.low, v.high)),
            class: e.class(),
            indent: u8::from(e.role == Role::Control),
        }
    };
    let table_row = |e: &&Entrant<'_>| FigureRow {
        head: e.name.to_owned(),
        muted: e.class() != SeriesClass::Normal,
        cells: e.value(metric).map_or_else(Vec::new, |v| {
            let score = FigureCell::Score { value: v.expected, low: v.low, high: v.high };
            let chance =
                v.chance.map_or(FigureCell::Missing, |c| FigureCell::Score { value: c, low: None, high: None });
            vec![score, chance, verdict(e, metric), FigureCell::Count(v.queries as f64)]
        }),
    };
    Ok(Figure {
        id: format!("figure-{}", super::words::slug(&metric.to_string())),
        title: title(metric).to_owned(),
        seen: seen(lineup, metric, chance),
        table: FigureTable {
            caption: format!("{name}, expected over ties, by system"),
            columns: ["system", &name, "by chance", "against chance", "queries"].map(String::from).to_vec(),
            rows: order.iter().map(table_row).collect(),
        },
        chart: Chart::Intervals(IntervalChart {
            labels: Labels { x: name.clone(), ..Labels::default() },
            x: (0.0, 1.0),
            rows: order.iter().map(row).collect(),
            reference: chance.map(|c| Reference { name: format!("chance {}", three(c)), y: c }),
        }),
        notes,
    }
    .worded())
}

fn title(metric: Metric) -> &'static str {
    match metric {
        Metric::RivalAuc => "Share of the rivals below the answer",
        _ => "How often the answer is above all of its rivals",
    }
}

fn about(metric: Metric) -> &'static str {
    match metric {
        Metric::RivalAuc => {
            "rival AUC: of the sentences of other companies that state the same fact, the share ranked below the answer; ties count half."
        }
        _ => {
            "resolved@1: the answer ranks above every sentence of another company that states the same fact; a tie is shared."
        }
    }
}

fn verdict(e: &Entrant<'_>, metric: Metric) -> FigureCell {
    let found = e.report.chance.iter().find(|c| c.metric == metric && c.other.is_none());
    found.map_or(FigureCell::Missing, |c| {
        FigureCell::Words(match c.verdict {
            Verdict::Equivalent => format!("at chance (within {})", three(c.margin)),
            Verdict::Different if c.value > c.reference => "above chance".into(),
            Verdict::Different => "below chance".into(),
            Verdict::Undecided => "not told from chance".into(),
        })
    })
}

/// Where an interval lies: above the level, below it, around it; none where there is no interval.
fn side(value: Value, level: f64) -> Option<std::cmp::Ordering> {
    let (low, high) = value.low.zip(value.high)?;
    Some(if low > level {
        std::cmp::Ordering::Greater
    } else if high < level {
        std::cmp::Ordering::Less
    } else {
        std::cmp::Ordering::Equal
    })
}

fn seen(lineup: &Lineup<'_>, metric: Metric, chance: Option<f64>) -> String {
    let ranked: Vec<(&Entrant<'_>, Value)> =
        lineup.ranked(metric).into_iter().filter_map(|e| Some((e, e.value(metric)?))).collect();
    let Some((_, best)) = ranked.first() else {
        return "No contestant has a value; the systems to compare with are drawn.".into();
    };
    let first: Vec<&str> =
        ranked.iter().filter(|(_, v)| v.expected >= best.expected - 1e-12).map(|(e, _)| e.name).collect();
    let lead = if first.len() == 1 { "leads" } else { "lead" };
    let mut said = format!("{} {lead} with {}{}", some(&first), three(best.expected), interval(best.low, best.high));
    let Some(level) = chance else { return said + "." };
    let sides: Vec<(&str, std::cmp::Ordering)> =
        ranked.iter().filter_map(|(e, v)| Some((e.name, side(*v, level)?))).collect();
    if sides.is_empty() {
        return said + &format!("; chance is {}, and from so few filings no interval can be told.", three(level));
    }
    let of = |order| sides.iter().filter(|s| s.1 == order).map(|s| s.0).collect::<Vec<&str>>();
    let (above, around, below) =
        (of(std::cmp::Ordering::Greater), of(std::cmp::Ordering::Equal), of(std::cmp::Ordering::Less));
    said += &match above.len() {
        n if n == sides.len() && n == 1 => format!("; its interval lies above chance ({})", three(level)),
        n if n == sides.len() => format!("; the intervals of all {n} contestants lie above chance ({})", three(level)),
        0 => format!("; no contestant's interval lies above chance ({})", three(level)),
        n => format!("; {n} of {} contestants have intervals above chance ({})", sides.len(), three(level)),
    };
    if !around.is_empty() {
        let verb = if around.len() == 1 { "includes it" } else { "include it" };
        said += &format!("; that of {} {verb}", some(&around));
    }
    if !below.is_empty() {
        let verb = if below.len() == 1 { "lies below it" } else { "lie below it" };
        said += &format!("; that of {} {verb}", some(&below));
    }
    said + "."
}
