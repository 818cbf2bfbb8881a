//! A difference as mark-up: `<del>` for words of the gold, `<ins>` for words instead of them.
//!
//! Marks differ by line (struck through, underlined), weight and ground; what screen readers hear of them comes from the stylesheet, so
//! that copied text stays clean.

use maud::{Markup, html};

use super::{Change, Piece};
use crate::components::safe_text::visible;

/// The other sentence with what it has instead of the gold's words, and those words struck through.
pub fn unified(pieces: &[Piece]) -> Markup {
    html! {
        bdi {
            @for piece in pieces { (marked(piece)) }
        }
    }
}

/// The gold alone, words that the other lacks marked.
pub fn gold_side(pieces: &[Piece]) -> Markup {
    html! {
        bdi.same-words {
            @for piece in pieces.iter().filter(|p| p.change != Change::Inserted) { (marked(piece)) }
        }
    }
}

/// The other alone, words that the gold lacks marked.
pub fn other_side(pieces: &[Piece]) -> Markup {
    html! {
        bdi {
            @for piece in pieces.iter().filter(|p| p.change != Change::Deleted) { (marked(piece)) }
        }
    }
}

/// The other alone, words that it has in common with the gold marked: for sentences so different that the rest would be all marks.
pub fn common(pieces: &[Piece]) -> Markup {
    html! {
        bdi {
            @for piece in pieces.iter().filter(|p| p.change != Change::Deleted) {
                @if piece.change == Change::Equal && piece.text.chars().any(char::is_alphanumeric) { (around(&piece.text, |word| html! { mark.same { (word) } })) }
                @else { (visible(&piece.text)) }
            }
        }
    }
}

/// Blanks at the ends stay outside of the mark, so that no line reaches into the gap between words.
fn marked(piece: &Piece) -> Markup {
    around(&piece.text, |word| match piece.change {
        Change::Equal => word,
        Change::Deleted => html! { del { (word) } },
        Change::Inserted => html! { ins { (word) } },
    })
}

fn around(text: &str, mark: impl FnOnce(Markup) -> Markup) -> Markup {
    let word = text.trim();
    if word.is_empty() {
        return visible(text);
    }
    let (before, after) = text.split_once(word).unwrap_or(("", ""));
    html! { (visible(before)) (mark(visible(word))) (visible(after)) }
}

#[cfg(test)]
mod tests {
    use super::super::diff;
    use super::*;

    #[test]
    fn marks_are_elements_and_text_is_text() {
        let found = diff("a <b> 1.", "a <b> 2.");
        assert_eq!(unified(&found).into_string(), "<bdi>a &lt;b&gt; <del>1</del> <ins>2</ins>.</bdi>");
        assert_eq!(gold_side(&found).into_string(), r#"<bdi class="same-words">a &lt;b&gt; <del>1</del>.</bdi>"#);
        assert_eq!(other_side(&found).into_string(), "<bdi>a &lt;b&gt; <ins>2</ins>.</bdi>");
        assert_eq!(common(&found).into_string(), r#"<bdi><mark class="same">a &lt;b&gt;</mark> 2.</bdi>"#);
    }
}
