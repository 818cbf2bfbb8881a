//! One running child: lines in, lines out, and how it ends.
//!
//! Its stdin is written by a thread of its own: a program that does not read fills the pipe, and whoever writes then waits for ever.
//! Its stdout is read by another, so that death and silence can be told apart while we wait. Between the threads stand channels of
//! a few lines; a program that writes without being asked is held up by them and fills no memory.

use std::io::{BufReader, ErrorKind, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use eightk_encode::EncodeError;

use super::answer::{beginning, longest};
use super::command::CommandLine;
use super::lines::{Line, read_line};
use super::running;
use super::stderr::{OnStderr, Tail, relay};

/// How often we look whether it still lives, while we wait for its answer.
const LOOK: Duration = Duration::from_millis(100);
/// How long a program may take to end once it closed a pipe, and to write what it still has to say.
const PARTING: Duration = Duration::from_secs(1);
/// How long it may take to end once its stdin is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the threads have to tell.
enum Event {
    Answer(Line),
    /// Its stdout could not be read.
    Unreadable(String),
    /// It no longer reads its stdin.
    Deaf,
}

/// A child process. Dropping it ends it.
pub(super) struct Process {
    who: String,
    child: Child,
    requests: Option<SyncSender<Vec<u8>>>,
    events: Receiver<Event>,
    longest: Arc<AtomicUsize>,
    tail: Tail,
    /// Closes when its stderr is read to the end.
    said_all: Receiver<()>,
    /// A request is unanswered.
    busy: bool,
}

impl Process {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] where there is no such program or it may not be started, [`EncodeError::Unavailable`] where the system cannot.
    pub(super) fn start(command: &CommandLine, on_stderr: &OnStderr) -> Result<Self, EncodeError> {
        let mut starter = Command::new(&command.program);
        starter.args(&command.arguments).env("PYTHONUNBUFFERED", "1");
        starter.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut starter, 0);
        let who = command.name();
        let mut child = starter.spawn().map_err(|e| {
            let usage = |advice: &str| {
                EncodeError::Usage(format!("cmd: {} cannot be started ({e}); {advice}", command.program))
            };
            match e.kind() {
                ErrorKind::NotFound => {
                    usage("give its path, or put its folder into PATH; nothing is expanded as in a shell")
                }
                ErrorKind::PermissionDenied => {
                    usage("is it executable? A script can be started through its interpreter")
                }
                _ => EncodeError::Unavailable(format!("{who} cannot be started: {e}")),
            }
        })?;
        running::add(&child);
        let (Some(mut stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            running::end(&mut child);
            return Err(EncodeError::Bug("a child process has no pipes".into()));
        };

        let (requests, to_write) = sync_channel::<Vec<u8>>(1);
        let (tell, events) = sync_channel(2);
        let told = tell.clone();
        thread::spawn(move || {
            while let Ok(line) = to_write.recv() {
                if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                    let _ = told.send(Event::Deaf);
                    return;
                }
            }
        });
        let longest_line = Arc::new(AtomicUsize::new(longest(0)));
        let most = Arc::clone(&longest_line);
        thread::spawn(move || {
            let mut from = BufReader::with_capacity(1 << 16, stdout);
            loop {
                let event = match read_line(&mut from, || most.load(Ordering::Relaxed)) {
                    Ok(line) => Event::Answer(line),
                    Err(e) => Event::Unreadable(e.to_string()),
                };
                let last = !matches!(event, Event::Answer(Line::Whole(_)));
                if tell.send(event).is_err() || last {
                    return;
                }
            }
        });
        let tail = Tail::default();
        let (saying, said_all) = sync_channel(0);
        let (kept, on_stderr, program) = (Arc::clone(&tail), Arc::clone(on_stderr), command.program_name());
        thread::spawn(move || {
            relay(stderr, &program, &on_stderr, &kept);
            drop(saying);
        });
        let requests = Some(requests);
        Ok(Self { who, child, requests, events, longest: longest_line, tail, said_all, busy: false })
    }

    /// Sends a request and waits for its answer. `what` is asked for, `vectors` of them are expected. After an error it is of no further use.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unavailable`] where it ends, falls silent or stops reading; [`EncodeError::Data`] where it speaks unasked or too long.
    pub(super) fn ask(
        &mut self,
        request: Vec<u8>,
        what: &str,
        vectors: usize,
        timeout: Duration,
    ) -> Result<Vec<u8>, EncodeError> {
        let deadline = Instant::now().checked_add(timeout);
        match self.events.try_recv() {
            Ok(Event::Answer(Line::Whole(line))) => {
                return Err(EncodeError::Data(format!(
                    "{} wrote a line before it was asked for {what}: {}\nIts stdout is for answers, one line per request; everything else belongs on stderr",
                    self.who,
                    beginning(&line)
                )));
            }
            Ok(event) => return Err(self.lost(&event, what, 0)),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => return Err(self.gone(what)),
        }
        self.busy = true;
        let most = longest(vectors);
        self.longest.store(most, Ordering::Relaxed);
        if self.requests.as_ref().is_none_or(|r| r.send(request).is_err()) {
            return Err(self.gone(what));
        }
        let mut exited = false;
        loop {
            let left = deadline.map_or(timeout, |d| d.saturating_duration_since(Instant::now()));
            match self.events.recv_timeout(left.min(LOOK)) {
                Ok(Event::Answer(Line::Whole(line))) => {
                    self.busy = false;
                    self.longest.store(longest(0), Ordering::Relaxed);
                    return Ok(line);
                }
                Ok(event) => return Err(self.lost(&event, what, most)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(what)),
                // It ended, and nothing more has come since we saw that: its stdout may be held open by what it started.
                Err(RecvTimeoutError::Timeout) if exited => return Err(self.gone(what)),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    let (who, seconds) = (&self.who, timeout.as_secs_f64());
                    let said = self.last_words();
                    return Err(EncodeError::Unavailable(format!(
                        "{who} did not answer for {what} within {seconds} s and was ended; does it flush after each answer? \
                         Allow it more with timeout=SECONDS{said}"
                    )));
                }
                Err(RecvTimeoutError::Timeout) => exited = matches!(self.child.try_wait(), Ok(Some(_))),
            }
        }
    }

    /// What it means that this came instead of an answer.
    fn lost(&mut self, event: &Event, what: &str, most: usize) -> EncodeError {
        let who = &self.who;
        match event {
            Event::Answer(Line::TooLong) => {
                let most = most.max(longest(0));
                EncodeError::Data(format!(
                    "{who}: its answer for {what} is longer than {most} bytes, more than any vectors need"
                ))
            }
            Event::Unreadable(why) => EncodeError::Unavailable(format!("{who}: its stdout cannot be read: {why}")),
            Event::Answer(_) | Event::Deaf => self.gone(what),
        }
    }

    /// It ended, or closed a pipe and is as good as gone.
    fn gone(&mut self, what: &str) -> EncodeError {
        let how = match wait(&mut self.child, PARTING) {
            Some(status) => format!("ended ({status})"),
            None => "closed its stdin or stdout".to_owned(),
        };
        let (who, said) = (&self.who, self.last_words());
        EncodeError::Unavailable(format!("{who} {how} before it answered for {what}{said}"))
    }

    /// The end of its stderr, for a message.
    fn last_words(&self) -> String {
        // What it wrote just before it ended may still be under way; what it started may hold the pipe open for ever.
        let _ = self.said_all.recv_timeout(PARTING / 2);
        let tail = self.tail.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if tail.is_empty() {
            return "; it said nothing on stderr".to_owned();
        }
        let lines: Vec<String> = tail.iter().map(|l| format!("\n  {l}")).collect();
        format!("; its last words:{}", lines.concat())
    }
}

/// Waits for its end, but not for long.
fn wait(child: &mut Child, most: Duration) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < most => thread::sleep(Duration::from_millis(5)),
            _ => return None,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Closes its stdin, unless the writing thread hangs in it: only an idle program has the chance to end by itself.
        self.requests = None;
        if !self.busy {
            wait(&mut self.child, FAREWELL);
        }
        running::end(&mut self.child);
    }
}
