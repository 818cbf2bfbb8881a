//! A progress bar on a terminal, nothing on a pipe.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// A bar on standard error; hidden when standard error is no terminal or the output is for machines.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar over `total` steps of `what` (plural noun).
    pub(crate) fn new(what: &'static str, total: usize, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {rate} {eta}") {
            bar.set_style(style.with_key("rate", rate));
        }
        bar.set_message(what);
        Self(bar)
    }

    /// What is being done.
    pub(crate) fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// For whoever does it.
    pub(crate) fn ticker(&self) -> Ticker {
        Ticker(self.0.clone())
    }

    /// One step is done.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }
}

/// Says on a bar what is being done, from wherever it is done.
#[derive(Clone)]
pub(crate) struct Ticker(ProgressBar);

impl Ticker {
    pub(crate) fn say(&self, what: String) {
        self.0.set_message(what);
    }
}

/// A bar over the bytes of a download, on standard error where that is a terminal.
pub(crate) struct ByteProgress(ProgressBar);

impl ByteProgress {
    /// A bar over so many bytes.
    pub(crate) fn new(total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {msg} {bytes_per_sec} {eta}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// So many bytes are there, the last of them of `file`.
    pub(crate) fn at(&self, bytes: u64, file: &str) {
        self.0.set_message(file.to_owned());
        self.0.set_position(bytes);
    }

    /// A line above the bar; without a terminal, a line.
    pub(crate) fn say(&self, line: &str) {
        self.0.suspend(|| {
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{line}\n").as_bytes());
        });
    }
}

impl Drop for ByteProgress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Steps per second, whole.
fn rate(state: &ProgressState, out: &mut dyn Write) {
    let _ = write!(out, "{:.0}/s", state.per_sec());
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
