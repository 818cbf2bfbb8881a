//! Time and memory: the only numbers that differ from run to run, kept apart from all others.

use eightk_retrieve::Findings;
use serde::{Deserialize, Serialize};

/// What is of one run and one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Threads used.
    pub threads: usize,
    /// System by system.
    pub systems: Vec<SystemPhases>,
}

/// What a phase took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Wall time.
    pub seconds: f64,
    /// The most memory the process had resident during the phase, what was there before included; none where the system does
    /// not tell.
    pub peak_memory_bytes: Option<u64>,
}

/// The three phases of one system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemPhases {
    /// The system.
    pub name: String,
    /// Corpus to index, encoding included.
    pub index: Phase,
    /// All queries.
    pub search: Phase,
    /// Metrics, families, splits and their intervals.
    pub score: Phase,
    /// Of systems with an encoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
}

/// What an encoder had to do in this run: nothing, when the store knew every vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoding {
    /// Vectors made.
    pub encoded: u64,
    /// Vectors taken from the store.
    pub cached: u64,
    /// Requests made.
    pub requests: u64,
    /// Tokens paid for or run through the model, as far as the encoder counts them.
    pub tokens: u64,
}

impl Encoding {
    /// None where no vector was needed.
    pub fn of(findings: &Findings) -> Option<Self> {
        let Findings { encoded, cached, requests, tokens, .. } = *findings;
        (encoded + cached + requests > 0).then_some(Self { encoded, cached, requests, tokens })
    }
}
