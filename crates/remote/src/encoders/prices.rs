//! List prices, for estimates where a spec states none.
//!
//! Prices change; each row says where and when it was read. A discount or another host is what `price=` is for.

use super::kind::RemoteKind;

/// Service, its model, dollars per million tokens, source and day.
const PRICES: [(RemoteKind, &str, f64, &str); 7] = [
    (RemoteKind::OpenAi, "text-embedding-3-small", 0.02, "developers.openai.com, 2026-07-03"),
    (RemoteKind::OpenAi, "text-embedding-3-large", 0.13, "developers.openai.com, 2026-05"),
    (RemoteKind::OpenAi, "text-embedding-ada-002", 0.10, "developers.openai.com, 2026-05"),
    (RemoteKind::Voyage, "voyage-context-4", 0.12, "docs.voyageai.com, 2026-08"),
    (RemoteKind::Voyage, "voyage-context-3", 0.18, "docs.voyageai.com, 2026-08"),
    (RemoteKind::Perplexity, "pplx-embed-context-v1-0.6b", 0.008, "docs.perplexity.ai, 2026-08"),
    (RemoteKind::Perplexity, "pplx-embed-context-v1-4b", 0.05, "docs.perplexity.ai, 2026-08"),
];

/// Dollars per million tokens of a model at the service's own address, where known.
pub(crate) fn listed(kind: RemoteKind, model: &str) -> Option<f64> {
    let row = PRICES.iter().find(|(of, name, ..)| *of == kind && model == *name);
    row.map(|(_, _, price, _)| *price)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_and_what_is_not() {
        assert_eq!(listed(RemoteKind::Voyage, "voyage-context-3"), Some(0.18));
        assert_eq!(listed(RemoteKind::Perplexity, "pplx-embed-context-v1-4b"), Some(0.05));
        assert_eq!(listed(RemoteKind::OpenAi, "voyage-context-3"), None);
        assert_eq!(listed(RemoteKind::Jina, "jina-embeddings-v3"), None);
        assert!(PRICES.iter().all(|(.., source)| !source.is_empty()));
    }
}
