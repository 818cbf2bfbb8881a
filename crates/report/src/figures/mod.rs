//! The pictures of a report, each with its numbers and a sentence that says what can be seen in it.
//!
//! A figure is data: a chart, a table of the same numbers for whoever cannot see it or wants to copy them, one sentence worked
//! out of those numbers, and notes on what is left out. How they stand on a page is the page's business, and so is escaping:
//! nothing here but the SVG is mark-up. Everything is made from the [`Account`] alone: curves come from the places of answers
//! and rivals that it holds, not from the runs.
//!
//! What cannot be drawn is absent with its reason ([`Figures::absent`]): a data set without rivals, runs without a ladder of
//! views. The road not taken is a figure for every system: with seventeen of them a chart shows none. Contestants come first,
//! then what they are compared with, eight lines at most; the table has them all, and a note names who is in it alone.

mod confusion;
mod corpus;
mod differences;
mod figure;
mod grid;
mod ladder;
mod lines;
mod lineup;
mod recall;
mod rivals;
mod scores;
mod words;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use eightk_measure::Metric;
use eightk_runs::Account;

pub use figure::{Chart, Figure, FigureCell, FigureRow, FigureTable};
use lineup::Lineup;

/// What can be shown of an account.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// Recall at every depth.
    pub recall: Option<Figure>,
    /// Rival AUC by system.
    pub rival_auc: Option<Figure>,
    /// `resolved@1` by system.
    pub resolved: Option<Figure>,
    /// Success against the number of rivals.
    pub rivals: Option<Figure>,
    /// Success against the size of the corpus.
    pub corpus: Option<Figure>,
    /// What context brings, model by model, each followed by whose context its rankings follow where that was tested.
    pub ladders: Vec<Figure>,
    /// Whose sentence was taken for whose: the best contestant, then the bare baseline.
    pub confusions: Vec<Figure>,
    /// Differences from the baseline, metric by metric.
    pub differences: Vec<Figure>,
    /// What there is no figure of, and why, in whole sentences.
    pub absent: Vec<String>,
}

impl Figures {
    /// All of them in the order in which they are best read.
    pub fn all(&self) -> impl Iterator<Item = &Figure> {
        let scores = self.rival_auc.iter().chain(&self.resolved).chain(&self.differences);
        let curves = self.recall.iter().chain(&self.rivals).chain(&self.corpus);
        scores.chain(curves).chain(&self.ladders).chain(&self.confusions)
    }
}

/// Makes every figure that the account has numbers for. Pure: the same account gives the same figures.
pub fn figures(account: &Account) -> Figures {
    let lineup = Lineup::new(account);
    let mut absent = Vec::new();
    let mut kept = |figure: Result<Figure, String>| match figure {
        Ok(figure) => Some(figure),
        Err(why) => {
            absent.push(why);
            None
        }
    };
    let rival_auc = kept(scores::of_systems(&lineup, Metric::RivalAuc));
    let resolved = kept(scores::of_systems(&lineup, Metric::ResolvedAt1));
    let recall = kept(recall::figure(&lineup));
    let rivals = kept(rivals::figure(&lineup));
    let corpus = kept(corpus::figure(&lineup));
    let ladders = account.results.report.ablations.iter().flat_map(|a| ladder::figures(&lineup, a));
    let ladders = ladders.filter_map(&mut kept).collect();
    let confusions = confusion::usual(&lineup).into_iter().filter_map(|name| kept(confusion::figure(&lineup, name)));
    let confusions = confusions.collect();
    let differences = differences::figures(&lineup);
    if differences.is_empty() {
        absent.push("Nothing was compared with a baseline, so there are no differences to show.".to_owned());
    }
    absent.sort();
    absent.dedup();
    let mut all = Figures { recall, rival_auc, resolved, rivals, corpus, ladders, confusions, differences, absent };
    let mut taken = BTreeSet::new();
    for figure in all.ladders.iter_mut().chain(&mut all.confusions).chain(&mut all.differences) {
        let id = figure.id.clone();
        let numbered = (2..).map(|n| format!("{id}-{n}"));
        // Names that differ in signs alone have one id.
        if let Some(free) = std::iter::once(id.clone()).chain(numbered).find(|id| !taken.contains(id)) {
            taken.insert(free.clone());
            figure.id = free;
        }
    }
    all
}

/// Whose sentence one system took for whose; as [`Figures::confusions`], for any system.
///
/// # Errors
/// Why there is no such figure, as a sentence.
pub fn confusion(account: &Account, system: &str) -> Result<Figure, String> {
    confusion::figure(&Lineup::new(account), system)
}
