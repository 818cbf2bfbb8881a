//! Does a sentence state a fact?
//!
//! ```text
//! sentence ─▶ gate ─▶ key ─▶ dates masked ─▶ replace ─▶ require, exclude ─▶ values ─▶ each value: reject, head
//!           (literals)                                  (whole sentence)             (what does it count?)
//! ```

mod gate;
mod head;
mod key;
mod mask;
mod rule;
mod values;

pub(crate) use gate::{Gate, MAX_GROUPS};
pub(crate) use head::Head;
pub(crate) use key::matching_key;
pub(crate) use mask::mask_dates;
pub(crate) use rule::{Context, FactRule, Require, Whole};
