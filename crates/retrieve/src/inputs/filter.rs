//! What a control lets through of the text around a chunk.

use std::borrow::Cow;

use eightk_text::names::Names;

use super::Control;
use super::masking::without_names;

/// Applied to everything that is seen besides the chunk itself.
#[derive(Debug, Clone, Copy)]
pub(super) enum Filter<'n> {
    /// All of it.
    All,
    /// All but the filer's names.
    Masked(&'n Names),
    /// No title, and of sentences those without a name.
    Unnamed(Option<&'n Names>),
}

impl<'n> Filter<'n> {
    /// What `control` does in a filing whose filer goes by `names`.
    pub(super) const fn of(control: Option<Control>, names: Option<&'n Names>) -> Self {
        match (control, names) {
            (Some(Control::Masked), Some(names)) => Self::Masked(names),
            (Some(Control::MinusBinding), names) => Self::Unnamed(names),
            _ => Self::All,
        }
    }

    /// A title, as far as it is seen.
    pub(super) fn title<'t>(self, title: &'t str) -> Cow<'t, str> {
        match self {
            Self::Unnamed(_) => Cow::Borrowed(""),
            _ => self.sentence(title),
        }
    }

    /// A sentence, or what counts as one, as far as it is seen.
    pub(super) fn sentence<'t>(self, text: &'t str) -> Cow<'t, str> {
        match self {
            Self::Masked(names) => without_names(text, names),
            Self::Unnamed(_) if self.changes(text) => Cow::Borrowed(""),
            _ => Cow::Borrowed(text),
        }
    }

    /// Whether a sentence is not seen as it is.
    pub(super) fn changes(self, text: &str) -> bool {
        match self {
            Self::Masked(names) | Self::Unnamed(Some(names)) => names.mention(text).is_some(),
            Self::All | Self::Unnamed(None) => false,
        }
    }
}
