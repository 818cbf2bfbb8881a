//! What may stand behind a key.

/// Every key that a comma and `=` make one, whatever the system.
pub(super) const KEYS: &[&str] = &[
    "about",
    "as",
    "batch",
    "context",
    "control",
    "dims",
    "dtype",
    "key-env",
    "max-tokens",
    "max-tokens-per-doc",
    "model",
    "parallel",
    "passage-prompt",
    "passage-prompt-name",
    "pooling",
    "price",
    "query-prompt",
    "query-prompt-name",
    "raw-scores",
    "revision",
    "similarity",
    "storage",
    "timeout",
    "truncate",
    "truncate-prompt-tokens",
    "url",
    "view",
];

/// Checks a value of an encoder or reranker.
pub(super) fn check(key: &str, value: &str) -> Result<(), &'static str> {
    match key {
        "dims" | "batch" | "parallel" | "max-tokens" | "max-tokens-per-doc" => match value.parse::<u32>() {
            Ok(1..) => Ok(()),
            _ => Err("must be a whole number from 1"),
        },
        "price" => match value.parse::<f64>() {
            Ok(price) if price.is_finite() && price >= 0.0 => Ok(()),
            _ => Err("must be a price in dollars per million tokens, such as 0.02"),
        },
        "timeout" => match value.parse::<f64>() {
            Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(()),
            _ => Err("must be a number of seconds, up to 86400"),
        },
        "about" | "context" | "raw-scores" | "truncate" => match value {
            "true" | "false" => Ok(()),
            _ => Err("must be true or false"),
        },
        "similarity" => match value {
            "cosine" | "dot" | "hamming" => Ok(()),
            _ => Err("must be cosine, dot or hamming"),
        },
        "url" => check_url(value),
        // Empty: no key, though the service's usual variable may be set.
        "key-env" if value.is_empty() => Ok(()),
        "key-env" => {
            let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
            if value.bytes().all(fits) && !value.starts_with(|c: char| c.is_ascii_digit()) {
                Ok(())
            } else {
                Err(
                    "must be the name of an environment variable that holds the key, such as VOYAGE_API_KEY; never the key itself",
                )
            }
        }
        "dtype" | "pooling" | "revision" => {
            let fits = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            if !value.is_empty() && value.chars().all(fits) { Ok(()) } else { Err("must be one word") }
        }
        _ => Ok(()),
    }
}

/// An address as specs may hold it: specs are printed and stored, so no user and no password.
pub(super) fn check_url(value: &str) -> Result<(), &'static str> {
    let rest = value.strip_prefix("http://").or_else(|| value.strip_prefix("https://"));
    let Some(rest) = rest.filter(|r| !r.is_empty() && !r.contains(char::is_whitespace)) else {
        return Err("must be an address that begins with http:// or https://");
    };
    if rest.split(['/', '?', '#']).next().unwrap_or_default().contains('@') {
        return Err("must not hold a user or password: a spec is printed and stored; give key-env=VARIABLE");
    }
    if rest.contains('?') || rest.contains('#') {
        return Err("must end before any `?` or `#`: a spec is printed and stored; give a key by key-env=VARIABLE");
    }
    Ok(())
}

/// A name for tables and files.
pub(super) fn check_name(value: &str) -> Result<(), &'static str> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || ",;()\\".contains(c);
    if value.is_empty() || value.len() > 80 || value.contains(bad) {
        return Err(
            "must be a name of at most 80 letters without spaces, commas, semicolons, parentheses and backslashes",
        );
    }
    if value.parse::<super::SystemSpec>().is_ok() {
        return Err("must not be the name of another system");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_no_secrets() {
        for good in ["http://localhost:8080", "https://api.example.com/v1", "http://[::1]:9/x@y"] {
            assert_eq!(check_url(good), Ok(()), "{good}");
        }
        for bad in ["", "localhost", "ftp://x", "http://", "http://a b"] {
            assert!(check_url(bad).unwrap_err().contains("begins with http"), "{bad}");
        }
        assert!(check_url("https://me:secret@host/v1").unwrap_err().contains("password"));
        assert!(check_url("https://host/v1?api_key=s").unwrap_err().contains("key-env"));
    }

    #[test]
    fn a_key_is_named_and_not_written() {
        assert_eq!(check("key-env", "VOYAGE_API_KEY"), Ok(()));
        assert_eq!(check("key-env", ""), Ok(()));
        for bad in ["sk-123", "1A", "A B"] {
            assert!(check("key-env", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_are_numbers() {
        for (key, good, bad) in [
            ("dims", "256", "0"),
            ("batch", "1", "-1"),
            ("max-tokens", "512", "x"),
            ("price", "0", "NaN"),
            ("price", "0.02", "-1"),
            ("timeout", "0.5", "0"),
            ("timeout", "60", "inf"),
            ("dtype", "int8", ""),
            ("parallel", "4", "many"),
            ("truncate", "true", "yes"),
            ("similarity", "dot", "angle"),
            ("revision", "refs/pr/1", "a b"),
        ] {
            assert_eq!(check(key, good), Ok(()), "{key}={good}");
            assert!(check(key, bad).is_err(), "{key}={bad}");
        }
    }

    #[test]
    fn no_system_takes_the_name_of_another() {
        assert_eq!(check_name("minilm"), Ok(()));
        for bad in ["", "a b", "a,b", "oracle", "random:3", "bm25:title", "dense:x"] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }
}
