//! What a download from the Hub shows while it runs: a bar on a terminal, and why it waits.

use std::io::Write;
use std::time::Duration;

use eightk_hub::Observer;

use super::ByteProgress;

/// Shorter pauses are not worth a line.
const PAUSE_SHOWN: Duration = Duration::from_secs(2);

/// Shows a download on a terminal.
#[derive(Default)]
pub(crate) struct Downloading {
    bar: Option<ByteProgress>,
    /// Bytes of the files that are done.
    before: u64,
    file: String,
    total: u64,
}

impl Observer for Downloading {
    fn begin(&mut self, _files: usize, bytes: u64) {
        self.bar = Some(ByteProgress::new(bytes));
    }

    fn progress(&mut self, file: &str, done: u64, total: u64) {
        if self.file != file {
            self.before += self.total;
            self.file = file.to_owned();
        }
        self.total = total;
        if let Some(bar) = &self.bar {
            bar.at(self.before + done, file);
        }
    }

    fn waiting(&mut self, reason: &str, pause: Duration) {
        if pause >= PAUSE_SHOWN {
            let line = format!("note: {reason}; asking again in {} s", pause.as_secs());
            match &self.bar {
                Some(bar) => bar.say(&line),
                None => {
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            }
        }
    }
}
