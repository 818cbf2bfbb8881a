//! Charts read back: well-formed, inside their box, no text over another, the same every time, whatever they are given.

use eightk_plot::{
    Bar, BarChart, IntervalChart, IntervalRow, Labels, LineChart, MatrixChart, Point, Reference, Series, SeriesClass,
    Theme,
};
use proptest::prelude::*;

mod reading;
use reading::{Drawing, read};

const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"onload=\"x",
    "a & b ' c",
    "\u{0}\u{8}\u{ffff}\u{202e}drow",
    "",
    "名前がとても長い会社の名前がとても長い会社",
    "sentence-encoder-large-v2:title+window:2@4096-dimensions",
    "]]></style><svg>",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
];

fn labels() -> Labels {
    Labels { title: "Recall & more".into(), description: "It <rises>.".into(), x: "k".into(), y: "recall".into() }
}

fn series(name: &str, class: SeriesClass, points: &[(f64, f64)]) -> Series {
    let points = points.iter().map(|(x, y)| Point { x: *x, y: *y, low: Some(y - 0.1), high: Some(y + 0.1) });
    Series { name: name.into(), points: points.collect(), class }
}

fn lines(count: usize) -> LineChart {
    let end = |i: usize| if i.is_multiple_of(2) { 0.9 } else { 0.9 + i as f64 / 1000.0 };
    LineChart {
        labels: labels(),
        x_log: true,
        y: (0.0, 1.0),
        series: (0..count)
            .map(|i| {
                series(
                    &format!("an-encoder-of-a-long-name:window:{i}"),
                    SeriesClass::Normal,
                    &[(1.0, 0.1), (100.0, end(i))],
                )
            })
            .collect(),
        references: vec![Reference { name: "by chance".into(), y: 0.9 }],
    }
}

/// Both themes are sound: what every test wants of a chart.
fn sound(svg: impl Fn(Theme) -> String) -> Result<Drawing, String> {
    let page = read(&svg(Theme::Page))?;
    let alone = read(&svg(Theme::Standalone))?;
    if page.has_size || !alone.has_size {
        return Err("a page's chart has no size, a file has one".into());
    }
    for drawing in [&page, &alone] {
        drawing.inside()?;
        drawing.nothing_covered()?;
    }
    (svg(Theme::Page) == svg(Theme::Page)).then_some(page).ok_or("not the same twice".into())
}

#[test]
fn seventeen_names_stand_apart_in_the_order_of_their_lines() {
    let chart = lines(17);
    let drawing = sound(|t| chart.svg(t, "many")).unwrap();
    let names: Vec<_> = drawing.texts.iter().filter(|t| t.text.starts_with("an-enc")).collect();
    assert_eq!(names.len(), 17);
    let place = |i: usize| names.iter().find(|t| t.text.ends_with(&format!(":{i}"))).map(|t| t.top).unwrap();
    assert!(place(15) < place(3) && place(3) < place(0));
}

#[test]
fn a_chart_says_what_it_is() {
    let drawing = read(&lines(2).svg(Theme::Page, "recall 1")).unwrap();
    assert_eq!(drawing.role.as_deref(), Some("img"));
    assert_eq!(drawing.labelled_by.as_deref(), Some("recall-1-title recall-1-desc"));
    assert_eq!(drawing.ids, ["recall-1-title", "recall-1-desc"]);
    assert!(drawing.titles.iter().any(|t| t == "Recall & more"));
    assert!(drawing.titles.iter().any(|t| t.contains("0.1 [0, 0.2] at k 1")), "{:?}", drawing.titles);
}

#[test]
fn a_shortened_name_is_whole_in_its_title() {
    let name = "a-family-of-encoders/the-largest-of-them-all-v2:title+window:2";
    let chart = IntervalChart {
        labels: labels(),
        x: (0.0, 1.0),
        rows: vec![IntervalRow { name: name.into(), value: Some(0.5), ..IntervalRow::default() }],
        reference: None,
    };
    let drawing = sound(|t| chart.svg(t, "one")).unwrap();
    assert!(drawing.texts.iter().any(|t| t.text.contains('…') && t.text.ends_with("window:2")));
    assert!(drawing.titles.iter().any(|t| t == name));
}

#[test]
fn nothing_to_draw_is_said() {
    let no_data = |svg: String| read(&svg).unwrap().texts.iter().any(|t| t.text.contains("no data"));
    assert!(no_data(LineChart::default().svg(Theme::Page, "a")));
    assert!(no_data(IntervalChart::default().svg(Theme::Page, "a")));
    assert!(no_data(BarChart::default().svg(Theme::Page, "a")));
    assert!(no_data(MatrixChart::default().svg(Theme::Page, "a")));
    let lost = LineChart { series: vec![series("lost", SeriesClass::Normal, &[(1.0, f64::NAN)])], ..lines(1) };
    assert!(no_data(lost.svg(Theme::Page, "a")));
    let row = IntervalRow { name: "lost".into(), value: Some(f64::INFINITY), ..IntervalRow::default() };
    assert!(no_data(IntervalChart { rows: vec![row], ..IntervalChart::default() }.svg(Theme::Page, "a")));
}

#[test]
fn what_is_outside_points_out() {
    let chart = |value: f64| IntervalChart {
        x: (-0.5, -0.25),
        rows: vec![IntervalRow { name: "out".into(), value: Some(value), ..IntervalRow::default() }],
        ..IntervalChart::default()
    };
    // The first corner of the triangle is its point.
    let corners = |value: f64| -> (f64, f64) {
        sound(|t| chart(value).svg(t, "a")).unwrap();
        let svg = chart(value).svg(Theme::Page, "a");
        let data = svg.split("<path class=\"mark\" d=\"M").nth(1).unwrap().to_owned();
        let x = |part: &str| part.split(' ').next().unwrap().parse::<f64>().unwrap();
        (x(&data), x(data.split('L').nth(1).unwrap()))
    };
    let (point, base) = corners(-0.1);
    assert!(point > base);
    let (point, base) = corners(-0.9);
    assert!(point < base);
}

#[test]
fn the_last_bar_is_named_however_many_there_are() {
    for count in [3, 18, 19, 60] {
        let bars = (0..count).map(|i| Bar { label: format!("{}-{}", i * 50, i * 50 + 49), value: 1.0 });
        let chart =
            BarChart { labels: labels(), bars: bars.chain([Bar { label: "more".into(), value: 2.0 }]).collect() };
        let drawing = sound(|t| chart.svg(t, "a")).unwrap();
        assert!(drawing.texts.iter().any(|t| t.text == "more"), "{count}");
    }
}

#[test]
fn a_gap_breaks_the_line_and_its_band() {
    let points = [(1.0, 0.1), (2.0, 0.2), (3.0, f64::NAN), (4.0, 0.4), (5.0, 0.5)];
    let chart = LineChart { series: vec![series("broken", SeriesClass::Normal, &points)], ..lines(0) };
    let svg = chart.svg(Theme::Page, "gap");
    assert_eq!(svg.matches("<path class=\"line\"").count(), 2);
    assert_eq!(svg.matches("<path class=\"band\"").count(), 2);
}

#[test]
fn the_diagonal_is_marked_where_it_means_something() {
    let names = ["Acme".to_owned(), "Borealis".to_owned()];
    let square = MatrixChart {
        labels: labels(),
        rows: names.to_vec(),
        columns: names.to_vec(),
        cells: vec![vec![5.0, 0.0], vec![1.0, 2.0]],
    };
    assert_eq!(square.svg(Theme::Page, "m").matches("\"own\"").count(), 2);
    let other = MatrixChart { columns: vec!["x".into(), "y".into()], ..square };
    let drawing = sound(|t| other.svg(t, "m")).unwrap();
    assert!(!other.svg(Theme::Page, "m").contains("\"own\""));
    assert!(drawing.titles.iter().any(|t| t == "Borealis → x: 1"));
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -0.2..1.2,
        4 => 0.0..10_000.0,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e99, 1e-300, f64::MAX]),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned), "[a-z:+0-9-]{0,50}", ".{0,12}",]
}

fn class() -> impl Strategy<Value = SeriesClass> {
    prop::sample::select(vec![SeriesClass::Normal, SeriesClass::Floor, SeriesClass::Ceiling])
}

fn words() -> impl Strategy<Value = Labels> {
    (name(), name(), name(), name()).prop_map(|(title, description, x, y)| Labels { title, description, x, y })
}

fn point() -> impl Strategy<Value = Point> {
    (number(), number(), prop::option::of(number()), prop::option::of(number())).prop_map(|(x, y, low, high)| Point {
        x,
        y,
        low,
        high,
    })
}

fn reference() -> impl Strategy<Value = Reference> {
    (name(), number()).prop_map(|(name, y)| Reference { name, y })
}

proptest! {
    #[test]
    fn any_lines(
        labels in words(), x_log: bool, y in (number(), number()), id in name(),
        series in prop::collection::vec((name(), prop::collection::vec(point(), 0..20), class()), 0..20),
        references in prop::collection::vec(reference(), 0..4),
    ) {
        let series = series.into_iter().map(|(name, points, class)| Series { name, points, class }).collect();
        let chart = LineChart { labels, x_log, y, series, references };
        sound(|t| chart.svg(t, &id)).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_intervals(
        labels in words(), x in (number(), number()), id in name(),
        rows in prop::collection::vec((name(), prop::option::of(number()), prop::option::of(number()), prop::option::of(number()), name(), class(), any::<u8>()), 0..20),
        reference in prop::option::of(reference()),
    ) {
        let rows = rows.into_iter().map(|(name, value, low, high, note, class, indent)| {
            IntervalRow { name, value, low, high, note, class, indent }
        });
        let chart = IntervalChart { labels, x, rows: rows.collect(), reference };
        sound(|t| chart.svg(t, &id)).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_bars(labels in words(), id in name(), bars in prop::collection::vec((name(), number()), 0..80)) {
        let bars = bars.into_iter().map(|(label, value)| Bar { label, value }).collect();
        let chart = BarChart { labels, bars };
        sound(|t| chart.svg(t, &id)).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn any_matrix(
        labels in words(), id in name(), rows in prop::collection::vec(name(), 0..12), columns in prop::collection::vec(name(), 0..31),
        cells in prop::collection::vec(prop::collection::vec(number(), 0..31), 0..12),
    ) {
        let chart = MatrixChart { labels, rows, columns, cells };
        sound(|t| chart.svg(t, &id)).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn a_large_matrix_keeps_its_columns_apart() {
    let names: Vec<String> = (0..30).map(|i| format!("Company number {i} of a long and stately name")).collect();
    let cells = vec![vec![12.0; 30]; 30];
    let chart = MatrixChart { labels: labels(), rows: names.clone(), columns: names, cells };
    let drawing = sound(|t| chart.svg(t, "m")).unwrap();
    assert_eq!(drawing.texts.iter().filter(|t| t.rising).count(), 30);
}
