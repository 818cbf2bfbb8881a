use super::*;
use crate::testing::filings;
use eightk_core::Qrels;

fn set(query: &str, gold: &str, rivals: &[(&str, f64)]) -> RivalSet {
    RivalSet {
        query: query.into(),
        fact: String::new(),
        gold: gold.into(),
        rivals: rivals.iter().map(|(id, _)| (*id).into()).collect(),
        similarity: rivals.iter().map(|(_, s)| *s).collect(),
        total: None,
    }
}

fn judged(query: &str, id: &str) -> Qrels {
    Qrels { queries: BTreeMap::from([(query.to_owned(), BTreeMap::from([(id.to_owned(), 2)]))]) }
}

#[test]
fn gold_and_rival_change_places() {
    let rows = filings(&[("Alder", &["a0", "gold", "a2"]), ("Birch", &["b0", "b1", "rival"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let sets = [set("q0", "f0#s1", &[("f1#s0", 0.4), ("f1#s2", 0.5), ("f0#s0", 0.9), ("gone", 1.0)])];
    let knowledge = Knowledge { qrels: judged("q1", "f0#s0"), rivals: &sets, ..Knowledge::default() };
    let shown = |view: &str| {
        let swaps = swaps(&corpus, &view.parse().unwrap(), &knowledge).unwrap();
        assert_eq!(swaps.plan(), [Swap { query: "q0".into(), gold: 1, rival: 5 }]);
        assert_eq!(swaps.without_rival(), ["q1"]);
        assert!(swaps.jobs(1).is_none());
        swaps.jobs(0).unwrap().map(|job| {
            let Job { input, positions } = job;
            let context = input.context.map(|c| {
                assert_eq!(c.span_of(0).unwrap().of(c.text()), input.chunks[0].text);
                c.text().to_owned()
            });
            (input.chunks[0].id, positions[0], context.unwrap_or_else(|| input.chunks[0].text.to_string()))
        })
    };
    let expect = |gold: &str, rival: &str| [("f0#s1", 1, gold.to_owned()), ("f1#s2", 5, rival.to_owned())];
    assert_eq!(shown("title"), expect("Birch gold", "Alder rival"));
    assert_eq!(shown("lead:1"), expect("b0 gold", "a0 rival"));
    assert_eq!(shown("window:1"), expect("b1 gold", "a0 rival a2"));
    assert_eq!(shown("title+filing"), expect("Birch b0 b1 gold", "Alder a0 rival a2"));
}

#[test]
fn swapped_twice_all_is_as_before() {
    let rows = filings(&[("Alder", &["a0", "gold", "a2"]), ("Birch", &["b0", "b1", "rival"])]);
    let mut other = rows.clone();
    let text = other[1].text.clone();
    other[1].text = other[5].text.clone();
    other[5].text = text;
    let sets = [set("q0", "f0#s1", &[("f1#s2", 1.0)])];
    let knowledge = Knowledge { rivals: &sets, ..Knowledge::default() };
    let (corpus, exchanged) = (Corpus::new(&rows).unwrap(), Corpus::new(&other).unwrap());
    for view in ["title", "lead", "window:2", "filing", "title+filing"] {
        let view: View = view.parse().unwrap();
        let plain = filing_inputs(&corpus, &view, None, &knowledge).unwrap();
        let swaps = swaps(&exchanged, &view, &knowledge).unwrap();
        let seen = |job: &Job<'_>, i: usize| {
            let context = job.input.context.as_ref();
            (job.input.chunks[i].text.to_string(), context.map(|c| (c.text().to_owned(), c.span_of(i))))
        };
        let [gold, rival] = swaps.jobs(0).unwrap();
        assert_eq!(seen(&gold, 0), seen(&plain.of_filing(1)[0], 2));
        assert_eq!(seen(&rival, 0), seen(&plain.of_filing(0)[0], 1));
    }
}

#[test]
fn equal_rivals_go_by_id_and_unknown_similarity_too() {
    let rows = filings(&[("A", &["gold"]), ("B", &["b"]), ("C", &["c"]), ("D", &["d"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let chosen = |rivals: &[(&str, f64)], known: bool| {
        let mut set = set("q0", "", rivals);
        if !known {
            set.similarity.clear();
        }
        let sets = [set];
        let knowledge = Knowledge { qrels: judged("q0", "f0#s0"), rivals: &sets, ..Knowledge::default() };
        swaps(&corpus, &View::TITLE, &knowledge).unwrap().plan()[0].rival
    };
    assert_eq!(chosen(&[("f3#s0", 0.5), ("f2#s0", 0.5), ("f1#s0", 0.1)], true), 2);
    assert_eq!(chosen(&[("f3#s0", f64::NAN), ("f2#s0", 0.0)], true), 2);
    assert_eq!(chosen(&[("f3#s0", 0.9), ("f2#s0", 0.1)], false), 2);
}

#[test]
fn without_rivals_there_is_nothing_to_swap() {
    let rows = filings(&[("A", &["gold"])]);
    let corpus = Corpus::new(&rows).unwrap();
    let knowledge = Knowledge { qrels: judged("q0", "f0#s0"), ..Knowledge::default() };
    let error = swaps(&corpus, &View::TITLE, &knowledge).unwrap_err().to_string();
    assert!(error.contains("rivals.jsonl"), "{error}");
    assert!(swaps(&corpus, &View::BARE, &knowledge).is_err());
}
