use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use eightk_core::{Chunk, Hit, Qrels, RivalSet};
use proptest::prelude::*;

use super::toys::{Fault, Toy, Toys, words};
use super::{Plan, Planner};
use crate::testing::filings;
use crate::{Corpus, Findings, Knowledge, QueryInput, RetrieveError, SystemSpec, build, filer_names, run_system};

/// Three companies that say the same; only their first sentence and their title tell whose it is.
const SAME: &str = "The Company expects charges of four million.";

fn three() -> Vec<Chunk> {
    filings(&[
        ("Brackwater Foods", &["Brackwater sells canned beans.", SAME, "A mill closes."]),
        ("Orrin Gas", &["Orrin drills for gas.", SAME, "A rig closes."]),
        ("Tallowmere Labs", &["Tallowmere tests blood.", SAME, "A lab closes."]),
    ])
}

const QUERIES: [QueryInput<'static>; 3] = [
    QueryInput { id: "q0", text: "charges Brackwater expects" },
    QueryInput { id: "q1", text: "charges Orrin expects" },
    QueryInput { id: "q2", text: "charges Tallowmere expects" },
];

/// Query n is answered by the second sentence of filing n, bound by the first; the others' are its rivals.
fn judged() -> (Qrels, Vec<RivalSet>) {
    let (mut qrels, mut rivals) = (Qrels::default(), Vec::new());
    for n in 0..3 {
        let grades = [(format!("f{n}#s1"), 2), (format!("f{n}#s0"), 1)];
        qrels.queries.insert(format!("q{n}"), grades.into());
        rivals.push(RivalSet {
            query: format!("q{n}"),
            fact: String::new(),
            gold: format!("f{n}#s1"),
            rivals: (0..3).filter(|o| *o != n).map(|o| format!("f{o}#s1")).collect(),
            similarity: Vec::new(),
            total: None,
        });
    }
    (qrels, rivals)
}

fn run(spec: &str, toys: &Toys, k: usize) -> Result<(BTreeMap<String, Vec<Hit>>, Findings), RetrieveError> {
    let rows = three();
    let corpus = Corpus::new(&rows)?;
    let (qrels, rivals) = judged();
    let aliases =
        filer_names(&corpus, &BTreeMap::from([("f0", "Brackwater Foods"), ("f1", "Orrin"), ("f2", "Tallowmere")]));
    let knowledge = Knowledge { qrels, rivals: &rivals, aliases, ..Knowledge::default() };
    let system = build(&spec.parse()?, &corpus, &knowledge, toys)?;
    let run = run_system(&*system, &QUERIES, k)?;
    Ok((run.queries, system.findings()))
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|h| h.id.as_str()).collect()
}

#[test]
fn equal_sentences_tie_without_context_and_part_with_it() {
    let toys = Toys::new(&[Toy::Words, Toy::Late], true);
    let (bare, _) = run("dense:words", &toys, 1).unwrap();
    for query in ["q0", "q1", "q2"] {
        assert_eq!(ids(&bare[query]), ["f0#s1", "f1#s1", "f2#s1"], "{query}");
        assert_eq!(bare[query][0].score.to_bits(), bare[query][2].score.to_bits());
    }
    for view in ["title", "window:1"] {
        let (found, _) = run(&format!("dense:words,view={view}"), &toys, 3).unwrap();
        assert!(found["q1"][0].id.starts_with("f1#"), "{view}");
    }
    for spec in
        ["dense:late,view=filing", "dense:late,view=title+filing,storage=f16", "dense:late,view=filing,storage=int8"]
    {
        let (found, findings) = run(spec, &toys, 3).unwrap();
        for n in 0..3 {
            let best = &found[&format!("q{n}")][0];
            assert!(best.id.starts_with(&format!("f{n}#")), "{spec}: {best:?}");
        }
        assert!(!findings.context_free, "{findings:?}");
        assert_eq!(findings.per_query["q0"].binding_in_window, Some(true));
    }
}

#[test]
fn scores_are_cosines() {
    let toys = Toys::new(&[Toy::Words], false);
    let (found, _) = run("dense:words", &toys, 9).unwrap();
    let cosine = |a: &[f32], b: &[f32]| {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    let expected = cosine(&words(SAME), &words(QUERIES[0].text));
    let hit = found["q0"].iter().find(|h| h.id == "f2#s1").unwrap();
    assert!((hit.score - expected).abs() < 1e-12, "{} {expected}", hit.score);
}

#[test]
fn a_text_is_encoded_once_inside_the_filing_that_has_it_first() {
    let toys = Toys::new(&[Toy::Words], false);
    let (_, findings) = run("dense:words", &toys, 3).unwrap();
    let mut handed = toys.one().handed.lock().unwrap().clone();
    handed.sort();
    let of = |n: &str, chunks| (n.to_owned(), chunks, false);
    assert_eq!(handed, [of("f0", 3), of("f1", 2), of("f2", 2)]);
    // Seven texts and three queries.
    assert_eq!((findings.encoded, findings.cached), (10, 0));
    assert_eq!((findings.requests, findings.tokens), (2, 70));
}

#[test]
fn a_second_run_encodes_nothing() {
    let toys = Toys::new(&[Toy::Late], true);
    let specs = [
        "dense:late",
        "dense:late,view=title",
        "dense:late,view=title+filing",
        "dense:late,view=filing,control=swap",
        "dense:late,view=filing,control=filing-shuffled",
        "dense:late,view=filing,control=filing-wrong:2",
    ];
    let first: Vec<_> = specs.iter().map(|spec| run(spec, &toys, 3).unwrap()).collect();
    assert!(first[3].1.encoded > 0 && first[0].1.cached == 0);
    // One probe and one set of queries serve all.
    assert_eq!(first[1].1.cached, 3);
    let calls = toys.one().calls.load(Ordering::Relaxed);
    assert!(calls > 0);
    for (spec, (hits, findings)) in specs.iter().zip(&first) {
        let (again, told) = run(spec, &toys, 3).unwrap();
        assert_eq!(again, *hits, "{spec}");
        assert_eq!((told.encoded, told.requests, told.tokens), (0, 0, 0), "{spec}");
        assert_eq!(told.cached, findings.encoded + findings.cached, "{spec}");
        assert_eq!(told.per_query, findings.per_query, "{spec}");
    }
    assert_eq!(toys.one().calls.load(Ordering::Relaxed), calls);
}

#[test]
fn what_was_finished_before_a_failure_is_kept() {
    let toys = Toys::new(&[Toy::Late], true);
    toys.one().fails_after.store(4, Ordering::Relaxed);
    let error = run("dense:late,view=filing", &toys, 3).unwrap_err();
    assert!(error.to_string().contains("broken"), "{error}");
    // Two probes and two filings of three chunks, each put away on its own.
    let store = toys.store.as_ref().unwrap();
    assert_eq!(*store.puts.lock().unwrap(), [3, 3, 3, 3]);
    toys.one().fails_after.store(usize::MAX, Ordering::Relaxed);
    let (_, findings) = run("dense:late,view=filing", &toys, 3).unwrap();
    assert_eq!((findings.encoded, findings.cached), (3 + 3, 12));
}

#[test]
fn a_damaged_entry_is_made_anew_with_its_filing() {
    let toys = Toys::new(&[Toy::Late], true);
    let (hits, _) = run("dense:late,view=filing", &toys, 3).unwrap();
    let store = toys.store.as_ref().unwrap();
    for stored in store.entries.lock().unwrap().values_mut().take(1) {
        stored.vector = eightk_encode::Vector::F32(vec![f32::NAN; 64]);
    }
    let before = store.entries.lock().unwrap().len();
    let (again, findings) = run("dense:late,view=filing", &toys, 3).unwrap();
    assert_eq!(again, hits);
    assert!(findings.encoded == 3 || findings.encoded == 1, "{findings:?}");
    assert_eq!(store.entries.lock().unwrap().len(), before);
}

#[test]
fn a_view_of_the_filing_needs_an_encoder_that_sees_it() {
    let toys = Toys::new(&[Toy::Words], true);
    let error = run("dense:words,view=title+filing", &toys, 3).unwrap_err();
    assert!(matches!(error, RetrieveError::NoContext { .. }), "{error}");
    assert!(error.to_string().contains("window:N"), "{error}");
    assert_eq!(toys.one().calls.load(Ordering::Relaxed), 0);
}

#[test]
fn an_encoder_that_ignores_its_context_is_found_out() {
    let toys = Toys::new(&[Toy::Deaf], true);
    let (found, findings) = run("dense:deaf,view=filing", &toys, 1).unwrap();
    assert!(findings.context_free, "{findings:?}");
    assert!(findings.notes[0].contains("context-free"), "{findings:?}");
    assert_eq!(found["q0"].len(), 3);
    let (_, findings) = run("dense:deaf", &toys, 1).unwrap();
    assert!(!findings.context_free && findings.notes.is_empty(), "nobody claimed anything: {findings:?}");
}

#[test]
fn vectors_made_elsewhere_go_by_id_and_their_twins_tell_of_context() {
    for (toy, context_free, says) in [(Toy::ById(true), true, "all 2 pairs"), (Toy::ById(false), false, "2 of 2 pairs")]
    {
        let toys = Toys::new(&[toy], true);
        let name = toys.one();
        let spec = format!("vectors:{},view=filing", eightk_encode::Encoder::identity(name).model);
        let (_, findings) = run(&spec, &toys, 1).unwrap();
        assert_eq!(findings.context_free, context_free, "{findings:?}");
        assert!(findings.notes[0].contains(says), "{findings:?}");
        // Every chunk is asked for, without a context, and nothing is put into the store.
        assert_eq!(toys.one().chunks.load(Ordering::Relaxed), 9);
        assert!(toys.one().handed.lock().unwrap().iter().all(|(_, chunks, context)| *chunks == 3 && !context));
        assert!(toys.store.as_ref().unwrap().entries.lock().unwrap().is_empty());
    }
}

#[test]
fn whatever_an_encoder_does_wrong_is_an_error() {
    for (fault, says) in [
        (Fault::OneTooFew, "1 vectors came back for the 2 chunks of f2"),
        (Fault::OneTooMany, "3 vectors"),
        (Fault::NotANumber, "holds NaN at position 3"),
        (Fault::Zeros, "all zeros"),
        (Fault::OtherSize, "9 dimensions"),
        (Fault::Skips, "0 vectors came back for the 2 chunks of f1"),
        (Fault::Twice, "twice"),
        (Fault::OutOfRange, "filing 3 of 3"),
        (Fault::QueryOfOtherSize, "charges"),
        (Fault::NoQueries, "0 vectors came back for the 3 chunks of the queries"),
        (Fault::Dies, "died"),
    ] {
        let toys = Toys::new(&[Toy::Faulty(fault)], true);
        let spec = format!("dense:faulty\\({}\\)", format!("{fault:?}").to_lowercase());
        let error = run(&spec, &toys, 3).unwrap_err().to_string();
        assert!(error.contains(says), "{fault:?}: {error}");
    }
}

#[test]
fn truncation_is_counted_by_chunk_and_query() {
    let rows = filings(&[("A", &["An endless tale.", "Short."]), ("B", &["An endless tale.", "Brief."])]);
    let corpus = Corpus::new(&rows).unwrap();
    let toys = Toys::new(&[Toy::Words], false);
    let system = build(&"dense:words".parse().unwrap(), &corpus, &Knowledge::default(), &toys).unwrap();
    assert_eq!(system.findings().truncated_inputs, 2, "one text, two chunks");
    let query = QueryInput { id: "q0", text: "an endless question" };
    for _ in 0..2 {
        system.search(&query, 1).unwrap();
    }
    assert_eq!(system.findings().truncated_inputs, 3);
}

#[test]
fn swap_is_followed_by_who_sees_context() {
    let toys = Toys::new(&[Toy::Late, Toy::Words], true);
    let (found, findings) = run("dense:late,view=filing,control=swap", &toys, 9).unwrap();
    // Equal texts: who stands in the filing of the query's company now scores as the answer did.
    let place = |id: &str| found["q0"].iter().position(|h| h.id == id).unwrap();
    assert!(place("f1#s1") < place("f0#s1"), "{:?}", found["q0"]);
    assert_eq!(findings.per_query["q0"].swapped_with.as_deref(), Some("f1#s1"));
    assert_eq!(findings.per_query["q0"].binding_in_window, None);
    let (found, _) = run("dense:words,view=title,control=swap", &toys, 3).unwrap();
    assert_eq!(found["q2"][0].id, "f0#s1");
    let (plain, _) = run("dense:words,view=title", &toys, 3).unwrap();
    assert_eq!(plain["q2"][0].id, "f2#s1");
    assert_eq!(plain["q2"][0].score.to_bits(), found["q2"][0].score.to_bits());
}

#[test]
fn what_was_outside_of_the_window_is_recorded() {
    let toys = Toys::new(&[Toy::Window(8)], true);
    let (_, findings) = run("dense:window\\(8\\),view=filing", &toys, 3).unwrap();
    assert_eq!(findings.per_query["q0"].binding_in_window, Some(false));
    let toys = Toys::new(&[Toy::Window(100)], true);
    let (_, findings) = run("dense:window\\(100\\),view=filing", &toys, 3).unwrap();
    assert_eq!(findings.per_query["q0"].binding_in_window, Some(true));
}

#[test]
fn the_description_holds_all_that_could_change_a_score() {
    let rows = three();
    let corpus = Corpus::new(&rows).unwrap();
    let toys = Toys::new(&[Toy::Late], false);
    let spec: SystemSpec = "dense:late,view=filing,control=filing-shuffled,as=mixed".parse().unwrap();
    let system = build(&spec, &corpus, &Knowledge::default(), &toys).unwrap();
    let description = system.description();
    assert_eq!((description.name.as_str(), description.scorer.as_str()), ("mixed", "dense"));
    assert_eq!(description.view.as_deref(), Some("filing"));
    for (setting, value) in [
        ("spec", "dense:late,view=filing,control=filing-shuffled,as=mixed"),
        ("control", "filing-shuffled"),
        ("storage", "f32"),
        ("model", "late"),
        ("query_prompt", "ask "),
        ("pooling", "sum"),
        ("similarity", "cosine"),
    ] {
        assert_eq!(description.settings[setting], value, "{setting}");
    }
    assert!(description.summary.contains("late") && description.summary.contains("filing-shuffled"));
}

fn plans(specs: &[&str], toys: &Toys) -> Vec<Plan> {
    let rows = three();
    let corpus = Corpus::new(&rows).unwrap();
    let (qrels, rivals) = judged();
    let knowledge = Knowledge { qrels, rivals: &rivals, ..Knowledge::default() };
    let mut planner = Planner::new(&corpus, &knowledge, &QUERIES, toys);
    specs.iter().map(|spec| planner.plan(&spec.parse().unwrap()).unwrap()).collect()
}

#[test]
fn a_plan_says_what_a_run_will_do_and_does_nothing() {
    let specs = [
        "dense:late",
        "dense:late,view=filing",
        "dense:late,view=filing,control=swap",
        "dense:late,view=title",
        "oracle",
    ];
    let toys = Toys::new(&[Toy::Late], true);
    let planned = plans(&specs, &toys);
    assert_eq!(toys.one().calls.load(Ordering::Relaxed), 0);
    for (spec, plan) in specs.iter().zip(&planned) {
        let (_, findings) = run(spec, &toys, 3).unwrap_or_default();
        assert_eq!(plan.vectors - plan.stored, findings.encoded, "{spec}: {plan:?}");
        assert_eq!(plan.stored, findings.cached, "{spec}: {plan:?}");
    }
    assert!(planned[0].estimate.tokens > 0 && planned[4] == Plan::default());
    let after = plans(&specs, &toys);
    for plan in &after {
        assert_eq!((plan.vectors, plan.estimate), (plan.stored, eightk_encode::Estimate::default()));
    }
    // Without a store nothing passes from one system to the next.
    let toys = Toys::new(&[Toy::Late], false);
    let twice = plans(&["dense:late", "dense:late"], &toys);
    assert_eq!(twice[0], twice[1]);
    assert_eq!(twice[0].stored, 0);
}

#[test]
fn a_plan_of_several_systems_is_their_sum() {
    let toys = Toys::new(&[Toy::Late], true);
    let [whole] = &plans(&["rrf(dense:late; dense:late,view=title; bm25)"], &toys)[..] else { panic!() };
    let parts = plans(&["dense:late", "dense:late,view=title"], &toys);
    assert_eq!(whole.vectors, parts[0].vectors + parts[1].vectors);
    assert_eq!(whole.estimate.tokens, parts[0].estimate.tokens + parts[1].estimate.tokens);
    let reranked = &plans(&["rerank(bm25; jina:x,price=1; n=4)"], &toys)[0].estimate;
    assert_eq!(reranked.requests, 3);
    assert!((reranked.dollars.unwrap() - reranked.tokens as f64 / 1e6).abs() < 1e-12);
}

/// Every chunk encoded alone, every cosine, sorted.
fn naive(rows: &[Chunk], query: &str) -> Vec<(String, f64)> {
    let vector = |text: &str| words(text).into_iter().map(f64::from).collect::<Vec<_>>();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let query = vector(query);
    let mut all: Vec<(String, f64)> = rows
        .iter()
        .map(|row| {
            let chunk = vector(&row.text);
            (row.id.clone(), dot(&chunk, &query) / (dot(&chunk, &chunk) * dot(&query, &query)).sqrt())
        })
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Deduplication, groups, store and index against the long way round.
    #[test]
    fn agrees_with_encoding_everything(
        texts in prop::collection::vec(prop::collection::vec("[ab] [cd] [ef]", 1..4), 1..6), store: bool, query in "[a-f] [a-f]",
    ) {
        let texts: Vec<Vec<&str>> = texts.iter().map(|f| f.iter().map(String::as_str).collect()).collect();
        let given: Vec<(&str, &[&str])> = texts.iter().map(|f| ("", f.as_slice())).collect();
        let rows = filings(&given);
        let corpus = Corpus::new(&rows).unwrap();
        let toys = Toys::new(&[Toy::Words], store);
        let expected = naive(&rows, &query);
        for _ in 0..2 {
            let system = build(&"dense:words".parse().unwrap(), &corpus, &Knowledge::default(), &toys).unwrap();
            let found = system.search(&QueryInput { id: "q", text: &query }, rows.len()).unwrap();
            prop_assert_eq!(found.len(), rows.len());
            for hit in &found {
                let (_, score) = expected.iter().find(|(id, _)| *id == hit.id).unwrap();
                prop_assert!((hit.score - score).abs() < 1e-12);
            }
            // Equal texts score alike to the last bit.
            for (a, b) in found.iter().zip(found.iter().skip(1)) {
                let text = |id: &str| &rows.iter().find(|r| r.id == id).unwrap().text;
                prop_assert!(text(&a.id) != text(&b.id) || a.score.to_bits() == b.score.to_bits());
            }
        }
        let distinct: std::collections::BTreeSet<&str> = rows.iter().map(|r| r.text.as_str()).collect();
        let runs = if store { 1 } else { 2 };
        prop_assert_eq!(toys.one().chunks.load(Ordering::Relaxed), runs * distinct.len());
    }
}

#[test]
fn many_groups_make_one_index() {
    // More chunks than a group holds, every third text again in a later group.
    let texts: Vec<String> = (0..5000).map(|i| format!("word{} word{}", i % 3000, i % 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let given: Vec<(&str, &[&str])> = texts.chunks(10).map(|f| ("", f)).collect();
    let rows = filings(&given);
    let corpus = Corpus::new(&rows).unwrap();
    let toys = Toys::new(&[Toy::Words], true);
    let spec: SystemSpec = "dense:words".parse().unwrap();
    let system = build(&spec, &corpus, &Knowledge::default(), &toys).unwrap();
    assert_eq!(toys.one().calls.load(Ordering::Relaxed), 2);
    let query = QueryInput { id: "q", text: texts[4999] };
    let found = system.search(&query, 1).unwrap();
    assert!(found.iter().any(|hit| hit.id == rows[4999].id) && found[0].score > 0.9999, "{found:?}");
}

#[test]
fn systems_of_systems_run_and_tell_of_their_parts() {
    let toys = Toys::new(&[Toy::Late, Toy::Words], true);
    for spec in [
        "rrf(bm25:title; dense:late,view=filing)",
        "sum(0.5*dense:words,view=title; 0.5*dense:late,view=filing)",
        "rerank(dense:late,view=filing; jina:any; view=title)",
        "rrf(rerank(bm25; jina:any; n=2); dense:words,view=title; k=1)",
    ] {
        let (found, findings) = run(spec, &toys, 3).unwrap();
        assert!(found["q1"][0].id.starts_with("f1#"), "{spec}: {:?}", found["q1"]);
        assert!(findings.encoded + findings.cached > 0, "{spec}: {findings:?}");
    }
    // The second filing system took from the store what the first had put there.
    let (_, findings) = run("rrf(dense:late,view=filing; dense:words,view=title)", &toys, 3).unwrap();
    assert_eq!(findings.encoded, 0);
}

#[test]
fn bm25_is_controlled_by_what_it_is_shown() {
    let toys = Toys::new(&[], false);
    let (plain, _) = run("bm25:title", &toys, 3).unwrap();
    assert_eq!(ids(&plain["q1"])[0], "f1#s1");
    let (wrong, _) = run("bm25:title,control=filing-wrong", &toys, 3).unwrap();
    assert_ne!(wrong["q1"][0].id, "f1#s1", "the answer stands under another company's title");
    let rows = three();
    let corpus = Corpus::new(&rows).unwrap();
    let spec: SystemSpec = "bm25:title,control=filing-wrong:3".parse().unwrap();
    let system = build(&spec, &corpus, &Knowledge::default(), &toys).unwrap();
    let description = system.description();
    assert_eq!(
        (description.name.as_str(), description.settings["control"].as_str()),
        ("bm25:title/filing-wrong:3", "filing-wrong:3")
    );
    let masked: SystemSpec = "bm25:title,control=masked".parse().unwrap();
    let error = build(&masked, &corpus, &Knowledge::default(), &toys).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("names of the filers"), "{error}");
}

#[test]
fn without_its_binding_sentence_nothing_tells_whose_an_answer_is() {
    let toys = Toys::new(&[Toy::Late], true);
    let (whole, findings) = run("dense:late,view=filing", &toys, 9).unwrap();
    assert_eq!(findings.per_query["q1"].binding_in_window, Some(true));
    let score = |hits: &[Hit], id: &str| hits.iter().find(|h| h.id == id).unwrap().score;
    for control in ["minus-binding", "masked"] {
        let (found, findings) = run(&format!("dense:late,view=filing,control={control}"), &toys, 9).unwrap();
        assert_eq!(findings.per_query["q1"].binding_in_window, Some(false), "{control}");
        let gap = |hits: &[Hit]| score(hits, "f1#s1") - score(hits, "f2#s1");
        assert!(gap(&found["q1"]) < gap(&whole["q1"]), "{control}: {} {}", gap(&found["q1"]), gap(&whole["q1"]));
    }
}

#[test]
fn a_store_that_cannot_keep_ends_the_run() {
    let toys = Toys::new(&[Toy::Late], true);
    toys.store.as_ref().unwrap().full.store(true, Ordering::Relaxed);
    let error = run("dense:late", &toys, 3).unwrap_err().to_string();
    assert!(error.contains("vectors.db") && error.contains("no space"), "{error}");
    assert_eq!(toys.one().handed.lock().unwrap().len(), 1, "nothing more is made that would be lost");
}
