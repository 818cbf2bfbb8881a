//! Systems under test: from a corpus and a query to a ranking.
//!
//! ```text
//! chunks ──▶ Corpus ──▶ View ──▶ inputs ──▶ index ────▶ TopK ──▶ fusion, ──▶ Run
//!            (filings)  (what a  (control)  (BM25, or    (ties    rerank
//!                       chunk sees)          an encoder   whole)
//!                                            and vectors)
//! ```
//!
//! A *system* is a [`View`] (what of the filing a chunk's representation may see) times a scorer. It is named by a
//! [`SystemSpec`] such as `bm25:title` or `dense:MODEL,view=filing`, made by [`build`], and run over all queries by [`run_system`]. Encoders
//! come from whoever calls ([`Encoders`]).
//!
//! **Filings, not loose chunks.** Whatever turns chunks into something searchable is handed one filing's chunks in order
//! ([`FilingChunks`]). For BM25 a flat list of texts would do; but then contextual encoders, which this benchmark exists
//! to tell apart, would be the special case. Here they are the normal one and others ignore the neighbours.
//!
//! **Ties are data.** Templated sentences of different filings are often equal, and so are their scores, to the last bit.
//! Nothing here breaks a tie: scores are f64 summed in a fixed order, and the group tied at rank k is returned whole (see
//! [`TopK`]), so that whoever measures can apply a tie rule to all of it.
//!
//! ```
//! # use eightk_core::{CharSpan, Chunk, Qrels};
//! use eightk_retrieve::{Corpus, Knowledge, NoEncoders, QueryInput, SystemSpec, build, run_system};
//!
//! # let chunk = |filing: &str, title: &str, idx: usize, text: &str| Chunk { id: format!("{filing}#s{idx}"), text: text.into(),
//! #     source_url: filing.into(), title: title.into(), idx, span: CharSpan::new(idx, idx + text.len()) };
//! let chunks = [
//!     chunk("a", "Brackwater Foods 8-K 2024-02-01", 0, "The Company expects charges of about $4 million."),
//!     chunk("b", "Tallowmere Labs 8-K 2024-03-01", 0, "The Company expects charges of about $9 million."),
//! ];
//! let corpus = Corpus::new(&chunks)?;
//! let spec: SystemSpec = "bm25:title".parse()?;
//! let system = build(&spec, &corpus, &Knowledge::default(), &NoEncoders)?;
//! let queries = [QueryInput { id: "q0", text: "What charges does Tallowmere Labs expect?" }];
//! let run = run_system(&*system, &queries, 10)?;
//! assert_eq!(run.queries["q0"][0].id, "b#s0");
//! # Ok::<(), eightk_retrieve::RetrieveError>(())
//! ```

mod analyzer;
mod baselines;
mod bm25;
mod corpus;
mod dense;
mod encoders;
mod error;
mod findings;
mod fusion;
mod inputs;
mod rerank;
mod search;
mod seeded;
mod spec;
mod system;
#[cfg(test)]
mod testing;
mod top_k;
mod view;

pub use analyzer::{Analyzer, StopWords};
pub use baselines::{NameFilter, Oracle, Random};
pub use bm25::{Bm25, Bm25Options, Explanation, TermScore};
pub use corpus::{Corpus, FilingChunks};
pub use dense::{Dense, Plan, Planner};
pub use encoders::{Encoders, NoEncoders};
pub use error::RetrieveError;
pub use findings::{Findings, QueryFinding};
pub use fusion::Fused;
pub use inputs::{Control, FilingInputs, Job, Swap, Swaps, filer_names, filing_inputs, parse_prefixes, swaps};
pub use rerank::Reranked;
pub use search::{SearchError, Storage, VectorIndex};
pub use spec::{DenseSpec, EncoderKind, EncoderSpec, RerankerKind, RerankerSpec, SystemSpec};
pub use system::{Description, Knowledge, QueryInput, System, build, run_system};
pub use top_k::{MAX_BOUNDARY_TIES, Scored, TopK};
pub use view::{Piece, View};
