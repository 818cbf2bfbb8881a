//! Curves out of places: what the same rankings would have scored at another depth, among fewer rivals, in a smaller corpus.
//!
//! A ranking says more than the few cut-offs of a table. Where each answer stands, and how many share its score, decides recall
//! at **every** k; how many rivals stand above it decides how often it is on top of m of them drawn at random, without
//! embedding anything again: rank and field are all that counts, so the mean over all draws has a closed form
//! ([`Contest::on_top_of`]). Ties are read as everywhere in this crate, as a random order inside each; bands are the same
//! bootstrap with filings drawn whole as the intervals of the scores, from the same random numbers. A curve therefore runs
//! through the scores it generalises, band included: [`recall_curve`] at k is `standard_recall@k`, [`rival_curve`] at all
//! rivals is `resolved@1`.
//!
//! The road not taken is to draw subsets: it costs a thousand times as much and adds noise of its own to what is exact.

mod confusion;
mod corpus;
mod points;
mod recall;
mod rivals;

pub use confusion::{Confusion, Taken};
pub use corpus::{CorpusPoint, corpus_curve};
pub use points::{CurvePoint, cluster_numbers};
pub use recall::{AnswerPlaces, Tie, recall_curve};
pub use rivals::{Contest, Field, rival_curve};
