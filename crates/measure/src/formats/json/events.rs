//! JSON as a stream of events.
//!
//! The road not taken is a JSON library. The files read here are written by Python, which writes `NaN` and `Infinity` that no
//! such library accepts; scores must come out to the last bit; keys that stand twice must be seen, not overwritten; and a
//! slip deep in a file of a gigabyte should be answered with a line. What is left after that is a page of grammar. Nesting
//! is kept on a heap stack, so no input can exhaust the call stack.

use std::borrow::Cow;

/// What comes next in the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event<'t> {
    Open(Bracket),
    Close,
    Key(Cow<'t, str>),
    Text(Cow<'t, str>),
    /// As written; Python's `NaN`, `Infinity` and `-Infinity` included.
    Number(&'t str),
    /// `true`, `false` or `null`.
    Word(&'t str),
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Object,
    Array,
}

/// What is no JSON, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    pub(super) at: usize,
    pub(super) what: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    FirstValue,
    Key,
    FirstKey,
    /// A comma, a closing bracket, or the end.
    Next,
}

/// The stream.
#[derive(Debug)]
pub(super) struct Events<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Bracket>,
    expected: Expected,
}

impl<'t> Events<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0, open: Vec::new(), expected: Expected::Value }
    }

    /// Where reading stands: just after the last event.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn wrong<T>(&self, what: &'static str) -> Result<T, Syntax> {
        Err(Syntax { at: self.at, what })
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// The next event. After the end, the end again.
    pub(super) fn next(&mut self) -> Result<Event<'t>, Syntax> {
        self.skip_blanks();
        if self.expected == Expected::Next {
            let Some(inside) = self.open.last().copied() else {
                return match self.peek() {
                    None => Ok(Event::End),
                    Some(_) => self.wrong("more text after the end; one object is a file, JSON lines are not read"),
                };
            };
            if self.peek() != Some(b',') {
                return self.close(inside, "a comma or a closing bracket is missing");
            }
            self.at += 1;
            self.skip_blanks();
            self.expected = if inside == Bracket::Object { Expected::Key } else { Expected::Value };
        }
        match (self.expected, self.peek()) {
            (Expected::FirstKey, Some(b'}')) => self.close(Bracket::Object, ""),
            (Expected::FirstValue, Some(b']')) => self.close(Bracket::Array, ""),
            (Expected::FirstKey | Expected::Key, _) => {
                let key = self.string("a key in double quotes is missing")?;
                self.skip_blanks();
                if self.peek() != Some(b':') {
                    return self.wrong("a colon is missing after a key");
                }
                self.at += 1;
                self.expected = Expected::Value;
                Ok(Event::Key(key))
            }
            (_, first) => self.value(first),
        }
    }

    fn close(&mut self, inside: Bracket, or_else: &'static str) -> Result<Event<'t>, Syntax> {
        let bracket = if inside == Bracket::Object { b'}' } else { b']' };
        if self.peek() != Some(bracket) {
            return self.wrong(if self.peek().is_none() {
                "the file ends in the middle: was it cut off?"
            } else {
                or_else
            });
        }
        self.at += 1;
        self.open.pop();
        self.expected = Expected::Next;
        Ok(Event::Close)
    }

    fn value(&mut self, first: Option<u8>) -> Result<Event<'t>, Syntax> {
        let bracket = match first {
            Some(b'{') => Some((Bracket::Object, Expected::FirstKey)),
            Some(b'[') => Some((Bracket::Array, Expected::FirstValue)),
            _ => None,
        };
        if let Some((bracket, expected)) = bracket {
            self.at += 1;
            self.open.push(bracket);
            self.expected = expected;
            return Ok(Event::Open(bracket));
        }
        self.expected = Expected::Next;
        if first == Some(b'"') {
            return Ok(Event::Text(self.string("")?));
        }
        for word in ["true", "false", "null"] {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(Event::Word(word));
            }
        }
        for number in ["NaN", "Infinity", "-Infinity"] {
            if self.rest().starts_with(number) {
                self.at += number.len();
                return Ok(Event::Number(number));
            }
        }
        let rest = self.rest();
        let len = rest.bytes().take_while(|b| b.is_ascii_digit() || b"+-.eE".contains(b)).count();
        let number = rest.get(..len).unwrap_or_default();
        if !is_number(number) {
            return self.wrong(if first.is_none() {
                "the file ends in the middle: was it cut off?"
            } else {
                "no value"
            });
        }
        self.at += len;
        Ok(Event::Number(number))
    }

    /// A string, from its opening quote.
    fn string(&mut self, missing: &'static str) -> Result<Cow<'t, str>, Syntax> {
        if self.peek() != Some(b'"') {
            return self.wrong(if self.peek().is_none() {
                "the file ends in the middle: was it cut off?"
            } else {
                missing
            });
        }
        self.at += 1;
        let mut unescaped: Option<String> = None;
        loop {
            let rest = self.rest();
            let Some(end) = memchr::memchr2(b'"', b'\\', rest.as_bytes()) else {
                return self.wrong("a string does not end: was the file cut off?");
            };
            let plain = rest.get(..end).unwrap_or_default();
            if let Some(control) = plain.bytes().position(|b| b < 0x20) {
                self.at += control;
                return self.wrong("a line break, tab or other control character inside a string");
            }
            self.at += end + 1;
            if rest.as_bytes().get(end) == Some(&b'"') {
                return Ok(match unescaped {
                    None => Cow::Borrowed(plain),
                    Some(start) => Cow::Owned(start + plain),
                });
            }
            let escaped = self.escape()?;
            let text = unescaped.get_or_insert_default();
            text.push_str(plain);
            text.push(escaped);
        }
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<char, Syntax> {
        let code = self.peek();
        let plain = match code {
            Some(b'"' | b'\\' | b'/') => code.map(char::from),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            Some(b'u') => None,
            _ => return self.wrong("no escape that JSON knows"),
        };
        self.at += 1;
        if let Some(plain) = plain {
            return Ok(plain);
        }
        let unit = self.hex()?;
        if !(0xD800..0xE000).contains(&unit) {
            return char::from_u32(unit).map_or_else(|| self.wrong("no character"), Ok);
        }
        // The upper half of a pair; the lower half has to follow.
        if self.rest().starts_with("\\u") && unit < 0xDC00 {
            self.at += 2;
            let low = self.hex()?;
            if (0xDC00..0xE000).contains(&low) {
                let code = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return char::from_u32(code).map_or_else(|| self.wrong("no character"), Ok);
            }
        }
        self.wrong("half of a surrogate pair")
    }

    fn hex(&mut self) -> Result<u32, Syntax> {
        let digits = self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(unit) = digits.and_then(|d| u32::from_str_radix(d, 16).ok()) else {
            return self.wrong("four hexadecimal digits are missing");
        };
        self.at += 4;
        Ok(unit)
    }
}

/// Whether this is a number as JSON writes it.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(m, e)| (m, Some(e)));
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
    digits(whole)
        && (whole.len() == 1 || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|e| digits(e.strip_prefix(['+', '-']).unwrap_or(e)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    /// The events put together again, as the library sees the text; `None` where it is no JSON.
    fn tree(text: &str) -> Option<Value> {
        let mut events = Events::new(text);
        let mut open: Vec<(Value, Option<String>)> = Vec::new();
        let mut whole = None;
        loop {
            let value = match events.next().ok()? {
                Event::End => return whole,
                Event::Open(Bracket::Object) => {
                    open.push((Value::Object(serde_json::Map::new()), None));
                    continue;
                }
                Event::Open(Bracket::Array) => {
                    open.push((Value::Array(vec![]), None));
                    continue;
                }
                Event::Key(key) => {
                    open.last_mut()?.1 = Some(key.into_owned());
                    continue;
                }
                Event::Close => open.pop()?.0,
                Event::Text(text) => Value::String(text.into_owned()),
                // The library's own floats may be off by the last bit.
                Event::Number(n) if n.contains(['.', 'e']) => Value::from(n.parse::<f64>().ok()?),
                Event::Number(n) => serde_json::from_str(n).ok()?,
                Event::Word(w) => serde_json::from_str(w).ok()?,
            };
            match open.last_mut() {
                None => whole = Some(value),
                Some((Value::Object(map), key)) => drop(map.insert(key.take()?, value)),
                Some((Value::Array(list), _)) => list.push(value),
                Some(_) => return None,
            }
        }
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1e300..1e300).prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(|m| m.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_the_library_writes(value in json()) {
            prop_assert_eq!(tree(&value.to_string()), Some(value.clone()));
            prop_assert_eq!(tree(&serde_json::to_string_pretty(&value).unwrap()), Some(value));
        }

        /// Accepts what the library accepts and nothing else, but for Python's three numbers.
        #[test]
        fn accepts_what_the_library_accepts(pieces in prop::collection::vec(prop::sample::select(&["{", "}", "[", "]", ",", ":", "\"a\"", "\"", "\\", "\\u00e9", "\\ud83d\\ude00", "\\ud800", "1", "-", "0", ".5", "e3", "true", "nul", "null", " ", "\n", "\u{1}", "é"][..]), 0..9)) {
            let text = pieces.concat();
            prop_assert_eq!(tree(&text), serde_json::from_str::<Value>(&text).ok(), "{}", text);
        }

        #[test]
        fn no_text_breaks_it(text in any::<String>()) {
            let _ = tree(&text);
        }
    }

    #[test]
    fn numbers_as_python_writes_them() {
        let mut events = Events::new("[NaN, Infinity, -Infinity, 1e-05]");
        let mut numbers = Vec::new();
        loop {
            match events.next().unwrap() {
                Event::Number(n) => numbers.push(n),
                Event::End => break,
                _ => {}
            }
        }
        assert_eq!(numbers, ["NaN", "Infinity", "-Infinity", "1e-05"]);
    }

    #[test]
    fn a_deep_nest_is_read_without_recursion() {
        let text = "[".repeat(1_000_000);
        assert_eq!(Events::new(&text).next(), Ok(Event::Open(Bracket::Array)));
        assert_eq!(tree(&text), None);
    }
}
