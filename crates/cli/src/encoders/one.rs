//! The name of a single encoder, as `--model` takes it.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use eightk_retrieve::{DenseSpec, EncoderKind, EncoderSpec, Storage, SystemSpec, View};

/// A folder, a name on the Hub, or the spec of a system of vectors of which only the encoder is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OneEncoder(pub(crate) EncoderSpec);

impl FromStr for OneEncoder {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let given = given.trim();
        let plain = || {
            let (kind, settings) = (EncoderKind::Dense, BTreeMap::new());
            Ok(Self(EncoderSpec { kind, name: given.to_owned(), settings }))
        };
        if given.is_empty() {
            return Err("names no model".to_owned());
        }
        if Path::new(given).is_dir() {
            return plain();
        }
        match given.parse::<SystemSpec>() {
            Ok(SystemSpec::Dense(dense)) => encoder_of(dense).map(Self),
            Ok(_) => Err(format!("`{given}` makes no vectors; give a model: {POSSIBLE}")),
            // What has the kind of an encoder before it was meant as a spec, and what is wrong with it helps.
            Err(e) if has_kind(given) => Err(e.to_string()),
            Err(_) => plain(),
        }
    }
}

const POSSIBLE: &str = "a folder, a name on the Hub (OWNER/NAME), or a spec such as dense:MODEL,pooling=cls, openai:MODEL,url=ADDRESS or cmd:PROGRAM";

fn has_kind(given: &str) -> bool {
    given.split_once(':').is_some_and(|(kind, _)| EncoderKind::ALL.iter().any(|k| k.as_str() == kind))
}

/// The encoder alone, where the spec says nothing that only a system can do.
fn encoder_of(dense: DenseSpec) -> Result<EncoderSpec, String> {
    if dense.encoder.kind == EncoderKind::Vectors {
        return Err("vectors made elsewhere go by the ids of a data set; to a text they give no vector".to_owned());
    }
    if dense.view != View::BARE {
        return Err(format!(
            "view={}: a view is composed from the filings of a data set, which is not here; give the text as the model is to see it, with \
             \"spans\" for chunks in their context",
            dense.view
        ));
    }
    if let Some(control) = &dense.control {
        return Err(format!("control={control}: a control changes the filings of a data set, which is not here"));
    }
    if dense.storage != Storage::default() {
        return Err("storage= is how a search holds vectors; here they are printed as the model gives them".to_owned());
    }
    Ok(dense.encoder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &str) -> Result<String, String> {
        given.parse::<OneEncoder>().map(|one| one.0.to_string())
    }

    #[test]
    fn folders_hub_names_and_specs() {
        let dir = tempfile::tempdir().unwrap();
        let odd = dir.path().join("a,view=title");
        std::fs::create_dir(&odd).unwrap();
        assert_eq!(odd.to_str().unwrap().parse::<OneEncoder>().unwrap().0.name, odd.to_str().unwrap());
        assert_eq!(of("acme/tiny").unwrap(), "dense:acme/tiny");
        assert_eq!(of("acme/tiny@v1").unwrap(), "dense:acme/tiny@v1");
        assert_eq!(of("dense:acme/tiny,pooling=cls").unwrap(), "dense:acme/tiny,pooling=cls");
        assert_eq!(of("cmd:python3 x.py,as=x").unwrap(), "cmd:python3 x.py");
        assert_eq!(of("openai:words,url=http://kiln.test").unwrap(), "openai:words,url=http://kiln.test");
    }

    #[test]
    fn what_only_a_system_can_do_is_refused_with_its_reason() {
        for (given, named) in [
            ("vectors:folder", "ids of a data set"),
            ("dense:x,view=title", "view=title"),
            ("dense:x,view=filing,control=swap", "view=filing"),
            ("openai:x,storage=int8", "storage="),
            ("dense:x,poling=cls", "poling"),
            ("bm25", "makes no vectors"),
            ("rrf(bm25; dense:x)", "makes no vectors"),
            (" ", "names no model"),
        ] {
            let said = of(given).unwrap_err();
            assert!(said.contains(named), "{given}: {said}");
        }
    }
}
