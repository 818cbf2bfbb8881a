//! What can be wrong with a value that claims to be one of our types.

/// A value that does not have the form its type asks for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// Not an EDGAR accession number.
    #[error("`{0}` is no accession number (ten digits, two, six: 0000051434-25-000060)")]
    Accession(String),
    /// Not a calendar date in the form EDGAR uses.
    #[error("`{0}` is no date of the form YYYY-MM-DD")]
    Date(String),
    /// A reason for dropping a sentence that we do not know.
    #[error("`{0}` is no reason for dropping a sentence")]
    DropReason(String),
}
