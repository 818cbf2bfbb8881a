//! `eightk report RUNS --out report.html`: scores to send.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use eightk_report::{DEFAULT_MAX_BYTES, ReportOptions, report};
use eightk_runs::Account;

use crate::failure::{Failure, Outcome};
use crate::output;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A folder that `eightk eval DATASET --out RUNS` wrote.
    runs: PathBuf,
    /// The file to write: one page, with nothing outside it.
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
    /// Megabytes that the page may have. Where the queries do not fit, those on which most systems fail are shown in full, and every
    /// other with a line.
    #[arg(long, value_name = "MB", default_value_t = USUAL_SIZE, value_parser = megabytes)]
    max_size: f64,
    /// What was written, as one line of JSON.
    #[arg(long)]
    json: bool,
}

/// Megabytes that mail and reviewers take without complaint.
pub(crate) const USUAL_SIZE: f64 = DEFAULT_MAX_BYTES as f64 / 1e6;

/// A size that can be meant.
fn megabytes(given: &str) -> Result<f64, String> {
    match given.parse::<f64>() {
        Ok(mb) if mb > 0.0 && mb.is_finite() => Ok(mb),
        _ => Err("give a number of megabytes above 0, such as 3".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    if args.out.exists() && !args.force {
        return Err(Failure::usage(format!(
            "{} exists; choose another file, or --force to replace it",
            args.out.display()
        )));
    }
    let account = Account::read(&args.runs)?;
    let bytes = write(&account, args.max_size, &args.out)?;
    match args.json {
        true => output::json(&serde_json::json!({ "out": args.out, "bytes": bytes }))?,
        false => output::text(&format!("report: {} ({})\n", args.out.display(), output::megabytes(bytes)))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the report whole or not at all; gives its size in bytes.
pub(crate) fn write(account: &Account, max_megabytes: f64, out: &Path) -> Outcome<u64> {
    let options = ReportOptions { max_bytes: (max_megabytes * 1e6) as usize, ..ReportOptions::default() };
    let html = report(account, &options)?;
    let folder = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |e: std::io::Error| Failure::wrong(format!("cannot write {}: {e}", out.display()));
    let mut file = beside().tempfile_in(folder).map_err(failed)?;
    file.write_all(html.as_bytes()).map_err(failed)?;
    file.persist(out).map_err(|e| failed(e.error))?;
    Ok(html.len() as u64)
}

/// Temporary files are for their owner alone; a report is for whoever may read the folder.
fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".eightk-report-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask takes its part off.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}
