use proptest::prelude::*;

use super::*;

fn run(text: &str) -> Result<Parsed<Run>, MeasureError> {
    parse_run(text.as_bytes(), "p.json", None)
}

fn message(text: &str) -> String {
    run(text).unwrap_err().to_string()
}

fn rows(run: &Run) -> Vec<(&str, &str, f64)> {
    run.queries.iter().flat_map(|(q, hits)| hits.iter().map(move |h| (q.as_str(), h.id.as_str(), h.score))).collect()
}

const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"\"q\"",
    b":",
    b",",
    b"1",
    b"-1.5",
    b"NaN",
    b"[",
    b"]",
    b"\"mteb_model_meta\"",
    b"\n",
    b"\xFF",
    b"\"",
];

const MTEB: &str = r#"{
  "mteb_model_meta": {"model_name": "org/model", "revision": "1", "more": [{"deep": [1]}]},
  "default": {"test": {"q1": {"d1": 0.1, "d2": 1e-05}, "q2": {}}}
}"#;

#[test]
fn the_shapes_of_other_tools() {
    let flat = run(r#"{"q1": {"d2": 1, "d1": 2.5e-3}, "q2": {}}"#).unwrap();
    assert_eq!(rows(&flat.value), [("q1", "d2", 1.0), ("q1", "d1", 0.0025)]);
    assert_eq!((flat.value.queries["q2"].len(), flat.value.system.as_str(), flat.warnings), (0, "", vec![]));
    let mteb = run(MTEB).unwrap().value;
    assert_eq!(rows(&mteb), [("q1", "d1", 0.1), ("q1", "d2", 1e-5)]);
    assert_eq!((mteb.system.as_str(), mteb.queries.len()), ("org/model", 2));
    assert_eq!(rows(&run(r#"{"test": {"q": {"d": 1}}}"#).unwrap().value), [("q", "d", 1.0)]);
}

#[test]
fn one_of_several_runs_has_to_be_chosen() {
    let text = r#"{"mteb_model_meta": {}, "en": {"dev": {"q": {"d": 1}}, "test": {"q": {"d": 2}}}, "de": {"test": {"q": {"d": 3}}}}"#;
    let score = |section| Ok(parse_run(text.as_bytes(), "p.json", section)?.value.queries["q"][0].score);
    assert_eq!(score(Some("dev")), Ok(1.0));
    assert_eq!(score(Some("en/test")), Ok(2.0));
    assert_eq!(score(Some("de")), Ok(3.0));
    for section in [None, Some("test"), Some("fr")] {
        let error: MeasureError = score(section).unwrap_err();
        assert!(error.is_user_mistake() && error.to_string().contains("de/test, en/dev, en/test"), "{error}");
    }
    assert_eq!(rows(&parse_run(br#"{"q": {"d": 1}}"#, "p", Some("test")).unwrap().value).len(), 1, "nothing to choose");
}

#[test]
fn errors_name_the_place() {
    let twice = message("{\"q\": {\"a\": 1,\n\"b\": 2,\n\"a\": 1}}");
    assert!(twice.starts_with("p.json:3: document `a` is retrieved twice for query `q` (first in line 1)"), "{twice}");
    assert!(message("{\"q\": {\"a\": 1},\n \"q\": {\"b\": 1}}").starts_with("p.json:2: the key `q` stands twice"));
    let again = message(r#"{"default": {"test": {"q": {"a": 1}}}, "default": {"dev": {}}}"#);
    assert!(again.contains("the key `default` stands twice"), "{again}");
    for score in ["NaN", "null", "true", "\"0.5\""] {
        let message = message(&format!("{{\"q\": {{\n\"a\": {score}}}}}"));
        assert!(message.starts_with(&format!("p.json:2: score `{score}` of document `a` for query `q`")), "{message}");
    }
    assert!(message("{\"q\": {\"a\": 1").starts_with("p.json:1:14: no JSON: the file ends in the middle"));
    assert!(message("{\"q\": {\"a\": 1,}}").contains("no JSON: a key in double quotes"));
    assert!(message("{\"q\": {\"a\": 1}}\n{\"p\": {}}").starts_with("p.json:2:1: no JSON: more text after the end"));
    assert!(message("{\"q\":\n [[\"a\", 1]]}").starts_with("p.json:2: a list at"));
    assert!(message("{\"q\": 1}").contains("a single value at `q`"));
    assert!(message("1").contains("a single value at the top level"));
    let uneven = message(r#"{"a": {"b": 1}, "c": {"d": {"e": 1}}}"#);
    assert!(uneven.contains("an object at `c/d`"), "{uneven}");
    let uneven = message(r#"{"c": {"d": {"e": 1}}, "a": {"b": 1}}"#);
    assert!(uneven.contains("a single value at `a/b`"), "{uneven}");
    assert!(message(r#"{"a": {"b": {"c": {"d": {"e": 1}}}}}"#).contains("an object at `a/b/c/d`"));
    for mixed in [r#"{"q": {"a": 1, "b": {}}}"#, r#"{"q": {"b": {}, "a": 1}}"#] {
        assert!(run(mixed).is_err(), "{mixed}");
    }
    let latin = parse_run(b"{\"q\":\n {\"\xE9\": 1}}", "p.json", None).unwrap_err().to_string();
    assert!(latin.starts_with("p.json:2: not UTF-8"), "{latin}");
}

#[test]
fn oddities_are_counted() {
    let parsed = run("{\"q\": {\"a b\": Infinity,\n \"\": -Infinity}, \"p\\tq\": {\"c\": 1e999}}").unwrap();
    let found: Vec<_> = parsed.warnings.iter().map(|w| (w.oddity, w.line, w.count)).collect();
    assert_eq!(found, [(Oddity::InfiniteScore, 1, 3), (Oddity::UnwritableId, 1, 3)]);
    for empty in ["{}", "\u{feff}{ }\r\n", r#"{"mteb_model_meta": {"model_name": "m"}, "default": {"test": {}}}"#] {
        let parsed = run(empty).unwrap();
        assert!(parsed.value.queries.is_empty(), "{empty}: {:?}", parsed.value);
        assert_eq!(parsed.warnings[0].oddity, Oddity::Empty, "{empty}");
    }
}

#[test]
fn qrels() {
    let read = |text: &str| parse_qrels(text.as_bytes(), "q.json", None);
    let parsed = read("{\"q\": {\"a\": 2, \"b\": 1.0,\n\"a\": 2, \"c\": -1}}").unwrap();
    assert_eq!(parsed.value.queries["q"].iter().map(|g| *g.1).collect::<Vec<_>>(), [2, 1, -1]);
    let found: Vec<_> = parsed.warnings.iter().map(|w| (w.oddity, w.line, w.count)).collect();
    assert_eq!(found, [(Oddity::NegativeGrade, 2, 1), (Oddity::RepeatedJudgement, 2, 1)]);
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert!(message("{\"q\": {\"a\": 1.5}}").starts_with("q.json:1: grade `1.5` of document `a` for query `q`"));
    assert!(message("{\"q\": {\"a\": \"2\"}}").contains("grade `\"2\"`"));
    let conflict = message("{\"q\": {\"a\": 2,\n\"a\": 1}}");
    assert!(conflict.starts_with("q.json:2: document `a` has grade 1") && conflict.contains("in line 1"), "{conflict}");
    assert!(message("{}").contains("no judgement"));
}

#[test]
fn a_hundred_thousand_repetitions_are_read_in_a_moment() {
    let again = "\"a\": 1,\n".repeat(100_000);
    let parsed = parse_qrels(format!("{{\"q\": {{{again}\"b\": 2}}}}").as_bytes(), "q", None).unwrap();
    assert_eq!((parsed.value.queries["q"].len(), parsed.warnings[0].count, parsed.warnings[0].line), (2, 99_999, 2));
}

proptest! {
    #[test]
    fn written_and_read_back_to_the_same_bits(
        queries in prop::collection::btree_map(
            any::<String>(),
            prop::collection::btree_map(any::<String>(), any::<f64>().prop_filter("no rank", |s| !s.is_nan()), 0..6),
            0..5,
        ),
    ) {
        let hits = |list: BTreeMap<String, f64>| list.into_iter().map(|(id, score)| Hit { id, score }).collect();
        let run = Run { system: String::new(), queries: queries.into_iter().map(|(q, list)| (q, hits(list))).collect() };
        let text = write_run(&run).unwrap();
        let back = parse_run(text.as_bytes(), "back", None).unwrap().value;
        prop_assert_eq!(&text, &write_run(&back).unwrap());
        let bits = |run: &Run| -> BTreeMap<(String, String), u64> {
            let hits = run.queries.iter().flat_map(|(q, hits)| hits.iter().map(move |h| (q, h)));
            hits.map(|(q, h)| ((q.clone(), h.id.clone()), h.score.to_bits())).collect()
        };
        prop_assert_eq!(bits(&back), bits(&run));
        prop_assert!(back.queries.keys().eq(run.queries.keys()));
        // The library reads the same, where it can read it at all.
        if run.queries.values().flatten().all(|h| h.score.is_finite()) {
            let seen: BTreeMap<String, BTreeMap<String, f64>> = serde_json::from_str(&text).unwrap();
            prop_assert!(seen.keys().eq(run.queries.keys()));
        }
    }

    #[test]
    fn qrels_written_and_read_back(
        queries in prop::collection::btree_map(any::<String>(), prop::collection::btree_map(any::<String>(), any::<i64>(), 1..4), 1..4),
    ) {
        let qrels = Qrels { queries };
        prop_assert_eq!(parse_qrels(write_qrels(&qrels).as_bytes(), "back", None).unwrap().value, qrels);
    }

    #[test]
    fn no_bytes_break_it(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        let bytes = pieces.concat();
        let _ = parse_run(&bytes, "x", None);
        let _ = parse_qrels(&bytes, "x", Some("q"));
    }
}
