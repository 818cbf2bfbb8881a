//! Which sentence tells who "the Company" is.

use eightk_core::{DropReason, Filing};
use eightk_text::names::{Names, TermKind, bindings};

/// What a filing says it will call whom.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Bound {
    /// "The Company" (or its like) is the filer, by definition.
    pub(crate) filer: bool,
    /// "The Company" is somebody else, by definition.
    pub(crate) other: bool,
    /// Names bound to others than the filer.
    pub(crate) other_names: Vec<String>,
    /// The first kept sentence that binds a coreferent to the filer.
    pub(crate) sentence: Option<usize>,
}

impl Bound {
    /// Whether "the Company" means another organisation in this filing.
    pub(crate) fn to_other(&self) -> bool {
        self.other && !self.filer
    }
}

/// Reads all definitions of a filing. Linear in its text.
pub(crate) fn bound(filing: &Filing, names: &Names) -> Bound {
    let mut out = Bound::default();
    // Without a name there is nobody the definition could be of but the filer.
    let nameless = names.aliases().is_empty();
    for (i, sentence) in filing.sentences.iter().enumerate() {
        if matches!(sentence.dropped, Some(DropReason::Table | DropReason::PageNumber | DropReason::Label)) {
            continue;
        }
        let text = filing.sentence_text(sentence);
        if !text.contains('(') {
            continue;
        }
        for binding in bindings(text) {
            let is_name = |s: &str| names.mention(s).is_some();
            let short = || binding.terms.iter().any(|t| t.kind == TermKind::ShortName && is_name(&t.text));
            let is_filer = nameless || names.binds_filer(text, &binding) || short();
            let third_person = binding.terms.iter().any(|t| t.kind.is_coreferent() && t.kind != TermKind::We);
            if is_filer {
                out.filer |= third_person;
                if binding.binds_coreferent() && sentence.kept() && out.sentence.is_none() {
                    out.sentence = Some(i);
                }
            } else {
                out.other |= third_person;
                let named = binding.terms.iter().filter(|t| t.kind == TermKind::ShortName);
                out.other_names.extend(named.map(|t| t.text.clone()));
            }
        }
    }
    out.other_names.sort_unstable();
    out.other_names.dedup();
    out
}

/// The kept sentence nearest before `answer` that names the filer.
pub(crate) fn nearest_name(filing: &Filing, names: &Names, answer: usize) -> Option<usize> {
    let before = filing.sentences.get(..answer)?;
    let names_it = |s: &&eightk_core::Sentence| s.kept() && names.mention(filing.sentence_text(s)).is_some();
    before.iter().enumerate().rev().find(|(_, s)| names_it(s)).map(|(i, _)| i)
}
