//! The shape of a piece of text: label, title, sentence.

use super::cues::starts_ignore_case;

/// Words that only a clause has.
fn auxiliary(word: &str) -> bool {
    // Nine words of ten are told by their length or first letter.
    let likely =
        word.len() <= 6 && matches!(word.as_bytes().first(), Some(b'a'..=b'd' | b'h' | b'i' | b'm' | b's' | b'w'));
    likely
        && matches!(
            word,
            "is" | "are"
                | "was"
                | "were"
                | "be"
                | "been"
                | "has"
                | "have"
                | "had"
                | "will"
                | "shall"
                | "may"
                | "can"
                | "cannot"
                | "could"
                | "would"
                | "should"
                | "must"
                | "does"
                | "did"
                | "do"
                | "might"
                | "am"
        )
}

/// Whether the text has a word that only a clause has.
pub(super) fn has_auxiliary(text: &str) -> bool {
    words(text).any(|w| {
        if w.bytes().any(|b| b.is_ascii_uppercase()) { auxiliary(&w.to_ascii_lowercase()) } else { auxiliary(w) }
    })
}

/// The same, leaving out what stands in round brackets.
pub(super) fn has_auxiliary_outside_brackets(text: &str) -> bool {
    let mut depth = 0usize;
    text.split_inclusive(['(', ')']).any(|part| {
        let outside = depth == 0;
        match part.chars().next_back() {
            Some('(') => depth += 1,
            Some(')') => depth = depth.saturating_sub(1),
            _ => {}
        }
        outside && has_auxiliary(part)
    })
}

/// The words of a text. By bytes: this runs over every sentence.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let inside = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'\'' | b'-' | b'.') || !b.is_ascii();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes.get(at..)?.iter().position(inside)?;
        let end = bytes.get(start..)?.iter().position(|b| !inside(b)).map_or(bytes.len(), |n| start + n);
        at = end;
        text.get(start..end)
    })
    .map(|word| if word.is_ascii() { word } else { word.trim_matches(|c: char| !c.is_alphanumeric()) })
    .filter(|word| !word.is_empty())
}

/// Whether the text ends as a sentence ends, closing punctuation and footnote marks aside.
pub(super) fn ends_sentence(text: &str) -> bool {
    let closers =
        |c: char| matches!(c, '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»' | '*' | '†') || c.is_whitespace();
    let bare = text.trim_end_matches(closers);
    if bare.ends_with(['.', '?', '!', '…']) {
        return true;
    }
    // `jobs.(1)`
    bare.rfind(['(', '[']).is_some_and(|i| {
        let mark = bare.get(i + 1..).unwrap_or_default();
        mark.len() < 3
            && !mark.is_empty()
            && mark.bytes().all(|b| b.is_ascii_digit())
            && bare.get(..i).is_some_and(|s| s.trim_end().ends_with('.'))
    })
}

/// Whether there is nothing but a list label: `(a)`, `1.`, `•`, `(a)-(c)`.
pub(super) fn is_label(text: &str) -> bool {
    if text.len() > 16 {
        return false;
    }
    if text.chars().all(|c| !c.is_alphanumeric()) {
        return !is_rule(text);
    }
    text.split_whitespace().all(|w| {
        let inner = w.trim_matches(|c: char| !c.is_alphanumeric());
        let marked = inner.len() < w.len();
        let roman = inner.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'i' | b'v' | b'x')) && inner.len() < 6;
        let short = inner.chars().count() == 1 || (inner.len() < 3 && inner.bytes().all(|b| b.is_ascii_digit()));
        let range = inner.contains(")-(") || inner.contains(") - (");
        (marked && (roman || short || range)) || inner.is_empty() || matches!(inner, "and" | "through")
    })
}

/// Whether there is nothing but a ruled line.
pub(super) fn is_rule(text: &str) -> bool {
    text.chars().count() > 2
        && text.chars().all(|c| matches!(c, '-' | '_' | '=' | '*' | '.' | '–' | '—' | '~' | '#') || c.is_whitespace())
}

/// The text without a label at its beginning.
pub(super) fn without_label(text: &str) -> &str {
    let Some((first, rest)) = text.split_once(char::is_whitespace) else { return text };
    if is_label(first) { rest.trim_start() } else { text }
}

/// Words that stay in lower case in a title.
fn function_word(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "and"
            | "as"
            | "at"
            | "between"
            | "by"
            | "for"
            | "from"
            | "in"
            | "into"
            | "its"
            | "of"
            | "on"
            | "or"
            | "our"
            | "per"
            | "the"
            | "their"
            | "to"
            | "under"
            | "upon"
            | "via"
            | "vs."
            | "with"
            | "within"
            | "regarding"
            | "concerning"
            | "s"
            | "de"
            | "dated"
            | "through"
    )
}

/// Whether a text is a title: no clause, and nothing in lower case but function words.
pub(super) fn is_title(text: &str) -> bool {
    let text = without_label(text);
    if text.len() > 320 || text.ends_with([';', ',']) {
        return false;
    }
    if is_known_subheading(text) {
        return !has_auxiliary(text);
    }
    let mut long = 0;
    for (i, word) in words(text).enumerate() {
        let upper = word.starts_with(|c: char| !c.is_lowercase());
        if !upper && !function_word(word) {
            return false;
        }
        long += usize::from(i > 0 && upper && word.len() > 3 && word.starts_with(char::is_alphabetic));
    }
    long > 0 && !has_auxiliary(text)
}

/// Whether a short emphasised text is a title although it ends in a period.
pub(super) fn is_short_title(text: &str) -> bool {
    text.len() <= 150 && !has_auxiliary(text) && words(text).count() <= 16
}

/// Sub-headings of the form that are written like sentences.
fn is_known_subheading(text: &str) -> bool {
    let known = [
        "financial statements of business",
        "financial statements of the business",
        "pro forma financial information",
        "shell company transaction",
        "financial statements and exhibits",
        "exhibits",
        "not applicable",
        "none.",
        "n/a",
    ];
    text.len() < 110 && known.iter().any(|k| starts_ignore_case(text, k))
}

/// Whether the first piece of a paragraph is a heading that runs in: `Costs of the plan. We expect …`.
pub(super) fn is_run_in_heading(text: &str) -> bool {
    let text = without_label(text);
    text.len() < 120 && !has_auxiliary(text) && (is_title(text) || (words(text).count() <= 6 && !has_verb(text)))
}

/// Whether a participle is the verb: a noun of its own or a preposition follows, as in `approved the plan`, unlike in `deferred
/// costs`.
fn has_verb(text: &str) -> bool {
    let ties = |w: &str| function_word(w) || matches!(w, "that" | "this" | "these" | "such" | "it" | "all");
    let mut after = words(text).skip(1);
    words(text).any(|w| {
        let next = after.next();
        has_participle(w)
            && next.is_none_or(|n| ties(n) || n.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()))
    })
}

/// Whether an emphasised paragraph holds a sentence and more: bold prose.
pub(super) fn runs_on(text: &str) -> bool {
    text.len() > 120 && has_auxiliary(text)
}

fn has_participle(text: &str) -> bool {
    words(text).any(|w| w.len() > 4 && w.ends_with("ed") && w.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Whether a text is a sentence: it ends like one, or it has a clause.
pub(super) fn is_sentence(text: &str) -> bool {
    let count = words(text).take(12).count();
    if text.chars().filter(|c| c.is_alphabetic()).take(3).count() < 3 {
        return false;
    }
    if ends_sentence(text) {
        return count > 2 || has_auxiliary(text);
    }
    let listed = [":", ";", "; and", "; or", ", plus", ", and", ", or"].iter().any(|e| text.ends_with(e));
    count > 3 && (has_auxiliary(text) || (count > 6 && (listed || (has_participle(text) && !ends_in_figure(text)))))
}

/// Whether the last word is an amount, as in a row of two cells.
fn ends_in_figure(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let bare = last.trim_matches(['$', '(', ')', '%', '*', '-']);
    bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.'))
}

/// Whether figures stand in a row as only the cells of a table do: four of them and no comma or word between.
pub(super) fn holds_table(text: &str) -> bool {
    // Four figures have more digits than most sentences have.
    if text.bytes().filter(u8::is_ascii_digit).count() < 8 {
        return false;
    }
    let mut run = 0;
    text.split(' ').any(|word| {
        let bare = word.trim_start_matches(['$', '(', '-']);
        let figure = bare.starts_with(|c: char| c.is_ascii_digit()) && !word.ends_with([',', ';', ':']);
        run = if figure { run + 1 } else { 0 };
        run >= 4
    })
}
