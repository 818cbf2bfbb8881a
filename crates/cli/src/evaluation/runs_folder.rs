//! A folder that `eval` wrote, read back.
//!
//! What the numbers stand on (judgements, rivals) must be what it was: their hashes are in `results.json`, and another
//! content is refused. A run that was changed can still be scored, and is named.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use eightk_core::{RivalSet, Run};
use eightk_measure::{FailedSystem, trec};
use eightk_runs::{DataFacts, QueryFacts, Ranking, Report, Settings, file, read_lines};

use super::against::Against;
use super::results::{Saved, qrels_sha256, sha256};
use crate::failure::{Failure, Outcome};

/// The folder.
pub(crate) struct RunsFolder {
    pub(crate) path: PathBuf,
    saved: Saved,
}

impl RunsFolder {
    /// A folder with a `results.json` of ours; `None` where there is none.
    pub(crate) fn open(path: &Path) -> Outcome<Option<Self>> {
        let file = path.join(file::RESULTS);
        if !file.is_file() {
            return Ok(None);
        }
        let wrong = |what: String| {
            Failure::wrong(format!("{}: {what}; it is not as `eightk eval` wrote it: run eval again", file.display()))
        };
        let bytes = read(&file)?;
        let saved: Saved = serde_json::from_slice(&bytes).map_err(|e| wrong(e.to_string()))?;
        if saved.tool != "eightk" {
            return Err(wrong(format!("it was written by `{}`", saved.tool)));
        }
        let inside = |file: &str| Path::new(file).components().all(|c| matches!(c, std::path::Component::Normal(_)));
        if let Some(out) = saved.rankings.iter().find(|r| !inside(&r.file)) {
            return Err(wrong(format!("`{}` is no file of this folder", out.file)));
        }
        Ok(Some(Self { path: path.to_owned(), saved }))
    }

    /// The folder that a run file belongs to, with the file's entry, where there is one.
    pub(crate) fn home_of(run: &Path) -> Outcome<Option<(Self, Ranking)>> {
        let Some(root) = run.parent().and_then(Path::parent) else { return Ok(None) };
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        let Some(folder) = Self::open(root)? else { return Ok(None) };
        let of = |r: &&Ranking| run.ends_with(&r.file);
        let entry = folder.saved.rankings.iter().find(of).cloned();
        Ok(entry.map(|entry| (folder, entry)))
    }

    pub(crate) fn data(&self) -> &DataFacts {
        &self.saved.data
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.saved.settings
    }

    pub(crate) fn failed(&self) -> &[FailedSystem] {
        &self.saved.failed
    }

    /// The rankings it lists, with their files.
    pub(crate) fn rankings(&self) -> impl Iterator<Item = (PathBuf, &Ranking)> {
        self.saved.rankings.iter().map(|r| (self.path.join(&r.file), r))
    }

    /// Where a new report of its runs differs from what is recorded; `None` where every number is the same.
    pub(crate) fn difference(&self, report: &Report) -> Outcome<Option<String>> {
        let failed = |e: serde_json::Error| Failure::wrong(format!("cannot write JSON: {e}"));
        // Through text, as the recorded numbers came: both sides are then read by one reader.
        let text = serde_json::to_string(report).map_err(failed)?;
        let new: Value = serde_json::from_str(&text).map_err(failed)?;
        let saved = &self.saved;
        for (key, recorded) in [
            ("systems", &saved.systems),
            ("comparisons", &saved.comparisons),
            ("against_best", &saved.against_best),
            ("ablations", &saved.ablations),
        ] {
            let (rows, again) = (recorded.as_array(), new.get(key).and_then(Value::as_array));
            let (rows, again) = (rows.map_or(&[][..], Vec::as_slice), again.map_or(&[][..], Vec::as_slice));
            if let Some(i) = (0..rows.len().max(again.len())).find(|i| rows.get(*i) != again.get(*i)) {
                let row = rows.get(i).or(again.get(i));
                let name = row.and_then(|r| r.get("name").or(r.get("a"))).and_then(Value::as_str).unwrap_or_default();
                return Ok(Some(format!(
                    "{key}[{i}] ({name}) differs from {}, which version {} wrote",
                    self.path.join("results.json").display(),
                    saved.version
                )));
            }
        }
        Ok(None)
    }

    /// What its runs were scored against.
    pub(crate) fn against(&self) -> Outcome<Against> {
        let at = |name: &str| self.path.join(name);
        let changed = |name: &str| {
            Failure::wrong(format!(
                "{}: it is not what it was when results.json was written; restore it, or run eval again",
                at(name).display()
            ))
        };
        let queries: Vec<QueryFacts> = read_lines(&at(file::QUERIES))?;
        // An empty file is what no judgement at all looks like.
        let text = read(&at(file::QRELS))?;
        let mut qrels = match text.is_empty() {
            true => eightk_core::Qrels::default(),
            false => trec::parse_qrels(&text, &at(file::QRELS).display().to_string())?.value,
        };
        // TREC has no line for a query without gold.
        for query in &queries {
            qrels.queries.entry(query.query.clone()).or_default();
        }
        if qrels_sha256(&qrels) != self.saved.data.qrels_sha256 {
            return Err(changed(file::QRELS));
        }
        let rivals: Option<Vec<RivalSet>> = match &self.saved.data.rivals_sha256 {
            None => None,
            Some(hash) if sha256(&read(&at(file::RIVALS))?) == *hash => Some(read_lines(&at(file::RIVALS))?),
            Some(_) => return Err(changed(file::RIVALS)),
        };
        let known = (self.saved.dataset.clone(), self.saved.data.clone());
        Ok(Against::new(known, qrels, rivals, queries, read_lines(&at(file::FILINGS))?))
    }
}

/// Puts back what a TREC run cannot hold: the name in full, and queries that found nothing. Says so where the file was changed.
pub(crate) fn restore(run: &mut Run, bytes: &[u8], path: &Path, entry: &Ranking) {
    if sha256(bytes) != entry.sha256 {
        let _ = writeln!(std::io::stderr(), "warning: {}: changed since eval wrote it", path.display());
    }
    run.system.clone_from(&entry.name);
    let nothing: BTreeMap<String, Vec<_>> = entry.found_nothing.iter().map(|q| (q.clone(), Vec::new())).collect();
    for (query, hits) in nothing {
        run.queries.entry(query).or_insert(hits);
    }
}

fn read(path: &Path) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|e| Failure::wrong(format!("cannot read {}: {e}", path.display())))
}
