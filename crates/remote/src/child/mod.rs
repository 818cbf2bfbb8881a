//! Any encoder as a child process: `cmd:PROGRAM ARGS`.
//!
//! ```text
//! filing ──▶ request ──▶ one line on its stdin ──▶ the program ──▶ one line on its stdout ──▶ answer, checked
//!                                                      └─ stderr, line by line ──▶ whoever started us
//! ```
//!
//! # The protocol
//!
//! JSON lines, one answer per request, in order. Requests are pure ASCII (everything else is escaped), so that no locale and no line
//! reader can misread them. Offsets are Unicode code points, Python's `text[start:end]`.
//!
//! * `{"kind": "filing", "id": "…", "title": "…", "chunks": ["…", …], "context": {"text": "…", "spans": [[start, end], …]}}`
//!   asks for one vector per chunk, in order. `context` is there only where the view shows the chunks in a text: chunk *i* then
//!   stands at `spans[i]` of it. Without it each chunk is to be represented by itself. `title` may be empty.
//! * `{"kind": "queries", "queries": ["…", …]}` asks for one vector per query.
//! * Both are answered by `{"vectors": [[0.1, …], …]}`. Beside it may stand `"truncated": [true, …]` (part of the chunk's or query's
//!   own text was cut off) and, for a context, `"seen": [[start, end], null, …]` (which part of the context was in view).
//! * `{"error": "…"}` instead says that the request cannot be answered; the run stops with that message.
//! * With the setting `about=true` the first request is `{"kind": "about", "protocol": 1}`, answered by any of
//!   `{"model": "…", "revision": "…", "dims": 384, "similarity": "cosine", "context": true}`; `{}` and `{"error": …}` are accepted.
//!   Nobody is asked unless the setting says so: a program of ten lines need not know the question.
//!
//! A query prompt from the settings stands before each query, a passage prompt before each chunk, and before the context's text
//! (`spans` move along and leave it out). Fields unknown to either side are to be ignored.
//!
//! Started at the first request, fed by one thread, ended when its stdin closes. Python's output buffering is switched off by
//! `PYTHONUNBUFFERED`. **It sees contexts unless told otherwise** (`context=false`, or by its answer to `about`): whether it uses
//! what it is handed shows in its vectors, and a claim would prove nothing.
//!
//! # Who it is
//!
//! Its name is its command line with paths cut to their last part. Its revision is the SHA-256 of the command line in which every
//! word that is a file or folder (also after `=`) stands for its contents: an edited script or another model is another encoder,
//! and its vectors are not taken from a cache. What a script imports, what a server behind it runs and a program found through `PATH` are
//! not seen; the setting `revision=` says what no hash can. Command lines are shown and stored: keys belong into the environment.
//!
//! # The road not taken
//!
//! A shell would split the command line, but also expand it; words are split here as a shell does, and nothing else happens to them.
//! Several requests in flight would keep a fast program busier, but then nobody knows which of them it died on.

mod answer;
mod command;
mod contents;
mod encoder;
mod lines;
mod process;
mod request;
mod running;
mod settings;
mod stderr;
#[cfg(test)]
mod tests;

pub use encoder::CommandEncoder;
pub use running::end_all;
pub use settings::CommandSettings;
pub use stderr::OnStderr;
