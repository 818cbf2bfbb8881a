//! Which ids and grades a format can hold.
//!
//! The road not taken is to rename what does not fit: runs made from the export would then name documents that the data set does
//! not have, and score 0.

use super::{Format, Outgoing};
use crate::DatasetError;

const RENAME: &str = "Rename these chunks in the data set, or export to jsonl, which holds any id";

/// Refuses a data set with an id or a grade that the format would change.
pub(super) fn check(set: &Outgoing<'_>, format: Format) -> Result<(), DatasetError> {
    let (fits, wanted): (fn(&str) -> bool, &str) = match format {
        Format::Jsonl => return Ok(()),
        Format::Trec => (between_blanks, "hold no white space and no control character"),
        Format::Beir => {
            (between_tabs, "hold no control character and neither begin nor end with white space or a quotation mark")
        }
        Format::Mteb => (as_c_string, "hold no zero byte"),
    };
    let ids = || set.dataset.chunks.iter().map(|c| c.id.as_str());
    let unfit = |problem: String, hint| Err(DatasetError::Unfit { format: format.name(), problem, hint });
    if let Some(first) = ids().find(|id| !fits(id)) {
        let n = ids().filter(|id| !fits(id)).count();
        let all = set.dataset.chunks.len();
        return unfit(
            format!(
                "{n} of {all} chunk ids cannot be written, the first is {first:?}; an id must {wanted} and not be empty"
            ),
            RENAME,
        );
    }
    // MTEB casts grades to 32 bits; the C code below pytrec_eval knows no more either.
    if let Some(j) = set.graded().iter().find(|j| i32::try_from(j.grade).is_err()) {
        let problem = format!("grade {} of chunk {:?} for query {} is beyond 32 bits", j.grade, j.chunk, j.query);
        return unfit(problem, "Grades are small whole numbers: 2 for an answer, 1 for evidence");
    }
    Ok(())
}

/// Python's `split()` breaks at any Unicode white space, `trec_eval` at the ASCII ones.
fn between_blanks(id: &str) -> bool {
    !id.is_empty() && !id.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// BEIR reads qrels with Python's `csv`, to which a quotation mark at the beginning opens a quoted cell.
fn between_tabs(id: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c == '"';
    !id.is_empty() && !id.contains(char::is_control) && !id.starts_with(odd) && !id.ends_with(odd)
}

/// `pytrec_eval` hands ids to C.
fn as_c_string(id: &str) -> bool {
    !id.is_empty() && !id.contains('\0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_each_format_can_hold() {
        for (id, trec, beir, mteb) in [
            ("0000051434-25-000060#s65", true, true, true),
            ("a b", false, true, true),
            ("a\u{a0}b", false, true, true),
            ("a\tb", false, false, true),
            ("a\nb", false, false, true),
            (" a", false, false, true),
            ("\"a", true, false, true),
            ("a\0", false, false, false),
            ("", false, false, false),
        ] {
            assert_eq!((between_blanks(id), between_tabs(id), as_c_string(id)), (trec, beir, mteb), "{id:?}");
        }
    }
}
