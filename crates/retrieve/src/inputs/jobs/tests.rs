use std::collections::BTreeMap;

use super::*;
use crate::filer_names;
use crate::testing::filings;
use eightk_core::{CharSpan, Chunk};
use proptest::prelude::*;

fn three() -> Vec<Chunk> {
    filings(&[("Alder 8-K", &["a0", "a1", "a2"]), ("Birch 8-K", &["b0"]), ("Cedar 8-K", &["c0", "c1"])])
}

fn made<'s>(corpus: &'s Corpus<'_>, view: &str, control: Option<&str>, knowledge: &'s Knowledge<'_>) -> Vec<Job<'s>> {
    let control = control.map(|c| c.parse::<Control>().unwrap());
    filing_inputs(corpus, &view.parse().unwrap(), control.as_ref(), knowledge).unwrap().jobs().collect()
}

/// Everything a job shows: per chunk its text, and the context.
fn shown(jobs: &[Job<'_>]) -> Vec<(Vec<String>, String)> {
    let texts = |j: &Job<'_>| j.input.chunks.iter().map(|c| c.text.to_string()).collect();
    jobs.iter().map(|j| (texts(j), j.input.context.as_ref().map_or(String::new(), |c| c.text().to_owned()))).collect()
}

/// Each chunk of a context stands where the context says it does.
fn check_places(jobs: &[Job<'_>]) {
    for job in jobs {
        assert_eq!(job.positions.len(), job.input.chunks.len());
        if let Some(context) = &job.input.context {
            for (i, chunk) in job.input.chunks.iter().enumerate() {
                assert_eq!(context.span_of(i).unwrap().of(context.text()), chunk.text);
            }
            let marked = context.passages().iter().filter(|p| p.chunk.is_some()).count();
            assert_eq!(marked, job.input.chunks.len(), "each once");
        }
    }
}

fn positions(jobs: &[Job<'_>]) -> Vec<u32> {
    let mut all: Vec<u32> = jobs.iter().flat_map(|j| j.positions.clone()).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_text_for_each_chunk_or_one_context_for_all() {
    let rows = three();
    let corpus = Corpus::new(&rows).unwrap();
    let knowledge = Knowledge::default();
    let jobs = made(&corpus, "title", None, &knowledge);
    assert_eq!(shown(&jobs)[1], (vec!["Birch 8-K b0".to_owned()], String::new()));
    assert!(jobs[0].input.title.is_empty() && jobs[0].input.context.is_none());
    let jobs = made(&corpus, "title+filing", None, &knowledge);
    let own = ["a0", "a1", "a2"].map(str::to_owned).to_vec();
    assert_eq!(shown(&jobs)[0], (own, "Alder 8-K a0 a1 a2".to_owned()));
    assert_eq!((jobs[2].input.title, jobs[2].positions.as_slice()), ("Cedar 8-K", [4, 5].as_slice()));
    check_places(&jobs);
    assert_eq!(made(&corpus, "filing", Some("swap"), &knowledge), made(&corpus, "filing", None, &knowledge));
}

#[test]
fn the_narrative_is_seen_with_all_between() {
    let mut rows = filings(&[("Alder", &["Öl one.", "Two."]), ("Birch", &["Three."]), ("Cedar", &["Four."])]);
    let text = "Item 1\n\nÖl one.  (Note.) Two.\n\nEnd";
    (rows[0].span, rows[1].span) = (CharSpan::new(8, 15), CharSpan::new(25, 29));
    let texts = BTreeMap::from([("f0", text), ("f1", "Threw.")]);
    let corpus = Corpus::new(&rows).unwrap().with_texts(&texts);
    let knowledge = Knowledge::default();
    let inputs = filing_inputs(&corpus, &"title+filing:text".parse().unwrap(), None, &knowledge).unwrap();
    let jobs: Vec<_> = inputs.jobs().collect();
    check_places(&jobs);
    assert_eq!(shown(&jobs)[0].1, format!("Alder {text}"));
    assert_eq!([1, 2].map(|n| shown(&jobs)[n].1.clone()), ["Birch Three.", "Cedar Four."]);
    let notes = inputs.notes().join("\n");
    assert!(notes.contains("1 of 3 filings is not known") && notes.contains("1 of 3 filings does not hold"), "{notes}");
    let seen = jobs[0].input.context.as_ref().unwrap().passages().iter().filter(|p| p.chunk.is_none()).count();
    assert_eq!(seen, 4, "title, heading, note, end");
}

#[test]
fn what_cannot_be_had_is_refused() {
    let rows = filings(&[("", &["a"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let knowledge = Knowledge::default();
    let refused = |view: &str, control: Option<&str>| {
        let control = control.map(|c| c.parse::<Control>().unwrap());
        filing_inputs(&corpus, &view.parse().unwrap(), control.as_ref(), &knowledge).unwrap_err().to_string()
    };
    assert!(refused("title", None).contains("needs titles"));
    assert!(refused("bare", Some("masked")).contains("bare chunk"));
    assert!(refused("filing", Some("masked")).contains("names of the filers"));
    assert!(refused("filing", Some("filing-wrong")).contains("second filing"));
}

/// What is known of filings whose titles begin with a name, and a context for every second chunk.
fn known<'k>(corpus: &Corpus<'_>) -> Knowledge<'k> {
    let second = corpus.chunks().iter().step_by(2).map(|c| (c.id.clone(), format!("p{}", c.id)));
    let prefixes = BTreeMap::from([("p.jsonl".to_owned(), second.collect())]);
    Knowledge { aliases: filer_names(corpus, &BTreeMap::new()), prefixes, ..Knowledge::default() }
}

fn named() -> Vec<Chunk> {
    filings(&[
        (
            "Tarwick Mills 8-K 2024-05-02",
            &["We met.", "Tarwick Mills, Inc. (the “Company”) met.", "It met.", "Tarwick’s met."],
        ),
        ("Norland 8-K 2024-05-03", &["Norland and Tarwick."]),
    ])
}

#[test]
fn names_go_from_around_a_chunk_and_stay_in_it() {
    let rows = named();
    let corpus = Corpus::new(&rows).unwrap();
    let knowledge = known(&corpus);
    let alone = |view, control| shown(&made(&corpus, view, Some(control), &knowledge))[0].0.clone();
    let own = ["We met.", "Tarwick Mills, Inc. (the “Company”) met.", "It met.", "Tarwick’s met."];
    assert_eq!(alone("title", "masked"), own.map(|c| format!("8-K 2024-05-02 {c}")));
    assert_eq!(alone("title", "minus-binding"), own);
    assert_eq!(
        alone("lead", "masked")[2..],
        ["We met. (the “Company”) met. It met.", "We met. (the “Company”) met. Tarwick’s met."]
    );
    assert_eq!(alone("lead", "minus-binding")[2..], ["We met. It met.", "We met. Tarwick’s met."]);
    assert_eq!(alone("window:1", "minus-binding")[2], "It met.");
    let whole = |control| {
        let jobs = made(&corpus, "title+filing", Some(control), &knowledge);
        check_places(&jobs);
        assert_eq!(positions(&jobs), [0, 1, 2, 3, 4]);
        assert!(jobs.iter().all(|j| ["8-K 2024-05-02", "8-K 2024-05-03", ""].contains(&j.input.title)));
        shown(&jobs).into_iter().map(|(_, context)| context).collect::<Vec<_>>()
    };
    assert_eq!(
        whole("masked"),
        [
            "8-K 2024-05-02 We met. (the “Company”) met. It met. met.",
            "8-K 2024-05-02 We met. Tarwick Mills, Inc. (the “Company”) met. It met. met.",
            "8-K 2024-05-02 We met. (the “Company”) met. It met. Tarwick’s met.",
            "8-K 2024-05-03 Norland and Tarwick.",
        ]
    );
    assert_eq!(
        whole("minus-binding"),
        [
            "We met. It met.",
            "We met. Tarwick Mills, Inc. (the “Company”) met. It met.",
            "We met. It met. Tarwick’s met.",
            "Norland and Tarwick.",
        ]
    );
}

#[test]
fn sentences_between_chunks_go_one_by_one() {
    let mut rows = filings(&[("Tarwick 8-K 2024-05-02", &["We met.", "It met."])]);
    let text = "Tarwick\n\nWe met.\n\nThe board of Tarwick sat down. Nobody else did. It met.";
    (rows[0].span, rows[1].span) = (CharSpan::new(9, 16), CharSpan::new(66, 73));
    let corpus = Corpus::new(&rows).unwrap().with_texts(&BTreeMap::from([("f0", text)]));
    let knowledge = known(&corpus);
    let context = |control| {
        let jobs = made(&corpus, "title+filing:text", Some(control), &knowledge);
        check_places(&jobs);
        shown(&jobs)[0].1.clone()
    };
    assert_eq!(context("minus-binding"), "We met. Nobody else did. It met.");
    assert_eq!(context("masked"), "8-K 2024-05-02\n\nWe met.\n\nThe board of sat down. Nobody else did. It met.");
    assert_eq!(context("swap"), format!("Tarwick 8-K 2024-05-02 {text}"));
}

#[test]
fn contexts_made_elsewhere_stand_before_their_chunks() {
    let rows = three();
    let corpus = Corpus::new(&rows).unwrap();
    let knowledge = known(&corpus);
    let view = "title+prefix:p.jsonl".parse().unwrap();
    let inputs = filing_inputs(&corpus, &view, None, &knowledge).unwrap();
    assert_eq!(
        shown(&inputs.jobs().collect::<Vec<_>>())[0].0,
        ["Alder 8-K pf0#s0 a0", "Alder 8-K a1", "Alder 8-K pf0#s2 a2"]
    );
    assert!(inputs.notes()[0].contains("3 of 6 chunks"), "{:?}", inputs.notes());
    let jobs = made(&corpus, "title+prefix:p.jsonl+filing", None, &knowledge);
    check_places(&jobs);
    assert_eq!(shown(&jobs)[0].1, "Alder 8-K pf0#s0 a0 a1 pf0#s2 a2");
    let jobs = made(&corpus, "prefix:p.jsonl+filing", Some("filing-shuffled:3"), &knowledge);
    assert!(shown(&jobs)[0].1.contains("pf0#s0 a0") && shown(&jobs)[0].1.contains("pf0#s2 a2"));
    let refused = |file: &str, prefixes: BTreeMap<String, String>| {
        let view = "prefix:x".parse().unwrap();
        let prefixes = BTreeMap::from([(file.to_owned(), prefixes)]);
        let knowledge = Knowledge { prefixes, ..Knowledge::default() };
        filing_inputs(&corpus, &view, None, &knowledge).unwrap_err().to_string()
    };
    assert!(refused("y", BTreeMap::new()).contains("has not been read"));
    assert!(refused("x", BTreeMap::from([("gone".into(), "p".into())])).contains("no context belongs"));
}

/// Sentences of a filing in which some name the filer.
fn some_filings() -> impl Strategy<Value = Vec<Chunk>> {
    prop::collection::vec(prop::collection::vec(0usize..4, 1..9), 2..6).prop_map(|filings| {
        let chunks = filings.iter().enumerate().flat_map(|(f, kinds)| {
            let name = ["Tarwick", "Norland", "Ostrova", "Kelmar", "Brackwater"][f];
            kinds.iter().enumerate().map(move |(i, kind)| {
                let text = match kind {
                    0 => format!("{name} told f{f}c{i}."),
                    1 => format!("By {name}’s plan, f{f}c{i}."),
                    _ => format!("We told f{f}c{i}."),
                };
                crate::testing::chunk(&format!("f{f}"), &format!("{name} 8-K 2024-05-02"), i, &text)
            })
        });
        chunks.collect()
    })
}

/// The words that tell which sentences are in view.
fn marks(text: &str) -> Vec<&str> {
    text.split(' ').map(|w| w.trim_end_matches('.')).filter(|w| w.starts_with('f') && w.contains('c')).collect()
}

proptest! {
    #[test]
    fn every_chunk_is_encoded_once(
        rows in some_filings(), seed: u64,
        view in prop::sample::select(vec![
            "bare", "title", "lead+window:1", "filing", "title+filing", "filing:text", "prefix:p.jsonl", "title+prefix:p.jsonl+filing",
        ]),
        control in prop::sample::select(vec!["none", "swap", "masked", "minus-binding", "filing-wrong", "filing-shuffled"]),
    ) {
        let corpus = Corpus::new(&rows).unwrap();
        let view: View = view.parse().unwrap();
        let control = match control {
            "none" => None,
            "filing-wrong" => Some(Control::FilingWrong { seed }),
            "filing-shuffled" => Some(Control::FilingShuffled { seed }),
            other => Some(other.parse().unwrap()),
        }.filter(|c: &Control| c.check(&view).is_ok());
        let knowledge = known(&corpus);
        let inputs = filing_inputs(&corpus, &view, control.as_ref(), &knowledge).unwrap();
        let jobs: Vec<_> = inputs.jobs().collect();
        check_places(&jobs);
        prop_assert_eq!(positions(&jobs), (0..u32::try_from(rows.len()).unwrap()).collect::<Vec<_>>());
        for job in &jobs {
            let context = job.input.context.as_ref().map_or("", |c| c.text());
            let own = job.input.chunks[0].id.split('#').next().unwrap();
            let filing = corpus.filings().find(|f| f.source_url == own).unwrap();
            let all: Vec<&str> = filing.chunks.iter().flat_map(|c| marks(&c.text)).collect();
            for (chunk, position) in job.input.chunks.iter().zip(&job.positions) {
                prop_assert_eq!(chunk.id, corpus.id(*position));
                let raw = corpus.chunks()[*position as usize].text.as_str();
                prop_assert!(chunk.text.ends_with(raw) || view.sees_neighbours());
                let names = &knowledge.aliases[own];
                if matches!(control, Some(Control::Masked | Control::MinusBinding)) {
                    // Take the chunk itself out of what is seen: nothing that is left names the filer.
                    let seen = if context.is_empty() { &*chunk.text } else { context };
                    let around = seen.replacen(raw, "", 1);
                    prop_assert!(names.mention(&around).is_none(), "{} in {}", raw, seen);
                }
            }
            let mut sorted = marks(context);
            sorted.sort_unstable();
            match control {
                Some(Control::FilingWrong { .. }) => {
                    prop_assert_ne!(job.input.source_url, own);
                    if view.sees_filing() {
                        let host = corpus.filings().find(|f| f.source_url == job.input.source_url).unwrap();
                        let mut expected: Vec<&str> = host.chunks.iter().flat_map(|c| marks(&c.text)).collect();
                        expected.extend(marks(&job.input.chunks[0].text));
                        expected.sort_unstable();
                        prop_assert_eq!(sorted, expected);
                    }
                }
                Some(Control::FilingShuffled { .. }) => {
                    prop_assert_eq!(sorted, all);
                    prop_assert!(!view.sees_title() || context.starts_with(filing.title));
                }
                Some(Control::MinusBinding) => {}
                _ if view.sees_filing() => prop_assert_eq!(marks(context), all),
                _ => prop_assert_eq!(job.input.source_url, own),
            }
        }
        prop_assert_eq!(jobs, inputs.jobs().collect::<Vec<_>>());
    }

    #[test]
    fn a_narrative_that_is_not_changed_is_seen_whole(pieces in prop::collection::vec("[A-Za-zé.()“” \n]{0,12}", 1..8), title: bool) {
        // Chunks at odd places, whatever else between them.
        let (mut text, mut rows) = (String::new(), Vec::new());
        for (i, piece) in pieces.iter().enumerate() {
            text.push_str(piece);
            let own = format!("c{i}é");
            let start = text.chars().count();
            text.push_str(&own);
            let mut chunk = crate::testing::chunk("f", "Head", i, &own);
            chunk.span = CharSpan::new(start, start + 3);
            rows.push(chunk);
        }
        text.push_str(" end");
        let corpus = Corpus::new(&rows).unwrap().with_texts(&BTreeMap::from([("f", text.as_str())]));
        let view: View = if title { "title+filing:text" } else { "filing:text" }.parse().unwrap();
        let knowledge = Knowledge::default();
        let inputs = filing_inputs(&corpus, &view, None, &knowledge).unwrap();
        prop_assert!(inputs.notes().is_empty());
        let jobs: Vec<_> = inputs.jobs().collect();
        check_places(&jobs);
        let seen = jobs[0].input.context.as_ref().unwrap().text();
        if title {
            prop_assert_eq!(seen.strip_prefix("Head").unwrap().trim_start(), text.trim_start());
        } else {
            prop_assert_eq!(seen, text.trim_start());
        }
    }
}

#[test]
fn a_seed_is_one_order_and_rows_in_another_order_change_nothing() {
    let mut rows = filings(&[("A", &["0", "1", "2", "3", "4", "5"]), ("B", &["6", "7"]), ("C", &["8"])]);
    let made = |rows: &[Chunk], control: &str| {
        let corpus = Corpus::new(rows).unwrap();
        shown(&made(&corpus, "filing", Some(control), &Knowledge::default()))
    };
    let before = ["filing-shuffled", "filing-shuffled:1", "filing-wrong", "filing-wrong:5"].map(|c| made(&rows, c));
    assert_ne!(before[0], before[1]);
    rows.reverse();
    let after = ["filing-shuffled", "filing-shuffled:1", "filing-wrong", "filing-wrong:5"].map(|c| made(&rows, c));
    assert_eq!(before, after);
}
