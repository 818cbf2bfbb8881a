//! Rows into Arrow batches, one builder per config.
//!
//! Lists are `list<element: …>`, every field nullable: what pyarrow and `datasets` write themselves. Batches are built from typed
//! columns rather than derived from structs: seven string columns do not need a framework.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use eightk_core::{Chunk, Query};

use crate::FilingRow;

/// Rows of one config on their way to a batch.
pub(crate) trait Table: Default {
    /// One row.
    type Row;
    /// Columns whose values hardly repeat: no dictionary, no statistics.
    const PLAIN: &'static [&'static str];
    /// Rows of one row group at most.
    const GROUP: usize;

    fn schema() -> SchemaRef;
    fn push(&mut self, row: &Self::Row);
    /// Rows and bytes of text held.
    fn held(&self) -> (usize, usize);
    /// The rows as a batch; the table is empty afterwards.
    fn take(&mut self) -> Result<RecordBatch, ArrowError>;
}

/// A position as it is stored. No text reaches 2^63 code points.
pub(crate) fn stored(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

pub(crate) fn schema(fields: &[(&str, DataType)]) -> SchemaRef {
    let fields: Vec<Field> = fields.iter().map(|(name, kind)| Field::new(*name, kind.clone(), true)).collect();
    Arc::new(Schema::new(fields))
}

fn element(kind: DataType) -> FieldRef {
    Arc::new(Field::new("element", kind, true))
}

fn list_of(kind: DataType) -> DataType {
    DataType::List(element(kind))
}

fn list(lengths: impl IntoIterator<Item = usize>, values: ArrayRef) -> Result<ArrayRef, ArrowError> {
    let field = element(values.data_type().clone());
    Ok(Arc::new(ListArray::try_new(field, OffsetBuffer::from_lengths(lengths), values, None)?))
}

pub(crate) fn strings<'a>(values: impl Iterator<Item = &'a str>) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(values))
}

pub(crate) fn optional<'a>(values: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

pub(crate) fn numbers(values: impl Iterator<Item = i64>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values))
}

/// `documents`.
#[derive(Default)]
pub(super) struct Documents {
    strings: [StringBuilder; 4],
    numbers: [Int64Builder; 3],
    bytes: usize,
}

impl Table for Documents {
    type Row = Chunk;
    const PLAIN: &'static [&'static str] = &["chunk_id", "chunk"];
    const GROUP: usize = 65_536;

    fn schema() -> SchemaRef {
        use DataType::{Int64, Utf8};
        schema(&[
            ("chunk_id", Utf8),
            ("chunk", Utf8),
            ("source_url", Utf8),
            ("title", Utf8),
            ("chunk_idx", Int64),
            ("chunk_start_char", Int64),
            ("chunk_end_char", Int64),
        ])
    }

    fn push(&mut self, chunk: &Chunk) {
        for (column, cell) in self.strings.iter_mut().zip([&chunk.id, &chunk.text, &chunk.source_url, &chunk.title]) {
            column.append_value(cell);
            self.bytes += cell.len();
        }
        for (column, cell) in self.numbers.iter_mut().zip([chunk.idx, chunk.span.start, chunk.span.end]) {
            column.append_value(stored(cell));
        }
    }

    fn held(&self) -> (usize, usize) {
        let rows = self.numbers.first().map_or(0, arrow_array::builder::ArrayBuilder::len);
        (rows, self.bytes)
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.bytes = 0;
        let strings = self.strings.iter_mut().map(|b| Arc::new(b.finish()) as ArrayRef);
        let numbers = self.numbers.iter_mut().map(|b| Arc::new(b.finish()) as ArrayRef);
        RecordBatch::try_new(Self::schema(), strings.chain(numbers).collect())
    }
}

/// `queries`.
#[derive(Default)]
pub(super) struct Queries(Vec<Query>);

impl Table for Queries {
    type Row = Query;
    const PLAIN: &'static [&'static str] = &[];
    const GROUP: usize = 16_384;

    fn schema() -> SchemaRef {
        use DataType::{Int64, Utf8};
        schema(&[
            ("original_query", Utf8),
            ("query", Utf8),
            ("answer", list_of(Utf8)),
            ("score", list_of(Int64)),
            ("source_url", list_of(Utf8)),
            ("frag_start_char", list_of(Int64)),
            ("frag_end_char", list_of(Int64)),
            ("n_gold", Int64),
            ("roles", list_of(Utf8)),
            ("fact", Utf8),
            ("alternatives", list_of(DataType::Struct(alternative_fields().into()))),
        ])
    }

    fn push(&mut self, query: &Query) {
        self.0.push(query.clone());
    }

    fn held(&self) -> (usize, usize) {
        (self.0.len(), 0)
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let queries = std::mem::take(&mut self.0);
        let golds = || queries.iter().flat_map(|q| &q.golds);
        let lengths = || queries.iter().map(|q| q.golds.len());
        let role = |role| if role == eightk_core::Role::Answer { "answer" } else { "evidence" };
        let others = || queries.iter().flat_map(|q| &q.alternatives);
        let alternatives = StructArray::try_new(
            alternative_fields().into(),
            vec![
                strings(others().map(|a| a.source_url.as_str())),
                numbers(others().map(|a| stored(a.span.start))),
                numbers(others().map(|a| stored(a.span.end))),
            ],
            None,
        )?;
        let columns = vec![
            strings(queries.iter().map(|q| q.original_query.as_str())),
            strings(queries.iter().map(|q| q.query.as_str())),
            list(lengths(), strings(golds().map(|g| g.text.as_str())))?,
            list(lengths(), numbers(golds().map(|g| g.score)))?,
            list(lengths(), strings(golds().map(|g| g.source_url.as_str())))?,
            list(lengths(), numbers(golds().map(|g| stored(g.span.start))))?,
            list(lengths(), numbers(golds().map(|g| stored(g.span.end))))?,
            numbers(lengths().map(stored)),
            list(lengths(), strings(golds().map(|g| role(g.role))))?,
            optional(queries.iter().map(|q| q.fact.as_deref())),
            list(queries.iter().map(|q| q.alternatives.len()), Arc::new(alternatives))?,
        ];
        RecordBatch::try_new(Self::schema(), columns)
    }
}

fn alternative_fields() -> Vec<Field> {
    vec![
        Field::new("source_url", DataType::Utf8, true),
        Field::new("frag_start_char", DataType::Int64, true),
        Field::new("frag_end_char", DataType::Int64, true),
    ]
}

/// `filings`.
#[derive(Default)]
pub(super) struct Filings {
    rows: Vec<FilingRow>,
    text: StringBuilder,
    bytes: usize,
}

impl Table for Filings {
    type Row = FilingRow;
    const PLAIN: &'static [&'static str] = &["source_url", "accession", "sha256", "url", "text"];
    const GROUP: usize = 1_024;

    fn schema() -> SchemaRef {
        use DataType::Utf8;
        schema(&[
            ("source_url", Utf8),
            ("accession", Utf8),
            ("cik", Utf8),
            ("company", Utf8),
            ("title", Utf8),
            ("form", Utf8),
            ("filed", Utf8),
            ("items", list_of(Utf8)),
            ("url", Utf8),
            ("sha256", Utf8),
            ("text", Utf8),
        ])
    }

    fn push(&mut self, row: &FilingRow) {
        // The text goes straight to its column: it is too large to copy twice.
        self.text.append_value(&row.text);
        self.bytes += row.text.len();
        let FilingRow { source_url, accession, cik, company, title, form, filed, items, url, sha256, text: _ } = row;
        self.rows.push(FilingRow {
            source_url: source_url.clone(),
            accession: accession.clone(),
            cik: cik.clone(),
            company: company.clone(),
            title: title.clone(),
            form: form.clone(),
            filed: filed.clone(),
            items: items.clone(),
            url: url.clone(),
            sha256: sha256.clone(),
            text: String::new(),
        });
    }

    fn held(&self) -> (usize, usize) {
        (self.rows.len(), self.bytes)
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.rows);
        let items = strings(rows.iter().flat_map(|r| &r.items).map(String::as_str));
        let columns = vec![
            strings(rows.iter().map(|r| r.source_url.as_str())),
            optional(rows.iter().map(|r| r.accession.as_deref())),
            optional(rows.iter().map(|r| r.cik.as_deref())),
            optional(rows.iter().map(|r| r.company.as_deref())),
            strings(rows.iter().map(|r| r.title.as_str())),
            optional(rows.iter().map(|r| r.form.as_deref())),
            optional(rows.iter().map(|r| r.filed.as_deref())),
            list(rows.iter().map(|r| r.items.len()), items)?,
            optional(rows.iter().map(|r| r.url.as_deref())),
            optional(rows.iter().map(|r| r.sha256.as_deref())),
            Arc::new(self.text.finish()),
        ];
        RecordBatch::try_new(Self::schema(), columns)
    }
}
