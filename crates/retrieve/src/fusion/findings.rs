//! What the parts found out, told of the whole.

use crate::Findings;

/// Counts added up; notes with the name of the part they are about; of each query what the first part says that says anything.
pub(super) fn of_parts<'n>(parts: impl Iterator<Item = (&'n str, Findings)>) -> Findings {
    let mut all = Findings::default();
    for (name, part) in parts {
        all.truncated_inputs += part.truncated_inputs;
        all.encoded += part.encoded;
        all.cached += part.cached;
        all.requests += part.requests;
        all.tokens += part.tokens;
        all.context_free |= part.context_free;
        all.notes.extend(part.notes.into_iter().map(|note| format!("{name}: {note}")));
        for (query, finding) in part.per_query {
            let of_query = all.per_query.entry(query).or_default();
            of_query.swapped_with = of_query.swapped_with.take().or(finding.swapped_with);
            of_query.binding_in_window = of_query.binding_in_window.or(finding.binding_in_window);
        }
    }
    all
}
