//! Systems run on a data set.

use std::collections::BTreeMap;

use eightk_core::Run;
use eightk_measure::FailedSystem;
use eightk_retrieve::{Corpus, Description, Knowledge, NoEncoders, QueryInput, SystemSpec, build, run_system};

use super::measured::{Phase, SystemPhases, measured};
use super::{JudgedSet, Scored};
use crate::failure::{Failure, Outcome};
use crate::output::Progress;

/// Rankings, and what made them.
pub(crate) struct Systems {
    pub(crate) runs: Vec<Run>,
    pub(crate) descriptions: Vec<Description>,
    /// Systems that could not run. One that failed has no score; a 0 would be a claim about it.
    pub(crate) failed: Vec<FailedSystem>,
    /// Index and search, of each run.
    took: Vec<(Phase, Phase)>,
}

/// The systems to run: those asked for, then the floors and ceilings that are missing among them.
pub(crate) fn with_marks(asked: &[SystemSpec]) -> Vec<SystemSpec> {
    let mut marks = SystemSpec::always_shown().to_vec();
    // Chance stands at the end of a table, beside the ceiling: what is between is what one looks for.
    marks.sort_by_key(|s| matches!(s, SystemSpec::Random { .. } | SystemSpec::Oracle));
    let missing = marks.into_iter().filter(|m| !asked.contains(m));
    asked.iter().cloned().chain(missing).collect()
}

/// Indexes the data set for each system and runs all queries, `depth` chunks deep.
pub(crate) fn run_systems(set: &JudgedSet, specs: &[SystemSpec], depth: usize, quiet: bool) -> Outcome<Systems> {
    let names = SystemSpec::labels(specs)?;
    if set.dataset.queries.is_empty() {
        return Err(Failure::wrong("the data set has no query, so there is nothing to run"));
    }
    if specs.is_empty() {
        return Err(Failure::usage("no system to run; name one with --system"));
    }
    let texts: BTreeMap<&str, &str> =
        set.dataset.filings.iter().flatten().map(|f| (f.source_url.as_str(), f.text.as_str())).collect();
    let corpus = Corpus::new(&set.dataset.chunks)?.with_texts(&texts);
    let knowledge = Knowledge { qrels: set.judged.qrels.clone(), rivals: set.rivals(), ..Knowledge::default() };
    let ids = set.query_ids();
    let queries: Vec<QueryInput<'_>> =
        ids.iter().zip(&set.dataset.queries).map(|(id, q)| QueryInput { id, text: &q.query }).collect();
    let progress = Progress::new("systems", specs.len(), quiet);
    let mut systems = Systems { runs: Vec::new(), descriptions: Vec::new(), failed: Vec::new(), took: Vec::new() };
    for (spec, name) in specs.iter().zip(names) {
        let (system, index) = measured(|| build(spec, &corpus, &knowledge, &NoEncoders));
        let ran = system.and_then(|system| {
            let (run, search) = measured(|| run_system(&*system, &queries, depth));
            Ok((run?, system.description().clone(), search))
        });
        match ran {
            Ok((run, description, search)) => {
                systems.runs.push(run);
                systems.descriptions.push(description);
                systems.took.push((index, search));
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

impl Systems {
    /// What each system took, scoring included.
    pub(crate) fn phases(&self, scored: &Scored) -> Vec<SystemPhases> {
        let all = self.runs.iter().zip(&self.took).zip(&scored.phases);
        all.map(|((run, (index, search)), score)| SystemPhases {
            name: run.system.clone(),
            index: *index,
            search: *search,
            score: *score,
        })
        .collect()
    }
}
