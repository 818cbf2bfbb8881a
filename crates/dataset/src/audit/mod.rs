//! A data set held against its own rules.
//!
//! Each rule is one [`Check`], named, counted and shown with examples; a rule that has nothing to hold on to (a set without `filings`
//! has no text to compare with) is skipped and says why. Nothing here reads files: what the reader noticed comes in as
//! its [`ReadReport`].
//!
//! These are the invariants. Leaks, shortcuts and difficulty are questions of degree and belong in sections of their own beside
//! `checks`.

mod check;
mod context;
mod documents;
mod queries;
mod rivals;
mod words;

use serde::{Deserialize, Serialize};

pub use check::{Check, Outcome};

use crate::{DataSet, ReadReport};
use context::Context;

/// The result of an audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditReport {
    /// Whether no check failed.
    pub passed: bool,
    /// Every check, in a fixed order.
    pub checks: Vec<Check>,
}

impl AuditReport {
    /// The checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|c| c.outcome == Outcome::Failed)
    }
}

/// Holds a data set against its invariants.
pub fn audit(dataset: &DataSet, report: &ReadReport) -> AuditReport {
    let context = Context::new(dataset, report);
    let groups = [documents::CHECKS, queries::CHECKS, rivals::CHECKS];
    let checks: Vec<Check> = groups.into_iter().flatten().map(|(name, run)| run(&context).named(name)).collect();
    AuditReport { passed: checks.iter().all(|c| c.outcome != Outcome::Failed), checks }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_core::{CharSpan, Role};

    fn failing(set: &DataSet, report: &ReadReport) -> Vec<String> {
        let report = audit(set, report);
        assert_eq!(report.passed, report.failed().next().is_none());
        report
            .failed()
            .inspect(|c| assert!(c.count > 0 && !c.examples.is_empty(), "{c:?}"))
            .map(|c| c.name.clone())
            .collect()
    }

    #[test]
    fn a_sound_set_passes_every_check() {
        let report = audit(&testing::dataset(4), &ReadReport::default());
        assert!(report.passed, "{:#?}", report.failed().collect::<Vec<_>>());
        let skipped = report.checks.iter().filter(|c| c.outcome == Outcome::Skipped).map(|c| c.name.as_str());
        assert_eq!(skipped.collect::<Vec<_>>(), ["rows-as-manifest-states"], "{report:#?}");
    }

    /// Each rule is broken by itself, and its check is among those that notice.
    #[test]
    fn every_check_can_fail() {
        type Break = fn(&mut DataSet, &mut ReadReport);
        let breaks: &[(&str, Break)] = &[
            ("chunk-ids-unique", |s, _| s.chunks[1].id = s.chunks[0].id.clone()),
            ("chunk-ids-well-formed", |s, _| s.chunks[0].id = "x#s3".into()),
            ("source-urls-well-formed", |s, _| s.chunks.iter_mut().for_each(|c| c.source_url = "a b".into())),
            ("documents-ordered", |s, _| s.chunks.swap(0, 1)),
            ("chunk-idx-from-zero", |s, _| s.chunks[3].idx = 9),
            ("spans-fit", |s, _| s.chunks[2].span.end = 0),
            ("spans-equal-text", |s, _| {
                s.chunks[2].span = CharSpan::new(s.chunks[2].span.start + 1, s.chunks[2].span.end + 1);
            }),
            ("chunks-do-not-overlap", |s, _| s.chunks[2].span.start -= 10),
            ("chunk-lengths", |s, _| s.chunks[3].text = "Short.".into()),
            ("chunks-clean", |s, _| s.chunks[3].text.push_str(" &amp; <b>more</b> ")),
            ("titles-well-formed", |s, _| s.chunks[0].title = "Marlin".into()),
            ("one-title-per-filing", |s, _| s.chunks[1].title = "Other 8-K 2024-03-01".into()),
            ("filings-match-documents", |s, _| {
                s.filings.as_mut().unwrap().remove(1);
            }),
            ("rows-as-manifest-states", |_, r| r.stated_fingerprint = Some("0".repeat(64))),
            ("queries-present", |s, _| s.queries.clear()),
            ("queries-unique", |s, _| s.queries[1].query = s.queries[0].query.clone()),
            ("queries-have-an-answer", |s, _| {
                s.queries[0].golds.remove(0);
            }),
            ("n-gold-is-length", |_, r| r.wrong_counts.push(("q0".into(), 3, 2))),
            ("scores-are-grades", |s, _| s.queries[0].golds[0].score = 3),
            ("roles-mirror-score", |s, _| s.queries[0].golds[0].role = Role::Evidence),
            ("roles-mirror-score", |_, r| r.unknown_roles.push(("q0".into(), "reply".into()))),
            ("golds-in-one-filing", |s, _| s.queries[0].golds[1].source_url = s.chunks[5].source_url.clone()),
            ("gold-filings-known", |s, _| s.queries[0].golds[1].source_url = "elsewhere".into()),
            ("golds-found", |s, _| s.queries[0].golds[0].span = CharSpan::new(9000, 9040)),
            ("golds-are-one-chunk", |s, _| s.queries[0].golds[0].span.end += 20),
            ("gold-text-is-chunk", |s, _| s.queries[0].golds[0].text.push('x')),
            ("gold-spans-fit", |s, _| s.queries[0].golds[0].span.end -= 1),
            ("query-names-company", |s, _| s.queries[0].query = "What charges are expected?".into()),
            ("answer-names-no-company", |s, _| s.queries[1].golds[0].text = "Our Quillfeather expects charges.".into()),
            ("answer-is-coreferent", |s, _| s.queries[0].golds[0].text = "Charges of $4 million are expected.".into()),
            ("one-query-per-company-and-fact", |s, _| {
                let mut q = s.queries[0].clone();
                q.query.push('?');
                s.queries.push(q);
            }),
            ("company-names-unique", |s, _| {
                let t = s.chunks[0].title.clone();
                s.chunks[4..8].iter_mut().for_each(|c| c.title = t.clone());
            }),
            ("alternatives-are-other-chunks", |s, _| s.queries[0].alternatives[0].span = s.queries[0].golds[0].span),
            ("facts-named", |s, _| s.queries[0].fact = None),
            ("rivals-known", |s, _| s.rivals.as_mut().unwrap()[0].rivals.push("zzz".into())),
            ("rivals-without-gold", |s, _| {
                let r = &mut s.rivals.as_mut().unwrap()[0];
                r.rivals.push(r.gold.clone());
            }),
            ("rivals-of-other-companies", |s, _| {
                let id = s.chunks[3].id.clone();
                s.rivals.as_mut().unwrap()[0].rivals.push(id);
            }),
            ("rivals-cover-queries", |s, _| {
                s.rivals.as_mut().unwrap().pop();
            }),
            ("rivals-ordered", |s, _| s.rivals.as_mut().unwrap()[0].rivals.reverse()),
            ("rivals-ordered", |s, _| {
                s.rivals.as_mut().unwrap()[0].similarity.pop();
            }),
        ];
        let mut untested: Vec<String> =
            audit(&testing::dataset(1), &ReadReport::default()).checks.into_iter().map(|c| c.name).collect();
        for (name, change) in breaks {
            let (mut set, mut report) = (testing::dataset(4), ReadReport::default());
            change(&mut set, &mut report);
            let failing = failing(&set, &report);
            assert!(failing.iter().any(|f| f == name), "{name} did not notice; failing: {failing:?}");
            untested.retain(|c| c != name);
        }
        assert!(untested.is_empty(), "no test breaks {untested:?}");
    }

    #[test]
    fn a_foreign_set_is_not_held_to_our_rules() {
        let mut set = testing::dataset(3);
        set.filings = None;
        set.rivals = None;
        for (i, chunk) in set.chunks.iter_mut().enumerate() {
            chunk.id = format!("doc{i}");
            chunk.title.clear();
        }
        set.queries.iter_mut().for_each(|q| {
            q.fact = None;
            q.alternatives.clear();
        });
        let report = audit(&set, &ReadReport::default());
        assert!(report.passed, "{:#?}", report.failed().collect::<Vec<_>>());
        let skipped: Vec<_> = report.checks.iter().filter(|c| c.outcome == Outcome::Skipped).collect();
        assert!(skipped.iter().all(|c| c.reason.is_some()) && skipped.len() >= 8, "{skipped:#?}");
    }

    #[test]
    fn an_empty_set_does_not_panic() {
        assert!(!audit(&DataSet::default(), &ReadReport::default()).passed);
    }
}
