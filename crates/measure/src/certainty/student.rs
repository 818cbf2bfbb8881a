//! Quantiles of Student's t.
//!
//! For whole degrees of freedom the distribution is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4), so no gamma
//! function and no table is needed, and bisection on it is exact to the last digits.

/// Beyond this many degrees of freedom, this many: the quantile moves by less than one part in a thousand, to the safe side.
const MANY: usize = 2_000;

/// The value that T exceeds with probability `tail`, at least one degree of freedom; `tail` in (0, ½).
pub(super) fn upper_quantile(tail: f64, degrees: usize) -> f64 {
    let degrees = degrees.clamp(1, MANY);
    // Over angles θ = atan(t / √ν), in which the distribution is a plain sum and bounded.
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if 1.0 - inside(middle, degrees) > 2.0 * tail { low = middle } else { high = middle }
    }
    low.tan() * (degrees as f64).sqrt()
}

/// P(|T| ≤ t) for t = √ν · tan θ.
fn inside(angle: f64, degrees: usize) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = degrees % 2;
    // Powers of the cosine from `odd` to ν − 2 in steps of two, each with (1·3·5…) / (2·4·6…) or its shift by one.
    let mut term = if odd == 1 { cos } else { 1.0 };
    let mut sum = 0.0;
    for power in (odd..degrees.saturating_sub(1)).step_by(2) {
        sum += term;
        term *= cos * cos * (power + 1) as f64 / (power + 2) as f64;
    }
    if odd == 1 { (angle + sin * sum) * std::f64::consts::FRAC_2_PI } else { sin * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_tables() {
        for (tail, degrees, want) in [
            (0.025, 1, 12.706_205),
            (0.025, 2, 4.302_653),
            (0.025, 3, 3.182_446),
            (0.025, 4, 2.776_445),
            (0.025, 10, 2.228_139),
            (0.025, 30, 2.042_272),
            (0.05, 1, 6.313_752),
            (0.05, 2, 2.919_986),
            (0.05, 7, 1.894_579),
            (0.05, 60, 1.670_649),
            (0.005, 5, 4.032_143),
        ] {
            let got = upper_quantile(tail, degrees);
            assert!((got - want).abs() < 2e-6, "{tail} {degrees}: {got} is not {want}");
        }
    }

    #[test]
    fn nears_the_normal_from_above() {
        let far = upper_quantile(0.025, usize::MAX);
        assert!(far > 1.959_964 && far < 1.9625, "{far}");
        assert_eq!(upper_quantile(0.025, 0), upper_quantile(0.025, 1));
    }
}
