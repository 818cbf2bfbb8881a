//! What a system has to say of itself, in words: what no score shows and every reader of one should know.

use std::collections::BTreeMap;

use eightk_measure::Metric;
use eightk_retrieve::{Description, QueryFinding};

/// A number with commas, as a person reads it.
pub fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A metric as headlines and tables call it.
pub fn short(metric: Metric) -> String {
    match metric {
        Metric::StandardRecall(k) => format!("recall@{k}"),
        Metric::EvidenceRecall(k) => format!("evidence@{k}"),
        Metric::RivalAuc => "rival AUC".into(),
        other => other.to_string(),
    }
}

/// One paragraph; none where there is nothing to say.
pub fn remark(
    system: &str,
    truncated: u64,
    notes: &[String],
    per_query: &BTreeMap<String, QueryFinding>,
) -> Option<String> {
    let mut said = Vec::new();
    if truncated > 0 {
        let n = thousands(usize::try_from(truncated).unwrap_or(usize::MAX));
        said.push(format!("{n} chunks or queries did not fit the model and were cut"));
    }
    let known: Vec<bool> = per_query.values().filter_map(|f| f.binding_in_window).collect();
    let seen = known.iter().filter(|seen| **seen).count();
    if seen < known.len() {
        said.push(format!(
            "the sentence that tells whose the answer is was in view for {seen} of {} queries that have one",
            known.len()
        ));
    }
    said.extend(notes.iter().map(|note| note.trim_end_matches('.').to_owned()));
    (!said.is_empty()).then(|| format!("{system}: {}.", said.join("; ")))
}

/// What stands before queries and passages, of every model once: a model that wants a prompt and gets none scores far below itself, and
/// nothing else would show it.
pub fn prompts<'d>(systems: impl IntoIterator<Item = &'d Description>) -> Option<String> {
    let mut said: Vec<String> = Vec::new();
    for settings in systems.into_iter().map(|d| &d.settings) {
        for (key, query) in settings {
            // Systems of systems have the settings of their parts after a word of theirs. A reranker is given no prompts.
            let Some(part) = key.strip_suffix("query_prompt").filter(|part| !part.ends_with("reranker ")) else {
                continue;
            };
            let of_part = |setting: &str| settings.get(&format!("{part}{setting}"));
            let (Some(model), Some(passage)) = (of_part("model"), of_part("passage_prompt")) else { continue };
            let quoted = |prompt: &String| if prompt.is_empty() { "none".to_owned() } else { format!("{prompt:?}") };
            let words = match (query.is_empty(), passage.is_empty()) {
                (true, true) => format!("{model} none"),
                _ => format!("{model} queries {}, passages {}", quoted(query), quoted(passage)),
            };
            if !said.contains(&words) {
                said.push(words);
            }
        }
    }
    (!said.is_empty()).then(|| format!("Prompts: {}.", said.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_told_once_a_model_and_their_absence_too() {
        let of = |model: &str, query: &str| {
            let described = Description::new("s", "dense", "").with("model", model).with("passage_prompt", "");
            described.with("query_prompt", query)
        };
        let all = [of("a", ""), of("a", ""), of("b", "find: "), Description::new("bm25", "BM25", "")];
        assert_eq!(prompts(&all).unwrap(), "Prompts: a none; b queries \"find: \", passages none.");
        assert_eq!(prompts(&all[3..]), None);
        let fused = Description::new("h", "RRF", "").with("part 2 model", "c").with("part 2 query_prompt", "q: ");
        let fused = fused.with("part 2 passage_prompt", "p: ").with("reranker model", "r");
        let fused = fused.with("reranker query_prompt", "").with("reranker passage_prompt", "");
        assert_eq!(prompts([&fused]).unwrap(), "Prompts: c queries \"q: \", passages \"p: \".");
    }

    #[test]
    fn commas_stand_every_three_digits() {
        assert_eq!(["0", "999", "1,000", "12,345,678"].map(String::from), [0, 999, 1000, 12_345_678].map(thousands));
    }

    #[test]
    fn only_what_is_worth_saying() {
        let seen = |seen| QueryFinding { binding_in_window: Some(seen), ..QueryFinding::default() };
        let all = BTreeMap::from([("q0".to_owned(), seen(true)), ("q1".to_owned(), QueryFinding::default())]);
        assert_eq!(remark("m", 0, &[], &all), None);
        let some = BTreeMap::from([("q0".to_owned(), seen(true)), ("q1".to_owned(), seen(false))]);
        let said = remark("m:filing", 1200, &["a note.".to_owned()], &some).unwrap();
        assert!(
            said.starts_with("m:filing: 1,200 chunks") && said.contains("1 of 2 queries") && said.ends_with("a note.")
        );
    }
}
