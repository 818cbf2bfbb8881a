//! How often the answer is on top of m rivals drawn at random.
//!
//! A field of rivals is as hard as it is large. Two data sets with three and with thirty rivals a query cannot be compared at
//! `resolved@1`; at one and the same m they can.

use super::points::{CurvePoint, averaged};
use crate::Options;

/// Below this a probability adds nothing to a mean, and its last factors are not worth multiplying.
const NEGLIGIBLE: f64 = 1e-40;

/// One query's best answer among its rivals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contest {
    /// How many rivals there are, *N*.
    pub rivals: usize,
    /// How many stand above the best answer.
    pub above: usize,
    /// How many share its tie.
    pub level: usize,
    /// How many answers share that tie, the best itself included; at least 1.
    pub answers: usize,
}

impl Contest {
    /// A contest of which the ranking says nothing: all level. What a system gets that cannot tell them apart.
    pub const fn undecided(self) -> Self {
        Self { above: 0, level: self.rivals, ..self }
    }

    /// Probability that an answer is on top of `m` rivals drawn at random without replacement, over the draws and a random
    /// order inside the tie; `None` where there are fewer than `m`.
    ///
    /// Ranked *r* among *N* rivals without ties it is C(N − r + 1, m) / C(N, m): none of the r − 1 above it is drawn. With
    /// `level` rivals beside it, 0 to `level` of them come before it, all equally likely, and the mean of C(N − above − j, m)
    /// over these j is by the hockey-stick identity
    /// (C(M + 1, m + 1) − C(M − level, m + 1)) / (level + 1) with M = N − above. Several answers in the tie make few rivals
    /// before the first of them more likely; that mean is summed term by term, `level` at most. Ratios of binomials are
    /// products over the smaller of the two numbers that end once they are negligible: for N of 10^7 some 10^4 factors at
    /// worst, without the cancellation that differences of log-gammas of that size suffer.
    pub fn on_top_of(&self, m: usize) -> Option<f64> {
        // Below the largest number, so that one more is a number too; there are no such fields.
        let all = self.rivals.min(usize::MAX / 4);
        let above = self.above.min(all);
        let rest = all - above;
        let level = self.level.min(rest);
        if m > all {
            return None;
        }
        let none_above = none_drawn(all, above, m);
        if none_above == 0.0 || level == 0 || m == 0 {
            return Some(none_above);
        }
        let first = if self.answers <= 1 {
            let share = (rest + 1) as f64 / ((m + 1) as f64 * (level + 1) as f64);
            share * any_drawn(rest + 1, level + 1, m + 1)
        } else {
            first_of_several(rest, level, self.answers, m)
        };
        Some(none_above * first.min(1.0))
    }
}

/// C(all − marked, m) / C(all, m): of `m` drawn, none is marked.
fn none_drawn(all: usize, marked: usize, m: usize) -> f64 {
    if marked + m > all {
        return 0.0;
    }
    let (few, many) = (marked.min(m), marked.max(m));
    let mut none = 1.0;
    for i in 0..few {
        none *= (all - many - i) as f64 / (all - i) as f64;
        if none < NEGLIGIBLE {
            return 0.0;
        }
    }
    none
}

/// One less the same, added up so that a small probability keeps its digits. `marked` and `m` are at most `all`.
fn any_drawn(all: usize, marked: usize, m: usize) -> f64 {
    if marked + m > all {
        return 1.0;
    }
    let (few, many) = (marked.min(m), marked.max(m));
    let mut any = 0.0;
    for i in 0..few {
        any += (1.0 - any) * (many as f64 / (all - i) as f64);
        if any >= 1.0 {
            break;
        }
    }
    any
}

/// Probability that none of the rivals is drawn which come before the first of several answers; none stands above their tie.
///
/// With a answers and L rivals in the tie, j rivals come first with probability C(L + a − 1 − j, a − 1) / C(L + a, a); of
/// M rivals in all, none of these j is drawn with C(M − j, m) / C(M, m). Both from one j to the next.
fn first_of_several(rest: usize, level: usize, answers: usize, m: usize) -> f64 {
    let answers = answers.min(usize::MAX / 4);
    let mut term = answers as f64 / (answers + level) as f64;
    let mut sum = 0.0;
    for j in 0..=level {
        sum += term;
        if j == level || term < sum * f64::EPSILON / (level - j) as f64 {
            break;
        }
        let before = (level - j) as f64 / (level + answers - 1 - j) as f64;
        term *= before * ((rest - j).saturating_sub(m) as f64 / (rest - j) as f64);
    }
    sum
}

/// Which queries a curve over m is made of.
///
/// Queries have different numbers of rivals, and those with many are of other facts than those with few. A mean over the
/// queries that reach m changes its queries from point to point: it may *rise*, which no single query does. So a plot should
/// show one set of queries throughout, and say which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// At each m the queries with at least m rivals. Each point's number of queries says when the set changes.
    Reaching,
    /// At each m the queries with at least so many rivals, however small m: one set throughout, and a curve that never rises.
    /// Points beyond that number, which not all of the set reach, are left out.
    AtLeast(usize),
    /// All queries throughout, with all of their rivals once m is more than they have: never rises and ends at
    /// `resolved@1`, but goes flat where queries run out of rivals.
    UpToAll,
}

/// At each of the ms the mean over queries of [`Contest::on_top_of`], with a band. `None` for a query without answer or
/// rivals; a query that a run lacks is [`Contest::undecided`], as in `resolved@1`. `clusters[q]` numbers the filing of query
/// `q`.
pub fn rival_curve(
    contests: &[Option<Contest>],
    clusters: &[usize],
    ms: &[usize],
    field: Field,
    options: &Options,
) -> Vec<CurvePoint> {
    averaged(ms, contests.len(), clusters, options, |q, m| {
        let contest = contests.get(q)?.filter(|c| c.rivals > 0)?;
        match field {
            Field::Reaching => contest.on_top_of(m),
            Field::AtLeast(least) if m > least || contest.rivals < least => None,
            Field::AtLeast(_) => contest.on_top_of(m),
            Field::UpToAll => contest.on_top_of(m.min(contest.rivals)),
        }
    })
}

#[cfg(test)]
mod tests;
