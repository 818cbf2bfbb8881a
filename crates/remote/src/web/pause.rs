//! How long to wait before asking again.
//!
//! A service that says so is believed: `Retry-After`, then the reset times of its rate limits. Else the pause is drawn between zero and a
//! bound that doubles: requests that failed together must not come back together, which a fixed or slightly varied pause makes them do.

use std::time::Duration;

use jiff::Timestamp;
use ureq::http::HeaderMap;

/// How often a request is sent again.
pub(crate) const MOST_RETRIES: u32 = 6;

/// Bounds of the drawn pause.
const SHORTEST_BOUND: Duration = Duration::from_secs(1);
const LONGEST_BOUND: Duration = Duration::from_secs(60);

/// Numbers above this are moments (Unix time), not seconds to wait.
const SURELY_A_MOMENT: f64 = 1e9;

/// The pause before retry `n` (from 0) where the service asked for none; `chance` in [0, 1).
pub(crate) fn drawn(n: u32, chance: f64) -> Duration {
    let bound = SHORTEST_BOUND.saturating_mul(1_u32 << n.min(16)).min(LONGEST_BOUND);
    bound.mul_f64(chance.clamp(0.0, 1.0))
}

/// The pause that an answer asks for. `wall` is only used where the answer does not carry its own date.
pub(crate) fn asked(headers: &HeaderMap, wall: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    // The service's own clock: ours may be minutes off.
    let now = text("date").and_then(date).unwrap_or(wall);
    text("retry-after").and_then(|v| seconds(v, now).or_else(|| Some(until(date(v)?, now)))).or_else(|| {
        let reset = |kind: &str| {
            let left = text(&format!("x-ratelimit-remaining-{kind}")).and_then(|v| v.parse::<f64>().ok());
            let wait = text(&format!("x-ratelimit-reset-{kind}")).and_then(|v| length(v, now))?;
            Some((left, wait))
        };
        let resets: Vec<_> = ["requests", "tokens"].into_iter().filter_map(reset).collect();
        // The limit that is used up says when; where none is, the later one is safe.
        let used_up = resets.iter().filter(|(left, _)| left.is_some_and(|n| n <= 0.0)).map(|(_, wait)| *wait).max();
        used_up.or_else(|| resets.iter().map(|(_, wait)| *wait).max())
    })
}

/// An HTTP date.
fn date(text: &str) -> Option<Timestamp> {
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
}

fn until(moment: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(moment.duration_since(now)).unwrap_or_default()
}

/// Seconds, or Unix time.
fn seconds(text: &str, now: Timestamp) -> Option<Duration> {
    let number: f64 = text.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0)?;
    if number < SURELY_A_MOMENT {
        return Duration::try_from_secs_f64(number).ok();
    }
    let unix = if number < 1e11 { number } else { number / 1000.0 };
    Duration::try_from_secs_f64((unix - now.as_millisecond() as f64 / 1000.0).max(0.0)).ok()
}

/// `1h2m3.5s`, `20ms`, a number as [`seconds`] takes it, or a moment as RFC 3339 writes it.
fn length(text: &str, now: Timestamp) -> Option<Duration> {
    if let Some(plain) = seconds(text, now) {
        return Some(plain);
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(until(moment, now));
    }
    let (mut total, mut rest) = (Duration::ZERO, text);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let (number, tail) = rest.split_at_checked(digits)?;
        let letters = tail.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, tail) = tail.split_at_checked(letters)?;
        let one = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        let part = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * one).ok()?;
        (total, rest) = (total.checked_add(part)?, tail);
    }
    (!text.is_empty()).then_some(total)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ureq::http::{HeaderName, HeaderValue};

    use super::*;

    const NOW: &str = "2026-03-01T12:00:00Z";

    fn wait(headers: &[(&str, &str)]) -> Option<f64> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
        }
        asked(&map, NOW.parse().unwrap()).map(|d| d.as_secs_f64())
    }

    #[test]
    fn retry_after_in_seconds_and_as_a_date() {
        assert_eq!(wait(&[("retry-after", "7")]), Some(7.0));
        assert_eq!(wait(&[("retry-after", " 0.5 ")]), Some(0.5));
        assert_eq!(wait(&[("retry-after", "Sun, 01 Mar 2026 12:01:30 GMT")]), Some(90.0));
        let own = ("date", "Sun, 01 Mar 2026 12:01:00 GMT");
        assert_eq!(wait(&[("retry-after", "Sun, 01 Mar 2026 12:01:30 GMT"), own]), Some(30.0));
        assert_eq!(wait(&[("retry-after", "Sun, 01 Mar 2026 11:00:00 GMT")]), Some(0.0));
        for nonsense in ["soon", "-5", "nan", "inf", ""] {
            assert_eq!(wait(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
    }

    #[test]
    fn resets_of_rate_limits() {
        let reset = |text: &str| wait(&[("x-ratelimit-reset-requests", text)]);
        assert_eq!(reset("6m0s"), Some(360.0));
        assert_eq!(reset("1h2m3.5s"), Some(3723.5));
        assert_eq!(reset("20ms"), Some(0.02));
        assert_eq!(reset("12"), Some(12.0));
        assert_eq!(reset("1772366410"), Some(10.0));
        assert_eq!(reset("1772366410000"), Some(10.0));
        assert_eq!(reset("2026-03-01T12:00:30Z"), Some(30.0));
        assert_eq!(reset("5 parsecs"), None);
        let both = [("x-ratelimit-reset-requests", "50s"), ("x-ratelimit-reset-tokens", "9s")];
        assert_eq!(wait(&both), Some(50.0));
        let left = [("x-ratelimit-remaining-requests", "12"), ("x-ratelimit-remaining-tokens", "0")];
        assert_eq!(wait(&[both, left].concat()), Some(9.0));
        assert_eq!(wait(&[&both[..], &[("retry-after", "2")]].concat()), Some(2.0));
    }

    #[test]
    fn drawn_pauses_double_up_to_a_minute() {
        let bounds: Vec<u64> = (0..8).map(|n| drawn(n, 1.0).as_secs()).collect();
        assert_eq!(bounds, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(drawn(5, 0.25), Duration::from_secs(8));
        assert_eq!(drawn(u32::MAX, 0.0), Duration::ZERO);
    }

    proptest! {
        #[test]
        fn any_header_gives_a_pause_or_none(value in "[0-9a-zA-Z:., +-]{0,30}", name in prop::sample::select(vec!["retry-after", "x-ratelimit-reset-tokens", "date"])) {
            wait(&[(name, &value), ("x-ratelimit-reset-requests", "3s")]);
        }
    }
}
