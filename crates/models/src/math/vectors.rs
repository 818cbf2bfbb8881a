//! Functions of every number of a slice: activations, exponentials, sums.
//!
//! Whole vectors and the rest at the end go through the same arithmetic, so that a number's result does not depend on where in
//! a slice it stands.

use pulp::{Arch, Simd, WithSimd};

/// What stands between the two halves of a feed-forward layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// `x Φ(x)` with the normal distribution's own Φ.
    Gelu,
    /// The same with Φ approximated by a hyperbolic tangent, as some models were trained.
    GeluTanh,
    /// `max(x, 0)`.
    Relu,
    /// `x σ(x)`.
    Silu,
    /// `tanh(x)`.
    Tanh,
}

impl Activation {
    /// By the name that configurations use; none for one not known.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "gelu" | "gelu_python" => Self::Gelu,
            "gelu_new" | "gelu_pytorch_tanh" | "gelu_fast" | "gelu_python_tanh" => Self::GeluTanh,
            "relu" => Self::Relu,
            "silu" | "swish" => Self::Silu,
            "tanh" => Self::Tanh,
            _ => return None,
        })
    }
}

/// A function of numbers that are in vector registers. No closures here and in what follows: a closure is compiled for the plain processor,
/// and every instruction in it becomes a call.
pub(super) trait Function: Copy {
    fn of<S: Simd>(self, simd: S, x: S::f32s) -> S::f32s;
}

macro_rules! function {
    ($(#[$doc:meta])* $name:ident, $simd:ident, $x:ident => $value:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name;
        impl Function for $name {
            #[inline(always)]
            fn of<S: Simd>(self, $simd: S, $x: S::f32s) -> S::f32s {
                $value
            }
        }
    };
}

function!(Gelu, simd, x => gelu(simd, x));
function!(GeluTanh, simd, x => {
    // x σ(2 √(2/π) (x + 0.044715 x³)): the tangent written as a sigmoid.
    let cube = simd.mul_f32s(x, simd.mul_f32s(x, x));
    let inner = simd.mul_add_e_f32s(simd.splat_f32s(0.044_715), cube, x);
    simd.mul_f32s(x, sigmoid(simd, simd.mul_f32s(simd.splat_f32s(1.595_769_2), inner)))
});
function!(Relu, simd, x => simd.max_f32s(x, simd.splat_f32s(0.0)));
function!(Silu, simd, x => simd.mul_f32s(x, sigmoid(simd, x)));
function!(Tanh, simd, x => {
    let two = simd.splat_f32s(2.0);
    simd.sub_f32s(simd.mul_f32s(two, sigmoid(simd, simd.mul_f32s(two, x))), simd.splat_f32s(1.0))
});

/// Every number times one.
#[derive(Clone, Copy)]
pub(super) struct Times(pub(super) f32);
impl Function for Times {
    #[inline(always)]
    fn of<S: Simd>(self, simd: S, x: S::f32s) -> S::f32s {
        simd.mul_f32s(x, simd.splat_f32s(self.0))
    }
}

/// The number itself.
#[derive(Clone, Copy)]
pub(super) struct Same;
impl Function for Same {
    #[inline(always)]
    fn of<S: Simd>(self, _: S, x: S::f32s) -> S::f32s {
        x
    }
}

/// The square of the distance from a number.
#[derive(Clone, Copy)]
pub(super) struct SquareFrom(pub(super) f32);
impl Function for SquareFrom {
    #[inline(always)]
    fn of<S: Simd>(self, simd: S, x: S::f32s) -> S::f32s {
        let d = simd.sub_f32s(x, simd.splat_f32s(self.0));
        simd.mul_f32s(d, d)
    }
}

#[inline(always)]
fn sigmoid<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let one = simd.splat_f32s(1.0);
    simd.div_f32s(one, simd.add_f32s(one, exp(simd, simd.neg_f32s(x))))
}

/// Applies an activation to every number.
pub(crate) fn activate(activation: Activation, numbers: &mut [f32]) {
    Arch::new().dispatch(Each { numbers, activation });
}

struct Each<'a> {
    numbers: &'a mut [f32],
    activation: Activation,
}

impl WithSimd for Each<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // The choice outside the loop: inside, it would be made for every vector.
        match self.activation {
            Activation::Gelu => each(simd, self.numbers, Gelu),
            Activation::GeluTanh => each(simd, self.numbers, GeluTanh),
            Activation::Relu => each(simd, self.numbers, Relu),
            Activation::Silu => each(simd, self.numbers, Silu),
            Activation::Tanh => each(simd, self.numbers, Tanh),
        }
    }
}

/// Replaces every number by a function of it.
#[inline(always)]
pub(super) fn each<S: Simd, F: Function>(simd: S, numbers: &mut [f32], function: F) {
    let (whole, rest) = S::as_mut_simd_f32s(numbers);
    for x in whole {
        *x = function.of(simd, *x);
    }
    if !rest.is_empty() {
        let x = simd.partial_load_f32s(rest);
        simd.partial_store_f32s(rest, function.of(simd, x));
    }
}

/// `to += from`; both are as long.
pub(crate) fn add(to: &mut [f32], from: &[f32]) {
    struct Add<'a>(&'a mut [f32], &'a [f32]);
    impl WithSimd for Add<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            add_to(simd, self.0, self.1);
        }
    }
    Arch::new().dispatch(Add(to, from));
}

/// `to *= from`; both are as long.
pub(crate) fn multiply(to: &mut [f32], from: &[f32]) {
    struct Multiply<'a>(&'a mut [f32], &'a [f32]);
    impl WithSimd for Multiply<'_> {
        type Output = ();
        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) {
            let ((to, to_rest), (from, from_rest)) = (S::as_mut_simd_f32s(self.0), S::as_simd_f32s(self.1));
            for (t, f) in to.iter_mut().zip(from) {
                *t = simd.mul_f32s(*t, *f);
            }
            for (t, f) in to_rest.iter_mut().zip(from_rest) {
                *t *= f;
            }
        }
    }
    Arch::new().dispatch(Multiply(to, from));
}

/// `to += from`; both are as long.
#[inline(always)]
pub(super) fn add_to<S: Simd>(simd: S, to: &mut [f32], from: &[f32]) {
    let ((to, to_rest), (from, from_rest)) = (S::as_mut_simd_f32s(to), S::as_simd_f32s(from));
    for (t, f) in to.iter_mut().zip(from) {
        *t = simd.add_f32s(*t, *f);
    }
    for (t, f) in to_rest.iter_mut().zip(from_rest) {
        *t += f;
    }
}

/// The sum of a function of every number.
#[inline(always)]
pub(super) fn sum<S: Simd, F: Function>(simd: S, numbers: &[f32], function: F) -> f32 {
    let (whole, rest) = S::as_simd_f32s(numbers);
    // Four sums: one would wait for itself at every step.
    let mut sums = [simd.splat_f32s(0.0); 4];
    let (fours, ones) = whole.as_chunks::<4>();
    for four in fours {
        for (s, x) in sums.iter_mut().zip(four) {
            *s = simd.add_f32s(*s, function.of(simd, *x));
        }
    }
    for (s, x) in sums.iter_mut().zip(ones) {
        *s = simd.add_f32s(*s, function.of(simd, *x));
    }
    let [a, b, c, d] = sums;
    let mut total = simd.reduce_sum_f32s(simd.add_f32s(simd.add_f32s(a, b), simd.add_f32s(c, d)));
    // One by one: in a vector filled up with zeros, the zeros' function would count too.
    for x in rest {
        total += first(simd, function.of(simd, simd.splat_f32s(*x)));
    }
    total
}

/// The first number of a vector.
#[inline(always)]
fn first<S: Simd>(simd: S, x: S::f32s) -> f32 {
    let mut first = [0.0];
    simd.partial_store_f32s(&mut first, x);
    let [first] = first;
    first
}

/// `eˣ`, to about one unit in the last place; 0 … ∞ are approached at ±87.
#[inline(always)]
pub(super) fn exp<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    let x = simd.max_f32s(simd.min_f32s(x, simd.splat_f32s(87.0)), simd.splat_f32s(-87.0));
    // x = n ln 2 + r with |r| ≤ ln 2 / 2. Adding 1.5 · 2²³ rounds to an integer, which then stands in the lowest bits.
    let magic = simd.splat_f32s(12_582_912.0);
    let shifted = simd.mul_add_e_f32s(x, simd.splat_f32s(std::f32::consts::LOG2_E), magic);
    let n = simd.sub_f32s(shifted, magic);
    // ln 2 in two parts, the first short enough for its product with n to be exact.
    let r = simd.mul_add_e_f32s(n, simd.splat_f32s(-355.0 / 512.0), x);
    let r = simd.mul_add_e_f32s(n, simd.splat_f32s(2.121_944_4e-4), r);
    // Taylor's series: the first term left out is below 2⁻²⁷.
    let series = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let power = polynomial(simd, r, series);
    let exponent = simd.wrapping_dyn_shl_u32s(simd.transmute_u32s_f32s(shifted), simd.splat_u32s(23));
    let exponent = simd.add_u32s(exponent, simd.splat_u32s(127 << 23));
    simd.mul_f32s(power, simd.transmute_f32s_u32s(exponent))
}

/// A polynomial by Horner's rule, highest coefficient first.
#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, x: S::f32s, coefficients: [f32; N]) -> S::f32s {
    let mut value = simd.splat_f32s(0.0);
    for c in coefficients {
        value = simd.mul_add_e_f32s(value, x, simd.splat_f32s(c));
    }
    value
}

/// `x Φ(x)`, with erf as a rational function: `erf(z) ≈ z P(z²) / Q(z²)` on |z| ≤ 3.92, beyond which f32 knows only ±1.
/// The coefficients are a fit of ours by reweighted least squares, with a relative error below 2 · 10⁻⁸ before rounding.
#[inline(always)]
fn gelu<S: Simd>(simd: S, x: S::f32s) -> S::f32s {
    const P: [f32; 6] =
        [2.050_115_6e-6, 2.848_777_6e-4, 3.765_421e-3, 0.052_748_125, 0.190_401_99, std::f32::consts::FRAC_2_SQRT_PI];
    const Q: [f32; 6] = [3.809_174_5e-5, 1.162_486_8e-3, 0.014_968_827, 0.114_107_25, 0.502_072_1, 1.0];
    let limit = simd.splat_f32s(3.92);
    let z = simd.mul_f32s(x, simd.splat_f32s(std::f32::consts::FRAC_1_SQRT_2));
    let z = simd.max_f32s(simd.min_f32s(z, limit), simd.neg_f32s(limit));
    let square = simd.mul_f32s(z, z);
    let erf = simd.div_f32s(simd.mul_f32s(z, polynomial(simd, square, P)), polynomial(simd, square, Q));
    let half = simd.mul_f32s(x, simd.splat_f32s(0.5));
    simd.mul_add_e_f32s(half, erf, half)
}

/// Exponentials of a row less its largest number, in place; returns their sum. The row is a whole number of vectors long (else the rest
/// is left alone).
#[inline(always)]
pub(super) fn exponentials<S: Simd>(simd: S, row: &mut [f32]) -> f32 {
    let (whole, _) = S::as_mut_simd_f32s(row);
    let mut largest = simd.splat_f32s(f32::MIN);
    for x in whole.iter() {
        largest = simd.max_f32s(largest, *x);
    }
    let largest = simd.splat_f32s(simd.reduce_max_f32s(largest));
    let mut total = simd.splat_f32s(0.0);
    for x in whole {
        *x = exp(simd, simd.sub_f32s(*x, largest));
        total = simd.add_f32s(total, *x);
    }
    simd.reduce_sum_f32s(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// erf by its Maclaurin series, in f64: good to 1e-12 below 4.
    fn erf(z: f64) -> f64 {
        if z.abs() > 5.0 {
            return z.signum();
        }
        let (mut term, mut total) = (z, z);
        for n in 1..200 {
            term *= -z * z / f64::from(n);
            total += term / f64::from(2 * n + 1);
        }
        total * 2.0 / std::f64::consts::PI.sqrt()
    }

    fn naive(activation: Activation, x: f64) -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        match activation {
            Activation::Gelu => 0.5 * x * (1.0 + erf(x / 2f64.sqrt())),
            Activation::GeluTanh => {
                0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh())
            }
            Activation::Relu => x.max(0.0),
            Activation::Silu => x * sigmoid(x),
            Activation::Tanh => x.tanh(),
        }
    }

    proptest! {
        #[test]
        fn activations_are_as_in_books(numbers in prop::collection::vec(-12f32..12.0, 0..70)) {
            use Activation::{Gelu, GeluTanh, Relu, Silu, Tanh};
            for activation in [Gelu, GeluTanh, Relu, Silu, Tanh] {
                let mut ours = numbers.clone();
                activate(activation, &mut ours);
                for (x, y) in numbers.iter().zip(ours) {
                    let expected = naive(activation, f64::from(*x));
                    prop_assert!((f64::from(y) - expected).abs() < 2e-6, "{activation:?}({x}) = {y}, not {expected}");
                }
            }
        }

        #[test]
        fn a_number_comes_out_the_same_wherever_it_stands(x in -12f32..12.0, before in 0usize..40) {
            let mut alone = [x];
            activate(Activation::Gelu, &mut alone);
            let mut among = vec![1.0; before];
            among.push(x);
            activate(Activation::Gelu, &mut among);
            prop_assert_eq!(alone[0].to_bits(), among[before].to_bits());
        }

        #[test]
        fn exponentials_are_near(numbers in prop::collection::vec(-60f32..60.0, 16..17)) {
            struct Run(Vec<f32>);
            impl WithSimd for Run {
                type Output = (Vec<f32>, f32);
                #[inline(always)]
                fn with_simd<S: Simd>(mut self, simd: S) -> (Vec<f32>, f32) {
                    let total = exponentials(simd, &mut self.0);
                    (self.0, total)
                }
            }
            let (ours, total) = Arch::new().dispatch(Run(numbers.clone()));
            let largest = numbers.iter().copied().fold(f32::MIN, f32::max);
            let mut expected_total = 0.0;
            for (x, y) in numbers.iter().zip(ours) {
                // The difference is taken in f32, as the function itself does.
                let expected = f64::from((x - largest).max(-87.0)).exp();
                expected_total += expected;
                prop_assert!((f64::from(y) / expected - 1.0).abs() < 4e-7, "{x}: {y} {expected}");
            }
            prop_assert!((f64::from(total) / expected_total - 1.0).abs() < 1e-6);
        }
    }
}
