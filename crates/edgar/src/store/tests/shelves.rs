//! What is put in comes out, and damage is noticed.

use std::collections::BTreeMap;
use std::fs;

use super::*;

const DOCUMENT: &[u8] = b"<html><p>The Company closes two plants.</p>\xFF\x00</html>\n";

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    (dir, store)
}

fn damage(store: &Store, number: u32) -> String {
    match store.filing(&accession(number)).unwrap() {
        State::Damaged(problem) => problem,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_filing_comes_back_byte_for_byte() {
    let (dir, store) = store();
    let mut wanted = record(1, DOCUMENT);
    assert_eq!(store.filing(&accession(1)).unwrap(), State::Missing);
    assert_eq!(store.put_filing(&wanted, DOCUMENT).unwrap(), None);
    assert_eq!(store.filing(&accession(1)).unwrap(), State::Whole(Box::new(wanted.clone())));
    assert_eq!(store.document(&accession(1)).unwrap().unwrap(), (wanted.clone(), DOCUMENT.to_vec()));
    let folder = dir.path().join("filings/9000000000-24-000001");
    assert_eq!(tree(&folder), ["d8k.htm", "filing.json"]);
    assert_eq!(fs::read(folder.join("d8k.htm")).unwrap(), DOCUMENT);
    let json = fs::read_to_string(folder.join("filing.json")).unwrap();
    assert!(json.starts_with("{\n  \"file\": \"d8k.htm\",\n  \"accession\"") && json.ends_with("}\n"), "{json}");
    // The same again changes nothing; another is no silent loss.
    assert_eq!(store.put_filing(&wanted, DOCUMENT).unwrap(), None);
    wanted.items.clear();
    let aside = store.put_filing(&wanted, DOCUMENT).unwrap().unwrap();
    assert_eq!(aside, dir.path().join("set-aside/9000000000-24-000001-1"));
    assert_eq!(fs::read_to_string(aside.join("filing.json")).unwrap(), json);
    assert_eq!(store.filing(&accession(1)).unwrap(), State::Whole(Box::new(wanted)));
    assert_eq!(store.accessions().unwrap(), [accession(1)]);
}

#[test]
fn a_record_must_fit_its_document() {
    let (dir, store) = store();
    assert!(Record::new(&found(1), "../x.htm", "u", b"x").is_err());
    assert!(Record::new(&Found { filers: vec![], ..found(1) }, "x.htm", "u", b"x").is_err());
    for wrong in [
        Record { file: "../../x.htm".into(), ..record(1, b"x") },
        Record { bytes: 2, ..record(1, b"x") },
        Record { sha256: String::new(), ..record(1, b"x") },
    ] {
        assert!(store.put_filing(&wrong, b"x").is_err());
    }
    assert!(store.accessions().unwrap().is_empty() && tree(&dir.path().join("filings")).is_empty());
}

#[test]
fn every_kind_of_damage_is_noticed_and_set_aside() {
    type Harm = fn(&Path);
    let harms: [(&str, Harm); 9] = [
        ("SHA-256", |f| {
            let mut bytes = fs::read(f.join("d8k.htm")).unwrap();
            bytes[3] ^= 1;
            fs::write(f.join("d8k.htm"), bytes).unwrap();
        }),
        ("bytes", |f| fs::write(f.join("d8k.htm"), "").unwrap()),
        ("d8k.htm cannot be read", |f| fs::remove_file(f.join("d8k.htm")).unwrap()),
        ("no regular file", |f| {
            fs::remove_file(f.join("d8k.htm")).unwrap();
            fs::create_dir(f.join("d8k.htm")).unwrap();
        }),
        ("filing.json cannot be read", |f| fs::remove_file(f.join("filing.json")).unwrap()),
        ("filing.json cannot be read", |f| fs::write(f.join("filing.json"), "{\"file\":").unwrap()),
        ("no record", |f| fs::write(f.join("filing.json"), vec![b' '; 1_000_001]).unwrap()),
        ("not of the folder's", |f| {
            let json = fs::read_to_string(f.join("filing.json")).unwrap();
            fs::write(f.join("filing.json"), json.replace("-24-", "-23-")).unwrap();
        }),
        ("cannot be the name", |f| {
            let json = fs::read_to_string(f.join("filing.json")).unwrap();
            fs::write(f.join("filing.json"), json.replace("\"d8k.htm\"", "\"../../lock\"")).unwrap();
        }),
    ];
    let (dir, store) = store();
    for (number, (said, harm)) in (1..).zip(harms) {
        let record = record(number, DOCUMENT);
        store.put_filing(&record, DOCUMENT).unwrap();
        harm(&dir.path().join("filings").join(accession(number).as_str()));
        let problem = damage(&store, number);
        assert!(problem.contains(said), "{said}: {problem}");
        assert_eq!(store.document(&accession(number)).unwrap(), None);
    }
    let report = check(&store, [&accession(1), &accession(99), &accession(99)]).unwrap();
    assert_eq!((report.filings, report.whole, report.damaged.len()), (9, 0, 9));
    assert_eq!(report.missing, [accession(99)]);
    assert!(!report.is_sound());
    // Fetched again, all is well, and what was damaged is still there.
    for number in 1..=9 {
        assert!(store.put_filing(&record(number, DOCUMENT), DOCUMENT).unwrap().is_some());
    }
    let report = check(&store, []).unwrap();
    assert!(report.is_sound() && report.unexpected.is_empty());
    assert_eq!((report.whole, report.bytes), (9, 9 * DOCUMENT.len() as u64));
    assert_eq!(fs::read_dir(dir.path().join("set-aside")).unwrap().count(), 9);
}

#[test]
fn what_does_not_belong_is_named() {
    let (dir, store) = store();
    store.put_filing(&record(1, DOCUMENT), DOCUMENT).unwrap();
    store.put_answer("https://h/a", b"whole").unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("filings/notes.txt"), "x").unwrap();
    fs::write(at("filings/9000000000-24-000001/extra.htm"), "x").unwrap();
    fs::create_dir(at("filings/900000000024000007")).unwrap();
    fs::create_dir(at("filings/.tmp-5")).unwrap();
    fs::write(at(".tmp-0"), "half").unwrap();
    fs::write(at("answers/foreign"), "x").unwrap();
    fs::write(at("requests.jsonl"), "{\"url\":1}\n{\"ur").unwrap();
    store.put_candidate(&record(2, DOCUMENT), DOCUMENT).unwrap();
    fs::write(at("candidates/9000000000-24-000002/d8k.htm"), "short").unwrap();
    let report = check(&store, []).unwrap();
    let paths = |list: &[Trouble]| list.iter().map(|t| t.path.clone()).collect::<Vec<_>>();
    let unexpected = ["filings/900000000024000007", "filings/9000000000-24-000001/extra.htm", "filings/notes.txt"];
    let mut got = paths(&report.unexpected);
    got.sort();
    let mut want = unexpected.map(str::to_owned).to_vec();
    want.sort();
    assert_eq!(got, want);
    assert_eq!(
        paths(&report.notes),
        [".tmp-0", "filings/.tmp-5", "answers/foreign", "candidates/9000000000-24-000002", "requests.jsonl"]
    );
    assert!(report.is_sound(), "none of this makes a filing unsound");
    assert_eq!((report.filings, report.whole), (1, 1));
    fs::write(at("requests.jsonl"), "{}\n").unwrap();
    assert_eq!(check(&store, []).unwrap().notes.len(), 4);
}

#[test]
fn a_candidate_is_adopted_whole() {
    let (dir, store) = store();
    assert!(!store.adopt(&accession(1)).unwrap(), "there is none");
    store.put_candidate(&record(1, DOCUMENT), DOCUMENT).unwrap();
    store.put_header(&accession(1), b"<SEC-HEADER>").unwrap();
    assert_eq!(store.filing(&accession(1)).unwrap(), State::Missing);
    assert!(matches!(store.candidate(&accession(1)).unwrap(), State::Whole(_)));
    assert!(store.document(&accession(1)).unwrap().is_some());
    assert!(store.adopt(&accession(1)).unwrap());
    assert!(matches!(store.filing(&accession(1)).unwrap(), State::Whole(_)));
    assert_eq!(store.candidate(&accession(1)).unwrap(), State::Missing);
    assert_eq!(tree(&dir.path().join("filings/9000000000-24-000001")), ["d8k.htm", "filing.json"]);
    assert_eq!(store.header(&accession(1)).unwrap(), b"<SEC-HEADER>");
    // A damaged candidate is none; a damaged filing gives way.
    store.put_candidate(&record(2, DOCUMENT), DOCUMENT).unwrap();
    fs::write(dir.path().join("candidates/9000000000-24-000002/d8k.htm"), "x").unwrap();
    assert!(!store.adopt(&accession(2)).unwrap());
    store.put_candidate(&record(1, DOCUMENT), DOCUMENT).unwrap();
    fs::write(dir.path().join("filings/9000000000-24-000001/d8k.htm"), "x").unwrap();
    assert!(store.adopt(&accession(1)).unwrap());
    assert!(check(&store, []).unwrap().is_sound());
}

#[test]
fn answers_are_whole_or_absent() {
    let (dir, store) = store();
    let (url, other) = ("https://efts.sec.gov/LATEST/search-index?q=%22a%22&from=0", "https://h/other");
    assert_eq!(store.answer(url), None);
    for body in [b"{\"hits\":\n1}".as_slice(), b"", b"\n\n", b"{}"] {
        store.put_answer(url, body).unwrap();
        assert_eq!(store.answer(url).as_deref(), Some(body));
    }
    assert_eq!(store.answer(other), None);
    store.put_answer(other, b"x").unwrap();
    let folder = dir.path().join("answers");
    let named = |part: &str| folder.join(tree(&folder).into_iter().find(|n| n.contains(part)).unwrap());
    // Another address's answer under this name: as a collision of hashes, or a copy by hand.
    fs::copy(named("other"), named("search-index")).unwrap();
    assert_eq!(store.answer(url), None);
    store.put_answer(url, b"0123456789").unwrap();
    let whole = fs::read(named("search-index")).unwrap();
    for cut in 0..whole.len() {
        fs::write(named("search-index"), &whole[..cut]).unwrap();
        assert_eq!(store.answer(url), None, "cut at {cut}");
    }
    fs::create_dir(folder.join("somebody's")).unwrap();
    store.forget_answers().unwrap();
    assert!(store.answer(other).is_none());
    assert_eq!(tree(&folder), ["somebody's"]);
}

#[test]
fn plans_come_back_and_newer_ones_are_not_misread() {
    let (dir, store) = store();
    let plan: BTreeMap<String, Vec<u32>> = [("picked".to_owned(), vec![1, 2])].into();
    assert_eq!(store.plan::<BTreeMap<String, Vec<u32>>>("main").unwrap(), None);
    store.put_plan("main", &plan).unwrap();
    store.put_plan("other", &plan).unwrap();
    assert_eq!(store.plan("main").unwrap(), Some(plan));
    assert_eq!(store.plans().unwrap(), ["main", "other"]);
    assert!(store.put_plan("../x", &1).is_err() && store.plan::<u32>("").is_err());
    let path = dir.path().join("plans/main.json");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("{\n") && text.ends_with("}\n"), "{text}");
    let broken =
        [text[..text.len() / 2].to_owned(), String::new(), "[]".into(), "{\"format\":1,\"plan\":{\"a\":\"x\"}}".into()];
    for bad in broken {
        fs::write(&path, &bad).unwrap();
        let error = store.plan::<BTreeMap<String, Vec<u32>>>("main").unwrap_err().to_string();
        assert!(error.contains("main.json") && error.contains("remove it"), "{error}");
    }
    fs::write(&path, "{\"format\":2,\"written_by\":\"eightk 9.9.9\",\"plan\":{}}").unwrap();
    let error = store.plan::<u32>("main").unwrap_err().to_string();
    assert!(error.contains("eightk 9.9.9") && error.contains("newer"), "{error}");
}
