//! `README.md` of an export: what the files are, what the grades mean, what was left behind.

use std::fmt::Write as _;

use super::mteb::{ANSWER_QRELS, CORPUS, GRADED_QRELS, QUERIES};
use super::{Exported, Format};

/// Where a recipe of how to load the folder goes, what it says about titles.
struct Text {
    title: &'static str,
    files: &'static str,
    load: &'static str,
}

pub(super) fn render(exported: &Exported) -> String {
    let text = text(exported.format);
    let mut out = head(exported);
    let _ = write!(
        out,
        "# {}\n\nSentences of SEC 8-K filings, and queries each of which one company's filing answers, in the shape of {}; exported by eightk {}.\n\n{}\n",
        text.title,
        family(exported.format),
        env!("CARGO_PKG_VERSION"),
        text.files
    );
    out += GRADES;
    out += titles(exported);
    let _ = write!(out, "\n## Load\n\n{}\n\n## Counts\n\n{}", text.load, counts(exported));
    let _ = write!(
        out,
        "\n## Origin\n\nThe data set's fingerprint, which `eightk score` prints beside results:\n\n    {}\n\nThe texts are public records, written by the companies that filed them.\n",
        exported.fingerprint
    );
    out
}

const fn family(format: Format) -> &'static str {
    match format {
        Format::Beir => "BEIR",
        Format::Mteb => "MTEB's retrieval tasks",
        Format::Trec => "TREC",
        Format::Jsonl => "its own, as JSON lines",
    }
}

const fn text(format: Format) -> Text {
    match format {
        Format::Beir => Text {
            title: "8-K sentences for BEIR tools",
            files: "| file | |\n|---|---|\n\
                    | `corpus.jsonl` | `_id`, `title`, `text`; `metadata` names the filing (`doc_id`), the sentence's place in it (`chunk_idx`) and its span in code points |\n\
                    | `queries.jsonl` | `_id`, `text`; `metadata` holds the query before its rewrite and the fact it asks for |\n\
                    | `qrels/test.tsv` | judgements as published: 2 answer, 1 evidence |\n\
                    | `qrels/answer.tsv` | answers alone, grade 1 |\n\
                    | `rivals.jsonl` | per query, sentences of other companies that state the same fact; only where the data set has them |",
            load: "```python\nfrom beir.datasets.data_loader import GenericDataLoader\n\n\
                   corpus, queries, qrels = GenericDataLoader(\".\").load(split=\"answer\")  # or \"test\": graded\n```\n\n\
                   Queries and documents are different namespaces: do not drop hits whose id equals the query's. Scores of a run:\n\
                   `eightk score qrels/test.tsv my.run --rivals rivals.jsonl`.",
        },
        Format::Mteb => Text {
            title: "8-K sentences for MTEB",
            files: "| config | |\n|---|---|\n\
                    | `corpus` | `id`, `title`, `text`, the filing (`doc_id`), the sentence's place in it (`chunk_idx`), its span in code points |\n\
                    | `queries` | `id`, `text`, the query before its rewrite, the fact it asks for |\n\
                    | `default` | judgements of the main task: answers alone, grade 1 |\n\
                    | `graded-qrels` | judgements as published: 2 answer, 1 evidence; `graded-corpus` and `graded-queries` are the same files under the names that MTEB asks for |\n\n\
                    `rivals.jsonl` holds, per query, sentences of other companies that state the same fact, where the data set has them.",
            load: "```python\nimport datasets\n\ncorpus = datasets.load_dataset(\".\", \"corpus\", split=\"test\")\n```\n\n\
                   The adapter in `integrations/mteb` of the eightk repository makes a task of this folder and hands whole filings to models that use\n\
                   context; by itself MTEB shows an encoder loose sentences.",
        },
        Format::Trec => Text {
            title: "8-K sentences for TREC tools",
            files: "| file | |\n|---|---|\n\
                    | `topics.tsv` | query id, tab, query |\n\
                    | `collection/documents.jsonl` | `id`, `contents` (the sentence alone), and beside them `title`, the filing (`doc_id`), the sentence's place in it (`chunk_idx`), its span in code points |\n\
                    | `qrels.graded.trec` | judgements as published: 2 answer, 1 evidence |\n\
                    | `qrels.answer.trec` | answers alone, grade 1 |\n\
                    | `rivals.jsonl` | per query, sentences of other companies that state the same fact; only where the data set has them |",
            load: "```sh\ntrec_eval -c -m ndcg_cut.10 -m recall.10 qrels.answer.trec my.run   # -c: a query without results counts 0\n\
                   eightk score qrels.graded.trec my.run --rivals rivals.jsonl         # ties and rivals accounted for\n\
                   python -m pyserini.index.lucene --collection JsonCollection --input collection --index index \\\n  --generator DefaultLuceneDocumentGenerator --threads 1 --storeRaw\n```",
        },
        Format::Jsonl => Text {
            title: "8-K sentences as JSON lines",
            files: "| file | |\n|---|---|\n\
                    | `documents.jsonl` | one sentence a line: `chunk_id`, `chunk`, `source_url`, `title`, `chunk_idx`, `chunk_start_char`, `chunk_end_char` |\n\
                    | `queries.jsonl` | one query a line with its golds; line *n* from 0 is called `q`*n* in runs |\n\
                    | `filings.jsonl` | one filing a line with its text; only where the data set has it |\n\
                    | `audit/rivals.jsonl` | per query, sentences of other companies that state the same fact; only where the data set has them |",
            load: "```python\nimport datasets\n\ndocuments = datasets.load_dataset(\".\", \"documents\", split=\"test\")\n```\n\nEvery `eightk` command reads this folder as it reads the Parquet form; the fingerprint is the same.",
        },
    }
}

const GRADES: &str = "
## Grades

2 is the sentence that answers, 1 is evidence: the sentence that tells whose answer it is. A data set with 1 everywhere is answer-only.
nDCG of `trec_eval`, BEIR and MTEB takes the grade as the gain. Every other score of theirs counts all grades above 0
alike, so over graded judgements their recall is `evidence_recall`, and over the answers alone it is `standard_recall`.
";

const fn titles(exported: &Exported) -> &'static str {
    match (exported.format.prepends_titles(), exported.bare) {
        (false, _) => "",
        (true, false) => {
            "
## Titles

Readers of this format put `title` before `text`. A title names the company, and so tells a model whose sentence it sees:
scores are those of the view `title`. Export with `--bare` for the sentence alone.
"
        }
        (true, true) => {
            "
## Titles

Readers of this format would put a title before the text, and so tell a model whose sentence it sees. Titles are therefore kept
in a field that they do not read.
"
        }
    }
}

fn counts(exported: &Exported) -> String {
    let c = &exported.counts;
    let mut out = "| | |\n|---|---|\n".to_owned();
    for (what, n) in [
        ("sentences", c.chunks),
        ("queries", c.queries),
        ("graded judgements", c.graded_judgements),
        ("answers", c.answer_judgements),
        ("queries without any gold", c.queries_without_gold),
        ("queries without an answer", c.queries_without_answer),
        ("golds that match no sentence", c.golds_without_chunk),
        ("golds that match several sentences", c.golds_of_several_chunks),
        ("queries with rivals", c.queries_with_rivals),
    ] {
        let _ = writeln!(out, "| {what} | {n} |");
    }
    if !exported.not_carried.is_empty() {
        let lost: Vec<String> = exported.not_carried.iter().map(|(what, n)| format!("{what} ({n})")).collect();
        let _ = write!(out, "\nIn the data set, but with no place in this format: {}.\n", lost.join(", "));
    }
    out
}

/// The YAML head that tells `datasets` which files are which config; nothing for formats that are read by name.
fn head(exported: &Exported) -> String {
    let configs: Vec<(&str, String)> = match exported.format {
        Format::Beir | Format::Trec => return String::new(),
        Format::Jsonl => ["documents", "queries", "filings"]
            .into_iter()
            .map(|config| (config, format!("{config}.jsonl")))
            .filter(|(_, file)| exported.files.contains(file))
            .collect(),
        Format::Mteb => {
            let shards = |folder: &str| format!("{folder}/test-*");
            vec![
                ("default", shards(ANSWER_QRELS)),
                ("corpus", shards(CORPUS)),
                ("queries", shards(QUERIES)),
                ("graded-qrels", shards(GRADED_QRELS)),
                ("graded-corpus", shards(CORPUS)),
                ("graded-queries", shards(QUERIES)),
            ]
        }
    };
    let configs = configs
        .iter()
        .map(|(name, path)| format!("- config_name: {name}\n  data_files:\n  - split: test\n    path: {path}\n"));
    format!(
        "---\nlanguage:\n- en\ntask_categories:\n- text-retrieval\ntags:\n- sec-filings\n- contextual-retrieval\nconfigs:\n{}---\n\n",
        configs.collect::<String>()
    )
}
