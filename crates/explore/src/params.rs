//! What a query string says, held to bounds.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;

/// Parameters a page never has more of.
const MOST: usize = 64;

/// Names and values, decoded. Whatever is not UTF-8 in them has become U+FFFD; where one stands twice, the first counts.
#[derive(Debug, Default)]
pub(crate) struct Params(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let read = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let mut pairs = read.map(|Query(pairs)| pairs).unwrap_or_default();
        pairs.truncate(MOST);
        Ok(Self(pairs))
    }
}

impl Params {
    /// A value as it was sent.
    pub(crate) fn exact(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// A value without space around it; `""` where there is none.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.exact(name).unwrap_or_default().trim()
    }

    /// A number from 1; 1 where there is none or it is none.
    pub(crate) fn page(&self) -> usize {
        self.text("page").parse().ok().filter(|n| *n > 0).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: &str) -> Params {
        let uri = format!("/x?{query}").parse().unwrap();
        Params(Query::try_from_uri(&uri).map(|Query(p)| p).unwrap_or_default())
    }

    #[test]
    fn odd_values_are_values() {
        let params = of("q=+a%20b%00%ff&q=second&page=-1&=x&&y");
        assert_eq!(params.text("q"), "a b\u{0}\u{fffd}");
        assert_eq!(params.page(), 1);
        assert_eq!(params.exact("y"), Some(""));
        assert_eq!(params.exact("z"), None);
        assert_eq!(of("page=7").page(), 7);
        assert_eq!(of("page=99999999999999999999999").page(), 1);
    }
}
