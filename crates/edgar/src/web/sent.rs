//! What came over the wire, before anybody judges it.

/// One answer, or what there is of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sent {
    /// Status; 0 when no head came.
    pub status: u16,
    /// `Content-Type`.
    pub content_type: Option<String>,
    /// `Content-Encoding`.
    pub encoding: Option<String>,
    /// `Content-Length`, of the body as it came over the wire.
    pub length: Option<u64>,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub last_modified: Option<String>,
    /// `Retry-After`.
    pub retry_after: Option<String>,
    /// `Location`.
    pub location: Option<String>,
    /// The body as it came over the wire, still encoded.
    pub body: Vec<u8>,
    /// Whether the framing (a length, or the last chunk) says that this is the end of the body.
    pub ended: bool,
    /// Whether the rest was left unread on purpose, because it is not wanted.
    pub left: bool,
    /// What went wrong on the way: a reset, a timeout, a body over the bound.
    pub error: Option<SendError>,
}

/// What went wrong on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendError {
    /// The connection failed or fell silent; another try may do.
    Connection(String),
    /// The body is longer than any that is accepted.
    TooLong,
    /// It cannot be asked at all, such as an address that is none.
    Request(String),
}
