//! Which words of two sentences differ: `$12 million` against `$15 million` in thirty others.
//!
//! Words are compared, not characters: `12` and `15` share a digit, and a reader who sees half a number marked has to put it together
//! again. The alignment is `similar`'s (Myers); what is ours is what a word is and which islands of likeness are chance. The road not
//! taken is to show only the share of common words: the one amount that differs is what the eye is looking for.

mod align;
mod shown;
mod token;

pub use align::{Change, Piece, diff, likeness};
pub use shown::{common, gold_side, other_side, unified};
