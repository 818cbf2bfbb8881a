//! `cargo run --example serve -- DATASET [RUNS]`: the explorer with a toy system that counts common words.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use eightk_core::Hit;
use eightk_dataset::{Shelf, Source};
use eightk_explore::{Explorer, LiveError, LiveState, LiveSystem, LiveSystems, ServerOptions, bind};

struct Overlap {
    shelf: Arc<Shelf>,
    /// How often the slow one was asked: it is ready from the third time on.
    asked: AtomicUsize,
}

impl LiveSystems for Overlap {
    fn systems(&self) -> Vec<LiveSystem> {
        let of = |name: &str, summary: &str| LiveSystem { name: name.into(), summary: summary.into() };
        vec![
            of("overlap", "words in common with the query"),
            of("overlap:title", "the same, the title's words as well"),
            of("slow", "the same, ready at the third time of asking"),
        ]
    }

    fn state(&self, system: &str) -> LiveState {
        match self.asked.load(Ordering::Relaxed) {
            1..3 if system == "slow" => LiveState::Preparing { what: "encoding, 120 of 690 filings".into() },
            _ => LiveState::Ready,
        }
    }

    fn search(&self, system: &str, query: &str, depth: usize) -> Result<Vec<Hit>, LiveError> {
        if system == "slow" && self.asked.fetch_add(1, Ordering::Relaxed) < 2 {
            return Err(LiveError::NotReady);
        }
        let words = |text: &str| -> BTreeSet<String> {
            text.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect()
        };
        let wanted = words(query);
        let mut hits = Vec::new();
        for filing in self.shelf.filings() {
            for chunk in self.shelf.chunks(&filing.source_url).map_err(|e| LiveError::Failed(e.to_string()))? {
                let mut text = words(&chunk.text);
                if system == "overlap:title" {
                    text.extend(words(&chunk.title));
                }
                let common = text.intersection(&wanted).count();
                hits.push(Hit { id: chunk.id, score: common as f64 / (text.len() as f64).sqrt() });
            }
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        hits.truncate(depth);
        Ok(hits)
    }
}

fn main() {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().expect("name a data set folder");
    let account = arguments.next().map(|runs| Arc::new(eightk_runs::Account::read(&runs).unwrap()));
    let shelf = Arc::new(Shelf::open(&Source::Folder(folder.clone())).unwrap());
    let explorer = Explorer {
        name: folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
        live: Arc::new(Overlap { shelf: Arc::clone(&shelf), asked: AtomicUsize::new(0) }),
        shelf,
        account,
        complain: Arc::new(|why| eprintln!("{why}")),
    };
    let bound = bind(ServerOptions::at("127.0.0.1:8199".parse().unwrap())).unwrap();
    println!("{}", bound.url());
    bound.serve(explorer, std::future::pending()).unwrap();
}
