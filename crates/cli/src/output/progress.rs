//! A progress bar on a terminal, nothing on a pipe.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; hidden when standard error is no terminal or the output is for machines.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar over `total` steps of `what` (plural noun).
    pub(crate) fn new(what: &'static str, total: usize, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(total as u64), target);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {per_sec} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self(bar)
    }

    /// One step is done.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
