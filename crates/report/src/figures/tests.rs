use eightk_measure::Metric;
use eightk_plot::Theme;
use eightk_runs::Account;
use proptest::prelude::*;

use super::testing::{World, with_ladder};
use super::*;

fn usual() -> Account {
    let systems = vec![("bm25", 0.3), ("bare", 0.2), ("title", 0.9), ("title/swap", 0.1), ("random", 0.5)];
    with_ladder(World { systems, queries: 24, rivals: 9 }.account())
}

fn row<'f>(figure: &'f Figure, head: &str) -> &'f FigureRow {
    figure.table.rows.iter().find(|r| r.head == head).unwrap_or_else(|| panic!("no row {head}: {:?}", figure.table))
}

fn score(cell: &FigureCell) -> (f64, Option<f64>, Option<f64>) {
    match cell {
        FigureCell::Score { value, low, high } => (*value, *low, *high),
        other => panic!("no score: {other:?}"),
    }
}

fn same(a: (f64, Option<f64>, Option<f64>), b: (f64, Option<f64>, Option<f64>)) {
    let near = |a: Option<f64>, b: Option<f64>| {
        a.is_some() == b.is_some() && (a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-12
    };
    assert!(near(Some(a.0), Some(b.0)) && near(a.1, b.1) && near(a.2, b.2), "{a:?} {b:?}");
}

#[test]
fn there_is_a_figure_of_everything() {
    let account = usual();
    let all = figures(&account);
    let ids: Vec<&str> = all.all().map(|f| f.id.as_str()).collect();
    let want = [
        "figure-rival-auc",
        "figure-resolved-1",
        "figure-difference-standard-recall-1",
        "figure-difference-rival-auc",
        "figure-recall",
        "figure-rivals",
        "figure-corpus",
        "figure-context-m",
        "figure-follow-m",
        "figure-confusion-title",
        "figure-confusion-bare",
    ];
    assert_eq!(ids, want);
    assert_eq!(all.absent, [""; 0]);
    assert_eq!(figures(&account), all, "the same account gives the same figures");
    for figure in all.all() {
        assert!(figure.seen.ends_with('.') && !figure.seen.contains("NaN"), "{}", figure.seen);
        assert!(
            figure.table.rows.iter().all(|r| r.cells.len() + 1 == figure.table.columns.len()),
            "{:?}",
            figure.table
        );
        for theme in [Theme::Page, Theme::Standalone] {
            assert!(figure.svg(theme).starts_with("<svg") && !figure.svg(theme).contains("NaN"));
        }
    }
}

/// Curves and tables of scores come by different ways from the same runs; where they meet they agree, intervals included.
#[test]
fn curves_run_through_the_scores() {
    let account = usual();
    let all = figures(&account);
    let (recall, rivals, corpus) = (all.recall.unwrap(), all.rivals.unwrap(), all.corpus.unwrap());
    for system in &account.results.report.systems {
        let value = |m: Metric| system.metrics[&m].map(|v| (v.expected, v.low, v.high)).unwrap();
        for k in [1, 5, 10] {
            let column = recall.table.columns.iter().position(|c| *c == k.to_string()).unwrap() - 1;
            same(score(&row(&recall, &system.name).cells[column]), value(Metric::StandardRecall(k)));
        }
        // All have nine rivals: the last two columns are nine of them, from the places, and all of them, from the scores.
        let cells = &row(&rivals, &system.name).cells;
        same(score(&cells[cells.len() - 2]), score(&cells[cells.len() - 1]));
        same(score(corpus_last(&corpus, &system.name)), value(Metric::StandardRecall(1)));
    }
    let chance: Vec<f64> = row(&rivals, "chance").cells.iter().map(|c| score(c).0).collect();
    assert!((chance[0] - 0.5).abs() < 1e-12 && (chance[chance.len() - 1] - 0.1).abs() < 1e-12, "{chance:?}");
    assert!(row(&rivals, "queries with so many").cells.iter().all(|c| *c == FigureCell::Count(24.0)));
}

fn corpus_last<'f>(corpus: &'f Figure, name: &str) -> &'f FigureCell {
    row(corpus, name).cells.last().unwrap()
}

#[test]
fn sentences_are_worked_out() {
    let seen = |good: &'static str, bad: &'static str| {
        let all =
            figures(&World { systems: vec![("bm25", 0.4), (good, 1.0), (bad, 0.0)], queries: 40, rivals: 6 }.account());
        all.all().map(|f| f.seen.clone()).collect::<Vec<_>>()
    };
    let (one, other) = (seen("alpha", "beta"), seen("beta", "alpha"));
    assert!(one[0].starts_with("alpha leads with .8"), "{one:?}");
    assert!(
        one[0].contains("1 of 2 contestants have intervals above chance (.500); that of beta lies below it"),
        "{one:?}"
    );
    assert!(other[0].starts_with("beta leads with .8"), "{other:?}");
    let differences = one.iter().find(|s| s.contains("after Holm")).unwrap();
    assert!(differences.starts_with("1 of 2 systems is better than bm25 at 5 % after Holm: alpha, with +."), "{one:?}");
    assert!(differences.contains("; 1 is worse; a true difference of ."), "{differences}");
    let blind = World { systems: vec![("bm25", 0.25), ("alpha", 0.25)], queries: 14, rivals: 6 }.account();
    let said = figures(&blind).rival_auc.unwrap().seen;
    assert!(said.contains("no contestant's interval lies above chance"), "{said}");
}

#[test]
fn what_context_brings_and_whose_it_is() {
    let all = figures(&usual());
    let ladder = &all.ladders[0];
    let names: Vec<&str> = ladder.table.rows.iter().map(|r| r.head.as_str()).collect();
    assert_eq!(names, ["bare", "title", "lead", "title / swap"]);
    assert!(ladder.seen.starts_with("Of the views title brings most: rival AUC +"), "{}", ladder.seen);
    assert!(ladder.seen.contains("1 of 1 controls take some of it away again"), "{}", ladder.seen);
    assert!(ladder.notes.iter().any(|n| n == "Without a score: lost."), "{:?}", ladder.notes);
    let Chart::Intervals(chart) = &ladder.chart else { panic!("{:?}", ladder.chart) };
    assert_eq!(
        chart.rows.iter().map(|r| (r.value.is_some(), r.indent)).collect::<Vec<_>>(),
        [(true, 0), (true, 0), (false, 0), (true, 1)]
    );
    let follow = &all.ladders[1];
    assert!(follow.seen.contains("above chance (.100); before the exchange"), "{}", follow.seen);
}

#[test]
fn every_query_is_in_the_matrix_or_named_in_a_note() {
    for rivals in [3, 40] {
        let account = World { systems: vec![("bm25", 0.3), ("bare", 0.15)], queries: 60, rivals }.account();
        let figure = confusion(&account, "bare").unwrap();
        let Chart::Matrix(chart) = &figure.chart else { panic!("{:?}", figure.chart) };
        assert!(chart.rows.len() <= 12 && chart.columns.len() <= 12, "{chart:?}");
        let count = |cell: &FigureCell| if let FigureCell::Count(n) = cell { *n } else { panic!("no count: {cell:?}") };
        let table: Vec<Vec<f64>> = figure.table.rows.iter().map(|r| r.cells.iter().map(count).collect()).collect();
        let drawn: Vec<f64> = chart.cells.iter().map(|row| row.iter().sum()).collect();
        let sums: Vec<f64> = table.iter().take(drawn.len()).map(|row| row.iter().sum()).collect();
        assert_eq!(drawn, sums, "what is not drawn of these rows is 0");
        let counted: f64 = table.iter().flatten().sum();
        let faultless = account.outcomes.iter().filter(|o| o.system == "bare" && o.rivals_above + o.rivals_level == 0);
        let right: f64 = table.iter().map(|row| row[0]).sum();
        let resolved = account.results.report.systems[1].metrics[&Metric::ResolvedAt1].unwrap().expected * 60.0;
        assert!(
            (counted - right - (60.0 - resolved)).abs() < 1e-9,
            "errors are all there: {counted} {right} {resolved}"
        );
        assert!(counted <= 60.0 && counted + faultless.count() as f64 >= 60.0);
        let folded = figure.notes.iter().any(|n| n.ends_with("summed up as other answers."));
        assert_eq!(folded, figure.table.rows.iter().any(|r| r.head == "other answers"));
        assert!(chart.rows[0].starts_with("Company ") && !chart.rows[0].contains("8-K"));
    }
    let perfect = World { systems: vec![("bm25", 0.3), ("good", 2.0)], queries: 3, rivals: 2 }.account();
    assert!(confusion(&perfect, "good").unwrap_err().ends_with("it took none wrong."));
    assert!(confusion(&perfect, "nobody").is_err());
}

#[test]
fn a_crowd_has_eight_lines_and_a_full_table() {
    let names = ["bm25", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "random", "oracle"];
    let systems = names.iter().enumerate().map(|(i, n)| (*n, i as f64 / 12.0)).collect();
    let all = figures(&World { systems, queries: 12, rivals: 4 }.account());
    let (recall, rivals) = (all.recall.unwrap(), all.rivals.unwrap());
    let lines = |figure: &Figure| match &figure.chart {
        Chart::Lines(chart) => chart.series.iter().map(|s| s.name.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let best = ["c", "d", "e", "f", "g", "h", "i", "j"];
    assert_eq!(lines(&recall), [&best[..], &["random"]].concat());
    assert_eq!(lines(&rivals), [&best[..], &["chance"]].concat());
    assert_eq!(recall.table.rows.len(), names.len());
    assert!(recall.notes.contains(&"Only in the table: a, b, bm25 and oracle.".to_owned()), "{:?}", recall.notes);
}

#[test]
fn what_is_missing_is_said() {
    let plain = World { systems: vec![("bm25", 0.3), ("good", 0.8)], queries: 5, rivals: 0 }.account();
    let all = figures(&plain);
    assert!(all.rival_auc.is_none() && all.rivals.is_none() && all.confusions.is_empty() && all.ladders.is_empty());
    assert!(all.recall.is_some() && all.corpus.is_some() && !all.differences.is_empty());
    assert!(all.absent.iter().any(|a| a.contains("no query has an answer and a rival")), "{:?}", all.absent);

    let one = World { systems: vec![("bm25", 0.3), ("good", 0.8)], queries: 1, rivals: 3 }.account();
    assert!(figures(&one).rival_auc.unwrap().seen.contains("no interval can be told"));

    let mut old = usual();
    old.outcomes.iter_mut().for_each(|o| o.answers.clear());
    let said = figures(&old).absent.join(" ");
    assert!(said.contains("saved without the places of the answers"), "{said}");

    let mut bare = usual();
    bare.filings.clear();
    bare.queries.clear();
    let all = figures(&bare);
    assert!(all.corpus.is_none() && all.recall.is_some() && all.confusions.len() == 2);

    let mut silent = usual();
    silent.results.report.systems[2].never_ran = true;
    let recall = figures(&silent).recall.unwrap();
    assert!(recall.notes.contains(&"lost and title failed and have no scores.".to_owned()), "{:?}", recall.notes);
    assert!(recall.table.rows.iter().all(|r| r.head != "title"));

    let none = World { systems: vec![("bm25", 0.3)], queries: 2, rivals: 1 };
    let mut none = none.account();
    none.results.report.systems.clear();
    none.outcomes.clear();
    assert_eq!(figures(&none).all().count(), 0);
}

#[test]
fn ids_are_unique() {
    let mut account = usual();
    let report = &mut account.results.report;
    let again = report.ablations[0].clone();
    report.ablations.push(again);
    let all = figures(&account);
    let ids: std::collections::BTreeSet<&str> = all.all().map(|f| f.id.as_str()).collect();
    assert!(ids.contains("figure-context-m-2") && ids.len() == all.all().count(), "{ids:?}");
}

#[test]
fn what_strangers_wrote_is_escaped_in_the_drawing() {
    let evil = "<script>alert(1)</script>\" onload=\"x";
    let mut account = usual();
    let report = &mut account.results.report;
    report.systems[2].name = evil.into();
    report.settings.contestants.push(evil.into());
    report.comparisons.iter_mut().for_each(|c| c.a = evil.into());
    account.filings.iter_mut().for_each(|f| f.title = format!("{evil} 8-K 2020-01-02"));
    account.outcomes.iter_mut().filter(|o| o.system == "title").for_each(|o| o.system = evil.into());
    for figure in figures(&account).all() {
        let svg = figure.svg(Theme::Page);
        assert!(!svg.contains("<script") && !svg.contains("\" onload"), "{svg}");
        assert!(figure.id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{}", figure.id);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Rows that contradict themselves make strange pictures, but pictures.
    #[test]
    fn nonsense_is_no_panic(
        numbers in prop::collection::vec(prop_oneof![0_usize..5, Just(usize::MAX), Just(1_usize << 33)], 9),
        values in prop::collection::vec(prop_oneof![Just(f64::NAN), Just(f64::INFINITY), -1e300..1e300_f64], 4),
        at in 0_usize..24,
    ) {
        let mut account = usual();
        let of = |i: usize| numbers[i];
        for row in account.outcomes.iter_mut().skip(at).step_by(3) {
            (row.rivals, row.rivals_above, row.rivals_level) = (of(0), of(1), of(2));
            row.retrieved = Some(of(3));
            for place in &mut row.answers {
                (place.rank, place.tie) = (Some(of(4)), of(5));
            }
            if of(6) == 0 {
                row.best_rival = None;
            }
        }
        let report = &mut account.results.report;
        for c in &mut report.comparisons {
            (c.difference, c.p, c.low, c.detectable) = (values[0], values[1], Some(values[2]), Some(values[3]));
        }
        for value in report.systems.iter_mut().flat_map(|s| s.metrics.values_mut()).flatten() {
            (value.expected, value.low, value.chance) = (values[0], Some(values[1]), Some(values[2]));
        }
        report.settings.bootstrap.confidence = values[3];
        report.settings.bootstrap.draws = 20;
        for figure in figures(&account).all() {
            prop_assert!(figure.svg(Theme::Page).starts_with("<svg"));
        }
    }
}
