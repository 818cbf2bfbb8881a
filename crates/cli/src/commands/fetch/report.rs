//! What a run came to, as data: the JSON of `fetch`, and what its summary is written from.

use std::collections::BTreeMap;

use serde::Serialize;

use eightk_core::Accession;
use eightk_edgar::fetch::{Downloaded, NotFetched, Order, Plan, Progressed, Refusal, Road};
use eightk_edgar::store::Store;

use super::Args;

/// The JSON of a run.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    pub(super) store: String,
    pub(super) plan: Option<String>,
    pub(super) reused: bool,
    pub(super) road: Road,
    pub(super) rule: &'a str,
    pub(super) found: Option<Sums<'a>>,
    pub(super) picked: usize,
    pub(super) stored: usize,
    pub(super) downloaded: usize,
    pub(super) adopted: usize,
    pub(super) submissions: usize,
    pub(super) unclosed: usize,
    pub(super) bytes: u64,
    pub(super) refused: &'a [NotFetched],
    pub(super) left: usize,
    pub(super) complete: bool,
    /// Of a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) would: Option<Would<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ended_by: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Sums<'a> {
    pub(super) hits: usize,
    pub(super) filings: usize,
    pub(super) left_out: &'a BTreeMap<String, usize>,
    pub(super) passed_over: &'a BTreeMap<String, usize>,
    pub(super) incomplete: &'a BTreeMap<String, usize>,
    pub(super) refused: &'a [Refusal],
    pub(super) notes: &'a [String],
}

/// What a dry run would do.
#[derive(Debug, Serialize)]
pub(super) struct Would<'a> {
    pub(super) requests: usize,
    pub(super) seconds: f64,
    pub(super) filings: Vec<Wanted<'a>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Wanted<'a> {
    pub(super) accession: &'a Accession,
    pub(super) filed: String,
    pub(super) company: &'a str,
    pub(super) document: Option<&'a str>,
}

/// Where the plan is, when it was written down.
fn plan_path(args: &Args, order: &Order, store: &Store, reused: bool) -> Option<String> {
    let path = if args.offline && !reused { None } else { store.plan_path(&order.key()).ok() };
    path.map(|p| p.display().to_string())
}

fn sums(plan: &Plan) -> Sums<'_> {
    let c = &plan.counts;
    Sums {
        hits: c.hits,
        filings: c.filings,
        left_out: &c.left_out,
        passed_over: &c.passed_over,
        incomplete: &c.incomplete,
        refused: &c.refused,
        notes: &c.notes,
    }
}

/// What there is to say of any plan.
pub(super) fn planned<'a>(
    args: &Args,
    order: &Order,
    store: &Store,
    plan: &'a Plan,
    reused: bool,
    stored: usize,
) -> Report<'a> {
    Report {
        store: args.store.display().to_string(),
        plan: plan_path(args, order, store, reused),
        reused,
        road: plan.road,
        rule: &plan.rule_in_words,
        found: Some(sums(plan)),
        picked: plan.picks.len(),
        stored,
        downloaded: 0,
        adopted: 0,
        submissions: 0,
        unclosed: 0,
        bytes: 0,
        refused: &[],
        left: plan.picks.len() - stored.min(plan.picks.len()),
        complete: plan.is_settled() && stored == plan.picks.len(),
        would: None,
        ended_by: None,
    }
}

/// Of a run that downloaded.
pub(super) fn downloaded<'a>(planned: Report<'a>, done: &'a Downloaded, settled: bool) -> Report<'a> {
    Report {
        downloaded: done.downloaded,
        adopted: done.adopted,
        submissions: done.submissions,
        unclosed: done.unclosed,
        bytes: done.bytes,
        refused: &done.refused,
        left: done.left,
        complete: settled && done.refused.is_empty() && done.left == 0 && done.ended_by.is_none(),
        ended_by: done.ended_by.as_ref().map(ToString::to_string),
        ..planned
    }
}

/// Of a dry run.
pub(super) fn dry<'a>(planned: Report<'a>, args: &Args, progressed: &'a Progressed) -> Report<'a> {
    let requests = progressed.missing.len() - progressed.at_hand.min(progressed.missing.len());
    let filings = progressed.missing.iter().map(|f| Wanted {
        accession: &f.accession,
        filed: f.filed.to_string(),
        company: f.issuer().map_or("", |i| &i.name),
        document: f.document.as_deref(),
    });
    let would = Would { requests, seconds: requests as f64 / args.rate, filings: filings.collect() };
    Report { would: Some(would), ..planned }
}
