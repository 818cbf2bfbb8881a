//! A query of one's own, asked of any system that runs here, two beside each other.

use std::sync::Arc;

use eightk_core::{Chunk, Hit};
use eightk_report::components::marks::{Mark, badge};
use eightk_report::components::numbers;
use eightk_report::components::safe_text::{foreign, plain};
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::link;
use crate::live::{LiveError, LiveState};
use crate::params::Params;
use crate::site::{Roles, Site};

/// How deep rankings go when nothing is said, and at most.
const DEPTH: usize = 20;
const DEEPEST: usize = 100;

/// Seconds until a page asks again for a system that is being prepared.
const AGAIN: u32 = 3;

/// What came of asking one system.
enum Answer {
    Ranked(Vec<(Hit, Option<Chunk>)>),
    Preparing(String),
    Failed(String),
}

/// What is asked.
struct Asked {
    query: String,
    systems: Vec<String>,
    depth: usize,
}

impl Asked {
    fn read(site: &Site, params: &Params) -> Result<Self, Failure> {
        let query = params.text("q").to_owned();
        if query.chars().count() > site.query_chars {
            return Err(Failure::BadRequest(format!("A query has at most {} characters.", site.query_chars)));
        }
        let mut systems: Vec<String> =
            ["a", "b"].iter().map(|name| params.text(name).to_owned()).filter(|s| !s.is_empty()).collect();
        systems.dedup();
        let depth = params.text("depth").parse().unwrap_or(DEPTH).clamp(1, DEEPEST);
        Ok(Self { query, systems, depth })
    }
}

/// The search page; `elsewhere`: a page of another site led here, so nothing is run before the user says so.
pub(crate) fn search(site: &Site, params: &Params, elsewhere: bool) -> Result<Page, Failure> {
    let asked = Asked::read(site, params)?;
    let run = !asked.query.is_empty() && !asked.systems.is_empty() && !elsewhere;
    let known = site.query_asked(&asked.query);
    let roles = known.map(|index| site.roles(index)).transpose()?;
    let mut answers = Vec::new();
    if run {
        // Beyond what is allowed at a time: an answer now beats one that waits behind others.
        let _permit = Arc::clone(&site.searches).try_acquire_owned().map_err(|_| Failure::Busy("searches"))?;
        for system in &asked.systems {
            answers.push((system.clone(), ask(site, system, &asked)?));
        }
    }
    let waits = answers.iter().any(|(_, a)| matches!(a, Answer::Preparing(_)));
    let body = html! {
        (form(site, &asked))
        @if elsewhere && !asked.query.is_empty() {
            p.note { "Another site filled this in. Press “Search” to run it." }
        }
        @if let Some(index) = known {
            p.note {
                "This is query " a href=(link::query(index)) { "q" (index) } " of the data set: gold, evidence and rivals are marked."
            }
        }
        @if !answers.is_empty() {
            div class=[(answers.len() > 1).then_some("two")] {
                @for (system, answer) in &answers {
                    section { (column(site, system, answer, roles.as_ref(), &asked)) }
                }
            }
        }
    };
    let mut page = site.page(Part::Search, "Search", body);
    page.again = waits.then_some(AGAIN);
    Ok(page)
}

/// The ranking of one system as it is shown, for a download.
pub(crate) fn ranking(site: &Site, params: &Params) -> Result<Vec<(Hit, Option<Chunk>)>, Failure> {
    let asked = Asked::read(site, params)?;
    let (Some(system), false) = (asked.systems.first(), asked.query.is_empty()) else {
        return Err(Failure::BadRequest("Name a query and a system.".to_owned()));
    };
    let _permit = Arc::clone(&site.searches).try_acquire_owned().map_err(|_| Failure::Busy("searches"))?;
    match ask(site, system, &asked)? {
        Answer::Ranked(hits) => Ok(hits),
        Answer::Preparing(_) => Err(Failure::Busy("preparations")),
        Answer::Failed(why) => Err(Failure::BadRequest(why)),
    }
}

fn ask(site: &Site, system: &str, asked: &Asked) -> Result<Answer, Failure> {
    let live = &site.explorer.live;
    let hits = match live.search(system, &asked.query, asked.depth) {
        Ok(hits) => hits,
        Err(LiveError::NotReady) => {
            let what = match live.state(system) {
                LiveState::Preparing { what } => what,
                LiveState::Failed(why) => return Ok(Answer::Failed(why)),
                LiveState::Ready | LiveState::Idle => String::new(),
            };
            return Ok(Answer::Preparing(what));
        }
        Err(LiveError::Unknown) => return Err(Failure::NotFound("system")),
        Err(LiveError::Failed(why)) => return Ok(Answer::Failed(why)),
    };
    let found = hits.into_iter().take(asked.depth).map(|hit| {
        let chunk = site.chunk(&hit.id)?;
        Ok((hit, chunk))
    });
    Ok(Answer::Ranked(found.collect::<Result<_, Failure>>()?))
}

fn form(site: &Site, asked: &Asked) -> Markup {
    let systems = site.explorer.live.systems();
    let chosen = |i: usize, name: &str| asked.systems.get(i).is_some_and(|s| s == name);
    let word = |name: &str| match site.explorer.live.state(name) {
        LiveState::Ready => "",
        LiveState::Preparing { .. } => " (being prepared)",
        LiveState::Failed(_) => " (failed)",
        LiveState::Idle => " (prepared at first use)",
    };
    let choice = |i: usize, id: &str, label: &str| {
        html! {
            div.field {
                label for=(id) { (label) }
                select #(id) name=(id) {
                    @if i > 0 { option value="" { "none" } }
                    @for system in &systems {
                        option value=(system.name) selected[chosen(i, &system.name)] { (plain(&system.name)) (word(&system.name)) }
                    }
                }
            }
        }
    };
    html! {
        @if systems.is_empty() {
            p.note { "No system runs here: start the explorer with one to search." }
        } @else {
            form.form method="get" action="/search" role="search" {
                div.field.grow.whole {
                    label for="q" { "Query" }
                    input #q type="search" name="q" value=(asked.query) maxlength=(site.query_chars) required;
                }
                (choice(0, "a", "System"))
                (choice(1, "b", "Beside it"))
                button.main type="submit" { "Search" }
            }
            @if asked.query.is_empty() {
                p { "Try a query of the data set:" }
                ul {
                    @for (index, query) in site.explorer.shelf.queries().iter().enumerate().take(5) {
                        @let first = systems.first().map(|s| s.name.as_str()).unwrap_or_default();
                        li {
                            a href=(link::with_query("/search", &[("q", &query.query), ("a", first)])) { (foreign(&query.query)) }
                            " " a.small href=(link::query(index)) { "q" (index) }
                        }
                    }
                }
                h2 { "Systems" }
                dl.pairs {
                    @for system in &systems { dt { (foreign(&system.name)) } dd { (foreign(&system.summary)) (word(&system.name)) } }
                }
            }
        }
    }
}

fn column(site: &Site, system: &str, answer: &Answer, roles: Option<&Roles>, asked: &Asked) -> Markup {
    html! {
        h2 { (foreign(system)) }
        @match answer {
            Answer::Preparing(what) => {
                p role="status" {
                    "This system is being prepared" @if !what.is_empty() { ": " (foreign(what)) }
                    ". The page asks again every " (AGAIN) " seconds."
                }
            },
            Answer::Failed(why) => p.warning role="alert" { strong { "It failed: " } (foreign(why)) },
            Answer::Ranked(hits) if hits.is_empty() => p { "It found nothing." },
            Answer::Ranked(hits) => {
                @if let Some(roles) = roles { (standing(hits, roles)) }
                ol.hits {
                    @for (rank, (hit, chunk)) in hits.iter().enumerate() { (item(site, rank + 1, hit, chunk.as_ref(), roles)) }
                }
                p.small {
                    a href=(link::with_query("/search.csv", &[("q", &asked.query), ("a", system), ("depth", &asked.depth.to_string())])) {
                        "This ranking as CSV"
                    }
                    @if asked.depth < DEEPEST {
                        @let pairs = [("q", asked.query.as_str()),
                            ("a", asked.systems.first().map_or("", String::as_str)),
                            ("b", asked.systems.get(1).map_or("", String::as_str)), ("depth", "100")];
                        " · " a href=(link::with_query("/search", &pairs)) { "the first 100" }
                    }
                }
            },
        }
    }
}

/// Where the gold stands among what was found.
fn standing(hits: &[(Hit, Option<Chunk>)], roles: &Roles) -> Markup {
    let first = |mark| hits.iter().position(|(hit, _)| roles.of(&hit.id) == mark);
    html! {
        p {
            @match (first(Mark::Gold), first(Mark::Rival)) {
                (Some(gold), Some(rival)) if rival < gold => { "A rival stands at " (rival + 1) ", the gold at " (gold + 1) "." },
                (Some(gold), _) => { "The gold stands at " (gold + 1) ", before every rival." },
                (None, Some(rival)) => { "A rival stands at " (rival + 1) ", the gold is not among the first " (hits.len()) "." },
                (None, None) => { "Neither gold nor rival is among the first " (hits.len()) "." },
            }
        }
    }
}

fn item(site: &Site, rank: usize, hit: &Hit, chunk: Option<&Chunk>, roles: Option<&Roles>) -> Markup {
    let mark = roles.map_or(Mark::Plain, |r| r.of(&hit.id));
    html! {
        li class=(mark.class()) {
            span.rank { (rank) }
            div {
                div.from {
                    @if mark != Mark::Plain { (badge(mark, mark.word())) " " }
                    @match chunk {
                        Some(chunk) => (site.from(chunk)),
                        None => (foreign(&hit.id)),
                    }
                    " " span.score { (numbers::score(hit.score)) }
                }
                @if let Some(chunk) = chunk { p { (foreign(&chunk.text)) } }
                @else { p.note { "Not a chunk of this data set." } }
            }
        }
    }
}
