//! Queries, alternatives, rivals and what is left out, on a small corpus of invented filings.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use eightk_core::{FilingMeta, Role};
use eightk_mine::{Assembly, LeftOutReason, Recipe, Record, assemble, examine};
use eightk_text::names::Names;

fn recipe() -> Recipe {
    Recipe::builtin("restructuring").unwrap().unwrap()
}

fn record(recipe: &Recipe, url: &str, company: &str, cik: Option<&str>, sentences: &[&str]) -> Record {
    let meta = FilingMeta {
        source_url: url.to_owned(),
        company: Some(company.to_owned()),
        cik: cik.map(str::to_owned),
        ..FilingMeta::default()
    };
    let filing = support::filing(meta, sentences.iter().copied());
    let names = Names::new(&filing.meta, &filing.text, &[]);
    let findings = examine(&filing, &names, recipe);
    Record::new(filing, names, findings)
}

const BINDS: &str = "On May 3, 2024, Marlowe Kilns, Inc. (the “Company”) approved a plan — with “é” and “€” in it.";
const CHARGE: &str = "The Company expects to incur restructuring charges of approximately $4 million.";
const PARTS: &str = "These consist of $3 million of severance and $1 million of lease exit costs.";
const NAMED: &str = "Marlowe Kilns expects total restructuring charges of approximately $4 million.";

fn reasons(a: &Assembly) -> Vec<(&str, LeftOutReason)> {
    a.left_out.iter().map(|l| (l.source_url.as_str(), l.reason)).collect()
}

#[test]
fn a_query_has_its_answer_evidence_alternatives_and_rivals() {
    let r = recipe();
    let records = [
        record(&r, "a", "Marlowe Kilns, Inc.", Some("1"), &[BINDS, CHARGE, PARTS]),
        record(&r, "b", "Tarn Optics plc", Some("2"), &["We expect restructuring charges of about $9 million."]),
        record(&r, "c", "Skerry Media N.V.", None, &["Nothing of the kind is said in here by anybody."]),
    ];
    let a = assemble(&records, &r);
    assert_eq!((a.queries.len(), a.left_out.len(), a.companies), (2, 0, 3));
    let q = &a.queries[0];
    assert!(q.query.contains("Marlowe Kilns") && q.original_query.contains("Marlowe Kilns"));
    assert_eq!(q.golds.iter().map(|g| g.role).collect::<Vec<_>>(), [Role::Answer, Role::Evidence]);
    assert_eq!((q.golds[0].text.as_str(), q.golds[1].text.as_str()), (CHARGE, BINDS));
    assert_eq!(q.alternatives.len(), 1);
    // Offsets count code points: the definition holds characters of several bytes.
    let text: Vec<char> = records[0].filing.text.chars().collect();
    for g in &q.golds {
        assert_eq!(text[g.span.start..g.span.end].iter().collect::<String>(), g.text);
    }
    assert_eq!(a.rivals[0].query, "q0");
    assert_eq!(a.rivals[0].rivals, ["b#s0"]);
    assert!(a.rivals[0].similarity[0] > 0.2 && a.rivals[0].similarity[0] < 1.0);
    assert_eq!(a.rivals[1].rivals.len(), 2, "the answer and its alternative");
    assert_eq!(a.fact_sentences[0], ("charges".to_owned(), 3));
    assert_eq!(a.rival_sentences[0], ("charges".to_owned(), 3));
}

#[test]
fn a_copy_in_another_filing_is_a_rival() {
    let r = recipe();
    let text = "We expect restructuring charges of about $9 million for this.";
    let records =
        [record(&r, "a", "Marlowe Kilns, Inc.", None, &[text]), record(&r, "b", "Tarn Optics plc", None, &[text])];
    let a = assemble(&records, &r);
    assert_eq!(
        (a.rivals[0].rivals.as_slice(), a.rivals[0].similarity.as_slice()),
        (["b#s0".to_owned()].as_slice(), [1.0].as_slice())
    );
}

#[test]
fn a_recipe_may_list_the_most_similar_rivals_only() {
    let toml = recipe().toml().replacen("[queries]", "[rivals]\nat_most = 2\n\n[queries]", 1);
    let r = Recipe::parse(&toml, "short list").unwrap();
    let near = "The Company expects to incur restructuring charges of approximately $7 million.";
    let far = "Our plan to shut two mills should cost us severance of about $9 million, all of it next spring.";
    let records = [
        record(&r, "a", "Marlowe Kilns, Inc.", None, &[CHARGE]),
        record(&r, "b", "Tarn Optics plc", None, &[far]),
        record(&r, "c", "Skerry Media N.V.", None, &[near]),
        record(&r, "d", "Ostwick Foods Corp.", None, &[near]),
    ];
    let a = assemble(&records, &r);
    assert_eq!(a.rivals[0].rivals, ["c#s0", "d#s0"], "{:?}", a.rivals[0]);
    assert_eq!(a.rivals[0].total, Some(3));
    assert!(Recipe::parse(&toml.replace("at_most = 2", "at_most = 0"), "none").is_err());
}

#[test]
fn what_cannot_be_asked_is_left_out_with_its_reason() {
    use LeftOutReason::{
        AnswerNotKept, CompanyIsAnother, NameNotUnique, NamedTotalAlternative, NoCoreferentAnswer, SeveralFilings,
    };
    let r = recipe();
    let kilns = |url, cik, s: &[&str]| record(&r, url, "Marlowe Kilns, Inc.", cik, s);
    let only_named = [kilns("a", None, &[NAMED])];
    assert_eq!(reasons(&assemble(&only_named, &r)), [("a", NoCoreferentAnswer)]);
    let both = [kilns("a", None, &[NAMED, CHARGE])];
    assert_eq!(reasons(&assemble(&both, &r)), [("a", NamedTotalAlternative)]);
    // Renamed since, and nobody told: the definition binds a name that is not the filer's.
    let renamed = [record(&r, "a", "Ostwick Foods Corp.", None, &[BINDS, CHARGE])];
    assert_eq!(reasons(&assemble(&renamed, &r)), [("a", CompanyIsAnother)]);
    let mut short = kilns("a", None, &["We will cut about 60 jobs here."]);
    short.filing.sentences[0].dropped = Some(eightk_core::DropReason::Short);
    short.findings = examine(&short.filing, &short.names, &r);
    let left = assemble(&[short], &r).left_out;
    assert_eq!((left[0].reason, left[0].detail.as_str()), (AnswerNotKept, "We will cut about 60 jobs here."));
    // With and without CIK: one company all the same.
    let twice = [kilns("a", Some("1"), &[CHARGE]), kilns("b", None, &[CHARGE])];
    assert_eq!(reasons(&assemble(&twice, &r)), [("a", SeveralFilings), ("b", SeveralFilings)]);
    let namesakes = [kilns("a", Some("1"), &[CHARGE]), kilns("b", Some("2"), &[PARTS])];
    assert_eq!(reasons(&assemble(&namesakes, &r)), [("a", NameNotUnique), ("b", NoCoreferentAnswer)]);
    for l in assemble(&namesakes, &r).left_out {
        assert!(!l.detail.is_empty(), "{l:?}");
    }
}

#[test]
fn nothing_in_nothing_out() {
    assert_eq!(assemble(&[], &recipe()).queries.len(), 0);
}

#[test]
fn a_named_total_that_is_no_chunk_gives_nothing_away() {
    let r = recipe();
    let short = "Marlowe Kilns will cut 40 jobs.";
    let of = |dropped| {
        let mut x = record(
            &r,
            "a",
            "Marlowe Kilns, Inc.",
            Some("1"),
            &[BINDS, "The Company will cut 40 jobs in all this year.", short],
        );
        x.filing.sentences[2].dropped = dropped;
        let findings = examine(&x.filing, &x.names, &r);
        let a = assemble(&[Record::new(x.filing, x.names, findings)], &r);
        (a.queries.len(), a.left_out.len())
    };
    assert_eq!(of(None), (0, 1));
    assert_eq!(of(Some(eightk_core::DropReason::Short)), (1, 0));
}
