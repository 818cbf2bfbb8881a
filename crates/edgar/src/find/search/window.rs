//! How a search that finds too much is cut into smaller ones.
//!
//! A search counts and shows 10,000 documents. What has more is halved by day of filing; both ends of a range belong to it, so
//! the halves share no day. A single day is cut by item. A list of work is kept instead of recursion: how deep it goes is up to
//! the answers.

use eightk_core::FilingDate;
use eightk_text::items::numbers_on;
use jiff::{SignedDuration, civil::Date};

/// How many documents a search shows.
pub(super) const SHOWN: u64 = 10_000;

/// A part of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Window {
    /// First and last day; `None`: any.
    pub(super) dates: Option<(FilingDate, FilingDate)>,
    /// Items, any of which is enough; empty: any filing.
    pub(super) items: Vec<String>,
    /// Whether it is cut no further.
    pub(super) last: bool,
    /// Whether what it cannot reach counts as missed; not so for a part of what is read again as a whole.
    pub(super) counts: bool,
}

/// The parts of a window, in the order in which they are read; `None` where it cannot be cut. `all`: the days that stand for any.
pub(super) fn split(window: &Window, all: (FilingDate, FilingDate)) -> Option<Vec<Window>> {
    if window.last {
        return None;
    }
    let (first, last) = window.dates.unwrap_or(all);
    if first < last {
        let (left, right) = halves(first, last)?;
        return Some([left, right].map(|dates| Window { dates: Some(dates), ..window.clone() }).into());
    }
    let part = |items: Vec<String>, counts| Window { dates: Some((first, last)), items, last: true, counts };
    if window.items.is_empty() {
        // Filings without any item are in none of the parts, so the whole is read as far as it goes, after them.
        let mut parts: Vec<Window> = numbers_on(first).map(|n| part(vec![n.to_owned()], false)).collect();
        parts.push(part(Vec::new(), true));
        return Some(parts);
    }
    if window.items.len() > 1 {
        return Some(window.items.iter().map(|i| part(vec![i.clone()], true)).collect());
    }
    None
}

type Days = (FilingDate, FilingDate);

fn halves(first: FilingDate, last: FilingDate) -> Option<(Days, Days)> {
    let (a, b): (Date, Date) = (first.civil(), last.civil());
    let days = a.duration_until(b).as_hours() / 24;
    let middle = a.checked_add(SignedDuration::from_hours(24 * (days / 2))).ok()?;
    let next = middle.tomorrow().ok()?;
    Some(((first, middle.into()), (next.into(), last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(s: &str) -> FilingDate {
        s.parse().unwrap()
    }

    fn window(first: &str, last: &str, items: &[&str]) -> Window {
        let items = items.iter().map(|i| (*i).to_owned()).collect();
        Window { dates: Some((day(first), day(last))), items, last: false, counts: true }
    }

    const ALL: (&str, &str) = ("1993-01-01", "2024-05-01");

    fn cut(w: &Window) -> Option<Vec<Window>> {
        split(w, (day(ALL.0), day(ALL.1)))
    }

    #[test]
    fn halves_share_no_day() {
        let parts = cut(&window("2024-02-27", "2024-03-01", &[])).unwrap();
        let days: Vec<String> = parts.iter().map(|p| p.dates.map(|(a, b)| format!("{a} {b}")).unwrap()).collect();
        assert_eq!(days, ["2024-02-27 2024-02-28", "2024-02-29 2024-03-01"]);
        let any = Window { dates: None, ..window("2024-01-01", "2024-01-01", &[]) };
        let parts = cut(&any).unwrap();
        assert_eq!(parts[0].dates.unwrap().0, day(ALL.0));
        assert_eq!(parts[1].dates.unwrap().1, day(ALL.1));
    }

    #[test]
    fn a_day_is_cut_by_item() {
        let parts = cut(&window("2024-02-27", "2024-02-27", &["2.05", "2.06"])).unwrap();
        assert_eq!(parts.iter().map(|p| p.items.join(",")).collect::<Vec<_>>(), ["2.05", "2.06"]);
        assert!(parts.iter().all(|p| cut(p).is_none() && p.counts));
        assert!(cut(&window("2024-02-27", "2024-02-27", &["2.05"])).is_none());
        let parts = cut(&window("2024-02-27", "2024-02-27", &[])).unwrap();
        assert!(parts.iter().any(|p| p.items == ["2.05"] && !p.counts));
        assert_eq!(parts.last().map(|p| (p.items.len(), p.last, p.counts)), Some((0, true, true)));
        let old = cut(&window("2004-08-22", "2004-08-22", &[])).unwrap();
        assert_eq!(old[4].items, ["5"]);
    }

    proptest::proptest! {
        #[test]
        fn each_day_is_read_once(start in 0i64..12_000, len in 0i64..900, capped in proptest::collection::vec(proptest::bool::ANY, 64)) {
            let epoch: Date = "1993-01-01".parse().unwrap();
            let at = |n: i64| FilingDate::from(epoch.checked_add(SignedDuration::from_hours(24 * n)).unwrap());
            let mut work = vec![Window { dates: Some((at(start), at(start + len))), items: vec!["2.05".into()], last: false, counts: true }];
            let (mut next, mut asked) = (at(start), 0);
            while let Some(w) = work.pop() {
                asked += 1;
                if capped[asked % 64] && let Some(parts) = cut(&w) {
                    work.extend(parts.into_iter().rev());
                    continue;
                }
                let (first, last) = w.dates.unwrap();
                proptest::prop_assert!(first == next && first <= last);
                next = last.civil().tomorrow().unwrap().into();
            }
            proptest::prop_assert_eq!(next, at(start + len + 1));
        }
    }
}
