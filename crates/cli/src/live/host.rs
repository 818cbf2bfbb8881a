//! The thread that has the data set, and the threads of its systems.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::PoisonError;
use std::sync::mpsc::{self, Receiver, Sender};

use eightk_core::Hit;
use eightk_explore::{LiveError, LiveState};
use eightk_retrieve::{QueryInput, SystemSpec, build};

use super::{Question, States};
use crate::dataset_name::NamedDataset;
use crate::encoders::{EncodingArgs, Room};
use crate::evaluation::{Ground, JudgedSet, read_named};
use crate::failure::Outcome;
use crate::output::printable;

/// What a query is called that is none of the data set's.
const ASKED: &str = "asked";

/// Answers questions until nobody can ask any more.
pub(super) fn run(
    data: (&NamedDataset, bool),
    specs: &[SystemSpec],
    encoding: &EncodingArgs,
    states: &States,
    questions: &Receiver<Question>,
) {
    // Nothing is read before somebody asks.
    let Ok(first) = questions.recv() else { return };
    if let Err(failure) = hosted(data, specs, encoding, states, (first, questions)) {
        let reason = failure.into_message();
        complain(&reason);
        for spec in specs {
            set_state(states, &spec.label(), LiveState::Failed(reason.clone()));
        }
        for question in questions {
            let _ = question.answer.send(Err(LiveError::Failed(reason.clone())));
        }
    }
}

/// Reads the data set and gives each system that is asked a thread.
fn hosted(
    (named, repair): (&NamedDataset, bool),
    specs: &[SystemSpec],
    encoding: &EncodingArgs,
    states: &States,
    (first, questions): (Question, &Receiver<Question>),
) -> Outcome {
    let (dataset, _) = read_named(named, repair)?;
    let set = JudgedSet::new(dataset);
    let room = Room::new(encoding, &set, false)?;
    let by_name: BTreeMap<String, &SystemSpec> = specs.iter().map(|s| (s.label(), s)).collect();
    std::thread::scope(|scope| {
        let mut asked: BTreeMap<String, Sender<Question>> = BTreeMap::new();
        for question in std::iter::once(first).chain(questions.iter()) {
            let Some(spec) = by_name.get(&question.system) else { continue };
            let system = asked.entry(question.system.clone()).or_insert_with(|| {
                let (sender, receiver) = mpsc::channel();
                let (set, room) = (&set, &room);
                scope.spawn(move || system_thread(spec, set, room, states, &receiver));
                sender
            });
            // A thread that has ended dropped its receiver, and with the question the asker's.
            let _ = system.send(question);
        }
    });
    Ok(())
}

/// Prepares one system, then answers.
fn system_thread(spec: &SystemSpec, set: &JudgedSet, room: &Room<'_>, states: &States, questions: &Receiver<Question>) {
    let name = spec.label();
    set_preparing(states, &name, "reading the filings for it");
    if let Err(failure) = answering(spec, set, room, states, questions) {
        let reason = failure.into_message();
        complain(&format!("{name}: {reason}"));
        set_state(states, &name, LiveState::Failed(reason.clone()));
        for question in questions {
            let _ = question.answer.send(Err(LiveError::Failed(reason.clone())));
        }
    }
}

fn answering(
    spec: &SystemSpec,
    set: &JudgedSet,
    room: &Room<'_>,
    states: &States,
    questions: &Receiver<Question>,
) -> Outcome {
    let name = spec.label();
    let ground = Ground::of(set, std::slice::from_ref(spec))?;
    set_preparing(states, &name, "indexing the data set");
    let system = build(spec, &ground.corpus, &ground.knowledge, room)?;
    set_state(states, &name, LiveState::Ready);
    let known: BTreeMap<&str, &str> = ground.queries().iter().map(|q| (q.text, q.id)).collect();
    for question in questions {
        // A query of the set goes by its id: vectors made elsewhere are found by it.
        let id = known.get(question.query.as_str()).copied().unwrap_or(ASKED);
        let query = QueryInput { id, text: &question.query };
        let found = system.search(&query, question.depth);
        let answer: Result<Vec<Hit>, LiveError> = found.map_err(|e| LiveError::Failed(e.to_string()));
        let _ = question.answer.send(answer);
    }
    Ok(())
}

fn set_preparing(states: &States, system: &str, what: &str) {
    set_state(states, system, LiveState::Preparing { what: what.to_owned() });
}

fn set_state(states: &States, system: &str, state: LiveState) {
    states.lock().unwrap_or_else(PoisonError::into_inner).insert(system.to_owned(), state);
}

/// Pages tell whoever opens them; this tells whoever started the server.
fn complain(what: &str) {
    let _ = writeln!(std::io::stderr(), "warning: {}", printable(what));
}
