//! Which of the filings found are downloaded.

use std::collections::BTreeMap;

use eightk_core::Form;
use serde::{Deserialize, Serialize};

use super::Found;

/// The rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PickRule {
    /// One filing per company: the earliest 8-K.
    #[default]
    EarliestPerCompany,
    /// Every filing.
    All,
}

impl PickRule {
    /// The rule in words, for people.
    pub const fn statement(self) -> &'static str {
        match self {
            Self::EarliestPerCompany => "one per company: its earliest 8-K (without one: 8-K/A), ties by accession",
            Self::All => "every filing found",
        }
    }
}

/// What was picked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picked {
    /// Sorted by accession number.
    pub picks: Vec<Found>,
    /// How many were passed over, by reason.
    pub passed_over: BTreeMap<&'static str, usize>,
}

/// Picks by the rule. The order of `found` does not matter.
pub fn pick(found: &[Found], rule: PickRule) -> Picked {
    let mut picked = Picked::default();
    let mut by_number: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
    for filing in found {
        by_number.entry(filing.accession.as_str()).or_default().push(filing);
    }
    let mut best: BTreeMap<Company, &Found> = BTreeMap::new();
    for mut same in by_number.into_values() {
        // Of a filing that was found twice, the one that tells more.
        same.sort_by_cached_key(|f| fullness(f));
        let Some((filing, rest)) = same.split_first() else { continue };
        if !rest.is_empty() {
            *picked.passed_over.entry("found more than once").or_default() += rest.len();
        }
        let company = match rule {
            PickRule::EarliestPerCompany => company(filing),
            PickRule::All => Company::Filing(filing.accession.to_string()),
        };
        match best.entry(company) {
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(filing);
            }
            std::collections::btree_map::Entry::Occupied(mut place) => {
                let (keep, pass) =
                    if rank(filing) < rank(place.get()) { (*filing, *place.get()) } else { (*place.get(), *filing) };
                place.insert(keep);
                let reason = match (pass.form, keep.form) {
                    (Form::EightKA, Form::EightK) => "amendments, where the company has an 8-K",
                    _ => "later filings of the same company",
                };
                *picked.passed_over.entry(reason).or_default() += 1;
            }
        }
    }
    picked.picks = best.into_values().cloned().collect();
    picked.picks.sort_by(|a, b| a.accession.cmp(&b.accession));
    picked
}

/// Who a filing is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Company {
    /// Names change, the number stays.
    Cik(String),
    Name(String),
    /// Nobody is named: it stands for itself.
    Filing(String),
}

fn company(filing: &Found) -> Company {
    match filing.issuer() {
        Some(f) if !f.cik.is_empty() => Company::Cik(f.cik.clone()),
        Some(f) if !f.name.trim().is_empty() => Company::Name(super::words::fold(&f.name)),
        _ => Company::Filing(filing.accession.to_string()),
    }
}

fn rank(filing: &Found) -> (bool, eightk_core::FilingDate, &str) {
    (filing.form == Form::EightKA, filing.filed, filing.accession.as_str())
}

/// Smaller for what tells more; total, so that the order of finding cannot matter.
fn fullness(filing: &Found) -> (bool, std::cmp::Reverse<(usize, usize)>, String) {
    let told = std::cmp::Reverse((filing.items.len(), filing.filers.len()));
    (filing.document.is_none(), told, format!("{filing:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::Filer;

    fn filing(number: u32, cik: &str, name: &str, form: Form, filed: &str) -> Found {
        let filer = |cik: &str, name: &str| Filer { cik: cik.to_owned(), name: name.to_owned(), tickers: Vec::new() };
        Found {
            accession: format!("0001234567-24-{number:06}").parse().unwrap(),
            form,
            filed: filed.parse().unwrap(),
            report_date: None,
            items: vec!["2.05".to_owned()],
            filers: vec![filer(cik, name), filer("77", "GUARANTOR")],
            document: Some("a.htm".to_owned()),
            amends: None,
        }
    }

    fn numbers(picked: &Picked) -> Vec<u32> {
        picked.picks.iter().map(|f| f.accession.as_str()[14..].parse().unwrap()).collect()
    }

    #[test]
    fn the_earliest_of_each_company() {
        let found = [
            filing(4, "1", "A", Form::EightK, "2024-03-02"),
            filing(3, "1", "A RENAMED", Form::EightK, "2024-03-01"),
            filing(2, "1", "A", Form::EightK, "2024-03-01"),
            filing(1, "1", "A", Form::EightKA, "2024-01-01"),
            filing(5, "2", "B", Form::EightKA, "2024-01-01"),
            filing(6, "", "Tarn  Mills", Form::EightK, "2024-01-02"),
            filing(7, "", "TARN MILLS", Form::EightK, "2024-01-01"),
        ];
        let picked = pick(&found, PickRule::EarliestPerCompany);
        assert_eq!(numbers(&picked), [2, 5, 7]);
        let counts: Vec<_> = picked.passed_over.iter().map(|(r, n)| format!("{n} {r}")).collect();
        assert_eq!(counts, ["1 amendments, where the company has an 8-K", "3 later filings of the same company"]);
        assert_eq!(numbers(&pick(&found, PickRule::All)), [1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_filing_found_twice_is_one() {
        let full = filing(1, "1", "A", Form::EightK, "2024-03-02");
        let poor = Found { document: None, ..full.clone() };
        let picked = pick(&[poor, full.clone()], PickRule::All);
        assert_eq!(picked.picks, [full]);
        assert_eq!(picked.passed_over.get("found more than once"), Some(&1));
    }

    proptest::proptest! {
        #[test]
        fn order_of_finding_does_not_matter(
            rows in proptest::collection::vec((0u32..12, 0u8..4, 0u8..2, 1u8..5, 0u8..3), 0..12),
            seed in 0usize..1000,
        ) {
            let form = |a: u8| if a == 0 { Form::EightK } else { Form::EightKA };
            let found: Vec<Found> = rows.iter().map(|&(n, cik, a, day, doc)| {
                let cik = if cik == 0 { String::new() } else { cik.to_string() };
                let mut f = filing(n, &cik, "A", form(a), &format!("2024-03-0{day}"));
                f.document = (doc > 0).then(|| format!("{doc}.htm"));
                f
            }).collect();
            let mut other = found.clone();
            if !other.is_empty() { let by = seed % other.len(); other.rotate_left(by); }
            other.reverse();
            for rule in [PickRule::EarliestPerCompany, PickRule::All] {
                let picked = pick(&found, rule);
                let passed: usize = picked.passed_over.values().sum();
                proptest::prop_assert_eq!(picked.picks.len() + passed, found.len());
                proptest::prop_assert_eq!(&picked, &pick(&other, rule));
            }
        }
    }
}
