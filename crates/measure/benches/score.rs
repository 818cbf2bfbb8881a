//! Reading and scoring a large run, against the obvious way: one sort per metric, golds looked up in lists.
//!
//! 1,000 queries × 1,000 ranked ids, one score in four shared with a neighbour; ids in the form of chunk ids. Once ten times as
//! many queries, and the same over several families of rivals. Other tools on the same task: `peers/compare.py`.
#![allow(clippy::unwrap_used)] // a test or a bench may panic: helpers outside `#[test]` included

use std::collections::BTreeMap;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use eightk_core::{Hit, Qrels, Run};
use eightk_measure::{Judgements, Metric, Options, RivalFamily, disambiguate, formats, score, trec};

const QUERIES: usize = 1_000;
const DEPTH: usize = 1_000;

fn main() {
    divan::main();
}

fn id(n: usize) -> String {
    format!("{:010}-25-{:06}#s{}", n * 7_919 % 1_000_003, n % 977, n * 31 % 40_000)
}

fn data() -> (Run, Judgements) {
    of_queries(QUERIES)
}

fn of_queries(queries: usize) -> (Run, Judgements) {
    let mut run = Run { system: "bench".into(), ..Run::default() };
    let mut judgements = Judgements::default();
    let mut qrels = Qrels::default();
    let mut rivals = BTreeMap::new();
    for q in 0..queries {
        let query = format!("q{q}");
        let documents: Vec<usize> = (0..DEPTH).map(|i| q * 13 + i * 17).collect();
        // Every fourth score equals the one before.
        let hit =
            |(i, d): (usize, &usize)| Hit { id: id(*d), score: 30.0 - (i - usize::from(i % 4 == 3)) as f64 * 0.01 };
        run.queries.insert(query.clone(), documents.iter().enumerate().map(hit).collect());
        let gold = |at: usize| id(documents[at % DEPTH]);
        qrels.queries.insert(query.clone(), BTreeMap::from([(gold(q % 23), 2), (gold(q % 41 + 50), 1)]));
        rivals.insert(query, (0..58).map(|i| gold(q + i * 11)).collect());
    }
    judgements.qrels = qrels;
    judgements.rivals = Some(rivals);
    (run, judgements)
}

const METRICS: &[Metric] = &[
    Metric::StandardRecall(1),
    Metric::StandardRecall(10),
    Metric::EvidenceRecall(10),
    Metric::Ndcg(10),
    Metric::NdcgAnswer(10),
    Metric::Mrr,
    Metric::RivalAuc,
    Metric::ResolvedAt1,
];

#[divan::bench]
fn score_without_intervals(bencher: Bencher<'_, '_>) {
    let (run, judgements) = data();
    let options = Options { draws: 0, ..Options::default() };
    bencher.counter(ItemsCount::new(QUERIES * DEPTH)).bench(|| score(&run, &judgements, METRICS, &options).unwrap());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn score_ten_thousand_queries(bencher: Bencher<'_, '_>) {
    let (run, judgements) = of_queries(10 * QUERIES);
    let options = Options { draws: 0, ..Options::default() };
    bencher
        .counter(ItemsCount::new(10 * QUERIES * DEPTH))
        .bench_local(|| score(&run, &judgements, METRICS, &options).unwrap());
}

#[divan::bench]
fn five_families_of_rivals(bencher: Bencher<'_, '_>) {
    let (run, judgements) = data();
    let rivals = judgements.rivals.clone().unwrap();
    let families: Vec<RivalFamily> = (1..=5)
        .map(|n| {
            let cut = rivals.iter().map(|(q, list)| (q.clone(), list.iter().take(n * 11).cloned().collect()));
            RivalFamily::given(&n.to_string(), cut.collect())
        })
        .collect();
    let options = Options { draws: 0, ..Options::default() };
    bencher
        .counter(ItemsCount::new(QUERIES * DEPTH))
        .bench(|| disambiguate(&run, &judgements, &families, Metric::DISAMBIGUATION, &options).unwrap());
}

#[divan::bench]
fn score_with_intervals(bencher: Bencher<'_, '_>) {
    let (run, judgements) = data();
    bencher
        .counter(ItemsCount::new(QUERIES * DEPTH))
        .bench(|| score(&run, &judgements, METRICS, &Options::default()).unwrap());
}

/// The first five metrics only, in one tie order only: a sort per metric and query.
#[divan::bench]
fn naive_one_order_five_metrics(bencher: Bencher<'_, '_>) {
    let (run, judgements) = data();
    bencher.counter(ItemsCount::new(QUERIES * DEPTH)).bench(|| {
        let mut totals = [0.0_f64; 5];
        for (query, grades) in &judgements.qrels.queries {
            let of = |tier: i64| grades.iter().filter(|g| *g.1 >= tier).map(|g| g.0).collect::<Vec<_>>();
            let (answers, judged) = (of(2), of(1));
            let sorted = || {
                let mut hits: Vec<Hit> = run.queries[query].clone();
                hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| b.id.cmp(&a.id)));
                hits
            };
            let recall = |golds: &[&String], k: usize| {
                sorted().iter().take(k).filter(|h| golds.contains(&&h.id)).count() as f64 / golds.len() as f64
            };
            let ndcg = |golds: &[&String]| {
                let gain = |id: &String| if golds.contains(&id) { grades[id] as f64 } else { 0.0 };
                let sum =
                    |gains: Vec<f64>| gains.iter().enumerate().map(|(i, g)| g / ((i + 2) as f64).log2()).sum::<f64>();
                let mut ideal: Vec<f64> = golds.iter().map(|id| gain(id)).collect();
                ideal.sort_by(|a, b| b.total_cmp(a));
                sum(sorted().iter().take(10).map(|h| gain(&h.id)).collect()) / sum(ideal)
            };
            for (total, value) in totals.iter_mut().zip([
                recall(&answers, 1),
                recall(&answers, 10),
                recall(&judged, 10),
                ndcg(&judged),
                ndcg(&answers),
            ]) {
                *total += value;
            }
        }
        totals
    });
}

#[divan::bench]
fn read_run(bencher: Bencher<'_, '_>) {
    let text = trec::write_run(&data().0).unwrap();
    bencher.counter(BytesCount::new(text.len())).bench(|| trec::parse_run(text.as_bytes(), "bench.run").unwrap());
}

#[divan::bench]
fn read_json(bencher: Bencher<'_, '_>) {
    let text = formats::json::write_run(&data().0).unwrap();
    bencher
        .counter(BytesCount::new(text.len()))
        .bench(|| formats::parse_run(text.as_bytes(), "bench.json", None).unwrap());
}

#[divan::bench]
fn write_run(bencher: Bencher<'_, '_>) {
    let (run, _) = data();
    bencher.counter(ItemsCount::new(QUERIES * DEPTH)).bench(|| trec::write_run(&run).unwrap());
}
