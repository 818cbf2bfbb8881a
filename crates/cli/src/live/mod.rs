//! Systems that are asked while the explorer runs.
//!
//! Everything below a system borrows the data set: corpus, indexes, encoders. So all of it lives on the stack of one thread, which reads
//! the set when the first question comes, and each system on a thread of its own inside that one's scope, which prepares it and
//! then answers its questions one after the other. Nobody else ever waits for a system: whoever asks before it is ready is told so.
//! The road not taken, indexes behind reference counts, would push lifetimes out of every crate below for the sake of one command.

mod host;
mod offered;

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use eightk_core::Hit;
use eightk_explore::{LiveError, LiveState, LiveSystem, LiveSystems};
use eightk_report::components::local_path::without_folders;
use eightk_retrieve::SystemSpec;

use crate::dataset_name::NamedDataset;
use crate::encoders::EncodingArgs;

pub(crate) use offered::offered;

/// A question to a system.
struct Question {
    system: String,
    query: String,
    depth: usize,
    answer: Sender<Result<Vec<Hit>, LiveError>>,
}

/// How far each system is, by name.
type States = Arc<Mutex<BTreeMap<String, LiveState>>>;

/// Systems by name, and the thread that has them.
pub(crate) struct Live {
    systems: Vec<LiveSystem>,
    states: States,
    host: Mutex<Sender<Question>>,
}

impl Live {
    /// Offers these systems. Nothing is read or encoded before one of them is asked.
    pub(crate) fn new(named: NamedDataset, repair: bool, specs: Vec<SystemSpec>, encoding: EncodingArgs) -> Self {
        let systems = specs.iter().map(|s| LiveSystem { name: s.label(), summary: summary(s) }).collect();
        let states: States = Arc::default();
        let (host, questions) = mpsc::channel();
        let told = Arc::clone(&states);
        std::thread::spawn(move || host::run((&named, repair), &specs, &encoding, &told, &questions));
        Self { systems, states, host: Mutex::new(host) }
    }
}

/// The spec, where it says more than the name. Folders are told by their last part: a page may be shown to others.
fn summary(spec: &SystemSpec) -> String {
    let text = spec.to_string();
    if text == spec.label() { String::new() } else { without_folders(&text) }
}

impl LiveSystems for Live {
    fn systems(&self) -> Vec<LiveSystem> {
        self.systems.clone()
    }

    fn state(&self, system: &str) -> LiveState {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        states.get(system).cloned().unwrap_or(LiveState::Idle)
    }

    fn search(&self, system: &str, query: &str, depth: usize) -> Result<Vec<Hit>, LiveError> {
        if !self.systems.iter().any(|s| s.name == system) {
            return Err(LiveError::Unknown);
        }
        let (answer, answered) = mpsc::channel();
        let ready = match self.state(system) {
            LiveState::Failed(reason) => return Err(LiveError::Failed(reason)),
            LiveState::Preparing { .. } => return Err(LiveError::NotReady),
            LiveState::Ready => true,
            LiveState::Idle => {
                let what = "reading the data set".to_owned();
                let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
                states.insert(system.to_owned(), LiveState::Preparing { what });
                false
            }
        };
        let question = Question { system: system.to_owned(), query: query.to_owned(), depth, answer };
        let sent = self.host.lock().unwrap_or_else(PoisonError::into_inner).send(question);
        let ended = || LiveError::Failed("the program that runs it has ended".to_owned());
        sent.map_err(|_| ended())?;
        // The first question starts the work; whoever asks it comes again.
        if ready { answered.recv().unwrap_or_else(|_| Err(ended())) } else { Err(LiveError::NotReady) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        encoding: EncodingArgs,
    }

    fn live(folder: &std::path::Path, specs: &[&str]) -> Live {
        let named = NamedDataset::find(&folder.to_string_lossy()).unwrap();
        let specs = specs.iter().map(|s| s.parse().unwrap()).collect();
        Live::new(named, false, specs, Line::parse_from(["x", "--no-cache"]).encoding)
    }

    fn waited(live: &Live, system: &str) -> Result<Vec<Hit>, LiveError> {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            match live.search(system, "What charges does Tallowmere Labs expect?", 5) {
                Err(LiveError::NotReady) if Instant::now() < end => std::thread::sleep(Duration::from_millis(20)),
                other => return other,
            }
        }
    }

    #[test]
    fn a_system_is_prepared_when_it_is_asked_and_then_answers() {
        let dir = tempfile::tempdir().unwrap();
        let row = |filing: &str, title: &str, text: &str| {
            serde_json::json!({"chunk_id": format!("{filing}#s0"), "chunk": text, "source_url": filing, "title": title,
                "chunk_idx": 0, "chunk_start_char": 0, "chunk_end_char": text.chars().count()})
        };
        let rows = [
            row("a", "Brackwater Foods 8-K 2024-02-01", "The Company expects charges of about $4 million in all."),
            row("b", "Tallowmere Labs 8-K 2024-03-01", "The Company expects charges of about $9 million in all."),
        ];
        let query = serde_json::json!({"query": "What charges does Tallowmere Labs expect?", "answer": ["The Company"],
            "score": [2], "source_url": ["b"], "frag_start_char": [0], "frag_end_char": [11]});
        std::fs::write(dir.path().join("documents.jsonl"), rows.map(|r| r.to_string()).join("\n")).unwrap();
        std::fs::write(dir.path().join("queries.jsonl"), query.to_string()).unwrap();

        let live = live(dir.path(), &["bm25:title", "bm25", "dense:no/such/folder/at/all"]);
        assert_eq!(live.state("bm25:title"), LiveState::Idle);
        assert_eq!(live.search("bm25:lead", "x", 5), Err(LiveError::Unknown));
        let hits = waited(&live, "bm25:title").unwrap();
        assert_eq!((hits.len(), hits[0].id.as_str()), (2, "b#s0"));
        assert_eq!((live.state("bm25:title"), live.state("bm25")), (LiveState::Ready, LiveState::Idle));
        assert_eq!(waited(&live, "bm25").unwrap().len(), 2);
        // One that cannot be prepared says why, and the others go on.
        let name = live.systems()[2].name.clone();
        let LiveError::Failed(reason) = waited(&live, &name).unwrap_err() else { panic!("it cannot be made") };
        assert_eq!(live.state(&name), LiveState::Failed(reason));
        assert!(waited(&live, "bm25").is_ok());
    }

    #[test]
    fn a_data_set_that_cannot_be_read_fails_every_system() {
        let dir = tempfile::tempdir().unwrap();
        let live = live(dir.path(), &["bm25"]);
        let LiveError::Failed(reason) = waited(&live, "bm25").unwrap_err() else { panic!("there is no data set") };
        assert!(reason.contains("documents"), "{reason}");
    }
}
