use super::*;
use crate::testing::filings;
use crate::{StopWords, run_system};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn found(system: &Bm25<'_, '_>, text: &str, k: usize) -> Vec<Hit> {
    system.search(&QueryInput { id: "q0", text }, k).unwrap()
}

fn options(settings: &[&str]) -> Bm25Options {
    let mut options = Bm25Options::default();
    settings.iter().for_each(|s| options.set(s).unwrap());
    options
}

#[test]
fn a_score_worked_out_by_hand() {
    let rows = filings(&[("", &["mill mill closure", "mill"]), ("", &["payroll"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Bm25::new("bm25", &corpus, &View::BARE, Bm25Options::default()).unwrap();
    // N = 3, n = 2, average length 5/3.
    let idf = (1.0f64 + 1.5 / 2.5).ln();
    let norm = |length: f64| 1.2 * (0.25 + 0.75 * length / (5.0 / 3.0));
    let hits = found(&system, "Mill?", 10);
    assert_eq!(hits.iter().map(|h| h.id.as_str()).collect::<Vec<_>>(), ["f0#s1", "f0#s0"]);
    for (hit, expected) in hits.iter().zip([idf / (1.0 + norm(1.0)), idf * 2.0 / (2.0 + norm(3.0))]) {
        assert!((hit.score - expected).abs() < 1e-12, "{hit:?} {expected}");
    }
}

/// Expected values: the Python package bm25s 0.3.16, `BM25(method="lucene", dtype="float64")`, on the same words.
#[test]
fn scores_are_those_of_another_implementation() {
    let texts = [
        "mill closure charges",
        "charges charges for the payroll",
        "the mill",
        "a kiln and a mill and a quarry",
        "payroll payroll payroll",
    ];
    let rows = filings(&[("", &texts)]);
    let corpus = Corpus::new(&rows).unwrap();
    for (settings, expected) in [
        (
            ["stop=none", "k1=1.2", "b=0.75"],
            [1.1786424873590742, 1.0386917222842882, 0.3118161574486619, 0.6387220868705233],
        ),
        (
            ["stop=none", "k1=0.9", "b=0.4"],
            [1.2742080944422423, 1.1796498867136285, 0.31493952463512603, 0.8650215682264469],
        ),
    ] {
        let system = Bm25::new("bm25", &corpus, &View::BARE, options(&settings)).unwrap();
        let hits = found(&system, "mill charges charges kiln", 10);
        assert_eq!(hits.len(), 4);
        for hit in hits {
            let expected = expected[corpus.position(&hit.id).unwrap() as usize];
            assert!((hit.score - expected).abs() < 1e-14, "{settings:?} {hit:?} {expected}");
        }
    }
}

#[test]
fn what_does_not_match_is_not_returned() {
    let rows = filings(&[("", &["mill closure", "payroll"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Bm25::new("bm25", &corpus, &View::BARE, Bm25Options::default()).unwrap();
    for nothing in ["", "   ", "the of and", "zebra", "?!", "\u{0}"] {
        assert!(found(&system, nothing, 10).is_empty(), "{nothing:?}");
    }
    assert!(found(&system, "mill", 0).is_empty());
    assert_eq!(found(&system, "mill", usize::MAX).len(), 1);
    let empty = Corpus::new(&[]).unwrap();
    assert!(found(&Bm25::new("bm25", &empty, &View::TITLE, Bm25Options::default()).unwrap(), "mill", 5).is_empty());
}

#[test]
fn a_word_in_every_chunk_still_counts_for_it() {
    let rows = filings(&[("", &["charge one", "charge two", "charge three"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Bm25::new("bm25", &corpus, &View::BARE, Bm25Options::default()).unwrap();
    assert!(found(&system, "charge", 10).iter().all(|h| h.score > 0.0));
}

#[test]
fn equal_sentences_tie_and_the_tie_is_never_cut() {
    let twin = "The Company expects charges of about $4 million.";
    let rows = filings(&[("A", &[twin]), ("B", &["Another matter.", twin]), ("C", &[twin])]);
    let corpus = Corpus::new(&rows).unwrap();
    let bare = Bm25::new("bm25", &corpus, &View::BARE, Bm25Options::default()).unwrap();
    let hits = found(&bare, "expected charges", 1);
    assert_eq!(hits.len(), 3);
    assert!(hits.iter().all(|h| h.score.to_bits() == hits[0].score.to_bits()));
}

#[test]
fn the_title_tells_twins_apart() {
    let twin = "The Company expects charges of about $4 million.";
    let rows = filings(&[("Brackwater Foods", &[twin]), ("Tallowmere Labs", &[twin])]);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Bm25::new("bm25:title", &corpus, &View::TITLE, Bm25Options::default()).unwrap();
    let hits = found(&system, "What charges does Tallowmere expect?", 10);
    assert_eq!(hits.iter().map(|h| h.id.as_str()).collect::<Vec<_>>(), ["f1#s0", "f0#s0"]);
    assert!(hits[0].score > hits[1].score);
    let untitled = filings(&[("", &[twin])]);
    let corpus = Corpus::new(&untitled).unwrap();
    let error = Bm25::new("bm25:title", &corpus, &View::TITLE, Bm25Options::default()).unwrap_err();
    assert_eq!(error, RetrieveError::NoTitles("bm25:title".into()));
}

#[test]
fn the_description_says_bm25_with_what() {
    let rows = filings(&[("A", &["mill closure"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Bm25::new("x", &corpus, &View::TITLE, options(&["k1=0.9", "stop=none"])).unwrap();
    let d = system.description();
    assert_eq!((d.name.as_str(), d.view.as_deref(), d.settings["k1"].as_str()), ("x", Some("title"), "0.9"));
    assert!(d.settings["analyzer"].contains("Snowball") && d.settings["analyzer"].contains("no stop words"));
    let json = serde_json::to_string(d).unwrap();
    assert_eq!(&serde_json::from_str::<Description>(&json).unwrap(), d);
}

/// Straight from the formula: render each chunk's text, count, add up.
fn naive(corpus: &Corpus<'_>, view: &View, options: Bm25Options, query: &str) -> BTreeMap<String, f64> {
    let analyzer = options.analyzer();
    let texts = corpus.filings().flat_map(|f| view.texts(&f));
    let docs: Vec<Vec<String>> = texts.map(|t| analyzer.terms(&t).collect()).collect();
    let average = docs.iter().map(Vec::len).sum::<usize>() as f64 / docs.len() as f64;
    let mut terms: Vec<String> = Vec::new();
    let asked: Vec<String> = analyzer.terms(query).collect();
    asked.iter().for_each(|t| {
        if !terms.contains(t) {
            terms.push(t.clone());
        }
    });
    let score = |doc: &Vec<String>| {
        let of = |term: &String| {
            let n = docs.iter().filter(|d| d.contains(term)).count() as f64;
            let idf = (1.0 + (docs.len() as f64 - n + 0.5) / (n + 0.5)).ln();
            let tf = doc.iter().filter(|t| *t == term).count() as f64;
            let count = asked.iter().filter(|t| *t == term).count() as f64;
            let norm = options.k1() * (1.0 - options.b() + options.b() * doc.len() as f64 / average);
            if tf == 0.0 { 0.0 } else { count * idf * (tf / (tf + norm)) }
        };
        terms.iter().map(of).sum::<f64>()
    };
    let scored = corpus.chunks().iter().zip(&docs).map(|(c, d)| (c.id.clone(), score(d)));
    scored.filter(|(_, s)| *s > 0.0).collect()
}

fn any_view() -> impl Strategy<Value = View> {
    prop::sample::select(vec!["bare", "title", "lead", "window:1", "window:2", "title+lead", "title+lead:1+window:1"])
        .prop_map(|v| v.parse().unwrap())
}

proptest! {
    #[test]
    fn agrees_with_the_formula(
        words in prop::collection::vec(prop::collection::vec(prop::collection::vec(0usize..8, 0..7), 1..4), 1..6),
        query in prop::collection::vec(0usize..10, 0..6), view in any_view(), k1 in 0.0f64..3.0, b in 0.0f64..=1.0,
    ) {
        const WORDS: [&str; 10] = ["mill", "charges", "the", "Charged", "payroll", "2.5", "closing", "Brackwater", "zebra", "of"];
        let say = |ids: &Vec<usize>| ids.iter().map(|i| WORDS[*i]).collect::<Vec<_>>().join(" ");
        let texts: Vec<Vec<String>> = words.iter().map(|f| f.iter().map(say).collect()).collect();
        let refs: Vec<Vec<&str>> = texts.iter().map(|f| f.iter().map(String::as_str).collect()).collect();
        let given: Vec<(&str, &[&str])> = refs.iter().map(|f| ("Payroll Brackwater", f.as_slice())).collect();
        let rows = filings(&given);
        let corpus = Corpus::new(&rows).unwrap();
        let options = options(&[&format!("k1={k1}"), &format!("b={b}")]);
        let system = Bm25::new("bm25", &corpus, &view, options).unwrap();
        let query = say(&query);
        let hits = found(&system, &query, rows.len());
        let got: BTreeMap<String, f64> = hits.iter().map(|h| (h.id.clone(), h.score)).collect();
        let expected = naive(&corpus, &view, options, &query);
        prop_assert_eq!(got.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (id, score) in &got {
            prop_assert_eq!(score.to_bits(), expected[id].to_bits(), "{}: {} {}", id, score, expected[id]);
            prop_assert_eq!(system.explain(&query, id).unwrap().score.to_bits(), score.to_bits());
        }
        // Texts instead of pieces: the same to the last bit.
        let composed = Bm25::composed("bm25", &corpus, (&view, None), options, &Knowledge::default()).unwrap();
        prop_assert_eq!(&found(&composed, &query, rows.len()), &hits);
        // A smaller k is a prefix, cut between scores.
        for k in 1..=hits.len() {
            let kept = hits.iter().filter(|h| h.score >= hits[k - 1].score).count();
            prop_assert_eq!(&found(&system, &query, k)[..], &hits[..kept]);
        }
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let sentences: Vec<String> =
        (0..300).map(|n| format!("The Company number {} expects charges of {} million", n % 7, n % 11)).collect();
    let sentences: Vec<&str> = sentences.iter().map(String::as_str).collect();
    let rows = filings(&[("Brackwater", &sentences[..150]), ("Tallowmere", &sentences[150..])]);
    let corpus = Corpus::new(&rows).unwrap();
    let system = Bm25::new("bm25:title", &corpus, &View::TITLE, options(&[])).unwrap();
    let texts: Vec<(String, String)> =
        (0..64).map(|n| (format!("q{n}"), format!("charges of {} million Tallowmere", n % 13))).collect();
    let queries: Vec<_> = texts.iter().map(|(id, text)| QueryInput { id, text }).collect();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run_system(&system, &queries, 10).unwrap())
    };
    let one = with(1);
    assert_eq!(one.queries.len(), 64);
    assert_eq!(one, with(4));
    assert!(system.spare.lock().unwrap().len() <= 5);
}

#[test]
fn settings_out_of_range_are_refused() {
    for bad in ["k1", "k1=", "k1=-1", "k1=NaN", "k1=inf", "k1=1e9", "b=1.1", "b=x", "stop=german", "c=1", ""] {
        assert!(Bm25Options::default().set(bad).is_err(), "{bad}");
    }
    assert_eq!(options(&["stop=none"]).stop_words(), StopWords::None);
    assert_eq!(options(&["k1=-0"]).to_string(), "?k1=0");
}

#[test]
fn controls_and_contexts_made_elsewhere_are_seen() {
    let rows = filings(&[
        ("Tarwick 8-K 2024-05-02", &["mill closure", "payroll"]),
        ("Norland 8-K 2024-05-02", &["mill closure"]),
    ]);
    let corpus = Corpus::new(&rows).unwrap();
    let of_second = BTreeMap::from([("f1#s0".to_owned(), "about Norland".to_owned())]);
    let knowledge = Knowledge {
        aliases: crate::filer_names(&corpus, &BTreeMap::new()),
        prefixes: BTreeMap::from([("p".to_owned(), of_second)]),
        ..Knowledge::default()
    };
    let ids = |view: &str, control: Option<&str>, query: &str| {
        let control = control.map(|c| c.parse::<Control>().unwrap());
        let view = view.parse().unwrap();
        let system = Bm25::composed("x", &corpus, (&view, control.as_ref()), Bm25Options::default(), &knowledge);
        let mut ids: Vec<String> = found(&system.unwrap(), query, 9).into_iter().map(|h| h.id).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids("prefix:p", None, "Norland"), ["f1#s0"]);
    assert_eq!(ids("title", None, "Norland"), ["f1#s0"]);
    assert!(ids("title", Some("masked"), "Norland Tarwick").is_empty());
    assert_eq!(ids("title", Some("filing-wrong"), "Norland"), ["f0#s0", "f0#s1"]);
    let view = "prefix:p".parse().unwrap();
    assert!(
        Bm25::new("x", &corpus, &view, Bm25Options::default()).unwrap_err().to_string().contains("not handed over")
    );
}
