//! A system of vectors in words and settings.

use eightk_encode::Encoder;

use crate::{DenseSpec, Description, View};

/// Everything that could change a score: the spec, the encoder's whole identity, how vectors are held.
pub(super) fn describe(label: &str, spec: &DenseSpec, encoder: &dyn Encoder) -> Description {
    let who = encoder.identity();
    let mut summary = if encoder.goes_by_id() {
        format!("Vectors of {} made elsewhere, by their maker's word of each chunk seen as `{}`", who.model, spec.view)
    } else if spec.view == View::BARE {
        format!("{} ({}) over each chunk alone", who.model, who.provider)
    } else if spec.view.sees_filing() {
        format!("{} ({}) over each chunk in its filing, seen as `{}`", who.model, who.provider, spec.view)
    } else {
        format!("{} ({}) over each chunk seen as `{}`", who.model, who.provider, spec.view)
    };
    if let Some(control) = &spec.control {
        summary += &format!(", under control `{control}`");
    }
    let mut description = Description::new(label, "dense", &summary)
        .with_view(&spec.view)
        .with("spec", spec.to_string())
        .with("storage", spec.storage.to_string())
        .with("control", spec.control.map_or_else(|| "none".to_owned(), |c| c.to_string()));
    for (setting, value) in who.pairs() {
        description = description.with(&setting, value);
    }
    description
}
