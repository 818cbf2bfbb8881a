//! CSV as RFC 4180 has it: commas, CRLF, quotes where needed.
//!
//! Numbers have every digit, so that reading them back gives the same ones; what there is none of is an empty field. Fields are
//! never changed to protect a spreadsheet from formulas: a difference that begins with `-` is a number.

/// A field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Field {
    Text(String),
    Number(f64),
    Count(usize),
    None,
}

impl From<&str> for Field {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Field {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Field {
    fn from(x: f64) -> Self {
        if x.is_finite() { Self::Number(x) } else { Self::None }
    }
}

impl From<usize> for Field {
    fn from(n: usize) -> Self {
        Self::Count(n)
    }
}

impl<T: Into<Self>> From<Option<T>> for Field {
    fn from(field: Option<T>) -> Self {
        field.map_or(Self::None, Into::into)
    }
}

/// Rows under a header.
pub(super) struct Records {
    pub(super) header: Vec<&'static str>,
    pub(super) rows: Vec<Vec<Field>>,
}

impl Records {
    pub(super) fn csv(&self) -> String {
        let header = line(self.header.iter().map(|name| quoted(name)));
        header + &self.rows.iter().map(|row| line(row.iter().map(written))).collect::<String>()
    }
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\r\n"
}

fn written(field: &Field) -> String {
    match field {
        Field::Text(text) => quoted(text),
        // The shortest form that reads back as the same number.
        Field::Number(x) => x.to_string(),
        Field::Count(n) => n.to_string(),
        Field::None => String::new(),
    }
}

fn quoted(text: &str) -> String {
    // An empty text is not the same as no text.
    let needs =
        text.is_empty() || text.contains(['"', ',', '\r', '\n']) || text.starts_with(' ') || text.ends_with(' ');
    if needs { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let records = Records {
            header: vec!["system", "difference", "queries"],
            rows: vec![
                vec!["plain:k1=0.9".into(), (-0.1).into(), 3.into()],
                vec!["a,b \"c\"\nd".into(), (1.0 / 3.0).into(), Field::None],
                vec!["".into(), f64::NAN.into(), Some(2).into()],
                vec!["=1+1".into(), None::<f64>.into(), 0.into()],
            ],
        };
        let want = "system,difference,queries\r\nplain:k1=0.9,-0.1,3\r\n\"a,b \"\"c\"\"\nd\",0.3333333333333333,\r\n\"\",,2\r\n=1+1,,0\r\n";
        assert_eq!(records.csv(), want);
    }
}
