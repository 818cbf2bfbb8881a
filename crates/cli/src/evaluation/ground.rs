//! What every system of a run stands on: chunks, queries, and what is known besides.

use std::collections::BTreeMap;

use eightk_core::Chunk;
use eightk_retrieve::{
    Control, Corpus, DenseSpec, Knowledge, QueryInput, SystemSpec, View, filer_names, parse_prefixes,
};

use super::JudgedSet;
use crate::failure::{Failure, Outcome};

/// Chunks, queries, judgements; names of filers and contexts made elsewhere where a system wants them.
pub(crate) struct Ground<'g> {
    pub(crate) corpus: Corpus<'g>,
    pub(crate) knowledge: Knowledge<'g>,
    queries: Vec<(String, &'g str)>,
}

impl<'g> Ground<'g> {
    /// For these systems.
    pub(crate) fn new(set: &'g JudgedSet, specs: &[SystemSpec]) -> Outcome<Self> {
        if set.dataset.queries.is_empty() {
            return Err(Failure::wrong("the data set has no query, so there is nothing to run"));
        }
        if specs.is_empty() {
            return Err(Failure::usage("no system to run; name one with --system"));
        }
        Self::of(set, specs)
    }

    /// The same, also where nothing is asked yet.
    pub(crate) fn of(set: &'g JudgedSet, specs: &[SystemSpec]) -> Outcome<Self> {
        let filings = || set.dataset.filings.iter().flatten();
        let texts: BTreeMap<&str, &str> = filings().map(|f| (f.source_url.as_str(), f.text.as_str())).collect();
        let corpus = Corpus::new(&set.dataset.chunks)?.with_texts(&texts);
        let shown: Vec<(&View, Option<Control>)> = specs.iter().flat_map(shown).collect();
        let names = |c: &Option<Control>| matches!(c, Some(Control::Masked | Control::MinusBinding));
        let companies: BTreeMap<&str, &str> =
            filings().filter_map(|f| Some((f.source_url.as_str(), f.company.as_deref()?))).collect();
        let aliases = match shown.iter().any(|(_, control)| names(control)) {
            true => filer_names(&corpus, &companies),
            false => BTreeMap::new(),
        };
        let mut prefixes = BTreeMap::new();
        for file in shown.iter().filter_map(|(view, _)| view.prefix_file()) {
            if !prefixes.contains_key(file) {
                prefixes.insert(file.to_owned(), read_prefixes(file, &set.dataset.chunks)?);
            }
        }
        let knowledge = Knowledge { qrels: set.judged.qrels.clone(), rivals: set.rivals(), aliases, prefixes };
        let queries = set.query_ids().into_iter().zip(set.dataset.queries.iter().map(|q| q.query.as_str())).collect();
        Ok(Self { corpus, knowledge, queries })
    }

    /// As systems see them.
    pub(crate) fn queries(&self) -> Vec<QueryInput<'_>> {
        self.queries.iter().map(|(id, text)| QueryInput { id, text }).collect()
    }
}

/// Every view and control in a spec.
fn shown(spec: &SystemSpec) -> Vec<(&View, Option<Control>)> {
    let (mut found, mut open) = (Vec::new(), vec![spec]);
    while let Some(spec) = open.pop() {
        match spec {
            SystemSpec::Bm25 { view, control, .. } | SystemSpec::Dense(DenseSpec { view, control, .. }) => {
                found.push((view, *control));
            }
            SystemSpec::Rrf { parts, .. } => open.extend(parts),
            SystemSpec::WeightedSum { parts, .. } => open.extend(parts.iter().map(|(_, part)| part)),
            SystemSpec::Rerank { first, .. } => open.push(first),
            _ => {}
        }
    }
    found
}

/// The contexts in a file. One that is of no chunk of this data set is of another.
fn read_prefixes(file: &str, chunks: &[Chunk]) -> Outcome<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::usage(format!("view prefix:{file}: {e}")))?;
    let prefixes = parse_prefixes(&text).map_err(|e| Failure::wrong(format!("{file}: {e}")))?;
    if !chunks.iter().any(|c| prefixes.contains_key(&c.id)) {
        return Err(Failure::wrong(format!(
            "{file}: none of its {} contexts is of a chunk of this data set; its ids must be the chunk_id of documents",
            prefixes.len()
        )));
    }
    Ok(prefixes)
}
