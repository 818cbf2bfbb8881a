//! The rivals of a query beside its gold, differences marked.

use eightk_report::components::marks::{Mark, badge};
use eightk_report::components::numbers;
use eightk_report::components::safe_text::foreign;
use eightk_report::components::words;
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use super::query::gold_text;
use crate::link;
use crate::paging::Paging;
use crate::params::Params;
use crate::site::{Rival, Site};

/// Pairs of a page.
const SIZE: usize = 25;

/// The page.
pub(crate) fn rivals(site: &Site, index: usize, params: &Params) -> Result<Page, Failure> {
    let query = site.query(index)?;
    let sentences = site.sentences(query)?;
    let gold = gold_text(&sentences);
    let rivals = site.rivals(index)?;
    let paging = Paging::new(rivals.listed.len(), SIZE, params.page());
    let path = link::rivals(index);
    let shown = paging.slice(&rivals.listed);
    let pairs: Vec<Markup> = shown.iter().map(|r| pair(site, r, gold)).collect::<Result<_, _>>()?;
    let owner = sentences.iter().find(|s| s.mark == Mark::Gold).and_then(|s| s.chunk.as_ref());
    let body = html! {
        p {
            "Query: " a href=(link::query(index)) { (foreign(&query.query)) }
            ". " (numbers::counted(rivals.total, "rival", "rivals"))
            @if rivals.listed.len() < rivals.total { ", of which " (numbers::thousands(rivals.listed.len())) " are listed" }
            ", most like the gold first; shown: " (paging.words()) ". "
            a href={ (path) ".csv" } { "As CSV" }
        }
        p {
            "Gold" @if let Some(chunk) = owner { " of " (site.from(chunk)) }
            " first, with words that the rival lacks marked; beside it the rival, with what it has instead."
        }
        (paging.around(&path, &[], &html! { @for pair in &pairs { (pair) } }))
    };
    let mut page = site.page(Part::Queries, &format!("Rivals of q{index}"), body);
    page.crumbs = vec![
        ("Queries".to_owned(), "/queries".to_owned()),
        (format!("q{index}"), link::query(index)),
        ("Rivals".to_owned(), path),
    ];
    Ok(page)
}

fn pair(site: &Site, rival: &Rival, gold: Option<&str>) -> Result<Markup, Failure> {
    let chunk = site.chunk(&rival.chunk)?;
    let text = chunk.as_ref().map_or("", |c| c.text.as_str());
    let pieces = words::diff(gold.unwrap_or_default(), text);
    Ok(html! {
        section.two.pair {
            div.quote.gold {
                div.from { (badge(Mark::Gold, "gold")) }
                p { @match gold { Some(_) => (words::gold_side(&pieces)), None => "The query has no gold.", } }
            }
            div.quote.rival {
                div.from {
                    (badge(Mark::Rival, "rival")) " "
                    @match &chunk { Some(chunk) => (site.from(chunk)), None => (foreign(&rival.chunk)) }
                    @if let Some(s) = rival.similarity { " similarity " (numbers::two(s)) }
                }
                p { @if chunk.is_some() { (words::other_side(&pieces)) } @else { "Not a chunk of the data set." } }
            }
        }
    })
}
