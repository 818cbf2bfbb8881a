//! What a series looks like: colour, dash and marker, so that it is known without any one of them.

use crate::canvas::Canvas;
use crate::number::coordinate as n;
use crate::parts::SeriesClass;

/// The look of one series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    /// 1 to 8, or 0 for what is muted.
    pub(crate) colour: usize,
    /// 0 for a solid line.
    pub(crate) dash: usize,
    shape: usize,
    hollow: bool,
}

impl Look {
    /// A look for each; those of [`SeriesClass::Normal`] are counted by themselves, so that a floor takes no colour from them.
    pub(crate) fn each(classes: impl Iterator<Item = SeriesClass>) -> Vec<Self> {
        let (mut normal, mut muted) = (0usize, 0usize);
        classes
            .map(|class| {
                let count = if class == SeriesClass::Normal { &mut normal } else { &mut muted };
                let nth = *count;
                *count += 1;
                if class == SeriesClass::Normal {
                    let round = nth / 8;
                    Self { colour: nth % 8 + 1, dash: round % 4, shape: nth % 8, hollow: round % 2 == 1 }
                } else {
                    Self { colour: 0, dash: nth % 3 + 1, shape: nth % 8, hollow: true }
                }
            })
            .collect()
    }

    /// Its class for lines.
    pub(crate) fn line(self) -> String {
        if self.dash == 0 { "line".to_owned() } else { format!("line d{}", self.dash) }
    }

    /// Draws its marker.
    pub(crate) fn mark(self, canvas: &mut Canvas<'_>, at: (f64, f64), title: &str) {
        let class = if self.hollow { "mark hollow" } else { "mark" };
        if self.shape == 0 {
            canvas.circle(class, at, 3.4, title);
            return;
        }
        let corners: &[(f64, f64)] = match self.shape {
            1 => &[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)],
            2 => &[(0.0, -4.0), (3.8, 3.0), (-3.8, 3.0)],
            3 => &[(0.0, -4.4), (4.4, 0.0), (0.0, 4.4), (-4.4, 0.0)],
            4 => &[(0.0, 4.0), (3.8, -3.0), (-3.8, -3.0)],
            // A cross, a star of four points, an hourglass.
            5 => &[
                (-1.3, -4.0),
                (1.3, -4.0),
                (1.3, -1.3),
                (4.0, -1.3),
                (4.0, 1.3),
                (1.3, 1.3),
                (1.3, 4.0),
                (-1.3, 4.0),
                (-1.3, 1.3),
                (-4.0, 1.3),
                (-4.0, -1.3),
                (-1.3, -1.3),
            ],
            6 => {
                &[(0.0, -5.0), (1.3, -1.3), (5.0, 0.0), (1.3, 1.3), (0.0, 5.0), (-1.3, 1.3), (-5.0, 0.0), (-1.3, -1.3)]
            }
            _ => &[(-3.6, -3.6), (3.6, -3.6), (-3.6, 3.6), (3.6, 3.6)],
        };
        let mut data = String::new();
        for (i, (x, y)) in corners.iter().enumerate() {
            let step = if i == 0 { "M" } else { "L" };
            data.push_str(&format!("{step}{} {}", n(at.0 + x), n(at.1 + y)));
        }
        data.push('Z');
        canvas.path(class, &data, title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_series_look_different() {
        let classes = (0..32).map(|i| if i % 5 == 4 { SeriesClass::Floor } else { SeriesClass::Normal });
        let looks = Look::each(classes);
        for (i, look) in looks.iter().enumerate() {
            assert!(!looks[..i].contains(look), "{i}: {look:?}");
        }
    }
}
