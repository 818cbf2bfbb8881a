//! How a filing speaks of its filer, and the words that its sentences are made of.
//!
//! A pattern is a sentence with slots in braces. Slots of grammar (`{Subj}`, `{poss}`, `{s}`) follow the voice, slots of wording
//! (`{kind}`, `{approx}`) are chosen per family, so that the filings of one family are near-identical, and slots of fact
//! (`{amount}`, `{count}`, `{place}`) per filing.

use crate::rng::Rng;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// the Company
    Company,
    /// we
    We,
    /// the Registrant
    Registrant,
    /// the Corporation
    Corporation,
    /// the Partnership
    Partnership,
    /// By its short name.
    Named,
}

impl Voice {
    fn noun(self) -> &'static str {
        match self {
            Self::Company | Self::We | Self::Named => "Company",
            Self::Registrant => "Registrant",
            Self::Corporation => "Corporation",
            Self::Partnership => "Partnership",
        }
    }

    /// The definition that belongs to the voice, with a short name or without.
    pub(crate) fn definition(self, first_word: &str, rng: &mut Rng) -> String {
        match self {
            Self::We => rng
                .pick(&["(“we,” “us” or “our”)", "(the “Company,” “we” or “us”)", "(“we” or the “Company”)"])
                .to_owned(),
            Self::Named => format!("(“{first_word}”)"),
            _ => {
                let noun = self.noun();
                match rng.below(7) {
                    0 => format!("(“{first_word}” or the “{noun}”)"),
                    1 => format!("(together with its subsidiaries, the “{noun}”)"),
                    2 => format!("(“{noun}”)"),
                    3 => format!("(the {noun})"),
                    _ => format!("(the “{noun}”)"),
                }
            }
        }
    }
}

/// Fills the slots of `pattern`.
pub(crate) fn fill(pattern: &str, voice: Voice, name: &str, family: &mut Rng, own: &mut Rng, year: usize) -> String {
    let mut out = String::with_capacity(pattern.len() * 2);
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((slot, after)) = after.split_once('}') else { break };
        out.push_str(&word(slot, voice, name, family, own, year));
        rest = after;
    }
    out.push_str(rest);
    capitalised(&out)
}

/// With a capital at its beginning: slots do not know where they stand.
pub(crate) fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn word(slot: &str, voice: Voice, name: &str, family: &mut Rng, own: &mut Rng, year: usize) -> String {
    let we = voice == Voice::We;
    let the = || if voice == Voice::Named { name.to_owned() } else { format!("the {}", voice.noun()) };
    let either = |ours: &str, theirs: &str| if we { ours.to_owned() } else { theirs.to_owned() };
    match slot {
        "subj" => either("we", &the()),
        "obj" => either("us", &the()),
        "poss" => either("our", &format!("{}’s", the())),
        "its" => either("our", "its"),
        "it" => either("we", "it"),
        "s" => either("", "s"),
        "es" => either("", "es"),
        "has" => either("have", "has"),
        "is" => either("are", "is"),
        "approx" => family.pick(&["approximately", "about", "roughly", "an estimated", "some", "close to"]).to_owned(),
        "kind" => family
            .pick(&[
                "restructuring",
                "severance and related",
                "severance and exit",
                "restructuring and severance",
                "exit and severance",
                "employee termination",
            ])
            .to_owned(),
        "pretax" => family.pick(&["", "pre-tax ", "one-time ", "pretax ", "total "]).to_owned(),
        "when" => format!(
            "in the {} quarter of {}{}",
            family.pick(&["first", "second", "third", "fourth"]),
            family.pick(&["fiscal ", "fiscal year ", "", "calendar "]),
            year + own.below(2)
        ),
        "month" => format!("{} {}", own.pick(&MONTHS), year + 1),
        "amount" => money(own),
        "small" => format!("${}.{} million", own.between(1, 4), own.between(1, 9)),
        "range" => {
            let low = own.between(3, 60);
            let high = low + own.between(1, 9);
            match family.below(4) {
                0 => format!("${low} million to ${high} million"),
                1 => format!("between ${low} million and ${high} million"),
                2 => format!("from ${low}.0 million to ${high}.5 million"),
                _ => format!("${low} to ${high} million"),
            }
        }
        "count" => counted(own.between(24, 1900)),
        "percent" => match family.below(3) {
            0 => format!("{} percent", own.between(4, 38)),
            _ => format!("{}%", own.between(4, 38)),
        },
        "place" => own.pick(&crate::companies::CITIES).to_owned(),
        "site" => family
            .pick(&["plant", "warehouse", "design office", "factory", "service center", "research site"])
            .to_owned(),
        "people" => family.pick(&["employees", "people", "workers", "staff members", "associates"]).to_owned(),
        "year" => (year + 1).to_string(),
        _ => String::new(),
    }
}

pub(crate) const PLANS: [&str; 8] = [
    "restructuring plan",
    "reorganization plan",
    "cost reduction program",
    "consolidation plan",
    "realignment plan",
    "restructuring program",
    "site consolidation",
    "downsizing plan",
];

pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn money(rng: &mut Rng) -> String {
    match rng.below(10) {
        0 => format!("${}.{} billion", rng.between(1, 2), rng.between(1, 9)),
        1 => format!("${},{:03},000", rng.between(2, 90), rng.between(1, 9) * 100),
        2..=5 => format!("${} million", rng.between(2, 240)),
        _ => format!("${}.{} million", rng.between(1, 90), rng.between(1, 9)),
    }
}

/// `1,240`.
pub(crate) fn counted(n: usize) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grammar_follows_the_voice() {
        let told = |voice| {
            let (mut family, mut own) = (Rng::new(1, 1), Rng::new(1, 2));
            fill(
                "{subj} expect{s} {poss} {site} to close, which {it} regret{s}.",
                voice,
                "Tarnwick",
                &mut family,
                &mut own,
                2030,
            )
        };
        assert!(told(Voice::Company).starts_with("The Company expects the Company’s "));
        assert!(told(Voice::We).starts_with("We expect our ") && told(Voice::We).ends_with("which we regret."));
        assert!(told(Voice::Named).starts_with("Tarnwick expects Tarnwick’s "));
    }
}
