//! What an encoder's file is called.

use eightk_encode::Identity;

/// Ends every file of this layout. Another layout gets another ending, so that two releases in turn do not throw out each other's vectors.
pub(super) const ENDING: &str = ".vectors1.sqlite";

/// Ends a file that was set aside.
pub(super) const ASIDE: &str = ".damaged";

/// Longest part of a name that comes from provider and model; with the rest it stays far below the 255 bytes of file systems.
const MAX_READABLE: usize = 80;

/// `{provider}-{model}-{hash}` for people and machines: the hash alone tells encoders apart.
pub(super) fn of_file(who: &Identity) -> String {
    let readable = format!("{}-{}", who.provider, who.model);
    let mut safe = String::new();
    for c in readable.chars() {
        let kept = c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        // One dash for a run of strange characters, and no dot or dash first: no hidden file, no option.
        match if kept { c } else { '-' } {
            '-' | '.' if safe.is_empty() => {}
            '-' if safe.ends_with('-') => {}
            c => safe.push(c),
        }
        if safe.len() == MAX_READABLE {
            break;
        }
    }
    let hash: String = who.hash().iter().take(8).map(|b| format!("{b:02x}")).collect();
    format!("{}-{hash}{ENDING}", safe.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::file::tests::who;
    use proptest::prelude::*;

    #[test]
    fn a_name_can_be_read() {
        let name = of_file(&Identity { model: "acme/embed-large@v2: new".into(), ..who() });
        let (readable, hash) = name.strip_suffix(ENDING).unwrap().rsplit_once('-').unwrap();
        assert_eq!((readable, hash.len()), ("toy-acme-embed-large-v2-new", 16));
    }

    proptest! {
        #[test]
        fn any_model_has_a_safe_name_of_its_own(a in "\\PC{0,300}", b in "\\PC{0,300}") {
            let of = |model: &str| of_file(&Identity { model: model.to_owned(), ..who() });
            let name = of(&a);
            prop_assert!(name.len() < 150 && !name.starts_with(['.', '-']));
            prop_assert!(name.bytes().all(|c| c.is_ascii_alphanumeric() || b"._-".contains(&c)));
            prop_assert_eq!(a == b, name == of(&b));
        }
    }
}
