//! From registered names and one filing's text to every name the filer may go by.

use std::ops::ControlFlow;

use eightk_core::FilingMeta;

use super::binding::{self, Binding, TermKind};
use super::fold::{Key, squeeze};
use super::spelling::Spelling;
use super::{Names, bindings, spelling, suffix, words};

/// Names and symbols in the order of their worth.
#[derive(Debug, Default, Clone)]
pub(super) struct Derived {
    /// Found in any style of spelling.
    pub(super) names: Vec<String>,
    /// Found in this spelling only.
    pub(super) symbols: Vec<String>,
}

impl Derived {
    fn add(&mut self, name: &str) {
        let name = name.trim();
        let known = self.names.iter().any(|n| n == name);
        if !known && name.chars().any(char::is_alphanumeric) {
            self.names.push(name.to_owned());
        }
    }

    fn add_symbol(&mut self, symbol: &str) {
        if !self.symbols.iter().any(|s| s == symbol) {
            self.symbols.push(symbol.to_owned());
        }
    }

    /// A name with the stages between it and its short form; a stage that means nothing by itself is left out.
    fn add_stages(&mut self, name: &str) {
        self.add(suffix::without_article(name));
        for stage in suffix::stages(name) {
            if stage.contains(' ') || !words::is_generic(&squeeze(&stage)) {
                self.add(&stage);
            }
        }
    }
}

pub(super) fn names(meta: &FilingMeta, text: &str, extra: &[String]) -> Names {
    let registered = registered(meta, text);
    let mut derived = Derived::default();
    let short = registered.first().and_then(|n| suffix::stages(n).pop());
    let short = short.or_else(|| extra.first().map(|e| e.trim().to_owned())).unwrap_or_default();
    derived.add(&short);
    if let Some(name) = registered.first() {
        derived.add_stages(name);
    }
    // What the registration says, letter for letter, where the filing spells it otherwise.
    for name in meta.company.iter().flat_map(|c| suffix::undecorated(c)) {
        derived.add(&name);
    }
    for name in extra {
        derived.add(name);
    }
    for name in registered.iter().skip(1) {
        derived.add_stages(name);
    }
    for ticker in &meta.tickers {
        let ticker = ticker.trim();
        if binding::is_ticker(ticker) {
            derived.add_symbol(ticker);
        }
    }
    let defined = bindings(text);
    // Most filings define something; for the others nothing has to be compared.
    let known = Names::from_parts(
        short.clone(),
        if defined.is_empty() && !text.contains(", f") { Derived::default() } else { derived.clone() },
    );
    let (ours, others): (Vec<&Binding>, Vec<&Binding>) = defined.iter().partition(|b| known.binds_filer(text, b));
    for term in ours.iter().flat_map(|b| &b.terms) {
        match term.kind {
            TermKind::ShortName if is_defined_name(&term.text) => derived.add(&term.text),
            TermKind::FormerName => derived.add_stages(&term.text),
            TermKind::Ticker => derived.add_symbol(&term.text),
            _ => {}
        }
    }
    for name in former_names(text, &known) {
        derived.add_stages(&name);
    }
    let taken: Vec<String> = {
        let foreign = others.iter().flat_map(|b| &b.terms).filter(|t| t.kind == TermKind::ShortName);
        foreign.map(|t| squeeze(&t.text)).collect()
    };
    let cores: Vec<String> = std::iter::once(short.clone())
        .chain(registered.iter().skip(1).filter_map(|n| suffix::stages(n).pop()))
        .collect();
    for core in &cores {
        add_parts(&mut derived, core, text, &taken);
    }
    Names::from_parts(short, derived)
}

/// Registered names spelled as the text spells them, the one that this filing goes by first.
fn registered(meta: &FilingMeta, text: &str) -> Vec<String> {
    let company: Vec<String> = meta.company.iter().flat_map(|c| suffix::undecorated(c)).collect();
    let mut out: Vec<(usize, String)> = Vec::new();
    for name in company.iter().cloned().chain(meta.other_names.iter().flat_map(|n| suffix::undecorated(n))) {
        let (count, spelled) = spelled(&name, text);
        if !out.iter().any(|(_, n)| *n == spelled) {
            out.push((count, spelled));
        }
    }
    // A combined field, or a registered name that this filing never uses: the name in use leads. Ties keep the order.
    let own = company.len().min(out.len());
    let unused = out.iter().take(own).all(|(n, _)| *n == 0);
    let pool = if unused { out.len() } else { own };
    let best = (0..pool).rev().max_by_key(|&i| out.get(i).map_or(0, |(n, _)| *n));
    if let Some(best) = best {
        let leader = out.remove(best);
        out.insert(0, leader);
    }
    out.into_iter().map(|(_, n)| n).collect()
}

/// How often (up to 3) the text uses a name, and the name as the text spells it.
fn spelled(name: &str, text: &str) -> (usize, String) {
    let stages = suffix::stages(name);
    let core = stages.last().map_or(name, String::as_str);
    let shouted = spelling::is_shouted(name);
    let Some(key) = Key::new(core) else { return (0, name.to_owned()) };
    let mut count = 0;
    spelling::each_mention(text, &key, |_, _| {
        count += 1;
        if count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let found = match spelling::in_text(text, &key) {
        // A spelling in capitals tells nothing against a registered one that has both cases.
        Some(Spelling::Kept(f)) => (shouted || !spelling::is_shouted(&f)).then_some(f),
        Some(Spelling::Shouted(f)) => shouted.then(|| spelling::guessed(&f, text)),
        None => spelling::with_gaps(text, core)
            .filter(|_| shouted)
            .map(|f| if f.chars().any(char::is_lowercase) { f } else { spelling::guessed(&f, "") }),
    };
    let count = if found.is_some() { count.max(1) } else { count };
    let Some(found) = found else {
        return (count, if shouted { spelling::guessed(name, text) } else { name.to_owned() });
    };
    // The words of the legal form keep their place after the name as the text spells it.
    let article = suffix::without_article(name);
    let tail = article.get(core.len()..).unwrap_or_default().trim_start();
    let tail = if shouted { spelling::guessed(tail, "") } else { tail.to_owned() };
    let comma = if tail.is_empty() || tail.starts_with(',') { "" } else { " " };
    (count, format!("{found}{comma}{tail}"))
}

/// Words of a definition that are parts played in a contract, not names.
static ROLES: &[&str] = &[
    "administrator",
    "agent",
    "assignee",
    "bank",
    "borrower",
    "borrowers",
    "buyer",
    "client",
    "consultant",
    "corporation",
    "customer",
    "debtor",
    "debtors",
    "employer",
    "executive",
    "firm",
    "group",
    "guarantor",
    "holdco",
    "holder",
    "holding",
    "holdings",
    "investor",
    "issuer",
    "landlord",
    "lender",
    "lenders",
    "lessee",
    "lessor",
    "licensee",
    "licensor",
    "manager",
    "merger sub",
    "obligor",
    "operator",
    "owner",
    "parent",
    "parties",
    "partnership",
    "party",
    "pubco",
    "purchaser",
    "registrant",
    "seller",
    "servicer",
    "sponsor",
    "subsidiary",
    "tenant",
    "trust",
    "trustee",
];

fn is_defined_name(term: &str) -> bool {
    let lower = term.to_lowercase();
    let role = |w: &str| ROLES.binary_search(&w).is_ok();
    term.chars().count() >= 2 && !role(&lower) && !lower.split_whitespace().all(role) && !words::is_common_acronym(term)
}

/// Parts of a short name that can stand for it.
fn add_parts(derived: &mut Derived, core: &str, text: &str, taken: &[String]) {
    let parts: Vec<&str> = core.split_whitespace().map(|w| w.trim_end_matches([',', ';'])).collect();
    if parts.len() < 2 {
        return;
    }
    let free = |part: &str| !taken.contains(&squeeze(part));
    for (i, word) in parts.iter().enumerate() {
        let folded = squeeze(word);
        let length = folded.chars().count();
        let named = word.starts_with(|c: char| c.is_uppercase()) || word.chars().nth(1).is_some_and(char::is_uppercase);
        if !named
            || words::is_generic(&folded)
            || length < 2
            || folded.chars().all(|c| c.is_ascii_digit())
            || !free(word)
        {
            continue;
        }
        // "Quill & Vane": either is somebody's surname.
        let pair = parts.get(1).is_some_and(|w| matches!(*w, "&" | "and" | "And" | "AND"));
        let distinctive = i == 0 && length >= 4 && !pair && !words::is_everyday(&folded);
        if distinctive || stands_alone(text, word) {
            derived.add(word);
        }
    }
    for n in 2..parts.len() {
        let (Some(prefix), Some(last)) = (parts.get(..n), parts.get(n - 1)) else { continue };
        let open = matches!(last.to_lowercase().as_str(), "of" | "and" | "&" | "the" | "for" | "in" | "de");
        let telling = |w: &&str| {
            let folded = squeeze(w);
            let word = folded.chars().any(char::is_alphabetic);
            word && !words::is_generic(&folded) && !words::is_everyday(&folded)
        };
        let name = prefix.join(" ");
        if !open && prefix.iter().any(telling) && free(&name) {
            derived.add(&name);
        }
    }
    let initials: String = parts
        .iter()
        .filter(|w| !matches!(w.to_lowercase().as_str(), "of" | "and" | "&" | "the" | "for"))
        .filter_map(|w| w.chars().find(|c| c.is_alphanumeric()))
        .flat_map(char::to_uppercase)
        .collect();
    let fit = (3..=6).contains(&initials.chars().count()) && initials.chars().all(|c| c.is_ascii_uppercase());
    if fit && !words::is_common_acronym(&initials) && free(&initials) && has_token(text, &initials) {
        derived.add_symbol(&initials);
    }
}

/// Whether the text uses `word` alone for the company: `Tarwick’s`, `Tarwick announced`, and no capitalised word before it.
fn stands_alone(text: &str, word: &str) -> bool {
    let Some(key) = Key::new(word) else { return false };
    let mut found = false;
    spelling::each_mention(text, &key, |start, end| {
        let before = text.get(spelling::floor(text, start.saturating_sub(32))..start).unwrap_or_default();
        let previous = before.trim_end().rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let begins =
            previous.is_empty() || before.ends_with('\n') || previous.ends_with(['.', ',', ';', ':', ')', '”', '"']);
        let honorific = matches!(previous, "Mr." | "Ms." | "Mrs." | "Dr." | "Messrs.");
        let initial = previous.ends_with('.') && previous.len() <= 3;
        let alone = super::antecedent::is_lead(previous)
            || (begins && !honorific && !initial)
            || previous.starts_with(|c: char| c.is_lowercase() || c == '(' || c == '“');
        let after = text.get(end..).unwrap_or_default();
        let possessive = ["’s", "'s", "’ ", "' "].iter().any(|p| after.starts_with(p));
        let verb = after.strip_prefix(' ').and_then(|a| a.split(|c: char| !c.is_alphabetic()).next());
        found = alone && (possessive || verb.is_some_and(words::follows_a_subject));
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

fn has_token(text: &str, token: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), token.as_bytes()).any(|at| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + token.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// `Ostrova N.V., formerly known as Tarwick Mills, Inc.`: the second name, where the first is known.
fn former_names(text: &str, known: &Names) -> Vec<String> {
    let mut out = Vec::new();
    for mark in [", formerly known as ", ", formerly ", ", f/k/a "] {
        for at in memchr::memmem::find_iter(text.as_bytes(), mark.as_bytes()) {
            let Some(rest) = text.get(at + mark.len()..) else { continue };
            let name = leading_name(rest);
            let before = super::antecedent::before(text, at);
            let ours = before.is_some_and(|antecedent| {
                let parenthesis = eightk_core::Span::new(at, at);
                known.binds_filer(text, &Binding { antecedent, parenthesis, terms: Vec::new() })
            });
            if ours && name.len() > 3 {
                out.push(name.to_owned());
            }
        }
    }
    out
}

/// The capitalised words that `text` begins with, a legal form after a comma included.
fn leading_name(text: &str) -> &str {
    let mut end = 0;
    let mut at = 0;
    for word in text.split_inclusive(' ').take(10) {
        let plain = word.trim_end();
        let bare = plain.trim_end_matches([',', ';', ')']);
        let fits =
            bare.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) || matches!(bare, "&" | "of" | "and");
        let after_comma = at > 0 && text.get(..at).is_some_and(|t| t.trim_end().ends_with(','));
        if !fits || plain.contains('\n') || (after_comma && !suffix::is_legal_word(bare)) {
            break;
        }
        end = at + bare.len();
        at += word.len();
    }
    text.get(..end).unwrap_or_default()
}

/// Whether a symbol would be taken for a word or an abbreviation of something else: `F`, `ALL`, `CEO`.
pub(super) fn is_word_like(symbol: &str) -> bool {
    let lower = symbol.to_ascii_lowercase();
    const SMALL: [&str; 24] = [
        "any", "are", "but", "can", "din", "ever", "for", "gas", "has", "here", "its", "low", "man", "not", "now",
        "out", "per", "run", "see", "that", "they", "this", "was", "you",
    ];
    symbol.len() < 3
        || words::is_common_acronym(symbol)
        || words::is_generic(&lower)
        || words::is_everyday(&lower)
        || words::follows_a_subject(&lower)
        || SMALL.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_sorted() {
        assert!(ROLES.is_sorted());
    }

    #[test]
    fn a_name_is_read_forwards() {
        assert_eq!(leading_name("Tarwick Mills, Inc. (the “Company”)"), "Tarwick Mills, Inc.");
        assert_eq!(leading_name("Tarwick Mills, completed"), "Tarwick Mills");
        assert_eq!(leading_name("a private company"), "");
    }

    #[test]
    fn standing_alone_is_being_a_subject_or_an_owner() {
        assert!(
            stands_alone("In May Block’s board met; but Block’s plan", "Block")
                && stands_alone("Today Block announced. Block announced", "Block")
        );
        assert!(!stands_alone("Block trades rose and Mr. Block announced it", "Block"));
        assert!(!stands_alone("Jonas Vane announced", "Vane"));
    }
}
