//! Writing a folder of runs: all that it takes to score, compare and show them again. What its files are: [`eightk_runs`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use eightk_dataset::{DataSet, Staging};
use eightk_measure::{MetricScores, trec};
use eightk_runs::{OutcomeRow, QueryFacts, Ranking, Results, RunFacts, TextRow, file};

use super::results::sha256;
use super::standing::Standing;
use super::{Against, Scored, Systems};
use crate::failure::{Failure, Outcome};

/// How much of a ranking is put down to be shown.
const SHOWN: usize = 10;

/// Writes the folder whole or not at all. It was begun before anything was run: a name that is taken is told of before work is done.
pub(crate) fn save(
    folder: Staging,
    (dataset, against): (&DataSet, &Against),
    (systems, scored): (&Systems, &Scored),
    depth: usize,
) -> Outcome {
    let mut rankings = Vec::new();
    let made = systems.runs.iter().zip(&systems.descriptions).zip(&systems.specs);
    for (((run, system), spec), findings) in made.zip(&systems.findings) {
        let (file, text) = (free_name(&run.system, &rankings), trec::write_run(run)?);
        folder.file(&file, text.as_bytes())?;
        let nothing = run.queries.iter().filter(|(_, hits)| hits.is_empty());
        rankings.push(Ranking {
            name: run.system.clone(),
            spec: spec.to_string(),
            file,
            sha256: sha256(text.as_bytes()),
            depth,
            found_nothing: nothing.map(|(q, _)| q.clone()).collect(),
            truncated_inputs: findings.truncated_inputs,
            context_free: findings.context_free,
            notes: findings.notes.clone(),
            per_query: findings.per_query.clone(),
            system: system.clone(),
        });
    }
    folder.file(file::QRELS, trec::write_qrels(&against.judgements.qrels)?.as_bytes())?;
    if let Some(rivals) = &against.rivals {
        folder.file(file::RIVALS, lines(rivals)?.as_bytes())?;
    }
    folder.file(file::QUERIES, lines(&against.queries)?.as_bytes())?;
    folder.file(file::FILINGS, lines(&against.filings)?.as_bytes())?;
    let outcomes = outcomes(against, systems, scored);
    folder.file(file::PER_QUERY, lines(&outcomes)?.as_bytes())?;
    folder.file(file::TEXTS, lines(&texts(dataset, against, &outcomes))?.as_bytes())?;
    let results = Results {
        tool: "eightk".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        report: scored.report(against, &systems.failed),
        rankings,
        run: RunFacts { threads: rayon::current_num_threads(), systems: systems.phases(scored) },
    };
    folder.file(file::RESULTS, pretty(&results)?.as_bytes())?;
    folder.commit()?;
    Ok(())
}

/// Where a run is kept: by its name, with a number where another's is spelled alike.
fn free_name(system: &str, others: &[Ranking]) -> String {
    let name = file_name(system);
    let numbered = (2..).map(|n| format!("runs/{name}-{n}.run"));
    let mut names = std::iter::once(format!("runs/{name}.run")).chain(numbered);
    names.find(|name| others.iter().all(|r| r.file != *name)).unwrap_or_default()
}

/// A system's name as a file name: letters, digits and `.-_+=,`, anything else a dash.
fn file_name(system: &str) -> String {
    system.chars().map(|c| if c.is_ascii_alphanumeric() || ".-_+=,".contains(c) { c } else { '-' }).collect()
}

/// What became of every query, system by system.
fn outcomes(against: &Against, systems: &Systems, scored: &Scored) -> Vec<OutcomeRow> {
    let queries: BTreeMap<&str, &QueryFacts> = against.queries.iter().map(|q| (q.query.as_str(), q)).collect();
    let rivals = against.judgements.rivals.as_ref();
    let mut rows = Vec::new();
    for system in scored.systems.iter().map(|s| &s.scores) {
        let run = systems.runs.iter().find(|run| run.system == system.name);
        for (i, outcome) in system.queries.iter().enumerate() {
            let hits = run.and_then(|run| run.queries.get(&outcome.query)).map(Vec::as_slice).unwrap_or_default();
            let standing = Standing::new(hits);
            let facts = queries.get(outcome.query.as_str());
            let rivals = rivals.and_then(|r| r.get(&outcome.query)).map(Vec::as_slice).unwrap_or_default();
            let value = |m: &MetricScores| (m.metric, m.per_query.get(i).copied().flatten().map(|s| s.expected));
            rows.push(OutcomeRow {
                system: system.name.clone(),
                query: outcome.query.clone(),
                text: facts.map(|q| q.text.clone()),
                retrieved: outcome.retrieved,
                answer_rank: outcome.answer_rank,
                answer_tie: outcome.answer_tie,
                rivals: outcome.rivals,
                rivals_above: outcome.rivals_above,
                rivals_level: outcome.rivals_level,
                answers: facts.map(|q| q.answers.iter().map(|c| standing.place(c)).collect()).unwrap_or_default(),
                best_rival: standing.best(rivals),
                first: standing.first(SHOWN),
                metrics: system.metrics.iter().map(value).collect(),
            });
        }
    }
    rows
}

/// The chunks that a report shows, in the order of the data set.
fn texts(dataset: &DataSet, against: &Against, outcomes: &[OutcomeRow]) -> Vec<TextRow> {
    let golds = against.queries.iter().flat_map(|q| q.answers.iter().chain(&q.evidence).chain(&q.alternatives));
    let found =
        outcomes.iter().flat_map(|o| o.first.iter().map(|r| &r.chunk).chain(o.best_rival.iter().map(|p| &p.chunk)));
    let shown: BTreeSet<&String> = golds.chain(found).collect();
    let rows = dataset.chunks.iter().filter(|c| shown.contains(&c.id));
    rows.map(|c| TextRow {
        chunk_id: c.id.clone(),
        text: c.text.clone(),
        source_url: c.source_url.clone(),
        title: c.title.clone(),
        idx: c.idx,
    })
    .collect()
}

fn pretty(value: &impl Serialize) -> Outcome<String> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Failure::wrong(format!("cannot write JSON: {e}")))?;
    Ok(text + "\n")
}

/// One line of JSON each.
pub(crate) fn lines<T: Serialize>(values: &[T]) -> Outcome<String> {
    let mut out = String::new();
    for value in values {
        out += &serde_json::to_string(value).map_err(|e| Failure::wrong(format!("cannot write JSON: {e}")))?;
        out.push('\n');
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_make_safe_file_names() {
        assert_eq!(file_name("bm25:title+lead?k1=0.9"), "bm25-title+lead-k1=0.9");
        assert_eq!(file_name("../x"), "..-x");
    }
}
