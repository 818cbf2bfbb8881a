//! Where a text says what it will call somebody: `Ostrova N.V. (“Ostrova” or the “Company”)`.
//!
//! Read from the parenthesis outwards: its terms first, since most parentheses hold none, then leftwards over appositions to
//! the name. One regular expression for all of it was the road not taken: quotation marks come in six forms and go missing,
//! appositions nest, and each miss would be silent.

use eightk_core::Span;

use super::antecedent;
use super::fold::squeeze;
use super::suffix::is_legal_word;

/// What a term stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// the “Company”
    Company,
    /// the “Registrant”, the “Issuer”
    Registrant,
    /// the “Corporation”
    Corporation,
    /// the “Firm”
    Firm,
    /// the “Bank”
    Bank,
    /// the “Partnership”
    Partnership,
    /// the “Trust”
    Trust,
    /// “we,” “us,” “our”
    We,
    /// “Ostrova”: a name without article.
    ShortName,
    /// formerly known as Tarwick Mills
    FormerName,
    /// NYSE: TRWK
    Ticker,
    /// Anything else that is defined: the “Plan”, a “Company Stock Option”.
    Other,
}

impl TermKind {
    /// Whether the term can stand for the filer in a sentence without naming it: the Company, we.
    pub const fn is_coreferent(self) -> bool {
        matches!(
            self,
            Self::Company
                | Self::Registrant
                | Self::Corporation
                | Self::Firm
                | Self::Bank
                | Self::Partnership
                | Self::Trust
                | Self::We
        )
    }
}

/// One term of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The term without quotation marks and article: `Company`, `Ostrova`, `we`.
    pub text: String,
    /// What it stands for.
    pub kind: TermKind,
}

/// A definition in parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The name before the parenthesis, appositions skipped, in bytes of the sentence.
    pub antecedent: Span,
    /// The parenthesis with its brackets.
    pub parenthesis: Span,
    /// Its terms in order; never empty.
    pub terms: Vec<Term>,
}

impl Binding {
    /// Whether it defines a word that can stand for the antecedent without naming it.
    pub fn binds_coreferent(&self) -> bool {
        self.terms.iter().any(|t| t.kind.is_coreferent())
    }
}

/// Longest parenthesis that is read, in bytes: a longer one is prose.
const LONGEST: usize = 400;

/// Every definition in parentheses whose antecedent is a name, in order.
///
/// Works on a sentence or a whole text; nothing is read across a line break. The cost is linear: each parenthesis looks at a
/// bounded stretch on either side.
pub fn bindings(sentence: &str) -> Vec<Binding> {
    let mut out = Vec::new();
    let mut next = 0;
    for open in memchr::memchr_iter(b'(', sentence.as_bytes()) {
        if open < next {
            continue;
        }
        let Some(inside) = inside(sentence, open) else { continue };
        let Some(kind) = worth_reading(inside) else { continue };
        let parenthesis = Span::new(open, (open + inside.len() + 2).min(sentence.len()));
        let mut terms = if kind == Form::Quoted { quoted_terms(inside) } else { Vec::new() };
        terms.extend(former_name(inside));
        terms.extend(tickers(inside));
        if terms.is_empty() && kind == Form::Plain {
            terms = plain_terms(inside);
            if terms.is_empty() && !(may_abbreviate(inside) && follows_capital(sentence, open)) {
                continue;
            }
        }
        let Some(antecedent) = antecedent::before(sentence, open) else { continue };
        if terms.is_empty() && abbreviates(inside.trim(), antecedent.of(sentence)) {
            terms.push(Term { text: inside.trim().to_owned(), kind: TermKind::ShortName });
        }
        let antecedent = of_short_name(sentence, antecedent, &terms).unwrap_or(antecedent);
        if !terms.is_empty() {
            next = parenthesis.end;
            out.push(Binding { antecedent, parenthesis, terms });
        }
    }
    out
}

/// A short name tells which of two names it shortens: in "Tarwick Sub, Inc., a subsidiary of Ostrova N.V. (“Tarwick Sub”)"
/// the first, though the second stands nearer.
fn of_short_name(sentence: &str, near: Span, terms: &[Term]) -> Option<Span> {
    let term = terms.iter().find(|t| t.kind == TermKind::ShortName)?;
    let short = squeeze(&term.text);
    if squeeze(near.of(sentence)).starts_with(&short) {
        return None;
    }
    let far = antecedent::farther(sentence, near.start)?;
    squeeze(far.of(sentence)).starts_with(&short).then_some(far)
}

/// What stands between the bracket at `open` and its partner, if that is near. A sentence that breaks off inside brackets
/// with a quotation mark still defines what it says.
fn inside(text: &str, open: usize) -> Option<&str> {
    let bytes = text.as_bytes().get(open + 1..)?;
    let mut depth = 0usize;
    for (i, byte) in bytes.iter().take(LONGEST).enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return text.get(open + 1..open + 1 + i),
            b')' => depth -= 1,
            b'\n' => return None,
            _ => {}
        }
    }
    let rest = text.get(open + 1..)?;
    (depth == 0 && rest.len() < LONGEST && rest.chars().any(is_mark)).then_some(rest)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Quoted,
    Plain,
}

/// Sorts out the many parentheses that define nothing, at the price of a look at their bytes.
fn worth_reading(inside: &str) -> Option<Form> {
    let first = inside.trim_start().chars().next()?;
    if !inside.bytes().any(|b| b.is_ascii_alphabetic()) {
        return None;
    }
    let quoted = inside.bytes().any(|b| matches!(b, b'"' | b'\'' | b'`' | 0xC2 | 0xE2)) && has_quotation(inside);
    if quoted {
        const NOT: [&str; 5] = ["as defined", "defined in", "as such term", "within the meaning", "defined below"];
        return if NOT.iter().any(|n| inside.contains(n)) { None } else { Some(Form::Quoted) };
    }
    let short = inside.len() <= 90;
    (short
        && (first.is_uppercase()
            || first.is_ascii_digit()
            || ["the ", "we", "formerly ", "f/k/a ", "collectively"]
                .iter()
                .any(|p| inside.trim_start().starts_with(p))))
    .then_some(Form::Plain)
}

fn has_quotation(inside: &str) -> bool {
    let single = inside.contains(" '") || inside.starts_with('\'') || inside.contains("''");
    single || inside.chars().any(|c| is_mark(c) || matches!(c, '‘' | '`'))
}

/// Whether the word before byte `open` is capitalised or a legal form: the least that a name needs.
fn follows_capital(text: &str, open: usize) -> bool {
    let before = text.get(..open).unwrap_or_default().trim_end_matches([' ', ',']);
    let word = before.get(before.rfind(char::is_whitespace).map_or(0, |i| i + 1)..).unwrap_or_default();
    word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) || is_legal_word(word)
}

const fn is_mark(c: char) -> bool {
    matches!(c, '“' | '”' | '"' | '„' | '‟' | '«' | '»')
}

/// Pairs of quotation marks, whichever they are: marks are often mixed up, their number seldom is.
fn quoted_terms(inside: &str) -> Vec<Term> {
    let normal;
    let mut text = inside;
    if inside.contains("``") || inside.contains("''") {
        normal = inside.replace("``", "\"").replace("''", "\"");
        text = &normal;
    }
    let mut marks: Vec<(usize, usize)> =
        text.char_indices().filter(|&(_, c)| is_mark(c)).map(|(i, c)| (i, i + c.len_utf8())).collect();
    if marks.is_empty() {
        marks = single_marks(text);
    }
    let mut terms = Vec::new();
    let mut from = 0;
    for pair in marks.chunks(2) {
        let &[open, ref rest @ ..] = pair else { continue };
        let close = rest.first().copied().unwrap_or((text.len(), text.len()));
        let (Some(before), Some(term)) = (text.get(from..open.0), text.get(open.1..close.0)) else { continue };
        from = close.1;
        terms.extend(term_of(before, term));
    }
    terms
}

/// `'Company'` and `‘Company’`: an opening mark follows a space, a closing one precedes a space, a comma or the end.
fn single_marks(text: &str) -> Vec<(usize, usize)> {
    let single = |c: char| matches!(c, '‘' | '’' | '\'' | '`');
    let mut marks = Vec::new();
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |&(_, c)| c);
        let opens = marks.len() % 2 == 0 && before == ' ' && after.is_alphanumeric();
        let closes = marks.len() % 2 == 1 && !after.is_alphanumeric();
        if single(c) && (opens || closes) {
            marks.push((i, i + c.len_utf8()));
        }
        before = c;
    }
    marks
}

fn term_of(before: &str, quoted: &str) -> Option<Term> {
    let mut text = quoted.trim().trim_end_matches([',', ';', ' ']);
    if !text.split_whitespace().next_back().is_some_and(is_legal_word) {
        text = text.trim_end_matches('.');
    }
    let mut article = before.split(|c: char| !c.is_alphanumeric()).rfind(|w| !w.is_empty()).unwrap_or_default();
    for the in ["the ", "The "] {
        if let Some(rest) = text.strip_prefix(the) {
            (text, article) = (rest.trim_start(), "the");
        }
    }
    if text.is_empty() || text.len() > 80 {
        return None;
    }
    let lower = if before.len() > 5 { before.to_lowercase() } else { String::new() };
    if ["formerly", "f/k/a", "previously known"].iter().any(|m| lower.contains(m)) {
        return Some(Term { text: text.to_owned(), kind: TermKind::FormerName });
    }
    Some(Term { text: text.to_owned(), kind: kind_of(article, text) })
}

fn kind_of(article: &str, text: &str) -> TermKind {
    if matches!(article, "a" | "an" | "A" | "An" | "each" | "any" | "such" | "this") {
        return TermKind::Other;
    }
    let one_word = match text.to_lowercase().as_str() {
        "company" => TermKind::Company,
        "registrant" | "issuer" => TermKind::Registrant,
        "corporation" => TermKind::Corporation,
        "firm" => TermKind::Firm,
        "bank" => TermKind::Bank,
        "partnership" => TermKind::Partnership,
        "trust" => TermKind::Trust,
        "we" | "us" | "our" | "ours" => TermKind::We,
        _ => TermKind::Other,
    };
    if one_word != TermKind::Other {
        return one_word;
    }
    let begins_with_role = ["Company ", "Parent ", "Surviving ", "Registrant "].iter().any(|r| text.starts_with(r));
    let name = article != "the" && article != "The" && text.chars().any(|c| c.is_uppercase() || c.is_ascii_digit());
    if name && !begins_with_role { TermKind::ShortName } else { TermKind::Other }
}

/// Terms whose quotation marks were lost: `(the Company)`, `(the Company, we or us)`, `(Ostrova or the Company)`.
fn plain_terms(inside: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for piece in inside.split(',').flat_map(|p| p.split(" or ")).flat_map(|p| p.split(" and ")) {
        let piece = piece.trim().trim_start_matches("or ").trim_start_matches("and ").trim();
        let (article, word) = match piece.split_once(' ') {
            Some(("the" | "The", rest)) => ("the", rest.trim()),
            _ => ("", piece),
        };
        let known = word.starts_with(char::is_uppercase) || matches!(word, "we" | "us" | "our");
        let kind = if known { kind_of(article, word) } else { TermKind::Other };
        match kind {
            TermKind::Other if piece.is_empty() || piece == "collectively" || piece.starts_with("together with") => {}
            TermKind::Other => return Vec::new(),
            kind => terms.push(Term { text: word.to_owned(), kind }),
        }
    }
    // Without quotation marks only a role word shows that something is defined.
    let role = terms.iter().any(|t| t.kind.is_coreferent() && t.kind != TermKind::We);
    if role { terms } else { Vec::new() }
}

/// `(formerly known as Tarwick Mills, Inc.)` without quotation marks.
fn former_name(inside: &str) -> Option<Term> {
    if inside.len() < 12 || inside.chars().any(is_mark) {
        return None;
    }
    const MARKS: [&str; 6] =
        ["formerly known as ", "previously known as ", "f/k/a ", "formerly named ", "formerly, ", "formerly "];
    let (at, mark) = MARKS.iter().find_map(|m| inside.find(m).map(|at| (at, m)))?;
    let name = inside.get(at + mark.len()..)?.trim().trim_end_matches([',', ';']);
    name.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        .then(|| Term { text: name.to_owned(), kind: TermKind::FormerName })
}

/// Symbols after the name of an exchange: `NYSE: TRWK`, `Nasdaq Global Select: TRWK, TRWKW`.
fn tickers(inside: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    if !inside.contains(':') {
        return terms;
    }
    const EXCHANGES: [&str; 8] = ["NYSE", "Nasdaq", "NASDAQ", "AMEX", "Stock Exchange", "Stock Market", "OTC", "TSX"];
    let Some(at) = EXCHANGES.iter().filter_map(|e| inside.find(e)).min() else { return terms };
    let Some((_, after)) = inside.get(at..).and_then(|s| s.split_once(':')) else { return terms };
    let list = after.split([';', '"', '“', ')']).next().unwrap_or_default();
    for symbol in
        list.split([',', ' ', '/']).map(|s| s.trim_matches(|c: char| !c.is_alphanumeric())).filter(|s| !s.is_empty())
    {
        if !is_ticker(symbol) {
            break;
        }
        terms.push(Term { text: symbol.to_owned(), kind: TermKind::Ticker });
    }
    terms
}

/// One to five capitals, or two groups of them around a dot or hyphen.
pub(super) fn is_ticker(symbol: &str) -> bool {
    let parts: Vec<&str> = symbol.split(['.', '-']).collect();
    parts.len() <= 2 && parts.iter().all(|p| (1..=5).contains(&p.len()) && p.chars().all(|c| c.is_ascii_uppercase()))
}

fn may_abbreviate(inside: &str) -> bool {
    (2..=40).contains(&inside.len())
        && inside.trim_start().starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
}

/// Whether a bare parenthesis repeats the beginning of the name before it, or its initials: `Ostrova Corporation (Ostrova)`.
fn abbreviates(inside: &str, name: &str) -> bool {
    let short = squeeze(inside);
    if short.len() < 2 || !may_abbreviate(inside) {
        return false;
    }
    let full = squeeze(name);
    let initials: String = name.split_whitespace().filter_map(|w| squeeze(w).chars().next()).collect();
    let capitals = inside.chars().all(|c| c.is_uppercase() || c == '&');
    (full.len() > short.len() && full.starts_with(&short))
        || (short.len() >= 3 && capitals && initials.starts_with(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `antecedent | term:Kind term:Kind`, one per binding.
    fn read(sentence: &str) -> Vec<String> {
        let shown = |b: &Binding| {
            let terms: Vec<String> = b.terms.iter().map(|t| format!("{}:{:?}", t.text, t.kind)).collect();
            format!("{} | {}", b.antecedent.of(sentence), terms.join(" "))
        };
        bindings(sentence).iter().map(shown).collect()
    }

    #[test]
    fn every_form_of_the_definition_is_read() {
        for (sentence, want) in [
            ("On May 2, Ostrova N.V. (the “Company”) closed a mill.", "Ostrova N.V. | Company:Company"),
            ("On May 2, Ostrova N.V. (the \"Company\") closed it.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (the ”Company”) did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (the 'Company') did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (the ‘Company’) did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (the ``Company'') did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (“Company”) did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (“the Company”) did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (the Company) did.", "Ostrova N.V. | Company:Company"),
            ("Ostrova N.V. (the “Registrant”) did.", "Ostrova N.V. | Registrant:Registrant"),
            ("Ostrova N.V. (“Ostrova” or the “Company”) did.", "Ostrova N.V. | Ostrova:ShortName Company:Company"),
            ("Ostrova N.V. (“Ostrova” or “the Company”) did.", "Ostrova N.V. | Ostrova:ShortName Company:Company"),
            ("Ostrova N.V. (the “Company” or \"we\") did.", "Ostrova N.V. | Company:Company we:We"),
            (
                "Ostrova N.V. (the “Company,” “its,” “we,” “our” or “us”) did.",
                "Ostrova N.V. | Company:Company its:Other we:We our:We us:We",
            ),
            (
                "Ostrova N.V. (“Ostrova” and, together with its consolidated subsidiaries, “we,” “us,” “our,” or the “Company”) did.",
                "Ostrova N.V. | Ostrova:ShortName we:We us:We our:We Company:Company",
            ),
            (
                "Ostrova N.V. (together with its affiliated companies, the “Company”) did.",
                "Ostrova N.V. | Company:Company",
            ),
            (
                "Ostrova N.V. (collectively with its subsidiaries, hereinafter the “Company”) did.",
                "Ostrova N.V. | Company:Company",
            ),
            ("Ostrova N.V. (NYSE: OSTV) said.", "Ostrova N.V. | OSTV:Ticker"),
            ("Ostrova N.V. (Nasdaq: OSTV; the “Company”) said.", "Ostrova N.V. | Company:Company OSTV:Ticker"),
            (
                "Ostrova N.V. (formerly known as Tarwick Mills, Inc.) said.",
                "Ostrova N.V. | Tarwick Mills, Inc.:FormerName",
            ),
            ("Ostrova Corporation (Ostrova) said.", "Ostrova Corporation | Ostrova:ShortName"),
            ("Ostrova Marine Works, Inc. (OMW) said.", "Ostrova Marine Works, Inc. | OMW:ShortName"),
            ("Ostrova N.V. (the “Company,” “we,” or “us", "Ostrova N.V. | Company:Company we:We us:We"),
            (
                "Tarwick Sub, Inc., a subsidiary of Ostrova N.V. (“Tarwick Sub”) did.",
                "Tarwick Sub, Inc. | Tarwick Sub:ShortName",
            ),
            ("Ostrova N.V. (the Company or we) did.", "Ostrova N.V. | Company:Company we:We"),
        ] {
            assert_eq!(read(sentence), [want], "{sentence}");
        }
    }

    #[test]
    fn what_is_defined_besides_is_no_coreferent() {
        for sentence in [
            "each share of Tarwick Common Stock (“Company Common Stock”) will",
            "may make an Adverse Change (a “Company Change in Recommendation”) only",
            "with Tarwick Sub continuing (the “Interim Surviving Corporation”) as",
            "with Tarwick Sub, Inc. surviving it (the “Surviving Corporation”), and",
            "under the Tarwick Plan (the “Plan”) and",
            "the Agreement (as defined in the “Company” section) of",
            "a fee (the Reduction in Force) of",
            "Ostrova N.V. (see page 4) did",
            "Tarwick (2) and Tarwick (the only one left) and ( and ) and ()",
        ] {
            assert!(!bindings(sentence).iter().any(Binding::binds_coreferent), "{sentence}");
        }
    }

    #[test]
    fn two_definitions_in_one_sentence() {
        assert_eq!(
            read("Grandvale Corp. (“Parent”) will buy Delmont Robotics, Inc. (the “Company”)."),
            ["Grandvale Corp. | Parent:ShortName", "Delmont Robotics, Inc. | Company:Company"]
        );
        assert_eq!(
            read("Ostrova N.V. (NYSE: OSTV) (the “Company”) said."),
            ["Ostrova N.V. | OSTV:Ticker", "Ostrova N.V. | Company:Company"]
        );
    }

    #[test]
    fn hostile_brackets_take_linear_time() {
        let started = std::time::Instant::now();
        for unit in ["(", "(“", "A (“B” ", ")", "( (the “Company”) ", ", a corporation ", "Inc. , and (“X”)"]
        {
            bindings(&unit.repeat(100_000));
        }
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    proptest::proptest! {
        #[test]
        fn spans_always_fit(sentence in "[A-Za-z(“”\"',. é&\n]{0,80}") {
            for b in bindings(&sentence) {
                proptest::prop_assert!(sentence.get(b.antecedent.start..b.antecedent.end).is_some());
                proptest::prop_assert!(sentence.get(b.parenthesis.start..b.parenthesis.end).is_some_and(|p| p.starts_with('(')));
                proptest::prop_assert!(b.antecedent.end <= b.parenthesis.start && !b.antecedent.is_empty() && !b.terms.is_empty());
            }
        }
    }
}
