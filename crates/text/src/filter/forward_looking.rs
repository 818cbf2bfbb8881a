//! Safe-harbour passages.
//!
//! A passage is known by what it says of itself, never by verbs such as *expects*: those are what the benchmark is about. Under a heading
//! of its own everything belongs to it until the next heading; in running prose it begins with the sentence that names
//! forward-looking statements and ends with the paragraph, or with the list that the paragraph announces.

use eightk_core::DropReason;

use super::cues::{Cues, contains_ignore_case, starts_ignore_case};
use super::paragraph::Role;

/// Where a walk through the paragraphs stands with regard to safe-harbour prose.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SafeHarbour {
    /// Under a heading that announces it.
    section: bool,
    /// The paragraph before belonged to it.
    follows: bool,
    /// The paragraph before announced a list.
    listing: bool,
    /// All of this paragraph belongs to it.
    whole: bool,
    /// From here to the end of the paragraph.
    rest: bool,
}

impl SafeHarbour {
    /// Enters a paragraph.
    pub(super) fn paragraph(&mut self, text: &str, role: Role, cues: Cues) {
        if matches!(role, Role::PageNumber | Role::Label) {
            return;
        }
        let before = *self;
        *self = Self { section: before.section, ..Self::default() };
        if role == Role::Heading {
            self.section = announces(text);
            return;
        }
        if role != Role::Prose {
            return;
        }
        if before.section && resumes(text) && !cues.has(Cues::FORWARD) {
            self.section = false;
        }
        let item = before.listing && (is_list_item(text) || text.ends_with([';', ',']));
        let continued = before.follows && cues.has(Cues::RISKS) && !resumes(text);
        self.whole = self.section || item || continued;
        let strong = cues.has(Cues::FORWARD);
        self.listing = ((self.whole || strong) && text.ends_with(':'))
            || (item && !text.ends_with('.'))
            || (item && is_list_item(text));
        self.follows = self.whole || strong;
    }

    /// Judges the next sentence of the paragraph.
    pub(super) fn sentence(&mut self, cues: Cues) -> Option<DropReason> {
        self.rest |= cues.has(Cues::FORWARD);
        let by_itself = cues.has(Cues::RELIANCE)
            || cues.has(Cues::AS_OF)
            || (cues.has(Cues::DIFFER) && cues.has(Cues::RISKS))
            || (cues.has(Cues::DUTY) && cues.has(Cues::UPDATE));
        (self.whole || self.rest || by_itself).then_some(DropReason::ForwardLooking)
    }
}

/// Whether a heading announces the passage.
fn announces(text: &str) -> bool {
    [
        "forward-looking",
        "forward looking",
        "forward‑looking",
        "forward–looking",
        "safe harbor",
        "safe harbour",
        "cautionary note",
        "cautionary statement",
    ]
    .iter()
    .any(|p| contains_ignore_case(text, p))
}

/// Whether a paragraph goes back to the news: passages without a heading at their end are common.
fn resumes(text: &str) -> bool {
    let openings = [
        "on january",
        "on february",
        "on march",
        "on april",
        "on may ",
        "on june",
        "on july",
        "on august",
        "on september",
        "on october",
        "on november",
        "on december",
        "a copy of",
        "the information in this",
        "the information contained in this",
        "the information furnished",
        "the information set forth",
        "in accordance with general instruction",
        "pursuant to general instruction",
        "as previously",
    ];
    openings.iter().any(|o| starts_ignore_case(text, o))
}

fn is_list_item(text: &str) -> bool {
    let marks = ['•', '·', '●', '▪', '■', '◦', '○', '*', '-', '–', '—', 'Ÿ', '§'];
    let first = text.chars().next().unwrap_or(' ');
    marks.contains(&first) || first.is_lowercase() || (first == '(' && text.find(')').is_some_and(|i| i < 7))
}
