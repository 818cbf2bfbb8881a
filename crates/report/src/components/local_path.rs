//! Settings without the folders of the machine that ran them.
//!
//! A spec says where its model lies, and a page is sent to people whom that does not concern: of an absolute path the last two parts
//! are shown. What can be run again stays in `results.json`, which is not sent by accident.

/// The text with absolute paths told by their end: `dense:…/models/tiny`. Addresses with a scheme stay.
pub fn without_folders(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = start(rest, out.chars().next_back()) {
        let (before, path) = rest.split_at(at);
        let end = path.find([',', ';', ')', ' ', '"', '\'']).unwrap_or(path.len());
        let (path, after) = path.split_at(end);
        out.push_str(before);
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            [.., above, last] if parts.len() > 2 => out.push_str(&format!("…/{above}/{last}")),
            _ => out.push_str(path),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Where a path begins: a `/` that nothing of a word stands before, nor another follows.
fn start(text: &str, mut before: Option<char>) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        let begins = before.is_none_or(|b| ":=( ;,\"'".contains(b));
        if c == '/' && begins && next.is_some_and(|n| n != '/' && !n.is_whitespace()) {
            return Some(at);
        }
        before = Some(c);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_told_by_their_end() {
        for (given, shown) in [
            ("dense:/home/ann/models/tiny,view=title,as=tiny", "dense:…/models/tiny,view=title,as=tiny"),
            ("rrf(bm25:title; dense:/home/ann/models/tiny,as=x)", "rrf(bm25:title; dense:…/models/tiny,as=x)"),
            ("/srv/a/b/model", "…/b/model"),
            ("cmd:python3 /home/ann/code/x/encoder.py", "cmd:python3 …/x/encoder.py"),
            ("dense:acme/tiny", "dense:acme/tiny"),
            ("openai:m,url=http://kiln.test/v1/a/b", "openai:m,url=http://kiln.test/v1/a/b"),
            ("1 / (k + rank)", "1 / (k + rank)"),
            ("tf / (tf + k1)", "tf / (tf + k1)"),
            ("prefix:/tmp/x", "prefix:/tmp/x"),
            ("", ""),
        ] {
            assert_eq!(without_folders(given), shown);
        }
    }
}
