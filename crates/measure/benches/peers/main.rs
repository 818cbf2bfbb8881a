//! Times reading and scoring of given files and prints JSON: our half of `compare.py`.
//!
//! `cargo bench --bench peers -- --run FILE --qrels FILE [--repeat N]`. Without files, as in a plain `cargo bench`, it says so
//! and does nothing: there is no fair comparison without the others on the same files.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // a bench may panic, and prints what it measured

use std::time::Instant;

use eightk_measure::{Judgements, Metric, Options, formats, score};

const METRICS: &[Metric] = &[Metric::Ndcg(10), Metric::StandardRecall(10), Metric::Map, Metric::Mrr];

/// The shortest of `n` runs, in seconds, and the last result.
fn fastest<T>(n: usize, mut what: impl FnMut() -> T) -> (f64, T) {
    let timed = (0..n.max(1)).map(|_| {
        let start = Instant::now();
        let value = what();
        (start.elapsed().as_secs_f64(), value)
    });
    timed.reduce(|best, next| (best.0.min(next.0), next.1)).unwrap()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1)).cloned();
    let (Some(run), Some(qrels)) = (value("--run"), value("--qrels")) else {
        println!("peers: no files given; benches/peers/compare.py makes them and runs the other tools on them");
        return;
    };
    let repeat = value("--repeat").map_or(3, |n| n.parse().unwrap());
    let (run, qrels) = (std::fs::read(run).unwrap(), std::fs::read(qrels).unwrap());
    let (read_qrels, judged) = fastest(repeat, || formats::parse_qrels(&qrels, "qrels", None).unwrap().value);
    let (read_run, ranked) = fastest(repeat, || formats::parse_run(&run, "run", None).unwrap().value);
    let judgements = Judgements { qrels: judged, ..Judgements::default() };
    let options = Options { draws: 0, ..Options::default() };
    let (scored, scores) = fastest(repeat, || score(&ranked, &judgements, METRICS, &options).unwrap());
    let values = |reading: fn(&eightk_measure::Value) -> f64| -> serde_json::Value {
        scores
            .metrics
            .iter()
            .map(|m| (m.metric.to_string(), m.value.as_ref().map(reading).into()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let report = serde_json::json!({
        "read_qrels": read_qrels, "read_run": read_run, "score": scored,
        "trec": values(|v| v.trec), "expected": values(|v| v.expected),
    });
    println!("{report}");
}
