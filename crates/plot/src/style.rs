//! What charts look like: one set of shapes, two sets of colours.
//!
//! The eight series colours were searched for: near the usual hues, and as far from each other as those allow to eyes with and
//! without each kind of colour blindness (a test measures how far); each has a contrast of at least 3 on its ground, text at least 4.5. Colours reach elements by `color`, and shapes
//! take `currentColor`.

macro_rules! shapes {
    () => {
        ".plot{display:block;width:100%;height:auto;max-width:56rem;min-width:40rem;break-inside:avoid}\
         .plot.wide{max-width:76rem;min-width:64rem}\
         .plot text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;\
         font-variant-numeric:tabular-nums;stroke:none}\
         .plot .head{font-weight:600}\
         .plot line,.plot path{fill:none;stroke:currentColor}\
         .plot .hair{stroke-width:1}\
         .plot .ref{stroke-width:1.5;stroke-dasharray:5 4}\
         .plot .line{stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\
         .plot .lead{stroke-width:1;opacity:.55}\
         .plot .whisker{stroke-width:2}\
         .plot .band{fill:currentColor;stroke:none;fill-opacity:.14}\
         .plot .band.many{fill-opacity:.04}\
         .plot .mark{fill:currentColor;stroke:currentColor;stroke-width:1.5;stroke-linejoin:round}\
         .plot .bar{fill:currentColor}\
         .plot .d1{stroke-dasharray:8 4}.plot .d2{stroke-dasharray:2 4}.plot .d3{stroke-dasharray:9 4 2 4}\
         .plot .cell{fill:currentColor}\
         .plot .q0{fill-opacity:0}.plot .q1{fill-opacity:.08}.plot .q2{fill-opacity:.18}.plot .q3{fill-opacity:.29}\
         .plot .q4{fill-opacity:.41}.plot .q5{fill-opacity:.54}.plot .q6{fill-opacity:1}\
         .plot .own{fill:none;stroke-width:1.5}\
         @media (hover:hover){.plot:has(.series:hover) .series:not(:hover){opacity:.15}\
         .plot .series:hover .band{fill-opacity:.2}}"
    };
}

macro_rules! colours {
    ($ink:literal $muted:literal $line:literal $paper:literal $s1:literal $s2:literal $s3:literal $s4:literal $s5:literal
     $s6:literal $s7:literal $s8:literal) => {
        concat!(
            ".plot text{fill:",
            $ink,
            "}.plot .quiet{fill:",
            $muted,
            "}.plot .hair{stroke:",
            $line,
            "}.plot .axis,.plot .ref{stroke:",
            $muted,
            "}.plot .own{stroke:",
            $ink,
            "}.plot .ground,.plot .hollow{fill:",
            $paper,
            "}.plot .on{fill:",
            $paper,
            "}.plot .s0{color:",
            $muted,
            "}.plot .s1{color:",
            $s1,
            "}.plot .s2{color:",
            $s2,
            "}.plot .s3{color:",
            $s3,
            "}.plot .s4{color:",
            $s4,
            "}.plot .s5{color:",
            $s5,
            "}.plot .s6{color:",
            $s6,
            "}.plot .s7{color:",
            $s7,
            "}.plot .s8{color:",
            $s8,
            "}"
        )
    };
}

macro_rules! tokens {
    ($ink:literal $muted:literal $line:literal $paper:literal $s1:literal $s2:literal $s3:literal $s4:literal $s5:literal
     $s6:literal $s7:literal $s8:literal) => {
        concat!(
            "--ink:",
            $ink,
            ";--muted:",
            $muted,
            ";--line:",
            $line,
            ";--paper:",
            $paper,
            ";--s1:",
            $s1,
            ";--s2:",
            $s2,
            ";--s3:",
            $s3,
            ";--s4:",
            $s4,
            ";--s5:",
            $s5,
            ";--s6:",
            $s6,
            ";--s7:",
            $s7,
            ";--s8:",
            $s8,
            ";"
        )
    };
}

macro_rules! variables {
    ($ink:literal $muted:literal $line:literal $paper:literal $s1:literal $s2:literal $s3:literal $s4:literal $s5:literal
     $s6:literal $s7:literal $s8:literal) => {
        concat!(
            ".plot text{fill:var(--ink,",
            $ink,
            ")}.plot .quiet{fill:var(--muted,",
            $muted,
            ")}.plot .hair{stroke:var(--line,",
            $line,
            ")}.plot .axis,.plot .ref{stroke:var(--muted,",
            $muted,
            ")}.plot .own{stroke:var(--ink,",
            $ink,
            ")}.plot .hollow,.plot .on{fill:var(--paper,",
            $paper,
            ")}.plot .s0{color:var(--muted,",
            $muted,
            ")}.plot .s1{color:var(--s1,",
            $s1,
            ")}.plot .s2{color:var(--s2,",
            $s2,
            ")}.plot .s3{color:var(--s3,",
            $s3,
            ")}.plot .s4{color:var(--s4,",
            $s4,
            ")}.plot .s5{color:var(--s5,",
            $s5,
            ")}.plot .s6{color:var(--s6,",
            $s6,
            ")}.plot .s7{color:var(--s7,",
            $s7,
            ")}.plot .s8{color:var(--s8,",
            $s8,
            ")}"
        )
    };
}

/// One list of colours per ground, used three ways.
macro_rules! light {
    ($form:ident) => {
        $form!("#1b1d22" "#5b626e" "#dde1e6" "#ffffff" "#3664cb" "#d87552" "#005554" "#771b91" "#956800" "#2b9ac1" "#c1307d" "#634630")
    };
}
macro_rules! dark {
    ($form:ident) => {
        $form!("#e7e9ed" "#a2a9b6" "#363b44" "#15171b" "#78a7fc" "#f3815b" "#3dcd9b" "#b5668e" "#e1b03e" "#2979b1" "#fe8bca" "#977a64")
    };
}

/// The variables of a light page, for a `:root` rule: `--ink --muted --line --paper --s1 … --s8`.
pub const LIGHT: &str = light!(tokens);

/// The same for a dark page.
pub const DARK: &str = dark!(tokens);

/// The style of every [`crate::Theme::Page`] chart, once per page. Colours are the page's variables, and [`LIGHT`] or [`DARK`]
/// where it sets none. Charts are at least 40rem wide, so that their text can be read: stand them in a box that scrolls.
pub const CSS: &str =
    concat!(shapes!(), light!(variables), "@media screen and (prefers-color-scheme:dark){", dark!(variables), "}");

/// The style inside a [`crate::Theme::Standalone`] chart: plain colours, as not every viewer of images knows variables.
pub(crate) const STANDALONE: &str =
    concat!(shapes!(), light!(colours), "@media screen and (prefers-color-scheme:dark){", dark!(colours), "}");

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(tokens: &str, name: &str) -> [f64; 3] {
        let hex = tokens.split(';').find_map(|t| t.strip_prefix(&format!("--{name}:#"))).unwrap();
        let part = |i: usize| f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
        [part(0), part(2), part(4)]
    }

    fn luminance(rgb: [f64; 3]) -> f64 {
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_can_be_seen_on_both_grounds() {
        for tokens in [LIGHT, DARK] {
            let paper = colour(tokens, "paper");
            for text in ["ink", "muted"] {
                assert!(contrast(colour(tokens, text), paper) >= 4.5, "{text} in {tokens}");
            }
            for series in 1..=8 {
                let seen = contrast(colour(tokens, &format!("s{series}")), paper);
                assert!(seen >= 3.0, "s{series}: {seen} in {tokens}");
            }
        }
    }

    /// Linear light as eyes without one kind of cone see it (Machado, Oliveira and Fernandes 2009, severity 1), then CIE L*a*b*.
    fn seen(rgb: [f64; 3], eyes: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = rgb.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        let times = |m: [[f64; 3]; 3], v: [f64; 3]| m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>());
        let xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]];
        let [x, y, z] = times(xyz, times(eyes, linear).map(|c| c.clamp(0.0, 1.0)));
        let root = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let (x, y, z) = (root(x / 0.9505), root(y), root(z / 1.089));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn series_are_told_apart_with_any_eyes() {
        let eyes = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
        ];
        for (tokens, eyes) in [LIGHT, DARK].into_iter().flat_map(|t| eyes.map(|e| (t, e))) {
            let colours: Vec<[f64; 3]> = (1..=8).map(|i| seen(colour(tokens, &format!("s{i}")), eyes)).collect();
            for (i, a) in colours.iter().enumerate() {
                for (j, b) in colours[..i].iter().enumerate() {
                    let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(apart >= 18.0, "s{} and s{}: {apart:.1} in {tokens}", i + 1, j + 1);
                }
            }
        }
    }

    #[test]
    fn numbers_in_cells_can_be_read() {
        for tokens in [LIGHT, DARK] {
            let (paper, ink, shade) = (colour(tokens, "paper"), colour(tokens, "ink"), colour(tokens, "s1"));
            for level in 0..=6 {
                let opacity: f64 = CSS
                    .split(&format!(".q{level}{{fill-opacity:"))
                    .nth(1)
                    .and_then(|rest| rest.split('}').next())
                    .unwrap()
                    .parse()
                    .unwrap();
                let cell = [0, 1, 2].map(|i| paper[i] + opacity * (shade[i] - paper[i]));
                let text = if level == 6 { paper } else { ink };
                assert!(contrast(text, cell) >= 4.5, "q{level}: {} in {tokens}", contrast(text, cell));
            }
        }
    }
}
