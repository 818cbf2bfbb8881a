//! Ways into a sound data set: read, change, write with a manifest that states the changed rows.

// A test's own module: nothing beyond it is there to reach.
#![allow(unreachable_pub)]

use std::collections::BTreeMap;
use std::path::Path;

use eightk_core::{CharSpan, Chunk, Gold, Role, chunk_id};
use eightk_dataset::{CardText, DataSet, Manifest, RecipeUsed, Source, WriteOptions, Writer, read};

/// A data set that passes its audit.
pub struct Sound(DataSet);

impl Sound {
    pub fn read(folder: &Path) -> Self {
        Self(read(&Source::Folder(folder.to_owned())).unwrap().0)
    }

    /// Writes a copy, changed by `spoil`.
    pub fn write(&self, out: &Path, spoil: impl FnOnce(&mut DataSet)) {
        let mut set = self.0.clone();
        spoil(&mut set);
        let options = WriteOptions { force: true, audit: false, ..WriteOptions::default() };
        let mut writer = Writer::create(out, options).unwrap();
        for filing in set.filings.as_ref().unwrap() {
            let chunks: Vec<Chunk> = set.chunks.iter().filter(|c| c.source_url == filing.source_url).cloned().collect();
            writer.push_filing(filing, &chunks).unwrap();
        }
        writer.push_queries(&set.queries).unwrap();
        writer.push_rivals(set.rivals.unwrap());
        let recipe = RecipeUsed { name: "restructuring".into(), sha256: "0".repeat(64) };
        writer.finish(&Manifest { recipe, ..Manifest::default() }, &CardText::default()).unwrap();
    }
}

/// The chunk of a gold.
fn chunk_of(set: &DataSet, gold: &Gold) -> usize {
    let found = set.chunks.iter().position(|c| c.source_url == gold.source_url && c.span.start == gold.span.start);
    found.expect("every gold of a sound set is a chunk")
}

/// The chunk of a query's answer.
pub fn answer(set: &DataSet, q: usize) -> usize {
    chunk_of(set, &set.queries[q].golds[0])
}

/// The chunk of a query's evidence.
pub fn evidence(set: &DataSet, q: usize) -> usize {
    let gold = set.queries[q].golds.iter().find(|g| g.role == Role::Evidence);
    chunk_of(set, gold.expect("a query with evidence"))
}

/// A query with evidence.
pub fn with_evidence(set: &DataSet) -> usize {
    set.queries.iter().position(|q| q.golds.len() > 1).unwrap()
}

/// The short name of a query's company.
pub fn short(set: &DataSet, q: usize) -> String {
    eightk_dataset::short_name(&set.chunks[answer(set, q)].title).unwrap().to_owned()
}

/// An amount of a query's answer, as it is written there.
pub fn amount(set: &DataSet, q: usize) -> String {
    let text = &set.queries[q].golds[0].text;
    let from = text.find('$').or_else(|| text.find(|c: char| c.is_ascii_digit())).unwrap();
    let rest: Vec<&str> = text[from..].split_whitespace().take(2).collect();
    rest.join(" ").trim_end_matches(['.', ',']).to_owned()
}

/// The row in `filings` of a query's filing.
pub fn row_of(set: &DataSet, q: usize) -> usize {
    let url = &set.queries[q].golds[0].source_url;
    set.filings.as_ref().unwrap().iter().position(|f| f.source_url == *url).unwrap()
}

/// Filings that no query and no rival comes from, with chunks.
pub fn quiet_rows(set: &DataSet) -> Vec<usize> {
    let rivals: Vec<&str> = set.rivals.iter().flatten().flat_map(|r| &r.rivals).map(String::as_str).collect();
    let loud = |url: &str| {
        set.queries.iter().any(|q| q.golds[0].source_url == url) || rivals.iter().any(|id| id.starts_with(url))
    };
    let rows = set.filings.as_ref().unwrap().iter().enumerate();
    let rows = rows.filter(|(_, f)| !loud(&f.source_url) && set.chunks.iter().any(|c| c.source_url == f.source_url));
    rows.map(|(i, _)| i).collect()
}

/// The first of them.
pub fn quiet_row(set: &DataSet) -> usize {
    *quiet_rows(set).first().expect("a filing without facts")
}

/// A chunk that is no gold, no alternative and no rival.
pub fn plain_chunk(set: &DataSet) -> usize {
    let url = set.filings.as_ref().unwrap()[quiet_row(set)].source_url.clone();
    set.chunks.iter().position(|c| c.source_url == url).unwrap()
}

/// Gives a filing another title.
pub fn retitle(set: &mut DataSet, row: usize, title: &str) {
    let filing = &mut set.filings.as_mut().unwrap()[row];
    filing.title = title.to_owned();
    let url = filing.source_url.clone();
    set.chunks.iter_mut().filter(|c| c.source_url == url).for_each(|c| c.title = title.to_owned());
}

/// Adds a sentence at the end of a filing; its chunk's id.
pub fn append(set: &mut DataSet, row: usize, sentence: &str) -> String {
    let filing = &mut set.filings.as_mut().unwrap()[row];
    let start = filing.text.chars().count() + 1;
    filing.text += &format!(" {sentence}");
    let last = set.chunks.iter().rposition(|c| c.source_url == filing.source_url).unwrap();
    let chunk = Chunk {
        id: chunk_id(&filing.source_url, start),
        text: sentence.to_owned(),
        idx: set.chunks[last].idx + 1,
        span: CharSpan::new(start, start + sentence.chars().count()),
        ..set.chunks[last].clone()
    };
    let id = chunk.id.clone();
    set.chunks.insert(last + 1, chunk);
    id
}

/// Sentences by filing: the number of the chunk they were, and their text.
pub type Rows = BTreeMap<String, Vec<(usize, String)>>;

/// Lays every filing out anew, after `change` has reworded or reordered sentences: texts, spans, ids, golds, alternatives and
/// rivals follow.
pub fn relay(set: &mut DataSet, change: impl FnOnce(&DataSet, &mut Rows)) {
    let mut rows = Rows::new();
    for (i, chunk) in set.chunks.iter().enumerate() {
        rows.entry(chunk.source_url.clone()).or_default().push((i, chunk.text.clone()));
    }
    change(set, &mut rows);
    let mut moved: BTreeMap<usize, Chunk> = BTreeMap::new();
    for (url, sentences) in &rows {
        let (mut text, mut at) = (String::new(), 0);
        for (idx, (old, sentence)) in sentences.iter().enumerate() {
            let span = CharSpan::new(at, at + sentence.chars().count());
            let id = chunk_id(url, at);
            moved.insert(*old, Chunk { id, text: sentence.clone(), idx, span, ..set.chunks[*old].clone() });
            text += &format!("{sentence} ");
            at = span.end + 1;
        }
        let filing = set.filings.iter_mut().flatten().find(|f| f.source_url == *url).unwrap();
        filing.text = text;
    }
    let place: BTreeMap<(String, usize), usize> =
        set.chunks.iter().enumerate().map(|(i, c)| ((c.source_url.clone(), c.span.start), i)).collect();
    for query in &mut set.queries {
        for gold in &mut query.golds {
            let chunk = &moved[&place[&(gold.source_url.clone(), gold.span.start)]];
            (gold.span, gold.text) = (chunk.span, chunk.text.clone());
        }
        for other in &mut query.alternatives {
            other.span = moved[&place[&(other.source_url.clone(), other.span.start)]].span;
        }
    }
    let ids: BTreeMap<String, String> =
        set.chunks.iter().enumerate().map(|(i, c)| (c.id.clone(), moved[&i].id.clone())).collect();
    for set in set.rivals.iter_mut().flatten() {
        set.gold = ids[&set.gold].clone();
        let similarity = |i: usize| set.similarity[i];
        let mut listed: Vec<(String, f64)> =
            set.rivals.iter().enumerate().map(|(i, id)| (ids[id].clone(), similarity(i))).collect();
        listed.sort_by(|a, b| a.0.cmp(&b.0));
        (set.rivals, set.similarity) = listed.into_iter().unzip();
    }
    let mut chunks: Vec<Chunk> = moved.into_values().collect();
    chunks.sort_by(|a, b| (&a.source_url, a.idx).cmp(&(&b.source_url, b.idx)));
    set.chunks = chunks;
}

/// Rewords the answers of the first `n` queries.
pub fn rewrite_answers(set: &mut DataSet, n: usize, reword: impl Fn(&DataSet, usize, &str) -> String) {
    relay(set, |set, rows| {
        for q in 0..set.queries.len().min(n) {
            let gold = answer(set, q);
            let row = rows.get_mut(&set.queries[q].golds[0].source_url).unwrap();
            let sentence = &mut row.iter_mut().find(|(old, _)| *old == gold).unwrap().1;
            *sentence = reword(set, q, sentence);
        }
    });
}

/// Keeps of every query's rivals those that `keep` likes, and all of them where it likes none. It is asked with the chunks of the
/// answer and of a rival.
pub fn keep_rivals(set: &mut DataSet, keep: impl Fn(&DataSet, usize, usize) -> bool) {
    let mut rivals = set.rivals.take().unwrap();
    let place: BTreeMap<&str, usize> = set.chunks.iter().enumerate().map(|(i, c)| (c.id.as_str(), i)).collect();
    for (q, list) in rivals.iter_mut().enumerate() {
        let gold = answer(set, q);
        let kept: Vec<usize> =
            (0..list.rivals.len()).filter(|i| keep(set, gold, place[list.rivals[*i].as_str()])).collect();
        if !kept.is_empty() {
            list.similarity = kept.iter().map(|i| list.similarity[*i]).collect();
            list.rivals = kept.iter().map(|i| list.rivals[*i].clone()).collect();
            list.total = None;
        }
    }
    set.rivals = Some(rivals);
}

/// Makes the filing of a query and that of one of its rivals one company's, and takes each out of the other's rivals.
pub fn same_company(set: &mut DataSet, q: usize) {
    let own = row_of(set, q);
    let rival = set.rivals.as_ref().unwrap()[q].rivals[0].clone();
    let filings = set.filings.as_mut().unwrap();
    let other = filings.iter().position(|f| rival.starts_with(&f.source_url)).unwrap();
    filings[other].cik = filings[own].cik.clone();
    let urls = [filings[own].source_url.clone(), filings[other].source_url.clone()];
    let theirs = |id: &str| urls.iter().any(|u| id.starts_with(u.as_str()));
    for list in set.rivals.iter_mut().flatten().filter(|l| theirs(&l.gold)) {
        let kept: Vec<usize> = (0..list.rivals.len()).filter(|i| !theirs(&list.rivals[*i])).collect();
        list.similarity = kept.iter().map(|i| list.similarity[*i]).collect();
        list.rivals = kept.iter().map(|i| list.rivals[*i].clone()).collect();
    }
}

/// Moves a span to where no filing reaches; it keeps its length.
pub fn lose(span: &mut CharSpan) {
    *span = CharSpan::new(span.start + 1_000_000, span.end + 1_000_000);
}

/// An invented word, another for every number.
pub fn word(i: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    format!("zor{}{}q", letter(i / 26), letter(i))
}
