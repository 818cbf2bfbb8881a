//! How it was scored, and what each system is: enough to do it again.

use eightk_runs::{Account, Ranking, prompts};
use maud::{Markup, html};

use super::cast::{Cast, short};
use super::scores::name;
use crate::components::local_path::without_folders;
use crate::components::numbers::thousands;
use crate::components::safe_text::{foreign, visible};

pub(super) fn scoring(account: &Account) -> Markup {
    let results = &account.results;
    let (report, settings) = (&results.report, &results.report.settings);
    html! {
        dl.pairs {
            dt { "made by" } dd { (foreign(&results.tool)) " " (foreign(&results.version)) }
            dt { "scored against" } dd {
                @match &report.data {
                    Some(d) => { (foreign(&d.name)) ", " code { (visible(&d.fingerprint)) } },
                    None => (foreign(&report.dataset)),
                }
            }
            @if let Some(d) = &report.data {
                dt { "judgements, sha256" } dd { code { (visible(&d.qrels_sha256)) } }
                @if let Some(sha) = &d.rivals_sha256 { dt { "rivals, sha256" } dd { code { (visible(sha)) } } }
                @if let Some(r) = &d.recipe { dt { "recipe, sha256" } dd { (foreign(&r.name)) ", " code { (visible(&r.sha256)) } } }
            }
            dt { "ties" } dd { (foreign(&settings.ties.replace('`', ""))) }
            dt { "intervals" } dd {
                "bootstrap, " (thousands(settings.bootstrap.draws)) " draws of whole filings, seed " (settings.bootstrap.seed) ", "
                (format!("{:.0}", settings.bootstrap.confidence * 100.0)) " %"
            }
            dt { "tests" } dd {
                "paired randomization, " (thousands(settings.randomization.draws)) " draws (counted exactly where filings are few), seed "
                (settings.randomization.seed) "; Holm’s correction"
            }
            dt { "compared on" } dd { @for (i, m) in settings.compared_on.iter().enumerate() { @if i > 0 { ", " } (short(*m)) } }
            @if let Some(base) = &settings.baseline { dt { "baseline" } dd { (foreign(base)) } }
            dt { "called chance within" } dd { (crate::components::numbers::two(settings.equivalence_margin)) }
            @if let Some(said) = prompts(results.rankings.iter().map(|r| &r.system)) { dt { "prompts" } dd { (foreign(said.trim_start_matches("Prompts: "))) } }
        }
    }
}

/// What makes a system again; folders aside.
fn spec(ranking: &Ranking) -> String {
    without_folders(if ranking.spec.is_empty() { &ranking.system.name } else { &ranking.spec })
}

pub(super) fn systems(account: &Account, cast: &Cast<'_>) -> Markup {
    html! {
        @for member in &cast.members {
            @if let Some(r) = member.ranking {
                details.fold {
                    summary { (name(member)) ": " (foreign(&r.system.summary.replace('`', ""))) }
                    dl.pairs {
                        dt { "spec" } dd { code { (visible(&spec(r))) } }
                        dt { "scorer" } dd { (foreign(&r.system.scorer)) }
                        @if let Some(view) = &r.system.view { dt { "view" } dd { (foreign(view)) } }
                        dt { "depth" } dd { (thousands(r.depth)) " sentences a query" }
                        @for (key, value) in &r.system.settings {
                            dt { (foreign(key)) }
                            dd { @if value.is_empty() { span.muted { "none" } } @else { (foreign(&without_folders(value))) } }
                        }
                        dt { "ranking" } dd { code { (visible(&r.file)) } ", sha256 " code { (visible(&r.sha256)) } }
                    }
                }
            }
        }
        @if account.results.rankings.is_empty() { p { "No rankings were saved." } }
    }
}
