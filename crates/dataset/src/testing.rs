//! An invented data set for tests.

use eightk_core::{Alternative, CharIndex, Chunk, Gold, Query, RivalSet, Role, Span, chunk_id};

use crate::{DataSet, FilingRow};

const NAMES: &[&str] = &["Marlin Pump", "Quillfeather", "Böhm & Otter", "Tandem Lantern", "Ostrava Glass", "Nine Elms"];

/// Filing `i`: its row and its chunks. Four sentences: evidence, answer, alternative, something else.
pub(crate) fn filing(i: usize) -> (FilingRow, Vec<Chunk>) {
    let base = NAMES[i % NAMES.len()];
    let name = if i < NAMES.len() { base.to_owned() } else { format!("{base} {i}") };
    let source_url = format!("{:010}-24-{:06}", 1_000 + i, 7 * i + 1);
    let title = format!("{name} 8-K 2024-03-{:02}", i % 28 + 1);
    let sentences = [
        format!("On the first of March, {name} Inc. (the “Company”) adopted a plan to close its smaller works."),
        format!(
            "The Company expects to incur charges of about ${}.{} million under the plan — all of them in cash.",
            2 + i % 7,
            i % 10
        ),
        format!("We therefore estimate that total charges will not exceed ${} million before tax.", 10 + i % 5),
        "The plan is expected to be complete by the end of the second quarter.".to_owned(),
    ];
    let mut text = "Item 2.05 Costs Associated with Exit or Disposal Activities.\n".to_owned();
    let mut spans = Vec::new();
    for sentence in &sentences {
        let start = text.len();
        text.push_str(sentence);
        spans.push(Span::new(start, text.len()));
        text.push(' ');
    }
    text.pop();
    let index = CharIndex::new(&text);
    let chunk = |(idx, (sentence, span)): (usize, (&String, &Span))| {
        let span = index.to_chars(*span);
        let id = chunk_id(&source_url, span.start);
        Chunk { id, text: sentence.clone(), source_url: source_url.clone(), title: title.clone(), idx, span }
    };
    let chunks = sentences.iter().zip(&spans).enumerate().map(chunk).collect();
    let row = FilingRow {
        source_url: source_url.clone(),
        accession: Some(source_url.clone()),
        cik: Some((1_000 + i).to_string()),
        company: Some(format!("{name} Inc.")),
        title: title.clone(),
        form: Some("8-K".into()),
        filed: title.rsplit(' ').next().map(str::to_owned),
        items: vec!["2.05".into()],
        url: None,
        sha256: Some(format!("{i:064x}")),
        text: text.clone(),
    };
    (row, chunks)
}

/// `n` filings, one query each; every query's rivals are the other filings' answers.
pub(crate) fn dataset(n: usize) -> DataSet {
    let filings: Vec<_> = (0..n).map(filing).collect();
    let gold = |chunk: &Chunk, role: Role| Gold {
        text: chunk.text.clone(),
        score: role.grade(),
        role,
        source_url: chunk.source_url.clone(),
        span: chunk.span,
    };
    let query = |(row, chunks): &(FilingRow, Vec<Chunk>)| {
        let text = format!("What charges does {} expect from its plan?", crate::short_name(&row.title).unwrap());
        Query {
            original_query: text.clone(),
            query: text,
            golds: vec![gold(&chunks[1], Role::Answer), gold(&chunks[0], Role::Evidence)],
            fact: Some("charges".into()),
            alternatives: vec![Alternative { source_url: row.source_url.clone(), span: chunks[2].span }],
        }
    };
    let rivals = |(i, (_, chunks)): (usize, &(FilingRow, Vec<Chunk>))| {
        let others = filings.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, (_, chunks))| chunks[1].id.clone());
        let rivals: Vec<String> = others.collect();
        RivalSet {
            query: eightk_core::query_id(i),
            fact: "charges".into(),
            gold: chunks[1].id.clone(),
            similarity: (0..rivals.len()).map(|j| 1.0 / (j + 1) as f64).collect(),
            total: None,
            rivals,
        }
    };
    DataSet {
        queries: filings.iter().map(query).collect(),
        rivals: Some(filings.iter().enumerate().map(rivals).collect()),
        chunks: filings.iter().flat_map(|(_, chunks)| chunks.clone()).collect(),
        filings: Some(filings.into_iter().map(|(row, _)| row).collect()),
    }
}
