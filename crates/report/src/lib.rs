//! Scores as one HTML page.
#![deny(missing_docs)]
