//! A local model as an encoder.

use std::path::Path;
use std::time::Instant;

use eightk_encode::{
    EncodeError, EncodedChunk, Encoder, Estimate, FilingInput, Identity, OnFiling, OnQuery, Role, Vector,
};
use rayon::prelude::*;
use serde_json::Value;

use crate::arch::{self, Architecture, Batch};
use crate::folder::{ModelFolder, PoolingMode, SentenceConfig, Weights};
use crate::head::Head;
use crate::late;
use crate::math::Scratch;
use crate::pooling::Wanted;
use crate::sequences::{Place, Sequence, Workspace, run};
use crate::settings::LocalSettings;
use crate::tokens::{self, TextTokenizer};

/// Filings are taken together until they have so many bytes, so that every core has work; a run that is killed loses at most that.
const SHELF_BYTES: usize = 1 << 18;
/// Of the arithmetic and the rules of windows: raised when the same model begins to give other vectors, so that kept ones are not taken
/// for them.
const ENGINE: &str = "1";
/// Queries likewise, by number.
const SHELF_QUERIES: usize = 256;

/// A transformer in a folder, with everything that makes its vectors what they are.
///
/// Without a context each chunk is represented by its own text, as sentence-transformers would do it. With one, by *late chunking*: the
/// whole context goes through the transformer (up to its positions, not only to the shorter limit that
/// is usual for single sentences; longer ones in overlapping windows), and a chunk's vector is the mean of the states of its own tokens. A
/// chunk without any token (whitespace, control characters) is represented by its own text alone.
///
/// Equal texts get equal vectors to the last bit, in whatever batch and on however many threads.
pub struct LocalModel {
    identity: Identity,
    tokenizer: TextTokenizer,
    model: Box<dyn Architecture>,
    modes: Vec<PoolingMode>,
    include_prompt: bool,
    head: Head,
    /// Most tokens of a text alone, and of a window; marks included.
    max_tokens: usize,
    window: usize,
    /// Tokens of each prompt.
    query_prompt_tokens: usize,
    passage_prompt_tokens: usize,
    workspace: Workspace,
}

/// What a filing's vectors are made of.
struct Job {
    sequences: Vec<Sequence>,
    places: Vec<Place>,
    truncated: Vec<bool>,
    seen: Vec<Option<eightk_core::Span>>,
}

impl LocalModel {
    /// Loads a model from a folder as it is published: `config.json`, `tokenizer.json`, weights as safetensors, and what
    /// sentence-transformers wrote beside them.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Data`] and [`EncodeError::Io`] with the file for a folder that is incomplete, damaged or contradicts itself;
    /// [`EncodeError::Usage`] for a kind of model or a setting that cannot be.
    pub fn open(folder: &Path, settings: &LocalSettings) -> Result<Self, EncodeError> {
        let root = ModelFolder::open(folder)?;
        let sentence = SentenceConfig::read(&root)?;
        let own = root.sub(&sentence.first);
        let config: Value = own.needed_json("config.json", "the shape of the model")?;
        let weights = Weights::open(&own)?;
        let tokenizer = TextTokenizer::open(&own, sentence.lowercase)?;
        let model = arch::load(&own, &config, &weights)?;
        if tokenizer.largest_id() as usize >= model.vocabulary() {
            let why = format!(
                "knows the token id {}, config.json has a vocab_size of {}: they are of different models",
                tokenizer.largest_id(),
                model.vocabulary()
            );
            return Err(own.bad(tokens::FILE, why));
        }
        let modes = settings.pooling.map_or_else(|| sentence.pooling.modes.clone(), |mode| vec![mode]);
        let (head, head_files) = Head::load(&root, &sentence, model.width() * modes.len(), settings.dims)?;

        let positions = model.positions();
        if let Some(most) = settings.max_tokens.filter(|m| *m > positions) {
            return Err(EncodeError::Usage(format!(
                "max-tokens={most}: the model has {positions} positions; give at most that"
            )));
        }
        let max_tokens = settings.max_tokens.or(sentence.max_tokens).unwrap_or(positions).min(positions);
        let window = settings.max_tokens.unwrap_or(positions);
        let query_prompt = settings.query_prompt.clone().unwrap_or(sentence.query_prompt);
        let passage_prompt = settings.passage_prompt.clone().unwrap_or(sentence.passage_prompt);
        let prompt_tokens = |prompt: &str| -> Result<usize, EncodeError> {
            let count = tokenizer.tokens(prompt)?.ids.len();
            let around = tokenizer.before().len() + tokenizer.after().len();
            // One more, for what may fuse with the text.
            if count + around + 1 >= max_tokens {
                return Err(EncodeError::Usage(format!(
                    "the prompt {prompt:?} has {count} tokens, which with {around} marks leaves no room in {max_tokens}"
                )));
            }
            Ok(count)
        };
        let (query_prompt_tokens, passage_prompt_tokens) =
            (prompt_tokens(&query_prompt)?, prompt_tokens(&passage_prompt)?);

        let mut files = sentence.files.clone();
        files.extend(["config.json", tokens::FILE].map(|f| format!("{}{f}", sentence.first)));
        files.extend(weights.files().iter().map(|f| format!("{}{f}", sentence.first)));
        files.extend(head_files);
        let pooling = modes.iter().map(|m| m.name()).collect::<Vec<_>>().join("+");
        let mut pairs = vec![
            ("dtype", "f32".to_owned()),
            ("engine", ENGINE.to_owned()),
            ("pooling", pooling),
            ("max_tokens", max_tokens.to_string()),
            ("window_tokens", window.to_string()),
            ("normalized", head.normalizes().to_string()),
        ];
        if !sentence.pooling.include_prompt {
            pairs.push(("prompt_pooled", "false".to_owned()));
        }
        let identity = Identity {
            provider: "local".to_owned(),
            model: settings.name.clone().unwrap_or_else(|| root.name()),
            revision: root.revision(&files)?,
            dims: Some(head.dims()),
            similarity: sentence.similarity,
            query_prompt,
            passage_prompt,
            settings: pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        };
        Ok(Self {
            identity,
            tokenizer,
            model,
            modes,
            include_prompt: sentence.pooling.include_prompt,
            head,
            max_tokens,
            window,
            query_prompt_tokens,
            passage_prompt_tokens,
            workspace: Workspace::default(),
        })
    }

    /// The sequence of a text alone, and whether the text was cut.
    fn alone(&self, mut ids: Vec<u32>, role: Role) -> (Sequence, bool) {
        let (before, after) = (self.tokenizer.before(), self.tokenizer.after());
        let room = self.max_tokens.saturating_sub(before.len() + after.len());
        let truncated = ids.len() > room;
        ids.truncate(room);
        let prompt = match role {
            Role::Query => self.query_prompt_tokens,
            Role::Passage => self.passage_prompt_tokens,
        };
        let skip = if self.include_prompt || prompt == 0 { 0 } else { before.len() + prompt };
        (Sequence { ids: [before, &ids, after].concat(), wanted: vec![Wanted::Text { skip }] }, truncated)
    }

    /// Sequences of texts alone.
    fn texts_alone(&self, texts: &[&str], role: Role) -> Result<Vec<(Sequence, bool)>, EncodeError> {
        let prompt = self.identity.prompt(role);
        let one = |text: &&str| {
            let ids = if prompt.is_empty() {
                self.tokenizer.ids(text)
            } else {
                self.tokenizer.ids(&format!("{prompt}{text}"))
            };
            ids.map(|ids| self.alone(ids, role))
        };
        texts.par_iter().map(one).collect()
    }

    /// What has to go through the model for a filing.
    fn job(&self, filing: &FilingInput<'_>) -> Result<Job, EncodeError> {
        let Some(context) = &filing.context else {
            let texts: Vec<&str> = filing.chunks.iter().map(|c| c.text.as_ref()).collect();
            let (sequences, truncated): (Vec<_>, Vec<_>) = self.texts_alone(&texts, Role::Passage)?.into_iter().unzip();
            let places = (0..sequences.len()).map(|sequence| Place { sequence, wanted: 0 }).collect();
            let seen = vec![None; sequences.len()];
            return Ok(Job { sequences, places, truncated, seen });
        };
        if self.modes.len() > 1 {
            return Err(EncodeError::Usage(format!(
                "{} puts {} poolings side by side, which a chunk in its context cannot have; choose one with pooling=",
                self.identity.model,
                self.modes.len()
            )));
        }
        let plan =
            late::plan(&self.tokenizer, &self.identity.passage_prompt, context, filing.chunks.len(), self.window)?;
        let late::Plan { mut sequences, places, mut truncated, seen } = plan;
        let mut all_places = Vec::with_capacity(places.len());
        for ((place, chunk), truncated) in places.into_iter().zip(&filing.chunks).zip(&mut truncated) {
            let place = match place {
                Some(place) => place,
                None => {
                    for (sequence, cut) in self.texts_alone(&[&chunk.text], Role::Passage)? {
                        sequences.push(sequence);
                        *truncated = cut;
                    }
                    Place { sequence: sequences.len().saturating_sub(1), wanted: 0 }
                }
            };
            all_places.push(place);
        }
        Ok(Job { sequences, places: all_places, truncated, seen })
    }

    /// Runs the jobs of a shelf together, and hands back each one's chunks.
    fn run_jobs(&self, jobs: &[Job]) -> Vec<Vec<EncodedChunk>> {
        let all: Vec<&Sequence> = jobs.iter().flat_map(|job| &job.sequences).collect();
        let mut vectors = run(self.model.as_ref(), &all, &self.modes, &self.workspace).into_iter();
        let finish = |job: &Job, mut vectors: Vec<Vec<Vec<f32>>>| {
            let mut chunk = |((place, truncated), seen): ((&Place, &bool), &Option<eightk_core::Span>)| {
                let pooled = vectors.get_mut(place.sequence).and_then(|s| s.get_mut(place.wanted));
                let vector = self.head.apply(pooled.map(std::mem::take).unwrap_or_default());
                EncodedChunk { vector: Vector::F32(vector), truncated: *truncated, seen: *seen }
            };
            job.places.iter().zip(&job.truncated).zip(&job.seen).map(&mut chunk).collect()
        };
        jobs.iter().map(|job| finish(job, vectors.by_ref().take(job.sequences.len()).collect())).collect()
    }
}

impl Encoder for LocalModel {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn sees_context(&self) -> bool {
        true
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        let size = |f: &FilingInput<'_>| {
            let chunks = || f.chunks.iter().map(|c| c.text.len() + self.identity.passage_prompt.len()).sum();
            f.context.as_ref().map_or_else(chunks, |c| c.text().len())
        };
        let mut done = 0;
        while done < filings.len() {
            let mut bytes = 0;
            let rest = filings.get(done..).unwrap_or_default();
            let more = rest.iter().take_while(|f| {
                let before = bytes;
                bytes += size(f);
                before < SHELF_BYTES
            });
            let shelf = rest.get(..more.count()).unwrap_or_default();
            let jobs = shelf.par_iter().map(|f| self.job(f)).collect::<Result<Vec<_>, _>>()?;
            for encoded in self.run_jobs(&jobs) {
                finished(done, encoded)?;
                done += 1;
            }
        }
        Ok(())
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        for (number, shelf) in queries.chunks(SHELF_QUERIES).enumerate() {
            let (sequences, truncated): (Vec<_>, Vec<_>) = self.texts_alone(shelf, Role::Query)?.into_iter().unzip();
            let places = (0..sequences.len()).map(|sequence| Place { sequence, wanted: 0 }).collect();
            let seen = vec![None; sequences.len()];
            let encoded = self.run_jobs(&[Job { sequences, places, truncated, seen }]);
            for (i, chunk) in encoded.into_iter().flatten().enumerate() {
                finished(number * SHELF_QUERIES + i, chunk)?;
            }
        }
        Ok(())
    }

    /// Tokens exactly, as they would go through the model; seconds by timing one small batch.
    fn estimate(&self, filings: &[FilingInput<'_>], queries: &[&str]) -> Estimate {
        let length = |sequences: &[Sequence]| sequences.iter().map(|s| s.ids.len() as u64).sum::<u64>();
        let of_filings: u64 = filings.par_iter().map(|f| self.job(f).map_or(0, |job| length(&job.sequences))).sum();
        let of_queries: u64 = self
            .texts_alone(queries, Role::Query)
            .map_or(0, |all| all.iter().map(|(sequence, _)| sequence.ids.len() as u64).sum());
        let tokens = of_filings + of_queries;
        let mut batch = Batch::default();
        let sample = self.max_tokens.min(64);
        batch.push(std::iter::repeat_n(0, sample));
        let mut scratch = Scratch::default();
        // The first pass fetches the weights from memory; the second is what the many after it are like.
        let mut seconds = 0.0;
        for _ in 0..2 {
            let start = Instant::now();
            self.model.states(&batch, &mut scratch);
            seconds = start.elapsed().as_secs_f64();
        }
        let cores = rayon::current_num_threads().max(1) as f64;
        let seconds = tokens as f64 * seconds / sample.max(1) as f64 / cores;
        Estimate { tokens, seconds: Some(seconds), ..Estimate::default() }
    }
}

#[cfg(test)]
mod tests;
