use std::collections::BTreeSet;

use super::*;

#[test]
fn the_same_options_give_the_same_bytes() {
    let options = Options { filings: 60, seed: 7, rivals: 4, sparse: false };
    assert_eq!(generate(&options), generate(&options));
    assert_ne!(generate(&options).files[0].bytes, generate(&Options { seed: 8, ..options }).files[0].bytes);
}

#[test]
fn a_corpus_has_every_kind_and_every_outcome() {
    let corpus = generate(&Options { filings: 600, seed: 3, rivals: 6, sparse: true });
    let kinds: BTreeSet<&str> = corpus.files.iter().map(|f| f.row.kind.as_str()).collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["extracted-text", "html", "ixbrl", "sgml-txt"]);
    let planted: Vec<&Planted> = corpus.files.iter().flat_map(|f| &f.planted).collect();
    for fact in ["charges", "workforce"] {
        let of: Vec<_> = planted.iter().filter(|p| p.fact == fact).collect();
        assert!(of.iter().any(|p| p.answer && p.unique) && of.iter().any(|p| p.answer && !p.unique), "{fact}");
        assert!(of.iter().any(|p| !p.coreferent_only), "{fact}");
    }
    for kind in [Some(EvidenceKind::Binding), Some(EvidenceKind::NearestName), None] {
        assert!(planted.iter().any(|p| p.answer && p.evidence.as_ref().map(|e| e.kind) == kind), "{kind:?}");
    }
    assert!(corpus.files.iter().filter(|f| f.planted.is_empty()).count() > 60);
    assert!(
        corpus.files.iter().any(|f| f.row.company.is_none()) && corpus.files.iter().any(|f| f.name.ends_with(".gz"))
    );
    let names: BTreeSet<&str> = corpus.files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names.len(), corpus.files.len());
}

#[test]
fn every_row_is_complete_and_every_file_as_edgar_serves_it() {
    let corpus = generate(&Options { filings: 600, seed: 3, rivals: 6, sparse: false });
    let kinds: BTreeSet<&str> = corpus.files.iter().map(|f| f.row.kind.as_str()).collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["html", "ixbrl", "sgml-txt"]);
    let mut numbers = BTreeSet::new();
    for file in &corpus.files {
        let row = &file.row;
        let (accession, cik) = (row.accession.as_deref().unwrap(), row.cik.as_deref().unwrap());
        assert!(accession.parse::<eightk_core::Accession>().is_ok() && accession.starts_with("90000"), "{accession}");
        assert!(numbers.insert(accession.to_owned()), "{accession} twice");
        assert!(!row.company.as_deref().unwrap().is_empty() && row.filed.is_some() && !row.items.is_empty());
        let folder = accession.replace('-', "");
        let url = format!("https://www.sec.gov/Archives/edgar/data/{cik}/{folder}/{}", file.name);
        assert_eq!(row.url.as_deref(), Some(url.as_str()));
        if row.kind == "sgml-txt" {
            assert_eq!(file.name, format!("{accession}.txt"));
        }
        // A document that was cut on its way is told by its last tag.
        let end = String::from_utf8_lossy(&file.bytes).to_lowercase();
        assert!(end.contains("</html>") || end.contains("</text>"), "{}", file.name);
    }
}

#[test]
fn sentences_vary_and_families_share_their_wording() {
    let corpus = generate(&Options { filings: 800, seed: 5, rivals: 8, sparse: true });
    let masked = |s: &str| -> String { s.chars().filter(|c| c.is_ascii_lowercase() || *c == ' ').collect() };
    let sentences: Vec<String> = corpus.files.iter().flat_map(|f| &f.planted).map(|p| p.sentence.clone()).collect();
    let distinct: BTreeSet<&String> = sentences.iter().collect();
    assert!(distinct.len() * 100 >= sentences.len() * 98, "{} of {}", distinct.len(), sentences.len());
    let templates: BTreeSet<String> = sentences.iter().map(|s| masked(s)).collect();
    assert!(templates.len() > 150, "{}", templates.len());
}

/// Words without amounts, capitals and digits: what the wording alone tells.
fn wording(sentence: &str) -> BTreeSet<String> {
    let word = |w: &str| w.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let told = |w: &&str| !w.contains(|c: char| c.is_ascii_digit()) && !w.starts_with(char::is_uppercase);
    sentence.split_whitespace().filter(told).map(word).collect()
}

#[test]
fn rivals_controls_how_many_filings_are_near_identical() {
    let near = |rivals: usize| {
        let corpus = generate(&Options { filings: 240, seed: 9, rivals, sparse: false });
        let answers: Vec<BTreeSet<String>> = corpus
            .files
            .iter()
            .flat_map(|f| &f.planted)
            .filter(|p| p.fact == "charges" && p.answer)
            .map(|p| wording(&p.sentence))
            .collect();
        let alike =
            |a: &BTreeSet<String>, b: &BTreeSet<String>| a.intersection(b).count() * 10 >= a.union(b).count() * 9;
        let pairs: usize = answers.iter().map(|a| answers.iter().filter(|b| alike(a, b)).count() - 1).sum();
        pairs as f64 / answers.len() as f64
    };
    let (few, many) = (near(1), near(12));
    assert!(few < 1.0 && many > 4.0, "{few} {many}");
}

#[test]
fn no_slot_stays_open_and_no_filing_is_too_short() {
    let corpus = generate(&Options { filings: 400, seed: 11, rivals: 1, sparse: true });
    for file in &corpus.files {
        for planted in &file.planted {
            let s = &planted.sentence;
            assert!(!s.contains(['{', '}']) && !s.contains("  ") && s.ends_with('.') && s.len() >= 60, "{s}");
        }
    }
}

#[test]
fn odd_options_are_fine() {
    assert!(generate(&Options { filings: 0, seed: 0, rivals: 0, sparse: false }).files.is_empty());
    assert_eq!(generate(&Options { filings: 3, seed: 0, rivals: 0, sparse: false }).files.len(), 3);
}
