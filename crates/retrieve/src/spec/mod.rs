//! A system's name on the command line and in results.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Bm25Options, RetrieveError, View};

mod encoder;
mod reranker;

pub use encoder::{EncoderKind, EncoderSpec};
pub use reranker::{RerankerKind, RerankerSpec};

const POSSIBLE: &str = "  \
  bm25, bm25:VIEW      BM25; VIEW is bare, title, lead, lead:N, window:N, or several as in title+lead
  bm25:VIEW?k1=0.9,b=0.4,stop=none    the same with other settings (defaults 1.2, 0.75, nltk)
  name-filter          the filing whose title best matches the query's name, then BM25 inside it
  random, random:SEED  chance among the gold and its rivals: all tied, or in one seeded order
  oracle               the answers, then the evidence";

/// Which system: what `--system` takes. Reads and prints itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum SystemSpec {
    /// BM25 over a view of each chunk.
    Bm25 {
        /// What of its filing a chunk is seen with.
        view: View,
        /// Parameters and stop words.
        options: Bm25Options,
    },
    /// The filing whose title best matches, then BM25 inside it.
    NameFilter {
        /// Parameters and stop words, of the match and of the BM25 inside.
        options: Bm25Options,
    },
    /// Chance.
    Random {
        /// One seeded order; without it all tie.
        seed: Option<u64>,
    },
    /// The judgements themselves.
    Oracle,
}

impl SystemSpec {
    /// The floors and ceilings between which any other system is read: chance, words, words with the title, the name alone, and
    /// the most that can be had.
    pub fn always_shown() -> [Self; 5] {
        let options = Bm25Options::default();
        let bm25 = |view| Self::Bm25 { view, options };
        [Self::Random { seed: None }, bm25(View::BARE), bm25(View::TITLE), Self::NameFilter { options }, Self::Oracle]
    }

    /// What can be asked for, one form a line: for help texts.
    pub const fn possible() -> &'static str {
        POSSIBLE
    }
}

impl FromStr for SystemSpec {
    type Err = RetrieveError;

    fn from_str(s: &str) -> Result<Self, RetrieveError> {
        let (head, settings) = match s.split_once('?') {
            Some((head, settings)) => (head, Some(settings)),
            None => (s, None),
        };
        let (name, argument) = match head.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (head, None),
        };
        let wrong =
            |setting: &str, why| RetrieveError::Setting { spec: s.to_owned(), setting: setting.to_owned(), why };
        let options = || {
            let mut options = Bm25Options::default();
            for setting in settings.into_iter().flat_map(|s| s.split(',')) {
                options.set(setting).map_err(|why| wrong(setting, why))?;
            }
            Ok::<_, RetrieveError>(options)
        };
        let spec = match (name, argument) {
            ("bm25", view) => Self::Bm25 { view: view.map_or(Ok(View::BARE), str::parse)?, options: options()? },
            ("name-filter", None) => Self::NameFilter { options: options()? },
            ("random", seed) => {
                let number = |seed: &str| {
                    seed.parse().map_err(|_| wrong(seed, "is no seed; give a whole number from 0 to 2^64 - 1"))
                };
                Self::Random { seed: seed.map(number).transpose()? }
            }
            ("oracle", None) => Self::Oracle,
            _ => return Err(RetrieveError::UnknownSystem { spec: s.to_owned(), possible: POSSIBLE }),
        };
        match (&spec, settings) {
            (Self::Random { .. } | Self::Oracle, Some(settings)) => {
                Err(wrong(settings, "is not for this system, which has no settings"))
            }
            _ => Ok(spec),
        }
    }
}

impl fmt::Display for SystemSpec {
    /// The canonical name: defaults left out, parts in one order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bm25 { view: View::BARE, options } => write!(f, "bm25{options}"),
            Self::Bm25 { view, options } => write!(f, "bm25:{view}{options}"),
            Self::NameFilter { options } => write!(f, "name-filter{options}"),
            Self::Random { seed: None } => f.write_str("random"),
            Self::Random { seed: Some(seed) } => write!(f, "random:{seed}"),
            Self::Oracle => f.write_str("oracle"),
        }
    }
}

impl TryFrom<String> for SystemSpec {
    type Error = RetrieveError;
    fn try_from(s: String) -> Result<Self, RetrieveError> {
        s.parse()
    }
}

impl From<SystemSpec> for String {
    fn from(spec: SystemSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(s: &str) -> String {
        s.parse::<SystemSpec>().unwrap().to_string()
    }

    #[test]
    fn names_are_canonical() {
        for same in [
            "bm25",
            "bm25:title",
            "bm25:lead",
            "bm25:window:2",
            "bm25:title+lead",
            "name-filter",
            "random",
            "random:7",
            "oracle",
        ] {
            assert_eq!(canonical(same), same);
        }
        assert_eq!(canonical("bm25:bare?k1=1.2"), "bm25");
        assert_eq!(canonical("bm25:window:1+title?stop=none,b=0.40"), "bm25:title+window:1?b=0.4,stop=none");
        assert_eq!(canonical("name-filter?k1=2"), "name-filter?k1=2");
    }

    #[test]
    fn the_systems_always_shown() {
        let names = SystemSpec::always_shown().map(|s| s.to_string());
        assert_eq!(names, ["random", "bm25", "bm25:title", "name-filter", "oracle"]);
    }

    #[test]
    fn what_does_not_exist_is_refused_with_what_does() {
        for bad in ["", "bm24", "BM25", "bm25 ", "oracle:1", "name-filter:title", "dense:model"] {
            let error = bad.parse::<SystemSpec>().unwrap_err().to_string();
            assert!(
                error.contains("bm25:VIEW") && error.contains("name-filter") && error.contains("oracle"),
                "{bad}: {error}"
            );
        }
        for (bad, says) in [
            ("bm25:titel", "possible are bare"),
            ("bm25:", "possible are bare"),
            ("bm25?k2=1", "possible are k1"),
            ("bm25?", "possible are k1"),
            ("random:x", "no seed"),
            ("random:-1", "no seed"),
            ("random?k1=1", "no settings"),
            ("oracle?b=0", "no settings"),
        ] {
            let error = bad.parse::<SystemSpec>().unwrap_err().to_string();
            assert!(error.contains(says), "{bad}: {error}");
        }
    }

    proptest! {
        #[test]
        fn there_and_back(k1 in 0.0f64..=1000.0, b in 0.0f64..=1.0, seed: u64, pick in 0usize..4) {
            let written = [
                format!("bm25:title+lead:3?k1={k1},b={b},stop=none"), format!("name-filter?b={b}"),
                format!("random:{seed}"), format!("bm25?k1={k1}"),
            ][pick].clone();
            let spec: SystemSpec = written.parse().unwrap();
            prop_assert_eq!(spec.to_string().parse::<SystemSpec>().unwrap(), spec.clone());
            let json = serde_json::to_string(&spec).unwrap();
            prop_assert_eq!(serde_json::from_str::<SystemSpec>(&json).unwrap(), spec);
        }

        #[test]
        fn no_text_makes_it_panic(s in "\\PC{0,20}|(bm25|random)[:?+=,a-z0-9.]{0,20}") {
            if let Ok(spec) = s.parse::<SystemSpec>() {
                prop_assert_eq!(spec.to_string().parse::<SystemSpec>().unwrap(), spec);
            }
        }
    }
}
