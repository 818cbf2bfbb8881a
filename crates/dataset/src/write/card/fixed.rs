//! What every card says in the same words.

pub(super) const LOAD: &str = r#"## Load

```python
import datasets

documents = datasets.load_dataset(".", "documents", split="test")  # this folder, or its name on the Hub
queries = datasets.load_dataset(".", "queries", split="test")
filings = datasets.load_dataset(".", "filings", split="test")
```

`datasets` caches local folders by name: after building again into the same folder, load with
a `cache_dir` of its own, or it may show the old rows.

`eightk eval DIR --system bm25 --out RUNS` runs and scores a system on it."#;

pub(super) const FIELDS: &str = r"## Fields

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

pub(super) const MEASURING: &str = "## Measuring

A chunk is gold for a query if it is of the same filing and its span overlaps a gold span (half-open: touching is no overlap), so another chunking can be \
scored with the same queries. `standard_recall@k` counts score 2, `evidence_recall@k` score 1 and up. `audit/rivals.jsonl` names, per query, the sentences of other companies that \
state the same fact: how often the gold outranks them is the measure this set is made for.";
