//! Text that strangers wrote, shown as what it is.
//!
//! Escaping keeps it from becoming mark-up. That is not all a text can do: characters that turn the direction of writing can make the
//! words around it read backwards, and characters nobody sees can make two different sentences look the same. Each such character is shown by
//! its number, and the text is isolated from its neighbours. The road not taken is to take them out: the page would then show
//! another text than the one that was ranked.

use maud::{Markup, html};

/// Whether a character would go unseen, or act on the text around it.
fn is_hidden(c: char) -> bool {
    matches!(c,
        // Controls but for tab and line feed, which HTML takes as blanks.
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
        | '\u{ad}' | '\u{61c}' | '\u{180e}'
        // Zero width, direction marks, line and paragraph separators, embeddings, joiners, isolates.
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        // Tags.
        | '\u{e0000}'..='\u{e007f}')
}

/// Pieces to show as they are (`Ok`) and characters to name (`Err`).
fn pieces(text: &str) -> impl Iterator<Item = Result<&str, char>> {
    text.split_inclusive(is_hidden).flat_map(|piece| {
        let last = piece.chars().next_back().filter(|c| is_hidden(*c));
        let shown = last.and_then(|c| piece.strip_suffix(c)).unwrap_or(piece);
        [(!shown.is_empty()).then_some(Ok(shown)), last.map(Err)].into_iter().flatten()
    })
}

fn number(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// The text, with what cannot be seen shown by its number. For use inside an element that isolates it already.
pub fn visible(text: &str) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Ok(shown) => (shown),
                Err(c) => span.ctl { (number(c)) },
            }
        }
    }
}

/// The text, isolated: whatever its direction, what stands beside it stays where it is.
pub fn foreign(text: &str) -> Markup {
    html! { bdi { (visible(text)) } }
}

/// The title of a filing, isolated: its form and its day (`8-K`, `2024-03-05`) are not broken at their hyphens.
pub fn title(text: &str) -> Markup {
    // A form or a day is no longer; a company's hyphens are its own.
    const LONGEST: usize = 10;
    let whole = |word: &str| word.len() <= LONGEST && word.contains('-') && word.contains(|c: char| c.is_ascii_digit());
    html! {
        bdi {
            @for (i, word) in text.split(' ').enumerate() {
                @if i > 0 { " " }
                @if whole(word) { span.whole { (visible(word)) } } @else { (visible(word)) }
            }
        }
    }
}

/// A name without blanks (`model:view/control`), isolated, that may go on in the next line after its signs.
pub fn name(text: &str) -> Markup {
    let mut parts = text.split_inclusive([':', '/', '+', '_']).peekable();
    html! {
        bdi { @while let Some(part) = parts.next() { (visible(part)) @if parts.peek().is_some() { wbr; } } }
    }
}

/// The same for an attribute or a `<title>`, where there are no elements.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Ok(shown) => out += shown,
            Err(c) => {
                out.push('⟨');
                out += &number(c);
                out.push('⟩');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_would_go_unseen_is_named() {
        assert_eq!(foreign("a\u{202e}b<i>").into_string(), r#"<bdi>a<span class="ctl">U+202E</span>b&lt;i&gt;</bdi>"#);
        assert_eq!(plain("\0x\u{200b}\u{200b}"), "⟨U+0000⟩x⟨U+200B⟩⟨U+200B⟩");
        assert_eq!(visible("a\tb\nc é “x” 数").into_string(), "a\tb\nc é “x” 数");
        assert_eq!(visible("").into_string(), "");
        assert_eq!(name("m:a/b<").into_string(), "<bdi>m:<wbr>a/<wbr>b&lt;</bdi>");
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in "\\PC{0,10}[\u{0}-\u{20}\u{200b}-\u{202e}<>&\"']{0,10}\\PC{0,10}") {
            prop_assert!(!plain(&text).contains(is_hidden));
            let shown = visible(&text).into_string();
            prop_assert!(!shown.contains(is_hidden));
            let without = shown.replace(r#"<span class="ctl">"#, "").replace("</span>", "");
            prop_assert!(!without.contains(['<', '>']));
        }
    }

    #[test]
    fn forms_and_days_stay_whole() {
        let shown = title("Böhm <b> 8-K 2024-03-05").into_string();
        assert_eq!(
            shown,
            r#"<bdi>Böhm &lt;b&gt; <span class="whole">8-K</span> <span class="whole">2024-03-05</span></bdi>"#
        );
        assert_eq!(title("Semi-conductors of 1999").into_string(), "<bdi>Semi-conductors of 1999</bdi>");
    }
}
