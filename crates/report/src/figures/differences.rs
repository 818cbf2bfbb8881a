//! Differences from the baseline, and what could have been shown.

use super::words::thousands;
use eightk_measure::{Comparison, Metric};
use eightk_plot::{IntervalChart, IntervalRow, Labels, Reference, SeriesClass};

use super::figure::{Chart, Figure, FigureCell, FigureRow, FigureTable};
use super::lines::some;
use super::lineup::Lineup;
use super::words::{counted, interval, p_value, short, signed, slug, three};

/// What counts as shown.
const SIGNIFICANT: f64 = 0.05;

/// One for each metric that systems were compared on.
pub(super) fn figures(lineup: &Lineup<'_>) -> Vec<Figure> {
    let report = &lineup.account.results.report;
    let mut metrics: Vec<Metric> = Vec::new();
    for metric in report.settings.compared_on.iter().copied().chain(report.comparisons.iter().map(|c| c.metric)) {
        if !metrics.contains(&metric) {
            metrics.push(metric);
        }
    }
    let of = |metric: &Metric| {
        let list: Vec<&Comparison> =
            report.comparisons.iter().filter(|c| c.metric == *metric && c.difference.is_finite()).collect();
        figure(lineup, *metric, list)
    };
    metrics.iter().filter_map(of).collect()
}

fn figure(lineup: &Lineup<'_>, metric: Metric, mut list: Vec<&Comparison>) -> Option<Figure> {
    let (name, sign) = (short(metric), if metric.higher_is_better() { 1.0 } else { -1.0 });
    list.sort_by(|a, b| (sign * b.difference).total_cmp(&(sign * a.difference)));
    let baseline = &list.first()?.b;
    let queries = list.iter().map(|c| c.queries).max().unwrap_or(0);
    let filings = list.iter().map(|c| c.filings).max().unwrap_or(0);
    let row = |c: &&Comparison| IntervalRow {
        name: c.a.clone(),
        value: Some(c.difference),
        low: c.low,
        high: c.high,
        note: signed(c.difference) + &adjusted(c).map_or(String::new(), |p| format!(" · {}", p_value(p))),
        class: if adjusted(c).is_some_and(|p| p < SIGNIFICANT) { SeriesClass::Normal } else { SeriesClass::Floor },
        indent: 0,
    };
    let table_row = |c: &&Comparison| FigureRow {
        head: c.a.clone(),
        muted: false,
        cells: vec![
            FigureCell::Difference { value: c.difference, low: c.low, high: c.high },
            FigureCell::Probability(c.p),
            c.p_holm.map_or(FigureCell::Missing, FigureCell::Probability),
            c.detectable.map_or(FigureCell::Missing, |d| FigureCell::Score { value: d, low: None, high: None }),
            c.needed.map_or(FigureCell::Missing, |n| FigureCell::Count(n as f64)),
        ],
    };
    let columns = ["system", "difference", "p", "p (Holm)", "could be shown", "queries to show it"];
    let mut notes = vec![
        format!(
            "Each system less {baseline} on the same {} from {}, with a paired bootstrap interval; p by a paired randomization test, corrected by Holm over the systems. Filings are drawn and exchanged whole.",
            counted(queries, "query", "queries"),
            counted(filings, "filing", "filings")
        ),
        "Filled dots differ at 5 % after the correction, hollow ones do not.".into(),
    ];
    if !metric.higher_is_better() {
        notes.push(format!("{name}: lower is better."));
    }
    notes.extend(lineup.smoke_test());
    notes.extend(lineup.without.iter().cloned());
    Some(Figure {
        id: format!("figure-difference-{}", slug(&metric.to_string())),
        title: format!("Difference from {baseline} in {name}"),
        seen: seen(&list, metric, baseline),
        chart: Chart::Intervals(IntervalChart {
            labels: Labels { x: format!("{name} less that of {baseline}"), ..Labels::default() },
            x: range(&list),
            rows: list.iter().map(row).collect(),
            reference: Some(Reference { name: "no difference".into(), y: 0.0 }),
        }),
        table: FigureTable {
            caption: format!("{name} of each system less that of {baseline}; the smallest difference that could be shown four times in five, and how many queries it takes to show the one seen"),
            columns: columns.map(String::from).to_vec(),
            rows: list.iter().map(table_row).collect(),
        },
        notes,
    }
    .worded())
}

/// The p-value to go by: corrected where it was.
fn adjusted(c: &Comparison) -> Option<f64> {
    Some(c.p_holm.unwrap_or(c.p)).filter(|p| p.is_finite())
}

/// Around all intervals and 0, to the next tenth.
fn range(list: &[&Comparison]) -> (f64, f64) {
    let ends = list.iter().flat_map(|c| [Some(c.difference), c.low, c.high]).flatten().filter(|x| x.is_finite());
    let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    let (low, high) = ((low * 10.0).floor() / 10.0, (high * 10.0).ceil() / 10.0);
    if high - low < 0.2 { (low.min(-0.1), high.max(0.1)) } else { (low, high) }
}

fn seen(list: &[&Comparison], metric: Metric, baseline: &str) -> String {
    let better = |c: &&Comparison| (c.difference > 0.0) == metric.higher_is_better();
    let shown: Vec<&Comparison> =
        list.iter().copied().filter(|c| c.difference != 0.0 && adjusted(c).is_some_and(|p| p < SIGNIFICANT)).collect();
    let (up, down): (Vec<&Comparison>, Vec<&Comparison>) = shown.iter().copied().partition(better);
    let of = counted(list.len(), "system", "systems");
    let mut said = match (up.as_slice(), down.as_slice()) {
        ([], []) => format!("None of {of} differs from {baseline} in a way that these queries show"),
        ([], some_down) => {
            let names: Vec<&str> = some_down.iter().map(|c| c.a.as_str()).collect();
            format!("None of {of} is shown to be better than {baseline}, {} to be worse", some(&names))
        }
        ([best, ..], _) => {
            let names: Vec<&str> = up.iter().map(|c| c.a.as_str()).collect();
            let worse = match down.len() {
                0 => String::new(),
                1 => "; 1 is worse".to_owned(),
                n => format!("; {n} are worse"),
            };
            let size = signed(best.difference) + &interval(best.low, best.high);
            let (verb, most) = match up.len() {
                1 => ("is", format!("with {size}")),
                _ => ("are", format!("most {} with {size}", best.a)),
            };
            format!(
                "{} of {of} {verb} better than {baseline} at 5 % after Holm: {}, {most}{worse}",
                up.len(),
                some(&names)
            )
        }
    };
    let mut detectable: Vec<f64> = list.iter().filter_map(|c| c.detectable).filter(|d| d.is_finite()).collect();
    detectable.sort_by(f64::total_cmp);
    if let (Some(least), Some(largest)) = (detectable.first(), detectable.last()) {
        let span =
            if largest - least < 0.0005 { three(*least) } else { format!("{} to {}", three(*least), three(*largest)) };
        said += &format!("; a true difference of {span} would be found four times in five");
    }
    let needed = list.iter().filter(|c| adjusted(c).is_none_or(|p| p >= SIGNIFICANT)).filter_map(|c| c.needed).min();
    if shown.is_empty() {
        said +=
            &needed.map_or(String::new(), |n| format!("; to show one of those seen takes {} queries", thousands(n)));
    }
    said + "."
}
