//! What a sentence is to a query or a filing: a word, a ground and a line that say it together.

use maud::{Markup, html};

use super::safe_text::{foreign, plain};

/// Gold, evidence, and their likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// The answer.
    Gold,
    /// Tells whose the answer is.
    Evidence,
    /// Another sentence of the gold's filing with the same fact.
    Alternative,
    /// Another company's sentence with the same fact: an impostor where it is put first.
    Rival,
    /// Not kept.
    Dropped,
    /// None of them.
    Plain,
}

impl Mark {
    /// Its class in the stylesheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Gold => "gold",
            Self::Evidence => "evidence",
            Self::Alternative => "alternative",
            Self::Rival => "rival",
            Self::Dropped => "dropped",
            Self::Plain => "plain",
        }
    }

    /// What its badge says by default.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "other",
            named => named.class(),
        }
    }
}

/// A badge that says what it is, in words of the caller.
pub fn badge(mark: Mark, word: &str) -> Markup {
    html! { span class={ "badge " (mark.class()) } { (foreign(word)) } }
}

/// A badge of a dropped sentence: the reason is on it.
pub fn dropped(reason: &str) -> Markup {
    html! { span.badge.dropped { "dropped: " (foreign(reason)) } }
}

/// A sentence within running text, under its mark.
pub fn sentence(mark: Mark, text: &str) -> Markup {
    match mark {
        Mark::Dropped => html! { s.dropped-text { (foreign(text)) } },
        Mark::Plain => foreign(text),
        _ => html! { mark class=(mark.class()) title=(mark.word()) { (foreign(text)) } },
    }
}

/// A sentence set apart: badge, whose it is (a link or text), more words, and the sentence as mark-up (a difference, or text made safe).
pub fn quote(mark: Mark, word: &str, from: &Markup, more: &Markup, text: &Markup) -> Markup {
    html! {
        div class={ "quote " (mark.class()) } {
            div.from { (badge(mark, word)) " " span { (from) } " " (more) }
            p { (text) }
        }
    }
}

/// What the marks mean, for the head of a page with marked text.
pub fn legend(marks: &[(Mark, &str)]) -> Markup {
    html! {
        ul.legend {
            @for (mark, meaning) in marks { li { (badge(*mark, mark.word())) " " (plain(meaning)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_says_its_name_and_has_a_look() {
        for mark in [Mark::Gold, Mark::Evidence, Mark::Alternative, Mark::Rival, Mark::Dropped, Mark::Plain] {
            assert!(badge(mark, mark.word()).into_string().contains(mark.word()));
            assert!(crate::style::css().contains(&format!(".badge.{}", mark.class())), "{mark:?}");
        }
        let hostile =
            quote(Mark::Rival, "<i>", &html! {}, &html! {}, &sentence(Mark::Gold, "\"><script>")).into_string();
        assert!(!hostile.contains("<i>") && !hostile.contains("<script>"));
        assert!(dropped("too short").into_string().contains("dropped: <bdi>too short"));
    }
}
