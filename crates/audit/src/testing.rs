//! An invented data set for tests: sound, and small enough to break by hand.

use eightk_core::{CharSpan, Chunk, Gold, Query, RivalSet, Role, chunk_id, query_id};
use eightk_dataset::{DataSet, FilingRow};

const NAMES: &[&str] = &[
    "Marlin Pump",
    "Quillfeather",
    "Ostrava Glass",
    "Tandem Lantern",
    "Bexhill Optics",
    "Nine Elms",
    "Corvane",
    "Dunmere Steel",
];

/// The short name of filing `i`'s company.
pub(crate) fn name(i: usize) -> String {
    let base = NAMES.get(i % NAMES.len()).copied().unwrap_or("Marlin Pump");
    if i < NAMES.len() { base.to_owned() } else { format!("{base} Number{}", "x".repeat(i)) }
}

/// `n` filings of four sentences: evidence, answer, alternative, something else; one query each, whose rivals are the others'
/// answers.
pub(crate) fn dataset(n: usize) -> DataSet {
    let mut set = DataSet { filings: Some(Vec::new()), rivals: Some(Vec::new()), ..DataSet::default() };
    for i in 0..n {
        let (name, source_url) = (name(i), format!("{:010}-24-{:06}", 1_000 + i, 7 * i + 1));
        let sentences = [
            format!("On the first of March, {name} Inc. (the “Company”) adopted a plan to close its smaller works."),
            format!("The Company expects to incur charges of about ${}.{} million under the plan.", 100 + i, i % 10),
            format!("We therefore estimate that total charges will not exceed ${} million before tax.", 500 + i),
            "The plan is expected to be complete by the end of the second quarter.".to_owned(),
        ];
        let (mut text, mut chunks) = (String::new(), Vec::new());
        for (idx, sentence) in sentences.iter().enumerate() {
            let start = text.chars().count();
            let span = CharSpan::new(start, start + sentence.chars().count());
            text.push_str(sentence);
            text.push(' ');
            chunks.push(Chunk {
                id: chunk_id(&source_url, start),
                text: sentence.clone(),
                source_url: source_url.clone(),
                title: format!("{name} 8-K 2024-03-01"),
                idx,
                span,
            });
        }
        let gold = |chunk: &Chunk, role: Role| Gold {
            text: chunk.text.clone(),
            score: role.grade(),
            role,
            source_url: source_url.clone(),
            span: chunk.span,
        };
        let query = format!("What charges does {name} expect from its plan?");
        set.queries.push(Query {
            original_query: query.clone(),
            query,
            golds: vec![gold(&chunks[1], Role::Answer), gold(&chunks[0], Role::Evidence)],
            fact: Some("charges".into()),
            alternatives: Vec::new(),
        });
        if let Some(filings) = &mut set.filings {
            filings.push(FilingRow {
                source_url: source_url.clone(),
                cik: Some((1_000 + i).to_string()),
                company: Some(format!("{name} Inc.")),
                title: format!("{name} 8-K 2024-03-01"),
                text,
                ..FilingRow::default()
            });
        }
        set.chunks.extend(chunks);
    }
    let answers: Vec<String> = (0..n).map(|i| set.chunks[4 * i + 1].id.clone()).collect();
    for i in 0..n {
        let rivals: Vec<String> = answers.iter().filter(|id| **id != answers[i]).cloned().collect();
        let set = set.rivals.get_or_insert_default();
        set.push(RivalSet {
            query: query_id(i),
            fact: "charges".into(),
            gold: answers[i].clone(),
            similarity: vec![0.9; rivals.len()],
            rivals,
            total: None,
        });
    }
    set
}
