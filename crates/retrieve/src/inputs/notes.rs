//! Where inputs show less than the names of view and control promise.

use eightk_core::short_name;

use super::sheet::Sheet;
use super::{Control, FilingInputs};

/// One sentence for each kind of it, with counts.
pub(super) fn notes(inputs: &FilingInputs<'_, '_>) -> Vec<String> {
    let filings = inputs.corpus.filings();
    let all = filings.len();
    let mut notes = Vec::new();
    let mut note = |count: usize, of: usize, what: &str, then: &str| {
        if count > 0 {
            notes.push(format!("{what} {count} of {of} {then}"));
        }
    };
    if inputs.view.sees_narrative() {
        let unknown = inputs.corpus.filings().filter(|f| f.text.is_none()).count();
        let unfit = filings.filter(|f| f.text.is_some() && Sheet::of_narrative(f).is_none()).count();
        note(unknown, all, "the narrative of", "filings is not known; their kept chunks stand in for it");
        note(
            unfit,
            all,
            "the narrative of",
            "filings does not hold their chunks where they should stand; their kept chunks stand in for it",
        );
    }
    if let Some(prefixes) = inputs.prefixes {
        let chunks = inputs.corpus.chunks();
        let without = chunks.iter().filter(|c| !prefixes.contains_key(&c.id)).count();
        note(without, chunks.len(), "no context made elsewhere for", "chunks; they are seen without");
        let strange = prefixes.len() - (chunks.len() - without);
        note(strange, prefixes.len(), "of the contexts made elsewhere,", "belong to no chunk");
    }
    if matches!(inputs.control, Some(Control::Masked | Control::MinusBinding)) {
        let filings = || inputs.corpus.filings();
        let nameless = filings().filter(|f| !inputs.names.contains_key(f.source_url)).count();
        note(nameless, all, "no name is known of the filers of", "filings; nothing was taken out of their sentences");
        let untitled = filings().filter(|f| {
            !f.title.is_empty()
                && short_name(f.title).is_none()
                && inputs.names.get(f.source_url).is_some_and(|n| n.mention(f.title).is_none())
        });
        if inputs.control == Some(Control::Masked) && inputs.view.sees_title() {
            note(untitled.count(), all, "in the titles of", "filings no known name was found; they are seen whole");
        }
    }
    notes
}
