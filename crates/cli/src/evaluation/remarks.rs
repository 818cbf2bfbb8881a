//! What a system has to say of itself, in words: what no score shows and every reader of one should know.

use std::collections::BTreeMap;

use eightk_retrieve::QueryFinding;

use crate::output::thousands;

/// One paragraph; none where there is nothing to say.
pub(crate) fn remark(
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

#[cfg(test)]
mod tests {
    use super::*;

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
