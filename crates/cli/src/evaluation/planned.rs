//! What a run would take, before anything is asked for: `eval --dry-run`.

use eightk_retrieve::{Encoders, Plan, Planner, SystemSpec};
use serde::Serialize;

use super::JudgedSet;
use super::ground::Ground;
use crate::failure::Outcome;
use crate::output::width::wrapped;
use crate::output::{Align, Table, thousands};

/// One system's plan, or why it cannot run.
#[derive(Debug, Serialize)]
pub(crate) struct Planned {
    name: String,
    spec: String,
    /// Distinct vectors needed.
    vectors: u64,
    /// Of them, in the cache or made by a system before this one.
    stored: u64,
    requests: u64,
    tokens: u64,
    /// Where a price is known or given.
    dollars: Option<f64>,
    /// Where the encoder can tell.
    seconds: Option<f64>,
    /// Why it could not run.
    refused: Option<String>,
}

/// Plans the systems in the order in which they would run.
pub(crate) fn plan(set: &JudgedSet, specs: &[SystemSpec], encoders: &dyn Encoders) -> Outcome<Vec<Planned>> {
    let names = SystemSpec::labels(specs)?;
    let ground = Ground::new(set, specs)?;
    let queries = ground.queries();
    let mut planner = Planner::new(&ground.corpus, &ground.knowledge, &queries, encoders);
    let mut plans = Vec::new();
    for (name, spec) in names.into_iter().zip(specs) {
        let (plan, refused) = match planner.plan(spec) {
            Ok(plan) => (plan, None),
            Err(e) => (Plan::default(), Some(e.to_string())),
        };
        plans.push(Planned {
            name,
            spec: spec.to_string(),
            vectors: plan.vectors,
            stored: plan.stored,
            requests: plan.estimate.requests,
            tokens: plan.estimate.tokens,
            dollars: plan.estimate.dollars,
            seconds: plan.estimate.seconds,
            refused,
        });
    }
    Ok(plans)
}

/// The plans as a table with their sums.
pub(crate) fn show_plans(plans: &[Planned]) -> String {
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        ("system", Align::Left),
        right("vectors"),
        right("kept"),
        right("requests"),
        right("tokens"),
        right("price"),
        right("time"),
    ]);
    let whole = |n: u64| thousands(usize::try_from(n).unwrap_or(usize::MAX));
    let money = |d: Option<f64>| match d {
        None => "–".to_owned(),
        Some(d) if d > 0.0 && d < 0.01 => "<$0.01".to_owned(),
        Some(d) => format!("${d:.2}"),
    };
    let time = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), clock);
    for p in plans {
        let name = p.name.clone();
        if p.refused.is_some() {
            table.row([name, "cannot run".into()]);
        } else if p.vectors == 0 && p.requests == 0 {
            table.row([name, "–".into(), "–".into(), "–".into(), "–".into(), "–".into(), "–".into()]);
        } else {
            let (dollars, seconds) =
                if p.requests == 0 && p.stored == p.vectors { (None, Some(0.0)) } else { (p.dollars, p.seconds) };
            table.row([
                name,
                whole(p.vectors),
                whole(p.stored),
                whole(p.requests),
                whole(p.tokens),
                money(dollars),
                time(seconds),
            ]);
        }
    }
    let sum = |of: fn(&Planned) -> u64| whole(plans.iter().map(of).sum());
    let known = |of: fn(&Planned) -> Option<f64>| plans.iter().filter_map(of).reduce(|a, b| a + b);
    table.row([
        "(sum)".to_owned(),
        sum(|p| p.vectors),
        sum(|p| p.stored),
        sum(|p| p.requests),
        sum(|p| p.tokens),
        money(known(|p| p.dollars)),
        time(known(|p| p.seconds)),
    ]);
    let refused = plans.iter().filter_map(|p| Some(wrapped(&format!("{}: {}", p.name, p.refused.as_ref()?))));
    let notes = [
        "vectors: all that a system needs; kept: of them, in the cache or made by a system above.",
        "No text was encoded, no service asked; models that run here were loaded, from the Hub where they were not here. Of \
         services, tokens err on the high side, and time is taken as one second a request, as many at a time as parallel= says. \
         A price only where one is known or given (price=).",
    ];
    table.render() + &notes.map(wrapped).concat() + &refused.collect::<String>()
}

/// Seconds as people read them.
fn clock(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
