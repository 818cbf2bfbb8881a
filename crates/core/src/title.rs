//! What a filing's title says.

use crate::FilingDate;

/// The short name of the company in a title `{short name} 8-K {date}` or `{short name} 8-K/A {date}`; `None` for titles
/// of another form.
pub fn short_name(title: &str) -> Option<&str> {
    let (rest, date) = title.rsplit_once(' ')?;
    date.parse::<FilingDate>().ok()?;
    let name = rest.strip_suffix(" 8-K").or_else(|| rest.strip_suffix(" 8-K/A"))?;
    (!name.trim().is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_give_the_name() {
        assert_eq!(short_name("Marlin Pump 8-K 2024-03-01"), Some("Marlin Pump"));
        assert_eq!(short_name("Marlin 8-K 8-K/A 2024-03-01"), Some("Marlin 8-K"));
        for t in ["Marlin Pump 8-K 2024-02-31", "Marlin Pump 10-K 2024-03-01", " 8-K 2024-03-01", "", "8-K 2024-03-01"]
        {
            assert_eq!(short_name(t), None, "{t}");
        }
    }
}
