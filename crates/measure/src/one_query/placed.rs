//! One query's sets of documents in one system's ranking, and what each metric makes of them.
//!
//! Once the sets are placed, no metric looks at a document again: each is a line or two over places. What was not retrieved
//! has no place — except among answers and rivals, where all that was not retrieved shares one tie below everything else: a
//! system that returns neither has not told them apart, which is chance and not failure.

use super::ranking::Ranking;
use super::ties::{self, Discounts, Place, Spread};
use super::wanted::Wanted;
use crate::Metric;
use crate::judgements::Filings;

/// The places of one query's sets, each sorted by rank.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) answers: Vec<Place>,
    evidence: Vec<Place>,
    pub(crate) positives: Vec<Place>,
    acceptable: Vec<Place>,
    rivals: Vec<Place>,
    /// Answers and rivals.
    members: Vec<Place>,
    /// Answers, those not retrieved too.
    all_answers: Vec<Place>,
    /// Rivals, those not retrieved too.
    all_rivals: Vec<Place>,
    /// Grades above 0, by rank.
    grades: Vec<(Place, i64)>,
    filing_resolved: Option<Spread>,
    /// Share of the top tie that is of an answer's filing; `None` where no answer's filing is known.
    pub(crate) own_filing_first: Option<f64>,
}

impl Placed {
    /// Looks everything up once.
    pub(crate) fn new(wanted: &Wanted<'_>, ranking: &Ranking<'_>, filings: Option<&Filings>) -> Self {
        let answers = ranking.places(wanted.answers.iter().copied());
        let rivals = ranking.places(wanted.rivals.iter().copied());
        let merged = |a: &[Place], b: &[Place]| {
            let mut both = [a, b].concat();
            both.sort_unstable();
            both
        };
        let evidence = ranking.places(wanted.evidence.iter().copied());
        let mut grades: Vec<(Place, i64)> =
            wanted.grades.iter().filter_map(|(id, grade)| Some((ranking.find(id)?, *grade))).collect();
        grades.sort_unstable();
        let (all_answers, all_rivals) = with_the_rest(wanted, ranking, &answers, &rivals);
        Self {
            positives: merged(&answers, &evidence),
            members: merged(&answers, &rivals),
            acceptable: ranking.places(wanted.acceptable.iter().copied()),
            own_filing_first: filings.and_then(|filings| own_filing_first(wanted, ranking, filings)),
            filing_resolved: filings.and_then(|filings| filing_resolved(wanted, ranking, filings)),
            answers,
            evidence,
            rivals,
            all_answers,
            all_rivals,
            grades,
        }
    }

    /// The value of a metric; `None` where the query has no gold (or no rival) for it.
    pub(crate) fn value(&self, metric: Metric, wanted: &Wanted<'_>, discounts: &Discounts) -> Option<Spread> {
        let answered = !wanted.answers.is_empty();
        let evident = !wanted.evidence.is_empty();
        let judged = !wanted.grades.is_empty();
        let contested = wanted.contested();
        let gain = |k, of: &dyn Fn(i64) -> f64| self.ndcg(k, wanted, discounts, of);
        match metric {
            Metric::StandardRecall(k) => {
                answered.then(|| ties::hits_at(&self.answers, k).over(wanted.answers.len() as f64))
            }
            Metric::EvidenceRecall(k) => {
                judged.then(|| ties::hits_at(&self.positives, k).over(wanted.grades.len() as f64))
            }
            Metric::EvidenceOnlyRecall(k) => {
                evident.then(|| ties::hits_at(&self.evidence, k).over(wanted.evidence.len() as f64))
            }
            Metric::AnswerAny(k) => answered.then(|| ties::any_at(&self.acceptable, k)),
            Metric::Ndcg(k) => judged.then(|| gain(k, &|grade| grade as f64)),
            Metric::NdcgExp(k) => {
                // Scaled by the highest grade, which cancels out, so that no grade overflows.
                let top = wanted.grades.iter().map(|g| g.1).max()?;
                Some(gain(k, &|grade| ((grade - top) as f64).exp2() - (-top as f64).exp2()))
            }
            Metric::NdcgAnswer(k) => {
                let answer = wanted.answer_grade;
                answered.then(|| gain(k, &|grade| if grade >= answer { grade as f64 } else { 0.0 }))
            }
            Metric::Joint(k) => (answered && evident).then(|| ties::both_at(&self.answers, &self.evidence, k)),
            Metric::Mrr => answered.then(|| ties::first_reciprocal(&self.answers)),
            Metric::Map | Metric::MapAt(_) => {
                let k = metric.cutoff().unwrap_or(usize::MAX);
                answered.then(|| ties::precisions(&self.answers, k).over(wanted.answers.len() as f64))
            }
            Metric::RivalAuc => contested.then(|| Spread::certain(self.rival_auc())),
            Metric::ResolvedAt1 => contested.then(|| ties::first_is(&self.all_answers, &self.all_rivals)),
            Metric::FilingResolvedAt1 => contested.then_some(self.filing_resolved).flatten(),
            Metric::RivalRank => contested.then(|| self.rival_rank()),
            Metric::TemplateHit(k) => contested.then(|| ties::any_at(&self.members, k)),
            Metric::Impostor(k) => contested.then(|| ties::hits_at(&self.rivals, k).over(k as f64).lower_is_lucky()),
        }
    }

    /// nDCG at k with some gain. The ideal counts every judged document, retrieved or not, and is cut at the same k.
    fn ndcg(&self, k: usize, wanted: &Wanted<'_>, discounts: &Discounts, gain: &dyn Fn(i64) -> f64) -> Spread {
        let mut ideal: Vec<f64> = wanted.grades.iter().map(|g| gain(g.1)).filter(|g| *g > 0.0).collect();
        ideal.sort_by(|a, b| b.total_cmp(a));
        let gains: Vec<(Place, f64)> =
            self.grades.iter().map(|(place, grade)| (*place, gain(*grade))).filter(|g| g.1 > 0.0).collect();
        let ideal = discounts.ideal(&ideal, k);
        if ideal > 0.0 { discounts.gain(&gains, k).over(ideal) } else { Spread::default() }
    }

    /// Rivals above the best answer, and level with it.
    pub(crate) fn rivals_above_and_level(&self) -> (usize, usize) {
        let Some(best) = self.all_answers.first().map(|p| p.start) else { return (0, 0) };
        let above = self.all_rivals.partition_point(|p| p.start < best);
        let level = self.all_rivals.partition_point(|p| p.start <= best) - above;
        (above, level)
    }

    /// Share of the top tie that answers: exactly the share of its members, so that factors multiply to the bit.
    pub(crate) fn answer_first(&self) -> f64 {
        ties::hits_at(&self.answers, 1).expected
    }

    /// Rank of the best answer among answers and rivals.
    fn rival_rank(&self) -> Spread {
        let (above, level) = self.rivals_above_and_level();
        let Some(first) = self.all_answers.first() else { return Spread::default() };
        // Of m answers in a tie with so many rivals, the first has on average 1 / (m + 1) of them before it.
        let answers = self.all_answers.partition_point(|p| p.start <= first.start);
        let before = self.all_rivals.partition_point(|p| p.rank < first.rank);
        Spread {
            expected: 1.0 + above as f64 + level as f64 / (answers + 1) as f64,
            trec: (1 + before) as f64,
            best: (1 + above) as f64,
            worst: (1 + above + level) as f64,
        }
    }

    fn rival_auc(&self) -> f64 {
        let (above, level) = self.rivals_above_and_level();
        let all = self.all_rivals.len();
        ((all - above - level) as f64 + 0.5 * level as f64) / all as f64
    }
}

/// Answers and rivals with those that were not retrieved: one tie group after the last hit.
fn with_the_rest(
    wanted: &Wanted<'_>,
    ranking: &Ranking<'_>,
    answers: &[Place],
    rivals: &[Place],
) -> (Vec<Place>, Vec<Place>) {
    let (mut answers, mut rivals) = (answers.to_vec(), rivals.to_vec());
    if !wanted.contested() {
        return (answers, rivals);
    }
    let absent = |ids: &[&str], answer: bool| {
        ids.iter().filter(|id| ranking.find(id).is_none()).map(|id| ((*id).to_owned(), answer)).collect::<Vec<_>>()
    };
    let mut rest = absent(&wanted.answers, true);
    rest.extend(absent(&wanted.rivals, false));
    rest.sort_unstable_by(|a, b| b.cmp(a));
    let (start, len) = (ranking.len(), rest.len());
    for (i, (_, answer)) in rest.into_iter().enumerate() {
        let place = Place { rank: start + i, start, len };
        if answer { answers.push(place) } else { rivals.push(place) }
    }
    (answers, rivals)
}

/// The filings of some chunks, sorted.
fn filings_of(ids: &[&str], filings: &Filings) -> Vec<usize> {
    let mut list: Vec<usize> = ids.iter().filter_map(|id| filings.index(id)).collect();
    list.sort_unstable();
    list.dedup();
    list
}

/// Probability that the first document is of an answer's filing.
fn own_filing_first(wanted: &Wanted<'_>, ranking: &Ranking<'_>, filings: &Filings) -> Option<f64> {
    let own = filings_of(&wanted.answers, filings);
    if own.is_empty() {
        return None;
    }
    let Some(top) = ranking.groups().next() else { return Some(0.0) };
    // An answer is of an answer's filing, whether or not the filing of that chunk is known.
    let is_own = |id: &&str| {
        wanted.answers.binary_search(id).is_ok() || filings.index(id).is_some_and(|f| own.binary_search(&f).is_ok())
    };
    let of = top.len();
    Some(top.filter(is_own).count() as f64 / of as f64)
}

/// Whether the first chunk that belongs to the filing of an answer or of a rival belongs to that of an answer.
///
/// Where no chunk of any of them was retrieved, all their chunks share the last tie.
fn filing_resolved(wanted: &Wanted<'_>, ranking: &Ranking<'_>, filings: &Filings) -> Option<Spread> {
    let own = filings_of(&wanted.answers, filings);
    let mut others = filings_of(&wanted.rivals, filings);
    others.retain(|f| own.binary_search(f).is_err());
    if own.is_empty() || others.is_empty() {
        return None;
    }
    let side = |filing: usize| match (own.binary_search(&filing).is_ok(), others.binary_search(&filing).is_ok()) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    for hits in ranking.groups() {
        let mut counts = (0_usize, 0_usize);
        let mut first = None;
        for id in hits {
            let Some(is_own) = filings.index(id).and_then(side) else { continue };
            first.get_or_insert(is_own);
            if is_own { counts.0 += 1 } else { counts.1 += 1 }
        }
        if let Some(first) = first {
            return Some(share(counts.0, counts.1, first));
        }
    }
    let sum = |list: &[usize]| list.iter().filter_map(|f| filings.chunks(*f)).map(|f| f.chunks).sum();
    let last = |list: &[usize]| list.iter().filter_map(|f| filings.chunks(*f)).map(|f| f.last.as_str()).max();
    Some(share(sum(&own), sum(&others), last(&own) > last(&others)))
}

/// The first of `own + others` shuffled documents is one of `own`.
fn share(own: usize, others: usize, trec: bool) -> Spread {
    Spread {
        expected: own as f64 / (own + others) as f64,
        trec: f64::from(trec),
        best: f64::from(own > 0),
        worst: f64::from(others == 0),
    }
}
