//! What a fetch shows while it runs: a bar on a terminal, one line for each thing worth knowing elsewhere.

use std::io::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use eightk_edgar::{Event, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const LOOKING: &str = "{spinner} {msg}";
const LOADING: &str = "{bar:24} {pos}/{len} {bytes} {rate} {eta} {msg}";

/// Shows events on standard error.
pub(crate) struct Fetching {
    bar: ProgressBar,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: bool,
    bytes: u64,
}

impl Fetching {
    /// `quiet`: no bar even on a terminal.
    pub(crate) fn new(quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        restyle(&bar, LOOKING, 0);
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, state: Mutex::default() }
    }

    fn line(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(std::io::stderr(), "{}", super::printable(text));
        });
    }
}

fn restyle(bar: &ProgressBar, template: &str, bytes: u64) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        let style = style
            .with_key("rate", |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{:.1}/s", state.per_sec());
            })
            .with_key("bytes", move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}", megabytes(bytes));
            });
        bar.set_style(style);
    }
}

/// Bytes as people read them.
pub(crate) fn megabytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// A time as people read it: `45 s`, `9:59`, `2 h 10 min`.
pub(crate) fn clock(time: Duration) -> String {
    let s = time.as_secs() + u64::from(time.subsec_millis() > 0);
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{}:{:02} min", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

impl Watcher for Fetching {
    fn see(&self, event: Event) {
        match event {
            Event::Searched { found, total } => {
                self.bar.set_message(format!("searching: {found} filings so far, {total} documents in this range"));
            }
            Event::Indexed { done, total, found } => {
                self.bar.set_message(format!("reading indexes: {done} of {total}, {found} filings so far"));
            }
            Event::Examined { done, total } => {
                self.bar.set_message(format!("reading headers: {done} of {total}"));
            }
            Event::Planned { total, stored } => {
                restyle(&self.bar, LOADING, 0);
                self.bar.set_message("");
                self.bar.set_length(total as u64);
                self.bar.set_position(stored as u64);
                self.bar.reset_eta();
            }
            Event::Done { bytes } => {
                let sum = {
                    let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    state.bytes += bytes;
                    state.bytes
                };
                restyle(&self.bar, LOADING, sum);
                self.bar.inc(1);
            }
            Event::Waiting { left, why } => {
                let begins = {
                    let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    !std::mem::replace(&mut state.waiting, true)
                };
                if begins {
                    self.line(&format!("waiting {}: {why}", clock(left)));
                }
                self.bar.set_message(format!("waiting {}: {why}", clock(left)));
            }
            Event::Resumed => {
                self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).waiting = false;
                self.bar.set_message("");
            }
            // Elsewhere the summary is enough: who watches wants to know now.
            Event::Refused { accession, reason } if !self.bar.is_hidden() => {
                self.line(&format!("refused {accession}: {reason}"));
            }
            Event::Note(text) => self.line(&format!("note: {text}")),
            _ => {}
        }
    }
}

impl Drop for Fetching {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_read_well() {
        assert_eq!(
            [0, 59, 60, 599, 3600, 7800].map(|s| clock(Duration::from_secs(s))),
            ["0 s", "59 s", "1:00 min", "9:59 min", "1 h 0 min", "2 h 10 min"]
        );
        assert_eq!(clock(Duration::from_millis(1)), "1 s");
        assert_eq!([0, 1_500, 2_000_000].map(megabytes), ["0 B", "1.5 kB", "2.0 MB"]);
    }
}
