//! A page as a browser takes it apart.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{Token, Tokenizer};

/// A start tag.
#[derive(Debug, Clone)]
pub struct Tag {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
}

/// Start tags, the text between tags, and how often comments or doctypes stand in the page.
#[derive(Debug, Default)]
pub struct Parsed {
    pub tags: Vec<Tag>,
    pub text: String,
    pub comments: usize,
}

/// Elements that begin a line of their own.
const BLOCKS: &[&str] =
    &["p", "div", "dt", "dd", "li", "td", "th", "h1", "h2", "h3", "option", "tr", "section", "main"];

pub fn parse(page: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let string = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for token in Tokenizer::new(page) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name = string(&tag.name);
                if BLOCKS.contains(&name.as_str()) {
                    parsed.text.push(' ');
                }
                let attributes = tag.attributes.iter().map(|(k, v)| (string(k), string(v))).collect();
                parsed.tags.push(Tag { name, attributes });
            }
            Token::String(text) => parsed.text.push_str(&string(&text)),
            Token::Comment(_) => parsed.comments += 1,
            _ => {}
        }
    }
    parsed
}

impl Parsed {
    /// Addresses of links, those of this server without what follows `#`.
    pub fn links(&self) -> BTreeSet<String> {
        let hrefs = self.tags.iter().filter(|t| t.name == "a").filter_map(|t| t.attributes.get("href"));
        hrefs.map(|h| h.split('#').next().unwrap_or_default().to_owned()).filter(|h| !h.is_empty()).collect()
    }
}
