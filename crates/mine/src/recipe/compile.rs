//! From the keys of a recipe file to rules that run.

use std::collections::BTreeMap;
use std::ops::Range;

use eightk_core::{FilingDate, Form};
use toml::Spanned;

use super::schema::{FactToml, HeadToml, RecipeToml, RequireToml, SourceToml};
use super::vocabulary::{ExpandError, Vocabulary};
use super::{AuditLimits, Fact, QueryTemplate, Recipe, Source};
use crate::MineError;
use crate::fact::{FactRule, Gate, Head, MAX_GROUPS, Require};
use crate::pattern::Pattern;
use crate::refer::Coreference;

/// What stands for the company in a query template.
pub(crate) const NAME: &str = "{name}";

struct Compiler<'t> {
    origin: &'t str,
    source: &'t str,
    words: Vocabulary,
}

/// Reads and compiles a recipe.
pub(crate) fn compile(source: &str, origin: &str) -> Result<Recipe, MineError> {
    let raw: RecipeToml = toml::from_str(source).map_err(|e| toml_error(source, origin, &e))?;
    let c = Compiler { origin, source, words: Vocabulary::new(raw.words.clone()) };
    c.name("name", &raw.name)?;
    if raw.fact.is_empty() {
        return Err(c.meaning("fact", "a recipe needs at least one [[fact]]"));
    }
    if !(0.0..=1.0).contains(&raw.rivals.near) {
        return Err(c.meaning("rivals.near", "must lie between 0 and 1"));
    }
    if raw.rivals.at_most == 0 {
        return Err(c.meaning("rivals.at_most", "must be at least 1"));
    }
    if raw.coreference.terms.iter().all(|t| t.trim().is_empty()) {
        return Err(
            c.meaning("coreference.terms", "must name at least one word for the filer, such as \"the company\"")
        );
    }
    for (name, pattern) in &raw.words {
        c.built(&format!("words.{name}"), pattern, Pattern::check)?;
    }
    let mut facts: Vec<Fact> = Vec::with_capacity(raw.fact.len());
    for fact in &raw.fact {
        if facts.iter().any(|f| f.name == *fact.name.get_ref()) {
            return Err(
                c.at(fact.name.span(), format!("there are two facts named `{}`; rename one", fact.name.get_ref()))
            );
        }
        facts.push(c.fact(fact)?);
    }
    let gates: Vec<_> = raw.fact.iter().map(|f| f.gate.clone()).collect();
    if gates.iter().map(Vec::len).sum::<usize>() > MAX_GROUPS {
        return Err(c.meaning("fact.gate", &format!("all facts together may have at most {MAX_GROUPS} groups")));
    }
    let gate = Gate::new(&gates).map_err(|e| c.meaning("fact.gate", &e.to_string()))?;
    let coreference = Coreference::new(&raw.coreference.terms, raw.coreference.quoted)
        .map_err(|e| c.meaning("coreference.terms", &e.to_string()))?;
    Ok(Recipe {
        name: raw.name.get_ref().clone(),
        description: raw.description,
        source: c.source_part(&raw.source)?,
        audit: c.audit(&raw.audit)?,
        facts,
        coreference,
        gate,
        binding: raw.evidence.binding,
        nearest_name: raw.evidence.nearest_name,
        near: raw.rivals.near,
        exact_duplicates: raw.rivals.exact_duplicates,
        at_most: raw.rivals.at_most,
        seed: raw.queries.seed,
        toml: source.to_owned(),
    })
}

/// Line and column (1-based, in code points) of byte `at`.
fn place(source: &str, at: usize) -> (usize, usize) {
    let before = source.get(..at).unwrap_or(source);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before.get(line_start..).unwrap_or_default().chars().count() + 1)
}

fn toml_error(source: &str, origin: &str, error: &toml::de::Error) -> MineError {
    let (line, column) = place(source, error.span().unwrap_or_default().start);
    MineError::Toml { origin: origin.to_owned(), line, column, message: error.message().trim().replace('\n', " ") }
}

impl Compiler<'_> {
    fn meaning(&self, place: &str, message: &str) -> MineError {
        MineError::Meaning { origin: self.origin.to_owned(), place: place.to_owned(), message: message.to_owned() }
    }

    fn at(&self, span: Range<usize>, message: String) -> MineError {
        let (line, column) = place(self.source, span.start);
        MineError::Toml { origin: self.origin.to_owned(), line, column, message }
    }

    fn name(&self, what: &str, name: &Spanned<String>) -> Result<(), MineError> {
        let text = name.get_ref();
        let good = text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
        if good {
            return Ok(());
        }
        Err(self.at(
            name.span(),
            format!("{what} `{text}` must be lower-case letters, digits, `-` and `_`, beginning with a letter"),
        ))
    }

    fn date(&self, date: Option<&Spanned<String>>) -> Result<Option<FilingDate>, MineError> {
        let read = |d: &Spanned<String>| d.get_ref().parse().map_err(|e| self.at(d.span(), format!("{e}")));
        date.map(read).transpose()
    }

    fn source_part(&self, raw: &SourceToml) -> Result<Source, MineError> {
        let form = |f: &Spanned<String>| {
            let unknown =
                || self.at(f.span(), format!("`{}` is no form that can be read; 8-K and 8-K/A are", f.get_ref()));
            Form::parse(f.get_ref()).ok_or_else(unknown)
        };
        Ok(Source {
            phrase: raw.phrase.clone(),
            forms: raw.forms.iter().map(form).collect::<Result<_, _>>()?,
            items: raw.items.clone(),
            from: self.date(raw.from.as_ref())?,
            to: self.date(raw.to.as_ref())?,
            one_per_company: raw.one_per_company,
        })
    }

    fn audit(&self, raw: &BTreeMap<Spanned<String>, Spanned<f64>>) -> Result<AuditLimits, MineError> {
        let mut limits = AuditLimits::default();
        for (key, value) in raw {
            let set = limits.set(key.get_ref(), *value.get_ref());
            set.map_err(|why| self.at(key.span(), format!("audit: `{}` {why}", key.get_ref())))?;
        }
        Ok(limits)
    }

    /// One pattern, compiled.
    fn pattern(&self, place: &str, pattern: &str) -> Result<Pattern, MineError> {
        self.built(place, pattern, Pattern::new)
    }

    /// One pattern with its words put in, handed to `build`.
    fn built<T>(&self, place: &str, pattern: &str, build: impl Fn(&str) -> Result<T, String>) -> Result<T, MineError> {
        let wrong = |message: String| MineError::Pattern {
            origin: self.origin.to_owned(),
            place: place.to_owned(),
            pattern: pattern.to_owned(),
            message,
        };
        let expanded = self.words.expand(pattern).map_err(|e| {
            wrong(match e {
                ExpandError::Unknown(word) => format!("`{{{word}}}` is neither a built-in word nor under [words]"),
                ExpandError::Circle(word) => format!("the word `{{{word}}}` leads back to itself"),
            })
        })?;
        build(&expanded).map_err(|mut message| {
            if message.contains("Unicode not allowed") || message.contains("invalid UTF-8") {
                message.push_str("; write letters beyond ASCII outside [brackets], as in (?:€|£)");
            }
            wrong(message)
        })
    }

    /// Several patterns as one; `None` when there are none.
    fn any(&self, place: &str, patterns: &[String]) -> Result<Option<Pattern>, MineError> {
        if patterns.is_empty() {
            return Ok(None);
        }
        let expanded: Result<Vec<_>, _> = patterns.iter().map(|p| self.words.expand(p)).collect();
        let joined = expanded.map(|p| p.iter().map(|p| format!("(?:{p})")).collect::<Vec<_>>().join("|"));
        if let Some(pattern) = joined.ok().and_then(|p| Pattern::new(&p).ok()) {
            return Ok(Some(pattern));
        }
        // Something is wrong: find out which of them it is.
        for (i, pattern) in patterns.iter().enumerate() {
            self.pattern(&format!("{place}[{i}]"), pattern)?;
        }
        Err(self.meaning(place, "these patterns are too large together; split or shorten them"))
    }

    fn some(&self, place: &str, patterns: &[String]) -> Result<Pattern, MineError> {
        self.any(place, patterns)?.ok_or_else(|| self.meaning(place, "needs at least one pattern"))
    }

    fn fact(&self, raw: &FactToml) -> Result<Fact, MineError> {
        self.name("fact", &raw.name)?;
        let name = raw.name.get_ref();
        let place = |key: &str| format!("fact {name}: {key}");
        if raw.gate.is_empty() || raw.gate.iter().any(|g| g.is_empty() || g.iter().any(String::is_empty)) {
            return Err(self.meaning(
                &place("gate"),
                "needs at least one group, and each group at least one literal that is not empty",
            ));
        }
        let mut replace = Vec::with_capacity(raw.replace.len());
        for (i, r) in raw.replace.iter().enumerate() {
            replace.push((self.pattern(&place(&format!("replace[{i}]")), &r.find)?, r.with.clone()));
        }
        let mut require = Vec::with_capacity(raw.require.len());
        for (i, r) in raw.require.iter().enumerate() {
            require.push(self.require(&place(&format!("require[{i}]")), r)?);
        }
        let rule = FactRule {
            replace,
            values: self.any(&place("values"), &raw.values)?,
            require,
            exclude: self.any(&place("exclude"), &raw.exclude)?,
            reject: self.any(&place("reject"), &raw.reject)?,
            head: raw.head.as_ref().map(|h| self.head(&place("head"), h)).transpose()?,
            whole: self.any(&place("whole"), &raw.whole)?,
            part: self.any(&place("part"), &raw.part)?,
        };
        Ok(Fact {
            name: name.clone(),
            description: raw.description.clone(),
            queries: self.queries(&place("query"), raw)?,
            rule,
        })
    }

    fn require(&self, place: &str, raw: &RequireToml) -> Result<Require, MineError> {
        Ok(Require {
            any: self.some(&format!("{place}.any"), &raw.any)?,
            weak: self.any(&format!("{place}.weak"), &raw.weak)?,
            before: self.any(&format!("{place}.before"), &raw.before)?,
            previous: raw.previous,
            items: raw.items.clone(),
        })
    }

    fn head(&self, place: &str, raw: &HeadToml) -> Result<Head, MineError> {
        Ok(Head {
            before_wanted: self.some(&format!("{place}.before.wanted"), &raw.before.wanted)?,
            before_other: self.any(&format!("{place}.before.other"), &raw.before.other)?,
            direct: raw.before.direct,
            link: self.any(&format!("{place}.before.link"), &raw.before.link)?,
            after_wanted: self.some(&format!("{place}.after.wanted"), &raw.after.wanted)?,
            after_other: self.any(&format!("{place}.after.other"), &raw.after.other)?,
            stop: self.any(&format!("{place}.after.stop"), &raw.after.stop)?,
            words: raw.after.words,
        })
    }

    fn queries(&self, place: &str, raw: &FactToml) -> Result<Vec<QueryTemplate>, MineError> {
        if raw.query.is_empty() {
            return Err(self.meaning(place, "needs at least one template"));
        }
        let mut out = Vec::with_capacity(raw.query.len());
        for q in &raw.query {
            let rewrite = q.rewrite.as_ref().unwrap_or(&q.template);
            for text in [&q.template, rewrite] {
                if text.matches(NAME).count() != 1 {
                    return Err(self.meaning(place, &format!("`{text}` must hold {NAME} exactly once")));
                }
            }
            out.push(QueryTemplate { template: q.template.clone(), rewrite: rewrite.clone() });
        }
        Ok(out)
    }
}
