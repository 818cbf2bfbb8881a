//! A folder of runs: all that it takes to score, compare and show them again.
//!
//! ```text
//! results.json       what was scored, against what, how, the scores; its section `run` alone differs from run to run
//! runs/{system}.run  TREC runs, scores with round-trip precision
//! per-query.jsonl    every metric of every query and system
//! qrels.txt          TREC qrels
//! rivals.jsonl       rivals by query, where the data set has them
//! queries.jsonl      each query's text, filing, fact, distance to its evidence, alternatives
//! filings.jsonl      which chunks belong together
//! ```

use serde::Serialize;
use serde_json::{Map, Value, json};

use eightk_dataset::Staging;
use eightk_measure::trec;

use super::measured::SystemPhases;
use super::results::{Ranking, Report, sha256};
use super::{Against, Scored, Systems};
use crate::failure::{Failure, Outcome};

/// `results.json`.
#[derive(Serialize)]
struct Results<'r> {
    tool: &'static str,
    version: &'static str,
    #[serde(flatten)]
    report: Report,
    rankings: Vec<Ranking>,
    run: RunFacts<'r>,
}

/// What is of this run and this machine.
#[derive(Serialize)]
struct RunFacts<'r> {
    threads: usize,
    systems: &'r [SystemPhases],
}

/// Writes the folder whole or not at all. It was begun before anything was run: a name that is taken is told of before work is done.
pub(crate) fn save(
    folder: Staging,
    (against, systems, scored): (&Against, &Systems, &Scored),
    depth: usize,
) -> Outcome {
    let mut rankings = Vec::new();
    for ((run, system), findings) in systems.runs.iter().zip(&systems.descriptions).zip(&systems.findings) {
        let (file, text) = (free_name(&run.system, &rankings), trec::write_run(run)?);
        folder.file(&file, text.as_bytes())?;
        let nothing = run.queries.iter().filter(|(_, hits)| hits.is_empty());
        rankings.push(Ranking {
            name: run.system.clone(),
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
    folder.file("qrels.txt", trec::write_qrels(&against.judgements.qrels)?.as_bytes())?;
    if let Some(rivals) = &against.rivals {
        folder.file("rivals.jsonl", lines(rivals)?.as_bytes())?;
    }
    folder.file("queries.jsonl", lines(&against.queries)?.as_bytes())?;
    folder.file("filings.jsonl", lines(&against.filings)?.as_bytes())?;
    folder.file("per-query.jsonl", lines(&per_query(against, scored))?.as_bytes())?;
    let results = Results {
        tool: "eightk",
        version: env!("CARGO_PKG_VERSION"),
        report: scored.report(against, &systems.failed),
        rankings,
        run: RunFacts { threads: rayon::current_num_threads(), systems: &systems.phases(scored) },
    };
    folder.file("results.json", pretty(&results)?.as_bytes())?;
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

fn per_query(against: &Against, scored: &Scored) -> Vec<Value> {
    let texts: std::collections::BTreeMap<&str, &str> =
        against.queries.iter().map(|q| (q.query.as_str(), q.text.as_str())).collect();
    let mut rows = Vec::new();
    for system in scored.systems.iter().map(|s| &s.scores) {
        for (i, outcome) in system.queries.iter().enumerate() {
            let metrics: Map<String, Value> = system
                .metrics
                .iter()
                .map(|m| {
                    let spread = m.per_query.get(i).copied().flatten();
                    (m.metric.to_string(), spread.map_or(Value::Null, |s| json!(s.expected)))
                })
                .collect();
            rows.push(json!({
                "system": system.name,
                "query": outcome.query,
                "text": texts.get(outcome.query.as_str()),
                "retrieved": outcome.retrieved,
                "answer_rank": outcome.answer_rank,
                "answer_tie": outcome.answer_tie,
                "rivals": outcome.rivals,
                "rivals_above": outcome.rivals_above,
                "rivals_level": outcome.rivals_level,
                "metrics": metrics,
            }));
        }
    }
    rows
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
