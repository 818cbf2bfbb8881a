//! A data set as something to score against.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;

use eightk_core::{RivalSet, is_invented, query_id};
use eightk_dataset::{DataSet, FilingRow, Judged, ReadReport, fingerprint, judge, read, repair_spans};

use eightk_runs::{AuditFacts, DataFacts, FilingFacts, QueryFacts, RecipeFacts};

use super::against::Against;
use super::results::{qrels_sha256, sha256};
use super::saved::lines;
use crate::dataset_name::NamedDataset;
use crate::failure::{Failure, Outcome};

/// A data set with its judgements.
pub(crate) struct JudgedSet {
    pub(crate) dataset: DataSet,
    pub(crate) judged: Judged,
    pub(crate) fingerprint: String,
}

/// Columns without which scores mean something else.
const MATTERS: &[&str] = &["score", "roles", "title", "chunk_start_char", "chunk_end_char"];

/// Finds and reads a data set; see [`read_named`].
pub(crate) fn read_dataset(given: &str, repair: bool) -> Outcome<(DataSet, ReadReport)> {
    read_named(&NamedDataset::find(given)?, repair)
}

/// Reads a data set and matches its golds to chunks: ready to be scored against.
pub(crate) fn judged_and_against(named: &NamedDataset, repair: bool) -> Outcome<(JudgedSet, Against)> {
    let (dataset, report) = read_named(named, repair)?;
    let set = JudgedSet::new(dataset);
    let repaired = if repair { report.unfit.len() } else { 0 };
    let folder = Path::new(named.path());
    let recipe = stated_recipe(folder, &set.fingerprint);
    // Of these very rows: where the recipe is not known, the audit is of who knows what.
    let audit = recipe.as_ref().and_then(|_| stated_audit(folder));
    let against = set.against(&named.named(), (recipe, audit), repaired)?;
    Ok((set, against))
}

/// The recipe that a data set's manifest names, if the manifest is of these very rows.
fn stated_recipe(folder: &Path, fingerprint: &str) -> Option<RecipeFacts> {
    #[derive(serde::Deserialize)]
    struct Manifest {
        fingerprint: String,
        recipe: RecipeFacts,
    }
    let manifest: Manifest = serde_json::from_slice(&std::fs::read(folder.join("manifest.json")).ok()?).ok()?;
    (manifest.fingerprint == fingerprint).then_some(manifest.recipe)
}

/// What the audit kept with a data set found, in numbers.
fn stated_audit(folder: &Path) -> Option<AuditFacts> {
    let stated = eightk_dataset::AuditFacts::of_folder(folder)?;
    let (passed, not_applicable) = (stated.passed_checks.len(), stated.skipped_checks.len());
    Some(AuditFacts { passed, failed: stated.failed_checks, not_applicable })
}

/// Reads a data set. What is odd about it goes to standard error, so that no score stands on a silent repair.
pub(crate) fn read_named(named: &NamedDataset, repair: bool) -> Outcome<(DataSet, ReadReport)> {
    let given = named.given();
    let (mut dataset, report) = read(&named.source()?)?;
    let mut err = std::io::stderr().lock();
    for note in &report.notes {
        let _ = writeln!(err, "note: {given}: {note}");
    }
    for m in report.missing.iter().filter(|m| m.config != "filings" && MATTERS.contains(&m.column)) {
        let _ =
            writeln!(err, "note: {given}: {} has no column `{}`: {} stands in for it", m.config, m.column, m.instead);
    }
    if !report.unfit.is_empty() {
        let shown = report.unfit.iter().take(3).map(|u| format!("{} [{}, {})", u.chunk_id, u.start, u.end));
        let (n, examples) = (report.unfit.len(), shown.collect::<Vec<_>>().join(", "));
        if repair {
            let repaired = repair_spans(&mut dataset);
            let _ = writeln!(
                err,
                "note: {given}: {n} chunk spans do not fit their text ({examples}); {} repaired from the chunks' lengths, {} gold spans too",
                repaired.chunks, repaired.golds
            );
        } else {
            let _ = writeln!(
                err,
                "warning: {given}: {n} chunk spans do not fit their text ({examples}); golds may match nothing; eval and score repair them with --repair-spans"
            );
        }
    }
    Ok((dataset, report))
}

/// Output must not take the place of the data set it was made from.
pub(crate) fn refuse_replacing(dataset: &str, out: &Path) -> Outcome {
    let inside = |file: &str| match (std::fs::canonicalize(file), std::fs::canonicalize(out)) {
        (Ok(file), Ok(out)) => file.starts_with(out),
        _ => false,
    };
    if inside(dataset) || dataset.split(',').any(inside) {
        Err(Failure::usage(format!("--out {}: that is the data set; choose another folder", out.display())))
    } else {
        Ok(())
    }
}

impl JudgedSet {
    /// Matches golds to chunks.
    pub(crate) fn new(dataset: DataSet) -> Self {
        let judged = judge(&dataset);
        let fingerprint = fingerprint(&dataset);
        if !judged.dangling.is_empty() {
            let golds = judged.dangling.iter().take(3).map(|g| format!("{} gold {}", g.query, g.gold));
            let examples = golds.collect::<Vec<_>>().join(", ");
            let _ = writeln!(
                std::io::stderr(),
                "warning: {} golds match no chunk ({examples}); no system can find them",
                judged.dangling.len()
            );
        }
        let set = Self { dataset, judged, fingerprint };
        set.warn_of_rivals();
        set
    }

    /// Rival lists that are not what they seem: of other rows, or cut.
    fn warn_of_rivals(&self) {
        let mut err = std::io::stderr().lock();
        let gold = |s: &&RivalSet| self.judged.qrels.queries.get(&s.query).is_some_and(|g| g.contains_key(&s.gold));
        let named = || self.rivals().iter().filter(|s| !s.gold.is_empty());
        let strange: Vec<&str> = named().filter(|s| !gold(s)).map(|s| s.query.as_str()).collect();
        if let Some(first) = strange.first() {
            let _ = writeln!(
                err,
                "warning: {} rival lists name a gold that their query does not have, for example {first}: were rows of queries added or removed? Rival scores are not to be trusted; `eightk audit` says more",
                strange.len()
            );
        }
        let cut = self.rivals().iter().filter(|s| s.total.is_some()).count();
        if cut > 0 {
            let _ = writeln!(
                err,
                "note: {cut} queries have more rivals than their list, which holds the most similar: rival scores are over those"
            );
        }
    }

    /// Rivals as published with the data set; none where it has none.
    pub(crate) fn rivals(&self) -> &[RivalSet] {
        self.dataset.rivals.as_deref().unwrap_or_default()
    }

    /// Query ids in row order.
    pub(crate) fn query_ids(&self) -> Vec<String> {
        (0..self.dataset.queries.len()).map(query_id).collect()
    }

    /// All that scoring needs. `name` is what results call the data set, without fingerprint.
    pub(crate) fn against(
        &self,
        name: &str,
        (recipe, audit): (Option<RecipeFacts>, Option<AuditFacts>),
        repaired_spans: usize,
    ) -> Outcome<Against> {
        let rivals = self.dataset.rivals.clone();
        let rows = self.dataset.filings.iter().flatten();
        let known: HashMap<&str, &FilingRow> = rows.map(|f| (f.source_url.as_str(), f)).collect();
        let filings: Vec<FilingFacts> = (self.dataset.by_filing().into_iter())
            .map(|(filing, rows)| FilingFacts {
                filing: filing.to_owned(),
                title: rows.first().and_then(|i| Some(self.dataset.chunks.get(*i)?.title.clone())).unwrap_or_default(),
                url: known.get(filing).and_then(|f| f.url.clone()),
                accession: known.get(filing).and_then(|f| f.accession.clone()),
                cik: known.get(filing).and_then(|f| f.cik.clone()),
                chunks: rows.iter().filter_map(|i| Some(self.dataset.chunks.get(*i)?.id.clone())).collect(),
            })
            .collect();
        let data = DataFacts {
            name: name.to_owned(),
            fingerprint: self.fingerprint.clone(),
            qrels_sha256: qrels_sha256(&self.judged.qrels),
            rivals_sha256: rivals.as_deref().map(lines).transpose()?.map(|text| sha256(text.as_bytes())),
            recipe,
            filings: filings.len(),
            invented: filings.iter().filter(|f| is_invented(f.cik.as_deref(), f.accession.as_deref())).count(),
            chunks: self.dataset.chunks.len(),
            queries: self.dataset.queries.len(),
            repaired_spans,
            audit,
        };
        let name = format!("{name} {}", self.fingerprint);
        Ok(Against::new((name, data), self.judged.qrels.clone(), rivals, self.queries(), filings))
    }

    fn queries(&self) -> Vec<QueryFacts> {
        let answer_grade = self.judged.qrels.answer_grade();
        let places: HashMap<&str, (&str, usize)> =
            self.dataset.chunks.iter().map(|c| (c.id.as_str(), (c.source_url.as_str(), c.idx))).collect();
        let facts = |(id, row): (String, &eightk_core::Query)| {
            let grades = self.judged.qrels.queries.get(&id);
            let ids = |is_answer: bool| {
                let graded = grades.into_iter().flatten();
                graded.filter(move |(_, g)| **g > 0 && (**g >= answer_grade) == is_answer).map(|(c, _)| c)
            };
            let of = |is_answer: bool| ids(is_answer).filter_map(|c| places.get(c.as_str()));
            let apart = |a: &(&str, usize)| of(false).filter(|e| e.0 == a.0).map(|e| e.1.abs_diff(a.1)).min();
            QueryFacts {
                text: row.query.clone(),
                filing: row.golds.first().map(|g| g.source_url.clone()),
                fact: row.fact.clone(),
                distance: of(true).filter_map(apart).min(),
                alternatives: self.judged.alternatives.get(&id).cloned().unwrap_or_default(),
                answers: ids(true).cloned().collect(),
                evidence: ids(false).cloned().collect(),
                query: id,
            }
        };
        self.query_ids().into_iter().zip(&self.dataset.queries).map(facts).collect()
    }
}
