//! The metrics by name.
//!
//! A name says everything that decides the number: which tier counts, which gain, which cut-off. `ndcg@10` alone has two
//! meanings in the wild (linear gain in `trec_eval`, exponential elsewhere), so the exponential one has a name of its own.
//! Cut-offs are part of the value rather than a second list, so that a table can mix them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::MeasureError;

/// A number that can be computed from one query's ranking. The field is the cut-off *k*, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// `standard_recall@k`: share of the answers in the top k.
    StandardRecall(usize),
    /// `evidence_recall@k`: share of answers and evidence in the top k (what MTEB and `trec_eval` call recall).
    EvidenceRecall(usize),
    /// `evidence_only_recall@k`: share of the evidence in the top k.
    EvidenceOnlyRecall(usize),
    /// `answer_any@k`: an answer or one of its alternatives in the top k.
    AnswerAny(usize),
    /// `ndcg@k`: gain = grade, discount 1/log2(rank + 1), ideal cut at k (what MTEB and `trec_eval -m ndcg_cut` compute).
    Ndcg(usize),
    /// `ndcg_exp@k`: the same with gain 2^grade − 1.
    NdcgExp(usize),
    /// `ndcg_answer@k`: the same with gain = grade for answers and 0 for evidence.
    NdcgAnswer(usize),
    /// `joint@k`: an answer **and** an evidence in the top k, over queries that have both.
    Joint(usize),
    /// `mrr`: one over the rank of the first answer.
    Mrr,
    /// `map`: mean over the answers of the precision at each one's rank, 0 for an answer that was not retrieved (`trec_eval -m map`
    /// on answers alone: with `-l 2`, or on qrels that hold nothing else).
    Map,
    /// `map@k`: the same with answers below rank k counted as not retrieved (`map_cut` of `trec_eval`, `map_at_k` of MTEB: the
    /// divisor stays the number of answers).
    MapAt(usize),
    /// `rival_auc`: share of the rivals below the best answer, ties counting half. Chance is .5.
    RivalAuc,
    /// `resolved@1`: the best-ranked among answers and rivals is an answer.
    ResolvedAt1,
    /// `filing_resolved@1`: some sentence of the answer's filing ranks above every sentence of the rivals' filings.
    FilingResolvedAt1,
    /// `rival_rank`: rank of the best answer among answers and rivals; 1 is first. Lower is better.
    RivalRank,
    /// `template_hit@k`: an answer or a rival in the top k: the *kind* of sentence was found.
    TemplateHit(usize),
    /// `impostor@k`: rivals in the top k, divided by k. Lower is better.
    Impostor(usize),
}

/// Makes a metric from its cut-off.
type AtCutoff = fn(usize) -> Metric;

/// The names with a cut-off, and their variants.
const WITH_CUTOFF: &[(&str, AtCutoff)] = &[
    ("standard_recall", Metric::StandardRecall),
    ("evidence_recall", Metric::EvidenceRecall),
    ("evidence_only_recall", Metric::EvidenceOnlyRecall),
    ("answer_any", Metric::AnswerAny),
    ("ndcg", Metric::Ndcg),
    ("ndcg_exp", Metric::NdcgExp),
    ("ndcg_answer", Metric::NdcgAnswer),
    ("joint", Metric::Joint),
    ("map", Metric::MapAt),
    ("template_hit", Metric::TemplateHit),
    ("impostor", Metric::Impostor),
];

/// The names without one.
const WITHOUT: &[(&str, Metric)] = &[
    ("mrr", Metric::Mrr),
    ("map", Metric::Map),
    ("rival_auc", Metric::RivalAuc),
    ("resolved@1", Metric::ResolvedAt1),
    ("filing_resolved@1", Metric::FilingResolvedAt1),
    ("rival_rank", Metric::RivalRank),
];

impl Metric {
    /// Every name, with `k` for the cut-off, as help texts list them.
    pub const NAMES: &[&str] = &[
        "standard_recall@k",
        "evidence_recall@k",
        "evidence_only_recall@k",
        "answer_any@k",
        "ndcg@k",
        "ndcg_exp@k",
        "ndcg_answer@k",
        "joint@k",
        "mrr",
        "map",
        "map@k",
        "rival_auc",
        "resolved@1",
        "filing_resolved@1",
        "rival_rank",
        "template_hit@k",
        "impostor@k",
    ];

    /// What each of [`Metric::NAMES`] means, in half a line, for help texts.
    pub const MEANINGS: &[&str] = &[
        "share of the answers in the top k",
        "share of answers and evidence in the top k (recall of MTEB, trec_eval)",
        "share of the evidence in the top k",
        "an answer or one of its alternatives in the top k",
        "linear gain over the graded scores (ndcg_cut of trec_eval, MTEB)",
        "exponential gain, 2^grade - 1",
        "gain for answers only",
        "an answer and an evidence in the top k",
        "one over the rank of the first answer",
        "mean over the answers of the precision at each one's rank",
        "the same, answers below rank k counted as not found (map_cut)",
        "share of the rivals below the answer; chance is .5",
        "the answer ranks above all its rivals",
        "a sentence of its filing ranks above every rival's filing",
        "rank of the answer among its rivals and itself; lower is better",
        "an answer or a rival in the top k",
        "share of the top k that are rivals; lower is better",
    ];

    /// What is scored when nobody asks for anything else: the published scores, the headline ones, disambiguation.
    pub const DEFAULT: &[Self] = &[
        Self::StandardRecall(1),
        Self::StandardRecall(5),
        Self::StandardRecall(10),
        Self::StandardRecall(20),
        Self::EvidenceRecall(10),
        Self::EvidenceOnlyRecall(10),
        Self::AnswerAny(10),
        Self::Ndcg(10),
        Self::NdcgExp(10),
        Self::NdcgAnswer(10),
        Self::Joint(10),
        Self::Mrr,
        Self::RivalAuc,
        Self::ResolvedAt1,
        Self::FilingResolvedAt1,
        Self::TemplateHit(10),
        Self::Impostor(10),
    ];

    /// The cut-off, where there is one; 1 for the two `@1` scores.
    pub const fn cutoff(self) -> Option<usize> {
        match self {
            Self::StandardRecall(k)
            | Self::EvidenceRecall(k)
            | Self::EvidenceOnlyRecall(k)
            | Self::AnswerAny(k)
            | Self::Ndcg(k)
            | Self::NdcgExp(k)
            | Self::NdcgAnswer(k)
            | Self::Joint(k)
            | Self::MapAt(k)
            | Self::TemplateHit(k)
            | Self::Impostor(k) => Some(k),
            Self::ResolvedAt1 | Self::FilingResolvedAt1 => Some(1),
            Self::Mrr | Self::Map | Self::RivalAuc | Self::RivalRank => None,
        }
    }

    /// What is scored over each family of rivals: whether the answer was told from its rivals, and how.
    pub const DISAMBIGUATION: &[Self] = &[
        Self::RivalAuc,
        Self::ResolvedAt1,
        Self::FilingResolvedAt1,
        Self::RivalRank,
        Self::TemplateHit(10),
        Self::Impostor(10),
    ];

    /// Whether a larger value is the better one: true but for `impostor@k` and `rival_rank`.
    pub const fn higher_is_better(self) -> bool {
        !matches!(self, Self::Impostor(_) | Self::RivalRank)
    }

    /// Whether its values lie between 0 and 1: true but for `rival_rank`.
    pub const fn is_share(self) -> bool {
        !matches!(self, Self::RivalRank)
    }

    /// Whether it needs the rivals of a query.
    pub const fn needs_rivals(self) -> bool {
        matches!(
            self,
            Self::RivalAuc
                | Self::ResolvedAt1
                | Self::FilingResolvedAt1
                | Self::RivalRank
                | Self::TemplateHit(_)
                | Self::Impostor(_)
        )
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = match self {
            Self::StandardRecall(_) => "standard_recall",
            Self::EvidenceRecall(_) => "evidence_recall",
            Self::EvidenceOnlyRecall(_) => "evidence_only_recall",
            Self::AnswerAny(_) => "answer_any",
            Self::Ndcg(_) => "ndcg",
            Self::NdcgExp(_) => "ndcg_exp",
            Self::NdcgAnswer(_) => "ndcg_answer",
            Self::Joint(_) => "joint",
            Self::Mrr => "mrr",
            Self::Map | Self::MapAt(_) => "map",
            Self::RivalAuc => "rival_auc",
            Self::ResolvedAt1 => "resolved",
            Self::FilingResolvedAt1 => "filing_resolved",
            Self::RivalRank => "rival_rank",
            Self::TemplateHit(_) => "template_hit",
            Self::Impostor(_) => "impostor",
        };
        match self.cutoff() {
            Some(k) => write!(f, "{base}@{k}"),
            None => f.write_str(base),
        }
    }
}

impl FromStr for Metric {
    type Err = MeasureError;

    fn from_str(name: &str) -> Result<Self, MeasureError> {
        let wrong = |hint: String| MeasureError::UnknownMetric { name: name.to_owned(), hint };
        if let Some((_, metric)) = WITHOUT.iter().find(|(n, _)| *n == name) {
            return Ok(*metric);
        }
        let (base, cutoff) = name.split_once('@').map_or((name, None), |(b, k)| (b, Some(k)));
        if let Some((_, make)) = WITH_CUTOFF.iter().find(|(n, _)| *n == base) {
            let Some(cutoff) = cutoff else { return Err(wrong(format!("it needs a cut-off, such as `{base}@10`"))) };
            let plain = cutoff.bytes().all(|b| b.is_ascii_digit());
            return match cutoff.parse() {
                Ok(k) if k > 0 && plain => Ok(make(k)),
                _ => Err(wrong(format!("`{cutoff}` is no cut-off, write a whole number from 1, such as `{base}@10`"))),
            };
        }
        if let Some((exact, _)) = WITHOUT.iter().find(|(n, _)| n.split('@').next() == Some(base)) {
            return Err(wrong(format!("write `{exact}`")));
        }
        Err(wrong(match base {
            "recall" | "r" => {
                "say which recall, `standard_recall@k` (answers) or `evidence_recall@k` (answers and evidence)".into()
            }
            "rr" | "recip_rank" => "write `mrr`".into(),
            "ap" | "map_cut" => "write `map` or `map@k`".into(),
            "ndcg_cut" | "nDCG" | "NDCG" => "write `ndcg@k`".into(),
            _ => "no such name".into(),
        }))
    }
}

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Metric {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_goes_there_and_back() {
        for name in Metric::NAMES {
            let name = name.replace("@k", "@7");
            assert_eq!(name.parse::<Metric>().unwrap().to_string(), name);
        }
        assert_eq!(Metric::NAMES.len(), WITH_CUTOFF.len() + WITHOUT.len());
        assert_eq!(Metric::NAMES.len(), Metric::MEANINGS.len());
        for metric in Metric::DEFAULT {
            assert_eq!(metric.to_string().parse::<Metric>().unwrap(), *metric);
        }
    }

    #[test]
    fn a_wrong_name_is_told_what_is_wrong_and_what_is_known() {
        for (name, hint) in [
            ("ndcg", "ndcg@10"),
            ("ndcg@0", "whole number"),
            ("ndcg@+5", "whole number"),
            ("ndcg@", "whole number"),
            ("ndcg@99999999999999999999999", "whole number"),
            ("mrr@10", "`mrr`"),
            ("resolved@5", "`resolved@1`"),
            ("recall@10", "standard_recall"),
            ("map@0", "whole number"),
            ("rival_rank@1", "`rival_rank`"),
            ("precision@5", "no such name"),
            ("", "no such name"),
        ] {
            let message = name.parse::<Metric>().unwrap_err().to_string();
            assert!(message.contains(hint) && message.contains("filing_resolved@1"), "{name}: {message}");
        }
    }

    #[test]
    fn serves_as_a_json_key() {
        let map = std::collections::BTreeMap::from([(Metric::Ndcg(10), 1.0), (Metric::Mrr, 0.5)]);
        let json = serde_json::to_string(&map).unwrap();
        assert_eq!(json, r#"{"ndcg@10":1.0,"mrr":0.5}"#);
        assert_eq!(serde_json::from_str::<std::collections::BTreeMap<Metric, f64>>(&json).unwrap(), map);
    }
}
