//! The ceiling: what the judgements themselves score.
//!
//! Its rankings hold what is judged *and* in the corpus. Where gold is missing from the corpus the oracle stays below 1,
//! which shows how much no system could reach.

use std::collections::BTreeMap;

use eightk_core::Hit;

use crate::{Corpus, Description, Knowledge, QueryInput, RetrieveError, System, TopK};

/// Every judged chunk of a query, scored by its grade: answers tie at the top, evidence below.
#[derive(Debug)]
pub struct Oracle<'c, 'a> {
    corpus: &'c Corpus<'a>,
    grades: BTreeMap<String, Vec<(u32, f64)>>,
    description: Description,
}

impl<'c, 'a> Oracle<'c, 'a> {
    /// # Errors
    ///
    /// [`RetrieveError::NoJudgements`] when no judged chunk is in the corpus.
    pub fn new(name: &str, corpus: &'c Corpus<'a>, knowledge: &Knowledge<'_>) -> Result<Self, RetrieveError> {
        let mut grades: BTreeMap<String, Vec<(u32, f64)>> = BTreeMap::new();
        for (query, judged) in &knowledge.qrels.queries {
            let positive = judged.iter().filter(|(_, grade)| **grade > 0);
            let here = positive.filter_map(|(id, grade)| Some((corpus.position(id)?, *grade as f64)));
            grades.entry(query.clone()).or_default().extend(here);
        }
        if grades.values().all(Vec::is_empty) {
            return Err(RetrieveError::NoJudgements(name.to_owned()));
        }
        let description =
            Description::new(name, "oracle", "The answers, then the evidence: the most any system can score")
                .with("score", "grade of the judgement");
        Ok(Self { corpus, grades, description })
    }
}

impl System for Oracle<'_, '_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        let mut top = TopK::new(k);
        for (position, grade) in self.grades.get(query.id).into_iter().flatten() {
            top.push(*position, *grade);
        }
        Ok(self.corpus.hits(top.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filings;
    use eightk_core::Qrels;

    #[test]
    fn answers_then_evidence_and_nothing_that_is_not_there() {
        let rows = filings(&[("A", &["evidence", "answer", "other"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let judged = [("f0#s0", 1), ("f0#s1", 2), ("f0#s2", 0), ("f9#s0", 2)].map(|(id, g)| (id.to_owned(), g));
        let qrels = Qrels { queries: BTreeMap::from([("q0".to_owned(), BTreeMap::from(judged))]) };
        let oracle = Oracle::new("oracle", &corpus, &Knowledge { qrels, ..Knowledge::default() }).unwrap();
        let find = |id| oracle.search(&QueryInput { id, text: "" }, 10).unwrap();
        let hit = |id: &str, score| Hit { id: id.to_owned(), score };
        assert_eq!(find("q0"), [hit("f0#s1", 2.0), hit("f0#s0", 1.0)]);
        assert_eq!(find("q1"), []);
    }

    #[test]
    fn no_judgements_no_ceiling() {
        let rows = filings(&[("A", &["x"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let error = Oracle::new("oracle", &corpus, &Knowledge::default()).unwrap_err();
        assert!(error.to_string().contains("gold"), "{error}");
    }
}
