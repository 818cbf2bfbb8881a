//! Half-open ranges, one type per unit.

use serde::{Deserialize, Serialize};

macro_rules! span {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        pub struct $name {
            /// First unit inside.
            pub start: usize,
            /// First unit after.
            pub end: usize,
        }

        impl $name {
            /// The range from `start` up to, not including, `end`.
            pub const fn new(start: usize, end: usize) -> Self {
                Self { start, end }
            }

            /// How many units are inside; 0 where the end lies before the start.
            pub const fn len(self) -> usize {
                self.end.saturating_sub(self.start)
            }

            /// Whether nothing is inside.
            pub const fn is_empty(self) -> bool {
                self.end <= self.start
            }

            /// Whether a unit lies in both. Ranges that only touch do not overlap.
            pub const fn overlaps(self, other: Self) -> bool {
                self.start < other.end && other.start < self.end
            }

            /// Whether `other` lies wholly inside.
            pub const fn contains(self, other: Self) -> bool {
                self.start <= other.start && other.end <= self.end
            }
        }
    };
}

span! {
    /// A range of **bytes** in a UTF-8 string.
    Span
}
span! {
    /// A range of **Unicode code points**, the unit of every published offset.
    CharSpan
}

impl Span {
    /// The text inside, or `""` where the range does not fit the string (never a panic).
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_is_not_overlapping() {
        assert!(!CharSpan::new(0, 10).overlaps(CharSpan::new(10, 20)));
        assert!(CharSpan::new(0, 11).overlaps(CharSpan::new(10, 20)));
    }

    #[test]
    fn a_span_that_does_not_fit_is_empty() {
        assert_eq!(Span::new(1, 9).of("abc"), "");
        assert_eq!(Span::new(1, 2).of("é"), "");
        assert_eq!(Span::new(3, 1).of("abcd"), "");
        assert_eq!(Span::new(3, 1).len(), 0);
    }
}
