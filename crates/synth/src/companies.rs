//! Companies that do not exist.
//!
//! Names are put together from syllables and a trade, so that there are hundreds of thousands and each first word is its own
//! as long as possible; a list of plausible whole names would sooner or later hit a real one.

use eightk_core::INVENTED_CIKS;

use crate::rng::Rng;

/// A company of a generated corpus.
#[derive(Debug, Clone)]
pub(crate) struct Company {
    /// `Tarnwick Marine, Inc.`
    pub(crate) full: String,
    /// `Tarnwick Marine`
    pub(crate) short: String,
    /// `TARNWICK MARINE INC`
    pub(crate) conformed: String,
    /// Four letters.
    pub(crate) ticker: String,
    /// Digits without leading zeros, above any number that is in use.
    pub(crate) cik: String,
    /// `a Delaware corporation`
    pub(crate) form: &'static str,
    /// What it makes: `pumps and valves`.
    pub(crate) makes: &'static str,
    /// Whether it is a partnership, so that it does not call itself a company.
    pub(crate) partnership: bool,
    /// The city of its office.
    pub(crate) city: &'static str,
}

const ROOTS: [&str; 24] = [
    "Tarn", "Vel", "Morv", "Quil", "Brem", "Ostr", "Kelv", "Lund", "Harv", "Fenn", "Dray", "Pell", "Orr", "Sund",
    "Wex", "Thal", "Gris", "Norr", "Cald", "Ivr", "Zand", "Ulv", "Jarr", "Ebb",
];
const MIDDLES: [&str; 5] = ["", "a", "en", "or", "i"];
const ENDS: [&str; 16] = [
    "wick", "dale", "mere", "nova", "holt", "by", "sen", "stead", "vik", "bello", "landa", "teth", "combe", "gard",
    "lund", "rane",
];
/// Trade, what it makes.
const TRADES: [(&str, &str); 24] = [
    ("Robotics", "welding robots and grippers"),
    ("Biosciences", "assays for blood banks"),
    ("Foods", "frozen vegetables and soups"),
    ("Logistics", "warehousing and parcel services"),
    ("Optics", "lenses for microscopes"),
    ("Semiconductor", "power chips for motors"),
    ("Instruments", "pressure gauges and flow meters"),
    ("Apparel", "work clothes and boots"),
    ("Software", "payroll software for schools"),
    ("Therapeutics", "medicines for rare skin diseases"),
    ("Paper", "carton and tissue"),
    ("Ceramics", "tiles and kiln furniture"),
    ("Networks", "switches for rural carriers"),
    ("Marine", "outboard engines and hull parts"),
    ("Steel", "rolled bar and wire"),
    ("Publishing", "textbooks and atlases"),
    ("Plastics", "bottles and closures"),
    ("Hotels", "budget hotels at airports"),
    ("Diagnostics", "test strips for clinics"),
    ("Tools", "hand tools and saw blades"),
    ("Energy", "gas turbines for ferries"),
    ("Furniture", "office chairs and desks"),
    ("Textiles", "carpet yarn and felt"),
    ("Devices", "hearing aids and chargers"),
];
/// Ending of the name, EDGAR's spelling of it, apposition.
const FORMS: [(&str, &str, &str); 8] = [
    (", Inc.", " INC", "a Delaware corporation"),
    (" Corporation", " CORP", "an Ohio corporation"),
    (" Corp.", " CORP /DE/", "a Nevada corporation"),
    (" Company", " CO", "a Maryland corporation"),
    (" Holdings, Inc.", " HOLDINGS INC", "a Delaware corporation"),
    (", L.P.", " L P", "a Delaware limited partnership"),
    (" Group, Inc.", " GROUP INC", "a Texas corporation"),
    (" plc", " PLC", "a company incorporated in England and Wales"),
];
pub(crate) const CITIES: [&str; 16] = [
    "Leeds", "Boise", "Dayton", "Tulsa", "Lille", "Kassel", "Turin", "Osaka", "Fresno", "Toledo", "Malmo", "Durban",
    "Omaha", "Bergen", "Gdansk", "Puebla",
];

/// Company number `index`; different numbers give different short names up to some millions.
pub(crate) fn company(index: usize, seed: u64) -> Company {
    let mut rng = Rng::new(seed, 0x00C0_0000 + index as u64);
    let first = word(index);
    let words = ROOTS.len() * MIDDLES.len() * ENDS.len();
    // A second word once first words run out, so that no two companies share a short name.
    let second = if index >= words { format!(" {}", word(index / words * 7919 + 13)) } else { String::new() };
    let (trade, makes) = TRADES.get(rng.below(TRADES.len())).copied().unwrap_or(("Works", "parts"));
    let (mut ending, mut conformed, mut form) =
        FORMS.get(rng.below(FORMS.len())).copied().unwrap_or((", Inc.", " INC", "a corporation"));
    if !index.is_multiple_of(5) && ending == ", L.P." {
        (ending, conformed, form) = (", Inc.", " INC", "a Delaware corporation");
    }
    let short = format!("{first}{second} {trade}");
    let letters: String = first.chars().chain("XQZJ".chars()).take(3).collect();
    let last = char::from(b'A' + u8::try_from(index % 26).unwrap_or(0));
    Company {
        full: format!("{short}{ending}"),
        conformed: format!("{}{conformed}", short.to_uppercase()),
        ticker: format!("{}{last}", letters.to_uppercase()),
        cik: (INVENTED_CIKS.start + index as u64).to_string(),
        form,
        makes,
        partnership: ending == ", L.P.",
        city: CITIES.get(rng.below(CITIES.len())).copied().unwrap_or("Leeds"),
        short,
    }
}

fn word(index: usize) -> String {
    // Neighbouring numbers differ in every syllable, so that a corpus does not read like a list.
    let root = index % ROOTS.len();
    let end = (index / ROOTS.len() + root * 5) % ENDS.len();
    let middle = (index / (ROOTS.len() * ENDS.len()) + root + end) % MIDDLES.len();
    let part = |list: &[&'static str], i: usize| list.get(i).copied().unwrap_or_default();
    let (root, middle, end) = (part(&ROOTS, root), part(&MIDDLES, middle), part(&ENDS, end));
    format!("{root}{middle}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn short_names_are_distinct() {
        let names: BTreeSet<String> = (0..1500).map(|i| company(i, 1).short).collect();
        assert_eq!(names.len(), 1500);
    }
}
