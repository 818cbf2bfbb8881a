//! From values to places, and where the ticks are.

use crate::number::{self, sane};

/// A tick and its label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

/// A range of values laid on a range of places, in proportion or by logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    log: bool,
}

impl Scale {
    /// A scale over a range that a caller gave: turned round when it is upside down, widened when it is empty, 0 to 1 when it is none.
    pub(crate) fn linear(range: (f64, f64), places: (f64, f64)) -> Self {
        let (low, high) = match (sane(range.0), sane(range.1)) {
            (Some(a), Some(b)) => (a.min(b), a.max(b)),
            _ => (0.0, 1.0),
        };
        // Below this the values of ticks are no longer told apart by their digits.
        let least = (low.abs().max(high.abs()) * 1e-9).max(1e-90);
        let (low, high) = if high - low > least {
            (low, high)
        } else {
            let half = if low == 0.0 { 0.5 } else { (low.abs() * 0.5).max(1e-80) };
            (low - half, high + half)
        };
        Self { low, high, start: places.0, end: places.1, log: false }
    }

    /// A scale over the values there are; `log` holds only positive ones.
    pub(crate) fn over(values: impl Iterator<Item = f64>, log: bool, places: (f64, f64)) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if !log {
            return Self::linear((low, high), places);
        }
        let (low, high) = match (sane(low).filter(|l| *l >= 1e-100), sane(high)) {
            (Some(low), Some(high)) if high >= low => (low, high),
            _ => (1.0, 10.0),
        };
        let (low, high) = if high / low > 1.0 + 1e-9 { (low, high) } else { (low / 2.0, high * 2.0) };
        Self { low, high, start: places.0, end: places.1, log: true }
    }

    /// Where `value` lies; the nearer end for what is outside.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let part = if self.log {
            (value.max(1e-100) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
        self.start + part * (self.end - self.start)
    }

    /// Whether `value` lies in the range, by a hair's breadth.
    pub(crate) fn holds(&self, value: f64) -> bool {
        let hair = (self.high - self.low) * 1e-9;
        (self.low - hair..=self.high + hair).contains(&value)
    }

    /// About `count` ticks at round values; whole numbers only where `whole`.
    pub(crate) fn ticks(&self, count: usize, whole: bool) -> Vec<Tick> {
        let step = round_step((self.high - self.low) / count.max(1) as f64);
        let step = if whole { step.max(1.0) } else { step };
        if !step.is_normal() {
            return Vec::new();
        }
        let first = (self.low / step - 1e-9).ceil();
        let mut ticks = Vec::new();
        for i in 0..60 {
            let value = (first + f64::from(i)) * step;
            if !self.holds(value) {
                break;
            }
            ticks.push(Tick { value, label: number::tick(value, step) });
        }
        ticks.dedup_by(|a, b| a.label == b.label);
        ticks
    }

    /// Ticks for a horizontal axis: as many as there are round values, none of whose labels touch.
    pub(crate) fn ticks_apart(&self, whole: bool, size: f64) -> Vec<Tick> {
        if self.log {
            return self.log_ticks(whole, size);
        }
        for count in [8, 6, 5, 4, 3, 2] {
            let ticks = self.ticks(count, whole);
            if self.apart(&ticks, size) {
                return ticks;
            }
        }
        Vec::new()
    }

    fn log_ticks(&self, whole: bool, size: f64) -> Vec<Tick> {
        let decades = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let every = |digits: &[f64], stride: usize| -> Vec<Tick> {
            (decades.0..=decades.1)
                .filter(|d| d.rem_euclid(stride as i32) == 0)
                .flat_map(|d| digits.iter().map(move |digit| (digit, 10f64.powi(d))))
                .map(|(digit, decade)| (digit * decade, decade))
                .filter(|(value, decade)| self.holds(*value) && !(whole && *decade < 1.0))
                .map(|(value, decade)| Tick { value, label: number::tick(value, decade) })
                .collect()
        };
        // Within a decade or so, round numbers in proportion say more than three powers.
        if self.high / self.low < 5.0 {
            for count in [8, 5, 3, 2] {
                let ticks = self.ticks(count, whole);
                if ticks.len() > 1 && self.apart(&ticks, size) {
                    return ticks;
                }
            }
        }
        let mut tried =
            [(&[1.0, 2.0, 5.0][..], 1), (&[1.0, 3.0], 1), (&[1.0], 1), (&[1.0], 2), (&[1.0], 5), (&[1.0], 20)]
                .into_iter()
                .map(|(digits, stride)| every(digits, stride));
        tried.find(|ticks| self.apart(ticks, size)).unwrap_or_default()
    }

    fn apart(&self, ticks: &[Tick], size: f64) -> bool {
        let half = |t: &Tick| crate::text::width(&t.label, size) / 2.0;
        ticks.windows(2).all(|pair| match pair {
            [a, b] => self.place(b.value) - self.place(a.value) >= half(a) + half(b) + 8.0,
            _ => true,
        })
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is no less than `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powi(least.log10().floor() as i32);
    [1.0, 2.0, 5.0].into_iter().map(|d| d * power).find(|s| *s >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|t| t.label.as_str()).collect()
    }

    #[test]
    fn round_ticks() {
        let unit = Scale::linear((0.0, 1.0), (0.0, 300.0));
        assert_eq!(labels(&unit.ticks(5, false)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let log = Scale::over([1.0, 100.0].into_iter(), true, (0.0, 400.0));
        assert_eq!(labels(&log.ticks_apart(true, 12.0)), ["1", "2", "5", "10", "20", "50", "100"]);
        let large = Scale::over([50.0, 6512.0].into_iter(), true, (0.0, 400.0));
        assert_eq!(labels(&large.ticks_apart(true, 12.0)), ["50", "100", "200", "500", "1,000", "2,000", "5,000"]);
        let few = Scale::linear((0.0, 3.0), (0.0, 300.0));
        assert_eq!(labels(&few.ticks(8, true)), ["0", "1", "2", "3"]);
    }

    #[test]
    fn ranges_that_are_none() {
        assert_eq!(Scale::linear((f64::NAN, 1.0), (0.0, 10.0)).place(0.5), 5.0);
        assert_eq!(Scale::linear((2.0, 2.0), (0.0, 10.0)).place(2.0), 5.0);
        assert_eq!(Scale::linear((1.0, 0.0), (0.0, 10.0)).place(0.25), 2.5);
        assert_eq!(Scale::over(std::iter::empty(), true, (0.0, 10.0)).place(1.0), 0.0);
    }

    proptest! {
        #[test]
        fn ticks_lie_inside(a in -1e100..1e100f64, b in -1e100..1e100f64, power in 0..100i32, log: bool, whole: bool) {
            let (a, b): (f64, f64) = (a / 10f64.powi(power), b / 10f64.powi(power));
            let scale = if log {
                Scale::over([a.abs(), b.abs()].into_iter(), true, (40.0, 400.0))
            } else {
                Scale::linear((a, b), (40.0, 400.0))
            };
            for ticks in [scale.ticks(5, whole), scale.ticks_apart(whole, 12.0)] {
                prop_assert!(ticks.len() <= 60);
                for tick in &ticks {
                    prop_assert!(tick.value.is_finite() && (40.0..=400.0).contains(&scale.place(tick.value)));
                }
            }
            prop_assert!(scale.apart(&scale.ticks_apart(whole, 12.0), 12.0));
        }
    }
}
