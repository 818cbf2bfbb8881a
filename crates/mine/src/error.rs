//! What can be wrong with a recipe.
//!
//! Everything here is a user's mistake: a recipe is the only input of this crate that can be refused. Filings are never
//! refused here; a filing without facts simply has none.

/// A recipe that cannot be used, with the place to look at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MineError {
    /// Not TOML, a key that no recipe has, a value of the wrong type.
    #[error("recipe {origin}, line {line}, column {column}: {message}")]
    Toml {
        /// Where the recipe came from: a path or a built-in name.
        origin: String,
        /// 1-based line.
        line: usize,
        /// 1-based column in code points.
        column: usize,
        /// What is wrong, in the parser's words.
        message: String,
    },
    /// A pattern that is no regular expression, or a `{name}` in it that stands for nothing.
    #[error("recipe {origin}, {place}: pattern `{pattern}` cannot be used: {message}")]
    Pattern {
        /// Where the recipe came from.
        origin: String,
        /// The key that holds the pattern, such as `fact charges: exclude[2]`.
        place: String,
        /// The pattern as written.
        pattern: String,
        /// Why, and what to do instead.
        message: String,
    },
    /// Well-formed, but without a meaning: two facts of one name, a template without `{name}`.
    #[error("recipe {origin}, {place}: {message}")]
    Meaning {
        /// Where the recipe came from.
        origin: String,
        /// The key that is meant.
        place: String,
        /// What is wrong and what to do instead.
        message: String,
    },
}
