//! A data set of the size the tests' real filings give: 666 filings, 20,000 sentences, 5 MB of text.
#![allow(clippy::unwrap_used)] // Helpers of tests fail like tests.

use std::path::Path;

use divan::{Bencher, black_box};
use eightk_core::{CharSpan, Chunk, DropReason, Gold, Query, RivalSet, Role, chunk_id};
use eightk_dataset::{
    CardText, DataSet, Dropped, FilingRow, Manifest, ReadReport, Source, WriteOptions, Writer, audit, fingerprint,
    judge, read,
};

fn main() {
    divan::main();
}

const FILINGS: usize = 666;
const SENTENCES: usize = 30;

/// Words by a linear congruential generator with a fixed seed: as hard to compress as prose, the same every time.
struct Words(u64);

impl Words {
    const LIST: [&str; 32] = [
        "plan",
        "charges",
        "quarter",
        "of",
        "the",
        "Company",
        "expects",
        "to",
        "incur",
        "approximately",
        "million",
        "and",
        "in",
        "workforce",
        "reduction",
        "severance",
        "agreement",
        "board",
        "directors",
        "effective",
        "amended",
        "notes",
        "shares",
        "pursuant",
        "facility",
        "fiscal",
        "results",
        "operations",
        "which",
        "with",
        "certain",
        "employees",
    ];

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn sentence(&mut self) -> String {
        let mut out = String::from("We");
        for _ in 0..30 + self.next() % 16 {
            out.push(' ');
            match self.next() as usize % 40 {
                i @ 0..32 => out.push_str(Self::LIST[i]),
                i => {
                    out.push_str(&format!("{}{}", self.next() % 10_000, ["", ".5", "%", "’s", "", "", "", ""][i - 32]));
                }
            }
        }
        out.push('.');
        out
    }
}

fn dataset() -> DataSet {
    let mut words = Words(8);
    let (mut filings, mut chunks) = (Vec::new(), Vec::new());
    for i in 0..FILINGS {
        let source_url = format!("{:010}-24-{i:06}", 1_000_000 + i);
        let title = format!("Company {i} 8-K 2024-01-01");
        let mut text = "Item 2.05 Costs Associated with Exit or Disposal Activities.".to_owned();
        let mut at = text.len();
        for idx in 0..SENTENCES {
            let sentence = words.sentence();
            let span = CharSpan::new(at + 1, at + 1 + sentence.chars().count());
            at = span.end;
            text.push(' ');
            text.push_str(&sentence);
            let id = chunk_id(&source_url, span.start);
            chunks.push(Chunk { id, text: sentence, source_url: source_url.clone(), title: title.clone(), idx, span });
        }
        filings.push(FilingRow { cik: Some(i.to_string()), title, text, source_url, ..FilingRow::default() });
    }
    let gold = |c: &Chunk, role: Role| Gold {
        text: c.text.clone(),
        score: role.grade(),
        role,
        source_url: c.source_url.clone(),
        span: c.span,
    };
    let query = |i: usize| {
        let query = format!("What charges does Company {i} expect?");
        let golds = vec![gold(&chunks[i * SENTENCES + 3], Role::Answer), gold(&chunks[i * SENTENCES], Role::Evidence)];
        Query { original_query: query.clone(), query, golds, fact: Some("charges".into()), alternatives: vec![] }
    };
    let rivals = |i: usize| RivalSet {
        query: format!("q{i}"),
        fact: "charges".into(),
        gold: chunks[i * SENTENCES + 3].id.clone(),
        rivals: (0..50).filter(|j| *j != i).map(|j| chunks[j * SENTENCES + 3].id.clone()).collect(),
        similarity: vec![],
        total: None,
    };
    let (queries, rivals) = ((0..40).map(query).collect(), (0..40).map(rivals).collect());
    DataSet { chunks, queries, filings: Some(filings), rivals: Some(rivals) }
}

fn write(set: &DataSet, target: &Path, audit: bool) {
    let options = WriteOptions { force: true, audit, ..WriteOptions::default() };
    let mut writer = Writer::create(target, options).unwrap();
    for (filing, chunks) in set.filings.iter().flatten().zip(set.chunks.chunks(SENTENCES)) {
        writer.push_filing(filing, chunks).unwrap();
        // As many sentences are dropped as kept, about half as long.
        for chunk in chunks {
            let text = chunk.text.get(..100).unwrap_or(&chunk.text);
            writer.push_dropped(&Dropped::new(&chunk.source_url, chunk.span, DropReason::Exhibit, text)).unwrap();
        }
    }
    writer.push_queries(&set.queries).unwrap();
    writer.push_rivals(set.rivals.clone().unwrap());
    writer.finish(&Manifest::default(), &CardText::default()).unwrap();
}

#[divan::bench(args = [false, true])]
fn write_folder(bencher: Bencher, audit: bool) {
    let set = dataset();
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    bencher.bench(|| write(&set, &root.path().join("set"), audit));
}

#[divan::bench]
fn read_folder(bencher: Bencher) {
    let root = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    write(&dataset(), &root.path().join("set"), false);
    let source = Source::Folder(root.path().join("set"));
    bencher.bench(|| read(black_box(&source)).unwrap());
}

#[divan::bench]
fn fingerprint_rows(bencher: Bencher) {
    let set = dataset();
    bencher.bench(|| fingerprint(black_box(&set)));
}

#[divan::bench]
fn judge_queries(bencher: Bencher) {
    let set = dataset();
    bencher.bench(|| judge(black_box(&set)));
}

#[divan::bench]
fn audit_invariants(bencher: Bencher) {
    let set = dataset();
    bencher.bench(|| audit(black_box(&set), &ReadReport::default()));
}
