//! A folder of runs as somebody may have sent it: whatever its files hold, a report, or a reason; the report within its bytes and
//! free of what it would take to load anything.
#![no_main]

use std::sync::LazyLock;

use eightk_report::{ReportOptions, report};
use eightk_runs::{Account, file};
use libfuzzer_sys::fuzz_target;

/// In this order, with a byte that no UTF-8 holds between them.
const FILES: [&str; 7] =
    [file::RESULTS, file::PER_QUERY, file::QRELS, file::RIVALS, file::QUERIES, file::FILINGS, file::TEXTS];

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.split(|b| *b == 0xff);
    for name in FILES {
        std::fs::write(FOLDER.path().join(name), parts.next().unwrap_or_default()).unwrap();
    }
    let Ok(account) = Account::read(FOLDER.path()) else { return };
    let options = ReportOptions { max_bytes: 1_000_000, ..ReportOptions::default() };
    if let Ok(html) = report(&account, &options) {
        assert!(html.len() <= options.max_bytes);
        for loads in ["<img", "<link", "<iframe", "src=", "javascript:\""] {
            assert!(!html.contains(loads), "{loads}");
        }
    }
});
