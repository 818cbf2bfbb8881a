//! Systems run on a data set.

use std::collections::BTreeMap;

use eightk_core::Run;
use eightk_measure::FailedSystem;
use eightk_retrieve::{Corpus, Description, Knowledge, QueryInput, SystemSpec, build, run_system};

use super::JudgedSet;
use crate::failure::{Failure, Outcome};
use crate::output::Progress;

/// Rankings, and what made them.
pub(crate) struct Systems {
    pub(crate) runs: Vec<Run>,
    pub(crate) descriptions: Vec<Description>,
    /// Names of floors and ceilings, which are made from the judgements.
    pub(crate) references: Vec<String>,
    /// Systems that could not run. One that failed has no score; a 0 would be a claim about it.
    pub(crate) failed: Vec<FailedSystem>,
}

/// Indexes the data set for each system and runs all queries, `depth` chunks deep.
pub(crate) fn run_systems(set: &JudgedSet, specs: &[SystemSpec], depth: usize, quiet: bool) -> Outcome<Systems> {
    let names: Vec<String> = specs.iter().map(ToString::to_string).collect();
    if let Some(twice) = names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)) {
        return Err(Failure::usage(format!("system `{}` is named twice", twice.1)));
    }
    if set.dataset.queries.is_empty() {
        return Err(Failure::wrong("the data set has no query, so there is nothing to run"));
    }
    if specs.is_empty() {
        return Err(Failure::usage("no system to run; name one with --system"));
    }
    let texts: BTreeMap<&str, &str> =
        set.dataset.filings.iter().flatten().map(|f| (f.source_url.as_str(), f.text.as_str())).collect();
    let corpus = Corpus::new(&set.dataset.chunks)?.with_texts(&texts);
    let knowledge = Knowledge { qrels: set.judged.qrels.clone(), rivals: set.rivals() };
    let ids = set.query_ids();
    let queries: Vec<QueryInput<'_>> =
        ids.iter().zip(&set.dataset.queries).map(|(id, q)| QueryInput { id, text: &q.query }).collect();
    let progress = Progress::new("systems", specs.len(), quiet);
    let mut systems =
        Systems { runs: Vec::new(), descriptions: Vec::new(), references: Vec::new(), failed: Vec::new() };
    for (spec, name) in specs.iter().zip(names) {
        let ran = build(spec, &corpus, &knowledge)
            .and_then(|system| Ok((run_system(&*system, &queries, depth)?, system.description().clone())));
        match ran {
            Ok((run, description)) => {
                if matches!(spec, SystemSpec::Random { .. } | SystemSpec::Oracle) {
                    systems.references.push(name);
                }
                systems.runs.push(run);
                systems.descriptions.push(description);
            }
            Err(e) => systems.failed.push(FailedSystem { name, reason: e.to_string() }),
        }
        progress.step();
    }
    if let (true, Some(first)) = (systems.runs.is_empty(), systems.failed.first()) {
        return Err(Failure::wrong(format!("no system could run; {}: {}", first.name, first.reason)));
    }
    Ok(systems)
}
