//! A data set of any size, made up as it is written: ten chunks and twenty dropped sentences per filing.
#![allow(clippy::unwrap_used, dead_code)] // Helpers of tests fail like tests; each user needs some of them.

use std::path::Path;

use eightk_core::{Alternative, CharSpan, Chunk, DropReason, Gold, Query, RivalSet, Role, chunk_id};
use eightk_dataset::{CardText, Dropped, FilingRow, Manifest, WriteOptions, Writer};

/// Chunks of a filing.
pub(crate) const CHUNKS: usize = 10;
/// Dropped sentences of a filing.
pub(crate) const DROPPED: usize = 20;
/// Which chunk of a filing answers.
pub(crate) const ANSWER: usize = 3;

/// Words by a linear congruential generator with a fixed seed: as hard to compress as prose, the same every time.
struct Words(u64);

const LIST: &str = "plan charges quarter of the Company expects to incur approximately million and in workforce reduction \
    severance agreement board directors effective amended notes shares pursuant facility fiscal results operations which with \
    certain employees";

impl Words {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap()
    }

    fn sentence(&mut self, list: &[&str], words: usize) -> String {
        let mut out = String::from("We");
        for _ in 0..words + self.next() % (words / 2) {
            out.push(' ');
            match list.get(self.next() % 40) {
                Some(word) => out.push_str(word),
                None => out.push_str(&(self.next() % 10_000).to_string()),
            }
        }
        out.push('.');
        out
    }
}

/// What chunks of filing `i` are grouped by; ascending.
pub(crate) fn source_url(i: usize) -> String {
    format!("{:010}-24-{:06}", 1_000_000 + i, i % 1_000_000)
}

/// The title of filing `i`.
pub(crate) fn title(i: usize) -> String {
    format!("Company {i} 8-K 2024-01-{:02}", i % 28 + 1)
}

/// Writes filings; each of the first `queries` is asked for, with up to `rivals` rivals.
pub(crate) fn write(folder: &Path, filings: usize, queries: usize, rivals: usize) {
    let list: Vec<&str> = LIST.split_whitespace().collect();
    let mut words = Words(8);
    let mut writer = Writer::create(folder, WriteOptions { audit: false, ..WriteOptions::default() }).unwrap();
    let (mut asked, mut answers) = (Vec::new(), Vec::new());
    for i in 0..filings {
        let (source_url, title) = (source_url(i), title(i));
        let mut text = "Item 2.05 Costs Associated with Exit or Disposal Activities.".to_owned();
        let (mut chunks, mut dropped) = (Vec::new(), Vec::new());
        for n in 0..CHUNKS + DROPPED {
            // Every third sentence is kept. All is ASCII: bytes are code points.
            let kept = n % 3 == 0;
            let sentence = words.sentence(&list, if kept { 24 } else { 8 });
            let span = CharSpan::new(text.len() + 1, text.len() + 1 + sentence.len());
            text.push(' ');
            text.push_str(&sentence);
            if !kept {
                dropped.push((span, sentence));
                continue;
            }
            let (id, idx) = (chunk_id(&source_url, span.start), chunks.len());
            chunks.push(Chunk { id, text: sentence, source_url: source_url.clone(), title: title.clone(), idx, span });
        }
        for (span, sentence) in &dropped {
            writer.push_dropped(&Dropped::new(&source_url, *span, DropReason::Exhibit, sentence)).unwrap();
        }
        if i < queries {
            let gold = |n: usize, role: Role| Gold {
                text: chunks[n].text.clone(),
                score: role.grade(),
                role,
                source_url: source_url.clone(),
                span: chunks[n].span,
            };
            let text = format!("What charges does Company {i} expect from its plan?");
            let (golds, other) = (vec![gold(ANSWER, Role::Answer), gold(0, Role::Evidence)], chunks[5].span);
            let alternatives = vec![Alternative { source_url: source_url.clone(), span: other }];
            let fact = Some("charges".to_owned());
            asked.push(Query { original_query: text.clone(), query: text, golds, fact, alternatives });
        }
        answers.push(chunks[ANSWER].id.clone());
        let row = FilingRow { company: Some(format!("Company {i}")), title, text, source_url, ..FilingRow::default() };
        writer.push_filing(&row, &chunks).unwrap();
    }
    writer.push_queries(&asked).unwrap();
    let set = |query: usize| {
        let mut rivals: Vec<String> =
            (1..=rivals.min(filings - 1)).map(|step| answers[(query + 7 * step) % filings].clone()).collect();
        rivals.sort();
        rivals.dedup();
        rivals.retain(|id| *id != answers[query]);
        let similarity = (0..rivals.len()).map(|j| 1.0 / (j + 2) as f64).collect();
        let (query_id, gold) = (eightk_core::query_id(query), answers[query].clone());
        RivalSet { query: query_id, fact: "charges".to_owned(), gold, rivals, similarity, total: None }
    };
    writer.push_rivals((0..asked.len()).map(set).collect());
    writer.finish(&Manifest::default(), &CardText::default()).unwrap();
}
