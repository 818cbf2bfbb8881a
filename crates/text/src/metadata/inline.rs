//! Facts of the `dei:` taxonomy on an inline XBRL cover page.

use eightk_core::{FilingDate, Form};

use crate::InlineFact;

use super::{cik, dates, form, tidy};

/// What the facts say of the first registrant.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) company: Option<String>,
    pub(super) former_name: Option<String>,
    pub(super) cik: Option<String>,
    pub(super) tickers: Vec<String>,
    pub(super) form: Option<Form>,
    pub(super) reported: Option<FilingDate>,
}

/// Reads the first fact of each kind, and all tickers: with co-registrants or several classes of stock facts repeat.
pub(super) fn read(facts: &[InlineFact]) -> Facts {
    let mut found = Facts::default();
    let mut amended = false;
    for fact in facts {
        let text = fact.text.trim();
        match fact.name.as_str() {
            "EntityRegistrantName" => found.company = found.company.or_else(|| tidy(text)),
            "EntityInformationFormerLegalOrRegisteredName" => {
                found.former_name = found.former_name.or_else(|| tidy(text).filter(|n| !is_none(n)));
            }
            "EntityCentralIndexKey" => found.cik = found.cik.or_else(|| cik(text)),
            "TradingSymbol" => {
                let ticker = tidy(text).filter(|t| !is_none(t) && !found.tickers.contains(t));
                found.tickers.extend(ticker);
            }
            "DocumentType" => found.form = found.form.or_else(|| form(text)),
            "AmendmentFlag" => amended |= text.eq_ignore_ascii_case("true"),
            "DocumentPeriodEndDate" => {
                found.reported = found.reported.or_else(|| dates::first(text).map(|(day, _)| day));
            }
            _ => {}
        }
    }
    if amended && found.form.is_some() {
        found.form = Some(Form::EightKA);
    }
    found
}

/// "Not applicable" in its spellings, and dashes.
fn is_none(s: &str) -> bool {
    let letters: String = s.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    matches!(letters.as_str(), "" | "na" | "none" | "notapplicable")
}
