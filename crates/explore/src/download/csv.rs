//! Rows as RFC 4180 has them.
//!
//! Text of strangers that begins like a formula gets an apostrophe in front, as spreadsheets run what a cell says. That changes the cell;
//! the data set's own files are there for whoever needs the exact text.

/// One cell.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell<'a> {
    /// Anybody's text.
    Text(&'a str),
    /// A count.
    Count(usize),
    /// A number; not finite is empty.
    Number(f64),
    /// Nothing.
    Empty,
}

impl<'a> Cell<'a> {
    /// A text that may not be there.
    pub(crate) fn maybe(text: Option<&'a str>) -> Self {
        text.map_or(Self::Empty, Self::Text)
    }

    /// A count that may not be there.
    pub(crate) fn maybe_count(count: Option<usize>) -> Self {
        count.map_or(Self::Empty, Self::Count)
    }

    /// A number that may not be there.
    pub(crate) fn maybe_number(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }
}

/// Appends one row with its line end.
pub(crate) fn push_row(out: &mut String, cells: &[Cell<'_>]) {
    use std::fmt::Write;
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        // Writing to a string cannot fail.
        let _ = match cell {
            Cell::Text(text) => {
                push_text(out, text);
                Ok(())
            }
            Cell::Count(n) => write!(out, "{n}"),
            Cell::Number(n) if n.is_finite() => write!(out, "{n}"),
            Cell::Number(_) | Cell::Empty => Ok(()),
        };
    }
    out.push_str("\r\n");
}

fn push_text(out: &mut String, text: &str) {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let quoted = formula || text.contains([',', '"', '\r', '\n']);
    if !quoted {
        out.push_str(text);
        return;
    }
    out.push('"');
    if formula {
        out.push('\'');
    }
    for (i, part) in text.split('"').enumerate() {
        if i > 0 {
            out.push_str("\"\"");
        }
        out.push_str(part);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_cell_is_quoted() {
        let mut out = String::new();
        let cells = [
            Cell::Text("plain"),
            Cell::Text("a, \"b\"\r\nc"),
            Cell::Count(7),
            Cell::Number(-0.5),
            Cell::Number(f64::NAN),
            Cell::Empty,
            Cell::Text("=1+1"),
        ];
        push_row(&mut out, &cells);
        assert_eq!(out, "plain,\"a, \"\"b\"\"\r\nc\",7,-0.5,,,\"'=1+1\"\r\n");
    }
}
