//! Keys of services: from the environment and nowhere else.

use eightk_encode::EncodeError;
use eightk_remote::Secret;

/// The key in this variable; none where it is not set or empty.
#[allow(clippy::disallowed_methods)] // a key has no other place
pub(super) fn key(variable: Option<&str>) -> Result<Option<Secret>, EncodeError> {
    let Some(name) = variable else { return Ok(None) };
    match std::env::var(name) {
        Ok(value) => Secret::new(&value, name),
        Err(std::env::VarError::NotPresent) => Ok(None),
        // Its bytes stay out of the message: they are a key.
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(EncodeError::Usage(format!("the variable {name} holds bytes that are no text")))
        }
    }
}
