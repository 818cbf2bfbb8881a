//! Text into markup, the ways word processors did it.

use crate::rng::Rng;

/// How characters outside ASCII are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marks {
    /// `&#8220;`
    Decimal,
    /// `&ldquo;`
    Named,
    /// `&#147;`: the number of a Windows-1252 byte.
    Windows,
}

/// Escapes a text.
pub(crate) fn escape(text: &str, marks: Marks) -> String {
    let mut out = String::with_capacity(text.len() + 32);
    for c in text.chars() {
        match (c, marks) {
            ('&', _) => out.push_str("&amp;"),
            ('<', _) => out.push_str("&lt;"),
            ('>', _) => out.push_str("&gt;"),
            ('“', Marks::Named) => out.push_str("&ldquo;"),
            ('”', Marks::Named) => out.push_str("&rdquo;"),
            ('’', Marks::Named) => out.push_str("&rsquo;"),
            ('“', Marks::Windows) => out.push_str("&#147;"),
            ('”', Marks::Windows) => out.push_str("&#148;"),
            ('’', Marks::Windows) => out.push_str("&#146;"),
            (c, _) if c.is_ascii() => out.push(c),
            (c, _) => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    out
}

/// Sentences as one paragraph, with inline elements here and there: around a defined term, in the middle of a word, and a
/// no-break space before a scale word. None of it may show in the text.
pub(crate) fn paragraph(sentences: &[String], marks: Marks, tag: (&str, &str), rng: &mut Rng) -> String {
    let mut out = escape(&sentences.join(" "), marks);
    if rng.chance(40) {
        for term in ["Company", "Registrant"] {
            for (open, close) in [("&#8220;", "&#8221;"), ("&ldquo;", "&rdquo;"), ("&#147;", "&#148;")] {
                out = out.replacen(&format!("{open}{term}{close}"), &format!("{open}<u>{term}</u>{close}"), 1);
            }
        }
    }
    if rng.chance(30) {
        out = out.replace(" million", "&#160;million");
    }
    if rng.chance(25) {
        out = split_word(&out, tag, rng);
    }
    out
}

/// Ends and begins an inline element between two letters, as editors leave it behind.
fn split_word(text: &str, (open, close): (&str, &str), rng: &mut Rng) -> String {
    let bytes = text.as_bytes();
    let from = rng.below(bytes.len().max(1));
    // Not inside a reference or a tag: both neighbours are letters, and no `&` or `<` is open.
    let fits = |&i: &usize| {
        let letter = |j: usize| bytes.get(j).is_some_and(u8::is_ascii_alphabetic);
        let before = text.get(..i).unwrap_or_default();
        let open_reference = before.rfind('&').is_some_and(|at| !before.get(at..).unwrap_or_default().contains(';'));
        let open_tag = before.rfind('<').is_some_and(|at| !before.get(at..).unwrap_or_default().contains('>'));
        letter(i.wrapping_sub(1)) && letter(i) && !open_reference && !open_tag
    };
    match (from..bytes.len().min(from + 60)).find(fits) {
        Some(at) => {
            let (a, b) = text.split_at(at);
            format!("{a}{close}{open}{b}")
        }
        None => text.to_owned(),
    }
}
