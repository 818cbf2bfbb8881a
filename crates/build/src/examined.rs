//! All files, read and searched for facts.

use std::collections::BTreeMap;

use rayon::prelude::*;

use eightk_mine::{Recipe, Record, examine};

use crate::inputs::{InputFile, Inputs, ManifestRow, Refused};
use crate::reading::{ReadOptions, read_filing};

/// The filings of a build, in `source_url` order, and the files that are none.
#[derive(Debug, Default)]
pub struct Examined {
    /// One record a filing, ordered by `source_url`.
    pub records: Vec<Record>,
    /// For each record, the file it came from, as named in its input.
    pub files: Vec<String>,
    /// Files that were refused, in input order.
    pub refused: Vec<Refused>,
    /// Documents beside a manifest that does not name them.
    pub unlisted: usize,
}

/// Reads one file and searches it for the recipe's facts. The error is the reason for refusing it.
pub fn examine_one(file: &InputFile, recipe: &Recipe, options: &ReadOptions) -> Result<Record, String> {
    let read = read_filing(file, options)?;
    let findings = examine(&read.filing, &read.names, recipe);
    Ok(Record::new(read.filing, read.names, findings))
}

/// Reads and searches all files in parallel; `step` is called once per file, from any thread.
///
/// Filings meet only after this: sorted by `source_url`, with the later of two with one name refused.
pub fn examine_all(inputs: Inputs, recipe: &Recipe, options: &ReadOptions, step: impl Fn() + Sync) -> Examined {
    let Inputs { files, mut refused, unlisted } = inputs;
    let results: Vec<Result<Record, String>> = files
        .par_iter()
        .map(|file| {
            let result = examine_one(file, recipe, options).and_then(|record| usable(record, &file.row));
            step();
            result
        })
        .collect();
    let mut by_name: BTreeMap<String, (Record, String)> = BTreeMap::new();
    for (file, result) in files.into_iter().zip(results) {
        let record = match result {
            Ok(record) => record,
            Err(reason) => {
                let reason = format!("{reason}{}", which(&file));
                refused.push(Refused { file: file.name, reason });
                continue;
            }
        };
        let name = record.filing.meta.source_url.clone();
        if let Some((_, first)) = by_name.get(&name) {
            refused.push(Refused { file: file.name, reason: format!("{name} was already read from {first}") });
        } else {
            by_name.insert(name, (record, file.name));
        }
    }
    let (records, files) = by_name.into_values().unzip();
    Examined { records, files, refused, unlisted }
}

/// Many filings name their document alike: where the name does not tell which filing is meant, its number does.
fn which(file: &InputFile) -> String {
    let number = file.row.accession().filter(|number| !file.name.contains(number.as_str()));
    number.map_or_else(String::new, |number| format!(" (filing {number})"))
}

/// A data set needs a title for every chunk: company and date have to be known.
fn usable(record: Record, row: &ManifestRow) -> Result<Record, String> {
    let meta = &record.filing.meta;
    if meta.company.is_none() {
        return Err("no company name in manifest or document; name it in a manifest.jsonl (\"company\")".into());
    }
    if let (None, Some(given)) = (meta.filed, row.filed.as_deref().filter(|d| !d.trim().is_empty())) {
        return Err(format!(
            "`{given}`, its date in the manifest, is not of the form YYYY-MM-DD, and the document states none"
        ));
    }
    if meta.filed.is_none() {
        return Err("no date in manifest or document; name it in a manifest.jsonl (\"filed\": \"YYYY-MM-DD\")".into());
    }
    if record.names.short().is_empty() {
        return Err("no short company name can be made of its company name; name it in a manifest.jsonl".into());
    }
    Ok(record)
}
