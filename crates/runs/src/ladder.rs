//! What context brought a model: its systems in order, and their differences.

use std::collections::BTreeMap;

use eightk_measure::{Comparison, Value};
use serde::{Deserialize, Serialize};

/// By query: the rival that stood in the gold's place.
pub type Swapped = BTreeMap<String, String>;

/// One model's systems, in the order they were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// What tables call the model.
    pub model: String,
    /// From the bare sentence to the whole filing, then controls.
    pub rungs: Vec<Rung>,
}

/// One system of a ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// Its run.
    pub system: String,
    /// What a chunk's representation may see.
    pub view: String,
    /// What spoils it.
    pub control: Option<String>,
}

/// What came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ablation {
    /// The ladder's model.
    pub model: String,
    /// Each view less the bare sentence, metric by metric: the context gain.
    pub gains: Vec<Comparison>,
    /// Each control less its view.
    pub controls: Vec<Comparison>,
    /// Of each `swap` that ran.
    pub follow: Vec<Follow>,
    /// Systems whose encoder was handed a context and did not look at it: they tell nothing of context and are left out above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context_free: Vec<String>,
}

/// How often the ranking went with the context instead of the sentence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Follow {
    /// The swapped system.
    pub system: String,
    /// Its view.
    pub view: String,
    /// How often the best of gold and rivals is the one that received the gold's context. Its `chance` is that of any member.
    pub rate: Value,
    /// The same without the swap, where that view ran.
    pub before: Option<Value>,
    /// How often the gold stays best although its context is gone.
    pub stays: Option<Value>,
}
