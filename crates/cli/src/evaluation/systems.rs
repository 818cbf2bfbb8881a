//! Systems run on a data set.

use std::collections::BTreeMap;

use eightk_core::Run;
use eightk_retrieve::{Corpus, Description, Knowledge, QueryInput, SystemSpec, build, run_system};

use super::JudgedSet;
use crate::failure::{Failure, Outcome};
use crate::output::Progress;

/// Rankings, and what made them.
pub(crate) struct Systems {
    pub(crate) runs: Vec<Run>,
    pub(crate) descriptions: Vec<Description>,
}

/// Indexes the data set for each system and runs all queries, `depth` chunks deep.
pub(crate) fn run_systems(set: &JudgedSet, specs: &[SystemSpec], depth: usize, quiet: bool) -> Outcome<Systems> {
    let names: Vec<String> = specs.iter().map(ToString::to_string).collect();
    if let Some(twice) = names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)) {
        return Err(Failure::usage(format!("system `{}` is named twice", twice.1)));
    }
    let texts: BTreeMap<&str, &str> = set
        .dataset
        .filings
        .iter()
        .flatten()
        .map(|f| (f.source_url.as_str(), f.text.as_str()))
        .collect();
    let corpus = Corpus::new(&set.dataset.chunks)?.with_texts(&texts);
    let knowledge = Knowledge { qrels: set.judged.qrels.clone(), rivals: set.rivals() };
    let ids = set.query_ids();
    let queries: Vec<QueryInput<'_>> =
        ids.iter().zip(&set.dataset.queries).map(|(id, q)| QueryInput { id, text: &q.query }).collect();
    let progress = Progress::new("systems", specs.len(), quiet);
    let mut systems = Systems { runs: Vec::new(), descriptions: Vec::new() };
    for spec in specs {
        let system = build(spec, &corpus, &knowledge)?;
        systems.runs.push(run_system(&*system, &queries, depth)?);
        systems.descriptions.push(system.description().clone());
        progress.step();
    }
    Ok(systems)
}
