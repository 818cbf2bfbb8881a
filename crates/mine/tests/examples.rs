//! Runs the Markdown file beside each built-in recipe. `recipes/README.md` tells its format.

#![allow(clippy::unwrap_used, clippy::panic)]

use eightk_core::{DropReason, EvidenceKind, Filing, FilingMeta, Reference, Sentence};
use eightk_mine::{Recipe, examine};
use eightk_text::names::Names;
use eightk_text::split::{Splitter, split};

struct Case {
    title: String,
    filer: String,
    passage: String,
    expect: Vec<String>,
}

fn cases(markdown: &str) -> Vec<Case> {
    let mut out: Vec<Case> = Vec::new();
    let mut fenced = false;
    for line in markdown.lines() {
        if let Some(title) = line.strip_prefix("## ").filter(|_| !fenced) {
            out.push(Case {
                title: title.to_owned(),
                filer: String::new(),
                passage: String::new(),
                expect: Vec::new(),
            });
            continue;
        }
        let Some(case) = out.last_mut() else { continue };
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            case.passage.push_str(line);
            case.passage.push('\n');
        } else if let Some(filer) = line.strip_prefix("Filer: ") {
            filer.trim().clone_into(&mut case.filer);
        } else if let Some(expect) = line.strip_prefix("- ") {
            case.expect.push(expect.split(" — ").next().unwrap_or(expect).trim().to_owned());
        }
    }
    out
}

/// The passage as a filing whose only filter is the length of a sentence.
fn filing(case: &Case) -> Filing {
    let text = case.passage.trim().to_owned();
    let sentence = |span: eightk_core::Span| {
        let short = span.of(&text).chars().count() < 40;
        Sentence { span, dropped: short.then_some(DropReason::Short), item: None }
    };
    let sentences = split(&text, Splitter::Legal).into_iter().map(sentence).collect();
    let meta = FilingMeta { company: Some(case.filer.clone()), ..FilingMeta::default() };
    Filing { meta, text, items: Vec::new(), sentences }
}

fn name(reference: Reference) -> &'static str {
    match reference {
        Reference::Coreferent => "coreferent",
        Reference::Alias => "alias",
        Reference::Other => "other",
        Reference::None => "none",
    }
}

fn check(recipe: &Recipe, case: &Case, wrong: &mut Vec<String>) {
    let filing = filing(case);
    let names = Names::new(&filing.meta, &filing.text, &[]);
    let found = examine(&filing, &names, recipe);
    let text = |i: usize| filing.sentence_text(&filing.sentences[i]);
    let mut left: Vec<(String, &str)> = found
        .mentions
        .iter()
        .map(|m| {
            let answer = if m.best { ", answer" } else { "" };
            (format!("{}, {}{answer}", m.fact, name(m.reference)), text(m.sentence))
        })
        .collect();
    for expect in &case.expect {
        if expect == "nothing" {
            continue;
        }
        let (what, prefix) =
            expect.split_once(": ").unwrap_or_else(|| panic!("{}: `{expect}` has no `: `", case.title));
        if what.starts_with("evidence") {
            let kind = |k| if k == EvidenceKind::Binding { "evidence, binding" } else { "evidence, nearest-name" };
            let have = found.evidence.map(|e| (kind(e.kind), text(e.sentence)));
            if !have.is_some_and(|(k, t)| k == what && t.starts_with(prefix)) {
                wrong.push(format!("{}: expected `{expect}`, got {have:?}", case.title));
            }
        } else if let Some(i) = left.iter().position(|(w, t)| w == what && t.starts_with(prefix)) {
            left.remove(i);
        } else {
            wrong.push(format!("{}: not found: `{expect}`", case.title));
        }
    }
    wrong.extend(left.iter().map(|(w, t)| format!("{}: not expected: `{w}`: {t}", case.title)));
}

fn run(recipe: &str, markdown: &str, at_least: usize) {
    let recipe = Recipe::builtin(recipe).unwrap().unwrap_or_else(|e| panic!("{e}"));
    let cases = cases(markdown);
    assert!(cases.len() >= at_least, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        assert!(!case.filer.is_empty() && !case.passage.is_empty() && !case.expect.is_empty(), "{}", case.title);
        check(&recipe, case, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn restructuring() {
    run("restructuring", include_str!("../../../recipes/restructuring.md"), 19);
}

#[test]
fn officer_departure() {
    run("officer-departure", include_str!("../../../recipes/officer-departure.md"), 6);
}

#[test]
fn every_builtin_recipe_is_usable() {
    for name in Recipe::builtin_names() {
        let recipe = Recipe::builtin(name).unwrap().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(recipe.name(), *name);
        assert!(!recipe.description().is_empty() && !recipe.facts().is_empty());
        assert_eq!(Recipe::parse(recipe.toml(), "again").unwrap().name(), *name);
    }
    assert!(Recipe::builtin("nothing-of-the-kind").is_none());
}
