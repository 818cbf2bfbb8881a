//! The floor: knowing what kind of sentence is asked for, and not whose.
//!
//! Chance over the whole corpus is next to nothing and any system beats it. The telling floor draws among *D_fact(q)*, the
//! gold and its rivals. Tied all together they leave the averaging to the tie rule, which does it exactly; a seeded order
//! is one draw, for those who want to see the spread.

use std::collections::BTreeMap;

use eightk_core::Hit;

use crate::seeded::{hash, scattered};
use crate::{Corpus, Description, Knowledge, MAX_BOUNDARY_TIES, QueryInput, RetrieveError, Scored, System, TopK};

/// The members of D_fact(q) at one score, or in one seeded order. Queries whose rivals are not known: the whole corpus.
#[derive(Debug)]
pub struct Random<'c, 'a> {
    corpus: &'c Corpus<'a>,
    seed: Option<u64>,
    /// Positions of gold and rivals, for queries that have rivals on record.
    members: BTreeMap<String, Vec<u32>>,
    description: Description,
}

impl<'c, 'a> Random<'c, 'a> {
    /// With `seed`, one order of it; without, all at score 1.
    pub fn new(name: &str, corpus: &'c Corpus<'a>, knowledge: &Knowledge<'_>, seed: Option<u64>) -> Self {
        let answer = knowledge.qrels.answer_grade();
        let mut members: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for set in knowledge.rivals {
            let judged = knowledge.qrels.queries.get(&set.query).into_iter().flatten();
            let gold = judged.filter(|(_, grade)| **grade >= answer).map(|(id, _)| id);
            let ids = set.rivals.iter().chain([&set.gold]).chain(gold);
            members.entry(set.query.clone()).or_default().extend(ids.filter_map(|id| corpus.position(id)));
        }
        for positions in members.values_mut() {
            positions.sort_unstable();
            positions.dedup();
        }
        let summary = match seed {
            None => "Gold and rivals all tied: chance among sentences of the same kind",
            Some(_) => "Gold and rivals in one random order",
        };
        let description = Description::new(name, "random", summary)
            .with("among", "gold and rivals; every chunk where rivals are not known")
            .with("queries with known rivals", members.len().to_string())
            .with("seed", seed.map_or_else(|| "none".to_owned(), |s| s.to_string()));
        Self { corpus, seed, members, description }
    }

    fn draw(&self, seed: u64, query: &str, positions: impl Iterator<Item = u32>, k: usize) -> Vec<Scored> {
        let of_query = scattered(seed ^ hash(query));
        let mut top = TopK::new(k);
        for position in positions {
            // 53 random bits make a uniform number in [0, 1).
            let bits = scattered(of_query ^ hash(self.corpus.id(position))) >> 11;
            top.push(position, bits as f64 / (1u64 << 53) as f64);
        }
        top.finish()
    }
}

impl System for Random<'_, '_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        let known = self.members.get(query.id);
        let everything = 0..u32::try_from(self.corpus.len()).unwrap_or(u32::MAX);
        let positions = || match known {
            Some(members) => either(members.iter().copied(), 0..0),
            None => either([].iter().copied(), everything.clone()),
        };
        let found = match self.seed {
            Some(seed) => self.draw(seed, query.id, positions(), k),
            None if k == 0 => Vec::new(),
            None => {
                let chunks = known.map_or(self.corpus.len(), Vec::len);
                if chunks > MAX_BOUNDARY_TIES {
                    return Err(RetrieveError::TieTooLarge {
                        query: query.id.to_owned(),
                        chunks,
                        limit: MAX_BOUNDARY_TIES,
                    });
                }
                positions().map(|position| Scored { position, score: 1.0 }).collect()
            }
        };
        Ok(self.corpus.hits(found))
    }
}

fn either<'m>(
    members: std::iter::Copied<std::slice::Iter<'m, u32>>,
    all: std::ops::Range<u32>,
) -> impl Iterator<Item = u32> + use<'m> {
    members.chain(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filings;
    use eightk_core::{Qrels, RivalSet};

    fn rivals(query: &str, gold: &str, rivals: &[&str]) -> RivalSet {
        let rivals = rivals.iter().map(ToString::to_string).collect();
        RivalSet {
            query: query.into(),
            fact: String::new(),
            gold: gold.into(),
            rivals,
            similarity: Vec::new(),
            total: None,
        }
    }

    #[test]
    fn gold_and_rivals_tie_whatever_k() {
        let rows = filings(&[("A", &["a", "b"]), ("B", &["c", "d"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let judged = BTreeMap::from([("f0#s0".to_owned(), 1), ("f0#s1".to_owned(), 2)]);
        let knowledge = Knowledge {
            qrels: Qrels { queries: BTreeMap::from([("q0".to_owned(), judged)]) },
            rivals: &[rivals("q0", "", &["f1#s1", "gone#s0"])],
            ..Knowledge::default()
        };
        let random = Random::new("random", &corpus, &knowledge, None);
        let find = |id, k| random.search(&QueryInput { id, text: "" }, k).unwrap();
        let ids = |hits: Vec<Hit>| hits.into_iter().map(|h| (h.id, h.score)).collect::<Vec<_>>();
        assert_eq!(ids(find("q0", 1)), [("f0#s1".to_owned(), 1.0), ("f1#s1".to_owned(), 1.0)]);
        assert_eq!(find("q0", 0), []);
        assert_eq!(find("unknown", 1).len(), 4, "without rivals: everything");
    }

    #[test]
    fn a_seed_is_one_order_and_another_seed_another() {
        let rows = filings(&[("A", &["s"; 40])]);
        let corpus = Corpus::new(&rows).unwrap();
        let order = |seed, query| {
            let random = Random::new("r", &corpus, &Knowledge::default(), Some(seed));
            let hits = random.search(&QueryInput { id: query, text: "" }, 40).unwrap();
            assert!(hits.is_sorted_by(|a, b| a.score > b.score));
            hits.into_iter().map(|h| h.id).collect::<Vec<_>>()
        };
        assert_eq!(order(1, "q0"), order(1, "q0"));
        assert_ne!(order(1, "q0"), order(2, "q0"));
        assert_ne!(order(1, "q0"), order(1, "q1"));
        assert_eq!(order(1, "q0").len(), 40);
    }

    #[test]
    fn every_place_is_as_likely() {
        let rows = filings(&[("A", &["s"; 10])]);
        let corpus = Corpus::new(&rows).unwrap();
        let mut first = BTreeMap::new();
        for seed in 0..5000 {
            let random = Random::new("r", &corpus, &Knowledge::default(), Some(seed));
            let hits = random.search(&QueryInput { id: "q0", text: "" }, 1).unwrap();
            *first.entry(hits[0].id.clone()).or_insert(0) += 1;
        }
        // Expected 500 each, standard deviation 21.
        assert!(first.len() == 10 && first.values().all(|n| (400..600).contains(n)), "{first:?}");
    }

    #[test]
    fn a_tie_of_everything_is_refused_when_everything_is_much() {
        let texts = vec!["s"; MAX_BOUNDARY_TIES + 1];
        let rows = filings(&[("A", &texts)]);
        let corpus = Corpus::new(&rows).unwrap();
        let query = QueryInput { id: "q0", text: "" };
        let error = Random::new("random", &corpus, &Knowledge::default(), None).search(&query, 10).unwrap_err();
        assert!(error.to_string().contains("random:1"), "{error}");
        let known = [rivals("q0", "f0#s1", &["f0#s2"])];
        let knowledge = Knowledge { rivals: &known, ..Knowledge::default() };
        assert_eq!(Random::new("random", &corpus, &knowledge, None).search(&query, 10).unwrap().len(), 2);
        assert_eq!(Random::new("r", &corpus, &Knowledge::default(), Some(3)).search(&query, 10).unwrap().len(), 10);
    }
}
