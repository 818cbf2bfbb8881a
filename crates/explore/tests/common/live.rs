//! Systems that do what a test tells them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use eightk_core::Hit;
use eightk_explore::{LiveError, LiveState, LiveSystem, LiveSystems};

/// Ranks the chunks it is given in their order; `slow` takes a second, `late` is ready at the third time of asking, `broken` fails, `dies`
/// panics.
pub struct Told {
    pub chunks: Vec<String>,
    pub asked: AtomicUsize,
    pub reason: String,
}

impl Told {
    pub fn new(chunks: Vec<String>) -> Self {
        Self { chunks, asked: AtomicUsize::new(0), reason: "the model <b>is gone</b>".to_owned() }
    }
}

impl LiveSystems for Told {
    fn systems(&self) -> Vec<LiveSystem> {
        let of = |name: &str| LiveSystem { name: name.to_owned(), summary: format!("<i>{name}</i>") };
        vec![of("quick"), of("back<wards>"), of("slow"), of("late"), of("broken"), of("dies")]
    }

    fn state(&self, system: &str) -> LiveState {
        match system {
            "late" if self.asked.load(Ordering::SeqCst) < 3 => LiveState::Preparing { what: "half <done>".into() },
            "broken" => LiveState::Failed(self.reason.clone()),
            _ => LiveState::Ready,
        }
    }

    fn search(&self, system: &str, _: &str, depth: usize) -> Result<Vec<Hit>, LiveError> {
        match system {
            "late" if self.asked.fetch_add(1, Ordering::SeqCst) < 2 => return Err(LiveError::NotReady),
            "broken" => return Err(LiveError::Failed(self.reason.clone())),
            "slow" => std::thread::sleep(Duration::from_secs(1)),
            "endless" => std::thread::sleep(Duration::from_secs(8)),
            "dies" => panic!("a system that dies"),
            "quick" | "back<wards>" | "late" => {}
            _ => return Err(LiveError::Unknown),
        }
        let mut chunks = self.chunks.clone();
        if system.starts_with("back") {
            chunks.reverse();
        }
        let hit = |(i, id): (usize, String)| Hit { id, score: 1.0 / (i + 1) as f64 };
        Ok(chunks.into_iter().enumerate().map(hit).take(depth).collect())
    }
}
