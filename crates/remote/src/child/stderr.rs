//! What a child process says beside its answers.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

/// Gets each line of a child's stderr, the program's name before it. Called from another thread.
pub type OnStderr = Arc<dyn Fn(&str) + Send + Sync>;

/// How many of the last lines are kept for an error message.
const KEPT: usize = 5;
/// Longer lines are cut.
const LONGEST: usize = 2000;

/// The last lines.
pub(super) type Tail = Arc<Mutex<VecDeque<String>>>;

/// Reads until the pipe closes.
pub(super) fn relay(mut from: impl Read, program: &str, on_line: &OnStderr, tail: &Tail) {
    let mut screen = Screen::default();
    let mut buffer = [0; 4096];
    let mut say = |line: &[u8]| {
        let line = readable(line);
        if line.is_empty() {
            return;
        }
        on_line(&format!("{program}: {line}"));
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == KEPT {
            tail.pop_front();
        }
        tail.push_back(line);
    };
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => buffer.iter().take(n).for_each(|b| screen.push(*b, &mut say)),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    say(&screen.line);
}

/// A line as a terminal would show it: what stands behind the last carriage return. A progress bar is then one line, its last state.
#[derive(Default)]
struct Screen {
    line: Vec<u8>,
    returned: bool,
}

impl Screen {
    fn push(&mut self, byte: u8, say: &mut impl FnMut(&[u8])) {
        match byte {
            b'\n' => {
                say(&self.line);
                self.line.clear();
                self.returned = false;
            }
            b'\r' => self.returned = true,
            _ => {
                if std::mem::take(&mut self.returned) {
                    self.line.clear();
                }
                if self.line.len() < LONGEST {
                    self.line.push(byte);
                }
            }
        }
    }
}

/// Without escape sequences and control characters: what a program prints must not steer the terminal it is repeated on.
fn readable(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            // A control sequence ends with its first byte from @ to ~.
            while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
        } else if char == '\t' {
            out.push(' ');
        } else if !char.is_control() {
            out.push(char);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relayed(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
        let (seen, tail) = (Arc::new(Mutex::new(Vec::new())), Tail::default());
        let sink = Arc::clone(&seen);
        let on_line: OnStderr = Arc::new(move |line: &str| sink.lock().unwrap().push(line.to_owned()));
        relay(bytes, "enc", &on_line, &tail);
        let seen = seen.lock().unwrap().clone();
        let tail = tail.lock().unwrap().iter().cloned().collect();
        (seen, tail)
    }

    #[test]
    fn lines_come_as_a_terminal_shows_them() {
        let (seen, _) = relayed(b"one\r\n10%\r50%\r100%\n\n\x1b[31mred\x1b[0m\x07\tx\n\xff last");
        assert_eq!(seen, ["enc: one", "enc: 100%", "enc: red x", "enc: \u{fffd} last"]);
    }

    #[test]
    fn the_last_lines_are_kept_and_long_ones_cut() {
        let text: String = (0..9).map(|i| format!("line {i}\n")).collect();
        let (seen, tail) = relayed(text.as_bytes());
        assert_eq!((seen.len(), tail.len(), tail[0].as_str()), (9, KEPT, "line 4"));
        let (seen, _) = relayed(&vec![b'x'; 1_000_000]);
        assert_eq!(seen[0].len(), "enc: ".len() + LONGEST);
    }
}
