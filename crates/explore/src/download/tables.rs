//! The tables there are, and what their rows hold.

use eightk_core::query_id;
use eightk_measure::Metric;
use eightk_report::components::marks::Mark;

use super::{Cell, Failed, Rows};
use crate::pages::failure::Failure;
use crate::params::Params;
use crate::site::{Fate, Outcomes, Site};

/// Tables of the whole set: name and what they hold.
pub(crate) const OFFERED: &[(&str, &str)] = &[
    ("filings", "every filing: number, title, chunks"),
    ("queries", "every query: text, fact, answer, evidence"),
    ("chunks", "every kept sentence with its place; long"),
    ("rivals", "every rival of every query with its similarity; long"),
    ("scores", "every system's scores with intervals"),
    ("outcomes", "what became of every query with every system"),
];

/// Whether a table can be made of what there is.
pub(crate) fn offered(site: &Site, name: &str) -> bool {
    match name {
        "scores" | "outcomes" => site.outcomes.is_some(),
        "rivals" => site.explorer.shelf.has_rivals(),
        _ => OFFERED.iter().any(|(known, _)| *known == name),
    }
}

/// Writes a table of the whole set.
pub(crate) fn by_name(site: &Site, name: &str, rows: &mut Rows) -> Result<(), Failed> {
    match name {
        "filings" => filings(site, rows),
        "queries" => queries(site, rows),
        "chunks" => chunks(site, rows),
        "rivals" => (0..site.explorer.shelf.queries().len()).try_fold((), |(), query| {
            if query == 0 {
                rows.push(RIVALS)?;
            }
            rivals(site, query, rows)
        }),
        "scores" => site.outcomes.as_ref().map_or(Ok(()), |o| scores(o, rows)),
        "outcomes" => site.outcomes.as_ref().map_or(Ok(()), |o| outcomes(o, rows)),
        _ => Ok(()),
    }
}

/// Says why a table breaks off, and breaks it off.
fn fail(site: &Site) -> impl Fn(Failure) -> Failed + '_ {
    |failure| {
        if let Failure::Internal(why) = failure {
            (site.explorer.complain)(&why);
        }
        Failed
    }
}

fn filings(site: &Site, rows: &mut Rows) -> Result<(), Failed> {
    rows.push(&[Cell::Text("source_url"), Cell::Text("title"), Cell::Text("chunks")])?;
    for filing in site.explorer.shelf.filings() {
        rows.push(&[Cell::Text(&filing.source_url), Cell::Text(&filing.title), Cell::Count(filing.chunks)])?;
    }
    Ok(())
}

fn queries(site: &Site, rows: &mut Rows) -> Result<(), Failed> {
    let head = ["query", "text", "fact", "source_url", "answer_chunk", "answer", "evidence_chunk", "evidence"];
    rows.push(&head.map(Cell::Text))?;
    for (index, query) in site.explorer.shelf.queries().iter().enumerate() {
        let sentences = site.sentences(query).map_err(fail(site))?;
        let of = |mark| sentences.iter().find(|s| s.mark == mark);
        let id = |mark| Cell::maybe(of(mark).and_then(|s| s.chunk.as_ref()).map(|c| c.id.as_str()));
        let text = |mark| Cell::maybe(of(mark).map(|s| s.text.as_str()));
        rows.push(&[
            Cell::Text(&query_id(index)),
            Cell::Text(&query.query),
            Cell::maybe(query.fact.as_deref()),
            Cell::maybe(query.golds.first().map(|g| g.source_url.as_str())),
            id(Mark::Gold),
            text(Mark::Gold),
            id(Mark::Evidence),
            text(Mark::Evidence),
        ])?;
    }
    Ok(())
}

fn chunks(site: &Site, rows: &mut Rows) -> Result<(), Failed> {
    rows.push(CHUNKS)?;
    for filing in site.explorer.shelf.filings() {
        let chunks = site.explorer.shelf.chunks(&filing.source_url).map_err(|e| fail(site)(e.into()))?;
        for chunk in &chunks {
            rows.push(&[
                Cell::Text(&chunk.id),
                Cell::Text(&chunk.source_url),
                Cell::Text(&chunk.title),
                Cell::Count(chunk.idx),
                Cell::Count(chunk.span.start),
                Cell::Count(chunk.span.end),
                Cell::Text(&chunk.text),
            ])?;
        }
    }
    Ok(())
}

const CHUNKS: &[Cell<'static>] = &[
    Cell::Text("chunk_id"),
    Cell::Text("source_url"),
    Cell::Text("title"),
    Cell::Text("chunk_idx"),
    Cell::Text("start"),
    Cell::Text("end"),
    Cell::Text("text"),
];

const RIVALS: &[Cell<'static>] = &[
    Cell::Text("query"),
    Cell::Text("chunk_id"),
    Cell::Text("similarity"),
    Cell::Text("source_url"),
    Cell::Text("title"),
    Cell::Text("text"),
];

/// The rivals of one query, with their head.
pub(crate) fn of_query(site: &Site, query: usize, rows: &mut Rows) -> Result<(), Failed> {
    rows.push(RIVALS)?;
    rivals(site, query, rows)
}

fn rivals(site: &Site, query: usize, rows: &mut Rows) -> Result<(), Failed> {
    let id = query_id(query);
    for rival in site.rivals(query).map_err(fail(site))?.listed {
        let chunk = site.chunk(&rival.chunk).map_err(fail(site))?;
        let of = |get: fn(&eightk_core::Chunk) -> &str| Cell::maybe(chunk.as_ref().map(get));
        rows.push(&[
            Cell::Text(&id),
            Cell::Text(&rival.chunk),
            Cell::maybe_number(rival.similarity),
            of(|c| &c.source_url),
            of(|c| &c.title),
            of(|c| &c.text),
        ])?;
    }
    Ok(())
}

/// What became of each sentence of one filing, in the order of the text.
pub(crate) fn of_filing(site: &Site, index: usize, rows: &mut Rows) -> Result<(), Failed> {
    let Some(entry) = site.entry(index) else { return Err(Failed) };
    let shelf = &site.explorer.shelf;
    let failed = |e: eightk_dataset::DatasetError| fail(site)(e.into());
    let chunks = shelf.chunks(entry.source_url).map_err(failed)?;
    let dropped = shelf.dropped(entry.source_url).map_err(failed)?;
    rows.push(&["start", "end", "became", "chunk_id", "text"].map(Cell::Text))?;
    let kept = chunks.iter().map(|c| (c.span, "kept", Some(c.id.as_str()), c.text.as_str()));
    let mut all: Vec<_> =
        kept.chain(dropped.iter().map(|d| (d.span, d.reason.as_str(), None, d.text.as_str()))).collect();
    all.sort_by_key(|(span, ..)| *span);
    for (span, became, id, text) in all {
        rows.push(&[
            Cell::Count(span.start),
            Cell::Count(span.end),
            Cell::Text(became),
            Cell::maybe(id),
            Cell::Text(text),
        ])?;
    }
    Ok(())
}

/// A live ranking.
pub(crate) fn of_search(site: &Site, params: &Params, rows: &mut Rows) -> Result<(), Failed> {
    let hits = crate::pages::search::ranking(site, params).map_err(fail(site))?;
    rows.push(&["rank", "chunk_id", "score", "source_url", "title", "text"].map(Cell::Text))?;
    for (rank, (hit, chunk)) in hits.iter().enumerate() {
        let of = |get: fn(&eightk_core::Chunk) -> &str| Cell::maybe(chunk.as_ref().map(get));
        rows.push(&[
            Cell::Count(rank + 1),
            Cell::Text(&hit.id),
            Cell::Number(hit.score),
            of(|c| &c.source_url),
            of(|c| &c.title),
            of(|c| &c.text),
        ])?;
    }
    Ok(())
}

fn scores(outcomes: &Outcomes, rows: &mut Rows) -> Result<(), Failed> {
    let head = ["system", "metric", "expected", "low", "high", "trec", "best", "worst", "queries", "chance"];
    rows.push(&head.map(Cell::Text))?;
    for system in outcomes.account.results.report.systems.iter().filter(|s| !s.never_ran) {
        for (metric, value) in &system.metrics {
            let Some(value) = value else { continue };
            rows.push(&[
                Cell::Text(&system.name),
                Cell::Text(&metric.to_string()),
                Cell::Number(value.expected),
                Cell::maybe_number(value.low),
                Cell::maybe_number(value.high),
                Cell::Number(value.trec),
                Cell::Number(value.best),
                Cell::Number(value.worst),
                Cell::Count(value.queries),
                Cell::maybe_number(value.chance),
            ])?;
        }
    }
    Ok(())
}

fn outcomes(outcomes: &Outcomes, rows: &mut Rows) -> Result<(), Failed> {
    let metrics: &[Metric] = &outcomes.account.results.report.settings.metrics;
    let names: Vec<String> = metrics.iter().map(ToString::to_string).collect();
    let mut head: Vec<Cell<'_>> =
        ["system", "query", "text", "outcome", "answer_rank", "rivals", "rivals_above", "rivals_level", "margin"]
            .map(Cell::Text)
            .to_vec();
    head.extend(names.iter().map(|n| Cell::Text(n)));
    rows.push(&head)?;
    for row in &outcomes.account.outcomes {
        let mut cells = vec![
            Cell::Text(&row.system),
            Cell::Text(&row.query),
            Cell::maybe(row.text.as_deref()),
            Cell::Text(Fate::of(row).words()),
            Cell::maybe_count(row.answer_rank),
            Cell::Count(row.rivals),
            Cell::Count(row.rivals_above),
            Cell::Count(row.rivals_level),
            Cell::maybe_number(Outcomes::margin(row)),
        ];
        cells.extend(metrics.iter().map(|m| Cell::maybe_number(Outcomes::value(row, *m))));
        rows.push(&cells)?;
    }
    Ok(())
}
