//! The official titles of the form's items, as data.

/// A number, its official title, and further words that filers put into it.
pub(super) type Row = (&'static str, &'static str, &'static str);

/// Items of the form since 23 August 2004.
pub(super) const CURRENT: &[Row] = &[
    ("1.01", "Entry into a Material Definitive Agreement", "agreements amendment"),
    ("1.02", "Termination of a Material Definitive Agreement", "agreements"),
    ("1.03", "Bankruptcy or Receivership", ""),
    ("1.04", "Mine Safety - Reporting of Shutdowns and Patterns of Violations", ""),
    ("1.05", "Material Cybersecurity Incidents", "cyber security"),
    ("2.01", "Completion of Acquisition or Disposition of Assets", ""),
    ("2.02", "Results of Operations and Financial Condition", "disclosure conditions"),
    (
        "2.03",
        "Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant",
        "",
    ),
    (
        "2.04",
        "Triggering Events That Accelerate or Increase a Direct Financial Obligation or an Obligation under an Off-Balance \
         Sheet Arrangement",
        "registrant",
    ),
    ("2.05", "Costs Associated with Exit or Disposal Activities", "cost"),
    ("2.06", "Material Impairments", ""),
    ("3.01", "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing", ""),
    ("3.02", "Unregistered Sales of Equity Securities", "sale"),
    ("3.03", "Material Modification to Rights of Security Holders", "modifications"),
    ("4.01", "Changes in Registrant's Certifying Accountant", "independent accountants"),
    (
        "4.02",
        "Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
        "nonreliance",
    ),
    ("5.01", "Changes in Control of Registrant", ""),
    (
        "5.02",
        "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory \
         Arrangements of Certain Officers",
        "principal principal principal resignation retirement",
    ),
    ("5.03", "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year", "by laws certificate"),
    ("5.04", "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans", ""),
    (
        "5.05",
        "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics",
        "conduct business",
    ),
    ("5.06", "Change in Shell Company Status", ""),
    ("5.07", "Submission of Matters to a Vote of Security Holders", "stockholders shareholders"),
    ("5.08", "Shareholder Director Nominations", "stockholder"),
    ("6.01", "ABS Informational and Computational Material", "asset backed securities"),
    ("6.02", "Change of Servicer or Trustee", ""),
    ("6.03", "Change in Credit Enhancement or Other External Support", ""),
    ("6.04", "Failure to Make a Required Distribution", ""),
    ("6.05", "Securities Act Updating Disclosure", ""),
    ("6.06", "Static Pool", ""),
    ("7.01", "Regulation FD Disclosure", "other events"),
    ("8.01", "Other Events", "regulation fd disclosure"),
    ("9.01", "Financial Statements and Exhibits", "pro forma financial information shell company transactions"),
];

/// Items of the form before that day.
pub(super) const FORMER: &[Row] = &[
    ("1", "Changes in Control of Registrant", ""),
    ("2", "Acquisition or Disposition of Assets", "completion"),
    ("3", "Bankruptcy or Receivership", ""),
    ("4", "Changes in Registrant's Certifying Accountant", "independent accountants"),
    ("5", "Other Events", "regulation fd disclosure required"),
    ("6", "Resignations of Registrant's Directors", "officers"),
    ("7", "Financial Statements and Exhibits", "pro forma financial information of businesses acquired schedules"),
    ("8", "Change in Fiscal Year", ""),
    ("9", "Regulation FD Disclosure", "other events"),
    (
        "10",
        "Amendments to the Registrant's Code of Ethics, or Waiver of a Provision of the Code of Ethics",
        "conduct business",
    ),
    ("11", "Temporary Suspension of Trading Under Registrant's Employee Benefit Plans", ""),
    ("12", "Results of Operations and Financial Condition", "disclosure conditions"),
];

/// The title of Item 5.02 until November 2006.
pub(super) const TITLE_502_UNTIL_2006: &str =
    "Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers";
