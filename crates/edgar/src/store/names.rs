//! Which names may become files.
//!
//! EDGAR's file names are foreign input. They are kept as they are or the filing is refused: a name that was made safe by changing
//! letters could fall together with another, and would no longer be the name under which the document is published.

use eightk_core::store_layout::RECORD;

/// The longest name of a document in bytes. File systems allow 255; the rest is room for what tools append.
const LONGEST: usize = 200;

/// Whether a document may be kept under its own name; otherwise why not.
pub fn usable_file_name(name: &str) -> Result<(), String> {
    let problem = if name.is_empty() {
        "it is empty"
    } else if name.len() > LONGEST {
        "it is longer than 200 bytes"
    } else if name.contains(|c: char| matches!(c, '/' | '\\' | ':') || c.is_control()) {
        "it holds a separator or a control character"
    } else if name.starts_with('.') {
        "it begins with a dot"
    } else if name.eq_ignore_ascii_case(RECORD) {
        "the store keeps its own record under that name"
    } else {
        return Ok(());
    };
    Err(format!("{name:?} cannot be the name of a document: {problem}"))
}

/// Whether a plan may have this name: letters, digits, `-`, `_` and inner dots, at most 100 bytes.
pub(super) fn usable_plan_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 100
        && !name.starts_with('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
}

#[cfg(test)]
mod tests {
    use std::path::{Component, Path};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_usable_name_stays_in_its_folder(name in "(\\.|/|\\\\|:|~|a|\n|\u{0}){0,8}|\\PC{0,12}") {
            if usable_file_name(&name).is_ok() {
                let parts: Vec<_> = Path::new(&name).components().collect();
                prop_assert!(matches!(parts.as_slice(), [Component::Normal(part)] if *part == name.as_str()), "{name:?}");
            }
        }
    }

    #[test]
    fn only_plain_names_become_files() {
        for good in ["d8k.htm", "a b.txt", "0001234567-24-000001.txt", "é.htm", &"x".repeat(200)] {
            assert_eq!(usable_file_name(good), Ok(()), "{good}");
        }
        let long = "x".repeat(201);
        for bad in
            ["", ".", "..", ".hid", "a/b", "../a", "a\\b", "c:x", "a\nb", "a\u{0}", "a\u{85}b", "FILING.json", &long]
        {
            assert!(usable_file_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_error_shows_the_name_on_one_line() {
        assert!(!usable_file_name("two\nlines.htm").unwrap_err().contains('\n'));
    }

    #[test]
    fn names_of_plans() {
        assert!(usable_plan_name("restructuring-2024_1.all"));
        for bad in ["", ".x", "a/b", "a b", "ü", &"x".repeat(101)] {
            assert!(!usable_plan_name(bad), "{bad}");
        }
    }
}
