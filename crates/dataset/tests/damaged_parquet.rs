//! Damaged parquet is an error about the file: never a panic, never an abort.
#![allow(clippy::unwrap_used)] // Helpers of tests fail like tests.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use eightk_dataset::{Source, read};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

/// A small file with each kind of page.
fn sound(compression: Compression) -> Vec<u8> {
    let ids: Vec<String> = (0..40).map(|i| format!("f#s{i}")).collect();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("chunk_id", Arc::new(StringArray::from(ids))),
        ("chunk", Arc::new(StringArray::from(vec!["The Company expects charges."; 40]))),
        ("source_url", Arc::new(StringArray::from(vec!["f"; 40]))),
        ("chunk_start_char", Arc::new((0..40).collect::<Int64Array>())),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn chunks(path: &Path, bytes: &[u8]) -> Result<usize, String> {
    // A new file each time: some file systems bring a file that is overwritten to the disk at once.
    let _ = fs::remove_file(path);
    fs::write(path, bytes).unwrap();
    let source = Source::Files { documents: vec![path.to_owned()], queries: vec![] };
    read(&source).map(|(set, _)| set.chunks.len()).map_err(|e| e.to_string())
}

#[test]
fn every_damage_is_an_error_or_harmless() {
    // The decoder's own panics are caught and turned into errors; their messages would drown this test's.
    std::panic::set_hook(Box::new(|_| {}));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("documents.parquet");
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY] {
        let sound = sound(compression);
        assert_eq!(chunks(&path, &sound), Ok(40));
        for length in 0..sound.len() {
            let error = chunks(&path, &sound[..length]).unwrap_err();
            assert!(error.contains("documents.parquet"), "{error}");
        }
        for at in 0..sound.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = sound.clone();
                bytes[at] ^= flip;
                if let Err(error) = chunks(&path, &bytes) {
                    assert!(error.contains("documents.parquet"), "{error}");
                }
            }
        }
    }
    let _ = std::panic::take_hook();
}

#[test]
fn what_only_calls_itself_parquet_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("documents.parquet");
    for bytes in [&b""[..], b"PAR1", b"PAR1PAR1", b"{\"chunk_id\": 1}\n", b"PAR1\xff\xff\xff\x7fPAR1"] {
        let error = chunks(&path, bytes).unwrap_err();
        assert!(error.contains("documents.parquet") && error.contains("again"), "{error}");
    }
}
