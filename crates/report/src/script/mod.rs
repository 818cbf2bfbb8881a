//! The script of every page: what a reader without it would do by scrolling.
//!
//! It sorts tables, filters and opens lists, and follows links into what is folded away. It makes its own buttons, so that a page
//! without script has none that do nothing; it writes text only as text; it remembers nothing and asks nobody. The road not taken is
//! a library: none of them is as small as what is needed here, and all of them want a looser content policy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// Each file is its own block: names of one do not reach the other.
const SCRIPT: &str = concat!(
    "\"use strict\";\n{\n",
    include_str!("tables.js"),
    "}\n{\n",
    include_str!("lists.js"),
    "}\n{\n",
    include_str!("links.js"),
    "}\n",
);

static HASH: LazyLock<String> =
    LazyLock::new(|| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()))));

/// The script, for a file of its own or to stand at the end of a page. It expects the page to be there: `defer`, or last in `<body>`.
pub fn js() -> &'static str {
    SCRIPT
}

/// What a content policy calls this script when it stands in the page: `'sha256-…'`.
pub fn policy_hash() -> &'static str {
    HASH.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_to_what_a_strict_policy_and_a_careful_reader_allow() {
        for word in [
            "innerHTML",
            "outerHTML",
            "document.write",
            "eval(",
            "Function(",
            "fetch",
            "XMLHttp",
            "Storage",
            "cookie",
            "</",
            "http",
        ] {
            assert!(!js().contains(word), "{word}");
        }
        assert!(policy_hash().starts_with("'sha256-") && policy_hash().len() == 53);
    }
}
