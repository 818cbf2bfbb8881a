//! A filing whose chunks are represented in their context.

use eightk_core::Span;
use eightk_encode::{Context, EncodeError, FilingInput, estimated_tokens};

use super::windows::{best, windows};
use super::{Place, Rules, Unit};

/// One unit with all passages of the context; several windows where they are too long for one. The prompt, if there is one, is a passage
/// before the first. Every chunk has exactly one place.
pub(crate) fn document<'t>(
    owner: usize,
    filing: &'t FilingInput<'_>,
    context: &'t Context,
    rules: &Rules<'t>,
) -> Result<Vec<Unit<'t>>, EncodeError> {
    let url = filing.source_url;
    let named = |chunk: Option<usize>| match chunk.and_then(|c| filing.chunks.get(c)) {
        Some(chunk) => format!("chunk {}", chunk.id),
        None => "a passage around the chunks".to_owned(),
    };
    let prompt = if rules.prompt.is_empty() { 0 } else { estimated_tokens(rules.prompt) };
    let mut passages: Vec<Passage<'t>> = Vec::new();
    let mut placed = vec![false; filing.chunks.len()];
    for passage in context.passages() {
        let text = context.text().get(passage.span.start..passage.span.end).unwrap_or_default();
        match passage.chunk {
            Some(chunk) => {
                rules.not_empty(text, &named(Some(chunk)), url)?;
                let slot = placed.get_mut(chunk).filter(|taken| !**taken);
                let slot = slot.ok_or_else(|| {
                    EncodeError::Bug(format!("chunk {chunk} of {url} stands in its context twice, or is none"))
                })?;
                *slot = true;
            }
            // What nobody needs and services refuse.
            None if text.trim().is_empty() => continue,
            None => {}
        }
        let (mut text, mut truncated) = (text, false);
        if rules.most.is_some_and(|most| estimated_tokens(text).saturating_add(prompt) > most) {
            (text, truncated) = rules.fitted(text, prompt, &named(passage.chunk), url)?;
        }
        passages.push(Passage {
            text,
            truncated,
            span: passage.span,
            chunk: passage.chunk,
            tokens: estimated_tokens(text),
        });
    }
    if let Some(missing) = placed.iter().position(|p| !p) {
        return Err(EncodeError::Bug(format!("{} of {url} does not stand in its context", named(Some(missing)))));
    }
    let total = passages.iter().map(|p| p.tokens).fold(prompt, u64::saturating_add);
    let most = rules.most.unwrap_or(u64::MAX);
    if total <= most {
        return Ok(vec![unit(owner, &passages, rules.prompt, prompt, |_| true, None)]);
    }
    let tokens: Vec<u64> = passages.iter().map(|p| p.tokens).collect();
    let spans: Vec<(usize, usize)> = passages.iter().map(|p| (p.span.start, p.span.end)).collect();
    let windows = windows(&tokens, most.saturating_sub(prompt));
    let best = best(&windows, &spans);
    let units = windows.iter().enumerate().filter_map(|(w, window)| {
        let inside = passages.get(window.clone())?;
        let seen = Span::new(inside.first()?.span.start, inside.last()?.span.end);
        let unit = unit(owner, inside, rules.prompt, prompt, |i| best.get(window.start + i) == Some(&w), Some(seen));
        // A window that is nobody's best is not paid for.
        (!unit.places.is_empty()).then_some(unit)
    });
    Ok(units.collect())
}

struct Passage<'t> {
    text: &'t str,
    truncated: bool,
    span: Span,
    chunk: Option<usize>,
    tokens: u64,
}

fn unit<'t>(
    owner: usize,
    passages: &[Passage<'t>],
    prompt: &'t str,
    prompt_tokens: u64,
    is_placed: impl Fn(usize) -> bool,
    seen: Option<Span>,
) -> Unit<'t> {
    let before = usize::from(!prompt.is_empty());
    let texts = Some(prompt).filter(|p| !p.is_empty()).into_iter().chain(passages.iter().map(|p| p.text)).collect();
    let place = |(i, p): (usize, &Passage<'t>)| {
        let chunk = p.chunk.filter(|_| is_placed(i))?;
        Some(Place { text: before + i, chunk, truncated: p.truncated, seen })
    };
    let places = passages.iter().enumerate().filter_map(place).collect();
    let tokens = passages.iter().map(|p| p.tokens).fold(prompt_tokens, u64::saturating_add);
    Unit { owner, texts, tokens, places }
}

#[cfg(test)]
mod tests {
    use eightk_encode::ChunkInput;
    use proptest::prelude::*;

    use super::*;

    fn filing(texts: &[String], title: &str) -> FilingInput<'static> {
        let pieces = std::iter::once((title, None)).chain(texts.iter().enumerate().map(|(i, t)| (t.as_str(), Some(i))));
        let context = Some(Context::joined(pieces));
        let chunks = texts.iter().map(|t| ChunkInput { id: "c", text: t.clone().into() }).collect();
        FilingInput { source_url: "f", title: "", chunks, context }
    }

    fn rules(most: Option<u64>, truncate: bool, prompt: &str) -> Rules<'_> {
        Rules { who: "kiln", most, truncate, prompt }
    }

    fn plan<'t>(filing: &'t FilingInput<'_>, rules: &Rules<'t>) -> Result<Vec<Unit<'t>>, EncodeError> {
        document(4, filing, filing.context.as_ref().unwrap(), rules)
    }

    #[test]
    fn one_document_with_what_is_only_seen() {
        let filing = filing(&["One.".into(), "Two.".into()], "Title");
        let units = plan(&filing, &rules(None, false, "passage:")).unwrap();
        assert_eq!(units.len(), 1);
        assert_eq!(units[0].texts, ["passage:", "Title", "One.", "Two."]);
        assert_eq!(
            units[0].places.iter().map(|p| (p.text, p.chunk, p.seen)).collect::<Vec<_>>(),
            [(2, 0, None), (3, 1, None)]
        );
        assert_eq!(units[0].owner, 4);
    }

    #[test]
    fn a_long_filing_goes_in_windows_that_say_what_they_show() {
        let texts: Vec<String> = (0..30).map(|i| format!("Sentence {i:02}.")).collect();
        let filing = filing(&texts, "");
        let units = plan(&filing, &rules(Some(70), false, "")).unwrap();
        assert!(units.len() > 3);
        let text = filing.context.as_ref().unwrap().text();
        for unit in &units {
            assert!(unit.tokens <= 70);
            for place in &unit.places {
                let seen = place.seen.unwrap();
                assert_eq!(text.get(seen.start..seen.end).unwrap(), unit.texts.join(" "));
                assert_eq!(unit.texts[place.text], texts[place.chunk]);
            }
        }
    }

    #[test]
    fn passages_too_long_for_any_window_are_refused_or_cut() {
        let texts = ["Short.".to_owned(), "x".repeat(200)];
        let filing = filing(&texts, "");
        let error = plan(&filing, &rules(Some(30), false, "")).unwrap_err().to_string();
        assert!(error.contains("chunk c of f") && error.contains("max-tokens="), "{error}");
        let units = plan(&filing, &rules(Some(30), true, "")).unwrap();
        let truncated: Vec<_> = units.iter().flat_map(|u| &u.places).map(|p| (p.chunk, p.truncated)).collect();
        assert_eq!(truncated, [(0, false), (1, true)]);
    }

    #[test]
    fn empty_chunks_are_refused_and_missing_ones_are_bugs() {
        let filing = filing(&["One.".into(), " ".into()], "");
        assert!(matches!(plan(&filing, &rules(None, false, "")), Err(EncodeError::Data(_))));
        let one = super::tests::filing(&["One.".into()], "");
        let mut two = one.clone();
        two.chunks.push(one.chunks[0].clone());
        assert!(matches!(plan(&two, &rules(None, false, "")), Err(EncodeError::Bug(_))));
    }

    proptest! {
        #[test]
        fn every_chunk_has_one_place_that_holds_its_text(lengths in prop::collection::vec(1_usize..60, 1..40), most in 25_u64..200, prompt in prop::sample::select(vec!["", "p:"])) {
            let texts: Vec<String> = lengths.iter().map(|n| "x".repeat(*n)).collect();
            let filing = filing(&texts, "A title");
            let units = plan(&filing, &rules(Some(most), false, prompt)).unwrap();
            let mut places: Vec<(usize, &str)> = units.iter().flat_map(|u| u.places.iter().map(|p| (p.chunk, u.texts[p.text]))).collect();
            places.sort_unstable();
            prop_assert_eq!(places, texts.iter().map(String::as_str).enumerate().collect::<Vec<_>>());
            prop_assert!(units.iter().all(|u| u.tokens <= most));
        }
    }
}
