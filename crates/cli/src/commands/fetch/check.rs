//! `eightk fetch --check`: is everything in the store as it was fetched, and is all of every plan there?

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use eightk_edgar::EdgarError;
use eightk_edgar::fetch::Plan;
use eightk_edgar::store::{self, CheckReport, Store, Trouble};

use crate::failure::Outcome;
use crate::output::width::hanging;
use crate::output::{self, megabytes, thousands};

pub(super) fn run(path: &Path, json: bool) -> Outcome<ExitCode> {
    let store = Store::look(path)?;
    let mut plans = Vec::new();
    let mut unreadable = Vec::new();
    for name in store.plans()? {
        match store.plan::<Plan>(&name) {
            Ok(plan) => plans.extend(plan),
            Err(EdgarError::Damaged { problem, .. }) => {
                unreadable.push(Trouble { path: format!("plans/{name}.json"), problem });
            }
            Err(e) => return Err(e.into()),
        }
    }
    let wanted = plans.iter().flat_map(|p| p.picks.iter().map(|pick| &pick.accession));
    let mut report = store::check(&store, wanted)?;
    report.damaged.extend(unreadable);
    if json {
        output::json(&report)?;
    } else {
        output::text(&describe(path, plans.len(), &report))?;
    }
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn describe(path: &Path, plans: usize, r: &CheckReport) -> String {
    let mut out = format!("{}\n", path.display());
    let mut row = |n: usize, what: String| {
        out += &hanging(&format!("  {:>9} {what}", thousands(n)), 12);
    };
    row(r.whole, format!("filings as they were fetched ({})", megabytes(r.bytes)));
    row(r.damaged.len(), "damaged".into());
    row(r.missing.len(), format!("missing of {plans} plan{}", if plans == 1 { "" } else { "s" }));
    let mut list = |what: &str, troubles: &[Trouble]| {
        for t in troubles {
            out += &hanging(&format!("  {what} {}: {}", t.path, t.problem), 4);
        }
    };
    list("damaged", &r.damaged);
    list("unexpected", &r.unexpected);
    list("note", &r.notes);
    for accession in &r.missing {
        let _ = writeln!(out, "  missing {accession}");
    }
    if !r.is_sound() {
        out += "next: the fetch that brought these filings brings what is missing or damaged;\n      what no plan names is yours to remove\n";
    }
    out
}
