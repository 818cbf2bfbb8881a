//! The report's sections one by one, for a site that has pages of its own for queries.

use eightk_runs::Account;
use maud::{Markup, html};

use super::cast::Cast;
use super::queries::Matrix;
use super::{ablation, behind, pictures, scores, settings, verdict, warnings};
use crate::figures::figures;

/// A part of the report under a heading.
#[derive(Debug, Clone)]
pub struct Section {
    /// Unique among the sections; a word.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What it says.
    pub content: Markup,
}

/// What an account's scores say: in short, scores, figures, differences, context, how it was scored, systems, warnings; in this
/// order, those that have something to say. What was measured and the queries are not among them.
pub fn score_sections(account: &Account) -> Vec<Section> {
    let cast = Cast::new(account);
    let matrix = Matrix::new(account, &cast);
    let figures = figures(account);
    let all = [
        ("verdict", "In short", verdict::section(account, &cast)),
        ("scores", "Scores", html! { (scores::section(account, &cast)) (behind::section(account, &cast)) }),
        ("figures", "Figures", pictures::section(&figures)),
        ("differences", "Differences", pictures::differences(account, &figures)),
        ("context", "What context brought", ablation::section(account, &figures)),
        ("settings", "How it was scored", settings::scoring(account)),
        ("systems", "Systems", settings::systems(account, &cast)),
        ("warnings", "Warnings", warnings::section(account, &cast, &matrix)),
    ];
    let sections = all.into_iter().map(|(id, title, content)| Section { id, title, content });
    sections.filter(|s| !s.content.0.is_empty()).collect()
}
