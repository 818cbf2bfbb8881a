//! From documents to filings.
//!
//! A search finds documents: of a query with words most hits are exhibits, and several belong to one filing. The filing is its
//! accession number, whatever else the hits say; its primary document is the one numbered 1.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::{Accession, FilingDate, Form};

use super::answer::Hit;
use super::names;
use super::request::Request;
use crate::find::{Found, file_name};

/// Filings, and what came to nothing.
#[derive(Debug, Default)]
pub(super) struct Grouped {
    /// Sorted by accession number.
    pub(super) filings: Vec<Found>,
    /// Filings of other forms.
    pub(super) other_forms: usize,
    /// Filings of other items or days, from answers that are wider than the question.
    pub(super) beside: usize,
    /// Filings of which only exhibits were found.
    pub(super) exhibit_only: usize,
    /// Accession number (or what stands in its place) and reason, sorted.
    pub(super) refused: Vec<(String, String)>,
}

/// Makes filings of documents. `exhibits`: whether one counts that only an exhibit was found of. `wider`: whether hits may lack
/// what was asked for.
pub(super) fn group(
    hits: impl Iterator<Item = (String, Hit)>,
    asked: &Request,
    exhibits: bool,
    wider: bool,
) -> Grouped {
    let mut by_filing: BTreeMap<String, Vec<Hit>> = BTreeMap::new();
    for (name, hit) in hits {
        // What has no number is nobody's: each such hit stands for itself.
        let numbered = hit.accession.parse::<Accession>().is_ok();
        by_filing.entry(if numbered { hit.accession.clone() } else { name }).or_default().push(hit);
    }
    let mut grouped = Grouped::default();
    for (number, mut hits) in by_filing {
        hits.sort_by_cached_key(rank);
        match filing(&hits) {
            Ok(Filed::Other) => grouped.other_forms += 1,
            Ok(Filed::Filing(found)) if !asked.forms.contains(&found.form) => grouped.other_forms += 1,
            Ok(Filed::Filing(found)) if wider && !answers(&found, asked) => grouped.beside += 1,
            Ok(Filed::Filing(found)) if found.document.is_none() => {
                grouped.exhibit_only += 1;
                if exhibits {
                    grouped.filings.push(found);
                }
            }
            Ok(Filed::Filing(found)) => grouped.filings.push(found),
            Err(reason) => {
                let name = if number.is_empty() { "a hit without name".to_owned() } else { shown(&number) };
                grouped.refused.push((name, reason));
            }
        }
    }
    grouped
}

enum Filed {
    Other,
    Filing(Found),
}

/// Best first: the primary document, of several the one whose type is the form's, HTML and text before the rest, then by name.
fn rank(hit: &Hit) -> (bool, bool, bool, String) {
    let name = hit.id.to_ascii_lowercase();
    let readable = [".htm", ".html", ".txt"].iter().any(|end| name.ends_with(end));
    (!is_primary(hit), hit.file_type != hit.form, !readable, hit.id.clone())
}

fn is_primary(hit: &Hit) -> bool {
    match hit.sequence {
        Some(n) => n == 1,
        None => !hit.form.is_empty() && hit.file_type == hit.form,
    }
}

/// A filing from its hits, best first.
fn filing(hits: &[Hit]) -> Result<Filed, String> {
    let Some(first) = hits.first() else { return Err("no hit".to_owned()) };
    // An exhibit's form is that of its filing.
    let form = hits.iter().map(|h| h.form.trim()).find(|f| !f.is_empty()).ok_or("the hit has no form")?;
    if !form.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Err(format!("its form is no form: `{}`", shown(form)));
    }
    let Some(form) = Form::parse(form) else { return Ok(Filed::Other) };
    let accession: Accession = first.accession.parse().map_err(|_| "the hit has no accession number".to_owned())?;
    let filed = hits.iter().find_map(|h| day(&h.filed));
    let filed = filed.ok_or_else(|| format!("its day of filing is no day: `{}`", shown(&first.filed)))?;
    let primary: Vec<&Hit> = hits.iter().filter(|h| is_primary(h)).collect();
    let mut document = None;
    let mut why = None;
    for hit in primary {
        let name = hit.id.split_once(':').map_or("", |(_, name)| name);
        match file_name::checked(name) {
            Ok(name) => {
                document = Some(name);
                break;
            }
            Err(reason) => why = Some(reason),
        }
    }
    if let (None, Some(why)) = (&document, why) {
        return Err(format!("the hit of its primary document cannot be used: {why}"));
    }
    let filers = names::filers(&first.ciks, &first.display_names);
    if filers.iter().all(|f| f.cik.is_empty()) {
        return Err("the hit names no filer with a CIK".to_owned());
    }
    let mut seen = BTreeSet::new();
    let items = hits.iter().flat_map(|h| &h.items).filter(|i| seen.insert(i.as_str())).cloned().collect();
    let report_date = hits.iter().find_map(|h| day(&h.reported));
    Ok(Filed::Filing(Found { accession, form, filed, report_date, items, filers, document, amends: None }))
}

/// Whether a filing is what was asked for, as far as it tells.
fn answers(found: &Found, asked: &Request) -> bool {
    let inside = asked.dates.is_none_or(|(first, last)| first <= found.filed && found.filed <= last);
    let item = asked.items.is_empty() || found.items.is_empty() || found.items.iter().any(|i| asked.items.contains(i));
    inside && item
}

fn day(text: &str) -> Option<FilingDate> {
    text.get(..10).and_then(|d| d.parse().ok())
}

/// Foreign text made fit for a line of a report.
fn shown(text: &str) -> String {
    text.chars().take(100).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::Query;

    fn hit(accession: &str, sequence: u64, file: &str) -> Hit {
        Hit {
            id: format!("{accession}:{file}"),
            accession: accession.to_owned(),
            form: "8-K".to_owned(),
            filed: "2024-03-01".to_owned(),
            reported: "2024-02-28".to_owned(),
            sequence: Some(sequence),
            file_type: if sequence == 1 { "8-K" } else { "EX-99.1" }.to_owned(),
            items: vec!["2.05".to_owned()],
            ciks: vec!["0000012345".to_owned()],
            display_names: vec!["TARN MILLS INC  (CIK 0000012345)".to_owned()],
        }
    }

    const ONE: &str = "0001234567-24-000001";
    const TWO: &str = "0001234567-24-000002";

    fn asked(forms: &[Form]) -> Request {
        let day = |s: &str| s.parse().unwrap();
        let query = Query {
            phrase: String::new(),
            forms: forms.to_vec(),
            items: vec!["2.05".to_owned()],
            from: Some(day("2024-01-01")),
            to: None,
            exhibits: false,
        };
        Request::new(&query, day("1993-01-01"), day("2024-12-31"))
    }

    fn grouped(hits: Vec<Hit>) -> Grouped {
        group(named(hits), &asked(&[Form::EightK]), false, false)
    }

    fn named(hits: impl IntoIterator<Item = Hit>) -> impl Iterator<Item = (String, Hit)> {
        hits.into_iter().map(|h| (h.id.clone(), h))
    }

    #[test]
    fn hits_of_one_filing_are_one_filing() {
        let g = grouped(vec![hit(TWO, 1, "b.htm"), hit(ONE, 3, "y.htm"), hit(ONE, 2, "x.htm"), hit(ONE, 1, "a.htm")]);
        let names: Vec<_> = g.filings.iter().map(|f| f.document.as_deref().unwrap()).collect();
        assert_eq!(names, ["a.htm", "b.htm"]);
        assert_eq!(g.filings[0].filers[0].name, "TARN MILLS INC");
        assert_eq!(g.filings[0].report_date.unwrap().to_string(), "2024-02-28");
    }

    #[test]
    fn exhibits_alone_count_only_on_request() {
        let hits = vec![hit(ONE, 2, "x.htm"), hit(ONE, 3, "y.htm")];
        let g = grouped(hits.clone());
        assert_eq!((g.filings.len(), g.exhibit_only), (0, 1));
        let g = group(named(hits), &asked(&[Form::EightK]), true, false);
        assert_eq!((g.filings.len(), g.exhibit_only, g.filings[0].document.as_deref()), (1, 1, None));
    }

    #[test]
    fn forms_are_exact() {
        let mut amended = hit(ONE, 1, "a.htm");
        amended.form = "8-K/A".to_owned();
        let mut odd = hit(TWO, 1, "b.htm");
        odd.form = "8-K12B".to_owned();
        let g = grouped(vec![amended.clone(), odd.clone()]);
        assert_eq!((g.filings.len(), g.other_forms), (0, 2));
        let g = group(named([amended, odd]), &asked(&[Form::EightKA]), false, false);
        assert_eq!((g.filings.len(), g.other_forms), (1, 1));
    }

    #[test]
    fn of_two_primary_documents_the_readable_one() {
        let g = grouped(vec![hit(ONE, 1, "a.pdf"), hit(ONE, 1, "b.htm")]);
        assert_eq!(g.filings[0].document.as_deref(), Some("b.htm"));
        let mut unnumbered = hit(ONE, 1, "a.htm");
        unnumbered.sequence = None;
        assert_eq!(grouped(vec![unnumbered]).filings.len(), 1);
    }

    #[test]
    fn an_unusable_hit_is_refused_with_its_reason() {
        let spoiled = |spoil: fn(&mut Hit)| {
            let mut bad = hit(ONE, 1, "a.htm");
            spoil(&mut bad);
            let g = grouped(vec![bad, hit(TWO, 1, "b.htm")]);
            assert_eq!((g.filings.len(), g.refused.len()), (1, 1));
            g.refused[0].clone()
        };
        assert!(spoiled(|h| h.id = h.accession.clone()).1.contains("it is empty"));
        assert!(spoiled(|h| h.id.push_str("/../../x")).1.contains("a separator"));
        assert!(spoiled(|h| h.filed = "03/01/2024".to_owned()).1.contains("no day: `03/01/2024`"));
        assert!(spoiled(|h| h.form.clear()).1.contains("no form"));
        assert!(spoiled(|h| h.form = "\u{7}?".to_owned()).1.contains("` ?`"));
        let unnumbered = spoiled(|h| h.accession = "undefined".to_owned());
        assert_eq!(unnumbered, (format!("{ONE}:a.htm"), "the hit has no accession number".to_owned()));
        assert!(spoiled(|h| h.accession.clear()).1.contains("no accession number"));
        let nobody = spoiled(|h| {
            h.ciks.clear();
            h.display_names.clear();
        });
        assert!(nobody.1.contains("no filer"));
    }

    #[test]
    fn wider_answers_are_narrowed() {
        let mut other = hit(ONE, 1, "a.htm");
        other.items = vec!["8.01".to_owned()];
        let mut early = hit(TWO, 1, "b.htm");
        early.filed = "2020-01-01".to_owned();
        let g = group(named([other, early]), &asked(&[Form::EightK]), false, true);
        assert_eq!((g.filings.len(), g.beside), (0, 2));
    }
}
