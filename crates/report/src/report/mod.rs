//! `report.html`: one file that says who resolved “the Company”, shows how, and then every query.
//!
//! The point first, in sentences worked out of the numbers; then what was measured, scores, pictures, differences; then the queries one
//! by one, worst first; settings and warnings last. Everything is in the file: it asks nobody for anything and works from a disk. The
//! road not taken is a page that draws itself from data by script: it could not be printed, searched or read where script does not run.

mod ablation;
mod behind;
mod cast;
mod data_set;
mod pictures;
mod queries;
mod scores;
mod sections;
mod settings;
#[cfg(test)]
mod tests;
mod verdict;
mod warnings;

use eightk_runs::Account;
use maud::{Markup, PreEscaped, html};

use crate::ReportError;
use crate::components::numbers::counted;
use crate::components::page::{Assets, Page};
use crate::components::safe_text::foreign;
use crate::figures::figures;
use cast::Cast;
use queries::{Matrix, Room};
pub use sections::{Section, score_sections};

/// Largest file unless said otherwise: what mail and chat still take.
pub const DEFAULT_MAX_BYTES: usize = 3_000_000;

/// What a reader of the report may want otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// The heading; by default made of the data set's name.
    pub title: Option<String>,
    /// Most bytes of the file. Where the queries do not fit, those shown in full are the ones that most contestants failed.
    pub max_bytes: usize,
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self { title: None, max_bytes: DEFAULT_MAX_BYTES }
    }
}

/// Makes the report: one self-contained HTML file, the same bytes for the same account.
///
/// Time and memory are linear in systems × queries; only queries that are shown in full are compared word by word.
///
/// # Errors
/// [`ReportError::TooSmall`] where the parts before the queries take more than `max_bytes` already.
pub fn report(account: &Account, options: &ReportOptions) -> Result<String, ReportError> {
    let cast = Cast::new(account);
    let matrix = Matrix::new(account, &cast);
    let name =
        account.results.report.data.as_ref().map_or(account.results.report.dataset.as_str(), |d| d.name.as_str());
    let title = options.title.clone().unwrap_or_else(|| "Who resolved “the Company”?".to_owned());
    let window = format!("{title} – {name}");
    let parts = Parts::new(account, &cast, &matrix);
    // Everything but the queries first: what it leaves is theirs.
    let whole = |list: &queries::List| parts.page(&title, &window, list).into_string();
    let empty = whole(&queries::List::empty(&matrix));
    let room = Room::within(options.max_bytes, empty.len())
        .ok_or(ReportError::TooSmall { needed: empty.len(), limit: options.max_bytes })?;
    drop(empty);
    Ok(whole(&queries::list(account, &cast, &matrix, room)))
}

/// What does not depend on how many queries are shown.
struct Parts {
    subtitle: Markup,
    head: Markup,
    filters: Markup,
    tail: Markup,
}

impl Parts {
    fn new(account: &Account, cast: &Cast<'_>, matrix: &Matrix<'_>) -> Self {
        let figures = figures(account);
        let sections: [(&str, &str, Markup); 5] = [
            ("data", "What was measured", data_set::section(account, matrix)),
            ("scores", "Scores", html! { (scores::section(account, cast)) (behind::section(account, cast)) }),
            ("figures", "Figures", pictures::section(&figures)),
            ("differences", "Differences", pictures::differences(account, &figures)),
            ("context", "What context brought", ablation::section(account, &figures)),
        ];
        let last: [(&str, &str, Markup); 3] = [
            ("settings", "How it was scored", settings::scoring(account)),
            ("systems", "Systems", settings::systems(account, cast)),
            ("warnings", "Warnings", warnings::section(account, cast, matrix)),
        ];
        let shown = |s: &(&str, &str, Markup)| !s.2.0.is_empty();
        let head = html! {
            (verdict::section(account, cast))
            nav.contents aria-label="Contents" { ul {
                @for (id, title, _) in sections.iter().filter(|s| shown(s)) { li { a href={ "#" (id) } { (title) } } }
                li { a href="#queries" { "Every query" } }
                @for (id, title, _) in last.iter().filter(|s| shown(s)) { li { a href={ "#" (id) } { (title) } } }
            } }
            @for part in sections.iter().filter(|s| shown(s)) { (section(part)) }
        };
        let tail = html! { @for part in last.iter().filter(|s| shown(s)) { (section(part)) } };
        let results = &account.results;
        let data = results.report.data.as_ref();
        let name = data.map_or(results.report.dataset.as_str(), |d| d.name.as_str());
        let subtitle = html! {
            p.muted {
                "Data set “" (foreign(name)) "” · "
                @if let Some(d) = data { (data_set::filings(d)) " · " }
                (counted(matrix.queries.len(), "query", "queries")) " · "
                (counted(cast.members.len(), "system", "systems")) " · " (foreign(&results.tool)) " " (foreign(&results.version))
            }
        };
        Self { subtitle, head, filters: queries::filters(cast, matrix), tail }
    }

    fn page(&self, title: &str, window: &str, list: &queries::List) -> Markup {
        let main = html! {
            h1 { (foreign(title)) }
            (self.subtitle)
            (self.head)
            section #queries aria-labelledby="queries-title" {
                h2 #queries-title { "Every query" }
                (list.said)
                (self.filters)
                ol.items #query-list { (PreEscaped(&list.items)) }
            }
            (self.tail)
        };
        Page { title: window, assets: Assets::Inline, bar: None, main, foot: None }.markup()
    }
}

fn section((id, title, content): &(&str, &str, Markup)) -> Markup {
    let heading = format!("{id}-title");
    html! { section #(*id) aria-labelledby=(heading) { h2 #(heading) { (title) } (content) } }
}
