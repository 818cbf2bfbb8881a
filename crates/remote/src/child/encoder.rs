//! The encoder: asks the child process, and believes nothing.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use eightk_encode::{
    EncodeError, EncodedChunk, Encoder, FilingInput, Identity, OnFiling, OnQuery, Similarity, Vector, check_filing,
    check_vector,
};

use super::answer::{self, About};
use super::command::CommandLine;
use super::process::Process;
use super::request::{PROTOCOL, Request};
use super::settings::CommandSettings;
use super::stderr::OnStderr;

/// An encoder that is a program, spoken to as [the module](super) says.
///
/// The program is started when the first vector is wanted (with `about=true` when the encoder is made) and ended when the encoder is
/// dropped. After an error it is ended too; the next call starts it again.
pub struct CommandEncoder {
    command: CommandLine,
    settings: CommandSettings,
    identity: Identity,
    sees_context: bool,
    on_stderr: OnStderr,
    state: Mutex<State>,
}

/// What the calls share.
#[derive(Default)]
struct State {
    process: Option<Process>,
    /// The first vector: all others must be like it, also after a restart.
    like: Option<Vector>,
}

impl std::fmt::Debug for CommandEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandEncoder").field("identity", &self.identity).finish_non_exhaustive()
    }
}

impl CommandEncoder {
    /// The encoder behind a command line. Files and folders named in it are read (they are part of its identity); the program
    /// is not started, unless it is to be asked who it is.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] for a line that is none, [`EncodeError::Io`] for a file that cannot be read; with `about=true` also what
    /// keeps the program from answering.
    pub fn new(command_line: &str, settings: CommandSettings, on_stderr: OnStderr) -> Result<Self, EncodeError> {
        let command = CommandLine::parse(command_line)?;
        let revision = command.revision(settings.revision.as_deref())?;
        let identity = Identity {
            provider: "cmd".to_owned(),
            model: command.name(),
            revision,
            dims: settings.dims,
            similarity: settings.similarity.unwrap_or(Similarity::Cosine),
            query_prompt: settings.query_prompt.clone(),
            passage_prompt: settings.passage_prompt.clone(),
            settings: BTreeMap::from([("protocol".to_owned(), PROTOCOL.to_string())]),
        };
        let sees_context = settings.context.unwrap_or(true);
        let mut encoder = Self { command, settings, identity, sees_context, on_stderr, state: Mutex::default() };
        if encoder.settings.about {
            let line = encoder.ask(&Request::About { protocol: PROTOCOL }, "about", 0)?;
            let about = answer::about(&line, &encoder.identity.model)?;
            encoder.take_over(about);
        }
        Ok(encoder)
    }

    /// What it says of itself counts where the settings say nothing. Its revision is added to ours: neither knows what the other does.
    fn take_over(&mut self, about: About) {
        let (identity, settings) = (&mut self.identity, &self.settings);
        if let Some(model) = about.model {
            identity.model = model;
        }
        if let Some(revision) = about.revision {
            identity.settings.insert("stated-revision".to_owned(), revision);
        }
        identity.dims = settings.dims.or(about.dims);
        if let Some(similarity) = settings.similarity.or(about.similarity) {
            identity.similarity = similarity;
        }
        self.sees_context = settings.context.or(about.context).unwrap_or(true);
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One request, one answer. The process does not survive a failure.
    fn ask(&self, request: &Request<'_>, what: &str, vectors: usize) -> Result<Vec<u8>, EncodeError> {
        let line = request.to_line()?;
        let mut state = self.state();
        let mut process = match state.process.take() {
            Some(process) => process,
            None => Process::start(&self.command, &self.on_stderr)?,
        };
        let answer = process.ask(line, what, vectors, self.settings.timeout)?;
        state.process = Some(process);
        Ok(answer)
    }

    /// Ends the process after an answer that cannot be trusted: what it writes next may belong to any request.
    fn trusted<T>(&self, result: Result<T, EncodeError>) -> Result<T, EncodeError> {
        result.inspect_err(|_| self.state().process = None)
    }

    fn encode_filing(&self, filing: &FilingInput<'_>) -> Result<Vec<EncodedChunk>, EncodeError> {
        if filing.chunks.is_empty() {
            return Ok(Vec::new());
        }
        if filing.context.is_some() && !self.sees_context {
            return Err(EncodeError::Usage(format!(
                "{} sees no context; choose a view without `filing`",
                self.identity.model
            )));
        }
        let prompt = &self.settings.passage_prompt;
        let line = self.ask(&Request::filing(filing, prompt)?, filing.source_url, filing.chunks.len())?;
        let context = filing.context.as_ref().map(|c| (c.text(), prompt.chars().count()));
        self.trusted(
            answer::vectors(&line, &self.identity.model, filing.source_url, filing.chunks.len(), context).and_then(
                |encoded| {
                    let mut state = self.state();
                    check_filing(&self.identity, filing, &encoded, state.like.as_ref())?;
                    remember(&mut state.like, &encoded);
                    Ok(encoded)
                },
            ),
        )
    }

    fn encode_batch(&self, first: usize, queries: &[&str]) -> Result<Vec<EncodedChunk>, EncodeError> {
        let what = match queries {
            [_] => format!("query {}", first + 1),
            _ => format!("queries {} to {}", first + 1, first + queries.len()),
        };
        let request = Request::queries(queries, &self.settings.query_prompt);
        let line = self.ask(&request, &what, queries.len())?;
        self.trusted(answer::vectors(&line, &self.identity.model, &what, queries.len(), None).and_then(|encoded| {
            let mut state = self.state();
            let like = state.like.as_ref().or_else(|| encoded.first().map(|e| &e.vector));
            for (i, one) in encoded.iter().enumerate() {
                check_vector(&self.identity, &format!("query {}", first + i + 1), &one.vector, like)?;
            }
            remember(&mut state.like, &encoded);
            Ok(encoded)
        }))
    }
}

/// Keeps the first vector ever seen.
fn remember(like: &mut Option<Vector>, encoded: &[EncodedChunk]) {
    if like.is_none() {
        *like = encoded.first().map(|e| e.vector.clone());
    }
}

impl Encoder for CommandEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn sees_context(&self) -> bool {
        self.sees_context
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        for (i, filing) in filings.iter().enumerate() {
            let encoded = self.encode_filing(filing)?;
            finished(i, encoded)?;
        }
        Ok(())
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        let size = self.settings.batch.max(1);
        for (batch, queries) in queries.chunks(size).enumerate() {
            let first = batch * size;
            for (i, encoded) in self.encode_batch(first, queries)?.into_iter().enumerate() {
                finished(first + i, encoded)?;
            }
        }
        Ok(())
    }
}
