//! The sections of an audit, one file each.

mod ceiling;
mod copies;
mod difficulty;
mod leaks;
mod shortcuts;

use eightk_measure::Value;

use crate::contest::Contests;
use crate::report::Section;
use crate::subject::Subject;
use crate::{Finding, Limit};

/// Why what is about rivals is skipped.
const NO_RIVALS: &str = "no query has rivals (audit/rivals.jsonl)";

/// Every section, in a fixed order.
pub(crate) fn all(subject: &Subject<'_>) -> Vec<Section> {
    let mut contests = Contests::new(subject);
    let bm25 = shortcuts::Bm25Scores::new(subject, contests.as_mut());
    vec![
        Section { name: "leaks", checks: leaks::findings(subject) },
        Section { name: "shortcuts", checks: shortcuts::findings(subject, &bm25, contests.as_mut()) },
        Section { name: "copies and names", checks: copies::findings(subject) },
        Section { name: "ceiling", checks: ceiling::findings(subject) },
        Section { name: "difficulty", checks: difficulty::findings(subject, &bm25) },
    ]
}

/// A rival AUC as a finding: around .5, on either side. Skipped where there is no interval to go by.
fn auc(name: &'static str, value: Option<Value>, key: &'static str, margin: f64) -> Finding {
    let Some(value) = value else { return Finding::skipped(name, NO_RIVALS) };
    let (Some(low), Some(high)) = (value.low, value.high) else {
        return Finding::skipped(name, "all queries with rivals are of one filing: nothing can be said of others");
    };
    Finding::number(name, value.expected, Limit::around(key, margin, 0.5))
        .within((low, high))
        .chance(0.5)
        .out_of(value.queries)
}
