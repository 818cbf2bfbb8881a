//! Every chart on one page, to be looked at: `cargo run -p eightk-plot --example gallery -- gallery.html`.
//!
//! Invented numbers, with what makes charts hard: many lines that end together, long names, values that are missing or outside.

use std::error::Error;

use eightk_plot::{
    Bar, BarChart, CSS, DARK, IntervalChart, IntervalRow, LIGHT, Labels, LineChart, MatrixChart, Point, Reference,
    Series, SeriesClass, Theme,
};

const SYSTEMS: [&str; 17] = [
    "random",
    "first-of-filing",
    "bm25",
    "bm25:title",
    "hybrid",
    "minimal",
    "minimal:title",
    "minimal:lead",
    "minimal:window:2",
    "minimal:filing",
    "minimal:title+filing",
    "sentence-encoder-base-v2:late:512",
    "sentence-encoder-base-v2:swap",
    "remote-embedding-3-large:title+window:2",
    "remote-embedding-3-large",
    "oracle",
    "told-the-company",
];

fn class(i: usize) -> SeriesClass {
    match i {
        0 | 1 => SeriesClass::Floor,
        15 | 16 => SeriesClass::Ceiling,
        _ => SeriesClass::Normal,
    }
}

fn labels(title: &str, x: &str, y: &str) -> Labels {
    Labels { title: title.into(), description: format!("{title}, with invented numbers."), x: x.into(), y: y.into() }
}

fn curve(i: usize, bands: bool) -> Series {
    let strength = i as f64 / 17.0;
    let points = [1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0].map(|k: f64| {
        let y = (0.02 + strength * strength * 0.6 + (0.1 + 0.2 * strength) * k.ln() / 2.5).min(1.0);
        let half = bands.then_some(0.09 * (1.0 - (y - 0.5).abs()));
        Point { x: k, y, low: half.map(|h| (y - h).max(0.0)), high: half.map(|h| (y + h).min(1.0)) }
    });
    Series { name: SYSTEMS[i].into(), points: points.to_vec(), class: class(i) }
}

fn lines(which: &[usize], bands: bool) -> LineChart {
    LineChart {
        labels: labels("Recall of the answer by depth", "k, sentences read", "standard recall@k"),
        x_log: true,
        y: (0.0, 1.0),
        series: which.iter().map(|i| curve(*i, bands)).collect(),
        references: vec![Reference { name: "chance among rivals".into(), y: 0.04 }],
    }
}

fn intervals() -> IntervalChart {
    let row = |(i, name): (usize, &&str)| {
        let value = 0.3 + 0.04 * i as f64;
        IntervalRow {
            name: (*name).into(),
            value: (i != 4).then_some(value),
            low: Some(value - 0.13),
            high: Some(value + 0.11),
            note: if i == 4 {
                "failed".into()
            } else {
                format!("{value:.3} [{:.2}, {:.2}]", value - 0.13, value + 0.11)
            },
            class: class(i),
            indent: u8::from((6..=10).contains(&i)),
        }
    };
    IntervalChart {
        labels: labels("Rival AUC", "rival AUC", "system"),
        x: (0.2, 1.0),
        rows: SYSTEMS.iter().enumerate().map(row).collect(),
        reference: Some(Reference { name: "by chance 0.5".into(), y: 0.5 }),
    }
}

fn differences() -> IntervalChart {
    let rows = [("minimal:title", 0.12), ("minimal:late", -0.31), ("bm25", 0.02)].map(|(name, value)| IntervalRow {
        name: name.into(),
        value: Some(value),
        low: Some(value - 0.08),
        high: Some(value + 0.08),
        note: format!("{value:+.2}"),
        ..IntervalRow::default()
    });
    IntervalChart {
        labels: labels("Difference to minimal", "difference in resolved@1", ""),
        x: (-0.25, 0.25),
        rows: rows.to_vec(),
        reference: Some(Reference { name: "no difference".into(), y: 0.0 }),
    }
}

fn histogram() -> BarChart {
    let bars = (0..20).map(|i| {
        let value = (1200.0 * (-((f64::from(i) - 5.0) / 4.0).powi(2)).exp()).round();
        Bar { label: format!("{}–{}", i * 40, i * 40 + 39), value }
    });
    BarChart { labels: labels("Chunk lengths", "characters", "chunks"), bars: bars.collect() }
}

fn few_bars() -> BarChart {
    let bars = [("0", 2.0), ("1", 5.0), ("2", 13.0), ("3", 7.0)];
    let bars = bars.map(|(label, value)| Bar { label: label.into(), value });
    BarChart { labels: labels("Rivals per query", "rivals", "queries"), bars: bars.to_vec() }
}

fn matrix(size: usize) -> MatrixChart {
    let names: Vec<String> = (0..size)
        .map(|i| match i % 3 {
            0 => format!("Acme Widgets {i}"),
            1 => format!("Borealis Semiconductor Holdings International {i}"),
            _ => format!("Cygnus {i}"),
        })
        .collect();
    let cells = (0..size)
        .map(|r| {
            (0..size)
                .map(|c| {
                    if r == c {
                        9.0 - (r % 5) as f64
                    } else {
                        f64::from(u32::from((r * 7 + c * 3) % 11 == 0)) * ((r + c) % 4) as f64
                    }
                })
                .collect()
        })
        .collect();
    MatrixChart {
        labels: labels("Whose sentence was taken for whose", "taken", "asked for"),
        rows: names.clone(),
        columns: names,
        cells,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let to = std::env::args().nth(1).ok_or("name the file to write")?;
    let all: Vec<usize> = (0..17).collect();
    let theme = Theme::Page;
    let charts = [
        lines(&[2, 6, 11], true).svg(theme, "few"),
        lines(&all, true).svg(theme, "many"),
        lines(&all, false).svg(theme, "plain"),
        intervals().svg(theme, "intervals"),
        differences().svg(theme, "differences"),
        histogram().svg(theme, "histogram"),
        few_bars().svg(theme, "bars"),
        matrix(4).svg(theme, "small"),
        matrix(30).svg(theme, "large"),
        LineChart { y: (0.0, 1.0), ..LineChart::default() }.svg(theme, "none"),
        IntervalChart::default().svg(theme, "no-rows"),
        MatrixChart::default().svg(theme, "no-cells"),
        BarChart::default().svg(theme, "no-bars"),
    ];
    let boxed: String = charts.iter().map(|c| format!("<figure>{c}</figure>\n")).collect();
    std::fs::write(
        &to,
        format!(
            "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>Charts</title><style>\
             :root{{color-scheme:light dark;{LIGHT}}}@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}\
             body{{background:var(--paper);margin:16px}}figure{{overflow-x:auto;margin:0 0 28px}}{CSS}</style>{boxed}"
        ),
    )?;
    let beside = std::path::Path::new(&to).with_extension("svg");
    std::fs::write(beside, histogram().svg(Theme::Standalone, "alone"))?;
    Ok(())
}
