//! Several systems as one.
//!
//! ```text
//! query ──▶ part 1 ──▶ hits ──▶ contributions ──┐
//!       ──▶ part 2 ──▶ hits ──▶ contributions ──┴──▶ sum by chunk ──▶ TopK
//! ```
//!
//! A part's hits are what it returned for the query, whatever their order in its list: their scores say who is before whom. A
//! chunk that a part did not return gets nothing from that part. Contributions of a chunk are added largest first, so that two
//! chunks with the same contributions from other parts have the same score to the last bit.
//!
//! **Reciprocal ranks** (Cormack, Clarke & Büttcher 2009): a part adds 1 / (k + rank), ranks from 1. Chunks that a part scores alike
//! share a rank, the mean of those they take up. The first of them as rank for all would give every member of a tie of thousands
//! what a sole winner gets, for a part that says nothing about them; ranks in order of appearance would let ids decide.
//!
//! **Weighted sum**: a part's scores are brought to 0 … 1 within what it returned for the query, its lowest hit at 0, and weighted. Where
//! all are alike they are at 1: found is more than not found. Standardised scores (z-scores), the other common way, have no natural
//! place for what was not returned.

mod contributions;
mod findings;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use eightk_core::Hit;
use rayon::prelude::*;

use crate::{Description, Findings, QueryInput, RetrieveError, System, TopK};

/// How deep each part is asked at least: what stands lower adds less than a sixteenth of what a first place does.
const LEAST_DEPTH: usize = 1000;
/// Queries whose hits are held at once.
const TOGETHER: usize = 512;

/// A system made of the rankings of others.
pub struct Fused<'s> {
    parts: Vec<Part<'s>>,
    description: Description,
}

struct Part<'s> {
    system: Box<dyn System + 's>,
    rule: Rule,
}

/// What a hit of a part contributes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Rule {
    /// 1 / (k + rank).
    ReciprocalRank { k: u32 },
    /// weight · (score − lowest) / (highest − lowest).
    Scaled { weight: f64 },
}

impl std::fmt::Debug for Fused<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fused").field("description", &self.description).finish_non_exhaustive()
    }
}

impl<'s> Fused<'s> {
    /// Fuses by reciprocal ranks. `k` is what is added to a rank before it divides; 60 is usual.
    pub fn rrf(name: &str, parts: Vec<Box<dyn System + 's>>, k: u32) -> Self {
        let description = Description::new(name, "RRF", "Rankings fused by reciprocal ranks")
            .with("contribution", "1 / (k + rank), ranks from 1; none where a part did not return the chunk")
            .with("k", k.to_string())
            .with("ties", "chunks a part scores alike share the mean of their ranks");
        Self::new(
            description,
            parts.into_iter().map(|system| Part { system, rule: Rule::ReciprocalRank { k } }).collect(),
        )
    }

    /// Fuses by a weighted sum of scores, each part's brought to 0 … 1 per query.
    ///
    /// # Errors
    ///
    /// [`RetrieveError::Setting`] for a weight that is not a positive number.
    pub fn weighted_sum(name: &str, parts: Vec<(f64, Box<dyn System + 's>)>) -> Result<Self, RetrieveError> {
        if let Some((weight, _)) = parts.iter().find(|(weight, _)| !(*weight > 0.0 && weight.is_finite())) {
            let (spec, setting) = (name.to_owned(), weight.to_string());
            return Err(RetrieveError::Setting {
                spec,
                setting,
                why: "is no weight; weights are numbers above 0".to_owned(),
            });
        }
        let description = Description::new(name, "weighted sum", "Scores of several systems, scaled and added").with(
            "contribution",
            "weight (score - lowest) / (highest - lowest) over what a part returned for the query; 0 where it did not return \
             the chunk, the weight where all its scores are alike",
        );
        let part = |(weight, system)| Part { system, rule: Rule::Scaled { weight } };
        Ok(Self::new(description, parts.into_iter().map(part).collect()))
    }

    fn new(mut description: Description, parts: Vec<Part<'s>>) -> Self {
        description = description.with("depth", format!("each part's best {LEAST_DEPTH}, or k where that is more"));
        for (number, part) in (1..).zip(&parts) {
            let of = part.system.description();
            description = description.with(&format!("part {number}"), &of.name);
            if let Rule::Scaled { weight } = part.rule {
                description = description.with(&format!("part {number} weight"), weight.to_string());
            }
            if let Some(view) = &of.view {
                description = description.with(&format!("part {number} view"), view);
            }
            for (setting, value) in &of.settings {
                description = description.with(&format!("part {number} {setting}"), value);
            }
        }
        Self { parts, description }
    }
}

impl System for Fused<'_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        Ok(self.search_all(std::slice::from_ref(query), k)?.pop().unwrap_or_default())
    }

    fn search_all(&self, queries: &[QueryInput<'_>], k: usize) -> Result<Vec<Vec<Hit>>, RetrieveError> {
        let mut fused = Vec::with_capacity(queries.len());
        for queries in queries.chunks(TOGETHER) {
            let ask = |part: &Part<'_>| part.system.search_all(queries, k.max(LEAST_DEPTH));
            let found = self.parts.iter().map(ask).collect::<Result<Vec<_>, _>>()?;
            let of_query = |query: usize| {
                let hits = found.iter().map(|of_part| of_part.get(query).map_or(&[][..], Vec::as_slice));
                fuse(self.parts.iter().map(|p| p.rule).zip(hits), k)
            };
            fused.par_extend((0..queries.len()).into_par_iter().map(of_query));
        }
        Ok(fused)
    }

    fn findings(&self) -> Findings {
        findings::of_parts(self.parts.iter().map(|p| (p.system.name(), p.system.findings())))
    }
}

/// The best k of all that the parts returned; equal scores in the order of ids.
fn fuse<'h>(parts: impl Iterator<Item = (Rule, &'h [Hit])>, k: usize) -> Vec<Hit> {
    let mut by_chunk: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (rule, hits) in parts {
        let contributions = match rule {
            Rule::ReciprocalRank { k } => contributions::reciprocal_ranks(hits, k),
            Rule::Scaled { weight } => contributions::scaled(hits, weight),
        };
        for (hit, contribution) in hits.iter().zip(contributions) {
            by_chunk.entry(&hit.id).or_default().push(contribution);
        }
    }
    let mut top = TopK::new(k);
    for (position, contributions) in (0u32..).zip(by_chunk.values_mut()) {
        contributions.sort_unstable_by(|a, b| b.total_cmp(a));
        top.push(position, contributions.iter().sum());
    }
    let ids: Vec<&str> = by_chunk.into_keys().collect();
    let hit = |s: crate::Scored| Some(Hit { id: (*ids.get(s.position as usize)?).to_owned(), score: s.score });
    top.finish().into_iter().filter_map(hit).collect()
}
