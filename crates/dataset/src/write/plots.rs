//! The plots of a data set card: files beside it, each with what it shows in words.

use eightk_plot::{Bar, BarChart, Labels, Theme};

use super::card::grouped;
use super::distribution::{Bin, Distribution};
use super::statistics::Shown;

/// A plot.
pub(super) struct Plot {
    /// Its path from the root of the data set.
    pub(super) file: &'static str,
    /// What it shows.
    pub(super) told: String,
    pub(super) svg: String,
}

/// More bars than this are no easier to read than fewer.
const BARS: usize = 24;

/// The plots there is something to show in.
pub(super) fn plots(shown: &Shown) -> Vec<Plot> {
    let mut out = Vec::new();
    let (rivals, chars) = (&shown.rivals, &shown.chunk_chars);
    if let Some((most, often)) = rivals.mode() {
        let (range, total) = (rivals.range(), rivals.total());
        let spread = if total == 1 {
            format!("the one query has {}", grouped(range.min))
        } else if range.min == range.max {
            format!("each of {} queries has {}", grouped(total), grouped(range.min))
        } else {
            let (queries, low, high, often) = (grouped(total), grouped(range.min), grouped(range.max), grouped(often));
            format!(
                "{low} to {high} over {queries} queries, median {}; most often {}, for {often} of them",
                grouped(range.median),
                grouped(most)
            )
        };
        let chance = match range.median {
            0 => String::new(),
            median => format!(". By chance the answer of the median query comes first of {}", grouped(median + 1)),
        };
        let told = format!("Rivals per query: {spread}{chance}.");
        out.push(drawn("plots/rivals-per-query.svg", "Rivals per query", "rivals", "queries", rivals, told));
    }
    if chars.total() > 0 {
        let range = chars.range();
        let told = format!(
            "Characters per chunk: {} to {} over {} chunks, median {}; nine in ten have at most {}.",
            grouped(range.min),
            grouped(range.max),
            grouped(chars.total()),
            grouped(range.median),
            grouped(chars.percentile(90)),
        );
        out.push(drawn("plots/chunk-lengths.svg", "Chunk lengths", "characters", "chunks", chars, told));
    }
    out
}

fn drawn(file: &'static str, title: &str, x: &str, y: &str, counts: &Distribution, told: String) -> Plot {
    let bars = counts.bins(BARS).iter().map(|bin| Bar { label: label(bin), value: bin.count as f64 }).collect();
    let labels = Labels { title: title.into(), description: told.clone(), x: x.into(), y: y.into() };
    let svg = BarChart { labels, bars }.svg(Theme::Standalone, "plot");
    Plot { file, told, svg }
}

fn label(bin: &Bin) -> String {
    let first = grouped(bin.first);
    match bin.last {
        None => format!("{first}+"),
        Some(last) if last == bin.first => first,
        Some(last) => format!("{first}–{}", grouped(last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_tell_what_is_drawn() {
        let shown =
            Shown { rivals: [2, 3, 3].into_iter().collect(), chunk_chars: (1..=1000).chain([40_000]).collect() };
        let [rivals, chars] = plots(&shown).try_into().ok().unwrap();
        assert_eq!(
            rivals.told,
            "Rivals per query: 2 to 3 over 3 queries, median 3; most often 3, for 2 of them. By chance the answer of the median query \
             comes first of 4."
        );
        assert!(rivals.svg.contains(&rivals.told) && rivals.svg.contains("<title>3: 2</title>"), "{}", rivals.svg);
        assert_eq!(
            chars.told,
            "Characters per chunk: 1 to 40,000 over 1,001 chunks, median 501; nine in ten have at most 901."
        );
        assert!(chars.svg.contains("<title>1,000+: 2</title>"), "{}", chars.svg);
    }

    #[test]
    fn nothing_to_show() {
        assert!(plots(&Shown::default()).is_empty());
        let same = Shown { rivals: [2, 2].into_iter().collect(), ..Shown::default() };
        assert!(plots(&same)[0].told.starts_with("Rivals per query: each of 2 queries has 2. By chance"));
        let none = Shown { rivals: [0].into_iter().collect(), ..Shown::default() };
        assert_eq!(plots(&none)[0].told, "Rivals per query: the one query has 0.");
    }
}
