//! `eightk serve DATASET [--runs RUNS]`: the explorer.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use eightk_dataset::{Purpose, Shelf, ShelfOptions};
use eightk_explore::{Explorer, ServerOptions, bind};
use eightk_retrieve::SystemSpec;
use eightk_runs::Account;

use crate::dataset_name::NamedDataset;
use crate::encoders::EncodingArgs;
use crate::evaluation::read_file;
use crate::failure::{Failure, Outcome};
use crate::live::{Live, offered};
use crate::output::{self, printable};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// A folder that `eightk eval DATASET --out RUNS` wrote: scores, and what each system put first.
    #[arg(long, value_name = "RUNS")]
    runs: Option<PathBuf>,
    /// Port on this machine; 0 takes a free one.
    #[arg(long, default_value_t = 8648)]
    port: u16,
    /// Address to listen at.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Allow --bind to be an address that other machines reach: whoever does reads all of the data set, and has the systems search.
    #[arg(long)]
    allow_remote: bool,
    /// A host name to answer to beside this machine's own; may be given several times. For --allow-remote and for proxies.
    #[arg(long = "allow-host", value_name = "NAME")]
    allowed_hosts: Vec<String>,
    /// A system to search with; may be given several times. Beside those named stand those that made the runs, bm25, bm25:title and
    /// name-filter. A system is prepared when it is first asked.
    #[arg(long = "system", value_name = "SPEC")]
    systems: Vec<SystemSpec>,
    /// TOML file of systems, as for eval.
    #[arg(long = "systems", value_name = "FILE")]
    systems_file: Option<PathBuf>,
    #[command(flatten)]
    encoding: EncodingArgs,
    /// Repair chunk spans that do not fit their text.
    #[arg(long)]
    repair_spans: bool,
    /// Print the address as one line of JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let named = NamedDataset::find_for(&args.dataset, Purpose::Browse)?;
    let mut asked = args.systems.clone();
    if let Some(path) = &args.systems_file {
        asked.extend(read_file(path)?);
    }
    let options = ServerOptions {
        allow_remote: args.allow_remote,
        allowed_hosts: args.allowed_hosts.clone(),
        ..ServerOptions::at(SocketAddr::new(args.bind, args.port))
    };
    let name = named.named();
    let bound = bind(options)?;
    let shelf = Shelf::open_with(&named.source()?, ShelfOptions { repair: args.repair_spans })?;
    let account = args.runs.as_deref().map(|runs| account(runs, &shelf, &args.dataset)).transpose()?;
    let specs = offered(&asked, account.as_ref());
    let live = Live::new(named, args.repair_spans, specs, args.encoding.clone());
    if let Some(warning) = bound.warning() {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    let url = bound.url();
    match args.json {
        true => output::json(&serde_json::json!({ "url": url }))?,
        false => output::text(&format!("{name} is open at {url}\nCtrl-C ends it.\n"))?,
    }
    let explorer = Explorer {
        name,
        shelf: Arc::new(shelf),
        account: account.map(Arc::new),
        live: Arc::new(live),
        complain: Arc::new(|line: &str| {
            let _ = writeln!(std::io::stderr(), "warning: {}", printable(line));
        }),
    };
    // Nothing is half made at any time: a signal ends the program as it ends any other command.
    bound.serve(explorer, std::future::pending())?;
    Ok(ExitCode::SUCCESS)
}

/// Runs are shown beside the data set that they are of, and no other.
fn account(runs: &Path, shelf: &Shelf, dataset: &str) -> Outcome<Account> {
    let account = Account::read(runs)?;
    let of = account.results.report.data.as_ref().map(|data| data.fingerprint.as_str());
    let stated = shelf.about().fingerprint.as_deref();
    match (of, stated) {
        (Some(of), Some(stated)) if of != stated => Err(Failure::usage(format!(
            "--runs {}: they are of the data set with fingerprint {of}; {dataset} states {stated}. Name the data set that was evaluated",
            runs.display()
        ))),
        _ => Ok(account),
    }
}
