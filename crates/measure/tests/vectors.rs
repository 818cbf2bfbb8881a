//! Every score against values brute-forced elsewhere (all orders inside each tie; `trec` checked with `pytrec_eval`).
//!
//! The vectors are shared data and not part of the repository: without the folder the test says so and passes, unless
//! `EIGHTK_SHARED` promises that the folder is there.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // a test may panic, and says when it skips

use std::collections::BTreeMap;
use std::path::PathBuf;

use eightk_measure::{Judgements, Metric, Options, score, trec};
use serde_json::Value as Json;

#[allow(clippy::disallowed_methods)]
fn shared() -> Option<PathBuf> {
    let stated = std::env::var("EIGHTK_SHARED").ok();
    let promised = stated.is_some();
    let folder =
        stated.map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(!promised, "EIGHTK_SHARED names {}, which is no folder", folder.display());
    eprintln!("skipped: no shared data at {}", folder.display());
    None
}

/// A vector's qrels and run as TREC text.
fn as_trec(vector: &Json) -> (String, String) {
    let text = |score: &Json| score.as_str().map_or_else(|| score.to_string(), str::to_owned);
    let mut qrels = String::new();
    for (query, grades) in vector["qrels"].as_object().unwrap() {
        for (document, grade) in grades.as_object().unwrap() {
            qrels += &format!("{query} 0 {document} {grade}\n");
        }
    }
    let mut run = String::new();
    for (query, hits) in vector["run"].as_object().unwrap() {
        for (rank, hit) in hits.as_array().unwrap().iter().enumerate() {
            run += &format!("{query} Q0 {} {} {} system\n", hit[0].as_str().unwrap(), rank + 1, text(&hit[1]));
        }
    }
    (qrels, run)
}

/// What scoring a vector gives, from text to JSON.
fn scored(vector: &Json) -> Result<Json, String> {
    let (qrels, run) = as_trec(vector);
    let qrels = trec::parse_qrels(qrels.as_bytes(), "q.qrels").map_err(|e| e.to_string())?.value;
    let run = trec::parse_run(run.as_bytes(), "system.run").map_err(|e| e.to_string())?.value;
    let rivals = vector["rivals"].as_object().map(|lists| {
        let ids = |list: &Json| list.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
        lists.iter().map(|(query, list)| (query.clone(), ids(list))).collect::<BTreeMap<String, Vec<String>>>()
    });
    let metrics: Vec<Metric> = vector["want"].as_object().into_iter().flatten().map(|m| m.0.parse().unwrap()).collect();
    let judgements = Judgements { qrels, rivals, ..Judgements::default() };
    let options = Options { draws: 200, ..Options::default() };
    let scores = score(&run, &judgements, &metrics, &options).map_err(|e| e.to_string())?;
    Ok(serde_json::to_value(eightk_measure::SystemReport::from(&scores)).unwrap())
}

#[test]
fn agrees_with_every_vector() {
    let Some(folder) = shared() else { return };
    let vectors: Json =
        serde_json::from_slice(&std::fs::read(folder.join("data/metrics/vectors.json")).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for vector in vectors.as_array().unwrap() {
        let name = vector["name"].as_str().unwrap();
        match (scored(vector), vector["must_mention"].as_array()) {
            (Ok(_), Some(_)) => wrong.push(format!("{name}: accepted, though {}", vector["error"])),
            (Err(message), Some(words)) => {
                let lacking = words.iter().filter(|w| !message.contains(w.as_str().unwrap()));
                wrong.extend(lacking.map(|w| format!("{name}: no {w} in: {message}")));
            }
            (Err(message), None) => wrong.push(format!("{name}: {message}")),
            (Ok(got), None) => {
                for key in ["missing", "ignored", "undefined"] {
                    if got[key] != vector[key] {
                        wrong.push(format!("{name}: {key} is {}, not {}", got[key], vector[key]));
                    }
                }
                for (metric, readings) in vector["want"].as_object().unwrap() {
                    for (reading, want) in readings.as_object().unwrap() {
                        let value = &got["metrics"][metric][reading];
                        if value.as_f64().is_none_or(|v| (v - want.as_f64().unwrap()).abs() > 1e-9) {
                            wrong.push(format!("{name}: {metric} {reading} is {value}, not {want}"));
                        }
                    }
                }
            }
        }
    }
    assert!(vectors.as_array().unwrap().len() >= 65, "vectors are lacking");
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}
