//! One filing: which sentences state a fact, how they refer to the filer, and what tells who that is.

use std::collections::BTreeMap;

use eightk_core::{DropReason, Evidence, EvidenceKind, FactMention, Filing, Reference, Sentence};
use eightk_text::names::Names;

use crate::Recipe;
use crate::fact::{Context, Whole, matching_key};
use crate::refer::{Bound, bound, nearest_name, other_subject};

/// What was found in one filing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Findings {
    /// Sentences that state a fact, in document order; of one sentence, in the recipe's order of facts.
    pub mentions: Vec<FactMention>,
    /// The sentence that tells who the filer is, seen from the first answer. `None` where there is no such sentence, or
    /// no fact that would need it.
    pub evidence: Option<Evidence>,
    /// Facts, and the sentences that state them of an organisation that is not the filer though they say "the Company".
    pub(crate) of_another: Vec<(String, usize)>,
    /// For each answer (a mention with `best`), its sentence and the evidence nearest to it.
    pub(crate) per_answer: BTreeMap<usize, Option<Evidence>>,
}

impl Findings {
    /// The mentions of one fact.
    pub fn of<'a>(&'a self, fact: &'a str) -> impl Iterator<Item = &'a FactMention> {
        self.mentions.iter().filter(move |m| m.fact == fact)
    }

    /// The sentence chosen as the answer for a fact.
    pub fn best(&self, fact: &str) -> Option<&FactMention> {
        self.mentions.iter().find(|m| m.best && m.fact == fact)
    }

    /// The evidence for the answer that stands in sentence number `answer`.
    pub fn evidence_for(&self, answer: usize) -> Option<Evidence> {
        self.per_answer.get(&answer).copied().flatten()
    }
}

/// Finds the facts of `recipe` in one filing. Pure; linear in the filing's text.
///
/// Facts are looked for in kept sentences and in those dropped only for being short; headings, tables, forward-looking
/// passages and the like state nothing. Only a kept sentence can be the answer.
pub fn examine(filing: &Filing, names: &Names, recipe: &Recipe) -> Findings {
    let found = mentions(filing, recipe);
    if found.is_empty() {
        return Findings::default();
    }
    let bound = bound(filing, names);
    let (mut mentions, mut of_another) = (Vec::with_capacity(found.len()), Vec::new());
    for hit in found {
        let text = filing.sentences.get(hit.sentence).map(|s| filing.sentence_text(s)).unwrap_or_default();
        let fact = recipe.facts().get(hit.fact).map(|f| f.name.clone()).unwrap_or_default();
        if let Some((reference, clear)) = reference(text, names, &bound, recipe) {
            let total = hit.whole != Whole::Part;
            mentions.push((
                Fit { clear, whole: hit.whole },
                FactMention { fact, sentence: hit.sentence, reference, total, best: false },
            ));
        } else {
            of_another.push((fact, hit.sentence));
        }
    }
    choose(filing, recipe, &mut mentions);
    let mentions: Vec<FactMention> = mentions.into_iter().map(|(_, m)| m).collect();
    let per_answer: BTreeMap<_, _> = mentions
        .iter()
        .filter(|m| m.best)
        .map(|m| (m.sentence, evidence(filing, names, recipe, &bound, Some(m.sentence))))
        .collect();
    let evidence = match per_answer.first_key_value() {
        Some((_, first)) => *first,
        None => evidence(filing, names, recipe, &bound, None),
    };
    Findings { mentions, evidence, of_another, per_answer }
}

/// What makes one mention a better answer than another.
#[derive(Clone, Copy)]
struct Fit {
    /// The filer is referred to by a word that is spelled right.
    clear: bool,
    whole: Whole,
}

struct Hit {
    fact: usize,
    sentence: usize,
    whole: Whole,
}

fn may_state(sentence: &Sentence) -> bool {
    matches!(sentence.dropped, None | Some(DropReason::Short))
}

/// Sentences that state a fact, whoever they speak of.
fn mentions(filing: &Filing, recipe: &Recipe) -> Vec<Hit> {
    let (mut out, mut key) = (Vec::new(), String::new());
    for (i, sentence) in filing.sentences.iter().enumerate().filter(|(_, s)| may_state(s)) {
        let text = filing.sentence_text(sentence);
        let groups = recipe.gate.groups(text);
        if !recipe.gate.any(groups) {
            continue;
        }
        matching_key(text, &mut key);
        let around = Around { filing, sentence: i };
        for (f, fact) in recipe.facts().iter().enumerate().filter(|(f, _)| recipe.gate.open(*f, groups)) {
            if let Some(whole) = fact.rule.states(&key, &around) {
                out.push(Hit { fact: f, sentence: i, whole });
            }
        }
    }
    out
}

/// A sentence's surroundings.
struct Around<'f> {
    filing: &'f Filing,
    sentence: usize,
}

impl Context for Around<'_> {
    fn previous_key(&self, n: usize) -> Option<String> {
        // Counted over sentences that may state something, so that a heading or a page number in between costs nothing.
        let before = self.filing.sentences.get(..self.sentence)?;
        let sentence = before.iter().rev().filter(|s| may_state(s)).nth(n.checked_sub(1)?)?;
        let mut key = String::new();
        matching_key(self.filing.sentence_text(sentence), &mut key);
        Some(key)
    }

    fn items(&self) -> &[String] {
        let item = self.filing.sentences.get(self.sentence).and_then(|s| s.item);
        item.and_then(|i| self.filing.items.get(i)).map(|i| i.numbers.as_slice()).unwrap_or_default()
    }
}

/// How a sentence refers to the filer; `None` where it speaks of somebody else as "the Company" (the target of a merger),
/// so that what it states is no fact of the filer. The flag: not only by a word that lost its apostrophe.
fn reference(text: &str, names: &Names, bound: &Bound, recipe: &Recipe) -> Option<(Reference, bool)> {
    if names.mention(text).is_some() {
        return Some((Reference::Alias, true));
    }
    let terms = recipe.coreference.find(text);
    if terms.third_person && !terms.first_person && bound.to_other() {
        return None;
    }
    if other_subject(text, &bound.other_names, &|s| names.mention(s).is_some()) {
        return Some((Reference::Other, true));
    }
    Some((if terms.any() { Reference::Coreferent } else { Reference::None }, terms.well_spelled))
}

/// Marks one coreferent, kept mention per fact: the most complete, then the earliest. A sentence that refers to the filer
/// by nothing but "the Companys" is coreferent, yet no answer: whoever checks the data set would look for a word in vain.
fn choose(filing: &Filing, recipe: &Recipe, mentions: &mut [(Fit, FactMention)]) {
    for fact in recipe.facts() {
        let mut best: Option<usize> = None;
        for (i, (fit, m)) in mentions.iter().enumerate() {
            let kept = filing.sentences.get(m.sentence).is_some_and(Sentence::kept);
            if m.fact != fact.name || !m.coreferent_only() || !kept || !fit.clear {
                continue;
            }
            let better = best.and_then(|b| mentions.get(b)).is_none_or(|(b, _)| fit.whole > b.whole);
            if better {
                best = Some(i);
            }
        }
        if let Some((_, m)) = best.and_then(|b| mentions.get_mut(b)) {
            m.best = true;
        }
    }
}

fn evidence(filing: &Filing, names: &Names, recipe: &Recipe, bound: &Bound, answer: Option<usize>) -> Option<Evidence> {
    let binding = bound.sentence.filter(|_| recipe.binding);
    if let Some(sentence) = binding {
        return Some(Evidence { sentence, kind: EvidenceKind::Binding });
    }
    let nearest = answer.filter(|_| recipe.nearest_name).and_then(|a| nearest_name(filing, names, a));
    nearest.map(|sentence| Evidence { sentence, kind: EvidenceKind::NearestName })
}
