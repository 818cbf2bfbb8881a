//! What each element does to the text.

/// Elements, told apart as far as the text depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    /// Transparent: `font`, `span`, `a`, `ix:continuation`, anything unknown.
    Inline,
    Span,
    Font,
    Anchor,
    /// `b`, `strong`, `u`, `ins`.
    Strong,
    Sup,
    /// `div`, `center`, `blockquote`, …: breaks before and after.
    Block,
    Div,
    Paragraph,
    ListItem,
    /// `h1`–`h6`.
    Heading,
    Table,
    Row,
    Cell,
    Pre,
    /// `br`.
    LineBreak,
    /// `hr`, and `<PAGE>` of plain text.
    Rule,
    /// Elements whose body is no markup: `script`, `style`, `title`, `textarea`, `xmp`.
    Raw,
    /// `ix:header`, `ix:hidden`, `ix:references`, `ix:resources`, `select`, `object`, …
    Hidden,
    /// `ix:nonNumeric`, `ix:nonFraction`.
    Fact,
    /// `img`, `meta`, `link`, `input`, …: no end tag, no text.
    Void,
    /// `<TYPE>`, `<SEQUENCE>`, `<FILENAME>`, `<DESCRIPTION>`: their text runs to the end of the line.
    SgmlLine,
}

const SPAN: u64 = key(b"span");
const FONT: u64 = key(b"font");
const DIV: u64 = key(b"div");
const P: u64 = key(b"p");
const TD: u64 = key(b"td");
const TR: u64 = key(b"tr");
const B: u64 = key(b"b");
const BR: u64 = key(b"br");

/// A number for an element's name, the same whatever its case: its bytes where eight hold them, else a hash (FNV-1a) with the
/// top bit set, which no byte of a name has.
pub(super) const fn key(name: &[u8]) -> u64 {
    let long = name.len() > 8;
    let mut key: u64 = if long { 0xCBF2_9CE4_8422_2325 } else { 0 };
    let mut rest = name;
    while let [first, tail @ ..] = rest {
        // In a name the bit tells capitals from small letters only.
        let byte = (*first | 0x20) as u64;
        key = if long { (key ^ byte).wrapping_mul(0x0000_0100_0000_01B3) } else { key << 8 | byte };
        rest = tail;
    }
    if long { key | 1 << 63 } else { key }
}

/// How many kinds there are.
pub(super) const TAG_KINDS: usize = Tag::SgmlLine as usize + 1;

impl Tag {
    /// Whether the element breaks lines unless its style says otherwise.
    pub(super) const fn is_block(self) -> bool {
        matches!(
            self,
            Self::Block
                | Self::Div
                | Self::Paragraph
                | Self::ListItem
                | Self::Heading
                | Self::Table
                | Self::Row
                | Self::Cell
                | Self::Pre
        )
    }

    /// Whether an end tag may close other elements on its way: inline elements are closed where they stand, because filings
    /// cross them with blocks (`<b><p></b></p>`).
    pub(super) const fn closes_through(self) -> bool {
        self.is_block() || matches!(self, Self::Hidden)
    }

    /// The element of this name (any case), given its key too: nine of ten elements in filings are one of a few.
    pub(super) fn of(name: &[u8], key: u64) -> Self {
        match key {
            SPAN => Self::Span,
            FONT => Self::Font,
            DIV => Self::Div,
            P => Self::Paragraph,
            TD => Self::Cell,
            TR => Self::Row,
            B => Self::Strong,
            BR => Self::LineBreak,
            _ => Self::by_name(name),
        }
    }

    fn by_name(name: &[u8]) -> Self {
        let mut lower = [0u8; 16];
        let Some(lower) = lower.get_mut(..name.len()) else { return Self::Inline };
        for (to, from) in lower.iter_mut().zip(name) {
            *to = from.to_ascii_lowercase();
        }
        match &*lower {
            b"span" => Self::Span,
            b"font" => Self::Font,
            b"div" => Self::Div,
            b"p" => Self::Paragraph,
            b"td" | b"th" => Self::Cell,
            b"tr" => Self::Row,
            b"table" => Self::Table,
            b"b" | b"strong" | b"u" | b"ins" => Self::Strong,
            b"a" => Self::Anchor,
            b"br" => Self::LineBreak,
            b"sup" => Self::Sup,
            b"li" | b"dt" | b"dd" => Self::ListItem,
            b"hr" | b"page" => Self::Rule,
            b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Self::Heading,
            b"pre" | b"listing" | b"plaintext" => Self::Pre,
            b"center" | b"blockquote" | b"ul" | b"ol" | b"dl" | b"body" | b"html" | b"head" | b"form" | b"address"
            | b"article" | b"aside" | b"fieldset" | b"figure" | b"figcaption" | b"footer" | b"header" | b"main"
            | b"menu" | b"nav" | b"dir" | b"section" | b"caption" | b"tbody" | b"thead" | b"tfoot" | b"details"
            | b"summary" | b"text" | b"document" | b"legend" | b"xbrl" => Self::Block,
            b"script" | b"style" | b"title" | b"textarea" | b"xmp" | b"noembed" | b"iframe" => Self::Raw,
            b"ix:header" | b"ix:hidden" | b"ix:references" | b"ix:resources" | b"select" | b"template" | b"svg"
            | b"math" => Self::Hidden,
            b"ix:nonnumeric" | b"ix:nonfraction" => Self::Fact,
            b"img" | b"meta" | b"link" | b"input" | b"base" | b"col" | b"colgroup" | b"area" | b"wbr" | b"embed"
            | b"param" | b"frame" | b"isindex" => Self::Void,
            b"type" | b"sequence" | b"filename" | b"description" => Self::SgmlLine,
            _ => Self::Inline,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_any_case() {
        for (name, tag) in [
            ("SPAN", Tag::Span),
            ("p", Tag::Paragraph),
            ("Tr", Tag::Row),
            ("th", Tag::Cell),
            ("ix:nonNumeric", Tag::Fact),
            ("BLOCKQUOTE", Tag::Block),
            ("strong", Tag::Strong),
            ("ix:continuation", Tag::Inline),
            ("pp", Tag::Inline),
        ] {
            assert_eq!(Tag::of(name.as_bytes(), key(name.as_bytes())), tag, "{name}");
            assert_eq!(key(name.as_bytes()), key(name.to_ascii_lowercase().as_bytes()), "{name}");
        }
        assert_ne!(key(b"p"), key(b"pp"));
        assert_ne!(key(b"ix:nonnumeric"), key(b"ix:nonfraction"));
    }
}
