//! The `eightk` command.
//!
//! Glue only: each command parses its arguments, calls the libraries and prints. What a command computes lives in the
//! crate that owns it, so that Python or a worker can do the same without this binary.

mod cache_folder;
mod cli;
mod commands;
mod dataset_name;
mod encoders;
mod evaluation;
mod failure;
mod interrupt;
mod live;
mod model_name;
mod output;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
