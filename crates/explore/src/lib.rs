//! A data set and its runs as local web pages.
#![deny(missing_docs)]
