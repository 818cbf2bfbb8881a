//! What a spec says about a service, read strictly.
//!
//! A setting that nobody reads would be believed to work: names that are not known are refused, with those that are.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use eightk_encode::EncodeError;

/// The environment variable that holds a service's key: what `key-env=` names; else the `usual` one, but only where the address is the
/// service's own. A key that lies in the environment for one host is not sent to another because somebody set `url=`.
pub(crate) fn key_variable<'s>(usual: Option<&'s str>, settings: &'s BTreeMap<String, String>) -> Option<&'s str> {
    if let Some(name) = settings.get("key-env").or_else(|| settings.get("key_env")) {
        return Some(name.as_str()).filter(|name| !name.is_empty());
    }
    usual.filter(|_| !settings.contains_key("url"))
}

/// Settings of one encoder or reranker.
#[derive(Debug)]
pub(crate) struct Settings<'a> {
    who: String,
    values: BTreeMap<String, &'a str>,
}

impl<'a> Settings<'a> {
    /// Takes settings whose names are all `known`; `_` counts as `-`. `who` stands first in messages.
    pub(crate) fn new(who: &str, values: &'a BTreeMap<String, String>, known: &[&str]) -> Result<Self, EncodeError> {
        let mut taken = BTreeMap::new();
        for (name, value) in values {
            let name = name.replace('_', "-");
            if !known.contains(&name.as_str()) {
                let known = known.join("=, ");
                return Err(EncodeError::Usage(format!("{who} knows no setting `{name}=`; it knows {known}=")));
            }
            if taken.insert(name.clone(), value.as_str()).is_some() {
                return Err(EncodeError::Usage(format!("{who}: `{name}=` is set twice")));
            }
        }
        Ok(Self { who: who.to_owned(), values: taken })
    }

    /// As text, if set; empty counts as set.
    pub(crate) fn text(&self, name: &str) -> Option<&'a str> {
        self.values.get(name).copied()
    }

    /// As a number above zero.
    pub(crate) fn number<N: FromStr + PartialOrd + Default>(&self, name: &str) -> Result<Option<N>, EncodeError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.trim().parse().ok().filter(|n| *n > N::default());
        number.map(Some).ok_or_else(|| self.wrong(name, text, "a number above zero"))
    }

    /// As yes or no.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, EncodeError> {
        match self.text(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(self.wrong(name, other, "true or false")),
        }
    }

    /// As one of these.
    pub(crate) fn one_of(&self, name: &str, choices: &[&'static str]) -> Result<Option<&'static str>, EncodeError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let choice = choices.iter().find(|c| **c == text).copied();
        choice.map(Some).ok_or_else(|| self.wrong(name, text, choices.join(" or ")))
    }

    /// Dollars per million tokens: zero or more.
    pub(crate) fn price(&self) -> Result<Option<f64>, EncodeError> {
        let Some(text) = self.text("price") else { return Ok(None) };
        let price = text.trim().parse().ok().filter(|p: &f64| p.is_finite() && *p >= 0.0);
        price.map(Some).ok_or_else(|| self.wrong("price", text, "dollars per million tokens"))
    }

    /// Longest time for one request; a minute where nothing is set.
    pub(crate) fn timeout(&self) -> Result<Duration, EncodeError> {
        let seconds = self.number::<f64>("timeout")?.unwrap_or(60.0);
        let timeout = Duration::try_from_secs_f64(seconds).ok().filter(|t| *t <= Duration::from_secs(86_400));
        timeout.ok_or_else(|| self.wrong("timeout", &seconds.to_string(), "seconds, at most a day"))
    }

    fn wrong(&self, name: &str, value: &str, wanted: impl Display) -> EncodeError {
        EncodeError::Usage(format!("{}: `{name}={value}` is not {wanted}", self.who))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["dims", "dtype", "truncate", "price", "timeout", "query-prompt"];

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn values_are_read_and_refused() {
        let values = map(&[("dims", "256"), ("query_prompt", "q: "), ("truncate", "true"), ("price", "0")]);
        let settings = Settings::new("kiln", &values, KNOWN).unwrap();
        assert_eq!(settings.number::<usize>("dims").unwrap(), Some(256));
        assert_eq!(settings.text("query-prompt"), Some("q: "));
        assert_eq!(settings.flag("truncate").unwrap(), Some(true));
        assert_eq!(settings.price().unwrap(), Some(0.0));
        assert_eq!(settings.timeout().unwrap(), Duration::from_secs(60));
        assert_eq!(settings.one_of("dtype", &["float"]).unwrap(), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (name, value, part) in [
            ("dim", "3", "it knows dims=, dtype="),
            ("dims", "0", "a number above zero"),
            ("dims", "-3", "a number above zero"),
            ("dtype", "int9", "float or int8"),
            ("truncate", "yes", "true or false"),
            ("price", "NaN", "dollars"),
            ("timeout", "1e300", "at most a day"),
            ("timeout", "nan", "above zero"),
        ] {
            let values = map(&[(name, value)]);
            let error = Settings::new("kiln", &values, KNOWN).and_then(|s| {
                s.number::<usize>("dims")?;
                s.one_of("dtype", &["float", "int8"])?;
                s.flag("truncate")?;
                s.price()?;
                s.timeout()
            });
            let error = error.unwrap_err();
            assert!(matches!(&error, EncodeError::Usage(m) if m.contains("kiln") && m.contains(part)), "{error}");
        }
    }

    #[test]
    fn twice_the_same_is_refused() {
        let values = map(&[("query-prompt", "a"), ("query_prompt", "b")]);
        assert!(Settings::new("kiln", &values, KNOWN).is_err());
    }
}
