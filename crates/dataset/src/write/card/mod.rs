//! `README.md`: the data set card.
//!
//! Every number in it is counted from what was written. Sections come in the order in which a reader who has never seen the
//! set asks for them; what is long or the same in every card has a file of its own.

mod example;
mod fixed;
mod head;
mod limits;
mod markdown;

use std::fmt::Write as _;

use eightk_core::{Chunk, Query};

use super::Audited;
use super::manifest::Manifest;
use super::plots::Plot;
use super::statistics::Statistics;
pub(super) use example::Example;
use fixed::{FIELDS, LOAD, MEASURING};
pub(super) use markdown::grouped;
use markdown::{counts, plain, prose, range};

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
    /// Queries whose list of rivals is shorter than the rivals there are.
    pub(super) cut_rivals: usize,
    /// Plots that lie beside it.
    pub(super) plots: &'a [Plot],
}

impl Card<'_> {
    pub(super) fn render(&self) -> String {
        let mut out = head::head(self.text, self.statistics);
        for section in [
            self.glance(),
            LOAD.to_owned(),
            FIELDS.to_owned(),
            self.example.as_ref().map_or(String::new(), |e| e.render(self.queries, self.chunks)),
            self.making(),
            MEASURING.to_owned(),
            self.audited(),
            self.checking(),
            limits::limits(self.text, self.statistics, self.cut_rivals),
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

    fn glance(&self) -> String {
        let s = self.statistics;
        let mut rows: Vec<(&str, String)> = vec![
            ("filings", format!("{}, of {} companies", grouped(s.filings), grouped(s.companies))),
            ("filed", s.filed.as_ref().map_or("unknown".into(), |(first, last)| format!("{first} to {last}"))),
            ("forms", counts(s.forms.iter())),
            ("chunks (sentences)", grouped(s.chunks)),
            ("characters per chunk", range(s.chunk_chars)),
            ("chunks per filing", range(s.filing_chunks)),
            ("queries", format!("{} ({})", grouped(s.queries), counts(s.queries_by_fact.iter()))),
            ("queries with evidence", grouped(s.with_evidence)),
            ("queries with alternatives", grouped(s.with_alternatives)),
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
        for plot in self.plots {
            let _ = writeln!(out, "\n![{}]({})", prose(&plot.told), plot.file);
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

    fn source(&self) -> String {
        if self.statistics.all_invented() {
            return "## Source and licence\n\nThe filings were generated by `eightk synth`, not filed: their CIKs, accession numbers and addresses \
                lead nowhere. Neither they nor queries, spans and judgements, made by a program as well, carry any claim.\n"
                .to_owned();
        }
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
