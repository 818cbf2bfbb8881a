//! Recall at every depth.

use super::words::thousands;
use eightk_measure::curves::recall_curve;

use super::figure::{Figure, FigureTable};
use super::grid;
use super::lines::{Curve, band_note, beside, heads, leaders, left_out, log_chart, rows, series, some, written};
use super::lineup::{Lineup, Role};

/// # Errors
/// Why there is none.
pub(super) fn figure(lineup: &Lineup<'_>) -> Result<Figure, String> {
    let options = &lineup.account.results.report.settings.bootstrap;
    if !lineup.has_places() {
        return Err("Recall by depth is not shown: these runs were saved without the places of the answers; run `eightk eval` again.".into());
    }
    // A line beyond what was asked for would be flat for want of a ranking, not of answers.
    let depth = lineup
        .entrants
        .iter()
        .filter(|e| !e.rows.is_empty())
        .map(|e| e.depth.unwrap_or_else(|| e.rows.iter().filter_map(|r| r.retrieved).max().unwrap_or(0)));
    let ks = grid::up_to(depth.min().unwrap_or(0));
    let curve = |entrant| {
        let e: &super::lineup::Entrant<'_> = entrant;
        Curve { entrant, points: recall_curve(&e.places(), &e.clusters, &ks, options) }
    };
    let curves: Vec<Curve<'_, '_>> = lineup.entrants.iter().map(curve).filter(|c| !c.points.is_empty()).collect();
    let Some(queries) = curves.iter().flat_map(|c| &c.points).map(|p| p.queries).max() else {
        return Err("Recall by depth is not shown: no query has an answer that any system ranked.".into());
    };
    let series = series(lineup, &curves, |role| role == Role::Chance);
    let mut notes = vec![band_note(lineup, queries)];
    if let Some(chance) = lineup.of(Role::Chance).next() {
        notes.push(format!(
            "{}: answers and their rivals alone, in random order; what finding the kind of sentence without knowing whose it is would give.",
            chance.name
        ));
    }
    notes.extend(left_out(&curves, &series));
    notes.extend(lineup.without.iter().cloned());
    Ok(Figure {
        id: "figure-recall".into(),
        title: "Share of the answers among the first k".into(),
        seen: seen(lineup, &curves, &ks),
        chart: log_chart("first k chunks of the ranking", "recall of the answer", series),
        table: FigureTable {
            caption: "standard_recall@k, expected over ties, by k".into(),
            columns: heads("system", &ks),
            rows: rows(&curves, &ks),
        },
        notes,
    }
    .worded())
}

fn seen(lineup: &Lineup<'_>, curves: &[Curve<'_, '_>], ks: &[usize]) -> String {
    let middle = ks.iter().copied().filter(|k| *k <= 10).max().unwrap_or(1);
    let Some((first, at_1)) = leaders(curves, 1) else {
        return "No contestant has a curve; the systems to compare with are drawn.".into();
    };
    let mut said = format!(
        "At the first place {} {} with {}{}",
        some(&first),
        lead(&first),
        written(at_1),
        beside(lineup, curves, 1, &first)
    );
    if let Some((names, at)) = leaders(curves, middle).filter(|_| middle > 1) {
        let who = match (names == first, first.len()) {
            (true, 1) => "it still".to_owned(),
            (true, _) => "they still".to_owned(),
            _ => some(&names),
        };
        said += &format!(
            "; among the first {} {who} {} with {}{}",
            thousands(middle),
            lead(&names),
            written(at),
            beside(lineup, curves, middle, &names)
        );
    }
    said + "."
}

/// In the number of its subject.
const fn lead(names: &[&str]) -> &'static str {
    if names.len() == 1 { "leads" } else { "lead" }
}
