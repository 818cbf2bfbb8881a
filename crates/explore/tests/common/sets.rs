//! Small data sets written as JSON lines: one that is sound, one whose every text is an attack.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Texts that become something else where they are not escaped, or act on what stands around them.
pub const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg/onload=alert(1)>",
    "</title></textarea></style></script><iframe src=javascript:alert(1)>",
    "javascript:alert(1)",
    "\u{202e}gnp.exe\u{2066}\u{200f} turned",
    "nul\u{0}and\u{1b}[31mred\u{7f}",
    "&lt;b&gt; &#x3c;script&#x3e;",
    "<!-- --><base href=//evil.example><meta http-equiv=refresh content=0;url=//evil.example>",
    "../../../../etc/passwd",
    "=HYPERLINK(\"http://evil.example\",\"x\"),\"\r\nSet-Cookie: a=b",
];

fn write_lines(folder: &Path, name: &str, rows: &[Value]) {
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{row}");
    }
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Filings of three sentences each: binding, charge, other. Filing `i` has query `i`; its rivals are the charges of the others.
pub struct Maker {
    /// `source_url`, company, title of each filing.
    pub names: Vec<(String, String, String)>,
    /// What sentences end in.
    pub tails: Vec<String>,
    pub fact: Vec<String>,
    pub url: Vec<Option<String>>,
    /// Why the first line of each filing was dropped.
    pub reason: Vec<String>,
    /// Whether there is a `filings` config.
    pub rows: bool,
}

impl Maker {
    pub fn sound(count: usize) -> Self {
        let name = |i: usize| {
            let company = format!("Marlin {i} Pumps");
            (
                format!("00000514{i:02}-25-0000{i:02}"),
                company.clone(),
                format!("{company} 8-K 2025-03-{:02}", i % 28 + 1),
            )
        };
        Self {
            names: (0..count).map(name).collect(),
            tails: (0..count).map(|i| format!("by the end of year {i}.")).collect(),
            fact: vec!["charges".to_owned(); count],
            url: vec![None; count],
            reason: vec!["heading".to_owned(); count],
            rows: true,
        }
    }

    pub fn hostile() -> Self {
        let of = |i: usize, what: &str| format!("{what} {i} {}", HOSTILE[i]);
        Self {
            names: (0..HOSTILE.len())
                .map(|i| (of(i, "name"), of(i, "company"), format!("{} 8-K 2025-03-01", of(i, "title"))))
                .collect(),
            tails: HOSTILE.iter().map(|t| (*t).to_owned()).collect(),
            fact: HOSTILE.iter().map(|t| (*t).to_owned()).collect(),
            url: HOSTILE.iter().map(|t| Some((*t).to_owned())).collect(),
            reason: HOSTILE.iter().map(|t| (*t).to_owned()).collect(),
            rows: true,
        }
    }

    /// Writes it and says where.
    pub fn write(&self) -> TempDir {
        let dir = tempfile::tempdir().unwrap();
        let (mut documents, mut queries, mut filings, mut dropped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut charges = Vec::new();
        for (i, (source_url, company, title)) in self.names.iter().enumerate() {
            let tail = &self.tails[i];
            let heading = format!("Item 2.05 Costs {tail}").replace(['\r', '\n'], " ");
            let sentences = [
                format!("{company} (the “Company”) announced a plan in its year {tail}"),
                format!("The Company expects to incur charges of approximately ${} million {tail}", i + 3),
                format!("Nothing else of note was said in year {tail}"),
            ];
            let mut text = heading.clone();
            let mut spans = Vec::new();
            for sentence in &sentences {
                text.push('\n');
                let start = text.chars().count();
                text.push_str(sentence);
                spans.push((start, text.chars().count()));
            }
            dropped.push(json!({"source_url": source_url, "start": 0, "end": heading.chars().count(), "reason": self.reason[i], "text": heading}));
            let id = |n: usize| format!("{source_url}#s{}", spans[n].0);
            for (n, sentence) in sentences.iter().enumerate() {
                documents.push(json!({"chunk_id": id(n), "chunk": sentence, "source_url": source_url, "title": title, "chunk_idx": n, "chunk_start_char": spans[n].0, "chunk_end_char": spans[n].1}));
            }
            charges.push(id(1));
            queries.push(json!({
                "original_query": format!("charges of {company}"), "query": format!("What charges does {company} expect?"),
                "answer": [sentences[1], sentences[0]], "score": [2, 1], "source_url": [source_url, source_url],
                "frag_start_char": [spans[1].0, spans[0].0], "frag_end_char": [spans[1].1, spans[0].1],
                "n_gold": 2, "roles": ["answer", "evidence"], "fact": self.fact[i],
            }));
            filings.push(json!({"source_url": source_url, "accession": source_url, "cik": "51434", "company": company, "title": title, "form": "8-K", "filed": "2025-03-01", "items": ["2.05", tail], "url": self.url[i], "sha256": null, "text": text}));
        }
        let rivals: Vec<Value> = (0..charges.len())
            .map(|i| {
                let others: Vec<&String> = charges.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, c)| c).collect();
                json!({"query": format!("q{i}"), "fact": self.fact[i], "gold": charges[i], "rivals": others, "similarity": vec![0.5; others.len()]})
            })
            .collect();
        write_lines(dir.path(), "documents.jsonl", &documents);
        write_lines(dir.path(), "queries.jsonl", &queries);
        if self.rows {
            write_lines(dir.path(), "filings.jsonl", &filings);
        }
        write_lines(dir.path(), "audit/rivals.jsonl", &rivals);
        write_lines(dir.path(), "audit/dropped.jsonl", &dropped);
        dir
    }
}
