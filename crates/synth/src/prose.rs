//! Everything in a filing that is not the news.

/// What opens the report of a plan; `{who}` is the filer with its definition, `{date}` the day.
pub(crate) const OPENINGS: [&str; 8] = [
    "On {date}, {who} announced a {plan} that is meant to lower its cost base.",
    "On {date}, the Board of Directors of {who} approved a {plan} for its European business.",
    "On {date}, {who} committed to a {plan} and told its staff the same day.",
    "On {date}, management of {who} adopted a {plan} after a review of all sites.",
    "{who} announced on {date} that it will carry out a {plan} over the coming year.",
    "On {date}, {who} informed its lenders and its staff of a {plan} that begins at once.",
    "As previously reported, {who} has been studying a {plan}, which it adopted on {date}.",
    "On {date}, {who} issued a press release about a {plan}, a copy of which is attached to this report.",
];

/// An opening that names the filer and defines nothing.
pub(crate) const PLAIN_OPENINGS: [&str; 4] = [
    "{who} makes {makes} and has done so for more than forty years.",
    "The Board of Directors of {who} met on {date} to consider a {plan} for the maker of {makes}.",
    "On {date}, {who}, a maker of {makes}, adopted a {plan} that had been under study.",
    "A press release that {who} issued on {date} is attached to this report and describes a {plan}.",
];

/// An opening that names nobody.
pub(crate) const NAMELESS_OPENINGS: [&str; 3] = [
    "On {date}, the Board of Directors approved a {plan} after a review of all sites.",
    "A {plan} was adopted on {date} and announced to all sites the same day.",
    "On {date}, a {plan} was put in place that is meant to lower the cost of making {makes}.",
];

/// Sentences between the opening and the news.
pub(crate) const REASONS: [&str; 10] = [
    "The plan follows a year of weak demand for {makes} in several markets.",
    "Production from two older sites will move to newer ones, where lines stand partly idle.",
    "Customers will be served from other sites without interruption, and orders on hand will be filled.",
    "The board took this step after talks with advisers and with the largest customers.",
    "Higher freight rates and slower orders made the present footprint too large.",
    "Management had weighed a sale of the business line before it chose this course.",
    "Some of the steps depend on talks with works councils and on local law.",
    "The steps are expected to be substantially complete by {month}.",
    "Demand for {makes} has shifted to lighter products that are made elsewhere.",
    "The affected lines have made a loss in each of the last three years.",
];

/// Item number, title, sentences; a `{who}` would bind twice, so none here names the filer.
pub(crate) const DISTRACTORS: [(&str, &str, &[&str]); 8] = [
    (
        "5.02",
        "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers",
        &[
            "On {date}, {person} notified the board of a decision to retire as chief financial officer at the end of the fiscal year.",
            "The decision was not the result of any disagreement on accounting, operations or policy.",
            "{person2}, who has led the treasury department since its founding, will take over the duties until a successor is found.",
            "{person2} will receive a base salary of $410,000 and is eligible for an annual bonus of up to 60% of it.",
        ],
    ),
    (
        "5.07",
        "Submission of Matters to a Vote of Security Holders",
        &[
            "The annual meeting of stockholders was held on {date} and a quorum was present in person or by proxy.",
            "All nominees for director were elected to serve until the next annual meeting.",
            "Stockholders ratified the appointment of the independent registered public accounting firm for the current year.",
        ],
    ),
    (
        "1.01",
        "Entry into a Material Definitive Agreement",
        &[
            "On {date}, a second amendment to the credit agreement was signed with a syndicate of regional banks.",
            "The amendment extends the maturity by two years and lowers the commitment fee.",
            "The facility remains secured by receivables and inventory, and no amounts were drawn on that day.",
        ],
    ),
    (
        "2.02",
        "Results of Operations and Financial Condition",
        &[
            "On {date}, a press release with the results of the last quarter was issued, which is attached as an exhibit.",
            "Net sales for the quarter were {amount}, compared with {amount} in the same quarter of the prior year.",
        ],
    ),
    (
        "8.01",
        "Other Events",
        &[
            "The board declared a quarterly dividend of eleven cents per share, payable to holders of record at the end of the month.",
            "A new share repurchase program of up to {amount} was authorized at the same meeting.",
        ],
    ),
    (
        "3.01",
        "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
        &[
            "A letter from the exchange received on {date} states that the closing bid price was below one dollar for thirty trading days.",
            "The rules allow 180 days in which the price has to recover for ten days in a row.",
        ],
    ),
    (
        "5.03",
        "Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year",
        &[
            "On {date}, the bylaws were amended so that meetings of stockholders may be held by remote communication.",
            "The amendment also adjusts the notice period for nominations by stockholders.",
        ],
    ),
    (
        "4.01",
        "Changes in Registrant’s Certifying Accountant",
        &[
            "The audit committee completed a selection process and engaged another accounting firm for the coming year.",
            "The reports of the former firm on the last two years held no adverse opinion and no disclaimer.",
        ],
    ),
];

/// Safe-harbour prose, which repeats the facts without stating them.
pub(crate) const FORWARD_LOOKING: [&str; 3] = [
    "This report contains forward-looking statements within the meaning of the federal securities laws, among them statements about the cost of the plan and its timing.",
    "Actual results may differ materially from these forward-looking statements because of risks and uncertainties that are described in the annual report.",
    "No obligation is undertaken to update forward-looking statements after the date of this report, except as the law requires.",
];

/// What is said of furnished exhibits.
pub(crate) const FURNISHED: &str = "The information in this Item and the exhibit attached to it is furnished and shall not be deemed “filed” for purposes of Section 18 of the Securities Exchange Act of 1934, nor shall it be deemed incorporated by reference in any filing under the Securities Act of 1933.";

pub(crate) const FIRST_NAMES: [&str; 10] =
    ["Ilse", "Jonas", "Mireille", "Tomas", "Ada", "Pranav", "Signe", "Obi", "Carla", "Henrik"];
pub(crate) const LAST_NAMES: [&str; 10] = [
    "Tammsaar",
    "Okonjo",
    "Lindqvist",
    "Barretti",
    "Vondrak",
    "Achterberg",
    "Solheim",
    "Mbeki-Lund",
    "Castellane",
    "Ruvinov",
];
