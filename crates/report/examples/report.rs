//! Makes `report.html` of a folder of runs: `cargo run --example report RUNS OUT`.
#![allow(clippy::print_stderr)]

use std::path::Path;

use eightk_report::{ReportOptions, report};
use eightk_runs::Account;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(runs), Some(out)) = (args.next(), args.next()) else { return Err("RUNS OUT [MAX_BYTES]".into()) };
    let mut options = ReportOptions::default();
    if let Some(most) = args.next() {
        options.max_bytes = most.parse()?;
    }
    let account = Account::read(Path::new(&runs))?;
    let start = std::time::Instant::now();
    let html = report(&account, &options)?;
    eprintln!("{} bytes in {:?}", html.len(), start.elapsed());
    std::fs::write(out, html)?;
    Ok(())
}
