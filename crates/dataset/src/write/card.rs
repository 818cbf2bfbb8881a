//! `README.md`: the data set card.
//!
//! Every number in it is counted from what was written. The YAML head names the configs and nothing that a reader could
//! contradict: no `dataset_info`, whose feature syntax has changed between versions of `datasets` — the parquet schema says it all.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eightk_core::{Chunk, Query, RivalSet, Role};

use super::Audited;
use super::manifest::Manifest;
use super::statistics::{Range, Statistics};
use crate::short_name;

/// What the card says that cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CardText {
    /// Name of the data set, for people.
    pub name: String,
    /// What the filings are about and what is asked, a sentence or two.
    pub summary: String,
    /// Where the filings come from, one sentence (search phrase, forms, items, dates).
    pub source: String,
    /// Each fact and what a sentence must state to match it.
    pub facts: Vec<(String, String)>,
    /// What was done with the filings, step by step, one sentence each.
    pub steps: Vec<String>,
    /// Limits that come with this recipe, beside those of every such set; one sentence each.
    pub limits: Vec<String>,
}

/// A query worth showing, and its nearest rivals.
pub(super) struct Example {
    query: usize,
    /// Chunk ids with their similarity to the gold, where known.
    rivals: Vec<(String, Option<f64>)>,
}

impl Example {
    /// The query whose nearest rival is nearest, among those with evidence if any; the earliest of equals.
    pub(super) fn choose(queries: &[Query], rivals: &[RivalSet]) -> Option<Self> {
        const SHOWN: usize = 3;
        let sets: BTreeMap<&str, &RivalSet> = rivals.iter().map(|r| (r.query.as_str(), r)).collect();
        let mut best: Option<((bool, f64), Self)> = None;
        for (row, query) in queries.iter().enumerate() {
            let set = sets.get(eightk_core::query_id(row).as_str());
            let similarity = |i: usize| set.and_then(|s| s.similarity.get(i)).copied().filter(|s| s.is_finite());
            let ids = set.map(|s| s.rivals.as_slice()).unwrap_or_default();
            let mut near: Vec<_> = ids.iter().enumerate().map(|(i, id)| (id.clone(), similarity(i))).collect();
            // Stable, so that equals keep the order of their ids.
            near.sort_by(|a, b| b.1.unwrap_or(0.0).total_cmp(&a.1.unwrap_or(0.0)));
            near.truncate(SHOWN);
            let nearest = near.first().map_or(-1.0, |(_, s)| s.unwrap_or(0.0));
            let merit = (query.golds.iter().any(|g| g.role == Role::Evidence), nearest);
            if best.as_ref().is_none_or(|(other, _)| merit > *other) {
                best = Some((merit, Self { query: row, rivals: near }));
            }
        }
        best.map(|(_, example)| example)
    }

    /// The chunks it shows.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.rivals.iter().map(|(id, _)| id.as_str())
    }
}

/// A card and everything it draws on.
pub(super) struct Card<'a> {
    pub(super) text: &'a CardText,
    pub(super) manifest: &'a Manifest,
    pub(super) statistics: &'a Statistics,
    pub(super) fingerprint: &'a str,
    pub(super) queries: &'a [Query],
    pub(super) example: Option<Example>,
    /// The chunks the example shows.
    pub(super) chunks: &'a [Chunk],
    pub(super) audit: Option<&'a Audited>,
}

impl Card<'_> {
    pub(super) fn render(&self) -> String {
        let mut out = self.head();
        for section in [
            self.glance(),
            LOAD.to_owned(),
            FIELDS.to_owned(),
            self.example(),
            self.making(),
            MEASURING.to_owned(),
            self.audited(),
            self.checking(),
            self.limits(),
            self.source(),
        ] {
            if !section.is_empty() {
                out.push('\n');
                out.push_str(section.trim_end());
                out.push('\n');
            }
        }
        out
    }

    fn head(&self) -> String {
        let configs = ["documents", "queries", "filings"];
        let configs: String = configs
            .iter()
            .map(|c| format!("- config_name: {c}\n  data_files:\n  - split: test\n    path: {c}/test-*\n"))
            .collect();
        format!(
            "---\npretty_name: {}\nlanguage:\n- en\nlicense: other\nlicense_name: public-records\nannotations_creators:\n- machine-generated\n\
             language_creators:\n- found\nmultilinguality:\n- monolingual\nsource_datasets:\n- original\ntask_categories:\n- text-retrieval\n\
             size_categories:\n- {}\ntags:\n- finance\n- sec-filings\n- 8-k\n- contextual-retrieval\n- late-chunking\nconfigs:\n{configs}---\n\n# {}\n\n{}\n\n{}\n",
            quoted(&self.text.name),
            size_category(self.statistics.chunks),
            prose(&self.text.name),
            self.text.summary.trim(),
            "Each query asks for a fact of one company; the sentence that states it says only “the Company” or “we”, and other companies' \
             filings hold sentences that look much the same. Only the rest of the filing says whose sentence it is, so the set tells \
             models that embed a chunk in its context from those that see the chunk alone.",
        )
    }

    fn glance(&self) -> String {
        let s = self.statistics;
        let mut rows: Vec<(&str, String)> = vec![
            ("filings", format!("{}, of {} companies", s.filings, s.companies)),
            ("filed", s.filed.as_ref().map_or("unknown".into(), |(first, last)| format!("{first} to {last}"))),
            ("forms", counts(s.forms.iter())),
            ("chunks (sentences)", s.chunks.to_string()),
            ("characters per chunk", range(s.chunk_chars)),
            ("chunks per filing", range(s.filing_chunks)),
            ("queries", format!("{} ({})", s.queries, counts(s.queries_by_fact.iter()))),
            ("queries with evidence", s.with_evidence.to_string()),
            ("queries with alternatives", s.with_alternatives.to_string()),
        ];
        if !s.competing.is_empty() {
            rows.push(("sentences competing for a fact", counts(s.competing.iter())));
            rows.push(("rivals per query", range(s.rivals)));
        }
        let mut out = "## At a glance\n\n| | |\n|---|---|\n".to_owned();
        for (name, value) in rows {
            let _ = writeln!(out, "| {name} | {} |", if value.is_empty() { "none" } else { &value });
        }
        if s.queries < 30 {
            out.push_str(
                "\nFewer than 30 queries: differences between systems on this set are a smoke test, not a finding.\n",
            );
        }
        out
    }

    fn example(&self) -> String {
        let Some(example) = &self.example else { return String::new() };
        let Some(query) = self.queries.get(example.query) else { return String::new() };
        let mut out = format!("## An example\n\n**Query** {}\n\n", prose(&query.query));
        for gold in &query.golds {
            let (name, place) = if gold.role == Role::Answer { ("Answer", "2") } else { ("Evidence", "1") };
            let _ = writeln!(out, "**{name}** (score {place}, `{}`)\n> {}\n", gold.source_url, prose(&gold.text));
        }
        let shown: Vec<_> =
            example.rivals.iter().filter_map(|(id, s)| Some((self.chunks.iter().find(|c| c.id == *id)?, s))).collect();
        if !shown.is_empty() {
            out.push_str("**Rivals**: what a system that cannot see the filing has to choose from\n\n");
            for (chunk, similarity) in shown {
                let near = similarity.map_or(String::new(), |s| format!(", similarity {s:.2}"));
                let company = short_name(&chunk.title).unwrap_or(&chunk.source_url);
                let _ = writeln!(out, "- {} — *{}*{near}", prose(&chunk.text), prose(company));
            }
        }
        out
    }

    fn making(&self) -> String {
        let m = self.manifest;
        let mut out = format!(
            "## How it was made\n\nBy eightk {} with the recipe `{}` (SHA-256 `{}`); `manifest.json` lists every input with its hash, and the same inputs give \
             the same bytes.\n\n",
            env!("CARGO_PKG_VERSION"),
            m.recipe.name,
            m.recipe.sha256
        );
        for (i, step) in self.text.steps.iter().enumerate() {
            let _ = writeln!(out, "{}. {}", i + 1, step.trim());
        }
        if !self.text.facts.is_empty() {
            out.push_str("\n| fact | what a sentence must state |\n|---|---|\n");
            for (name, what) in &self.text.facts {
                let _ = writeln!(out, "| `{name}` | {} |", prose(what));
            }
        }
        if !m.settings.is_empty() {
            let settings: Vec<String> = m.settings.iter().map(|(k, v)| format!("`{k}` = `{}`", plain(v))).collect();
            let _ = writeln!(out, "\nSettings: {}.", settings.join(", "));
        }
        if !m.counts.is_empty() {
            let steps = m.counts.iter().map(|(step, n)| format!("{} {}", plain(n), step.replace('_', " ")));
            let _ = writeln!(out, "\nStep by step: {}.", steps.collect::<Vec<_>>().join(", "));
        }
        let lines = [
            ("Sentences dropped, each with its reason in `audit/dropped.jsonl`", counts(m.dropped.iter())),
            ("Queries left out, in `audit/left-out.jsonl`", counts(m.left_out.iter())),
        ];
        for (what, counts) in lines.iter().filter(|(_, c)| !c.is_empty()) {
            let _ = writeln!(out, "\n{what}: {counts}.");
        }
        if !m.refused.is_empty() {
            let _ = writeln!(out, "\nFiles refused, in `manifest.json`: {}.", m.refused.len());
        }
        out
    }

    fn audited(&self) -> String {
        let card = self.audit.map_or("", |a| a.card.trim());
        if card.is_empty() { String::new() } else { format!("## Audit\n\n{card}") }
    }

    fn checking(&self) -> String {
        let audit = self.audit.map_or(String::new(), |Audited { invariants: a, .. }| {
            let failed: Vec<String> = a.failed().map(|c| format!("`{}` ({})", c.name, c.count)).collect();
            let verdict =
                if failed.is_empty() { "none failed".to_owned() } else { format!("failed: {}", failed.join(", ")) };
            format!(
                "When it was written, {} invariants were checked, {verdict}; see `audit/result.json`. ",
                a.checks.len()
            )
        });
        format!(
            "## Checking it\n\n{audit}`eightk audit DIR` checks them again. The fingerprint names the rows of `documents` and `queries`, whatever files \
             they are stored in:\n\n    {}\n\nIt is the SHA-256 over the rows in order, `documents` then `queries`, each as \
             `json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(\",\", \":\")) + \"\\n\"` in UTF-8.\n",
            self.fingerprint
        )
    }

    fn limits(&self) -> String {
        let mut out = "## Limits\n\n".to_owned();
        let common = [
            "Queries come from templates, golds from patterns: no human judged them. A fact stated in words that no pattern knows is missed.",
            "A query has one gold filing by construction; sentences of other companies are never relevant to it, however alike they are.",
            "Filings are in English and from the United States; what holds here need not hold for other prose.",
            "Models may have seen the filings in training. They are public, and many are years old.",
        ];
        for limit in common.iter().copied().chain(self.text.limits.iter().map(|l| l.trim())) {
            let _ = writeln!(out, "- {limit}");
        }
        out
    }

    fn source(&self) -> String {
        let source = self.text.source.trim();
        let gap = if source.is_empty() { "" } else { " " };
        format!(
            "## Source and licence\n\n{source}{gap}The texts are public records, written by the companies that filed them, and available from \
             [EDGAR](https://www.sec.gov/search-filings). `accession` and `url` in the \
             `filings` config lead to each original. Queries, spans and judgements were made by a program and carry no claim of their own.\n\nPlease cite the source \
             as *U.S. Securities and Exchange Commission, EDGAR*, and this set by its name and fingerprint.\n"
        )
    }
}

const LOAD: &str = r#"## Load

```python
import datasets

documents = datasets.load_dataset(".", "documents", split="test")  # this folder, or its name on the Hub
queries = datasets.load_dataset(".", "queries", split="test")
filings = datasets.load_dataset(".", "filings", split="test")
```

`datasets` caches local folders by name: after building again into the same folder, load with
a `cache_dir` of its own, or it may show the old rows.

`eightk eval DIR --system bm25 --out RUNS` runs and scores a system on it."#;

const FIELDS: &str = r"## Fields

`documents`: one row per sentence, ordered by `source_url`, then `chunk_idx`.

| column | type | meaning |
|---|---|---|
| chunk_id | string | `{source_url}#s{chunk_start_char}` |
| chunk | string | the sentence: `text[chunk_start_char:chunk_end_char]` of its filing |
| source_url | string | accession number, or the file's stem for a text that has none; groups the chunks of a filing |
| title | string | `{company} 8-K {filing date}` |
| chunk_idx | int64 | 0-based position in the filing |
| chunk_start_char, chunk_end_char | int64 | half-open span in Unicode code points |

`queries`: one row per query. Row *n* is called `q`*n* in runs and in `audit/rivals.jsonl`.

| column | type | meaning |
|---|---|---|
| original_query | string | the query as its template made it |
| query | string | the query to run |
| answer | list of string | gold sentences |
| score | list of int64 | 2 = answer, 1 = evidence for whose it is |
| source_url | list of string | filing of each gold |
| frag_start_char, frag_end_char | list of int64 | span of each gold |
| n_gold | int64 | length of these lists |
| roles | list of string | `answer` or `evidence`, mirrors `score` |
| fact | string | which fact is asked for |
| alternatives | list of struct | other sentences of the gold's filing that state the fact (`source_url`, `frag_start_char`, `frag_end_char`): neither gold nor rival |

`filings`: one row per filing; not needed to score, but with it every span can be checked and any other chunking scored.

| column | type | meaning |
|---|---|---|
| source_url, accession, cik, company, title, form, filed, url | string | what is known of the filing; null where it is not |
| items | list of string | Item numbers found in the text |
| sha256 | string | of the file it was read from |
| text | string | the narrative that spans count in |";

const MEASURING: &str = "## Measuring

A chunk is gold for a query if it is of the same filing and its span overlaps a gold span (half-open: touching is no overlap), so another chunking can be \
scored with the same queries. `standard_recall@k` counts score 2, `evidence_recall@k` score 1 and up. `audit/rivals.jsonl` names, per query, the sentences of other companies that \
state the same fact: how often the gold outranks them is the measure this set is made for.";

fn size_category(n: usize) -> &'static str {
    match n {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        _ => "100M<n<1B",
    }
}

fn range(r: Range) -> String {
    format!("{} to {}, median {}", r.min, r.max, r.median)
}

fn counts<'a>(counts: impl Iterator<Item = (&'a String, &'a usize)>) -> String {
    counts.map(|(name, n)| format!("{n} {name}")).collect::<Vec<_>>().join(", ")
}

/// A JSON value without the quotes of a string.
fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A YAML string: a JSON string is one.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Text in Markdown, on one line, with nothing taken for markup; the Hub reads `$…$` as a formula.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '<' | '[' | ']' | '|' | '$' | '~' | '#' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(prose("a | $4 to $5 <b>\n# [x](y)"), "a \\| \\$4 to \\$5 \\<b> \\# \\[x\\](y)");
        assert_eq!(quoted("a: \"b\"\n"), r#""a: \"b\"\n""#);
    }

    #[test]
    fn the_example_has_the_nearest_rival() {
        let mut set = testing::dataset(4);
        let rivals = set.rivals.as_mut().unwrap();
        for (i, r) in rivals.iter_mut().enumerate() {
            r.similarity = vec![0.1, 0.2 * i as f64, 0.0];
        }
        let example = Example::choose(&set.queries, rivals).unwrap();
        assert_eq!(example.query, 3);
        assert_eq!(example.rivals[0].0, rivals[3].rivals[1]);
        set.queries[3].golds.truncate(1);
        assert_eq!(Example::choose(&set.queries, rivals).unwrap().query, 2, "evidence comes first");
        assert!(Example::choose(&[], rivals).is_none());
    }
}
