//! Rows as files hold them, before anything is made of them.
//!
//! Both formats end here, so that whatever is tolerated is tolerated in both: every cell may be missing, ids may be numbers,
//! whole numbers may be written as floats (as pandas does once a column has a gap), unknown columns are ignored.

use std::fmt;

use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, SeqAccess, Visitor};

use super::columns::Columns;

/// A row that both readers can make.
pub(crate) trait RawRow: DeserializeOwned {
    /// The columns it reads.
    const COLUMNS: &'static [&'static str];

    /// The rows of one batch; the error names the column and what is wrong with it.
    fn from_batch(batch: &Columns<'_>) -> Result<Vec<Self>, ColumnProblem>;
}

/// A column that does not have the type it should.
#[derive(Debug)]
pub(crate) struct ColumnProblem {
    pub(crate) column: String,
    pub(crate) problem: String,
}

macro_rules! raw_row {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Default, serde::Deserialize)]
        #[serde(default)]
        pub(crate) struct $name {
            $(pub(crate) $field: raw_row!(@type $kind),)*
        }

        impl RawRow for $name {
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field),)*];

            fn from_batch(batch: &Columns<'_>) -> Result<Vec<Self>, ColumnProblem> {
                let mut rows: Vec<Self> = std::iter::repeat_with(Self::default).take(batch.rows()).collect();
                $(
                    if let Some(cells) = batch.$kind(stringify!($field))? {
                        for (row, cell) in rows.iter_mut().zip(cells) {
                            row.$field = cell;
                        }
                    }
                )*
                Ok(rows)
            }
        }
    };
    (@type text) => { Text };
    (@type whole) => { Whole };
    (@type texts) => { List<Text> };
    (@type wholes) => { List<Whole> };
    (@type spans) => { List<RawSpan> };
}

raw_row! {
    /// A row of `documents`.
    RawDocument {
        chunk_id: text,
        chunk: text,
        source_url: text,
        title: text,
        chunk_idx: whole,
        chunk_start_char: whole,
        chunk_end_char: whole,
    }
}

raw_row! {
    /// A row of `queries`.
    RawQuery {
        original_query: text,
        query: text,
        answer: texts,
        score: wholes,
        source_url: texts,
        frag_start_char: wholes,
        frag_end_char: wholes,
        n_gold: whole,
        roles: texts,
        fact: text,
        alternatives: spans,
    }
}

raw_row! {
    /// A row of `filings`.
    RawFiling {
        source_url: text,
        accession: text,
        cik: text,
        company: text,
        title: text,
        form: text,
        filed: text,
        items: texts,
        url: text,
        sha256: text,
        text: text,
    }
}

raw_row! {
    /// Of a row of `documents` or `filings`, what says where it belongs.
    RawHead {
        chunk_id: text,
        source_url: text,
        title: text,
        chunk_idx: whole,
    }
}

raw_row! {
    /// A line of `audit/dropped.jsonl`.
    RawDropped {
        source_url: text,
        start: whole,
        end: whole,
        reason: text,
        text: text,
    }
}

/// A string or nothing; numbers become strings.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Option<String>);

/// A whole number or nothing.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whole(pub(crate) Option<i64>);

/// A list or nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List<T>(pub(crate) Option<Vec<T>>);

/// A span with its filing: one element of `alternatives`.
#[derive(Debug, Default, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(crate) struct RawSpan {
    pub(crate) source_url: Text,
    pub(crate) frag_start_char: Whole,
    pub(crate) frag_end_char: Whole,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// The whole number a float stands for, if it does.
pub(crate) fn whole(f: f64) -> Option<i64> {
    // Beyond 2^53 a float no longer says which whole number was meant.
    (f.fract() == 0.0 && f.abs() <= 9_007_199_254_740_992.0).then_some(f as i64)
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: de::Error>(self, s: &str) -> Result<Text, E> {
                Ok(Text(Some(s.to_owned())))
            }
            fn visit_string<E: de::Error>(self, s: String) -> Result<Text, E> {
                Ok(Text(Some(s)))
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Text, E> {
                Ok(Text(Some(n.to_string())))
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Text, E> {
                Ok(Text(Some(n.to_string())))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Text, E> {
                Ok(Text(None))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Whole;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Whole, E> {
                Ok(Whole(Some(n)))
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Whole, E> {
                i64::try_from(n).map(|n| Whole(Some(n))).map_err(|_| E::custom("a number beyond 64 bits"))
            }
            fn visit_f64<E: de::Error>(self, f: f64) -> Result<Whole, E> {
                whole(f).map(|n| Whole(Some(n))).ok_or_else(|| E::custom(format!("{f} is no whole number")))
            }
            fn visit_unit<E: de::Error>(self) -> Result<Whole, E> {
                Ok(Whole(None))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Reader<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(List(Some(items)))
            }
            fn visit_unit<E: de::Error>(self) -> Result<List<T>, E> {
                Ok(List(None))
            }
        }
        deserializer.deserialize_any(Reader(std::marker::PhantomData))
    }
}
