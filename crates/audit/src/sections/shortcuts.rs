//! Shortcuts: what gives answers away to a system that understands nothing and sees no context.
//!
//! BM25 on bare sentences is the first of them. The others use even less: which words of the query, less the name, a sentence has;
//! its length; where in its filing it stands; how many numbers it holds. Each is held as a contest between the answer and its
//! rivals, whose chance level is known exactly.

use std::collections::{HashMap, HashSet};

use eightk_retrieve::{Bm25, Bm25Options, Corpus, RetrieveError, Scored, View};

use super::{NO_RIVALS, auc};
use crate::contest::{Contest, Contests, sample};
use crate::interval::{mean, wilson};
use crate::lexical::Lexical;
use crate::numbers::numbers;
use crate::subject::{Asked, Subject};
use crate::{Finding, Limit};

/// What BM25 on bare sentences does.
pub(super) struct Bm25Scores {
    /// Queries with answers, or a sample of them: `standard_recall@1` and number of the query.
    recall: Result<Vec<(f64, usize)>, RetrieveError>,
    /// Answers against rivals.
    pub(super) contest: Option<Contest>,
}

impl Bm25Scores {
    pub(super) fn new(subject: &Subject<'_>, contests: Option<&mut Contests>) -> Self {
        match Corpus::new(&subject.dataset.chunks).and_then(|c| Self::over(subject, &c, contests)) {
            Ok(scores) => scores,
            Err(error) => Self { recall: Err(error), contest: None },
        }
    }

    fn over(
        subject: &Subject<'_>,
        corpus: &Corpus<'_>,
        contests: Option<&mut Contests>,
    ) -> Result<Self, RetrieveError> {
        let bm25 = Bm25::new("bm25", corpus, &View::BARE, Bm25Options::default())?;
        let position = |chunk: usize| corpus.position(subject.id(chunk)).unwrap_or(u32::MAX);
        let mut recall = Vec::new();
        let mut scores: HashMap<(usize, usize), f64> = HashMap::new();
        let answered = subject.asked.iter().enumerate().filter(|(_, a)| !a.answers.is_empty());
        let mut wanted = sample(answered.collect());
        // The sample of those that have rivals may be another one.
        let contested = contests.as_deref().into_iter().flat_map(Contests::members);
        let contested: Vec<usize> = contested.map(|(query, _)| query).collect();
        let sampled: HashSet<usize> = wanted.iter().map(|(query, _)| *query).collect();
        let more = contested.into_iter().filter(|query| !sampled.contains(query));
        wanted.extend(more.filter_map(|query| Some((query, subject.asked.get(query)?))));
        for (query, asked) in wanted {
            let members: Vec<usize> = asked.answers.iter().chain(&asked.rivals).copied().collect();
            let positions: Vec<u32> = members.iter().map(|c| position(*c)).collect();
            let (found, best) = bm25.scores_of(&asked.query.query, &positions, 1);
            if sampled.contains(&query) {
                recall.push((recall_at_1(&best, positions.get(..asked.answers.len()).unwrap_or_default()), query));
            }
            scores.extend(members.iter().zip(found).map(|(chunk, score)| ((query, *chunk), score)));
        }
        let score = |query: usize, chunk: &usize| scores.get(&(query, *chunk)).copied().unwrap_or(0.0);
        let contest =
            contests.and_then(|c| c.hold(subject, |query, chunks| chunks.iter().map(|c| score(query, c)).collect()));
        Ok(Self { recall: Ok(recall), contest })
    }
}

/// `standard_recall@1`, expected over the order inside the tie at the top.
fn recall_at_1(best: &[Scored], answers: &[u32]) -> f64 {
    let found = best.iter().filter(|s| answers.contains(&s.position)).count() as f64;
    if best.is_empty() || answers.is_empty() { 0.0 } else { found / best.len() as f64 / answers.len() as f64 }
}

pub(super) fn findings(subject: &Subject<'_>, bm25: &Bm25Scores, contests: Option<&mut Contests>) -> Vec<Finding> {
    let mut findings = vec![bm25_recall(subject, bm25), bm25_resolved(subject, bm25)];
    findings.extend(by_looks(subject, contests));
    findings.push(first_of_filing(subject));
    findings.push(longest_of_filing(subject));
    findings
}

fn bm25_recall(subject: &Subject<'_>, bm25: &Bm25Scores) -> Finding {
    const NAME: &str = "bm25-finds-the-answer-at-1";
    let recall = match &bm25.recall {
        Ok(recall) => recall,
        Err(error) => return Finding::skipped(NAME, error.to_string()),
    };
    let Some(share) = mean(recall.iter().map(|(r, _)| *r)) else {
        return Finding::skipped(NAME, "no query has an answer in the corpus");
    };
    let solved = recall.iter().filter(|(r, _)| *r >= 1.0).filter_map(|(_, q)| subject.asked.get(*q));
    let chance = 1.0 / subject.dataset.chunks.len().max(1) as f64;
    Finding::number(NAME, share, Limit::above("bm25_recall", subject.limits.bm25_recall, chance))
        .within(wilson(share * recall.len() as f64, recall.len()))
        .chance(chance)
        .out_of(recall.len())
        .examples(solved.map(|a| format!("{}: BM25 on bare sentences ranks the answer first: {}", a.id, a.query.query)))
        .advice("queries share words with their answers that no other sentence has; reword the templates")
}

/// `resolved@1` of a contest, against its chance.
fn resolved(name: &'static str, contest: Option<&Contest>, key: &'static str, margin: f64) -> Finding {
    let Some(value) = contest.map(|c| c.resolved) else { return Finding::skipped(name, NO_RIVALS) };
    let chance = value.chance.unwrap_or(0.0);
    Finding::number(name, value.expected, Limit::above(key, margin, chance))
        .within(wilson(value.expected * value.queries as f64, value.queries))
        .chance(chance)
        .out_of(value.queries)
}

fn bm25_resolved(subject: &Subject<'_>, bm25: &Bm25Scores) -> Finding {
    resolved("bm25-resolves-the-answer", bm25.contest.as_ref(), "bm25_resolved", subject.limits.bm25_resolved)
        .advice("BM25 tells answers from rivals without context; reword the templates")
}

/// Contests by what a sentence looks like.
fn by_looks(subject: &Subject<'_>, contests: Option<&mut Contests>) -> Vec<Finding> {
    const WORDS_RESOLVED: &str = "query-words-single-out-the-answer";
    const WORDS: &str = "query-words-tell-answer-from-rivals";
    const LENGTH: &str = "length-tells-answer-from-rivals";
    const POSITION: &str = "position-tells-answer-from-rivals";
    const NUMBERS: &str = "numbers-tell-answer-from-rivals";
    let Some(contests) = contests else {
        return [WORDS_RESOLVED, WORDS, LENGTH, POSITION, NUMBERS].map(|n| Finding::skipped(n, NO_RIVALS)).into();
    };
    let limits = subject.limits;
    let lexical = Lexical::new(subject, contests);
    let words = contests.hold(subject, |query, chunks| chunks.iter().map(|c| lexical.overlap(query, *c)).collect());
    let mut by = |of: &dyn Fn(usize) -> usize| {
        contests.hold(subject, |_, chunks| chunks.iter().map(|c| of(*c) as f64).collect()).map(|c| c.auc)
    };
    let length = by(&|chunk| subject.text(chunk).chars().count());
    let position = by(&|chunk| subject.idx(chunk));
    let held = by(&|chunk| numbers(subject.text(chunk)).count());
    vec![
        resolved(WORDS_RESOLVED, words.as_ref(), "words_resolved", limits.words_resolved)
            .advice("the query's words, less the name, fit the answer better than any rival; reword the templates"),
        auc(WORDS, words.map(|w| w.auc), "words_auc", limits.words_auc)
            .detail(difference(subject, contests, &lexical))
            .advice("queries are worded like their answers and unlike the rivals; reword the templates"),
        auc(LENGTH, length, "length_auc", limits.length_auc)
            .advice("answers are longer (or shorter) than rivals; choose answers by another rule"),
        auc(POSITION, position, "position_auc", limits.position_auc)
            .advice("answers stand later (or earlier) in their filings than rivals; choose answers by another rule"),
        auc(NUMBERS, held, "numbers_auc", limits.numbers_auc)
            .advice("answers hold more (or fewer) numbers than rivals; choose answers by another rule"),
    ]
}

/// How much of a query's words the answer has, and its rivals.
fn difference(subject: &Subject<'_>, contests: &Contests, lexical: &Lexical) -> String {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (query, chunks) in contests.members() {
        let answers = subject.asked.get(query).map_or(0, |a| a.answers.len());
        let share = |chunks: &[usize]| mean(chunks.iter().map(|c| lexical.overlap(query, *c)));
        let (answers, rivals) = chunks.split_at(answers.min(chunks.len()));
        own.extend(share(answers));
        others.extend(share(rivals));
    }
    let (own, others) = (mean(own).unwrap_or(0.0), mean(others).unwrap_or(0.0));
    format!("the answer has {own:.3} of the query's words, rivals {others:.3}: difference {:+.3}", own - others)
}

/// Answers that a rule about one's own filing picks out, and how many it would by chance.
fn of_filing(
    subject: &Subject<'_>,
    name: &'static str,
    limit: Limit,
    picked: impl Fn(usize, &[usize]) -> bool,
) -> Finding {
    let cases: Vec<(&Asked<'_>, bool, f64)> = subject
        .asked
        .iter()
        .filter_map(|asked| {
            let answer = *asked.answers.first()?;
            let filing = subject.by_filing.get(subject.filing(answer))?;
            // The only sentence of its filing is first and longest of necessity.
            (filing.len() > 1).then(|| (asked, picked(answer, filing), 1.0 / filing.len() as f64))
        })
        .collect();
    let Some(chance) = mean(cases.iter().map(|(_, _, chance)| *chance)) else {
        return Finding::skipped(name, "no answer stands in a filing of several chunks");
    };
    let (of, picked) = (cases.len(), cases.iter().filter(|(_, picked, _)| *picked));
    let count = picked.clone().count();
    Finding::counted(name, picked, of, |(asked, _, _)| format!("{}: {}", asked.id, asked.query.query), limit)
        .within(wilson(count as f64, of))
        .chance(chance)
        .advice(
            "a rule about the filing alone finds the answers; take in other filings, or choose answers by another rule",
        )
}

fn first_of_filing(subject: &Subject<'_>) -> Finding {
    let limit = Limit::most("first_of_filing", subject.limits.first_of_filing);
    of_filing(subject, "answer-is-first-of-its-filing", limit, |answer, filing| filing.first() == Some(&answer))
}

fn longest_of_filing(subject: &Subject<'_>) -> Finding {
    let limit = Limit::most("longest_of_filing", subject.limits.longest_of_filing);
    of_filing(subject, "answer-is-longest-of-its-filing", limit, |answer, filing| {
        let length = |chunk: usize| subject.text(chunk).chars().count();
        filing.iter().map(|c| length(*c)).max() == Some(length(answer))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_core::{Qrels, query_id};
    use eightk_measure::{Judgements, Metric, Options, score};
    use eightk_mine::AuditLimits;
    use eightk_retrieve::{QueryInput, run_system};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// One pass over the index per query against a full run, scored the long way.
        #[test]
        fn agrees_with_scoring_a_whole_run(n in 2usize..9, extra in "[a-z]{3,6}", marked in 0usize..9) {
            let mut set = testing::dataset(n);
            set.queries[marked % n].query += &format!(" {extra}");
            let answer = 4 * (marked % n) + 1;
            set.chunks[answer].text += &format!(" {extra}");
            let limits = AuditLimits::default();
            let subject = Subject::new(&set, &limits);
            let mut contests = Contests::new(&subject);
            let got = Bm25Scores::new(&subject, contests.as_mut());

            let corpus = Corpus::new(&set.chunks).unwrap();
            let bm25 = Bm25::new("bm25", &corpus, &View::BARE, Bm25Options::default()).unwrap();
            let ids: Vec<String> = (0..n).map(query_id).collect();
            let queries: Vec<QueryInput<'_>> =
                ids.iter().zip(&set.queries).map(|(id, q)| QueryInput { id, text: &q.query }).collect();
            let run = run_system(&bm25, &queries, set.chunks.len()).unwrap();
            let mut qrels = Qrels::default();
            for asked in &subject.asked {
                let grades = asked.answers.iter().map(|c| (subject.id(*c).to_owned(), 2)).collect();
                qrels.queries.insert(asked.id.clone(), grades);
            }
            let rivals = set.rivals.as_ref().unwrap().iter().map(|r| (r.query.clone(), r.rivals.clone())).collect();
            let judgements = Judgements { qrels, rivals: Some(rivals), ..Judgements::default() };
            let metrics = [Metric::StandardRecall(1), Metric::RivalAuc, Metric::ResolvedAt1];
            let want = score(&run, &judgements, &metrics, &Options { draws: 0, ..Options::default() }).unwrap();
            let want = metrics.map(|m| want.metric(m).unwrap().value.unwrap().expected);
            let contest = got.contest.unwrap();
            let recall = mean(got.recall.unwrap().into_iter().map(|(r, _)| r)).unwrap();
            for (got, want) in [recall, contest.auc.expected, contest.resolved.expected].into_iter().zip(want) {
                prop_assert!((got - want).abs() < 1e-12, "{} {}", got, want);
            }
        }
    }
}
