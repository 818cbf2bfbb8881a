//! A page, taken apart as a browser would.

use std::collections::{BTreeMap, BTreeSet};

use html5gum::{Token, Tokenizer};

const VOID: [&str; 7] = ["meta", "link", "br", "wbr", "input", "hr", "img"];
/// What our pages are made of, charts included; anything else came from a text.
const KNOWN: &str = "a article bdi body br button caption circle code dd del desc details div dl dt em figcaption figure footer form g h1 h2 h3 h4 head header html \
    input ins label li line main mark meta nav ol option output p path polygon rect s section select small span strong style summary svg \
    table tbody td text th thead title tr tspan ul wbr script";

/// One element with its attributes.
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, String>,
}

/// Elements in order; fails on what is not well nested, on names and attributes that are not ours, on ids and references that do not
/// fit, on headings out of order, and on whatever would load or lead elsewhere than to sec.gov.
pub(super) fn checked(page: &str) -> Vec<Element> {
    let known: BTreeSet<&str> = KNOWN.split_whitespace().collect();
    let (mut open, mut all): (Vec<String>, Vec<Element>) = (Vec::new(), Vec::new());
    // The tokenizer alone does not know that a script is no mark-up.
    let (before, script) = page.split_once("<script>").expect("our script");
    let (script, after) = script.split_once("</script>").expect("its end");
    assert_eq!(script, crate::script::js());
    let page = format!("{before}{after}");
    for token in Tokenizer::new(page.as_str()) {
        match token.unwrap() {
            Token::StartTag(tag) => {
                let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
                let name = text(&tag.name);
                let attributes: BTreeMap<String, String> =
                    tag.attributes.iter().map(|(k, v)| (text(k), text(v))).collect();
                assert!(known.contains(name.as_str()), "<{name}>");
                if !tag.self_closing && !VOID.contains(&name.as_str()) {
                    open.push(name.clone());
                }
                all.push(Element { name, attributes });
            }
            Token::EndTag(tag) => {
                let name = String::from_utf8(tag.name.to_vec()).unwrap();
                assert_eq!(open.pop().as_deref(), Some(name.as_str()), "nesting");
            }
            Token::Error(e) => panic!("not HTML: {e:?}"),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
    references(&all);
    headings(&all);
    all
}

fn references(all: &[Element]) {
    let mut ids = BTreeSet::new();
    for id in all.iter().filter_map(|e| e.attributes.get("id")) {
        assert!(ids.insert(id.as_str()), "two of {id}");
        assert!(!id.is_empty() && !id.contains(char::is_whitespace), "{id:?}");
    }
    for element in all {
        for (key, value) in &element.attributes {
            let named = match key.as_str() {
                "aria-labelledby" | "aria-describedby" | "aria-controls" | "for" | "data-list" => value.as_str(),
                "href" if value.starts_with('#') => &value[1..],
                "href" => {
                    assert!(value.starts_with("https://www.sec.gov/"), "{value}");
                    ""
                }
                "src" | "srcset" | "style" | "action" | "xlink:href" | "formaction" | "data" | "poster"
                | "background" => {
                    panic!("{key}={value}")
                }
                key => {
                    assert!(!key.starts_with("on"), "{key}");
                    ""
                }
            };
            assert!(named.split_whitespace().all(|n| ids.contains(n)), "{key}={value} leads nowhere");
        }
        if element.attributes.get("role").is_some_and(|r| r == "region") {
            assert!(["aria-label", "aria-labelledby"].iter().any(|k| element.attributes.contains_key(*k)));
        }
    }
}

fn headings(all: &[Element]) {
    let mut last = 0;
    let levels = all.iter().filter_map(|e| e.name.strip_prefix('h')?.parse::<usize>().ok());
    for level in levels {
        assert!(level <= last + 1, "h{level} after h{last}");
        assert!(level > 1 || last == 0, "one h1");
        last = level;
    }
    assert!(last > 0, "no heading");
}

/// How many elements of a name (and class) there are.
pub(super) fn count(all: &[Element], name: &str, class: &str) -> usize {
    let has =
        |e: &Element| class.is_empty() || e.attributes.get("class").is_some_and(|c| c.split(' ').any(|c| c == class));
    all.iter().filter(|e| e.name == name && has(e)).count()
}
