//! A query with its sentences found.
//!
//! A gold is a fragment of a filing's text; what is retrieved are chunks. As judging does, a gold is taken to be the chunks of
//! its filing that it overlaps; on sets of ours that is one.

use std::collections::BTreeMap;
use std::sync::Arc;

use eightk_core::{CharSpan, Chunk, Query, Role};
use eightk_report::components::marks::Mark;

use super::Site;
use crate::pages::failure::Failure;

/// Golds and alternatives of a query that are looked at; ours have a handful.
const MOST: usize = 200;

/// A fragment of a query and the chunk it is.
pub(crate) struct Sentence {
    /// Gold, evidence or alternative.
    pub(crate) mark: Mark,
    /// Its grade, of golds.
    pub(crate) score: Option<i64>,
    /// The fragment's own text, where the data set gives it.
    pub(crate) text: String,
    /// Its filing's name.
    pub(crate) source_url: String,
    /// Its filing's position.
    pub(crate) filing: Option<usize>,
    /// The first chunk it overlaps.
    pub(crate) chunk: Option<Chunk>,
}

/// A rival's id with its likeness to the gold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rival {
    pub(crate) chunk: String,
    pub(crate) similarity: Option<f64>,
}

/// The rivals of a query, most similar first.
#[derive(Debug, Default)]
pub(crate) struct Rivals {
    pub(crate) listed: Vec<Rival>,
    /// How many there are, the listed among them.
    pub(crate) total: usize,
}

/// What a chunk is to a query.
#[derive(Debug, Default)]
pub(crate) struct Roles(BTreeMap<String, Mark>);

impl Roles {
    /// Its mark; plain for a chunk that the query does not know.
    pub(crate) fn of(&self, chunk: &str) -> Mark {
        self.0.get(chunk).copied().unwrap_or(Mark::Plain)
    }
}

impl Site {
    /// A query by position.
    pub(crate) fn query(&self, index: usize) -> Result<&Query, Failure> {
        self.explorer.shelf.queries().get(index).ok_or(Failure::NotFound("query"))
    }

    /// Golds in the order of the query, then alternatives.
    pub(crate) fn sentences(&self, query: &Query) -> Result<Vec<Sentence>, Failure> {
        let mut filings: BTreeMap<&str, Arc<Vec<Chunk>>> = BTreeMap::new();
        let (golds, others) = (query.golds.iter().take(MOST), query.alternatives.iter().take(MOST));
        let places = golds.clone().map(|g| g.source_url.as_str());
        for source_url in places.chain(others.clone().map(|a| a.source_url.as_str())) {
            if !filings.contains_key(source_url) {
                filings.insert(source_url, self.chunks(source_url)?);
            }
        }
        let find = |source_url: &str, span: CharSpan| {
            let chunks = filings.get(source_url)?;
            chunks.iter().find(|c| c.span.overlaps(span)).cloned()
        };
        let golds = golds.map(|gold| Sentence {
            mark: if gold.role == Role::Answer { Mark::Gold } else { Mark::Evidence },
            score: Some(gold.score),
            text: gold.text.clone(),
            source_url: gold.source_url.clone(),
            filing: self.filing_position(&gold.source_url),
            chunk: find(&gold.source_url, gold.span),
        });
        let alternatives = others.map(|other| {
            let chunk = find(&other.source_url, other.span);
            Sentence {
                mark: Mark::Alternative,
                score: None,
                text: chunk.as_ref().map(|c| c.text.clone()).unwrap_or_default(),
                source_url: other.source_url.clone(),
                filing: self.filing_position(&other.source_url),
                chunk,
            }
        });
        Ok(golds.chain(alternatives).collect())
    }

    /// The rivals of a query.
    pub(crate) fn rivals(&self, index: usize) -> Result<Rivals, Failure> {
        let mut rivals = Rivals::default();
        for set in self.explorer.shelf.rivals(index)? {
            rivals.total += set.total.unwrap_or(set.rivals.len()).max(set.rivals.len());
            let likeness = |i: usize| set.similarity.get(i).copied().filter(|s| s.is_finite());
            rivals.listed.extend(
                set.rivals.iter().enumerate().map(|(i, id)| Rival { chunk: id.clone(), similarity: likeness(i) }),
            );
        }
        rivals.listed.sort_by(|a, b| {
            let likeness = |r: &Rival| r.similarity.unwrap_or(-1.0);
            likeness(b).total_cmp(&likeness(a)).then_with(|| a.chunk.cmp(&b.chunk))
        });
        Ok(rivals)
    }

    /// What each chunk is to a query.
    pub(crate) fn roles(&self, index: usize) -> Result<Roles, Failure> {
        let mut roles = BTreeMap::new();
        for rival in self.rivals(index)?.listed {
            roles.insert(rival.chunk, Mark::Rival);
        }
        // What answers counts as answer, whatever else it is: answers last.
        let mut sentences = self.sentences(self.query(index)?)?;
        sentences.sort_by_key(|s| std::cmp::Reverse(s.mark));
        for sentence in sentences {
            if let Some(chunk) = sentence.chunk {
                roles.insert(chunk.id, sentence.mark);
            }
        }
        Ok(Roles(roles))
    }
}
