//! MTEB: Parquet configs as its retrieval loader asks `datasets` for them.
//!
//! The loader wants the configs `corpus`, `queries` and `default` (the judgements), and for a subset `x` the configs `x-corpus`,
//! `x-queries`, `x-qrels`. Its scores split grades at 0 but for nDCG, so the answers alone are the default and the grades as
//! published the subset `graded`, over the same files. Parquet and not JSON lines: types are stated, so that no
//! reader takes a column of ids for numbers or dates. Columns that MTEB does not know (`doc_id`, `chunk_idx`) reach models that speak
//! its search protocol: enough to hand them whole filings.

use arrow_array::RecordBatch;
use arrow_array::builder::{ArrayBuilder, Int64Builder, StringBuilder};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use std::sync::Arc;

use super::Outgoing;
use super::lines::rivals;
use super::outgoing::Judgement;
use crate::DatasetError;
use crate::write::Staging;
use crate::write::shards::Shards;
use crate::write::table::{Table, schema, stored};

/// Folders of Parquet files, each the data of one or two configs.
pub(super) const CORPUS: &str = "corpus";
pub(super) const QUERIES: &str = "queries";
pub(super) const ANSWER_QRELS: &str = "qrels-answer";
pub(super) const GRADED_QRELS: &str = "qrels-graded";

/// Rows of one shard at most.
const ROWS: usize = 1_000_000;

/// String columns, then numeric ones, of a config under way.
#[derive(Default)]
struct Columns<const S: usize, const N: usize> {
    strings: Vec<StringBuilder>,
    numbers: Vec<Int64Builder>,
    bytes: usize,
}

impl<const S: usize, const N: usize> Columns<S, N> {
    fn push(&mut self, strings: [Option<&str>; S], numbers: [i64; N]) {
        self.strings.resize_with(S, StringBuilder::new);
        self.numbers.resize_with(N, Int64Builder::new);
        for (column, cell) in self.strings.iter_mut().zip(strings) {
            column.append_option(cell);
            self.bytes += cell.map_or(0, str::len);
        }
        for (column, cell) in self.numbers.iter_mut().zip(numbers) {
            column.append_value(cell);
        }
    }

    fn held(&self) -> (usize, usize) {
        (self.strings.first().map_or(0, ArrayBuilder::len), self.bytes)
    }

    fn take(&mut self, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
        // An empty config has columns too.
        self.strings.resize_with(S, StringBuilder::new);
        self.numbers.resize_with(N, Int64Builder::new);
        self.bytes = 0;
        let strings = self.strings.iter_mut().map(|c| Arc::new(c.finish()) as _);
        let numbers = self.numbers.iter_mut().map(|c| Arc::new(c.finish()) as _);
        RecordBatch::try_new(schema, strings.chain(numbers).collect())
    }
}

/// A config of string columns and numeric columns.
macro_rules! config {
    ($(#[$doc:meta])* $name:ident, $strings:literal strings $(, $string:literal)*; $numbers:literal numbers $(, $number:literal)*) => {
        $(#[$doc])*
        #[derive(Default)]
        struct $name(Columns<$strings, $numbers>);

        impl Table for $name {
            type Row = ([Option<String>; $strings], [i64; $numbers]);
            const PLAIN: &'static [&'static str] = &["id", "text"];
            const GROUP: usize = 65_536;

            fn schema() -> SchemaRef {
                schema(&[$(($string, DataType::Utf8),)* $(($number, DataType::Int64),)*])
            }

            fn push(&mut self, (strings, numbers): &Self::Row) {
                self.0.push(strings.each_ref().map(Option::as_deref), *numbers);
            }

            fn held(&self) -> (usize, usize) {
                self.0.held()
            }

            fn take(&mut self) -> Result<RecordBatch, ArrowError> {
                self.0.take(Self::schema())
            }
        }
    };
}

config!(
    /// Sentences. MTEB puts `title`, where there is such a column, before `text`.
    Corpus, 4 strings, "id", "title", "text", "doc_id"; 3 numbers, "chunk_idx", "start_char", "end_char"
);
config!(
    /// Sentences whose title MTEB does not see.
    BareCorpus, 4 strings, "id", "filing_title", "text", "doc_id"; 3 numbers, "chunk_idx", "start_char", "end_char"
);
config!(
    /// Queries.
    Queries, 4 strings, "id", "text", "original_query", "fact"; 0 numbers
);
config!(
    /// Judgements.
    Qrels, 2 strings, "query-id", "corpus-id"; 1 numbers, "score"
);

pub(super) fn write(set: &Outgoing<'_>, folder: &Staging) -> Result<Vec<String>, DatasetError> {
    let text = |s: &str| Some(s.to_owned());
    let documents = set.dataset.chunks.iter().map(|c| {
        let strings = [text(&c.id), text(&c.title), text(&c.text), text(&c.source_url)];
        (strings, [stored(c.idx), stored(c.span.start), stored(c.span.end)])
    });
    let mut files = if set.bare {
        rows::<BareCorpus>(folder, CORPUS, documents)?
    } else {
        rows::<Corpus>(folder, CORPUS, documents)?
    };
    let questions =
        set.queries().map(|(id, q)| ([text(id), text(&q.query), text(&q.original_query), q.fact.clone()], []));
    files.extend(rows::<Queries>(folder, QUERIES, questions)?);
    for (name, judgements) in [(ANSWER_QRELS, set.answers()), (GRADED_QRELS, set.graded())] {
        let row = |j: Judgement<'_>| ([text(j.query), text(j.chunk)], [j.grade]);
        files.extend(rows::<Qrels>(folder, name, judgements.into_iter().map(row))?);
    }
    files.extend(rivals(set, folder, "rivals.jsonl")?);
    Ok(files)
}

/// Rows as one config; returns its files.
fn rows<T: Table>(
    folder: &Staging,
    name: &'static str,
    rows: impl Iterator<Item = T::Row>,
) -> Result<Vec<String>, DatasetError> {
    let mut shards = Shards::<T>::create(folder.path(), name, ROWS)?;
    for row in rows {
        shards.push(&row)?;
    }
    Ok(shards.finish()?.into_iter().map(|f| f.path).collect())
}
