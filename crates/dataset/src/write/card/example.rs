//! A query of the set with its golds and rivals, as one would show it to somebody.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eightk_core::{Chunk, Query, RivalSet, Role};

use super::markdown::{grouped, prose};
use crate::short_name;

/// A query worth showing, and its nearest rivals.
pub(in crate::write) struct Example {
    query: usize,
    /// How many rivals are listed for it.
    among: usize,
    /// Chunk ids with their similarity to the gold, where known.
    rivals: Vec<(String, Option<f64>)>,
}

impl Example {
    /// The query whose nearest rival is nearest, among those with evidence if any; the earliest of equals.
    pub(in crate::write) fn choose(queries: &[Query], rivals: &[RivalSet]) -> Option<Self> {
        const SHOWN: usize = 3;
        let sets: BTreeMap<&str, &RivalSet> = rivals.iter().map(|r| (r.query.as_str(), r)).collect();
        let mut best: Option<((bool, f64), Self)> = None;
        for (row, query) in queries.iter().enumerate() {
            let set = sets.get(eightk_core::query_id(row).as_str());
            let similarity = |i: usize| set.and_then(|s| s.similarity.get(i)).copied().filter(|s| s.is_finite());
            let ids = set.map(|s| s.rivals.as_slice()).unwrap_or_default();
            let mut near: Vec<_> = ids.iter().enumerate().map(|(i, id)| (id.clone(), similarity(i))).collect();
            // Stable, so that equals keep the order of their ids.
            near.sort_by(|a, b| b.1.unwrap_or(0.0).total_cmp(&a.1.unwrap_or(0.0)));
            let among = near.len();
            near.truncate(SHOWN);
            let nearest = near.first().map_or(-1.0, |(_, s)| s.unwrap_or(0.0));
            let merit = (query.golds.iter().any(|g| g.role == Role::Evidence), nearest);
            if best.as_ref().is_none_or(|(other, _)| merit > *other) {
                best = Some((merit, Self { query: row, among, rivals: near }));
            }
        }
        best.map(|(_, example)| example)
    }

    /// The chunks it shows.
    pub(in crate::write) fn ids(&self) -> impl Iterator<Item = &str> {
        self.rivals.iter().map(|(id, _)| id.as_str())
    }

    /// The section that shows it, with the `chunks` that [`Self::ids`] named.
    pub(super) fn render(&self, queries: &[Query], chunks: &[Chunk]) -> String {
        let Some(query) = queries.get(self.query) else { return String::new() };
        let mut out = format!("## An example\n\n**Query**\n> {}\n\n", prose(&query.query));
        for gold in &query.golds {
            let (name, place) = match gold.role {
                Role::Answer => ("Answer", "score 2"),
                Role::Evidence => ("Evidence for whose it is", "score 1"),
            };
            let _ = writeln!(out, "**{name}** ({place}, `{}`)\n> {}\n", gold.source_url, prose(&gold.text));
        }
        let shown: Vec<_> =
            self.rivals.iter().filter_map(|(id, s)| Some((chunks.iter().find(|c| c.id == *id)?, s))).collect();
        if !shown.is_empty() {
            let which = if shown.len() < self.among {
                format!(", {} of {}, the most alike", shown.len(), grouped(self.among))
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "**Rivals**{which}: what a system that cannot see the filing has to choose from besides the answer\n"
            );
            for (chunk, similarity) in shown {
                let near = similarity.map_or(String::new(), |s| format!(", similarity {s:.2}"));
                let company = short_name(&chunk.title).unwrap_or(&chunk.source_url);
                let _ = writeln!(out, "- {} — *{}*{near}", prose(&chunk.text), prose(company));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_example_has_the_nearest_rival() {
        let mut set = testing::dataset(4);
        let rivals = set.rivals.as_mut().unwrap();
        for (i, r) in rivals.iter_mut().enumerate() {
            r.similarity = vec![0.1, 0.2 * i as f64, 0.0];
        }
        let example = Example::choose(&set.queries, rivals).unwrap();
        assert_eq!(example.query, 3);
        assert_eq!(example.rivals[0].0, rivals[3].rivals[1]);
        set.queries[3].golds.truncate(1);
        assert_eq!(Example::choose(&set.queries, rivals).unwrap().query, 2, "evidence comes first");
        assert!(Example::choose(&[], rivals).is_none());
    }
}
