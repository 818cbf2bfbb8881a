//! The store as its users see it.

mod failing_disk;
mod opening;
mod shelves;

use std::path::Path;

use eightk_core::Accession;

use super::*;
use crate::find::{Filer, Found};

/// A filing of an invented company.
pub(super) fn found(number: u32) -> Found {
    Found {
        accession: accession(number),
        form: eightk_core::Form::EightK,
        filed: "2024-03-05".parse().unwrap(),
        report_date: None,
        items: vec!["2.05".into(), "9.01".into()],
        filers: vec![Filer {
            cik: format!("{}", 9_000_000_000 + u64::from(number)),
            name: "QUILBY TOOLS CORP".into(),
            tickers: vec![],
        }],
        document: Some("d8k.htm".into()),
        amends: None,
    }
}

pub(super) fn accession(number: u32) -> Accession {
    format!("9000000000-24-{number:06}").parse().unwrap()
}

pub(super) fn record(number: u32, bytes: &[u8]) -> Record {
    Record::new(&found(number), "d8k.htm", "https://www.sec.gov/Archives/x/d8k.htm", bytes).unwrap()
}

/// Every path below a folder, sorted, relative.
pub(super) fn tree(root: &Path) -> Vec<String> {
    let (mut out, mut open) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            out.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            if path.is_dir() {
                open.push(path);
            }
        }
    }
    out.sort();
    out
}
