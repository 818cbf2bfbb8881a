//! Compressed filings.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::TextError;

/// No filing is larger; what unpacks to more is a mistake or an attack. The same limit as for files that come unpacked.
const MAX_UNPACKED: u64 = 50_000_000;

/// The file as it is, or unpacked where it is gzip.
///
/// # Errors
///
/// [`TextError::Gzip`] where the data is damaged or cut off, [`TextError::TooLarge`] where it unpacks to more than 50 MB.
pub(super) fn unpacked(raw: &[u8]) -> Result<Cow<'_, [u8]>, TextError> {
    if !raw.starts_with(b"\x1F\x8B") {
        return Ok(Cow::Borrowed(raw));
    }
    let mut out = Vec::new();
    MultiGzDecoder::new(raw).take(MAX_UNPACKED + 1).read_to_end(&mut out).map_err(|_| TextError::Gzip)?;
    if out.len() as u64 > MAX_UNPACKED {
        return Err(TextError::TooLarge);
    }
    Ok(Cow::Owned(out))
}
