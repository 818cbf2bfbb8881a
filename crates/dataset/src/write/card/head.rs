//! The YAML head that the Hub reads, and the first words below it.
//!
//! It names the configs and nothing that a reader could contradict: no `dataset_info`, whose feature syntax has changed between
//! versions of `datasets` — the parquet schema says it all.

use super::CardText;
use super::markdown::{grouped, prose, quoted};
use crate::write::statistics::Statistics;

/// The configs of a data set, each a folder of shards.
const CONFIGS: [&str; 3] = ["documents", "queries", "filings"];

pub(super) fn head(text: &CardText, statistics: &Statistics) -> String {
    let config = |c: &&str| format!("- config_name: {c}\n  data_files:\n  - split: test\n    path: {c}/test-*\n");
    let configs: String = CONFIGS.iter().map(config).collect();
    let records = format!("license: other\nlicense_name: public-records\nlicense_link: {POLICY}");
    let (found, licence, warning) = match statistics.invented {
        0 => ("- found", records, String::new()),
        _ if statistics.all_invented() => {
            let warning = format!("\n> **The filings are invented.** {NOBODY}\n");
            ("- machine-generated", "license: cc0-1.0".to_owned(), warning)
        }
        n => {
            let (n, of) = (grouped(n), grouped(statistics.filings));
            ("- found\n- machine-generated", records, format!("\n> **{n} of {of} filings are invented.** {NOBODY}\n"))
        }
    };
    format!(
        "---\npretty_name: {}\nlanguage:\n- en\n{licence}\n\
         annotations_creators:\n- machine-generated\nlanguage_creators:\n{found}\nmultilinguality:\n- monolingual\nsource_datasets:\n\
         - original\ntask_categories:\n- text-retrieval\nsize_categories:\n- {}\ntags:\n- finance\n- sec-filings\n- 8-k\n\
         - contextual-retrieval\n- late-chunking\nconfigs:\n{configs}---\n\n# {}\n{warning}\n{}\n\n{AIM}\n",
        quoted(&text.name),
        size_category(statistics.chunks),
        prose(&text.name),
        text.summary.trim(),
    )
}

/// What generated filings are.
const NOBODY: &str = "A program wrote them, and their companies do not exist: all can be tried offline, on facts that are known. What a \
    system scores on such filings says little of how it does on real ones.";

/// What the SEC says of passing on what it publishes.
const POLICY: &str = "https://www.sec.gov/about/privacy-information#dissemination";

const AIM: &str = "Each query asks for a fact of one company; the sentence that states it says only “the Company” or “we”, and other \
    companies' filings hold sentences that look much the same. Only the rest of the filing says whose sentence it is, so the set tells \
    models that embed a chunk in its context from those that see the chunk alone.";

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
