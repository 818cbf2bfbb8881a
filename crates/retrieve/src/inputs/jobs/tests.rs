use std::collections::BTreeMap;

use super::*;
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

proptest! {
    #[test]
    fn every_chunk_is_encoded_once(
        sizes in prop::collection::vec(1usize..9, 2..6), seed: u64,
        view in prop::sample::select(vec!["bare", "title", "lead+window:1", "filing", "title+filing", "filing:text"]),
        control in prop::sample::select(vec!["none", "swap", "filing-wrong", "filing-shuffled"]),
    ) {
        let texts: Vec<Vec<String>> =
            sizes.iter().enumerate().map(|(f, n)| (0..*n).map(|i| format!("f{f}c{i}")).collect()).collect();
        let refs: Vec<Vec<&str>> = texts.iter().map(|t| t.iter().map(String::as_str).collect()).collect();
        let given: Vec<(&str, &[&str])> = refs.iter().map(|r| ("T 8-K", r.as_slice())).collect();
        let rows = filings(&given);
        let corpus = Corpus::new(&rows).unwrap();
        let view: View = view.parse().unwrap();
        let control = match control {
            "none" => None,
            "swap" => Some(Control::Swap),
            "filing-wrong" => Some(Control::FilingWrong { seed }),
            _ => Some(Control::FilingShuffled { seed }),
        }.filter(|c| c.check(&view).is_ok());
        let knowledge = Knowledge::default();
        let inputs = filing_inputs(&corpus, &view, control.as_ref(), &knowledge).unwrap();
        let jobs: Vec<_> = inputs.jobs().collect();
        check_places(&jobs);
        prop_assert_eq!(positions(&jobs), (0..u32::try_from(rows.len()).unwrap()).collect::<Vec<_>>());
        for job in &jobs {
            for (chunk, position) in job.input.chunks.iter().zip(&job.positions) {
                prop_assert_eq!(chunk.id, corpus.id(*position));
            }
            let context = job.input.context.as_ref().map_or("", |c| c.text());
            let own = job.input.chunks[0].id.split('#').next().unwrap();
            match control {
                Some(Control::FilingWrong { .. }) => {
                    prop_assert_ne!(job.input.source_url, own);
                    if view.sees_filing() {
                        let host = corpus.filings().find(|f| f.source_url == job.input.source_url).unwrap();
                        let seen = context.split(' ').filter(|w| w.contains('c')).count();
                        prop_assert_eq!(seen, host.chunks.len() + 1);
                        prop_assert!(host.chunks.iter().all(|c| context.split(' ').any(|w| w == c.text)));
                    }
                }
                _ => prop_assert_eq!(job.input.source_url, own),
            }
            if let Some(Control::FilingShuffled { .. }) = control {
                let mut words: Vec<&str> = context.split(' ').collect();
                prop_assert!(!view.sees_title() || words.starts_with(&["T", "8-K"]));
                words.retain(|w| w.contains('c'));
                words.sort_unstable();
                let own: Vec<&str> = job.input.chunks.iter().map(|c| &*c.text).collect();
                prop_assert_eq!(words, own, "a permutation");
            }
        }
        prop_assert_eq!(jobs, inputs.jobs().collect::<Vec<_>>());
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
