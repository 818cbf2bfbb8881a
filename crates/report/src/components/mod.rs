//! Parts that pages are made of.
//!
//! Everything that strangers wrote (sentences, titles, names of systems) comes into a page through [`safe_text`] or through maud's own
//! escaping, never as mark-up. A component takes values and gives [`maud::Markup`]; it knows no file and no server.

pub mod invented;
pub mod link;
pub mod local_path;
pub mod marks;
pub mod numbers;
pub mod page;
pub mod safe_text;
pub mod table;
pub mod words;
