//! Scores for people: tables of at most 80 columns, and under them what a reader must know beside them.

mod ablation;
mod cells;
mod details;
mod differences;
mod headline;
mod notes;

use eightk_measure::FailedSystem;

use super::Scored;

/// The headline table with chance levels, differences, notes.
pub(crate) fn show(scored: &Scored, failed: &[FailedSystem]) -> String {
    let mut out = headline::headline(scored);
    out += &differences::differences(scored);
    out += &scored.ablations.iter().map(ablation::ablation).collect::<String>();
    out += "\n";
    out += &notes::notes(scored, failed);
    out
}

/// One row per metric asked for, all four readings of ties; differences, notes.
pub(crate) fn show_metrics(scored: &Scored, failed: &[FailedSystem]) -> String {
    let table = headline::every_metric(scored);
    format!("{table}{}\n{}", differences::differences(scored), notes::notes(scored, failed))
}

/// What stands behind the headline: factors, families of rivals, cuts, ties.
pub(crate) fn show_details(scored: &Scored) -> String {
    details::details(scored)
}
