//! What is looked for.

use eightk_core::{FilingDate, Form};
use serde::{Deserialize, Serialize};

/// The filings that are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// Words of the full-text search; empty: none. A phrase without quotation marks is searched as one phrase; with any, it is
    /// handed on as it stands.
    pub phrase: String,
    /// Forms, exactly: 8-K does not bring 8-K/A.
    pub forms: Vec<Form>,
    /// Item numbers, any of which is enough; empty: any filing.
    pub items: Vec<String>,
    /// First day of filing.
    pub from: Option<FilingDate>,
    /// Last day of filing.
    pub to: Option<FilingDate>,
    /// Whether a filing counts whose phrase stands in an exhibit alone.
    pub exhibits: bool,
}
