//! HTML cut into tags and text.
//!
//! Written by hand because of the budget: most of a filing's bytes lie in attributes that nothing here reads, and skipping them
//! with `memchr` is several times faster than a tokenizer that hands out every attribute. A document tree is not built at all.

use memchr::{memchr, memchr3, memmem};

/// A piece of markup, as ranges of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Text up to the next tag; references in it are not decoded.
    Text { text: &'a str, at: usize },
    /// `<name attributes>`.
    Start { name: &'a [u8], attributes: &'a [u8], self_closing: bool, at: usize },
    /// `</name>`.
    End { name: &'a [u8], at: usize },
}

/// Walks over a document.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    source: &'a str,
    at: usize,
    /// Searches that found nothing once find nothing later: remembered so that hostile input stays linear.
    no_tag_end: bool,
    no_comment_end: bool,
    no_cdata_end: bool,
}

impl<'a> Lexer<'a> {
    pub(super) const fn new(source: &'a str) -> Self {
        Self { source, at: 0, no_tag_end: false, no_comment_end: false, no_cdata_end: false }
    }

    /// Where the next token begins.
    pub(super) const fn position(&self) -> usize {
        self.at
    }

    /// Goes on from `at`, not backwards.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = self.at.max(at.min(self.source.len()));
    }

    fn bytes(&self) -> &'a [u8] {
        self.source.as_bytes()
    }

    fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes().get(from..to).unwrap_or_default()
    }

    /// The next token; comments, declarations and processing instructions are passed over.
    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let start = self.at;
            let rest = self.bytes().get(start..).filter(|r| !r.is_empty())?;
            if rest.first() != Some(&b'<') {
                return Some(self.text(start, start));
            }
            match rest.get(1) {
                Some(c) if c.is_ascii_alphabetic() => {
                    let Some(end) = self.tag_end(start + 2) else { return Some(self.text(start, start + 1)) };
                    self.at = end + 1;
                    let name_len = rest.iter().skip(1).take_while(|b| is_name(**b)).count();
                    let name_end = (start + 1 + name_len).min(end);
                    let self_closing = self.slice(start + 2, end).last() == Some(&b'/');
                    return Some(Token::Start {
                        name: self.slice(start + 1, name_end),
                        attributes: self.slice(name_end, end),
                        self_closing,
                        at: start,
                    });
                }
                Some(b'/') if rest.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                    let name_len = rest.iter().skip(2).take_while(|b| is_name(**b)).count();
                    let name_end = start + 2 + name_len;
                    let Some(end) = self.find_tag_end(name_end) else { return Some(self.text(start, start + 1)) };
                    self.at = end + 1;
                    return Some(Token::End { name: self.slice(start + 2, name_end), at: start });
                }
                Some(b'!' | b'?') => {
                    let Some(end) = self.declaration_end(start) else { return Some(self.text(start, start + 1)) };
                    self.at = end;
                }
                _ => return Some(self.text(start, start + 1)),
            }
        }
    }

    /// Text from `start` to the next `<` at or after `from`.
    fn text(&mut self, start: usize, from: usize) -> Token<'a> {
        let end = self.bytes().get(from..).and_then(|r| memchr(b'<', r)).map_or(self.source.len(), |i| from + i);
        self.at = end;
        Token::Text { text: self.source.get(start..end).unwrap_or_default(), at: start }
    }

    /// The first `>` from `from` on.
    fn find_tag_end(&mut self, from: usize) -> Option<usize> {
        if self.no_tag_end {
            return None;
        }
        let found = self.bytes().get(from..).and_then(|r| memchr(b'>', r)).map(|i| from + i);
        self.no_tag_end = found.is_none();
        found
    }

    /// The `>` that ends a start tag, passing over quoted attribute values.
    fn tag_end(&mut self, from: usize) -> Option<usize> {
        if self.no_tag_end {
            return None;
        }
        let bytes = self.bytes();
        let mut at = from;
        loop {
            let Some(i) = bytes.get(at..).and_then(|r| memchr3(b'>', b'"', b'\'', r)) else {
                // No `>` outside quotes: take the first one at all, if there is any.
                return self.find_tag_end(from);
            };
            let found = at + i;
            let quote = bytes.get(found).copied().unwrap_or(b'>');
            if quote == b'>' {
                return Some(found);
            }
            // A quote opens a value only behind an equals sign.
            let opens = self.slice(from, found).trim_ascii_end().last() == Some(&b'=');
            at = found + 1;
            if opens {
                match bytes.get(at..).and_then(|r| memchr(quote, r)) {
                    Some(close) => at += close + 1,
                    None => return self.find_tag_end(from),
                }
            }
        }
    }

    /// Where a comment, a CDATA section, a declaration or a processing instruction is over.
    fn declaration_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.bytes();
        let rest = bytes.get(start..).unwrap_or_default();
        let (begin, end, missing) = if rest.starts_with(b"<!--") {
            // `<!-->` and `<!--->` are comments already complete.
            (start + 2, &b"-->"[..], &mut self.no_comment_end)
        } else if rest.starts_with(b"<![CDATA[") {
            (start + 9, &b"]]>"[..], &mut self.no_cdata_end)
        } else {
            return self.find_tag_end(start).map(|i| i + 1);
        };
        if !*missing {
            match bytes.get(begin..).and_then(|r| memmem::find(r, end)) {
                Some(i) => return Some(begin + i + end.len()),
                None => *missing = true,
            }
        }
        self.find_tag_end(start).map(|i| i + 1)
    }
}

/// Whether the byte belongs to a tag's name.
const fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_' | b'.')
}

/// The value of an attribute, without its quotes. Names are compared without case.
pub(super) fn attribute<'a>(attributes: &'a [u8], wanted: &[u8]) -> Option<&'a [u8]> {
    let mut rest = attributes;
    loop {
        rest = skip(rest, |b| b.is_ascii_whitespace() || b == b'/');
        if rest.is_empty() {
            return None;
        }
        let name_len = rest.iter().take_while(|b| !b.is_ascii_whitespace() && **b != b'=').count();
        if name_len == 0 {
            // A stray `=`.
            rest = rest.get(1..)?;
            continue;
        }
        let (name, tail) = rest.split_at(name_len);
        rest = skip(tail, |b| b.is_ascii_whitespace());
        let value = if rest.first() == Some(&b'=') {
            rest = skip(rest.get(1..)?, |b| b.is_ascii_whitespace());
            match rest.first() {
                Some(quote @ (b'"' | b'\'')) => {
                    let inner = rest.get(1..)?;
                    let close = memchr(*quote, inner).unwrap_or(inner.len());
                    rest = inner.get(close + 1..).unwrap_or_default();
                    inner.get(..close)?
                }
                _ => {
                    let len = rest.iter().take_while(|b| !b.is_ascii_whitespace()).count();
                    let (value, tail) = rest.split_at(len);
                    rest = tail;
                    value
                }
            }
        } else {
            &[]
        };
        if name.eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
    }
}

fn skip(bytes: &[u8], what: impl Fn(u8) -> bool) -> &[u8] {
    let n = bytes.iter().take_while(|b| what(**b)).count();
    bytes.get(n..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Vec<String> {
        let mut lexer = Lexer::new(source);
        let mut out = Vec::new();
        while let Some(token) = lexer.next() {
            out.push(match token {
                Token::Text { text, .. } => text.to_owned(),
                Token::Start { name, attributes, self_closing, .. } => format!(
                    "<{}|{}{}>",
                    String::from_utf8_lossy(name),
                    String::from_utf8_lossy(attributes),
                    if self_closing { "|empty" } else { "" }
                ),
                Token::End { name, .. } => format!("</{}>", String::from_utf8_lossy(name)),
            });
        }
        out
    }

    #[test]
    fn tags_and_text() {
        assert_eq!(shown("a<b>c</b >d"), ["a", "<b|>", "c", "</b>", "d"]);
        assert_eq!(shown("<p title='a>b'>x"), ["<p| title='a>b'>", "x"]);
        assert_eq!(shown("<a name=\"x\"/>y"), ["<a| name=\"x\"/|empty>", "y"]);
        assert_eq!(shown("5 < 6 and <7"), ["5 ", "< 6 and ", "<7"]);
        assert_eq!(shown("x<!-- <p> -->y<?pi z?><!DOCTYPE html>w"), ["x", "y", "w"]);
        assert_eq!(shown("a<![CDATA[ <b> ]]>c"), ["a", "c"]);
        assert_eq!(shown("a<b c"), ["a", "<b c"]);
        assert_eq!(shown("<font face=Arial'>x"), ["<font| face=Arial'>", "x"]);
    }

    #[test]
    fn attributes_by_name() {
        let a = b" ALIGN=left style = 'a:b' name=\"x y\" nowrap/";
        assert_eq!(attribute(a, b"align"), Some(&b"left"[..]));
        assert_eq!(attribute(a, b"style"), Some(&b"a:b"[..]));
        assert_eq!(attribute(a, b"name"), Some(&b"x y"[..]));
        assert_eq!(attribute(a, b"nowrap/"), Some(&b""[..]));
        assert_eq!(attribute(a, b"id"), None);
        assert_eq!(attribute(b" = =", b"x"), None);
    }
}
