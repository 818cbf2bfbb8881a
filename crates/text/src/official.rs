//! The official titles of the form's items, as data: where plain text is put back into paragraphs and where Items are found, the
//! same table says what a title is.

/// An item of the form.
pub(crate) struct Official {
    /// `2.05`, or `5` in the numbering before August 2004.
    pub(crate) number: &'static str,
    /// Its official title.
    pub(crate) title: &'static str,
    /// Further words that filers put into it, parted by spaces.
    pub(crate) words: &'static str,
    /// Other ways in which filers begin it.
    pub(crate) openings: &'static [&'static str],
}

const fn row(
    number: &'static str,
    title: &'static str,
    words: &'static str,
    openings: &'static [&'static str],
) -> Official {
    Official { number, title, words, openings }
}

/// Items of the form since 23 August 2004.
pub(crate) const CURRENT: &[Official] = &[
    row(
        "1.01",
        "Entry into a Material Definitive Agreement",
        "agreements amendment",
        &["Entry into Material Definitive Agreement"],
    ),
    row(
        "1.02",
        "Termination of a Material Definitive Agreement",
        "agreements",
        &["Termination of Material Definitive Agreement"],
    ),
    row("1.03", "Bankruptcy or Receivership", "", &[]),
    row("1.04", "Mine Safety - Reporting of Shutdowns and Patterns of Violations", "", &[]),
    row("1.05", "Material Cybersecurity Incidents", "cyber security", &[]),
    row("2.01", "Completion of Acquisition or Disposition of Assets", "", &["Acquisition or Disposition of Assets"]),
    row(
        "2.02",
        "Results of Operations and Financial Condition",
        "disclosure conditions",
        &["Disclosure of Results of Operations"],
    ),
    row(
        "2.03",
        "Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a \
         Registrant",
        "",
        &["Creation of Direct Financial Obligation"],
    ),
    row(
        "2.04",
        "Triggering Events That Accelerate or Increase a Direct Financial Obligation or an Obligation under an \
         Off-Balance Sheet Arrangement",
        "registrant",
        &[],
    ),
    row("2.05", "Costs Associated with Exit or Disposal Activities", "cost", &["Cost Associated with Exit"]),
    row("2.06", "Material Impairments", "", &[]),
    row(
        "3.01",
        "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
        "",
        &[],
    ),
    row("3.02", "Unregistered Sales of Equity Securities", "sale", &[]),
    row(
        "3.03",
        "Material Modification to Rights of Security Holders",
        "modifications",
        &["Material Modification of Rights"],
    ),
    row(
        "4.01",
        "Changes in Registrant's Certifying Accountant",
        "independent accountants",
        &["Change in Registrant's Certifying Accountant"],
    ),
    row(
        "4.02",
        "Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
        "nonreliance",
        &[],
    ),
    row("5.01", "Changes in Control of Registrant", "", &["Changes in Control of the Registrant", "Change in Control"]),
    row(
        "5.02",
        "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; \
         Compensatory Arrangements of Certain Officers",
        "principal principal principal resignation retirement",
        &[
            TITLE_502_UNTIL_2006,
            "Departure of Certain Officers",
            "Election of Directors",
            "Appointment of",
            "Compensatory Arrangements of Certain Officers",
        ],
    ),
    row(
        "5.03",
        "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year",
        "by laws certificate",
        &["Amendment to Articles"],
    ),
    row("5.04", "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans", "", &[]),
    row(
        "5.05",
        "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics",
        "conduct business",
        &[],
    ),
    row("5.06", "Change in Shell Company Status", "", &[]),
    row("5.07", "Submission of Matters to a Vote of Security Holders", "stockholders shareholders", &[]),
    row("5.08", "Shareholder Director Nominations", "stockholder", &["Shareholder Nominations"]),
    row("6.01", "ABS Informational and Computational Material", "asset backed securities", &[]),
    row("6.02", "Change of Servicer or Trustee", "", &[]),
    row("6.03", "Change in Credit Enhancement or Other External Support", "", &[]),
    row("6.04", "Failure to Make a Required Distribution", "", &[]),
    row("6.05", "Securities Act Updating Disclosure", "", &[]),
    row("6.06", "Static Pool", "", &[]),
    row("7.01", "Regulation FD Disclosure", "other events", &[]),
    row("8.01", "Other Events", "regulation fd disclosure", &["Other Information"]),
    row(
        "9.01",
        "Financial Statements and Exhibits",
        "pro forma financial information shell company transactions",
        &["Financial Statements, Pro Forma Financial Information and Exhibits", "Exhibits"],
    ),
];

/// Items of the form before that day.
pub(crate) const FORMER: &[Official] = &[
    row("1", "Changes in Control of Registrant", "", &["Change in Control"]),
    row("2", "Acquisition or Disposition of Assets", "completion", &[]),
    row("3", "Bankruptcy or Receivership", "", &[]),
    row(
        "4",
        "Changes in Registrant's Certifying Accountant",
        "independent accountants",
        &["Change in Registrant's Certifying Accountant"],
    ),
    row(
        "5",
        "Other Events",
        "regulation fd disclosure required",
        &["Other Events and Regulation FD Disclosure", "Other Events and Required FD Disclosure", "Other Material"],
    ),
    row("6", "Resignations of Registrant's Directors", "officers", &["Resignation of Registrant's Directors"]),
    row(
        "7",
        "Financial Statements and Exhibits",
        "pro forma financial information of businesses acquired schedules",
        &["Financial Statements, Pro Forma Financial Information and Exhibits", "Exhibits"],
    ),
    row("8", "Change in Fiscal Year", "", &[]),
    row("9", "Regulation FD Disclosure", "other events", &[]),
    row(
        "10",
        "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics",
        "conduct business",
        &["Amendments to the Registrant's Code of Ethics"],
    ),
    row("11", "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans", "", &[]),
    row(
        "12",
        "Results of Operations and Financial Condition",
        "disclosure conditions",
        &["Disclosure of Results of Operations"],
    ),
];

/// The title of Item 5.02 until November 2006.
pub(crate) const TITLE_502_UNTIL_2006: &str =
    "Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers";
