//! Texts that are represented each for itself.

use eightk_encode::{EncodeError, estimated_tokens};

use super::{Place, Rules, Unit};

/// One unit per text. `texts` are owner, position among the owner's chunks, and text; `name` says of an owner and position what to call
/// them in errors.
pub(crate) fn alone<'t>(
    texts: impl Iterator<Item = (usize, usize, &'t str)>,
    name: impl Fn(usize, usize) -> (String, String),
    rules: &Rules<'_>,
) -> Result<Vec<Unit<'t>>, EncodeError> {
    let prompt = (rules.prompt.len() as u64).div_ceil(3);
    let unit = |(owner, chunk, text): (usize, usize, &'t str)| {
        let named = |check: &dyn Fn(&str, &str) -> Result<(), EncodeError>| {
            let (what, of) = name(owner, chunk);
            check(&what, &of)
        };
        if text.trim().is_empty() {
            named(&|what, of| rules.not_empty(text, what, of))?;
        }
        let mut fits = (text, false);
        if rules.most.is_some_and(|most| estimated_tokens(text).saturating_add(prompt) > most) {
            let (what, of) = name(owner, chunk);
            fits = rules.fitted(text, prompt, &what, &of)?;
        }
        let (text, truncated) = fits;
        let places = vec![Place { text: 0, chunk, truncated, seen: None }];
        Ok(Unit { owner, texts: vec![text], tokens: estimated_tokens(text).saturating_add(prompt), places })
    };
    texts.map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan<'t>(texts: &[&'t str], most: Option<u64>, truncate: bool) -> Result<Vec<Unit<'t>>, EncodeError> {
        let rules = Rules { who: "kiln", most, truncate, prompt: "abc" };
        let texts = texts.iter().enumerate().map(|(i, t)| (0, i, *t)).collect::<Vec<_>>();
        alone(texts.into_iter(), |owner, i| (format!("chunk {i}"), format!("filing {owner}")), &rules)
    }

    #[test]
    fn each_for_itself() {
        let units = plan(&["clay", "glaze"], None, false).unwrap();
        assert_eq!(
            units.iter().map(|u| (u.texts[0], u.places[0].chunk, u.tokens)).collect::<Vec<_>>(),
            [("clay", 0, 5), ("glaze", 1, 5)]
        );
    }

    #[test]
    fn long_texts_are_refused_or_cut_and_marked() {
        let long = "é".repeat(30);
        let error = plan(&["clay", &long], Some(12), false).unwrap_err().to_string();
        assert!(
            error.contains("chunk 1 of filing 0 has about 23 tokens") && error.contains("truncate=true"),
            "{error}"
        );
        let units = plan(&["clay", &long], Some(12), true).unwrap();
        assert!(!units[0].places[0].truncated && units[1].places[0].truncated);
        assert!(units[1].tokens <= 12 && units[1].texts[0].chars().all(|c| c == 'é'), "{:?}", units[1]);
        assert!(plan(&[&long], Some(3), true).is_err(), "nothing would be left");
    }

    #[test]
    fn empty_texts_are_refused() {
        let error = plan(&["clay", " \n"], None, true).unwrap_err();
        assert!(matches!(&error, EncodeError::Data(m) if m.contains("chunk 1 of filing 0")), "{error}");
    }
}
