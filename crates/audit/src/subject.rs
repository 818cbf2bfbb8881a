//! What several sections look up, made once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use eightk_core::{ANSWER_GRADE, CharSpan, EVIDENCE_GRADE, FilingMeta, Query, RivalSet, query_id};
use eightk_dataset::{DataSet, FilingRow, SpanIndex, short_name};
use eightk_mine::AuditLimits;
use eightk_text::names::Names;

use crate::companies::Companies;

/// One query with the chunks that matter to it, as indices into the data set's chunks.
pub(crate) struct Asked<'d> {
    pub(crate) id: String,
    pub(crate) query: &'d Query,
    /// The filing it asks about.
    pub(crate) filing: &'d str,
    /// Chunks that each gold overlaps, in the order of the golds.
    pub(crate) matched: Vec<Vec<usize>>,
    /// Chunks of the answer tier, sorted, without repeats.
    pub(crate) answers: Vec<usize>,
    /// Chunks of evidence that are no answer, sorted, without repeats.
    pub(crate) evidence: Vec<usize>,
    /// Its line of rivals, if there is one.
    pub(crate) listed: Option<&'d RivalSet>,
    /// The rivals that are chunks and no answer, sorted.
    pub(crate) rivals: Vec<usize>,
    /// The short name of its company, where titles tell.
    pub(crate) short: Option<&'d str>,
    /// What its company is called.
    pub(crate) names: Rc<Names>,
}

/// A data set and its look-ups.
pub(crate) struct Subject<'d> {
    pub(crate) dataset: &'d DataSet,
    pub(crate) limits: &'d AuditLimits,
    pub(crate) asked: Vec<Asked<'d>>,
    /// Chunks of each filing, in order.
    pub(crate) by_filing: BTreeMap<&'d str, Vec<usize>>,
    pub(crate) companies: Companies<'d>,
    /// The lowest score of an answer.
    pub(crate) answer_grade: i64,
}

impl<'d> Subject<'d> {
    pub(crate) fn new(dataset: &'d DataSet, limits: &'d AuditLimits) -> Self {
        let by_filing = dataset.by_filing();
        let filings: HashMap<&str, &FilingRow> =
            dataset.filings.iter().flatten().map(|f| (f.source_url.as_str(), f)).collect();
        let title = |rows: &Vec<usize>| Some(dataset.chunks.get(*rows.first()?)?.title.as_str());
        let titles: BTreeMap<&str, &str> =
            by_filing.iter().filter_map(|(url, rows)| Some((*url, title(rows)?))).collect();
        let companies = Companies::new(dataset, &filings, &titles);
        let grades = dataset.queries.iter().flat_map(|q| &q.golds).map(|g| g.score);
        let graded = grades.max().is_some_and(|most| most >= ANSWER_GRADE);
        let mut subject = Self {
            dataset,
            limits,
            asked: Vec::new(),
            by_filing,
            companies,
            answer_grade: if graded { ANSWER_GRADE } else { EVIDENCE_GRADE },
        };
        let index = SpanIndex::new(dataset);
        let by_id: HashMap<&str, usize> = dataset.chunks.iter().enumerate().map(|(i, c)| (c.id.as_str(), i)).collect();
        let listed: HashMap<&str, &RivalSet> = dataset.rivals.iter().flatten().map(|r| (r.query.as_str(), r)).collect();
        let mut named: HashMap<&str, Rc<Names>> = HashMap::new();
        let asked = dataset.queries.iter().enumerate().map(|(row, query)| {
            let id = query_id(row);
            let filing = query.golds.first().map_or("", |g| g.source_url.as_str());
            let listed = listed.get(id.as_str()).copied();
            let matched: Vec<Vec<usize>> =
                query.golds.iter().map(|g| index.overlapping(&g.source_url, g.span)).collect();
            let (answers, evidence) = subject.tiers(query, &matched);
            let rivals = listed.map(|r| r.rivals.as_slice()).unwrap_or_default();
            let rivals = rivals.iter().filter_map(|id| by_id.get(id.as_str()).copied());
            let mut rivals: Vec<usize> = rivals.filter(|i| answers.binary_search(i).is_err()).collect();
            rivals.sort_unstable();
            rivals.dedup();
            let short = titles.get(filing).and_then(|t| short_name(t));
            // Queries of one filing share its names.
            let names = named
                .entry(filing)
                .or_insert_with(|| Rc::new(subject.names(filing, short, filings.get(filing).copied())));
            let names = Rc::clone(names);
            Asked { id, query, filing, matched, answers, evidence, listed, rivals, short, names }
        });
        let asked = asked.collect();
        subject.asked = asked;
        subject
    }

    /// Answers and evidence of a query; a chunk that is both is an answer.
    fn tiers(&self, query: &Query, matched: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
        let (mut answers, mut evidence) = (Vec::new(), Vec::new());
        for (gold, chunks) in query.golds.iter().zip(matched) {
            let tier = if gold.score >= self.answer_grade { &mut answers } else { &mut evidence };
            tier.extend_from_slice(chunks);
        }
        for tier in [&mut answers, &mut evidence] {
            tier.sort_unstable();
            tier.dedup();
        }
        evidence.retain(|chunk| answers.binary_search(chunk).is_err());
        (answers, evidence)
    }

    /// What a filing's company is called, by its row and its text; where there is no row, by its title and chunks.
    fn names(&self, filing: &str, short: Option<&str>, row: Option<&FilingRow>) -> Names {
        let company = row.and_then(|f| f.company.as_deref()).or(short).map(str::to_owned);
        let meta = FilingMeta { source_url: filing.to_owned(), company, ..FilingMeta::default() };
        let extra: Vec<String> = short.map(str::to_owned).into_iter().collect();
        match row {
            Some(row) => Names::new(&meta, &row.text, &extra),
            None => {
                let chunks = self.by_filing.get(filing).into_iter().flatten();
                let texts: Vec<&str> = chunks.map(|i| self.text(*i)).collect();
                Names::new(&meta, &texts.join(" "), &extra)
            }
        }
    }

    /// The text of a chunk.
    pub(crate) fn text(&self, chunk: usize) -> &'d str {
        self.dataset.chunks.get(chunk).map_or("", |c| c.text.as_str())
    }

    /// The id of a chunk.
    pub(crate) fn id(&self, chunk: usize) -> &'d str {
        self.dataset.chunks.get(chunk).map_or("", |c| c.id.as_str())
    }

    /// The filing of a chunk.
    pub(crate) fn filing(&self, chunk: usize) -> &'d str {
        self.dataset.chunks.get(chunk).map_or("", |c| c.source_url.as_str())
    }

    /// The position of a chunk in its filing.
    pub(crate) fn idx(&self, chunk: usize) -> usize {
        self.dataset.chunks.get(chunk).map_or(0, |c| c.idx)
    }

    /// For each text of the chunks `wanted`, every chunk that has it.
    pub(crate) fn places(&self, wanted: impl Iterator<Item = usize>) -> HashMap<&'d str, Vec<usize>> {
        let mut places: HashMap<&str, Vec<usize>> = wanted.map(|i| (self.text(i), Vec::new())).collect();
        // The cheap test first: most sentences differ in length from every one that is wanted.
        let lengths: BTreeSet<usize> = places.keys().map(|t| t.len()).collect();
        for (i, chunk) in self.dataset.chunks.iter().enumerate().filter(|(_, c)| lengths.contains(&c.text.len())) {
            if let Some(list) = places.get_mut(chunk.text.as_str()) {
                list.push(i);
            }
        }
        places
    }

    /// For each fact, the chunks that are known to state it: answers, alternatives and rivals of its queries, sorted.
    pub(crate) fn statements(&self) -> BTreeMap<&'d str, Vec<usize>> {
        let index = SpanIndex::new(self.dataset);
        let found = |source_url: &str, span: CharSpan| index.overlapping(source_url, span);
        let mut facts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for asked in &self.asked {
            let all = facts.entry(asked.query.fact.as_deref().unwrap_or_default()).or_default();
            all.extend(asked.answers.iter().chain(&asked.rivals));
            all.extend(asked.query.alternatives.iter().flat_map(|a| found(&a.source_url, a.span)));
        }
        for all in facts.values_mut() {
            all.sort_unstable();
            all.dedup();
        }
        facts
    }
}

/// The beginning of a text, in quotes, for an example.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 80;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("“{}…”", text.get(..end).unwrap_or(text)),
        None => format!("“{text}”"),
    }
}
