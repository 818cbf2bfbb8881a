//! Units into requests: as many as the service takes at once, in order.

use super::Unit;
use crate::web::Need;

/// What one request may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Units.
    pub(crate) units: usize,
    /// Texts in all of them.
    pub(crate) texts: usize,
    /// Tokens in all of them, by estimate.
    pub(crate) tokens: u64,
    /// Tokens in one of them, by estimate.
    pub(crate) unit_tokens: Option<u64>,
}

/// How many of the first units make the next request: at least one, where there is one.
pub(crate) fn batch(units: &[Unit<'_>], limits: &Limits) -> usize {
    let (mut texts, mut tokens) = (0_usize, 0_u64);
    let fits = |unit: &&Unit<'_>| {
        texts = texts.saturating_add(unit.texts.len());
        tokens = tokens.saturating_add(unit.tokens);
        texts <= limits.texts && tokens <= limits.tokens
    };
    units.iter().take(limits.units.max(1)).take_while(fits).count().max(1).min(units.len())
}

/// What these units need in requests and tokens.
pub(crate) fn need(units: &[Unit<'_>], limits: &Limits) -> Need {
    let mut need = Need::default();
    let mut rest = units;
    while !rest.is_empty() {
        let (now, later) = rest.split_at_checked(batch(rest, limits)).unwrap_or((rest, &[]));
        need = need + Need { requests: 1, tokens: now.iter().map(|u| u.tokens).fold(0, u64::saturating_add) };
        rest = later;
    }
    need
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(tokens: &[u64]) -> Vec<Unit<'static>> {
        tokens.iter().map(|t| Unit { owner: 0, texts: vec!["a", "b"], tokens: *t, places: vec![] }).collect()
    }

    const LIMITS: Limits = Limits { units: 3, texts: 100, tokens: 50, unit_tokens: None };

    #[test]
    fn every_limit_ends_a_batch() {
        assert_eq!(batch(&units(&[1; 10]), &LIMITS), 3);
        assert_eq!(batch(&units(&[20, 20, 20]), &LIMITS), 2);
        assert_eq!(batch(&units(&[1; 10]), &Limits { texts: 5, ..LIMITS }), 2);
        assert_eq!(batch(&units(&[99, 1]), &LIMITS), 1, "too much alone: the service shall say so");
        assert_eq!(batch(&[], &LIMITS), 0);
        assert_eq!(batch(&units(&[1]), &Limits { units: 0, ..LIMITS }), 1);
    }

    #[test]
    fn needs_add_up() {
        assert_eq!(need(&units(&[20, 20, 20, 20, 20]), &LIMITS), Need { requests: 3, tokens: 100 });
    }
}
