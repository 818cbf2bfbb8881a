//! What a value counts.
//!
//! "Charges of $9 million", "savings of $9 million" and "$9 million in cash" differ in one noun: the *head* of the value.
//! A recipe lists heads that are wanted and heads that are not, apart for what stands before a value and what follows
//! it. The road not taken is one long pattern per wording; with several amounts in a sentence those patterns read across
//! each other.
//!
//! Rules, in order: a head directly before the value (`direct` words between) decides; else the first head in the
//! window after it; else the nearest head before it, if what lies between ends as `link` asks. No head: not the fact.
//! Where a wanted and an unwanted head overlap the longer wins: in "cost savings" the savings, in "restructuring charges
//! and savings" each its own.

use crate::pattern::Pattern;

/// Heads before and after a value.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) before_wanted: Pattern,
    pub(crate) before_other: Option<Pattern>,
    pub(crate) direct: usize,
    pub(crate) link: Option<Pattern>,
    pub(crate) after_wanted: Pattern,
    pub(crate) after_other: Option<Pattern>,
    /// Where a match begins, the window ends.
    pub(crate) stop: Option<Pattern>,
    pub(crate) words: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    start: usize,
    end: usize,
    wanted: bool,
}

/// Non-overlapping heads in order; of two that overlap the longer, of two as long the unwanted.
fn heads(text: &[u8], wanted: &Pattern, other: Option<&Pattern>) -> Vec<Found> {
    let list = |re: &Pattern, wanted| {
        re.find_iter(text).map(|m| Found { start: m.start, end: m.end, wanted }).collect::<Vec<_>>()
    };
    let (good, bad) = (list(wanted, true), other.map(|o| list(o, false)).unwrap_or_default());
    // Each list is in order and does not overlap itself, so one walk over both is enough.
    let (mut out, mut g, mut b) =
        (Vec::with_capacity(good.len() + bad.len()), good.iter().peekable(), bad.iter().peekable());
    loop {
        let pick = match (g.peek(), b.peek()) {
            (None, None) => return out,
            (Some(x), None) => {
                out.push(**x);
                g.next();
                continue;
            }
            (None, Some(y)) => {
                out.push(**y);
                b.next();
                continue;
            }
            (Some(x), Some(y)) => (**x, **y),
        };
        let (x, y) = pick;
        if x.end <= y.start {
            out.push(x);
            g.next();
        } else if y.end <= x.start {
            out.push(y);
            b.next();
        } else if x.end - x.start > y.end - y.start {
            b.next();
        } else {
            g.next();
        }
    }
}

/// How many words stand in `text`.
fn words(text: &[u8]) -> usize {
    text.split(|b| *b == b' ').filter(|w| w.iter().any(u8::is_ascii_alphanumeric)).count()
}

impl Head {
    /// Whether the value at `at` (one byte of `masked`) counts what the fact is about.
    pub(crate) fn accepts(&self, masked: &[u8], at: usize) -> bool {
        let (before, after) = (masked.get(..at).unwrap_or_default(), masked.get(at + 1..).unwrap_or_default());
        // A semicolon ends what a head reaches; values in between do not ("charges of # this year and @ next year").
        let clause = before.iter().rposition(|b| *b == b';').map_or(0, |i| i + 1);
        let before = before.get(clause..).unwrap_or_default();
        let nearest = heads(before, &self.before_wanted, self.before_other.as_ref()).pop();
        if let Some(head) = nearest {
            let between = before.get(head.end..).unwrap_or_default();
            if self.direct > 0
                && words(between) <= self.direct
                && !between.iter().any(|b| matches!(b, b',' | b'#' | b'('))
            {
                return head.wanted;
            }
        }
        let window = self.window(after);
        if let Some(head) = heads(window, &self.after_wanted, self.after_other.as_ref()).first() {
            return head.wanted;
        }
        nearest.is_some_and(|head| {
            let between = before.get(head.end..).unwrap_or_default();
            head.wanted && self.link.as_ref().is_none_or(|l| l.is_match(between))
        })
    }

    /// What follows a value, up to the next value or mark that ends its phrase, at most `words` words.
    fn window<'t>(&self, after: &'t [u8]) -> &'t [u8] {
        let mut seen = 0;
        let mut end = 0;
        for (i, b) in after.iter().enumerate() {
            match b {
                b'#' | b';' | b',' | b'(' | b')' => break,
                b' ' => {
                    if seen == self.words {
                        break;
                    }
                    seen += 1;
                }
                _ => {}
            }
            end = i + 1;
        }
        let window = after.get(..end).unwrap_or_default();
        let stop = self.stop.as_ref().and_then(|s| s.find_iter(window).next());
        stop.map_or(window, |s| window.get(..s.start).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(direct: usize) -> Head {
        let re = |p: &str| Pattern::new(p).unwrap();
        Head {
            before_wanted: re(r"restructuring costs|costs?|charges?"),
            before_other: Some(re(r"cost savings|savings|reduce (?:its )?costs")),
            direct,
            link: None,
            after_wanted: re(r"severance|charges?"),
            after_other: Some(re(r"savings|cash")),
            stop: Some(re(" (?:which|that) ")),
            words: 6,
        }
    }

    fn accepts(text: &str) -> bool {
        head(2).accepts(text.as_bytes(), text.find('@').unwrap())
    }

    #[test]
    fn the_nearest_head_decides() {
        assert!(accepts("charges of @"));
        assert!(!accepts("cost savings of @"));
        assert!(accepts("restructuring costs and savings of #, at costs of @"));
        assert!(!accepts("charges of # bring savings of @"));
        assert!(!accepts("of these charges it believes that @ will be cash"));
        assert!(accepts("it expects @ of severance"));
        assert!(accepts("charges will fall this year, with @ by june"));
        assert!(!accepts("it will reduce its costs by @"));
        assert!(!accepts("charges; @ for cars"));
        assert!(!accepts("@"));
    }

    #[test]
    fn a_head_directly_before_beats_one_after() {
        assert!(accepts("charges of @ in cash"));
        assert!(!head(0).accepts(b"charges of @ in cash", 11));
    }
}
