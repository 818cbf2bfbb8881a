//! How much of a full submission its header is.
//!
//! A submission may be megabytes of exhibits and pictures, while what names its form, filers and primary document stands before
//! the first document's text. So reading stops there.

use memchr::memchr2;

/// A header is looked for in no more than this.
pub const MAX_HEADER: usize = 1 << 20;

/// Watches a submission as it comes for the place where its header ends.
#[derive(Debug, Default)]
pub struct HeaderEnd {
    /// Start of the line that is not complete yet.
    line: usize,
    /// Up to where no line end was found in it.
    seen: usize,
    /// Whether the document being read says that it is something else than an 8-K.
    other: bool,
}

impl HeaderEnd {
    /// Looks at all that came so far. Whether enough did: the primary document's `<TEXT>` line, or that of the first document when
    /// it says no type, or [`MAX_HEADER`] bytes.
    pub fn reached(&mut self, so_far: &[u8]) -> bool {
        while let Some(end) =
            so_far.get(self.seen..).and_then(|rest| memchr2(b'\n', b'\r', rest)).map(|n| self.seen + n)
        {
            let line = so_far.get(self.line..end).unwrap_or_default();
            self.line = end + 1;
            self.seen = end + 1;
            if starts_with(line, b"<DOCUMENT>") {
                self.other = false;
            } else if starts_with(line, b"<TYPE>") {
                let kind = line.get(6..).unwrap_or_default().trim_ascii();
                self.other = !kind.is_empty() && !starts_with(kind, b"8-K");
            } else if starts_with(line, b"<TEXT>") && !self.other {
                return true;
            }
        }
        self.seen = so_far.len().max(self.line);
        so_far.len() >= MAX_HEADER
    }
}

/// Whether `line` starts with `tag`, whatever the case.
pub(super) fn starts_with(line: &[u8], tag: &[u8]) -> bool {
    line.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEAD: &str =
        "<SEC-DOCUMENT>x.txt\n<SEC-HEADER>\nFILER:\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<TEXT>\n";

    fn length(text: &str) -> Option<usize> {
        (0..=text.len()).find(|n| HeaderEnd::default().reached(&text.as_bytes()[..*n]))
    }

    #[test]
    fn stops_at_the_primary_text() {
        assert_eq!(length(&format!("{HEAD}body")), Some(HEAD.len()));
        assert_eq!(length(&HEAD.replace('\n', "\r\n")), Some(HEAD.replace('\n', "\r\n").len() - 1));
        assert_eq!(length(&HEAD.replace("8-K\n", "8-K/A\n").to_lowercase()), Some(HEAD.len() + 2));
        assert_eq!(length(&HEAD.replace("<TYPE>8-K\n", "")), Some(HEAD.len() - 10));
        assert_eq!(length(HEAD.trim_end()), None);
        // An exhibit that stands first is read over.
        let exhibit = HEAD.replace("8-K\n", "EX-99\n");
        let both = format!("{exhibit}words\n</TEXT>\n</DOCUMENT>\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>\nmore");
        assert_eq!(length(&both), Some(both.len() - 4));
    }

    #[test]
    fn gives_up_after_a_megabyte() {
        let endless = vec![b'x'; MAX_HEADER];
        assert!(!HeaderEnd::default().reached(&endless[1..]));
        assert!(HeaderEnd::default().reached(&endless));
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(text in "(<TEXT>|<type>|8-K|EX|\n|\r|<DOCUMENT>|a){0,30}", piece in 1_usize..9) {
            let bytes = text.as_bytes();
            let (mut watch, mut reached, mut end) = (HeaderEnd::default(), false, 0);
            while end < bytes.len() && !reached {
                end = (end + piece).min(bytes.len());
                reached = watch.reached(&bytes[..end]);
            }
            prop_assert_eq!(reached, HeaderEnd::default().reached(bytes));
        }
    }
}
