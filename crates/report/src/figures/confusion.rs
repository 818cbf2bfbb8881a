//! Whose sentence one system took for whose.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::short_name;
use eightk_measure::Metric;
use eightk_measure::curves::{Confusion, Taken};
use eightk_plot::{Labels, MatrixChart};
use eightk_runs::Account;

use super::figure::{Chart, Figure, FigureCell, FigureRow, FigureTable};
use super::lineup::{Entrant, Lineup, Role, contest};
use super::words::{count, counted, slug};

/// Companies along each side.
const ROWS: usize = 12;
const COLUMNS: usize = 10;

/// Who is shown where nobody is named: the best contestant and the bare baseline.
pub(super) fn usual<'a>(lineup: &Lineup<'a>) -> Vec<&'a str> {
    let best = lineup.ranked(lineup.telling()).first().map(|e| e.name);
    let ladders = &lineup.account.results.report.settings.ladders;
    let bare = ladders.iter().flat_map(|l| &l.rungs).find(|r| r.view == "bare" && r.control.is_none());
    let bare = bare.and_then(|r| lineup.find(&r.system)).or_else(|| lineup.baseline());
    let other = lineup.of(Role::Floor).next();
    let mut names: Vec<&str> = best.into_iter().chain(bare.or(other).map(|e| e.name)).collect();
    names.dedup();
    names
}

/// # Errors
/// Why there is none.
pub(super) fn figure(lineup: &Lineup<'_>, system: &str) -> Result<Figure, String> {
    let none = |why: &str| Err(format!("Whose sentence {system} took for whose is not shown: {why}."));
    let Some(entrant) = lineup.find(system) else { return none("it has no scores") };
    let counts = counted_of(lineup.account, entrant);
    if counts.queries == 0 {
        return none("no query with known places has rivals");
    }
    if counts.errors() < 0.005 {
        return none("it took none wrong");
    }
    let shown = Shown::of(&counts);
    let resolved = entrant.value(Metric::ResolvedAt1);
    let mut notes = vec![
        "Counted by company, whenever a rival ranks above every answer; a tie between answer and rivals is shared, and its rest put down to the first rival in order of ids.".to_owned(),
    ];
    let faultless = counts.right.len() - shown.golds_in_error;
    if faultless > 0 {
        notes.push(format!(
            "{} whose sentences were never taken wrong {} left out.",
            counted(faultless, "company", "companies"),
            if faultless == 1 { "is" } else { "are" }
        ));
    }
    notes.extend(shown.folded.iter().cloned());
    if shown.unknown > 0.005 {
        notes.push(format!(
            "In {} of the queries no rival was retrieved, nor the answer: all of them level, and nobody's.",
            count(shown.unknown)
        ));
    }
    Ok(Figure {
        id: format!("figure-confusion-{}", slug(system)),
        title: format!("Whose sentence {system} took for whose"),
        seen: seen(system, &counts, resolved.map_or(counts.queries, |v| v.queries)),
        chart: Chart::Matrix(MatrixChart {
            labels: Labels { x: "taken for the answer: its own, or a sentence of".into(), y: "answer of".into(), ..Labels::default() },
            ..shown.named()
        }),
        table: FigureTable {
            caption: format!("Expected number of queries in which {system} ranked this company's sentence first, by company of the answer"),
            columns: std::iter::once("answer of".to_owned()).chain(shown.columns.iter().cloned()).collect(),
            rows: shown.rows.iter().zip(&shown.cells).map(|(name, cells)| FigureRow {
                head: name.clone(),
                muted: false,
                cells: cells.iter().map(|n| FigureCell::Count(*n)).collect(),
            }).collect(),
        },
        notes,
    }
    .worded())
}

/// Companies of answers and of what was taken for them.
fn counted_of(account: &Account, entrant: &Entrant<'_>) -> Confusion<String> {
    let wanted = entrant.rows.iter().flat_map(|r| r.answers.iter().chain(&r.best_rival)).map(|p| p.chunk.as_str());
    let companies = companies(account, &wanted.collect());
    let company = |chunk: &str| companies.get(chunk).cloned();
    let taken = |row: &&eightk_runs::OutcomeRow| {
        let contest = contest(row)?;
        let best = row.answers.iter().min_by_key(|p| p.rank.unwrap_or(usize::MAX))?;
        let gold = company(&best.chunk).unwrap_or_else(|| best.chunk.clone());
        let rival = row.best_rival.as_ref().map(|p| company(&p.chunk).unwrap_or_else(|| p.chunk.clone()));
        Some((Taken { gold, rival }, contest.on_top_of(contest.rivals)?))
    };
    Confusion::count(entrant.rows.iter().filter_map(taken))
}

/// What the chunks' filings call their company; the filing where its title does not say.
fn companies<'a>(account: &'a Account, chunks: &BTreeSet<&'a str>) -> BTreeMap<&'a str, String> {
    let name = |title: &str, filing: &str| {
        let named = short_name(title).or(Some(title)).filter(|t| !t.trim().is_empty());
        named.unwrap_or(filing).to_owned()
    };
    let mut found: BTreeMap<&str, String> = BTreeMap::new();
    for chunk in chunks {
        if let Some(row) = account.text(chunk) {
            found.insert(chunk, name(&row.title, &row.source_url));
        }
    }
    if found.len() < chunks.len() {
        for filing in &account.filings {
            for chunk in filing.chunks.iter().filter(|c| chunks.contains(c.as_str())) {
                found.entry(chunk).or_insert_with(|| name(&filing.title, &filing.filing));
            }
        }
    }
    found
}

/// What has room.
#[derive(Debug)]
struct Shown {
    rows: Vec<String>,
    columns: Vec<String>,
    cells: Vec<Vec<f64>>,
    /// How many of the rows are of one company each.
    one_each: usize,
    /// Companies of answers that were taken wrong at least once.
    golds_in_error: usize,
    /// What "others" stand for, as sentences.
    folded: Vec<String>,
    /// Queries in which nobody is known.
    unknown: f64,
}

impl Shown {
    /// Rows by number of errors, columns by how often they were taken for another; "others" for those beyond. A first column has
    /// what was right.
    fn of(counts: &Confusion<String>) -> Self {
        let (mut wrong, mut taken): (BTreeMap<&str, f64>, BTreeMap<&str, f64>) = Default::default();
        let mut unknown = 0.0;
        for (pair, n) in &counts.wrong {
            *wrong.entry(&pair.gold).or_default() += n;
            match &pair.rival {
                Some(rival) => *taken.entry(rival).or_default() += n,
                None => unknown += n,
            }
        }
        let columns = most(&taken);
        let mut rows = most(&wrong);
        // Of answers taken wrong as often, those first that were taken for what is taken for many: there a pattern shows.
        let mut drawn_to: BTreeMap<&str, f64> = BTreeMap::new();
        for pair in counts.wrong.keys() {
            let often = pair.rival.as_deref().and_then(|r| taken.get(r)).copied().unwrap_or(0.0);
            let most = drawn_to.entry(&pair.gold).or_default();
            *most = most.max(often);
        }
        let by = |counts: &BTreeMap<&str, f64>, name: &str| counts.get(name).copied().unwrap_or(0.0);
        rows.sort_by(|a, b| {
            by(&wrong, b).total_cmp(&by(&wrong, a)).then(by(&drawn_to, b).total_cmp(&by(&drawn_to, a)))
        });
        let mut folded = Vec::new();
        let kept = |list: &[&str], room: usize| if list.len() > room { room - 1 } else { list.len() };
        let (kept_rows, kept_columns) = (kept(&rows, ROWS), kept(&columns, COLUMNS));
        if kept_rows < rows.len() {
            folded.push(format!(
                "Drawn are the answers most often taken wrong, among equals those taken for a company that many are taken for; those of {} further companies are in the table alone, summed up as other answers.",
                rows.len() - kept_rows
            ));
        }
        if kept_columns < columns.len() {
            folded.push(format!("Others: sentences of {} further companies.", columns.len() - kept_columns));
        }
        let others = kept_columns < columns.len();
        let nobody = unknown > 0.005;
        let mut names: Vec<String> = vec!["its own".into()];
        names.extend(columns.iter().take(kept_columns).map(|c| (*c).to_owned()));
        names.extend(others.then(|| "others".to_owned()));
        names.extend(nobody.then(|| "nobody's".to_owned()));
        let width = names.len();
        let mut heads: Vec<String> = rows.iter().take(kept_rows).map(|r| (*r).to_owned()).collect();
        heads.extend((kept_rows < rows.len()).then(|| "other answers".to_owned()));
        let mut cells = vec![vec![0.0; width]; heads.len()];
        let place = |list: &[&str], kept: usize, name: &str| {
            let at = list.iter().position(|n| *n == name)?;
            Some(at.min(kept))
        };
        let mut add = |gold: &str, column: usize, n: f64| {
            let row = place(&rows, kept_rows, gold);
            if let Some(cell) = row.and_then(|r| cells.get_mut(r)?.get_mut(column)) {
                *cell += n;
            }
        };
        for (gold, n) in &counts.right {
            add(gold, 0, *n);
        }
        for (pair, n) in &counts.wrong {
            let column = match &pair.rival {
                Some(rival) => place(&columns, kept_columns, rival).map(|c| c + 1),
                None => Some(width - 1),
            };
            if let Some(column) = column {
                add(&pair.gold, column, *n);
            }
        }
        Self { rows: heads, columns: names, cells, one_each: kept_rows, golds_in_error: rows.len(), folded, unknown }
    }
}

impl Shown {
    /// The matrix of the rows that are of one company each, without columns in which they have nothing: a sum over many companies
    /// would leave no shade to the others.
    fn named(&self) -> MatrixChart {
        let rows: Vec<&Vec<f64>> = self.cells.iter().take(self.one_each).collect();
        let filled = |column: &usize| rows.iter().any(|row| row.get(*column).is_some_and(|n| *n > 0.0));
        let columns: Vec<usize> = (0..self.columns.len()).filter(filled).collect();
        let of = |row: &&Vec<f64>| columns.iter().filter_map(|c| row.get(*c).copied()).collect();
        MatrixChart {
            labels: Labels::default(),
            rows: self.rows.iter().take(self.one_each).cloned().collect(),
            columns: columns.iter().filter_map(|c| self.columns.get(*c).cloned()).collect(),
            cells: rows.iter().map(of).collect(),
        }
    }
}

/// Names by count, most first, then by name.
fn most<'n>(counts: &BTreeMap<&'n str, f64>) -> Vec<&'n str> {
    let mut list: Vec<(&str, f64)> = counts.iter().map(|(name, n)| (*name, *n)).collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    list.into_iter().map(|(name, _)| name).collect()
}

fn seen(system: &str, counts: &Confusion<String>, queries: usize) -> String {
    let errors = counts.errors();
    let mut said = format!(
        "{system} put a rival's sentence above the answer in {} of {}",
        count(errors),
        counted(queries, "query", "queries")
    );
    let mut taken: BTreeMap<&str, f64> = BTreeMap::new();
    for (pair, n) in &counts.wrong {
        if let Some(rival) = &pair.rival {
            *taken.entry(rival).or_default() += n;
        }
    }
    let pair =
        counts.wrong.iter().filter(|(p, _)| p.rival.is_some()).max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
    if let Some((pair, n)) = pair.filter(|(_, n)| **n > 1.005) {
        said += &format!(
            "; most often it took {} for {} ({} times)",
            pair.rival.as_deref().unwrap_or("?"),
            pair.gold,
            count(*n)
        );
    }
    let most = most(&taken).first().copied();
    match most.and_then(|name| Some((name, *taken.get(name)?))) {
        Some((name, n)) if n > 1.005 => {
            said += &format!("; of all companies {name} was taken for another most often ({} times)", count(n));
        }
        Some(_) => said += "; no company was taken for others more than once",
        None => {}
    }
    said + "."
}
