//! One row of a `master.idx`: `CIK|Company Name|Form Type|Date Filed|Filename`.
//!
//! Told by its shape: headers have had different lengths over the years, names may hold the separator, and days are written in two
//! ways. Taken as bytes, because names are in no declared character set and a quarter has forty megabytes.

use eightk_core::{Accession, FilingDate, Form};

use crate::find::search::cik;

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A row of one of the forms.
    Row(Row<'a>),
    /// A row of another form.
    OtherForm,
    /// The row of column titles.
    Titles,
    /// A part of the header, a rule, an empty line.
    NoRow,
    /// A row that is cut off, or whose fields are not what they should be.
    Unreadable,
}

/// A filing of one filer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row<'a> {
    pub(super) cik: String,
    name: &'a [u8],
    pub(super) form: Form,
    pub(super) filed: FilingDate,
    /// Below `Archives/`.
    pub(super) path: &'a str,
    pub(super) accession: Accession,
}

impl Row<'_> {
    /// The company's name: UTF-8, else Latin-1.
    pub(super) fn name(&self) -> String {
        let text = match std::str::from_utf8(self.name) {
            Ok(text) => text.to_owned(),
            Err(_) => self.name.iter().map(|b| char::from(*b)).collect(),
        };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Reads a line. `forms`: those that are wanted.
pub(super) fn read<'a>(line: &'a [u8], forms: &[Form]) -> Line<'a> {
    let line = line.trim_ascii();
    let Some((first, rest)) = cut(line) else {
        return Line::NoRow;
    };
    let (first, is_number) =
        (first.trim_ascii(), first.trim_ascii().iter().all(u8::is_ascii_digit) && !first.is_empty());
    if first.eq_ignore_ascii_case(b"CIK") {
        return Line::Titles;
    }
    let fields = cut_last(rest).and_then(|(rest, path)| {
        let (rest, day) = cut_last(rest)?;
        let (name, form) = cut_last(rest)?;
        Some((name, form.trim_ascii(), day.trim_ascii(), path.trim_ascii()))
    });
    let Some((name, form, day, path)) = fields else {
        // Text of a header may hold a bar.
        return if is_number { Line::Unreadable } else { Line::NoRow };
    };
    let Some(form) = std::str::from_utf8(form).ok().and_then(Form::parse) else {
        let shaped = is_number && !form.is_empty() && day_of(day).is_some();
        return if shaped { Line::OtherForm } else { Line::Unreadable };
    };
    let cik = std::str::from_utf8(first).ok().and_then(cik);
    let path = std::str::from_utf8(path).ok().filter(|p| is_path(p));
    let accession = path.and_then(|p| p.rsplit('/').next()?.strip_suffix(".txt")?.parse().ok());
    match (cik, day_of(day), path, accession) {
        (Some(cik), Some(filed), Some(path), Some(accession)) if forms.contains(&form) => {
            Line::Row(Row { cik, name, form, filed, path, accession })
        }
        (Some(_), Some(_), Some(_), Some(_)) => Line::OtherForm,
        _ => Line::Unreadable,
    }
}

fn cut(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memchr(b'|', line)?;
    Some((line.get(..at)?, line.get(at + 1..)?))
}

fn cut_last(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memchr::memrchr(b'|', line)?;
    Some((line.get(..at)?, line.get(at + 1..)?))
}

/// `2019-02-14` in quarterly files, `20190214` in daily ones.
fn day_of(day: &[u8]) -> Option<FilingDate> {
    let day = std::str::from_utf8(day).ok()?;
    if day.len() == 8 && day.bytes().all(|b| b.is_ascii_digit()) {
        return format!("{}-{}-{}", day.get(..4)?, day.get(4..6)?, day.get(6..)?).parse().ok();
    }
    day.parse().ok()
}

/// Whether it is a path below Archives that leads nowhere else.
fn is_path(path: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._/".contains(&b);
    path.starts_with("edgar/data/") && path.bytes().all(plain) && !path.contains("..") && !path.contains("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: &[Form] = &[Form::EightK, Form::EightKA];

    fn row(line: &str) -> Option<(String, String, String)> {
        match read(line.as_bytes(), BOTH) {
            Line::Row(r) => Some((r.name(), r.filed.to_string(), r.accession.to_string())),
            _ => None,
        }
    }

    #[test]
    fn rows_by_their_shape() {
        let number = "0001234567-24-000001";
        let is = |name: &str| Some((name.to_owned(), "2024-03-01".to_owned(), number.to_owned()));
        let path = format!("edgar/data/12345/{number}.txt");
        assert_eq!(row(&format!("12345|TARN MILLS|8-K|2024-03-01|{path}")), is("TARN MILLS"));
        assert_eq!(row(&format!("12345|TARN|LOOM|MILLS|8-K/A|20240301|{path} \r")), is("TARN|LOOM|MILLS"));
        assert_eq!(row(&format!(" 0000012345 | TARN  MILLS | 8-K | 2024-03-01 | {path}")), is("TARN MILLS"));
        let latin = [b"12345|TARN CAF\xC9|8-K|2024-03-01|", path.as_bytes()].concat();
        let Line::Row(r) = read(&latin, BOTH) else { panic!("no row") };
        assert_eq!((r.name(), r.cik), ("TARN CAFÉ".to_owned(), "12345".to_owned()));
    }

    #[test]
    fn what_is_no_row() {
        let path = "edgar/data/12345/0001234567-24-000001.txt";
        fn kind(line: &str) -> Line<'_> {
            read(line.as_bytes(), &[Form::EightK])
        }
        for line in ["", "----------", "Description:  Master Index", "See a|b"] {
            assert_eq!(kind(line), Line::NoRow, "{line}");
        }
        assert_eq!(kind("CIK|Company Name|Form Type|Date Filed|Filename"), Line::Titles);
        for form in ["10-K", "8-K/A", "8-K12B"] {
            assert_eq!(kind(&format!("12345|TARN|{form}|2024-03-01|{path}")), Line::OtherForm, "{form}");
        }
        for line in [
            "12345|TARN MILLS|8-K",
            "12345|TARN MILLS|8-K|2024-03-01|",
            "12345|TARN MILLS|8-K|2024-03-01|edgar/data/12345/x.txt",
            "12345|TARN MILLS|8-K|2024-03-01|edgar/data/../../0001234567-24-000001.txt",
            "12345|TARN MILLS|8-K|2024-13-01|edgar/data/12345/0001234567-24-000001.txt",
            "TARN|TARN MILLS|8-K|2024-03-01|edgar/data/12345/0001234567-24-000001.txt",
        ] {
            assert_eq!(kind(line), Line::Unreadable, "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_line(line in "([0-9]{1,3}|\\||8-K|2024-01-01|edgar/data/1/0001234567-24-000001.txt|\\PC){0,12}") {
            read(line.as_bytes(), BOTH);
        }
    }
}
