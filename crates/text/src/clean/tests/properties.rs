//! What holds of any input.

use proptest::prelude::*;

use super::{check, clean};

/// Pieces of documents, whole and broken.
fn piece() -> impl Strategy<Value = String> {
    let tags = prop::sample::select(vec![
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<div>",
        "</div>",
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "</td>",
        "<br>",
        "<hr/>",
        "<sup>",
        "</sup>",
        "<pre>",
        "</pre>",
        "<span style='padding-left:9pt'>",
        "</span>",
        "<div style='display:inline'>",
        "<title>",
        "</title>",
        "<!-- c -->",
        "<!--",
        "&nbsp;",
        "&#146;",
        "&amp;",
        "&",
        "<",
        ">",
        "$",
        ")",
        "%",
        "1",
        "\n",
        "\n\n",
        "\t",
        "<PAGE>",
        "<TABLE>",
        "\u{C}",
        "-----",
        "Item 2.05 Costs Associated with",
        "SIGNATURES",
        "   ",
        "....",
        "|",
        "“",
        "é",
        "\u{AD}",
        "<ix:nonNumeric name='dei:X'>",
        "</ix:nonNumeric>",
        "<ix:header>",
        "</ix:header>",
        "<TYPE>8-K\n",
        "</font>",
        "<p style='page-break-before:always'>",
    ])
    .prop_map(str::to_owned);
    prop_oneof![3 => tags, 2 => "[a-z]{1,9}", 1 => "[A-Z a-z.,]{0,30}", 1 => "\\PC{0,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn segments_cover_the_text_and_never_go_backwards(pieces in prop::collection::vec(piece(), 0..60), html in any::<bool>()) {
        let body = pieces.concat();
        let source = if html { format!("<html><body>{body}") } else { body };
        if let Ok(c) = clean(source.as_bytes()) {
            check(source.as_bytes(), &c);
            let again = clean(source.as_bytes()).unwrap();
            prop_assert_eq!(&again.text, &c.text);
            prop_assert_eq!(&again.map, &c.map);
            prop_assert_eq!(&again.paragraphs, &c.paragraphs);
        }
    }

    #[test]
    fn any_bytes_are_cleaned_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(c) = clean(&bytes) {
            check(&bytes, &c);
        }
    }

    #[test]
    fn single_byte_files_map_like_others(words in prop::collection::vec("[a-z\u{E9}\u{2019}\u{201C}]{1,8}", 1..20)) {
        let text = words.join(" ");
        let source = format!("<html><body><p>{text}</p></body></html>");
        let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&source);
        // By chance such bytes are UTF-8 too, and then they are read as that.
        prop_assume!(bytes.is_ascii() || std::str::from_utf8(&bytes).is_err());
        let c = clean(&bytes).unwrap();
        prop_assert_eq!(&c.text, &text);
        check(&bytes, &c);
    }

    /// Inline tags at any place in a word change nothing; whatever hides never shows.
    #[test]
    fn words_survive_inline_tags(words in prop::collection::vec("[a-z]{2,9}", 1..12), cuts in prop::collection::vec(0usize..9, 12), kinds in prop::collection::vec(0usize..5, 12)) {
        let mut markup = String::new();
        for (i, word) in words.iter().enumerate() {
            let (a, b) = word.split_at(cuts[i] % word.len());
            let cut = match kinds[i] {
                0 => format!("{a}<b>{b}</b>"),
                1 => format!("<font size=2>{a}</font><font>{b}</font>"),
                2 => format!("{a}<span style='display:none'>HIDDEN<p>HIDDEN</p></span>{b}"),
                3 => format!("{a}<!-- HIDDEN -->{b}<ix:exclude></ix:exclude>"),
                _ => format!("{a}<ix:hidden>HIDDEN</ix:hidden><a name='x'/>{b}"),
            };
            markup.push_str(&cut);
            markup.push(' ');
        }
        let c = clean(format!("<html><body><p>{markup}</p></body></html>").as_bytes()).unwrap();
        prop_assert_eq!(c.text, words.join(" "));
    }

    /// Words in blocks and cells are never glued.
    #[test]
    fn blocks_and_cells_part_words(words in prop::collection::vec("[a-z]{1,9}", 1..30), kinds in prop::collection::vec(0usize..5, 30)) {
        let mut markup = String::new();
        for (i, word) in words.iter().enumerate() {
            markup.push_str(&match kinds[i] {
                0 => format!("<p>{word}</p>"),
                1 => format!("<div>{word}</div>"),
                2 => format!("{word}<br>"),
                3 => format!("<table><tr><td>{word}</td></tr></table>"),
                _ => format!("<li>{word}</li>"),
            });
        }
        let c = clean(format!("<html><body>{markup}</body></html>").as_bytes()).unwrap();
        let found: Vec<&str> = c.text.split_whitespace().collect();
        prop_assert_eq!(found, words.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
