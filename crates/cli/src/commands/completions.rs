//! `eightk completions SHELL`.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::failure::Outcome;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Which shell.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    // Into memory first: the generator panics on a pipe that closes early.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "eightk", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
