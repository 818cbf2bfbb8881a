//! Rotary positions: queries and keys are turned by an angle that grows with their place in the text (Su et al. 2021).
//!
//! What attention sees of two tokens then depends on how far apart they are. Angles are products in f32, as in the libraries with which the models
//! were trained: at token 8,000 an exact angle differs from theirs in the fourth digit.

use std::rc::Rc;

/// How a model turns its tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rotary {
    /// Numbers of a head that are turned; the others stay.
    pub(crate) dims: usize,
    /// The slowest turn: one radian in about this many tokens.
    pub(crate) base: f64,
    /// Neighbouring numbers form a pair; else each of the first half with its fellow of the second.
    pub(crate) interleaved: bool,
    /// For texts that are longer than those of the training.
    pub(crate) stretch: Option<Stretch>,
}

/// Turns slow down in longer texts ("dynamic NTK"), by the length of the text itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretch {
    /// Tokens up to which nothing changes.
    pub(crate) trained: usize,
    /// How strongly.
    pub(crate) factor: f64,
}

/// Cosines and sines for the tokens of a text, [tokens × pairs] each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Turns {
    cosines: Vec<f32>,
    sines: Vec<f32>,
}

impl Rotary {
    /// Of all numbers of a head, in halves.
    pub(crate) const fn plain(dims: usize, base: f64) -> Self {
        Self { dims, base, interleaved: false, stretch: None }
    }

    fn base_for(&self, tokens: usize) -> f64 {
        match self.stretch {
            Some(Stretch { trained, factor }) if tokens > trained && self.dims > 2 => {
                let longer = factor * tokens as f64 / trained.max(1) as f64 - (factor - 1.0);
                self.base * longer.powf(self.dims as f64 / (self.dims as f64 - 2.0))
            }
            _ => self.base,
        }
    }

    /// For a text of so many tokens, or a shorter one where the base is the same.
    fn turns(&self, tokens: usize) -> Turns {
        let base = self.base_for(tokens);
        let frequency = |pair| 1.0 / base.powf((2 * pair) as f64 / self.dims as f64) as f32;
        let frequencies: Vec<f32> = (0..self.dims / 2).map(frequency).collect();
        let angles = (0..tokens).flat_map(|token| frequencies.iter().map(move |f| f64::from(token as f32 * f)));
        let (sines, cosines) = angles.map(f64::sin_cos).map(|(s, c)| (s as f32, c as f32)).unzip();
        Turns { cosines, sines }
    }

    /// For each of several texts; texts share what they can.
    pub(crate) fn turns_of(&self, lengths: &[usize]) -> Vec<Rc<Turns>> {
        let stretched = |n: usize| self.stretch.is_some_and(|s| n > s.trained);
        let longest = lengths.iter().copied().filter(|n| !stretched(*n)).max().unwrap_or(0);
        let shared = Rc::new(self.turns(longest));
        let own = |n: &usize| if stretched(*n) { Rc::new(self.turns(*n)) } else { Rc::clone(&shared) };
        lengths.iter().map(own).collect()
    }

    /// Turns one text's heads in place: row `t` of `rows` (every `stride` numbers) begins with `heads` heads of `size` numbers.
    pub(crate) fn turn(&self, turns: &Turns, rows: &mut [f32], stride: usize, heads: usize, size: usize) {
        let pairs = self.dims / 2;
        let angles = turns.cosines.chunks_exact(pairs.max(1)).zip(turns.sines.chunks_exact(pairs.max(1)));
        for (row, (cosines, sines)) in rows.chunks_mut(stride.max(1)).zip(angles) {
            for head in row.chunks_exact_mut(size.max(1)).take(heads) {
                if self.interleaved {
                    for (pair, (c, s)) in head.as_chunks_mut().0.iter_mut().zip(cosines.iter().zip(sines)) {
                        let [a, b]: [f32; 2] = *pair;
                        *pair = [a * c - b * s, b * c + a * s];
                    }
                } else if let Some((first, second)) = head.get_mut(..2 * pairs).map(|h| h.split_at_mut(pairs)) {
                    for ((a, b), (c, s)) in first.iter_mut().zip(second).zip(cosines.iter().zip(sines)) {
                        (*a, *b) = (*a * c - *b * s, *b * c + *a * s);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(rotary: &Rotary, tokens: usize, head: &[f32], at: usize) -> Vec<f32> {
        let mut rows = head.repeat(tokens);
        rotary.turn(&rotary.turns(tokens), &mut rows, head.len(), 1, head.len());
        rows[at * head.len()..(at + 1) * head.len()].to_vec()
    }

    #[test]
    fn pairs_turn_by_their_place() {
        // Pair 0 turns one radian a token; pair 1 a tenth of one (base 100, four numbers).
        let head = [1.0, 1.0, 0.0, 0.0, 7.0];
        let rotary = Rotary::plain(4, 100.0);
        assert_eq!(turned(&rotary, 3, &head, 0), head);
        let expected = [2f32.cos(), 0.2f32.cos(), 2f32.sin(), 0.2f32.sin(), 7.0];
        assert!(turned(&rotary, 3, &head, 2).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6));
        let beside = Rotary { interleaved: true, ..rotary };
        let expected = [2f32.cos(), 2f32.sin(), 0.2f32.cos(), 0.2f32.sin(), 7.0];
        let got = turned(&beside, 3, &[1.0, 0.0, 1.0, 0.0, 7.0], 2);
        assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{got:?}");
    }

    #[test]
    fn products_depend_on_distance_alone() {
        let rotary = Rotary::plain(8, 1000.0);
        let (q, k) = ([0.3, -1.0, 2.0, 0.5, 0.1, 0.7, -0.2, 1.1], [1.0, 0.2, -0.4, 0.9, -1.3, 0.6, 0.8, -0.5]);
        let product = |i, j| -> f32 {
            turned(&rotary, 60, &q, i).iter().zip(turned(&rotary, 60, &k, j)).map(|(a, b)| a * b).sum()
        };
        assert!((product(3, 10) - product(43, 50)).abs() < 1e-4);
        assert!((product(3, 10) - product(3, 11)).abs() > 1e-3);
    }

    #[test]
    fn longer_texts_turn_more_slowly() {
        let stretch = Some(Stretch { trained: 10, factor: 2.0 });
        let rotary = Rotary { stretch, ..Rotary::plain(4, 100.0) };
        let head = [1.0, 1.0, 0.0, 0.0];
        assert_eq!(turned(&rotary, 10, &head, 9), turned(&Rotary::plain(4, 100.0), 10, &head, 9));
        // Twice the length: base 100 · (2 · 20/10 − 1)² = 900, so pair 1 turns by 1/30.
        let expected = (9.0f64 / 30.0).cos() as f32;
        assert!((turned(&rotary, 20, &head, 9)[1] - expected).abs() < 1e-6);
    }

    #[test]
    fn texts_of_a_batch_share_what_they_can() {
        let rotary = Rotary { stretch: Some(Stretch { trained: 4, factor: 1.0 }), ..Rotary::plain(2, 10.0) };
        let turns = rotary.turns_of(&[2, 9, 4]);
        assert!(Rc::ptr_eq(&turns[0], &turns[2]));
        assert_eq!(*turns[1], rotary.turns(9));
        assert_eq!(turns[0].cosines[..2], rotary.turns(2).cosines[..]);
    }
}
