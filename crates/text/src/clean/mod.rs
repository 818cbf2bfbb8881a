//! From bytes to visible text.

mod segment_map;

pub use segment_map::{Segment, SegmentMap};
