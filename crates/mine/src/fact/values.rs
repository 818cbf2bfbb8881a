//! Values as marks.
//!
//! "in the range of approximately $9 million to $11 million" is one value. A recipe gives the plain form (`{money}`);
//! what stands before it without changing what it counts ("approximately", "up to") and the two ends of a range are
//! taken into the mark here, for every recipe alike. Patterns then read `charges of @` whatever the wording.

use std::sync::LazyLock;

use super::rule::OTHER;
use crate::pattern::Pattern;

static AROUND: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let approx = "(?:(?:approximately|approx\\.?|about|around|roughly|nearly|almost|some|circa|up to|at (?:least|most|or about)|(?:no |not )?(?:more|less|fewer) than|as (?:many|much|few) as|over|under|an (?:estimated|aggregate of|additional|average of)|a (?:further|minimum of|maximum of|range of)|in (?:excess of|(?:the|a) (?:range|area|neighborhood|neighbourhood|vicinity|region|order) of)|ranging from|on the order of|close to|(?:just |slightly |well )(?:over|under|above|below|more than|less than)|the|a|between|from) )*";
    Pattern::own(&format!(
        "\\b(?:between|from) {approx}# (?:and|to) {approx}#|(?:\\b{approx})?#(?: ?(?:-|to|through) ?{approx}#)?"
    ))
});

/// The text with each value as one mark, and where the marks are.
pub(super) fn mask_values(values: Option<&Pattern>, text: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let Some(values) = values else { return (text.to_vec(), Vec::new()) };
    let plain = values.replace(text, |_| &[OTHER]);
    let (mut out, mut at, mut from) = (Vec::with_capacity(plain.len()), Vec::new(), 0);
    for found in AROUND.iter().flat_map(|p| p.find_iter(&plain)) {
        out.extend_from_slice(plain.get(from..found.start).unwrap_or_default());
        at.push(out.len());
        out.push(OTHER);
        from = found.end;
    }
    out.extend_from_slice(plain.get(from..).unwrap_or_default());
    (out, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_roundings_are_one_mark() {
        let p = Pattern::new(r"(?:\$|€)[0-9.]+(?: million)?|\b[0-9.]+ million|[0-9]+%").unwrap();
        let masked = |s: &str| String::from_utf8(mask_values(Some(&p), s.as_bytes()).0).unwrap();
        for s in [
            "costs of $6 to $10 million",
            "costs of $22-25 million",
            "costs of €9 million",
            "costs of up to $250",
            "costs of between $4.5 million and $5 million",
            "costs of approximately $3 million to approximately $4 million",
            "costs of in the range of $9 million to $11 million",
            "costs of an estimated $5 - $7 million",
            "costs of $.80",
            "costs of just over $2 million",
            "costs of not more than 5%",
            "costs of a further 3% to 5%",
        ] {
            assert_eq!(masked(s), "costs of #", "{s}");
        }
        assert_eq!(masked("$3 million of costs and $2 million of rent"), "# of costs and # of rent");
        assert_eq!(mask_values(Some(&p), b"a $3 or 4%").1, [0, 5]);
    }

    #[test]
    fn the_pattern_compiles() {
        assert!(AROUND.is_some());
    }
}
