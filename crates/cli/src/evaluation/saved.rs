//! A folder of runs: all that it takes to score, compare and show them again.
//!
//! ```text
//! runs/{system}.run    TREC runs, scores with round-trip precision
//! scores.json          as eval --json prints it
//! per-query.jsonl      every metric of every query and system
//! systems.json         what each system is: view, parameters, tokenizer, seed
//! qrels.txt            TREC qrels
//! rivals.jsonl         rivals by query, where the data set has them
//! manifest.json        data set, tool version, depth, seed
//! ```

use std::path::Path;

use serde_json::{Map, Value, json};

use eightk_dataset::Staging;
use eightk_measure::{Options, trec};

use super::{JudgedSet, Scored, Systems};
use crate::failure::{Failure, Outcome};

/// Writes the folder whole or not at all.
pub(crate) fn save(
    out: &Path,
    force: bool,
    set: &JudgedSet,
    systems: &Systems,
    scored: &Scored,
    (dataset, depth, options): (&str, usize, &Options),
) -> Outcome {
    let folder = Staging::create(out, force)?;
    for run in &systems.runs {
        folder.file(&format!("runs/{}.run", file_name(&run.system)), trec::write_run(run)?.as_bytes())?;
    }
    folder.file("qrels.txt", trec::write_qrels(&set.judged.qrels)?.as_bytes())?;
    if set.dataset.rivals.is_some() {
        folder.file("rivals.jsonl", lines(set.rivals())?.as_bytes())?;
    }
    folder.file("scores.json", pretty(&scored.report(dataset, &systems.failed))?.as_bytes())?;
    folder.file("systems.json", pretty(&systems.descriptions)?.as_bytes())?;
    folder.file("per-query.jsonl", lines(&per_query(set, scored))?.as_bytes())?;
    let manifest = json!({
        "tool": "eightk",
        "version": env!("CARGO_PKG_VERSION"),
        "dataset": dataset,
        "fingerprint": set.fingerprint,
        "depth": depth,
        "draws": options.draws,
        "seed": options.seed,
        "confidence": options.confidence,
        "failed": systems.failed,
        "systems": systems.runs.iter().map(|r| json!({
            "name": r.system,
            "run": format!("runs/{}.run", file_name(&r.system)),
        })).collect::<Vec<_>>(),
    });
    folder.file("manifest.json", pretty(&manifest)?.as_bytes())?;
    folder.commit()?;
    Ok(())
}

/// A system's name as a file name: letters, digits and `.-_+=,`, anything else a dash.
fn file_name(system: &str) -> String {
    system.chars().map(|c| if c.is_ascii_alphanumeric() || ".-_+=,".contains(c) { c } else { '-' }).collect()
}

fn per_query(set: &JudgedSet, scored: &Scored) -> Vec<Value> {
    let texts: std::collections::BTreeMap<String, &str> =
        set.query_ids().into_iter().zip(set.dataset.queries.iter().map(|q| q.query.as_str())).collect();
    let mut rows = Vec::new();
    for system in &scored.systems {
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
                "text": texts.get(&outcome.query),
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

fn pretty(value: &impl serde::Serialize) -> Outcome<String> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Failure::wrong(format!("cannot write JSON: {e}")))?;
    Ok(text + "\n")
}

fn lines<T: serde::Serialize>(values: &[T]) -> Outcome<String> {
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
