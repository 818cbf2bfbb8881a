//! Changes to the context that tell what of it a system uses.

use std::fmt;
use std::str::FromStr;

use crate::{RetrieveError, View};

/// What is done to the context that a view shows. The chunk itself always stays as it is.
///
/// Written `masked`, `minus-binding`, `swap`, `filing-shuffled[:SEED]`, `filing-wrong[:SEED]`; the seed is 0 when none is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Control {
    /// The filer's names are taken out of title and context.
    Masked,
    /// Every sentence that names the filer is taken out of the context, and the title with them.
    MinusBinding,
    /// Gold and rival stand in each other's place, for the query that they belong to ([`swaps`](super::swaps)); all other chunks stay.
    Swap,
    /// The filing's chunks in random order.
    FilingShuffled {
        /// Which order.
        seed: u64,
    },
    /// Each chunk stands in a random other company's filing.
    FilingWrong {
        /// Which filing.
        seed: u64,
    },
}

impl Control {
    /// Whether it would change anything that `view` shows.
    ///
    /// # Errors
    ///
    /// [`RetrieveError::Control`] with the reason where it would not.
    pub fn check(self, view: &View) -> Result<(), RetrieveError> {
        let why = match self {
            _ if *view == View::BARE => {
                "a bare chunk has no context that could be changed; give a view that shows some"
            }
            Self::FilingShuffled { .. } if !view.sees_filing() => {
                "only the whole filing has an order to shuffle; add `filing` to the view"
            }
            _ => return Ok(()),
        };
        Err(RetrieveError::Control { control: self.to_string(), view: view.to_string(), why })
    }

    /// The seed of those that have one.
    pub const fn seed(self) -> Option<u64> {
        match self {
            Self::FilingShuffled { seed } | Self::FilingWrong { seed } => Some(seed),
            _ => None,
        }
    }
}

impl FromStr for Control {
    type Err = RetrieveError;

    fn from_str(s: &str) -> Result<Self, RetrieveError> {
        let (name, seed) = match s.split_once(':') {
            Some((name, seed)) => (name, Some(seed)),
            None => (s, None),
        };
        let unknown = |why| RetrieveError::UnknownControl { control: s.to_owned(), why };
        let number = || {
            let number = seed.map_or(Ok(0), str::parse);
            number.map_err(|_| unknown("the seed must be a whole number from 0 to 2^64 - 1"))
        };
        match (name, seed) {
            ("masked", None) => Ok(Self::Masked),
            ("minus-binding", None) => Ok(Self::MinusBinding),
            ("swap", None) => Ok(Self::Swap),
            ("filing-shuffled", _) => Ok(Self::FilingShuffled { seed: number()? }),
            ("filing-wrong", _) => Ok(Self::FilingWrong { seed: number()? }),
            ("masked" | "minus-binding" | "swap", Some(_)) => Err(unknown("it takes no seed, nothing in it is random")),
            _ => Err(unknown("unknown")),
        }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Masked => "masked",
            Self::MinusBinding => "minus-binding",
            Self::Swap => "swap",
            Self::FilingShuffled { .. } => "filing-shuffled",
            Self::FilingWrong { .. } => "filing-wrong",
        })?;
        match self.seed() {
            None | Some(0) => Ok(()),
            Some(seed) => write!(f, ":{seed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for name in ["masked", "minus-binding", "swap", "filing-shuffled", "filing-shuffled:7", "filing-wrong:18"] {
            assert_eq!(name.parse::<Control>().unwrap().to_string(), name);
        }
        assert_eq!("filing-wrong:0".parse::<Control>().unwrap(), Control::FilingWrong { seed: 0 });
    }

    #[test]
    fn nonsense_is_refused_with_its_reason() {
        for (bad, says) in [
            ("", "unknown"),
            ("mask", "unknown"),
            ("masked:1", "no seed"),
            ("swap:", "no seed"),
            ("filing-wrong:x", "whole number"),
            ("filing-shuffled:", "whole number"),
        ] {
            let error = bad.parse::<Control>().unwrap_err().to_string();
            assert!(error.contains(says) && error.contains("minus-binding"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_control_that_changes_nothing_is_refused() {
        let check = |control: &str, view: &str| {
            let control: Control = control.parse().unwrap();
            control.check(&view.parse().unwrap()).map_err(|e| e.to_string())
        };
        for control in ["masked", "minus-binding", "swap", "filing-shuffled", "filing-wrong"] {
            assert!(check(control, "bare").unwrap_err().contains("bare chunk"), "{control}");
            assert_eq!(check(control, "title+filing"), Ok(()));
            assert_eq!(check(control, "filing:text"), Ok(()));
        }
        assert!(check("filing-shuffled:3", "title+lead").unwrap_err().contains("add `filing`"));
        assert_eq!(check("filing-wrong", "title"), Ok(()));
    }
}
