//! Vectors that were made elsewhere, as an encoder: the way for any model that cannot run here.
//!
//! A notebook writes one vector per chunk and per query, with their ids; here they are only looked up. Whoever asks says which
//! ids the data set has, so that what is missing is known at once and not after hours. What a chunk's vector was
//! made from, its text alone or the whole filing, is the notebook's business: views and contexts mean nothing here.
//!
//! Queries are asked for by their text, as every encoder is, and found by id: the list of the data set's queries says which text has which id. The road
//! not taken, vectors by position: one filtered row in the notebook, and every vector belongs to its neighbour.

mod ids;
mod matrix;
mod npy;
mod parquet;
mod safetensors;
mod table;

use std::collections::HashMap;
use std::path::Path;

use eightk_encode::{
    EncodeError, EncodedChunk, Encoder, Estimate, FilingInput, Identity, OnFiling, OnQuery, Similarity, Vector,
    check_vector,
};
use sha2::{Digest, Sha256};

pub use matrix::Matrix;
pub use npy::read_npy;
pub use safetensors::read_safetensors;

use matrix::Element;
use table::Table;

/// How many ids a message names.
const NAMED: usize = 3;

/// The vectors of a folder, all of them read and checked.
#[derive(Debug)]
pub struct Precomputed {
    identity: Identity,
    chunks: Table,
    queries: Table,
    /// Row of each query's vector by the query's text.
    texts: HashMap<String, usize>,
    notes: Vec<String>,
}

impl Precomputed {
    /// Reads the vectors in `folder` for a data set with these chunk ids, and these queries as pairs of id and text. For each of `chunks` and
    /// `queries` the folder holds one of: `.npy` with its ids beside it in `.ids.txt` (one a line) or `.ids.json` (a list); `.parquet` with a column
    /// `chunk_id`, `query_id` or `id` and a column of lists; `.safetensors` with one tensor and the ids as a JSON list in its metadata (`ids`) or beside
    /// it. Floats of 16, 32 and 64 bits, int8, and uint8 as packed bits. `similarity`: by default the cosine, of bits Hamming's.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] where a file is not there, [`EncodeError::Io`], [`EncodeError::Data`] where a file cannot be read, an id stands twice or has no
    /// vector, or two queries of one text have different vectors; [`EncodeError::Dimension`], [`EncodeError::NotFinite`], [`EncodeError::Zero`].
    pub fn open<'d>(
        folder: &Path,
        similarity: Option<Similarity>,
        chunks: impl IntoIterator<Item = &'d str>,
        queries: impl IntoIterator<Item = (&'d str, &'d str)>,
    ) -> Result<Self, EncodeError> {
        let mut hash = Sha256::new();
        let chunk_table = Table::read(folder, "chunks", &["chunk_id", "id"], &mut hash)?;
        let query_table = Table::read(folder, "queries", &["query_id", "id"], &mut hash)?;
        let identity = identity(folder, similarity, &chunk_table, hash);
        check_all(&identity, &chunk_table, &query_table)?;
        let mut notes = Vec::new();
        find_all(&chunk_table, "chunks", chunks, &mut notes, |_, _| Ok(()))?;
        let mut texts: HashMap<String, (usize, &str)> = HashMap::new();
        let queries: Vec<(&str, &str)> = queries.into_iter().collect();
        let text_of: HashMap<&str, &str> = queries.iter().copied().collect();
        find_all(&query_table, "queries", queries.iter().map(|(id, _)| *id), &mut notes, |id, row| {
            let text = text_of.get(id).copied().unwrap_or_default();
            match texts.get(text) {
                Some((other, _)) if query_table.vector(*other) == query_table.vector(row) => {}
                Some((_, other)) => {
                    return Err(EncodeError::Data(format!(
                        "{}: queries `{other}` and `{id}` have the same text but different vectors",
                        query_table.path.display()
                    )));
                }
                None => {
                    texts.insert(text.to_owned(), (row, id));
                }
            }
            Ok(())
        })?;
        if chunk_table.element() == Element::U8 {
            notes.push(format!("{}: uint8 is read as bits, eight dimensions to a byte", chunk_table.path.display()));
        }
        let texts = texts.into_iter().map(|(text, (row, _))| (text, row)).collect();
        Ok(Self { identity, chunks: chunk_table, queries: query_table, texts, notes })
    }

    /// What people should know: vectors that nobody asked for, and how bytes were understood.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

fn identity(folder: &Path, similarity: Option<Similarity>, chunks: &Table, hash: Sha256) -> Identity {
    let element = chunks.element();
    let usual = if element == Element::U8 { Similarity::Hamming } else { Similarity::Cosine };
    let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    Identity {
        provider: "vectors".to_owned(),
        model: name.file_name().map_or_else(|| "vectors".to_owned(), |n| n.display().to_string()),
        revision: hash.finalize().iter().map(|b| format!("{b:02x}")).collect(),
        dims: chunks.vector(0).map(|v| v.dims()),
        similarity: similarity.unwrap_or(usual),
        query_prompt: String::new(),
        passage_prompt: String::new(),
        settings: [("dtype", element.name()), ("format", chunks.format)]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into(),
    }
}

/// Every vector is sound, and all are of one kind and length.
fn check_all(who: &Identity, chunks: &Table, queries: &Table) -> Result<(), EncodeError> {
    let like: Option<Vector> = chunks.vector(0);
    for table in [chunks, queries] {
        for row in 0..table.rows() {
            if let Some(vector) = table.vector(row) {
                let what = || format!("row {} of {}", row + 1, table.path.display());
                // The name of a row is made only for the message.
                if check_vector(who, "", &vector, like.as_ref()).is_err() {
                    check_vector(who, &what(), &vector, like.as_ref())?;
                }
            }
        }
    }
    Ok(())
}

/// Calls `each` with every id's row. Ids without a vector are an error, vectors without an id a note.
fn find_all<'d>(
    table: &Table,
    what: &str,
    wanted: impl IntoIterator<Item = &'d str>,
    notes: &mut Vec<String>,
    mut each: impl FnMut(&'d str, usize) -> Result<(), EncodeError>,
) -> Result<(), EncodeError> {
    let (mut all, mut missing) = (0usize, Vec::new());
    for id in wanted {
        all += 1;
        match table.row(id) {
            Some(row) => each(id, row)?,
            None => missing.push(id),
        }
    }
    let path = table.path.display();
    if let Some(first) = missing.get(..missing.len().min(NAMED)).filter(|m| !m.is_empty()) {
        let more = if missing.len() > NAMED { ", …" } else { "" };
        return Err(EncodeError::Data(format!(
            "{path}: {} of the data set's {all} {what} have no vector here: {}{more}; encode them all, under the data set's own ids",
            missing.len(),
            first.join(", ")
        )));
    }
    let unused = table.rows().saturating_sub(all);
    if unused > 0 {
        notes.push(format!("{path}: {unused} vectors belong to no {what} of this data set and are not used"));
    }
    Ok(())
}

impl Encoder for Precomputed {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn goes_by_id(&self) -> bool {
        true
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        for (at, filing) in filings.iter().enumerate() {
            let one = |id: &str| {
                let vector = self.chunks.row(id).and_then(|row| self.chunks.vector(row));
                vector.map(EncodedChunk::whole).ok_or_else(|| {
                    EncodeError::Data(format!("{}: chunk `{id}` has no vector here", self.chunks.path.display()))
                })
            };
            finished(at, filing.chunks.iter().map(|c| one(c.id)).collect::<Result<_, _>>()?)?;
        }
        Ok(())
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        for (at, text) in queries.iter().enumerate() {
            let vector = self.texts.get(*text).and_then(|row| self.queries.vector(*row));
            let vector = vector.ok_or_else(|| {
                EncodeError::Data(format!(
                    "{}: no query of the data set has the text `{text}`, so none of these vectors is its own",
                    self.queries.path.display()
                ))
            })?;
            finished(at, EncodedChunk::whole(vector))?;
        }
        Ok(())
    }

    fn estimate(&self, _: &[FilingInput<'_>], _: &[&str]) -> Estimate {
        Estimate::default()
    }
}
