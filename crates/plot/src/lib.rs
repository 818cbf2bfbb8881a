//! Charts as SVG.
#![deny(missing_docs)]
