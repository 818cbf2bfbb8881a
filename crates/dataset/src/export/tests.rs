//! Every format on an invented set.

use super::*;
use crate::{Source, read, testing};
use eightk_core::query_id;
use std::fs;

fn exported(set: &DataSet, format: Format, bare: bool) -> (tempfile::TempDir, Exported) {
    let root = tempfile::tempdir().unwrap();
    let options = ExportOptions { force: false, bare };
    let exported = export(set, format, &root.path().join("out"), options).unwrap();
    (root, exported)
}

fn text(root: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(root.path().join("out").join(name)).unwrap()
}

#[test]
fn json_lines_read_back_as_the_same_set() {
    let set = testing::dataset(7);
    let (root, exported) = exported(&set, Format::Jsonl, false);
    let (back, report) = read(&Source::parse(root.path().join("out").to_str().unwrap()).unwrap()).unwrap();
    assert_eq!(back, set);
    assert_eq!(fingerprint(&back), exported.fingerprint);
    assert_eq!(report.stated_fingerprint.as_ref(), Some(&exported.fingerprint));
    assert!(report.missing.is_empty() && report.notes.is_empty(), "{report:?}");
    assert!(exported.not_carried.is_empty());
}

#[test]
fn judgements_stand_in_row_order_answers_first() {
    // Twelve, so that the order of ids as strings would show.
    let set = testing::dataset(12);
    let (root, exported) = exported(&set, Format::Trec, false);
    let graded = text(&root, "qrels.graded.trec");
    let queries: Vec<&str> = graded.lines().map(|l| l.split(' ').next().unwrap()).collect();
    let wanted: Vec<String> = (0..12).flat_map(|i| [query_id(i), query_id(i)]).collect();
    assert_eq!(queries, wanted);
    let grades: String = graded.lines().map(|l| &l[l.len() - 1..]).collect();
    assert_eq!(grades, "21".repeat(12));
    let answers = text(&root, "qrels.answer.trec");
    assert_eq!(answers.lines().count(), 12);
    assert!(answers.lines().all(|l| l.ends_with(" 1")));
    assert_eq!((exported.counts.graded_judgements, exported.counts.answer_judgements), (24, 12));
}

#[test]
fn what_has_no_place_is_counted() {
    let mut set = testing::dataset(4);
    set.queries[0].golds.clear();
    set.queries[1].golds.retain(|g| g.score == 1);
    set.queries[2].golds[0].source_url = "elsewhere".into();
    // From the evidence into the answer: two chunks.
    set.queries[3].golds[0].span.start -= 5;
    set.queries[3].query.push('!');
    let (root, exported) = exported(&set, Format::Beir, false);
    let c = exported.counts;
    assert_eq!((c.queries_without_gold, c.queries_without_answer), (1, 3));
    assert_eq!((c.golds_without_chunk, c.golds_of_several_chunks), (1, 1));
    assert_eq!((c.graded_judgements, c.answer_judgements), (4, 2));
    // The evidence that the answer's span runs into takes the higher grade.
    let last: Vec<String> =
        text(&root, "qrels/test.tsv").lines().skip(3).map(|l| l[l.len() - 1..].to_owned()).collect();
    assert_eq!(last, ["2", "2"]);
    assert_eq!(text(&root, "queries.jsonl").lines().count(), 4, "queries without gold stay");
    assert_eq!(exported.not_carried["alternatives"], 4);
    let readme = text(&root, "README.md");
    assert!(readme.contains("| queries without an answer | 3 |"), "{readme}");
    assert!(readme.contains("alternatives (4)"), "{readme}");
}

#[test]
fn a_set_with_one_grade_is_answer_only() {
    let mut set = testing::dataset(2);
    for gold in set.queries.iter_mut().flat_map(|q| &mut q.golds) {
        gold.score = 1;
    }
    let (root, _) = exported(&set, Format::Beir, false);
    assert_eq!(text(&root, "qrels/test.tsv"), text(&root, "qrels/answer.tsv"));
}

#[test]
fn titles_are_kept_out_of_the_text_on_request() {
    let set = testing::dataset(1);
    let title = &set.chunks[0].title;
    let first = |bare| {
        let (root, _) = exported(&set, Format::Beir, bare);
        let line = text(&root, "corpus.jsonl").lines().next().unwrap().to_owned();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()
    };
    let (with, bare) = (first(false), first(true));
    assert_eq!((&with["title"], with["metadata"].get("title")), (&title.as_str().into(), None));
    assert_eq!((&bare["title"], &bare["metadata"]["title"]), (&"".into(), &title.as_str().into()));
}

#[test]
fn an_id_that_a_format_would_change_is_refused_before_anything_is_made() {
    let mut set = testing::dataset(2);
    set.chunks[1].id = "two words".into();
    for (format, fits) in [(Format::Trec, false), (Format::Beir, true), (Format::Mteb, true), (Format::Jsonl, true)] {
        let root = tempfile::tempdir().unwrap();
        let result = export(&set, format, &root.path().join("out"), ExportOptions::default());
        assert_eq!(result.is_ok(), fits, "{format}");
        let Err(error) = result else { continue };
        assert_eq!(error.kind(), crate::ErrorKind::Data);
        assert!(error.to_string().contains("1 of 8 chunk ids") && error.to_string().contains("two words"), "{error}");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }
    set.queries[0].golds[0].score = 1 << 40;
    assert!(export(&set, Format::Mteb, Path::new("never-made"), ExportOptions::default()).is_err());
}

#[test]
fn an_empty_set_is_exported_too() {
    for format in Format::ALL {
        let (_root, exported) = exported(&DataSet::default(), *format, false);
        assert_eq!(exported.counts, ExportCounts::default());
    }
}

#[test]
fn twice_the_same_bytes() {
    let set = testing::dataset(5);
    for format in Format::ALL {
        let (a, first) = exported(&set, *format, false);
        let (b, second) = exported(&set, *format, false);
        assert_eq!(first.files, second.files);
        for name in &first.files {
            let read = |root: &tempfile::TempDir| fs::read(root.path().join("out").join(name)).unwrap();
            assert_eq!(read(&a), read(&b), "{format} {name}");
        }
    }
}
