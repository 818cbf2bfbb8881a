//! Order, ties and what was left out, with rerankers of ten lines.

use std::sync::atomic::{AtomicU64, Ordering};

use eightk_core::Chunk;
use eightk_encode::{Identity, Similarity};
use proptest::prelude::*;

use super::compose::handed_over;
use super::*;
use crate::testing::filings;

/// Finds every chunk whose score is given, by position.
struct First {
    scores: Vec<f64>,
    ids: Vec<String>,
    description: Description,
}

impl First {
    fn boxed(corpus: &Corpus<'_>, scores: &[f64]) -> Box<dyn System> {
        let ids = corpus.chunks().iter().map(|c| c.id.clone()).collect();
        let description = Description::new("first", "none", "").with("seed", "7");
        Box::new(Self { scores: scores.to_vec(), ids, description })
    }
}

impl System for First {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, _: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        let mut top = TopK::new(k);
        (0u32..).zip(&self.scores).for_each(|(position, score)| top.push(position, *score));
        let hit = |s: crate::Scored| Hit { id: self.ids[s.position as usize].clone(), score: s.score };
        Ok(top.finish().into_iter().map(hit).collect())
    }
}

type Score = Box<dyn Fn(&[&str]) -> Result<Vec<Option<f64>>, EncodeError> + Send + Sync>;

struct Toy {
    identity: Identity,
    score: Score,
    requests: AtomicU64,
}

impl Toy {
    fn new(score: impl Fn(&[&str]) -> Result<Vec<Option<f64>>, EncodeError> + Send + Sync + 'static) -> Arc<Self> {
        let identity = Identity {
            provider: "toy".into(),
            model: "toy-reranker".into(),
            revision: String::new(),
            dims: None,
            similarity: Similarity::Dot,
            query_prompt: String::new(),
            passage_prompt: String::new(),
            settings: BTreeMap::new(),
        };
        Arc::new(Self { identity, score: Box::new(score), requests: AtomicU64::new(5) })
    }

    /// Scores each passage for itself.
    fn each(score: impl Fn(&str) -> Option<f64> + Send + Sync + 'static) -> Arc<Self> {
        Self::new(move |passages| Ok(passages.iter().map(|p| score(p)).collect()))
    }
}

impl Reranker for Toy {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn rerank(&self, _: &str, passages: &[&str]) -> Result<Vec<Option<f64>>, EncodeError> {
        self.requests.fetch_add(1, Ordering::Relaxed);
        (self.score)(passages)
    }

    fn usage(&self) -> Usage {
        Usage { requests: self.requests.load(Ordering::Relaxed), tokens: 0 }
    }
}

const QUERY: QueryInput<'static> = QueryInput { id: "q", text: "?" };

fn rows(texts: &[&str]) -> Vec<Chunk> {
    filings(&[("Name", texts)])
}

fn search(
    texts: &[&str],
    first: &[f64],
    reranker: Arc<Toy>,
    n: usize,
    k: usize,
) -> Result<Vec<(String, f64)>, RetrieveError> {
    let rows = rows(texts);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Reranked::new("r", &corpus, First::boxed(&corpus, first), reranker, n, View::BARE);
    let text = |id: &str| rows.iter().find(|c| c.id == id).unwrap().text.clone();
    Ok(system.search(&QUERY, k)?.into_iter().map(|hit| (text(&hit.id), hit.score)).collect())
}

fn named(hits: &[(String, f64)]) -> Vec<(&str, f64)> {
    hits.iter().map(|(text, score)| (text.as_str(), *score)).collect()
}

#[test]
fn the_reranked_stand_above_the_rest() {
    // Longer is better; d and e were not handed over, though e would have won.
    let longest = Toy::each(|p| Some(p.len() as f64));
    let texts = ["aa", "bbbb", "ccc", "d", "eeeeeeee"];
    let found = search(&texts, &[0.9, 0.8, 0.7, 0.6, 0.5], longest, 3, 10).unwrap();
    assert_eq!(named(&found), [("bbbb", 4.0), ("ccc", 3.0), ("aa", 2.0), ("d", 1.0), ("eeeeeeee", 0.0)]);
}

#[test]
fn what_the_service_leaves_out_stays_in_first_stage_order() {
    let some = Toy::each(|p| if p == "c" { Some(-7.5) } else { None });
    let found = search(&["a", "b", "c", "d"], &[4.0, 3.0, 2.0, 1.0], some, 3, 10).unwrap();
    assert_eq!(named(&found), [("c", -7.5), ("a", -8.5), ("b", -9.5), ("d", -10.5)]);
    let none = Toy::each(|_| None);
    let found = search(&["a", "b"], &[4.0, 3.0], none, 3, 10).unwrap();
    assert_eq!(named(&found), [("a", 4.0), ("b", 3.0)], "nothing reranked: the first stage's own scores");
}

#[test]
fn a_tie_at_n_goes_together_or_stays_together() {
    let handed = |scores: &[f64], n| {
        let hits: Vec<_> = scores.iter().map(|s| Hit { id: String::new(), score: *s }).collect();
        handed_over(&hits, n)
    };
    assert_eq!(handed(&[3.0, 2.0, 2.0, 2.0, 1.0], 2), 4);
    assert_eq!(handed(&[3.0, 2.0, 2.0, 2.0, 2.0, 1.0], 2), 1);
    assert_eq!(handed(&[3.0, 2.0], 5), 2);
    assert_eq!(handed(&[3.0, 2.0], 0), 0);
    assert_eq!(handed(&[], 5), 0);
    let rows = rows(&["a", "b", "c", "d", "e", "f"]);
    let corpus = Corpus::new(&rows).unwrap();
    let first = First::boxed(&corpus, &[3.0, 2.0, 2.0, 2.0, 2.0, 1.0]);
    let system = Reranked::new("r", &corpus, first, Toy::each(|_| Some(1.0)), 2, View::BARE);
    assert_eq!(system.search(&QUERY, 3).unwrap().len(), 5);
    let notes = system.findings().notes;
    assert!(notes.len() == 1 && notes[0].contains("1 queries") && notes[0].contains("rank 2 of first"), "{notes:?}");
}

#[test]
fn equal_passages_are_sent_once_and_tie() {
    let places = Toy::new(|passages| Ok((0..passages.len()).map(|i| Some(i as f64)).collect()));
    let found = search(&["a", "b", "a", "c"], &[4.0, 3.0, 2.0, 1.0], places, 4, 1).unwrap();
    assert_eq!(named(&found), [("c", 2.0)]);
    let places = Toy::new(|passages| Ok((0..passages.len()).map(|i| Some(-(i as f64))).collect()));
    let found = search(&["a", "b", "a", "c"], &[4.0, 3.0, 2.0, 1.0], places, 4, 1).unwrap();
    assert_eq!(named(&found), [("a", 0.0), ("a", 0.0)]);
}

#[test]
fn nothing_found_is_not_sent() {
    let refuses = || Toy::new(|_| Err(EncodeError::Unavailable("must not be asked".into())));
    assert_eq!(search(&["a"], &[], refuses(), 3, 10).unwrap(), []);
    assert_eq!(named(&search(&["a"], &[1.0], refuses(), 0, 10).unwrap()), [("a", 1.0)]);
    assert!(search(&["a"], &[1.0], refuses(), 1, 10).is_err(), "a failure is no ranking");
}

#[test]
fn answers_that_make_no_sense_are_refused() {
    for (answer, said) in [(vec![], "0 scores"), (vec![Some(f64::NAN)], "NaN"), (vec![Some(1.0); 2], "2 scores")] {
        let toy = Toy::new(move |_| Ok(answer.clone()));
        let error = search(&["a"], &[1.0], toy, 1, 1).unwrap_err().to_string();
        assert!(error.contains(said) && error.contains("toy-reranker"), "{error}");
    }
}

#[test]
fn the_view_is_what_the_reranker_reads() {
    let rows = filings(&[("Zinc Works", &["a"]), ("Aldermoor", &["b", "c"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let reads = Toy::each(|p| Some(if p == "Aldermoor c" { 1.0 } else { 0.0 }));
    let first = First::boxed(&corpus, &[3.0, 2.0, 1.0]);
    let system = Reranked::new("r", &corpus, first, reads, 9, View::TITLE);
    assert_eq!(system.search(&QUERY, 1).unwrap()[0].id, "f1#s1");
    let settings = &system.description().settings;
    assert_eq!(settings["first stage seed"], "7");
    assert_eq!((settings["reranker model"].as_str(), settings["passage"].as_str()), ("toy-reranker", "title"));
    let queries = [QUERY, QueryInput { id: "p", text: "!" }];
    assert_eq!(system.search_all(&queries, 1).unwrap().len(), 2);
    assert_eq!(system.findings().requests, 3, "those of this system, not those the reranker had before");
}

proptest! {
    #[test]
    fn order_and_ties_are_those_of_the_stages(
        first in prop::collection::vec(0u8..6, 1..12), n in 0usize..14, k in 1usize..14,
        reranked in prop::collection::vec(prop::option::weighted(0.7, -3i8..3), 12), exponent in 0i32..300,
    ) {
        let names: Vec<String> = (0..first.len()).map(|i| format!("t{i:02}")).collect();
        let texts: Vec<&str> = names.iter().map(String::as_str).collect();
        let scores: Vec<f64> = first.iter().map(|s| f64::from(*s)).collect();
        let scale = 10f64.powi(exponent);
        let given = move |p: &str| reranked[p[1..].parse::<usize>().unwrap()].map(|s| f64::from(s) * scale);
        let toy = Toy::each(given.clone());
        let found = search(&texts, &scores, toy, n, k).unwrap();
        // What orders a chunk: its reranked score if it was handed over and got one, else its first-stage score.
        let mut best: Vec<usize> = (0..first.len()).collect();
        best.sort_by_key(|i| std::cmp::Reverse(first[*i]));
        let sorted: Vec<_> = best.iter().map(|i| Hit { id: String::new(), score: scores[*i] }).collect();
        let handed: Vec<usize> = best.iter().copied().take(handed_over(&sorted, n)).collect();
        let key = |i: usize| match given(&names[i]).filter(|_| handed.contains(&i)) {
            Some(score) => (1, score),
            None => (0, scores[i]),
        };
        let by_name = |text: &str| key(text[1..].parse().unwrap());
        for pair in found.windows(2) {
            let (a, b) = (by_name(&pair[0].0), by_name(&pair[1].0));
            prop_assert!(a >= b, "{found:?}");
            prop_assert_eq!(a == b, pair[0].1 == pair[1].1, "{:?}", found);
        }
        // Cut between scores.
        let mut keys: Vec<_> = (0..first.len()).map(key).collect();
        keys.sort_by(|a, b| b.partial_cmp(a).unwrap());
        let border = keys[k.min(keys.len()) - 1];
        prop_assert_eq!(found.len(), keys.iter().filter(|key| **key >= border).count());
    }
}

#[test]
fn what_the_store_knows_is_not_asked_again() {
    let rows = filings(&[("A", &["one", "two", "three"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let store = crate::dense::toys::MemoryStore::default();
    let toy = Toy::each(|p| (p != "two").then_some(1.0 / 3.0 + p.len() as f64));
    let run = |text| {
        let first = First::boxed(&corpus, &[3.0, 2.0, 1.0]);
        let system = Reranked::new("r", &corpus, first, toy.clone(), 3, View::BARE).with_store(Some(&store));
        let hits = system.search(&QueryInput { id: "q0", text }, 3).unwrap();
        (hits, system.findings().requests)
    };
    let (first, asked) = run("what");
    assert_eq!(asked, 1);
    assert_eq!(run("what"), (first, 0), "the same bits, and what was left out stays so");
    assert_eq!(run("who").1, 1, "another query");
}
