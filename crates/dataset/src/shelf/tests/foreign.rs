//! Sets that are not shaped as ours.

use std::fs::{self, File};
use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

/// How rows are stored.
#[derive(Debug, Clone, Copy)]
enum Form {
    Lines,
    Packed,
    /// Parquet with so many rows in a group and in a page, with or without an index of pages.
    Parquet {
        group: usize,
        page: usize,
        index: bool,
    },
}

fn document(chunk: &Chunk) -> Map<String, Value> {
    let row = json!({
        "chunk_id": chunk.id, "chunk": chunk.text, "source_url": chunk.source_url, "title": chunk.title,
        "chunk_idx": chunk.idx, "chunk_start_char": chunk.span.start, "chunk_end_char": chunk.span.end,
    });
    row.as_object().unwrap().clone()
}

fn store(path: &Path, rows: &[Map<String, Value>], form: Form) {
    let text: String = rows.iter().map(|row| Value::Object(row.clone()).to_string() + "\n\n").collect();
    match form {
        Form::Lines => fs::write(path, text).unwrap(),
        Form::Packed => {
            let mut gz = flate2::write::GzEncoder::new(File::create(path).unwrap(), flate2::Compression::fast());
            gz.write_all(text.as_bytes()).unwrap();
            gz.finish().unwrap();
        }
        Form::Parquet { group, page, index } => {
            let strings = |name: &str| -> ArrayRef {
                Arc::new(rows.iter().map(|r| r.get(name).and_then(Value::as_str)).collect::<StringArray>())
            };
            let numbers = |name: &str| -> ArrayRef {
                Arc::new(rows.iter().map(|r| r.get(name).and_then(Value::as_i64)).collect::<Int64Array>())
            };
            let mut columns: Vec<(&str, ArrayRef)> = vec![
                ("chunk_id", strings("chunk_id")),
                ("chunk", strings("chunk")),
                ("source_url", strings("source_url")),
                ("title", strings("title")),
            ];
            columns.extend(["chunk_idx", "chunk_start_char", "chunk_end_char"].map(|name| (name, numbers(name))));
            columns.retain(|(name, _)| rows.iter().any(|row| row.contains_key(*name)));
            let batch =
                RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true))).unwrap();
            let properties = WriterProperties::builder()
                .set_max_row_group_row_count(Some(group))
                .set_data_page_row_count_limit(page)
                .set_write_batch_size(page)
                .set_offset_index_disabled(!index)
                .build();
            let mut writer =
                ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
        }
    }
}

fn queries(path: &Path, queries: &[Query]) {
    let row = |q: &Query| {
        let golds = &q.golds;
        json!({
            "query": q.query,
            "answer": golds.iter().map(|g| &g.text).collect::<Vec<_>>(),
            "score": golds.iter().map(|g| g.score).collect::<Vec<_>>(),
            "source_url": golds.iter().map(|g| &g.source_url).collect::<Vec<_>>(),
            "frag_start_char": golds.iter().map(|g| g.span.start).collect::<Vec<_>>(),
            "frag_end_char": golds.iter().map(|g| g.span.end).collect::<Vec<_>>(),
            "alternatives": q.alternatives.iter().map(|a| {
                json!({"source_url": a.source_url, "frag_start_char": a.span.start, "frag_end_char": a.span.end})
            }).collect::<Vec<_>>(),
        })
        .to_string()
    };
    fs::write(path, queries.iter().map(row).collect::<Vec<_>>().join("\n")).unwrap();
}

fn form() -> impl Strategy<Value = Form> {
    prop_oneof![
        Just(Form::Lines),
        Just(Form::Packed),
        (1usize..30, 1usize..9, any::<bool>()).prop_map(|(group, page, index)| Form::Parquet { group, page, index }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Rows in any order, over any number of shards, with gaps and spans that do not fit.
    #[test]
    fn any_order_and_any_gaps(
        n in 1usize..9,
        order in any::<prop::sample::Index>(),
        shuffled in any::<bool>(),
        gaps in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6), 0..6),
        shards in 1usize..4,
        form in form(),
        foreign_ids in any::<bool>(),
        with_audit in any::<bool>(),
    ) {
        let mut set = testing::dataset(n);
        let old: Vec<String> = set.chunks.iter().map(|c| c.id.clone()).collect();
        if foreign_ids {
            // Some look as if they named a filing.
            let id = |i: usize| if i.is_multiple_of(2) { format!("doc {i}") } else { format!("{}#s{i}", set.chunks[0].source_url) };
            let ids: Vec<String> = (0..set.chunks.len()).map(id).collect();
            set.chunks.iter_mut().zip(&ids).for_each(|(chunk, id)| chunk.id.clone_from(id));
            for rivals in set.rivals.iter_mut().flatten() {
                let new = |id: &String| ids[old.iter().position(|o| o == id).unwrap()].clone();
                rivals.rivals = rivals.rivals.iter().map(new).collect();
            }
        }
        let mut rows: Vec<_> = set.chunks.iter().map(document).collect();
        if shuffled {
            let count = rows.len();
            rows.rotate_left(order.index(count));
            // Every third row to the end: filings fall apart.
            let (mut kept, mut moved) = (Vec::new(), Vec::new());
            for (i, row) in rows.into_iter().enumerate() {
                if i % 3 == 0 { moved.push(row) } else { kept.push(row) }
            }
            kept.extend(moved);
            rows = kept;
        }
        for (at, what) in &gaps {
            let row = at.get(&rows).get("chunk_id").cloned().unwrap();
            let is_row = |r: &&mut Map<String, Value>| r["chunk_id"] == row;
            match what {
                0 => { rows.iter_mut().find(is_row).unwrap().remove("title"); }
                1 => { rows.iter_mut().find(is_row).unwrap().remove("chunk_idx"); }
                2 => { rows.iter_mut().find(is_row).unwrap().remove("chunk_end_char"); }
                3 => { rows.iter_mut().find(is_row).unwrap().insert("chunk_end_char".into(), (-4).into()); }
                4 => rows.iter_mut().for_each(|r| { r.remove("title"); }),
                _ => rows.iter_mut().for_each(|r| { r.remove("chunk_idx"); }),
            }
        }
        for query in &mut set.queries[..n / 3] {
            query.golds[0].span.end += 300;
            query.golds[1].span.end = 0;
        }
        let dir = tempfile::tempdir().unwrap();
        let end = match form { Form::Lines => "jsonl", Form::Packed => "jsonl.gz", Form::Parquet { .. } => "parquet" };
        for (i, part) in rows.chunks(rows.len().div_ceil(shards)).enumerate() {
            store(&dir.path().join(format!("documents-{i}.{end}")), part, form);
        }
        queries(&dir.path().join("queries.jsonl"), &set.queries);
        if with_audit {
            fs::create_dir(dir.path().join("audit")).unwrap();
            // In an order of its own, with keys in another order, and a line about nothing.
            let mut lines: Vec<String> = set.rivals.iter().flatten().rev().map(|s| {
                json!({"rivals": s.rivals, "query": s.query, "note": {"a": [1]}}).to_string()
            }).collect();
            lines.push(json!({"query": "q07", "rivals": ["x"]}).to_string());
            fs::write(dir.path().join("audit/rivals.jsonl"), lines.join("\r\n")).unwrap();
        }
        let shelf = same_as_read(&Source::Folder(dir.path().to_owned()));
        prop_assert!(!shelf.has_dropped() && shelf.about() == &ShelfFacts::default());
        let documents = (0..shards).map(|i| dir.path().join(format!("documents-{i}.{end}"))).filter(|p| p.is_file());
        same_as_read(&Source::Files { documents: documents.collect(), queries: vec![dir.path().join("queries.jsonl")] });
    }
}

#[test]
fn dropped_lines_of_others_are_passed_over() {
    let (dir, source) = written(&testing::dataset(3));
    let path = dir.path().join("set/audit/dropped.jsonl");
    let shelf = Shelf::open(&source).unwrap();
    let url = shelf.filings()[1].source_url.clone();
    let wanted = shelf.dropped(&url).unwrap();
    // Mixed with others' lines, keys in another order, escapes, blank lines.
    let line = |d: &DroppedSentence, url: &str| {
        json!({"text": d.text, "source_url": url, "start": d.span.start, "end": d.span.end, "reason": d.reason})
            .to_string()
    };
    let escaped = line(&wanted[1], &url).replace(&url, &format!("\\u{:04x}{}", url.as_bytes()[0], &url[1..]));
    let lines =
        ["", &line(&wanted[0], &url), &line(&wanted[0], "elsewhere"), &escaped, "", r#"{"source_url": null}"#, "{}"];
    fs::write(&path, lines.join("\n")).unwrap();
    let shelf = Shelf::open(&source).unwrap();
    assert_eq!(shelf.dropped(&url).unwrap(), wanted);
    assert!(shelf.dropped(&shelf.filings()[0].source_url).unwrap().is_empty());

    fs::write(&path, format!("{}\nno json\n", line(&wanted[0], &url))).unwrap();
    let error = Shelf::open(&source).unwrap().dropped(&url).unwrap_err().to_string();
    assert!(error.contains("dropped.jsonl, line 2"), "{error}");
}

#[test]
fn a_broken_row_is_an_error_of_its_filing() {
    let set = testing::dataset(3);
    let mut rows: Vec<_> = set.chunks.iter().map(document).collect();
    rows[5].remove("chunk");
    for form in [Form::Lines, Form::Packed, Form::Parquet { group: 4, page: 2, index: true }] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("documents.x");
        store(&path, &rows, form);
        let shelf = Shelf::open(&Source::Files { documents: vec![path], queries: vec![] }).unwrap();
        assert_eq!(shelf.chunks(&set.chunks[0].source_url).unwrap(), set.chunks[..4]);
        assert_eq!(shelf.chunks(&set.chunks[8].source_url).unwrap(), set.chunks[8..]);
        let error = shelf.chunks(&set.chunks[4].source_url).unwrap_err().to_string();
        // Lines are stored with a blank one after each.
        let place = if matches!(form, Form::Parquet { .. }) { "row 6" } else { "line 11" };
        assert!(error.contains("documents.x") && error.contains(place) && error.contains("`chunk`"), "{error}");
    }
}
