//! Every closed form against all orders inside ties, enumerated, with each metric written out naively from its definition.
#![allow(clippy::unwrap_used)] // a test or a bench may panic: helpers outside `#[test]` included

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::{Hit, Qrels, Run};
use eightk_measure::{Filings, Judgements, Metric, Options, score};
use proptest::prelude::*;

const DOCUMENTS: [&str; 7] = ["a#1", "b#1", "c#1", "a#2", "b#2", "c#2", "é#1"];

fn filing(document: &str) -> &str {
    document.split('#').next().unwrap()
}

/// One query's world.
#[derive(Debug, Clone)]
struct Case {
    /// Score by document; `None`: not retrieved.
    scores: Vec<Option<u8>>,
    grades: Vec<i64>,
    rivals: BTreeSet<usize>,
    alternatives: BTreeSet<usize>,
}

fn cases() -> impl Strategy<Value = Case> {
    let n = DOCUMENTS.len();
    let retrieved = prop_oneof![3 => (0_u8..3).prop_map(Some), 1 => Just(None)];
    let grade = prop_oneof![4 => Just(0_i64), 3 => Just(2), 2 => Just(1), 1 => Just(-1), 1 => Just(3)];
    let some = || prop::collection::btree_set(0..n, 0..4);
    (prop::collection::vec(retrieved, n), prop::collection::vec(grade, n), some(), some())
        .prop_map(|(scores, grades, rivals, alternatives)| Case { scores, grades, rivals, alternatives })
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    items.iter().fold(vec![vec![]], |all, item| {
        let grow = |p: &Vec<usize>| (0..=p.len()).map(|at| [&p[..at], &[*item], &p[at..]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(grow).collect()
    })
}

impl Case {
    fn answer_grade(&self) -> i64 {
        if self.grades.iter().any(|g| *g >= 2) { 2 } else { 1 }
    }

    fn answers(&self) -> BTreeSet<usize> {
        (0..DOCUMENTS.len()).filter(|d| self.grades[*d] >= self.answer_grade()).collect()
    }

    fn evidence(&self) -> BTreeSet<usize> {
        (0..DOCUMENTS.len()).filter(|d| self.grades[*d] > 0 && self.grades[*d] < self.answer_grade()).collect()
    }

    fn rivals(&self) -> BTreeSet<usize> {
        &self.rivals - &self.answers()
    }

    /// Tie groups from the top; the last holds what was not retrieved.
    fn groups(&self) -> Vec<Vec<usize>> {
        let at = |score| (0..DOCUMENTS.len()).filter(|d| self.scores[*d] == score).collect::<Vec<_>>();
        vec![at(Some(2)), at(Some(1)), at(Some(0)), at(None)]
    }

    /// All orders of all documents that the scores allow.
    fn orders(&self) -> Vec<Vec<usize>> {
        self.groups().iter().fold(vec![vec![]], |all, group| {
            let shuffles = permutations(group);
            all.iter().flat_map(|head| shuffles.iter().map(|tail| [&head[..], tail].concat())).collect()
        })
    }

    fn trec_order(&self) -> Vec<usize> {
        let mut groups = self.groups();
        for group in &mut groups {
            group.sort_by(|a, b| DOCUMENTS[*b].as_bytes().cmp(DOCUMENTS[*a].as_bytes()));
        }
        groups.concat()
    }

    /// A metric on one order, from its definition; `None` where it has no value.
    fn naive(&self, metric: Metric, order: &[usize]) -> Option<f64> {
        let retrieved = &order[..self.scores.iter().flatten().count()];
        let top = |k: usize| retrieved[..k.min(retrieved.len())].iter().copied().collect::<BTreeSet<usize>>();
        let (answers, evidence, rivals) = (self.answers(), self.evidence(), self.rivals());
        let positives = &answers | &evidence;
        let recall = |golds: &BTreeSet<usize>, k| {
            (!golds.is_empty()).then(|| (golds & &top(k)).len() as f64 / golds.len() as f64)
        };
        let any = |set: &BTreeSet<usize>, k| f64::from(u8::from(!(set & &top(k)).is_empty()));
        let ndcg = |defined: bool, k: usize, gain: &dyn Fn(usize) -> f64| {
            let sum =
                |list: Vec<f64>| list.iter().take(k).enumerate().map(|(i, g)| g / ((i + 2) as f64).log2()).sum::<f64>();
            let mut ideal: Vec<f64> = (0..DOCUMENTS.len()).map(gain).collect();
            ideal.sort_by(|a, b| b.total_cmp(a));
            defined.then(|| sum(retrieved.iter().map(|d| gain(*d)).collect()) / sum(ideal))
        };
        let positive = |d: usize| self.grades[d].max(0) as f64;
        let contested = !answers.is_empty() && !rivals.is_empty();
        match metric {
            Metric::StandardRecall(k) => recall(&answers, k),
            Metric::EvidenceRecall(k) => recall(&positives, k),
            Metric::EvidenceOnlyRecall(k) => recall(&evidence, k),
            Metric::AnswerAny(k) => (!answers.is_empty()).then(|| any(&(&answers | &self.alternatives), k)),
            Metric::Ndcg(k) => ndcg(!positives.is_empty(), k, &positive),
            Metric::NdcgExp(k) => ndcg(!positives.is_empty(), k, &|d| positive(d).exp2() - 1.0),
            Metric::NdcgAnswer(k) => {
                ndcg(!answers.is_empty(), k, &|d| if answers.contains(&d) { positive(d) } else { 0.0 })
            }
            Metric::Joint(k) => {
                (!answers.is_empty() && !evidence.is_empty()).then(|| any(&answers, k) * any(&evidence, k))
            }
            Metric::Mrr => (!answers.is_empty())
                .then(|| retrieved.iter().position(|d| answers.contains(d)).map_or(0.0, |at| 1.0 / (at + 1) as f64)),
            Metric::Map | Metric::MapAt(_) => (!answers.is_empty()).then(|| {
                let k = metric.cutoff().unwrap_or(usize::MAX);
                let precision = |rank: usize| (&answers & &top(rank)).len() as f64 / rank as f64;
                let found = (0..retrieved.len().min(k)).filter(|i| answers.contains(&retrieved[*i]));
                found.map(|i| precision(i + 1)).sum::<f64>() / answers.len() as f64
            }),
            Metric::RivalRank => contested.then(|| {
                let mut members = order.iter().filter(|d| answers.contains(d) || rivals.contains(d));
                (members.position(|d| answers.contains(d)).unwrap() + 1) as f64
            }),
            Metric::RivalAuc => contested.then(|| {
                let best = answers.iter().map(|d| self.scores[*d]).max().unwrap();
                let won = |r: &usize| match best.cmp(&self.scores[*r]) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
                rivals.iter().map(won).sum::<f64>() / rivals.len() as f64
            }),
            Metric::ResolvedAt1 => contested.then(|| {
                let first = order.iter().find(|d| answers.contains(d) || rivals.contains(d)).unwrap();
                f64::from(u8::from(answers.contains(first)))
            }),
            Metric::FilingResolvedAt1 => {
                let of = |set: &BTreeSet<usize>| set.iter().map(|d| filing(DOCUMENTS[*d])).collect::<BTreeSet<_>>();
                let own = of(&answers);
                let others = &of(&rivals) - &own;
                (contested && !others.is_empty()).then(|| {
                    let first =
                        order.iter().map(|d| filing(DOCUMENTS[*d])).find(|f| own.contains(f) || others.contains(f));
                    f64::from(u8::from(own.contains(first.unwrap())))
                })
            }
            Metric::TemplateHit(k) => contested.then(|| any(&(&answers | &rivals), k)),
            Metric::Impostor(k) => contested.then(|| (&rivals & &top(k)).len() as f64 / k as f64),
        }
    }

    fn judgements(&self) -> Judgements {
        let ids = |set: &BTreeSet<usize>| set.iter().map(|d| DOCUMENTS[*d].to_owned()).collect::<Vec<_>>();
        let grades = DOCUMENTS.iter().zip(&self.grades).map(|(d, g)| ((*d).to_owned(), *g)).collect();
        Judgements {
            qrels: Qrels { queries: BTreeMap::from([("q".to_owned(), grades)]) },
            rivals: Some(BTreeMap::from([("q".to_owned(), ids(&self.rivals))])),
            alternatives: BTreeMap::from([("q".to_owned(), ids(&self.alternatives))]),
            filing_of: Some(Filings::new(DOCUMENTS.iter().map(|d| (*d, filing(d))))),
            clusters: BTreeMap::new(),
        }
    }

    fn run(&self) -> Run {
        let hit = |(d, s): (&&str, &Option<u8>)| s.map(|s| Hit { id: (*d).to_owned(), score: f64::from(s) });
        let hits = DOCUMENTS.iter().zip(&self.scores).filter_map(hit).collect();
        Run { system: "s".into(), queries: BTreeMap::from([("q".to_owned(), hits)]) }
    }
}

/// Every metric, at cut-offs inside, at the end of, and beyond the list.
fn metrics() -> Vec<Metric> {
    let mut all = Vec::new();
    for name in Metric::NAMES {
        if name.ends_with("@k") {
            all.extend([1, 2, 3, 5, 7, 20].map(|k| name.replace("@k", &format!("@{k}")).parse::<Metric>().unwrap()));
        } else {
            all.push(name.parse().unwrap());
        }
    }
    all
}

const NO_DRAWS: Options = Options { draws: 0, seed: 0, confidence: 0.95 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn closed_forms_are_the_mean_and_the_bounds_of_all_orders(case in cases()) {
        let metrics = metrics();
        let scores = score(&case.run(), &case.judgements(), &metrics, &NO_DRAWS).unwrap();
        let orders = case.orders();
        let trec = case.trec_order();
        for metric in metrics {
            let got = scores.metric(metric).unwrap().per_query[0];
            let values: Option<Vec<f64>> = orders.iter().map(|order| case.naive(metric, order)).collect();
            let Some(values) = values else {
                prop_assert!(got.is_none(), "{metric} has no value, but got {got:?}");
                continue;
            };
            let got = got.unwrap();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let (best, worst) = if metric.higher_is_better() { (high, low) } else { (low, high) };
            let want = [mean, case.naive(metric, &trec).unwrap(), best, worst];
            for (got, want) in [got.expected, got.trec, got.best, got.worst].into_iter().zip(want) {
                prop_assert!((got - want).abs() < 1e-12, "{metric}: {got} is not {want} (expected, trec, best, worst: {want:?})");
            }
        }
    }

    /// The order of lines in a run means nothing, to the last bit.
    #[test]
    fn shuffled_hits_change_no_bit(case in cases(), keys in prop::collection::vec(any::<u32>(), 7)) {
        let run = case.run();
        let mut shuffled = run.clone();
        let hits = shuffled.queries.get_mut("q").unwrap();
        hits.sort_by_key(|hit| keys[DOCUMENTS.iter().position(|d| *d == hit.id).unwrap()]);
        let of = |run: &Run| score(run, &case.judgements(), &metrics(), &NO_DRAWS).unwrap();
        prop_assert_eq!(of(&run), of(&shuffled));
    }

    /// To the last bit: nothing is averaged where there is nothing to average.
    #[test]
    fn without_ties_the_four_readings_are_one(order in Just((0..7).collect::<Vec<u8>>()).prop_shuffle(), case in cases()) {
        let case = Case { scores: order.into_iter().map(Some).collect(), ..case };
        let scores = score(&case.run(), &case.judgements(), &metrics(), &NO_DRAWS).unwrap();
        for column in &scores.metrics {
            if let Some(v) = column.per_query[0] {
                prop_assert!(v.expected == v.trec && v.best == v.trec && v.worst == v.trec, "{}: {v:?}", column.metric);
            }
        }
    }
}
