//! One number for a ranking with ties, in four readings.
//!
//! Where scores are equal the ranking says nothing about the order. `trec_eval` lets the spelling of the ids decide; the honest
//! figure is the mean over all orders inside each tie group. That mean has a closed form for everything measured here
//! (McSherry & Najork, *Computing information retrieval performance measures efficiently in the presence of tied scores*,
//! ECIR 2008), so nothing is sampled. The luckiest and unluckiest order bound it.
//!
//! Every function takes the [`Place`]s of a *set* of documents (say, the answers of a query that were retrieved), sorted by rank,
//! and is linear in it. Documents outside the set matter only through the places they take.

use serde::{Deserialize, Serialize};

/// A metric on one ranking, or its mean over queries, under the four ways to order ties.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Spread {
    /// Mean over a uniformly random order inside each tie group.
    pub expected: f64,
    /// Ties in descending byte order of the id, as `trec_eval` has it.
    pub trec: f64,
    /// At the luckiest order.
    pub best: f64,
    /// At the unluckiest order.
    pub worst: f64,
}

impl Spread {
    /// The same whatever the order.
    pub(crate) const fn certain(value: f64) -> Self {
        Self { expected: value, trec: value, best: value, worst: value }
    }

    /// All four divided by the same.
    pub(crate) fn over(self, by: f64) -> Self {
        Self { expected: self.expected / by, trec: self.trec / by, best: self.best / by, worst: self.worst / by }
    }

    /// The luckiest order where small values are the lucky ones.
    pub(crate) fn lower_is_lucky(self) -> Self {
        Self { best: self.worst, worst: self.best, ..self }
    }

    /// Adds each of the four.
    pub(crate) fn add(&mut self, other: Self) {
        self.expected += other.expected;
        self.trec += other.trec;
        self.best += other.best;
        self.worst += other.worst;
    }
}

/// Where a document stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// 0-based rank with ties in descending order of ids.
    pub(crate) rank: usize,
    /// Rank of the first document of its tie group.
    pub(crate) start: usize,
    /// Size of its tie group; 1 where nothing ties.
    pub(crate) len: usize,
}

/// The members of a set, tie group by tie group: start, size of the group, members in it.
fn groups(set: &[Place]) -> impl Iterator<Item = (usize, usize, usize)> {
    set.chunk_by(|a, b| a.start == b.start).filter_map(|g| Some((g.first()?.start, g.first()?.len, g.len())))
}

/// Whether a group lies inside the first `k` places: all, none, or so many of its places.
fn slots(start: usize, len: usize, k: usize) -> usize {
    len.min(k.saturating_sub(start))
}

/// Probability that none of `marked` among `len` shuffled documents is one of the first `slots`.
fn none_of(len: usize, marked: usize, slots: usize) -> f64 {
    if marked + slots > len {
        return 0.0;
    }
    // C(len - marked, slots) / C(len, slots), as a product over the smaller of the two.
    let (few, many) = if marked < slots { (marked, slots) } else { (slots, marked) };
    (0..few).map(|i| (len - many - i) as f64 / (len - i) as f64).product()
}

/// How many of the set are in the top k.
pub(crate) fn hits_at(set: &[Place], k: usize) -> Spread {
    let mut sum = Spread { trec: set.partition_point(|p| p.rank < k) as f64, ..Spread::default() };
    for (start, len, marked) in groups(set).take_while(|g| g.0 < k) {
        let slots = slots(start, len, k);
        sum.expected += if slots == len { marked as f64 } else { marked as f64 * slots as f64 / len as f64 };
        sum.best += marked.min(slots) as f64;
        sum.worst += marked.saturating_sub(len - slots) as f64;
    }
    sum
}

/// Whether any of the set is in the top k, as 0 or 1.
pub(crate) fn any_at(set: &[Place], k: usize) -> Spread {
    // Only the first group matters: if it lies wholly inside, the answer is yes; if not, no later group reaches the top k.
    let (Some(first), Some((start, len, marked))) = (set.first(), groups(set).next()) else { return Spread::default() };
    let slots = slots(start, len, k);
    if slots == 0 {
        return Spread::default();
    }
    let missed = none_of(len, marked, slots);
    Spread {
        expected: 1.0 - missed,
        trec: f64::from(first.rank < k),
        best: 1.0,
        worst: f64::from(marked + slots > len),
    }
}

/// Whether any of `a` and any of `b` are in the top k, as 0 or 1. The two sets share no document.
pub(crate) fn both_at(a: &[Place], b: &[Place], k: usize) -> Spread {
    let (Some((a_start, a_len, a_marked)), Some((b_start, b_len, b_marked))) = (groups(a).next(), groups(b).next())
    else {
        return Spread::default();
    };
    if a_start >= k || b_start >= k {
        return Spread::default();
    }
    if a_start != b_start {
        // At most one of two groups straddles k, the other lies wholly inside.
        return if a_start < b_start { any_at(b, k) } else { any_at(a, k) };
    }
    debug_assert_eq!(a_len, b_len, "one group, one size");
    let slots = slots(a_start, a_len, k);
    let (no_a, no_b) = (none_of(a_len, a_marked, slots), none_of(a_len, b_marked, slots));
    let neither = none_of(a_len, a_marked + b_marked, slots);
    let ranks = a.first().map_or(usize::MAX, |p| p.rank).max(b.first().map_or(usize::MAX, |p| p.rank));
    Spread {
        expected: (1.0 - no_a - no_b + neither).clamp(0.0, 1.0),
        trec: f64::from(ranks < k),
        best: f64::from(slots >= 2),
        worst: f64::from(a_marked + slots > a_len && b_marked + slots > a_len),
    }
}

/// One over the rank of the first of the set; 0 for an empty set.
pub(crate) fn first_reciprocal(set: &[Place]) -> Spread {
    let (Some(first), Some((start, len, marked))) = (set.first(), groups(set).next()) else { return Spread::default() };
    let last = len - marked + 1;
    // Probability that the first of the marked is at place x of the group, from one place to the next.
    let mut at = marked as f64 / len as f64;
    let mut expected = 0.0;
    for x in 1..=last {
        expected += at / (start + x) as f64;
        at *= (last - x) as f64 / (len - x).max(1) as f64;
    }
    Spread {
        expected,
        trec: 1.0 / (first.rank + 1) as f64,
        best: 1.0 / (start + 1) as f64,
        worst: 1.0 / (start + last) as f64,
    }
}

/// Average precision of the set in the top k, summed over its members; whoever asks divides by their number.
///
/// A member at rank i adds (members up to i) / i. Inside a tie of n documents, r of them members, R members above it: place
/// x holds a member with probability r / n, and then each of the x − 1 places before it does with (r − 1) / (n − 1).
pub(crate) fn precisions(set: &[Place], k: usize) -> Spread {
    let mut sum = Spread::default();
    let mut above = 0;
    for group in set.chunk_by(|a, b| a.start == b.start) {
        let Some(Place { start, len, .. }) = group.first().copied() else { continue };
        let (marked, slots) = (group.len(), slots(start, len, k));
        if slots == 0 {
            break;
        }
        let precision = |members: f64, rank: usize| members / rank as f64;
        let before = |i: usize| (above + i + 1) as f64;
        let ranked = group.iter().enumerate().filter(|(_, p)| p.rank < k);
        sum.trec += ranked.map(|(i, p)| precision(before(i), p.rank + 1)).sum::<f64>();
        let beside = (marked - 1) as f64 / (len - 1).max(1) as f64;
        let at_place = |x: usize| precision(before(0) + x as f64 * beside, start + x + 1);
        let share = marked as f64 / len as f64;
        sum.expected += if len == 1 { at_place(0) } else { share * (0..slots).map(at_place).sum::<f64>() };
        // Luckiest: members first; unluckiest: members last.
        sum.best += (0..marked.min(slots)).map(|i| precision(before(i), start + i + 1)).sum::<f64>();
        let last = start + len - marked;
        sum.worst += (0..slots.saturating_sub(len - marked)).map(|i| precision(before(i), last + i + 1)).sum::<f64>();
        above += marked;
    }
    sum
}

/// Whether the first document among two sets without a common member is one of `wanted`, as 0 or 1.
pub(crate) fn first_is(wanted: &[Place], others: &[Place]) -> Spread {
    let start = |s: &[Place]| s.first().map_or(usize::MAX, |p| p.start);
    let at = start(wanted).min(start(others));
    let count = |s: &[Place]| s.iter().take_while(|p| p.start == at).count();
    let (w, o) = (count(wanted), count(others));
    if w + o == 0 || at == usize::MAX {
        return Spread::default();
    }
    let rank = |s: &[Place]| s.first().map_or(usize::MAX, |p| p.rank);
    Spread {
        expected: w as f64 / (w + o) as f64,
        trec: f64::from(rank(wanted) < rank(others)),
        best: f64::from(w > 0),
        worst: f64::from(o == 0),
    }
}

/// Discounts by 0-based rank: 1 / log2(rank + 2).
#[derive(Debug, Clone)]
pub(crate) struct Discounts(Vec<f64>);

impl Discounts {
    /// For rankings of up to `n` documents.
    pub(crate) fn up_to(n: usize) -> Self {
        Self((0..n).map(|rank| 1.0 / ((rank + 2) as f64).log2()).collect())
    }

    fn at(&self, rank: usize) -> f64 {
        self.0.get(rank).copied().unwrap_or_else(|| 1.0 / ((rank + 2) as f64).log2())
    }

    /// The discounts of the ranks `from..to`.
    fn between(&self, from: usize, to: usize) -> impl Iterator<Item = f64> {
        (from..to).map(|rank| self.at(rank))
    }

    /// Gains in descending order, discounted from rank 0 up to, not including, k.
    pub(crate) fn ideal(&self, descending: &[f64], k: usize) -> f64 {
        descending.iter().take(k).enumerate().map(|(rank, gain)| gain * self.at(rank)).sum()
    }

    /// Discounted gain of the documents with a gain, in the top k. Gains are positive.
    pub(crate) fn gain(&self, set: &[(Place, f64)], k: usize) -> Spread {
        let mut sum = Spread::default();
        for group in set.chunk_by(|a, b| a.0.start == b.0.start) {
            let Some((Place { start, len, .. }, _)) = group.first().copied() else { continue };
            let end = start + slots(start, len, k);
            if end <= start {
                break;
            }
            sum.trec += group.iter().filter(|(p, _)| p.rank < k).map(|(p, gain)| gain * self.at(p.rank)).sum::<f64>();
            if let ([(_, gain)], 1) = (group, len) {
                // Nothing ties: the four are one number, to the last bit.
                let value = gain * self.at(start);
                sum.expected += value;
                sum.best += value;
                sum.worst += value;
                continue;
            }
            let total: f64 = group.iter().map(|(_, gain)| gain).sum();
            sum.expected += total / len as f64 * self.between(start, end).sum::<f64>();
            let mut gains: Vec<f64> = group.iter().map(|(_, gain)| *gain).collect();
            gains.sort_by(f64::total_cmp);
            sum.best += gains.iter().rev().zip(self.between(start, end)).map(|(g, d)| g * d).sum::<f64>();
            // Unluckiest: everything without gain comes first, then the small gains.
            let first = start + len - gains.len();
            sum.worst += gains.iter().zip(self.between(first, end)).map(|(g, d)| g * d).sum::<f64>();
        }
        sum
    }
}
