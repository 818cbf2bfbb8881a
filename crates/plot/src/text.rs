//! How wide a text is, and how to make it shorter.
//!
//! A chart cannot ask which font its reader has. The widths here are those of the widest usual interface font, so that what has
//! room here has room everywhere; the price is a little air where the font is narrower.

/// Advance widths of U+0020 to U+007E in hundredths of the font size.
const ASCII: [u8; 95] = [
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69,
    61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63,
    59, 82, 59, 59, 52, 64, 34, 64, 84,
];

/// Width of `text` in the unit of `size`, rather too much than too little.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size / 100.0
}

fn advance(c: char) -> f64 {
    let code = c as u32;
    match code {
        0x20..=0x7e => ASCII.get(code as usize - 0x20).map_or(64.0, |w| f64::from(*w)),
        // Marks that stand on the letter before, joiners, variation selectors.
        0x300..=0x36f | 0x200b..=0x200d | 0xfe00..=0xfe0f => 0.0,
        // Dashes, quotes, ellipsis.
        0x2010..=0x2027 => 100.0,
        0x2212 => 84.0,
        0xa0..=0x24f => 80.0,
        0x370..=0x52f => 85.0,
        // Everything else up to the wide scripts; the basmala and its like are wider, and are cut by the reader's font.
        _ if code < 0x1100 => 100.0,
        _ => 110.0,
    }
}

/// `text` where it fits into `room`, else its beginning and end around an ellipsis: what tells two names of one family apart is
/// as often at the end as at the beginning.
pub(crate) fn shortened(text: &str, size: f64, room: f64) -> String {
    let text = clean(text);
    // Enough for any room there is; what strangers call themselves has no end.
    let head: Vec<char> = text.chars().take(400).collect();
    if head.len() < 400 && width(&text, size) <= room {
        return text;
    }
    let tail: Vec<char> = text.chars().rev().take(400).collect();
    let room = room - width("…", size);
    let (mut left, mut right) = (String::new(), String::new());
    let (mut used_left, mut used_right) = (0.0, 0.0);
    for c in head {
        let wide = advance(c) * size / 100.0;
        if used_left + wide > room * 0.6 {
            break;
        }
        used_left += wide;
        left.push(c);
    }
    for c in tail {
        let wide = advance(c) * size / 100.0;
        if used_left + used_right + wide > room {
            break;
        }
        used_right += wide;
        right.insert(0, c);
    }
    format!("{}…{}", left.trim_end(), right.trim_start())
}

/// `text` in one line, without what XML forbids and without characters that turn the direction of what follows.
pub(crate) fn clean(text: &str) -> String {
    let kept = text.chars().filter_map(|c| match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => None,
        '\u{fffe}' | '\u{ffff}' => Some('\u{fffd}'),
        c if c.is_control() || c.is_whitespace() => Some(' '),
        c => Some(c),
    });
    let mut out = String::with_capacity(text.len());
    for c in kept {
        if c != ' ' || !(out.is_empty() || out.ends_with(' ')) {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn long_names_keep_both_ends() {
        let name = "sentence-encoders/minimal-l6-v2:window:2";
        let short = shortened(name, 13.0, 160.0);
        assert!(short.starts_with("sentence") && short.ends_with(":2") && short.contains('…'), "{short}");
        assert_eq!(shortened("bm25", 13.0, 160.0), "bm25");
        assert_eq!(shortened("a\nb\u{202e}c\u{0}", 13.0, 160.0), "a bc");
    }

    proptest! {
        #[test]
        fn shortened_fits(name in ".{0,600}", room in 20.0..400.0) {
            let short = shortened(&name, 13.0, room);
            prop_assert!(width(&short, 13.0) <= room + 1e-9, "{short:?} takes {}", width(&short, 13.0));
        }
    }
}
