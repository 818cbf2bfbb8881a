//! What charts look like: one set of shapes, two sets of colours.
//!
//! The eight series colours differ in lightness as well as in hue, so that they are told apart with every common colour
//! blindness; each has a contrast of at least 3 on its ground, text at least 4.5. Colours reach elements by `color`, and shapes
//! take `currentColor`.

macro_rules! shapes {
    () => {
        ".plot{display:block;width:100%;height:auto;max-width:56rem;min-width:40rem}\
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
        $form!("#1b1d22" "#5b626e" "#dde1e6" "#ffffff" "#1d5fc4" "#c0410f" "#0a7d62" "#7a3fb8" "#946800" "#0b7fa6" "#c2327e" "#6b4a3a")
    };
}
macro_rules! dark {
    ($form:ident) => {
        $form!("#e7e9ed" "#a2a9b6" "#363b44" "#15171b" "#6ea8fe" "#ff8a5b" "#3ecf9f" "#c49bff" "#e0b040" "#4cc3e6" "#ff86bd" "#c9a58a")
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
