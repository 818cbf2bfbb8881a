use proptest::prelude::*;

use super::*;

fn filer(company: &str, text: &str) -> Names {
    Names::new(&FilingMeta { company: Some(company.to_owned()), ..FilingMeta::default() }, text, &[])
}

fn named<'t>(names: &Names, sentence: &'t str) -> Option<&'t str> {
    names.mention(sentence).map(|s| s.of(sentence))
}

#[test]
fn short_names_are_spelled_as_the_filing_does() {
    for (company, text, want) in [
        ("TARWICK COM INC", "On May 2, Tarwick.com, Inc. (the “Company”) met.", "Tarwick.com"),
        ("NORLUX CORP", "NORLUX CORPORATION\nNORLUX said today.", "NORLUX"),
        ("QUILLVANE", "Quill Vane Co., Inc. (“Quill Vane”) said.", "Quill Vane"),
        ("Kelmar Foods, Inc.", "", "Kelmar Foods"),
        ("ELAN VITALE COMPANIES INC", "The holders of The Élan Vitale Companies Inc. met.", "Élan Vitale"),
        ("7K CO", "7K Company (“7K”) spins.", "7K"),
        ("BRACKWATER ENERGY L P /TX/", "no name", "Brackwater Energy"),
        ("We Company Group Holdings", "", "We Company"),
        ("STUNN International / Ambric Works", "Ambric Works, Inc. (the “Company”) sold.", "Ambric Works"),
        (
            "STUNN International / Ambric Works",
            "STUNN International, Inc. (the “Company”) sold.",
            "STUNN International",
        ),
        ("THE DELLWOOD CO/", "The Dellwood Company’s board", "Dellwood"),
    ] {
        assert_eq!(filer(company, text).short(), want, "{company}");
    }
}

proptest! {
    #[test]
    fn all_mentions_are_in_order_and_the_first_is_the_mention(words in prop::collection::vec(0usize..9, 0..12)) {
        let names = filer("Tarwick Mills, Inc.", "Tarwick Mills, Inc. (“Tarwick”) (NYSE: TRWK) met.");
        let pick = ["Tarwick", "Mills", "TRWK", "Mr. Tarwick", "tarwick", "Tarwick’s", "Inc.", "é", "Tarwick Mills"];
        let text = words.iter().map(|w| pick[*w]).collect::<Vec<_>>().join(" ");
        let all = names.mentions(&text);
        prop_assert_eq!(all.first().copied(), names.mention(&text));
        prop_assert!(all.is_sorted_by(|a, b| a.end <= b.start));
        for span in all {
            prop_assert!(names.is_alias(span.of(&text)), "{}", span.of(&text));
        }
    }
}

#[test]
fn the_filings_own_short_names_count() {
    let names = filer(
        "Ostrova Marine Systems, Inc.",
        "Ostrova Marine Systems, Inc., a Maine corporation (NYSE: OSTV) (“OMS” or the “Company”), sold Delmont Robotics, Inc. (“Delmont”).",
    );
    assert_eq!(named(&names, "as OMS did"), Some("OMS"));
    assert_eq!(named(&names, "as OSTV rose"), Some("OSTV"));
    assert_eq!(named(&names, "as Ostrova’s plan"), Some("Ostrova"));
    assert_eq!(named(&names, "the OSTROVA MARINE SYSTEMS, INC. plan"), Some("OSTROVA MARINE SYSTEMS, INC"));
    assert_eq!(named(&names, "as Delmont’s plan and the Company’s systems"), None);
    assert_eq!(names.aliases().first().map(String::as_str), Some("Ostrova Marine Systems"));
}

#[test]
fn parts_of_a_name_need_a_reason() {
    let plain = filer("Chart Works, Inc.", "A chart of Chart Works.");
    assert_eq!(named(&plain, "Chart of accounts"), None);
    let used = filer("Chart Works, Inc.", "We closed it, and so Chart’s plants rest.");
    assert_eq!(named(&used, "the effect on Chart is"), Some("Chart"));
    let general = filer("First American Mills, Inc.", "First, American mills.");
    assert_eq!(named(&general, "First, we did. American plants."), None);
    let short = filer("Vex Biopharma Inc.", "Since Vex’s trial ended, it rests.");
    assert_eq!(named(&short, "for Vex to do"), Some("Vex"));
    let texas = filer("Texas Gauges Incorporated", "It is in Texas.");
    assert_eq!(named(&texas, "plants in Texas close"), None);
}

#[test]
fn initials_count_only_where_the_filing_has_them() {
    let with = filer("Ostrova Marine Works, Inc.", "At OMW, all is well.");
    assert_eq!(named(&with, "the OMW plan"), Some("OMW"));
    let without = filer("Ostrova Marine Works, Inc.", "All is well.");
    assert_eq!(named(&without, "the OMW plan"), None);
    let clash = filer("Senior Energy Cooperative, Inc.", "The SEC staff wrote.");
    assert_eq!(named(&clash, "to the SEC on"), None);
}

#[test]
fn symbols_are_exact_and_short_ones_need_their_exchange() {
    let meta = FilingMeta {
        company: Some("Fenwold Motors".to_owned()),
        tickers: vec!["F".to_owned(), "FNWM".to_owned(), "ALL".to_owned()],
        ..FilingMeta::default()
    };
    let names = Names::new(&meta, "", &[]);
    assert_eq!(named(&names, "class F shares of ALL holders"), None);
    assert_eq!(named(&names, "shares (NYSE: F) fell"), Some("F"));
    assert_eq!(named(&names, "shares (Nasdaq: ALL) fell"), Some("ALL"));
    assert_eq!(named(&names, "FNWM rose"), Some("FNWM"));
    assert_eq!(named(&names, "fnwm FNWMX FNW rose"), None);
}

#[test]
fn persons_and_divisions() {
    let names = filer("Turnbull Castings, Inc.", "");
    assert_eq!(named(&names, "Mr. Turnbull and Ms. Turnbull resigned"), None);
    assert_eq!(named(&names, "the Turnbull Energy Division"), Some("Turnbull"));
    assert_eq!(named(&names, "its Turnbulls plant"), Some("Turnbull"));
}

#[test]
fn former_names_count() {
    let names = filer("Delmont Inc.", "Delmont Inc., formerly known as Berrick Lights, Inc. (the “Company”), met.");
    assert_eq!(named(&names, "of Berrick Lights since"), Some("Berrick Lights"));
    let meta = FilingMeta {
        company: Some("Delmont Inc.".to_owned()),
        other_names: vec!["TARWICK MILLS INC".to_owned()],
        ..FilingMeta::default()
    };
    let names = Names::new(&meta, "", &["Dellie".to_owned()]);
    assert_eq!(named(&names, "of Tarwick Mills since"), Some("Tarwick Mills"));
    assert_eq!(named(&names, "of Dellie since"), Some("Dellie"));
}

#[test]
fn a_definition_is_ours_or_not() {
    let names = filer("Grandvale Holdings Corporation", "");
    let ours = |s: &str| bindings(s).iter().map(|b| names.binds_filer(s, b)).collect::<Vec<_>>();
    assert_eq!(ours("Grandvale Holdings Corp. (“Parent”) buys Delmont Robotics, Inc. (the “Company”)."), [true, false]);
    assert_eq!(ours("Citadel Bank and Grandvale Holdings (the “Company”) agreed."), [true]);
    assert_eq!(ours("New Grandvale Holdings, Inc. (the “Company”) agreed."), [false]);
    assert_eq!(ours("the Board of Grandvale (the “Company”) agreed."), [true]);
    assert!(names.is_alias("The Grandvale Holdings Corporation") && names.is_alias("GRANDVALE HOLDINGS CORP"));
    assert_eq!(ours("its unit Grandvale Holdings International GmbH (“Grandco”) sold it."), [false]);
    assert!(!names.is_alias("Grandvale Bank") && !names.is_alias("grand") && !names.is_alias(""));
}

#[test]
fn nothing_known_is_no_name() {
    let names = Names::new(&FilingMeta::default(), "The Company (the “Company”) met.", &[]);
    assert_eq!((names.short(), names.aliases().len(), names.mention("Any Company")), ("", 0, None));
}

proptest! {
    #[test]
    fn any_input_is_safe(company in "\\PC{0,30}", text in "\\PC{0,120}", sentence in "\\PC{0,60}") {
        let names = filer(&company, &text);
        if let Some(span) = names.mention(&sentence) {
            prop_assert!(sentence.get(span.start..span.end).is_some_and(|s| !s.is_empty()));
        }
        for alias in names.aliases() {
            prop_assert!(alias.chars().any(char::is_alphanumeric));
        }
        names.is_alias(&sentence);
    }

    #[test]
    fn the_first_mention_is_the_first_of_any_alias(
        sentence in "([A-Z]?[a-z]{1,4}|Tarwick|TARWICK|Tarwick Mills|TWKM)( ([A-Za-z]{1,4}|Tarwick|Tarwick Mills|TWKM)){0,6}",
    ) {
        // A name after these is a person's.
        prop_assume!(!sentence.split(' ').any(|w| matches!(w, "Mr" | "Ms" | "Mrs")));
        let meta = FilingMeta {
            company: Some("Tarwick Mills, Inc.".to_owned()),
            tickers: vec!["TWKM".to_owned()],
            ..FilingMeta::default()
        };
        let names = Names::new(&meta, "", &[]);
        let words = sentence.split(' ').scan(0, |at, w| { let start = *at; *at += w.len() + 1; Some((start, w)) });
        let naive = words.filter(|(_, w)| matches!(*w, "Tarwick" | "TARWICK" | "TWKM" | "Tarwicks")).map(|(at, _)| at).next();
        prop_assert_eq!(names.mention(&sentence).map(|s| s.start), naive);
    }
}
