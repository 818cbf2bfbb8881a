//! Punkt the slow way, as a check on the fast one: every rule spelled out over a vector of characters, the parameters in hash
//! maps, each regular expression matched alternative by alternative at each position.

use std::collections::{HashMap, HashSet};

use super::Version;
use super::classes::{digit, letter, python_space};

struct Parameters {
    abbreviations: HashSet<String>,
    collocations: HashSet<(String, String)>,
    starters: HashSet<String>,
    ortho: HashMap<String, u8>,
}

#[derive(Debug)]
struct Token {
    text: Vec<char>,
    sentence_break: bool,
    abbreviation: bool,
    ellipsis: bool,
}

/// A reference splitter: made once, since it reads the parameters.
pub(super) struct Reference {
    parameters: Parameters,
    version: Version,
}

const NUMBER: &str = "##number##";

impl Reference {
    pub(super) fn new(version: Version) -> Self {
        let lines = |s: &str| s.lines().map(str::to_owned).collect::<Vec<_>>();
        let pair = |l: String| l.split_once('\t').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        Self {
            parameters: Parameters {
                abbreviations: lines(include_str!("../../../data/punkt/abbreviations.txt")).into_iter().collect(),
                collocations: lines(include_str!("../../../data/punkt/collocations.txt"))
                    .into_iter()
                    .map(pair)
                    .collect(),
                starters: lines(include_str!("../../../data/punkt/starters.txt")).into_iter().collect(),
                ortho: lines(include_str!("../../../data/punkt/ortho.txt"))
                    .into_iter()
                    .map(pair)
                    .map(|(w, f)| (w, f.parse().unwrap()))
                    .collect(),
            },
            version,
        }
    }

    fn space(&self, c: char) -> bool {
        if self.version == Version::Nltk39 { python_space(c) } else { c.is_whitespace() }
    }

    fn non_word(&self, c: char) -> bool {
        let old = ")\";}]*:@'({[?!";
        let new = "\u{2018}\u{2019}\u{201c}\u{201d}\u{ab}\u{bb}";
        old.contains(c) || (self.version == Version::Nltk310 && new.contains(c))
    }

    fn closer(&self, c: char) -> bool {
        let new = "\u{2018}\u{2019}\u{201c}\u{201d}\u{ab}\u{bb}";
        "\"')]}".contains(c) || (self.version == Version::Nltk310 && new.contains(c))
    }

    /// Spans in characters.
    pub(super) fn spans(&self, text: &str) -> Vec<(usize, usize)> {
        let t: Vec<char> = text.chars().collect();
        let mut slices = Vec::new();
        let mut last = 0;
        for (at, next, context) in self.contexts(&t) {
            if self.contains_break(&context) {
                slices.push((last, at + 1));
                last = next.unwrap_or(at + 1);
            }
        }
        let mut end = t.len();
        while end > 0 && python_space(t[end - 1]) {
            end -= 1;
        }
        slices.push((last, end));
        self.realign(&t, &slices)
    }

    /// Position of each candidate, where the next token begins, and the text to judge it by.
    fn contexts(&self, t: &[char]) -> Vec<(usize, Option<usize>, Vec<char>)> {
        let mut out = Vec::new();
        let mut previous_slice = (0, 0);
        let mut previous: Option<(usize, Option<usize>, usize)> = None;
        for at in 0..t.len() {
            if !".?!".contains(t[at]) {
                continue;
            }
            let Some((next, end)) = self.after(t, at + 1) else { continue };
            let before = &t[previous_slice.1..at];
            let space = before.iter().rposition(|c| " \t\n\r\u{b}\u{c}".contains(*c)).unwrap_or(0);
            let start = if space > 0 { previous_slice.1 + space + 1 } else { previous_slice.0 };
            if let Some((p, n, e)) = previous.filter(|_| previous_slice.1 <= start) {
                out.push((p, n, t[previous_slice.0..e].to_vec()));
            }
            previous = Some((at, next, end));
            previous_slice = (start, at);
        }
        if let Some((p, n, e)) = previous {
            out.push((p, n, t[previous_slice.0..e].to_vec()));
        }
        out
    }

    fn after(&self, t: &[char], from: usize) -> Option<(Option<usize>, usize)> {
        if self.non_word(*t.get(from)?) {
            return Some((None, from + 1));
        }
        let mut i = from;
        while i < t.len() && self.space(t[i]) {
            i += 1;
        }
        let mut j = i;
        while j < t.len() && !self.space(t[j]) {
            j += 1;
        }
        (i > from && j > i).then_some((Some(i), j))
    }

    fn contains_break(&self, context: &[char]) -> bool {
        let mut tokens = Vec::new();
        for line in context.split(|c| *c == '\n') {
            if !line.iter().all(|c| python_space(*c)) {
                tokens.extend(self.words(line));
            }
        }
        for t in &mut tokens {
            self.first_pass(t);
        }
        for i in 1..tokens.len() {
            let (a, b) = tokens.split_at_mut(i);
            self.second_pass(&mut a[i - 1], &b[0]);
        }
        let first = tokens.iter().position(|t| t.sentence_break);
        first.is_some_and(|i| i + 1 < tokens.len())
    }

    fn multi(&self, l: &[char], at: usize) -> Option<usize> {
        for mark in ['-', '.'] {
            let mut i = at;
            while l.get(i) == Some(&mark) {
                i += 1;
            }
            if i >= at + 2 {
                return Some(i);
            }
        }
        let mut pairs = 0;
        while l.get(at + 2 * pairs) == Some(&'.') && l.get(at + 2 * pairs + 1).is_some_and(|c| self.space(*c)) {
            pairs += 1;
        }
        (2..=pairs).rev().map(|n| at + 2 * n).find(|i| l.get(*i) == Some(&'.')).map(|i| i + 1)
    }

    fn words(&self, l: &[char]) -> Vec<Token> {
        let stops = |i: usize| i >= l.len() || self.space(l[i]) || self.non_word(l[i]) || self.multi(l, i).is_some();
        let mut out = Vec::new();
        let mut at = 0;
        while at < l.len() {
            let end = if let Some(end) = self.multi(l, at) {
                end
            } else if self.space(l[at]) {
                at += 1;
                continue;
            } else if "(\"`{[:;&#*@)}]-,".contains(l[at]) {
                at + 1
            } else {
                let mut end = at + 1;
                while !(stops(end) || (l[end] == ',' && stops(end + 1))) {
                    end += 1;
                }
                end
            };
            let text = l[at..end].to_vec();
            out.push(Token { text, sentence_break: false, abbreviation: false, ellipsis: false });
            at = end;
        }
        out
    }

    fn first_pass(&self, t: &mut Token) {
        let s: String = t.text.iter().collect();
        if [".", "?", "!"].contains(&s.as_str()) {
            t.sentence_break = true;
        } else if s.len() > 1 && s.chars().all(|c| c == '.') {
            t.ellipsis = true;
        } else if s.ends_with('.') && !s.ends_with("..") {
            let word = s[..s.len() - 1].to_lowercase();
            let known = |w: &str| self.parameters.abbreviations.contains(w);
            if known(&word) || known(word.split('-').next_back().unwrap()) {
                t.abbreviation = true;
            } else {
                t.sentence_break = true;
            }
        }
    }

    fn kind(t: &Token) -> String {
        let lower = t.text.iter().collect::<String>().to_lowercase();
        let c: Vec<char> = lower.chars().collect();
        let mut i = usize::from(c.first() == Some(&'-'));
        i += usize::from(c.get(i).is_some_and(|x| ".,".contains(*x)));
        if c.get(i).is_some_and(|x| digit(*x)) && c[i..].iter().all(|x| digit(*x) || ",.-".contains(*x)) {
            return NUMBER.to_owned();
        }
        lower
    }

    fn no_period(kind: String) -> String {
        if kind.chars().count() > 1 && kind.ends_with('.') { kind[..kind.len() - 1].to_owned() } else { kind }
    }

    fn second_pass(&self, a: &mut Token, b: &Token) {
        if a.text.last() != Some(&'.') {
            return;
        }
        let p = &self.parameters;
        let kind = Self::no_period(Self::kind(a));
        let next = if b.sentence_break { Self::no_period(Self::kind(b)) } else { Self::kind(b) };
        let initial = a.text.len() == 2 && letter(a.text[0], self.version);
        let flags = p.ortho.get(&next).copied().unwrap_or(0);
        let (upper, lower) = (b.text[0].is_uppercase(), b.text[0].is_lowercase());
        let b_text: String = b.text.iter().collect();
        let heuristic = if [";", ":", ",", ".", "!", "?"].contains(&b_text.as_str()) {
            "no"
        } else if upper && flags & (16 | 32 | 64) != 0 && flags & 4 == 0 {
            "yes"
        } else if lower && (flags & (2 | 4 | 8) != 0 || flags & 16 == 0) {
            "no"
        } else {
            "unknown"
        };
        if p.collocations.contains(&(kind.clone(), next.clone())) {
            (a.sentence_break, a.abbreviation) = (false, true);
            return;
        }
        if (a.abbreviation || a.ellipsis) && !initial && (heuristic == "yes" || (upper && p.starters.contains(&next))) {
            a.sentence_break = true;
            return;
        }
        if initial || kind == NUMBER {
            let special = heuristic == "unknown" && initial && upper && flags & (16 | 32 | 64) == 0;
            if heuristic == "no" || special {
                (a.sentence_break, a.abbreviation) = (false, true);
            }
        }
    }

    fn realign(&self, t: &[char], slices: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut out = Vec::new();
        let mut realign = 0;
        for (i, (start, stop)) in slices.iter().copied().enumerate() {
            let start = start + realign;
            let keep = |out: &mut Vec<_>| {
                if start < stop {
                    out.push((start, stop));
                }
            };
            let Some((s2, e2)) = slices.get(i + 1).copied() else {
                keep(&mut out);
                continue;
            };
            let next = t.get(s2..e2).unwrap_or_default();
            let mut matched = None;
            let mut n = 0;
            while n < next.len() && self.closer(next[n]) && matched.is_none() {
                n += 1;
                let spaces = next[n..].iter().take_while(|c| self.space(**c)).count();
                if spaces > 0 {
                    matched = Some((n, n + spaces));
                } else if next[n..].starts_with(&['-', '-']) || n == next.len() {
                    matched = Some((n, n));
                }
            }
            if let Some((closed, through)) = matched {
                out.push((start, s2 + closed));
                realign = through;
            } else {
                realign = 0;
                keep(&mut out);
            }
        }
        out
    }
}
