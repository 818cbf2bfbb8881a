//! Which index files cover a range of days.

use eightk_core::FilingDate;
use jiff::civil::{Date, Weekday};

/// A quarter of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Quarter {
    pub(super) year: i16,
    /// 1 to 4.
    pub(super) number: u8,
}

impl Quarter {
    pub(super) fn of(day: FilingDate) -> Self {
        let day = day.civil();
        Self { year: day.year(), number: u8::try_from((day.month() - 1) / 3 + 1).unwrap_or(1) }
    }

    fn next(self) -> Self {
        if self.number < 4 { Self { number: self.number + 1, ..self } } else { Self { year: self.year + 1, number: 1 } }
    }
}

/// All quarters with a day in the range, in order.
pub(super) fn quarters(first: FilingDate, last: FilingDate) -> Vec<Quarter> {
    let end = Quarter::of(last);
    let mut quarters = Vec::new();
    let mut quarter = Quarter::of(first);
    while first <= last && quarter <= end {
        quarters.push(quarter);
        quarter = quarter.next();
    }
    quarters
}

/// The days of a quarter within the range on which EDGAR may have published: no weekends.
pub(super) fn days(quarter: Quarter, first: FilingDate, last: FilingDate) -> Vec<Date> {
    let mut days = Vec::new();
    let month = i8::try_from((quarter.number - 1) * 3 + 1).unwrap_or(1);
    let Ok(start) = Date::new(quarter.year, month, 1) else { return days };
    let mut day = start.max(first.civil());
    while day <= last.civil() && Quarter::of(day.into()) == quarter {
        if !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
            days.push(day);
        }
        let Ok(next) = day.tomorrow() else { break };
        day = next;
    }
    days
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(s: &str) -> FilingDate {
        s.parse().unwrap()
    }

    #[test]
    fn quarters_of_a_range() {
        let list = |a, b| {
            let q = quarters(day(a), day(b));
            q.iter().map(|q| format!("{}Q{}", q.year, q.number)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(list("1993-01-01", "1993-01-01"), "1993Q1");
        assert_eq!(list("2023-09-30", "2024-04-01"), "2023Q3 2023Q4 2024Q1 2024Q2");
        assert_eq!(list("2024-04-01", "2024-03-31"), "");
        assert_eq!(quarters(day("1993-01-01"), day("2026-11-30")).len(), 136);
    }

    #[test]
    fn days_without_weekends() {
        let q = Quarter::of(day("2024-07-01"));
        let list = days(q, day("2024-06-20"), day("2024-07-09"));
        let list: Vec<String> = list.iter().map(|d| d.strftime("%d").to_string()).collect();
        assert_eq!(list.join(" "), "01 02 03 04 05 08 09");
        assert_eq!(days(q, day("2020-01-01"), day("2030-01-01")).len(), 66);
    }
}
