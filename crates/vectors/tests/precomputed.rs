//! Vectors that a notebook wrote, in each of the formats.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder, ListBuilder, PrimitiveBuilder};
use arrow_array::types::{ArrowPrimitiveType, Float16Type, Float64Type, Int8Type};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use eightk_encode::{ChunkInput, EncodeError, Encoder, FilingInput, Similarity, Vector};
use eightk_vectors::Precomputed;
use parquet::arrow::ArrowWriter;

const CHUNKS: [&str; 3] = ["a#s0", "a#s50", "b#s0"];
const QUERIES: [(&str, &str); 2] = [("q0", "what did A do"), ("q1", "what did B do")];

fn npy(path: &Path, descr: &str, rows: usize, data: &[u8]) {
    let columns = data.len() / rows / descr[2..].parse::<usize>().unwrap();
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    fs::write(path, [&bytes, header.as_bytes(), data].concat()).unwrap();
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Three chunks in another order than the data set's, and one of another data set; two queries.
fn folder(dir: &Path) {
    npy(&dir.join("chunks.npy"), "<f4", 4, &floats(&[0.0, 3.0, 9.0, 9.0, 1.0, 0.5, 0.0, 2.0]));
    fs::write(dir.join("chunks.ids.txt"), "b#s0\nother\na#s0\na#s50\n").unwrap();
    npy(&dir.join("queries.npy"), "<f4", 2, &floats(&[0.0, 1.0, 1.0, 0.0]));
    fs::write(dir.join("queries.ids.json"), "[\"q1\", \"q0\"]\n").unwrap();
}

fn open(dir: &Path) -> Result<Precomputed, EncodeError> {
    Precomputed::open(dir, None, CHUNKS, QUERIES)
}

fn chunks(encoder: &Precomputed, ids: &[&str]) -> Vec<Vec<f32>> {
    let chunks = ids.iter().map(|id| ChunkInput { id, text: "whatever".into() }).collect();
    let filing = FilingInput { source_url: "a", title: "", chunks, context: None };
    let mut all = Vec::new();
    let mut keep = |at: usize, encoded: Vec<eightk_encode::EncodedChunk>| {
        assert_eq!(at, 0);
        all.extend(encoded.into_iter().map(|e| e.vector.to_f32()));
        Ok(())
    };
    encoder.encode_filings(&[filing], &mut keep).unwrap();
    all
}

fn queries(encoder: &Precomputed, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    let mut all = Vec::new();
    encoder.encode_queries(texts, &mut |at, encoded| {
        assert_eq!(at, all.len());
        all.push(encoded.vector.to_f32());
        Ok(())
    })?;
    Ok(all)
}

#[track_caller]
fn fails(dir: &Path, words: &[&str]) {
    let message = open(dir).unwrap_err().to_string();
    assert!(words.iter().all(|w| message.contains(w)), "{words:?} in: {message}");
}

#[test]
fn vectors_are_found_by_id_and_by_text() {
    let dir = tempfile::tempdir().unwrap();
    folder(dir.path());
    let encoder = open(dir.path()).unwrap();
    assert!(encoder.goes_by_id() && !encoder.sees_context());
    assert_eq!(chunks(&encoder, &CHUNKS), [[1.0, 0.5], [0.0, 2.0], [0.0, 3.0]]);
    assert_eq!(queries(&encoder, &["what did B do", "what did A do"]).unwrap(), [[0.0, 1.0], [1.0, 0.0]]);
    assert!(queries(&encoder, &["what else"]).unwrap_err().to_string().contains("what else"));
    let who = encoder.identity();
    assert_eq!((who.provider.as_str(), who.dims, who.similarity), ("vectors", Some(2), Similarity::Cosine));
    assert_eq!(Some(who.model.as_str()), dir.path().file_name().unwrap().to_str());
    assert_eq!(encoder.notes().len(), 1);
    assert!(encoder.notes()[0].contains("1 vectors belong to no chunks"), "{:?}", encoder.notes());
}

#[test]
fn the_revision_changes_with_every_file() {
    let dir = tempfile::tempdir().unwrap();
    folder(dir.path());
    let revision = || open(dir.path()).unwrap().identity().revision.clone();
    let first = revision();
    assert_eq!(first, revision());
    fs::write(dir.path().join("queries.ids.json"), "[\"q0\", \"q1\"]").unwrap();
    let second = revision();
    npy(&dir.path().join("queries.npy"), "<f4", 2, &floats(&[0.0, 1.0, 1.0, 0.5]));
    assert!(first != second && second != revision());
}

#[test]
fn each_fault_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let ids = |text: &str| fs::write(dir.join("chunks.ids.txt"), text).unwrap();
    let all = "b#s0\nother\na#s0\na#s50\n";
    fails(dir, &["no chunks.npy, chunks.parquet or chunks.safetensors"]);
    folder(dir);
    ids("b#s0\nother\na#s0\n");
    fails(dir, &["chunks.npy", "4 vectors, but 3 ids"]);
    ids("b#s0\na#s0\na#s0\na#s50\n");
    fails(dir, &["`a#s0` stands twice, in rows 2 and 3"]);
    ids("b#s0\nx\ny\nz\n");
    fails(dir, &["2 of the data set's 3 chunks have no vector here: a#s0, a#s50"]);
    fs::remove_file(dir.join("chunks.ids.txt")).unwrap();
    fails(dir, &["ids belong in chunks.ids.txt"]);
    ids(all);
    fs::write(dir.join("chunks.ids.json"), "[]").unwrap();
    fails(dir, &["leave one of chunks.ids.txt"]);
    fs::remove_file(dir.join("chunks.ids.json")).unwrap();
    fs::write(dir.join("chunks.parquet"), "").unwrap();
    fails(dir, &["holds chunks.npy and chunks.parquet"]);
    fs::remove_file(dir.join("chunks.parquet")).unwrap();
    let faulty = |numbers: &[f32]| npy(&dir.join("chunks.npy"), "<f4", 4, &floats(numbers));
    faulty(&[1.0, 1.0, f32::NAN, 1.0, 1.0, 1.0, 1.0, 1.0]);
    fails(dir, &["row 2 of", "chunks.npy", "NaN"]);
    faulty(&[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    fails(dir, &["row 3 of", "all zeros"]);
    faulty(&[1.0; 12]);
    fails(dir, &["row 1 of", "queries.npy", "2 dimensions", "3 dimensions"]);
    npy(&dir.join("chunks.npy"), "|i1", 4, &[1; 8]);
    fails(dir, &["queries.npy", "f32", "int8"]);
}

#[test]
fn queries_of_one_text_share_one_vector() {
    let dir = tempfile::tempdir().unwrap();
    folder(dir.path());
    let twice = [("q0", "same"), ("q1", "same")];
    let open = || Precomputed::open(dir.path(), Some(Similarity::Dot), CHUNKS, twice);
    let message = open().unwrap_err().to_string();
    assert!(message.contains("`q0` and `q1` have the same text"), "{message}");
    npy(&dir.path().join("queries.npy"), "<f4", 2, &floats(&[0.5, 1.0, 0.5, 1.0]));
    let encoder = open().unwrap();
    assert_eq!(queries(&encoder, &["same"]).unwrap(), [[0.5, 1.0]]);
    assert_eq!(encoder.identity().similarity, Similarity::Dot);
}

#[test]
fn bits_are_compared_as_bits() {
    let dir = tempfile::tempdir().unwrap();
    folder(dir.path());
    npy(&dir.path().join("chunks.npy"), "|u1", 4, &[0b1000_0000, 1, 2, 3]);
    npy(&dir.path().join("queries.npy"), "|u1", 2, &[0, 255]);
    let encoder = open(dir.path()).unwrap();
    assert_eq!(encoder.identity().similarity, Similarity::Hamming);
    assert_eq!(chunks(&encoder, &["b#s0"]), [[1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]]);
    assert_eq!(encoder.identity().dims, Some(8));
    assert!(encoder.notes().iter().any(|n| n.contains("bits")));
}

#[test]
fn safetensors_with_ids_in_the_file_or_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    folder(dir.path());
    let write = |metadata: &str| {
        let header = format!("{{{metadata}\"vectors\":{{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]}}}}");
        let data = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &data].concat();
        fs::write(dir.path().join("chunks.safetensors"), bytes).unwrap();
    };
    fs::remove_file(dir.path().join("chunks.npy")).unwrap();
    fs::write(dir.path().join("chunks.ids.txt"), "b#s0\na#s50\na#s0").unwrap();
    write("");
    assert_eq!(chunks(&open(dir.path()).unwrap(), &CHUNKS), [[5.0, 6.0], [3.0, 4.0], [1.0, 2.0]]);
    write(r#""__metadata__":{"ids":"[\"a#s0\",\"a#s50\",\"b#s0\"]"},"#);
    assert_eq!(chunks(&open(dir.path()).unwrap(), &CHUNKS), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
}

fn parquet(path: &Path, id: &str, ids: &[&str], vector: &str, lists: ArrayRef) {
    let ids: ArrayRef = Arc::new(StringArray::from(ids.to_vec()));
    let batch = RecordBatch::try_from_iter([(id, ids), (vector, lists)]).unwrap();
    let mut writer = ArrowWriter::try_new(fs::File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn lists<T: ArrowPrimitiveType>(rows: &[[i8; 2]], number: impl Fn(i8) -> T::Native) -> ArrayRef {
    let mut lists = ListBuilder::new(PrimitiveBuilder::<T>::new());
    for row in rows {
        row.iter().for_each(|x| lists.values().append_value(number(*x)));
        lists.append(true);
    }
    Arc::new(lists.finish())
}

#[test]
fn parquet_of_every_kind() {
    let dir = tempfile::tempdir().unwrap();
    folder(dir.path());
    fs::remove_file(dir.path().join("chunks.npy")).unwrap();
    fs::remove_file(dir.path().join("queries.npy")).unwrap();
    let (of_chunks, of_queries) = (dir.path().join("chunks.parquet"), dir.path().join("queries.parquet"));
    let (rows, asked) = ([[1, 2], [3, -4], [5, 6]], [[1, 0], [0, 1]]);
    let mut fixed = FixedSizeListBuilder::new(Float32Builder::new(), 2);
    for row in rows {
        row.iter().for_each(|x| fixed.values().append_value(f32::from(*x)));
        fixed.append(true);
    }
    let half = |x: i8| half::f16::from_f32(f32::from(x));
    parquet(&of_queries, "query_id", &["q0", "q1"], "embedding", lists::<Float64Type>(&asked, f64::from));
    for all in [
        Arc::new(fixed.finish()) as ArrayRef,
        lists::<Float16Type>(&rows, half),
        lists::<Float64Type>(&rows, f64::from),
    ] {
        parquet(&of_chunks, "chunk_id", &CHUNKS, "any name", all);
        assert_eq!(chunks(&open(dir.path()).unwrap(), &CHUNKS), [[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]]);
    }
    parquet(&of_chunks, "id", &CHUNKS, "vector", lists::<Int8Type>(&rows, |x| x));
    fails(dir.path(), &["queries.parquet", "int8"]);
    parquet(&of_queries, "id", &["q0", "q1"], "vector", lists::<Int8Type>(&asked, |x| x));
    let encoder = open(dir.path()).unwrap();
    let mut kept = Vec::new();
    encoder
        .encode_queries(&["what did A do"], &mut |_, e| {
            kept.push(e.vector);
            Ok(())
        })
        .unwrap();
    assert_eq!(kept, [Vector::I8(vec![1, 0])]);

    parquet(&of_chunks, "name", &CHUNKS, "vector", lists::<Int8Type>(&rows, |x| x));
    fails(dir.path(), &["no column `chunk_id` or `id`"]);
    parquet(&of_chunks, "id", &CHUNKS, "vector", lists::<arrow_array::types::Int64Type>(&rows, i64::from));
    fails(dir.path(), &["lists of Int64"]);
    let mut ragged = ListBuilder::new(PrimitiveBuilder::<Int8Type>::new());
    for n in [2, 2, 1] {
        (0..n).for_each(|_| ragged.values().append_value(1));
        ragged.append(true);
    }
    parquet(&of_chunks, "id", &CHUNKS, "vector", Arc::new(ragged.finish()));
    fails(dir.path(), &["row 3 has 1 numbers, the first has 2"]);
    let sound = fs::read(&of_queries).unwrap();
    for cut in [0, 3, 50, sound.len() - 20] {
        fs::write(&of_chunks, &sound[..cut]).unwrap();
        fails(dir.path(), &["chunks.parquet"]);
    }
}
