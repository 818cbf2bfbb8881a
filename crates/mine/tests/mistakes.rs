//! What a wrong recipe is answered with.
#![allow(clippy::unwrap_used, clippy::panic)]

use eightk_mine::{MineError, Recipe};

const GOOD: &str = r#"
name = "layoffs"
description = "People who are let go."
[coreference]
terms = ["the company", "we"]
[[fact]]
name = "layoffs"
description = "How many are let go."
gate = [["laid off"]]
values = ["{number}"]
[[fact.query]]
template = "How many people did {name} lay off?"
"#;

fn error(from: &str, to: &str) -> MineError {
    assert!(GOOD.contains(from), "{from}");
    Recipe::parse(&GOOD.replacen(from, to, 1), "mine.toml").err().unwrap_or_else(|| panic!("accepted: {to}"))
}

#[test]
fn the_smallest_recipe_is_good() {
    let recipe = Recipe::parse(GOOD, "mine.toml").unwrap();
    assert_eq!((recipe.name(), recipe.facts().len(), recipe.near()), ("layoffs", 1, 0.5));
    assert!(recipe.source().forms.is_empty() && !recipe.source().one_per_company);
    assert_eq!(recipe.audit(), &eightk_mine::AuditLimits::default());
}

#[test]
fn limits_of_the_audit_are_set_one_by_one() {
    let toml = GOOD.replacen("[coreference]", "[audit]\nnested_names = 1\nrivals = 30\n[coreference]", 1);
    let recipe = Recipe::parse(&toml, "mine.toml").unwrap();
    let want = eightk_mine::AuditLimits { nested_names: 1.0, rivals: 30.0, ..eightk_mine::AuditLimits::default() };
    assert_eq!(recipe.audit(), &want);
}

#[test]
fn toml_mistakes_have_line_and_column() {
    for (from, to, line) in [
        ("values =", "valeus =", 10),
        ("name = \"layoffs\"\ndescription = \"How", "name = 7\ndescription = \"How", 7),
        ("[coreference]", "[coreference", 4),
        ("name = \"layoffs\"", "name = \"Lay Offs\"", 2),
        ("[coreference]", "[source]\nfrom = \"2024-13-01\"\n[coreference]", 5),
        ("[coreference]", "[audit]\nceilling = 0.5\n[coreference]", 5),
        ("[coreference]", "[audit]\nceiling = 1.5\n[coreference]", 5),
        ("[coreference]", "[source]\nforms = [\"10-K\"]\n[coreference]", 5),
    ] {
        let e = error(from, to);
        let MineError::Toml { line: at, column, .. } = &e else { panic!("{to}: {e:?}") };
        assert_eq!((*at, *column > 0), (line, true), "{to}: {e}");
        assert!(e.to_string().contains("mine.toml, line"), "{e}");
    }
}

#[test]
fn bad_patterns_are_shown_with_their_place() {
    for (to, says) in [
        (r#"values = ["{number}", "("]"#, "unclosed group"),
        (r#"values = ["{numbr}"]"#, "`{numbr}` is neither a built-in word"),
        (r#"values = ["[€]"]"#, "outside [brackets]"),
        (r#"values = ["(?:[a-z]{900}){900}"]"#, "larger than"),
        (r#"values = ["(?=x)"]"#, "look-around"),
    ] {
        let e = error(r#"values = ["{number}"]"#, to);
        assert!(matches!(&e, MineError::Pattern { place, .. } if place.starts_with("fact layoffs: values[")), "{e:?}");
        assert!(e.to_string().contains(says), "{e}");
    }
    let e = error("[coreference]", "[words]\nround = \"{round}\"\n[coreference]");
    assert!(e.to_string().contains("leads back to itself"), "{e}");
}

#[test]
fn what_has_no_meaning_is_refused() {
    for (from, to) in [
        ("{name}", "them"),
        (r#"gate = [["laid off"]]"#, "gate = []"),
        (r#"gate = [["laid off"]]"#, r#"gate = [["laid off"], []]"#),
        (r#"["the company", "we"]"#, "[]"),
        ("[coreference]", "[rivals]\nnear = 1.5\n[coreference]"),
    ] {
        let e = error(from, to);
        assert!(matches!(e, MineError::Meaning { .. }), "{to}: {e:?}");
    }
    let twice = format!("{GOOD}{}", GOOD.split_once("[[fact]]").map(|(_, f)| format!("[[fact]]{f}")).unwrap());
    let e = Recipe::parse(&twice, "mine.toml").unwrap_err();
    assert!(e.to_string().contains("two facts named `layoffs`"), "{e}");
}
