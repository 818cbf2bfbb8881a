//! Word lists.
//!
//! Kinds of abbreviation, told apart by what may follow them inside a sentence, and the words by which a sentence is known to begin.

/// What a word before a period is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `e.g.`, `v.`, `Mr.`: something always follows.
    Never,
    /// `No.`, `Sec.`, `Vol.`: a number follows, or it was a word of its own.
    Number,
    /// `Fed.`, `Civ.`: part of a citation, where more short forms or a number follow.
    Citation,
    /// `Jan.`: a day follows.
    Month,
    /// `St.`, `Col.`: a name follows.
    Name,
    /// `Inc.`, `Ltd.`, `N.V.`: the end of a company's name, where the sentence may end too.
    Company,
    /// `U.S.`, `U.K.`: a noun may follow, or the sentence ends.
    Country,
    /// `p.m.`: a time zone may follow, or the sentence ends.
    Hour,
    /// `Jr.`, `M.D.`: the end of a person's name.
    Suffix,
    /// A single capital.
    Initial,
    /// Digits.
    Digits,
    /// Anything else.
    Other,
}

/// Tells the kind of the word before a period; `word` has no period at its end.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn kind(word: &str) -> Kind {
    let mut chars = word.chars();
    let (Some(first), rest) = (chars.next(), chars.as_str()) else { return Kind::Other };
    if rest.is_empty() && first.is_uppercase() {
        return Kind::Initial;
    }
    if first.is_ascii_digit() || (first == '$' && rest.starts_with(|c: char| c.is_ascii_digit())) {
        return if word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'$' | b',' | b'.' | b'-')) {
            Kind::Digits
        } else {
            Kind::Other
        };
    }
    if word.len() > 9 {
        return Kind::Other;
    }
    match word {
        "e.g" | "E.g" | "i.e" | "I.e" | "cf" | "Cf" | "viz" | "v" | "vs" | "Mr" | "Mrs" | "Ms" | "Mses" | "Messrs"
            | "Dr" | "Drs" | "Prof" | "Hon" | "Rev" | "c.f" => Kind::Never,
        "No" | "Nos" | "NO" | "NOS" | "no" | "nos" | "Sec" | "Secs" | "sec" | "Sect" | "Art" | "Arts" | "Ex" | "Exh"
            | "Fig" | "Figs" | "Vol" | "Vols" | "Reg" | "Regs" | "Para" | "Paras" | "para" | "Cl" | "Ch" | "Pt"
            | "Ste" | "Apt" | "Ext" | "ext" | "Bldg" | "Rm" | "Fl" | "pp" | "p" | "approx" | "Approx" | "appx"
            | "est" | "avg" | "Tel" | "Supp" | "Stat" | "Rul" | "Tr" | "Sch" | "Amend" => Kind::Number,
        "Jan" | "Feb" | "Mar" | "Apr" | "Jun" | "Jul" | "Aug" | "Sept" | "Sep" | "Oct" | "Nov" | "Dec" => Kind::Month,
        "Fed" | "Civ" | "Crim" | "Proc" | "Cal" | "Del" | "Super" | "Ct" | "Cir" | "Bankr" | "App" | "Dist" => {
            Kind::Citation
        }
        "St" | "Ft" | "Mt" | "Gov" | "Sen" | "Rep" | "Gen" | "Col" | "Maj" | "Capt" | "Lt" | "Sgt" | "Adm" | "Cmdr"
            | "Brig" | "Pres" => Kind::Name,
        "Inc" | "INC" | "Corp" | "CORP" | "Co" | "CO" | "Cos" | "Ltd" | "LTD" | "Ltda" | "Bros" | "Pte" | "Pty"
            | "plc" | "Plc" | "PLC" | "LLC" | "LLP" | "LP" | "Ges" | "Hldgs" | "Intl" | "Int’l" | "Int'l" | "Nat’l"
            | "Nat'l" | "Mfg" | "Assn" | "Ass’n" | "Dept" | "Cie" | "Bhd" | "Sdn" | "r.l" | "a.r.l" | "m.b.H"
            | "Bancorp" => Kind::Company,
        "U.S" | "U.K" | "E.U" | "U.S.A" | "U.N" | "U.A.E" | "P.R.C" | "D.C" | "N.Y" | "N.J" => Kind::Country,
        "a.m" | "p.m" | "A.M" | "P.M" => Kind::Hour,
        "Jr" | "Sr" | "Esq" | "M.D" | "Ph.D" | "J.D" | "M.B.A" | "C.P.A" | "PhD" => Kind::Suffix,
        _ if dotted(word) => Kind::Company,
        _ => Kind::Other,
    }
}

/// Letters with periods between them: `L.L.C`, `S.p.A`, `S.á.r.l`.
fn dotted(word: &str) -> bool {
    let mut parts = word.split('.');
    let short = |p: &str| !p.is_empty() && p.chars().count() < 3 && p.chars().all(char::is_alphabetic);
    word.contains('.')
        && word.starts_with(char::is_uppercase)
        && parts.by_ref().take(5).all(short)
        && parts.next().is_none()
}

/// Words that begin a sentence and hardly ever go on a company's name.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn starts(word: &str) -> bool {
    matches!(
        word,
        "A" | "According" | "Accordingly" | "Additional" | "Additionally" | "After" | "All" | "Also" | "Although"
            | "Among" | "An" | "Any" | "As" | "At" | "Based" | "Because" | "Before" | "Beginning" | "Both" | "But"
            | "By" | "Certain" | "Concurrent" | "Concurrently" | "Consequently" | "Copies" | "Currently" | "Dr"
            | "During" | "Each" | "Effective" | "Either" | "Except" | "Following" | "For" | "From" | "Further"
            | "Furthermore" | "Given" | "He" | "Her" | "His" | "However" | "If" | "Immediately" | "In" | "It"
            | "Its" | "Later" | "Likewise" | "Messrs" | "Moreover" | "Mr" | "Mrs" | "Ms" | "Neither" | "No" | "None"
            | "Nothing" | "Notwithstanding" | "On" | "Our" | "Please" | "Previously" | "Prior" | "Pursuant"
            | "Separately" | "She" | "Similarly" | "Simultaneously" | "Since" | "Some" | "Subject" | "Subsequent"
            | "Subsequently" | "Such" | "That" | "The" | "Their" | "Then" | "There" | "Thereafter" | "Therefore"
            | "These" | "They" | "This" | "Those" | "Through" | "Thus" | "To" | "Under" | "Unless" | "Until"
            | "Upon" | "We" | "When" | "Where" | "Whether" | "While" | "With" | "Within" | "Without" | "You"
            | "Your"
    )
}

/// Words that tell that what stands before them is a subject.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn finite(word: &str) -> bool {
    matches!(
        word,
        "is" | "are" | "was" | "were" | "has" | "have" | "had" | "will" | "shall" | "may" | "can" | "could"
            | "would" | "should" | "must" | "does" | "did" | "do" | "announced" | "agreed" | "intends" | "expects"
            | "believes" | "issued" | "entered" | "served" | "serves" | "currently" | "also" | "provides"
            | "approved" | "elected" | "received" | "reported" | "plans" | "operates" | "owns" | "holds"
    )
}

/// Nouns that follow `U.S.` in capitals.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn national(word: &str) -> bool {
    matches!(
        word,
        "Government" | "Treasury" | "Treasuries" | "Securities" | "Department" | "Bankruptcy" | "District"
            | "Federal" | "Internal" | "Food" | "Patent" | "Court" | "Dollar" | "Dollars" | "Bank" | "GAAP"
            | "Attorney" | "Environmental" | "Customs" | "Supreme" | "Congress" | "Generally" | "Holders" | "Person"
            | "Persons" | "Army" | "Navy" | "Air" | "Postal" | "Trustee" | "Bancorp" | "Steel" | "Borrower"
            | "Senator" | "Representative" | "Olympic" | "Tax" | "Dept" | "Energy" | "Nuclear" | "Centers" | "Small"
            | "Export" | "House" | "Senate" | "President" | "Employees" | "Plan" | "Pension" | "Subsidiary"
            | "Subsidiaries" | "Revolving" | "Term" | "Private" | "Foreign" | "Commodity" | "Coast" | "Forest"
    )
}

/// Words after which a single letter is a name of its own: `Class A.`, `Exhibit B.`
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn lettered(word: &str) -> bool {
    matches!(
        word,
        "Class" | "Series" | "Exhibit" | "Exhibits" | "Schedule" | "Annex" | "Appendix" | "Part" | "Tranche"
            | "Plan" | "Section" | "Article" | "Rule" | "Regulation" | "Group" | "Phase" | "Tier" | "Title"
            | "Attachment" | "Proposal" | "Form" | "Option" | "and" | "or"
    )
}

/// Words that follow an hour.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn zone(word: &str) -> bool {
    matches!(
        word,
        "Eastern" | "Pacific" | "Central" | "Mountain" | "New" | "London" | "Greenwich" | "Local" | "Houston"
            | "Chicago" | "Dallas" | "Los" | "San" | "Hong" | "Tokyo" | "Israel" | "Daylight" | "Standard"
            | "Toronto" | "Minneapolis" | "Denver" | "Boston" | "Atlanta"
    ) || (word.len() < 5 && word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase()))
}

/// Words whose number ends in a period as a heading or a label: `Item 2.05.`
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn numbered(word: &str) -> bool {
    matches!(
        word.to_ascii_lowercase().as_str(),
        "item" | "items" | "section" | "article" | "proposal" | "part" | "note" | "exhibit" | "annex" | "schedule"
            | "appendix" | "amendment"
    )
}

/// Legal forms written out, which follow a short one: `Stanley & Co. Incorporated`.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn form(word: &str) -> bool {
    matches!(
        word,
        "Incorporated" | "Limited" | "Company" | "Corporation" | "International" | "Partnership" | "KG" | "AG"
            | "SE" | "NV" | "SA" | "USA"
    )
}

/// Words that begin the titles of the Items of periodic reports.
#[rustfmt::skip] // One word a line would hide the lists.
pub(super) fn report_title(word: &str) -> bool {
    matches!(
        word,
        "Management’s" | "Management's" | "Risk" | "Legal" | "Quantitative" | "Financial" | "Controls" | "Selected"
            | "Unregistered" | "Exhibits" | "Market" | "Regulation" | "Disclosure" | "Results" | "Submission"
            | "Entry" | "Costs" | "Other" | "Departure" | "Certain" | "Directors" | "Executive"
            | "Security" | "Principal"
    )
}
