//! What can be asked for, in words.

/// One form a line; no line longer than 100 letters.
pub(super) const POSSIBLE: &str = "  \
  bm25, bm25:VIEW        BM25 over each chunk as VIEW shows it; VIEW is one of those below
  bm25:VIEW?k1=0.9,b=0.4,stop=none    the same with other settings (defaults 1.2, 0.75, nltk)
  name-filter            the filing whose title best matches the query's name, then BM25 inside it
  random, random:SEED    chance among the gold and its rivals: all tied, or in one seeded order
  oracle                 the answers, then the evidence
  dense:MODEL            a model that runs here: a folder, or OWNER/NAME[@REVISION] on the Hub
  vectors:FOLDER         vectors made elsewhere
  cmd:PROGRAM ARGS       a program that reads filings and writes vectors, as lines of JSON
  openai:MODEL           a server with /v1/embeddings; url=ADDRESS says where
  tei:ADDRESS            a text-embeddings-inference server
  voyage:MODEL, perplexity:MODEL, jina:MODEL    contextual embeddings of these services
  rrf(A; B; ...)         systems fused by reciprocal ranks; k=60 unless given: rrf(A; B; k=10)
  sum(0.3*A; 0.7*B)      systems fused by weighted sum of scores, each scaled to 0 .. 1 per query
  rerank(A; KIND:MODEL)  A's best n=100 ordered anew by a reranker, seen as view=VIEW:
                         rerank(A; KIND:MODEL,url=ADDRESS; n=50; view=title)
                         KIND is cohere, jina, vllm, tei (KIND:ADDRESS) or voyage
Settings follow after commas: dense:MODEL,view=title+filing,control=swap,as=NAME
  view=VIEW              bare (if not given), title, lead, lead:N, window:N, prefix:FILE, filing,
                         filing:text; several joined by +
  control=CONTROL        masked, minus-binding, swap, filing-shuffled[:SEED], filing-wrong[:SEED]
  as=NAME                what tables and results call the system
  storage=f32|f16|int8   how its vectors are held for the search
  query-prompt=, passage-prompt=      what stands before each query and passage
  revision=, pooling=, dims=, max-tokens=, similarity=      of the model
  url=, key-env=VARIABLE, price= (dollars per million tokens), timeout=, batch=, parallel=,
  dtype=, truncate=, model=, query-prompt-name=, passage-prompt-name=, max-tokens-per-doc=,
  truncate-prompt-tokens=, raw-scores=, about=, context=      of servers and programs
In a name or prompt, \\ takes a following , ; ( ) or \\ as it is, and keeps a space at the end.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_a_terminal() {
        for line in POSSIBLE.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn nothing_is_left_out() {
        use super::super::settings::KEYS;
        use super::super::{EncoderKind, RerankerKind};
        for key in KEYS {
            assert!(POSSIBLE.contains(&format!("{key}=")), "{key}");
        }
        for kind in EncoderKind::ALL {
            assert!(POSSIBLE.contains(&format!("{}:", kind.as_str())), "{kind:?}");
            assert!(kind.keys().all(|key| KEYS.contains(&key)), "{kind:?}");
        }
        for kind in RerankerKind::ALL {
            assert!(POSSIBLE.contains(kind.as_str()), "{kind:?}");
            assert!(kind.keys().iter().all(|key| KEYS.contains(key)), "{kind:?}");
        }
    }
}
