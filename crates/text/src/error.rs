//! Why a file is refused as a filing.

/// A file that cannot become a filing's text. All of these are bad data; none is a bug or a user's mistake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing in it, or nothing but white space.
    #[error("the file is empty")]
    Empty,
    /// A PDF, an image, an archive.
    #[error("the file is binary ({0}), not HTML or text")]
    Binary(&'static str),
    /// A page EDGAR serves in place of a document.
    #[error("the file is EDGAR's page \"{0}\", not a filing; fetch the document again")]
    ErrorPage(&'static str),
    /// The list of a filing's documents.
    #[error("the file is the index page of a filing, not a document of it; fetch the primary document")]
    IndexPage,
    /// A submission that ends inside a document.
    #[error("the submission is cut off inside its primary document (no </TEXT> after <TEXT>); fetch it again")]
    Truncated,
    /// A submission without a document of the form.
    #[error("the submission holds no 8-K document")]
    NoPrimaryDocument,
    /// Too many characters that could not be decoded.
    #[error("{0} characters cannot be decoded; the file is damaged or in no known character set")]
    Undecodable(usize),
    /// A gzip member that is damaged or ends early.
    #[error("the gzip data is damaged or cut off")]
    Gzip,
    /// A gzip member that unpacks to more than any filing holds.
    #[error("the gzip data unpacks to more than 50 MB; no filing is that large")]
    TooLarge,
    /// Nothing visible is left once markup and hidden parts are gone.
    #[error("the document shows no text")]
    NoText,
}
