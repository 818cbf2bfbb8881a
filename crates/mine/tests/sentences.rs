//! Sentences with what should be found in each, and how many are found right. `data/restructuring.txt` tells its format.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::collections::BTreeSet;

use eightk_core::{FilingMeta, Reference};
use eightk_mine::{Recipe, examine};
use eightk_text::names::Names;

struct Line<'t> {
    number: usize,
    /// A known mistake: what is found is not what should be.
    known: bool,
    expect: BTreeSet<String>,
    text: &'t str,
}

fn passages(file: &str) -> Vec<Vec<Line<'_>>> {
    let mut out = vec![Vec::new()];
    for (i, line) in file.lines().enumerate().filter(|(_, l)| !l.starts_with('#')) {
        if line.is_empty() {
            out.push(Vec::new());
            continue;
        }
        let (expect, text) = line.split_once(" | ").unwrap_or_else(|| panic!("line {}: no ` | `", i + 1));
        let known = expect.starts_with('!');
        let expect = expect.trim_start_matches('!').split(' ').filter(|e| *e != ".").map(str::to_owned).collect();
        out.last_mut().unwrap().push(Line { number: i + 1, known, expect, text });
    }
    out.retain(|p| !p.is_empty());
    out
}

fn found(recipe: &Recipe, passage: &[Line<'_>]) -> Vec<BTreeSet<String>> {
    let meta = FilingMeta { company: Some("Marwell Tools, Inc.".to_owned()), ..FilingMeta::default() };
    let filing = support::filing(meta, passage.iter().map(|line| line.text));
    let findings = examine(&filing, &Names::new(&filing.meta, &filing.text, &[]), recipe);
    let mut out = vec![BTreeSet::new(); passage.len()];
    for m in &findings.mentions {
        let fact = m.fact.get(..1).unwrap();
        let reference = match m.reference {
            Reference::Coreferent => '=',
            Reference::Alias => 'n',
            Reference::Other => 'o',
            Reference::None => '-',
        };
        out[m.sentence].insert(format!("{fact}{reference}{}", if m.best { "*" } else { "" }));
    }
    out
}

#[test]
fn restructuring() {
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let passages = passages(include_str!("data/restructuring.txt"));
    let (mut right, mut extra, mut missed, mut surprises) = (0, 0, 0, Vec::new());
    for passage in &passages {
        for (line, found) in passage.iter().zip(found(&recipe, passage)) {
            right += found.intersection(&line.expect).count();
            extra += found.difference(&line.expect).count();
            missed += line.expect.difference(&found).count();
            if (found == line.expect) == line.known {
                surprises.push(format!("line {}: {found:?}, not {:?}: {}", line.number, line.expect, line.text));
            }
        }
    }
    let lines = passages.iter().map(Vec::len).sum::<usize>();
    eprintln!("{lines} sentences: {right} right, {extra} extra, {missed} missed");
    assert!(lines > 200 && surprises.is_empty(), "{} lines:\n{}", surprises.len(), surprises.join("\n"));
}
