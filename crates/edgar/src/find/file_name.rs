//! File names that come from outside and become part of an address and of a path on disk.

use crate::store::usable_file_name;

/// The name of a document, freed of the viewers that EDGAR's pages wrap around it (`/ix?doc=`, `xsl…/`).
///
/// # Errors
///
/// Why it cannot be used: what the store would not keep is not even asked for.
pub fn checked(name: &str) -> Result<String, String> {
    let name = name.trim();
    let mut bare = name.strip_prefix("/ix?doc=").or_else(|| name.strip_prefix("ix?doc=")).unwrap_or(name);
    if bare.starts_with("/Archives/edgar/data/") {
        bare = bare.rsplit('/').next().unwrap_or_default();
    }
    if let Some((viewer, file)) = bare.split_once('/')
        && viewer.starts_with("xsl")
    {
        bare = file;
    }
    usable_file_name(bare).map(|()| bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewers_are_stripped() {
        for name in [
            "tarn 8k.htm",
            " tarn 8k.htm",
            "/ix?doc=/Archives/edgar/data/12345/000123456724000001/tarn 8k.htm",
            "ix?doc=tarn 8k.htm",
            "xslF345X03/tarn 8k.htm",
        ] {
            assert_eq!(checked(name).as_deref(), Ok("tarn 8k.htm"), "{name}");
        }
    }

    #[test]
    fn what_leads_elsewhere_is_refused() {
        let long = "a".repeat(201);
        for name in [
            "",
            " ",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "a\0b",
            "a\nb",
            "xsl1/../x",
            "/etc/passwd",
            ".part",
            &long,
            "/Archives/edgar/data/",
            "/Archives/edgar/data/1/..",
        ] {
            assert!(checked(name).is_err(), "{name}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_taken_stays_in_its_folder(name in "(/ix\\?doc=|xsl|/|\\.|\\\\|a|\\PC){0,9}") {
            if let Ok(name) = checked(&name) {
                let parts: Vec<_> = std::path::Path::new(&name).components().collect();
                proptest::prop_assert!(matches!(parts[..], [std::path::Component::Normal(_)]));
            }
        }
    }
}
