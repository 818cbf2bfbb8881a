//! The look of every page: one stylesheet, made of files by what they dress.
//!
//! System fonts, no import, no `url()`: a page with it asks the network for nothing. Colours are variables named by meaning, so that
//! dark and print are a change of values alone. The road not taken is a framework of utility classes: it would be ten times the size of
//! what these pages say, and the meaning would be gone from the mark-up.

use std::sync::LazyLock;

static SHEET: LazyLock<String> = LazyLock::new(|| {
    let own = [
        include_str!("tokens.css"),
        include_str!("base.css"),
        include_str!("tables.css"),
        include_str!("marks.css"),
        include_str!("lists.css"),
        include_str!("small.css"),
        include_str!("print.css"),
    ];
    smaller(&own.concat()) + eightk_plot::CSS + "\n"
});

/// The stylesheet, comments and indents taken out. Within `<style>` or as a file of its own.
pub fn css() -> &'static str {
    SHEET.as_str()
}

/// Without comments, indents and blank lines. Strings in our sheets hold neither, which a test sees to.
fn smaller(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, after)) = rest.split_once("/*") {
        out += before;
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out += rest;
    let lines: Vec<&str> = out.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn nothing_is_asked_of_the_network() {
        for word in ["url(", "@import", "http", "@font-face", "</"] {
            assert!(!css().contains(word), "{word}");
        }
        assert!(!css().contains("/*"));
        assert_eq!(css().matches('{').count(), css().matches('}').count());
    }

    /// Values of the variables of one block of `tokens.css` or `print.css`, over those that held before.
    fn tokens(block: &str, mut known: BTreeMap<String, [f64; 3]>) -> BTreeMap<String, [f64; 3]> {
        for line in block.lines() {
            let Some((name, value)) = line.trim().strip_prefix("--").and_then(|l| l.split_once(": #")) else {
                continue;
            };
            let hex = |i: usize| f64::from(u8::from_str_radix(&value[i..i + 2], 16).unwrap()) / 255.0;
            known.insert(name.to_owned(), [hex(0), hex(2), hex(4)]);
        }
        known
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let light = |c: [f64; 3]| {
            let l = c.map(|x| if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) });
            0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]
        };
        let (x, y) = (light(a), light(b));
        (x.max(y) + 0.05) / (x.min(y) + 0.05)
    }

    #[test]
    fn every_text_can_be_read_in_every_theme() {
        let (light, dark) = include_str!("tokens.css").split_once("@media").unwrap();
        let light = tokens(light, BTreeMap::new());
        let themes = [
            ("light", light.clone()),
            ("dark", tokens(dark, light.clone())),
            ("print", tokens(include_str!("print.css"), light)),
        ];
        for (theme, colour) in &themes {
            let at = |text: &str, ground: &str, least: f64| {
                let found = contrast(colour[text], colour[ground]);
                assert!(found >= least, "{theme}: {text} on {ground} is {found:.2} : 1");
            };
            for text in ["ink", "muted", "accent", "gold", "rival", "evidence", "dropped", "warn"] {
                at(text, "paper", 4.5);
                at(text, "tint", 4.5);
            }
            for mark in ["gold", "rival", "evidence", "warn"] {
                at(mark, &format!("{mark}-tint"), 4.5);
                at("ink", &format!("{mark}-tint"), 7.0);
                at("muted", &format!("{mark}-tint"), 4.5);
            }
            at("paper", "accent", 4.5);
            at("edge", "paper", 3.0);
        }
    }

    #[test]
    fn no_text_is_smaller_than_13_pixels_on_screen() {
        let own = css().strip_suffix(&format!("{}\n", eightk_plot::CSS)).unwrap();
        let screen = own.split("@media print").next().unwrap();
        for rule in screen.split("font").skip(1) {
            for part in rule.split([';', '}']).next().unwrap().split([' ', '/', ':']) {
                if let Some(size) = part.strip_suffix("rem").and_then(|s| s.parse::<f64>().ok()) {
                    assert!(size * 16.0 >= 13.0, "{size}rem");
                }
            }
        }
    }
}
