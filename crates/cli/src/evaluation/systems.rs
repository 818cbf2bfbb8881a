//! Systems run on a data set.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::Run;
use eightk_measure::FailedSystem;
use eightk_retrieve::{Description, Encoders, Findings, SystemSpec, build, run_system};
use eightk_runs::{Encoding, Phase, Swapped, SystemPhases, prompts, remark, swapped};

use super::ground::Ground;
use super::measured::measured;
use super::{JudgedSet, Scored};
use crate::failure::{Failure, Outcome};
use crate::output::{Progress, thousands};

/// Rankings, and what made them.
#[derive(Default)]
pub(crate) struct Systems {
    pub(crate) runs: Vec<Run>,
    pub(crate) descriptions: Vec<Description>,
    /// The specs that made them.
    pub(crate) specs: Vec<SystemSpec>,
    /// What each system found out about itself.
    pub(crate) findings: Vec<Findings>,
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
pub(crate) fn run_systems(
    set: &JudgedSet,
    specs: &[SystemSpec],
    encoders: &dyn Encoders,
    depth: usize,
    progress: &Progress,
) -> Outcome<Systems> {
    let names = SystemSpec::labels(specs)?;
    let ground = Ground::new(set, specs)?;
    let queries = ground.queries();
    let mut systems = Systems::default();
    for (spec, name) in specs.iter().zip(names) {
        progress.say(&name);
        let (system, index) = measured(|| build(spec, &ground.corpus, &ground.knowledge, encoders));
        let ran = system.and_then(|system| {
            let (run, search) = measured(|| run_system(&*system, &queries, depth));
            Ok((run?, system.description().clone(), system.findings(), search))
        });
        match ran {
            Ok((run, description, findings, search)) => {
                systems.runs.push(run);
                systems.findings.push(findings);
                systems.descriptions.push(description);
                systems.specs.push(spec.clone());
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
        let all = self.runs.iter().zip(&self.took).zip(&scored.phases).zip(&self.findings);
        all.map(|(((run, (index, search)), score), findings)| SystemPhases {
            name: run.system.clone(),
            index: *index,
            search: *search,
            score: *score,
            encoding: Encoding::of(findings),
        })
        .collect()
    }

    /// What they have to say of themselves.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let all = self.runs.iter().zip(&self.findings);
        let own = all.filter_map(|(run, f)| remark(&run.system, f.truncated_inputs, &f.notes, &f.per_query));
        prompts(&self.descriptions).into_iter().chain(own).collect()
    }

    /// What encoders had to do, in words; none where no system has one.
    pub(crate) fn encoding(&self) -> Option<String> {
        let sum = |of: fn(&Findings) -> u64| self.findings.iter().map(of).sum::<u64>();
        let (encoded, cached, requests) = (sum(|f| f.encoded), sum(|f| f.cached), sum(|f| f.requests));
        let n = |n: u64| thousands(usize::try_from(n).unwrap_or(usize::MAX));
        let asked = match requests {
            0 => String::new(),
            _ => format!("; {} requests, {} tokens", n(requests), n(sum(|f| f.tokens))),
        };
        (encoded + cached + requests > 0)
            .then(|| format!("{} vectors made or read, {} taken from the cache{asked}", n(encoded), n(cached)))
    }

    /// Those whose encoder was handed a context and did not look at it.
    pub(crate) fn context_free(&self) -> BTreeSet<String> {
        let all = self.runs.iter().zip(&self.findings);
        all.filter(|(_, found)| found.context_free).map(|(run, _)| run.system.clone()).collect()
    }

    /// What was exchanged, by system.
    pub(crate) fn swapped(&self) -> BTreeMap<String, Swapped> {
        let all = self.runs.iter().zip(&self.findings);
        all.filter_map(|(run, found)| Some((run.system.clone(), swapped(&found.per_query)?))).collect()
    }
}
