//! One query for a filing and a fact, or the reason why there is none.

use std::collections::BTreeSet;

use eightk_core::{Alternative, CharIndex, Gold, Query, Reference, Role, Sentence, chunk_id};

use super::companies::Companies;
use super::{LeftOut, LeftOutReason, Record, fragment};
use crate::Recipe;
use crate::recipe::NAME;

/// A query with what its rivals are judged by.
pub(super) struct Draft {
    pub(super) query: Query,
    pub(super) record: usize,
    pub(super) fact: usize,
    /// Sentence number of the answer.
    pub(super) answer: usize,
    /// Chunk id of the answer.
    pub(super) gold: String,
}

type Reason = (LeftOutReason, String);

/// The query for fact number `f` of record number `r`; `Ok(None)` where the filing does not state the fact.
pub(super) fn draft(
    records: &[Record],
    companies: &Companies,
    recipe: &Recipe,
    r: usize,
    f: usize,
) -> Result<Option<Draft>, Reason> {
    let (Some(record), Some(fact)) = (records.get(r), recipe.facts().get(f)) else { return Ok(None) };
    let (filing, source_url) = (&record.filing, &record.filing.meta.source_url);
    let Some(first) = record.findings.of(&fact.name).next() else {
        let elsewhere = record.findings.of_another.iter().find(|(name, _)| *name == fact.name);
        let Some((_, sentence)) = elsewhere else { return Ok(None) };
        let index = CharIndex::new(&filing.text);
        let id = fragment(filing, &index, *sentence).map(|(span, _)| chunk_id(source_url, span.start));
        return Err((LeftOutReason::CompanyIsAnother, id.unwrap_or_default()));
    };
    let index = CharIndex::new(&filing.text);
    let id_of = |sentence: usize| {
        fragment(filing, &index, sentence).map(|(span, _)| chunk_id(source_url, span.start)).unwrap_or_default()
    };
    let Some(best) = record.findings.best(&fact.name) else {
        let unkept = |s: usize| filing.sentences.get(s).is_some_and(|s| !s.kept());
        let mut coreferent = record.findings.of(&fact.name).filter(|m| m.coreferent_only());
        return Err(match coreferent.find(|m| unkept(m.sentence)).and_then(|m| fragment(filing, &index, m.sentence)) {
            Some((_, text)) => (LeftOutReason::AnswerNotKept, text),
            None => (LeftOutReason::NoCoreferentAnswer, id_of(first.sentence)),
        });
    };
    let short = record.names.short();
    if short.is_empty() {
        return Err((LeftOutReason::NoName, String::new()));
    }
    let Some((span, text)) = fragment(filing, &index, best.sentence) else { return Ok(None) };
    if holds_word(&text, short) {
        return Err((LeftOutReason::AnswerNamesCompany, short.to_owned()));
    }
    if let Some(other) = companies.namesake(r, short).and_then(|n| records.get(n)) {
        return Err((LeftOutReason::NameNotUnique, other.filing.meta.source_url.clone()));
    }
    let states = |i: usize| records.get(i).is_some_and(|x| x.findings.of(&fact.name).next().is_some());
    let others = companies.siblings(r).iter().filter(|i| **i != r && states(**i)).filter_map(|i| records.get(*i));
    let others: Vec<_> = others.map(|x| x.filing.meta.source_url.as_str()).collect();
    if !others.is_empty() {
        return Err((LeftOutReason::SeveralFilings, others.join(" ")));
    }
    let kept = |s: usize| filing.sentences.get(s).is_some_and(Sentence::kept);
    // What is no chunk of the corpus cannot be retrieved, so it can give nothing away.
    let alternatives = || record.findings.of(&fact.name).filter(|m| m.sentence != best.sentence && kept(m.sentence));
    if let Some(named) = alternatives().find(|m| m.reference == Reference::Alias && m.total) {
        return Err((LeftOutReason::NamedTotalAlternative, id_of(named.sentence)));
    }
    let alternatives = alternatives()
        .filter_map(|m| fragment(filing, &index, m.sentence))
        .map(|(span, _)| Alternative { source_url: source_url.clone(), span })
        .collect();
    let gold = |role: Role, span, text| Gold { text, score: role.grade(), role, source_url: source_url.clone(), span };
    let mut golds = vec![gold(Role::Answer, span, text)];
    if let Some(evidence) = record.findings.evidence_for(best.sentence) {
        golds.extend(fragment(filing, &index, evidence.sentence).map(|(s, t)| gold(Role::Evidence, s, t)));
    }
    let wording = pick(recipe.seed, source_url, &fact.name, fact.queries.len());
    let Some(template) = wording.and_then(|i| fact.queries.get(i)) else { return Ok(None) };
    let query = Query {
        original_query: template.template.replace(NAME, short),
        query: template.rewrite.replace(NAME, short),
        golds,
        fact: Some(fact.name.clone()),
        alternatives,
    };
    Ok(Some(Draft { query, record: r, fact: f, answer: best.sentence, gold: chunk_id(source_url, span.start) }))
}

/// Whether `text` holds `word` with no letter or digit on either side, in that spelling.
fn holds_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(i, _)| {
        let before = text.get(..i).unwrap_or_default().ends_with(char::is_alphanumeric);
        let after = text.get(i + word.len()..).unwrap_or_default().starts_with(char::is_alphanumeric);
        !before && !after
    })
}

/// Which of `n` wordings a filing and fact get: FNV-1a over seed, filing and fact, finished as in SplitMix64. The same
/// on every machine and for every order of the corpus.
fn pick(seed: u64, source_url: &str, fact: &str, n: usize) -> Option<usize> {
    let mut h: u64 = 0xcbf2_9ce4_8422_2325;
    let bytes = seed.to_le_bytes();
    for b in bytes.iter().chain(source_url.as_bytes()).chain(&[0]).chain(fact.as_bytes()) {
        h = (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
    }
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^= h >> 31;
    let n = u64::try_from(n).ok().filter(|n| *n > 0)?;
    usize::try_from(h % n).ok()
}

/// Takes out queries that read like an earlier one.
pub(super) fn without_repeats(
    drafts: &mut Vec<Draft>,
    left_out: &mut Vec<LeftOut>,
    records: &[Record],
    recipe: &Recipe,
) {
    let mut seen = BTreeSet::new();
    let before = left_out.len();
    drafts.retain(|d| {
        let fresh = seen.insert(d.query.query.clone());
        if !fresh {
            left_out.push(LeftOut {
                source_url: records.get(d.record).map(|r| r.filing.meta.source_url.clone()).unwrap_or_default(),
                fact: recipe.facts().get(d.fact).map(|f| f.name.clone()).unwrap_or_default(),
                reason: LeftOutReason::RepeatedQuery,
                detail: d.query.query.clone(),
            });
        }
        fresh
    });
    if left_out.len() > before {
        let order = |fact: &str| recipe.facts().iter().position(|f| f.name == fact);
        left_out.sort_by(|a, b| (&a.source_url, order(&a.fact)).cmp(&(&b.source_url, order(&b.fact))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wordings_are_spread_and_fixed() {
        let picks: Vec<_> = (0..400).filter_map(|i| pick(8, &format!("f{i}"), "charges", 4)).collect();
        for k in 0..4 {
            let n = picks.iter().filter(|p| **p == k).count();
            assert!((60..140).contains(&n), "{k}: {n}");
        }
        assert_eq!(pick(8, "f1", "charges", 4), pick(8, "f1", "charges", 4));
        assert_eq!(pick(8, "f1", "charges", 0), None);
    }

    #[test]
    fn a_name_inside_a_word_is_none() {
        assert!(holds_word("at Vor’s site", "Vor"));
        assert!(!holds_word("Vortex", "Vor"));
    }
}
