//! The few declarations of a `style` attribute that decide whether and how text shows.

/// What a style asks for, as flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Style(u16);

impl Style {
    /// `display:none`, `visibility:hidden`, `font-size:0`.
    pub(super) const HIDDEN: Self = Self(1);
    /// `display:inline`.
    pub(super) const INLINE: Self = Self(1 << 1);
    /// `display:block` and the like.
    pub(super) const BLOCK: Self = Self(1 << 2);
    /// `display:inline-block`.
    pub(super) const INLINE_BLOCK: Self = Self(1 << 3);
    /// Bold or underlined.
    pub(super) const STRONG: Self = Self(1 << 4);
    /// `vertical-align:super`, or raised by a relative position.
    pub(super) const RAISED: Self = Self(1 << 5);
    /// A page break before the element.
    pub(super) const PAGE_BEFORE: Self = Self(1 << 6);
    /// A page break after the element.
    pub(super) const PAGE_AFTER: Self = Self(1 << 7);
    /// Room on the left that reads as white space.
    pub(super) const ROOM_BEFORE: Self = Self(1 << 8);
    /// Room on the right that reads as white space.
    pub(super) const ROOM_AFTER: Self = Self(1 << 9);
    /// A fixed width that reads as white space where nothing else stands in it.
    pub(super) const WIDE: Self = Self(1 << 10);
    const RELATIVE: Self = Self(1 << 11);
    const LIFTED: Self = Self(1 << 12);

    /// Whether any flag of `other` is set.
    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both sets of flags.
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// This style with further flags.
    pub(super) const fn with(self, other: Self) -> Self {
        self.or(other)
    }

    const fn when(self, condition: bool) -> Self {
        if condition { self } else { Self(0) }
    }

    /// Reads an attribute's value.
    pub(super) fn parse(value: &[u8]) -> Self {
        let mut style = Self::default();
        let mut rest = value;
        while !rest.is_empty() {
            let end = memchr::memchr(b';', rest).unwrap_or(rest.len());
            let (declaration, tail) = rest.split_at(end);
            rest = tail.get(1..).unwrap_or_default();
            if let Some(colon) = memchr::memchr(b':', declaration) {
                let (name, value) = declaration.split_at(colon);
                let asked = Self::declared(name.trim_ascii(), value.get(1..).unwrap_or_default().trim_ascii());
                style = style.or(asked);
            }
        }
        style.with(Self::RAISED.when(style.has(Self::RELATIVE) && style.has(Self::LIFTED)))
    }

    /// What one declaration asks for. Told by the first letter: most of them (color, font-family, line-height, text-align) say
    /// nothing here.
    fn declared(name: &[u8], value: &[u8]) -> Self {
        match name.first().map(u8::to_ascii_lowercase) {
            Some(b'd') if is(name, b"display") => display(value),
            Some(b'v') if is(name, b"visibility") => {
                Self::HIDDEN.when(starts(value, b"hidden") || starts(value, b"collapse"))
            }
            Some(b'v') if is(name, b"vertical-align") => {
                Self::RAISED.when(starts(value, b"super") || points(value).is_some_and(|p| p > 0.0))
            }
            Some(b'f') if is(name, b"font-size") => Self::HIDDEN.when(points(value) == Some(0.0)),
            Some(b'f') if is(name, b"font-weight") => {
                Self::STRONG.when(starts(value, b"bold") || matches!(value.first(), Some(b'6'..=b'9')))
            }
            Some(b'f') if is(name, b"font") => Self::STRONG.when(contains(value, b"bold")),
            Some(b't') if starts(name, b"text-decoration") => Self::STRONG.when(contains(value, b"underline")),
            Some(b't') if is(name, b"top") => Self::LIFTED.when(value.first() == Some(&b'-')),
            Some(b'b') if is(name, b"bottom") => Self::LIFTED.when(points(value).is_some_and(|p| p > 0.0)),
            Some(b'b') if is(name, b"break-before") => Self::PAGE_BEFORE.when(is_page(value)),
            Some(b'b') if is(name, b"break-after") => Self::PAGE_AFTER.when(is_page(value)),
            Some(b'p') if is(name, b"page-break-before") => Self::PAGE_BEFORE.when(is_page(value)),
            Some(b'p') if is(name, b"page-break-after") => Self::PAGE_AFTER.when(is_page(value)),
            Some(b'p') if is(name, b"position") => Self::RELATIVE.when(starts(value, b"relative")),
            Some(b'p') if is(name, b"padding-left") => Self::ROOM_BEFORE.when(is_room(value)),
            Some(b'p') if is(name, b"padding-right") => Self::ROOM_AFTER.when(is_room(value)),
            Some(b'm') if is(name, b"margin-left") => Self::ROOM_BEFORE.when(is_room(value)),
            Some(b'm') if is(name, b"margin-right") => Self::ROOM_AFTER.when(is_room(value)),
            Some(b'm') if is(name, b"min-width") => Self::WIDE.when(is_room(value)),
            Some(b'w') if is(name, b"width") => Self::WIDE.when(is_room(value)),
            _ => Self::default(),
        }
    }
}

fn display(value: &[u8]) -> Style {
    if starts(value, b"none") {
        Style::HIDDEN
    } else if starts(value, b"inline-block") || starts(value, b"inline-flex") || starts(value, b"inline-table") {
        Style::INLINE_BLOCK
    } else if starts(value, b"inline") {
        Style::INLINE
    } else if starts(value, b"block") || starts(value, b"flex") || starts(value, b"list-item") {
        Style::BLOCK
    } else {
        Style::default()
    }
}

fn is_page(value: &[u8]) -> bool {
    starts(value, b"always") || starts(value, b"page") || starts(value, b"left") || starts(value, b"right")
}

/// Four points: the width of a space in ten-point type, and what converters leave out never reads as one.
fn is_room(value: &[u8]) -> bool {
    points(value).is_some_and(|p| p >= 4.0)
}

fn is(name: &[u8], expected: &[u8]) -> bool {
    name.eq_ignore_ascii_case(expected)
}

fn starts(value: &[u8], prefix: &[u8]) -> bool {
    value.get(..prefix.len()).is_some_and(|v| v.eq_ignore_ascii_case(prefix))
}

fn contains(value: &[u8], word: &[u8]) -> bool {
    value.windows(word.len()).any(|w| w.eq_ignore_ascii_case(word))
}

/// A length in points; a percentage is one of a line of six and a half inches.
fn points(value: &[u8]) -> Option<f32> {
    let negative = value.first() == Some(&b'-');
    let start = usize::from(negative);
    let number = value.get(start..)?;
    let len = number.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let n: f32 = std::str::from_utf8(number.get(..len)?).ok()?.parse().ok()?;
    let unit = number.get(len..)?.trim_ascii_start();
    let scale = match unit {
        u if starts(u, b"%") => 4.68,
        u if starts(u, b"px") => 0.75,
        u if starts(u, b"in") => 72.0,
        u if starts(u, b"em") || starts(u, b"rem") => 10.0,
        u if starts(u, b"cm") => 28.3,
        u if starts(u, b"mm") => 2.83,
        u if starts(u, b"pc") => 12.0,
        _ => 1.0,
    };
    Some(if negative { -n * scale } else { n * scale })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(s: &str) -> Style {
        Style::parse(s.as_bytes())
    }

    #[test]
    fn what_hides_text() {
        for s in ["display:none", "color:red; DISPLAY : None", "visibility:hidden", "font-size:0pt", "font-size: 0"] {
            assert!(parse(s).has(Style::HIDDEN), "{s}");
        }
        for s in
            ["display:block", "font-size:0.5em", "font-size:10pt", "visibility:visible", "x-display:none", "", ";;:"]
        {
            assert!(!parse(s).has(Style::HIDDEN), "{s}");
        }
    }

    #[test]
    fn room_is_four_points_or_more() {
        assert!(parse("padding-left:4pt").has(Style::ROOM_BEFORE));
        assert!(parse("margin-right:0.5in").has(Style::ROOM_AFTER));
        assert!(!parse("padding-left:3pt").has(Style::ROOM_BEFORE));
        assert!(!parse("margin-left:-9pt").has(Style::ROOM_BEFORE));
        assert!(parse("width:0.5%").0 == 0);
        assert!(parse("min-width:3.3%").has(Style::WIDE));
    }

    #[test]
    fn raised_by_alignment_or_position() {
        assert!(parse("vertical-align:super").has(Style::RAISED));
        assert!(parse("position:relative;top:-2.44pt").has(Style::RAISED));
        assert!(!parse("top:-2.44pt").has(Style::RAISED));
        assert!(!parse("vertical-align:bottom").has(Style::RAISED));
    }
}
