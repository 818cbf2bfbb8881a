//! What must hold of every cleaned document.

use eightk_text::clean::clean;

/// Cleans the file twice and checks the result.
pub fn hold(file: &[u8]) {
    let Ok(first) = clean(file) else { return };
    let mut at = 0;
    for p in &first.paragraphs {
        assert_eq!(p.span.start, at, "a gap between paragraphs");
        let text = first.text.get(p.span.start..p.span.end).expect("a paragraph cuts a character");
        assert!(!text.is_empty() && text.trim() == text, "an empty or untrimmed paragraph");
        at = p.span.end + 1;
    }
    assert_eq!(at, first.text.len() + 1, "text outside paragraphs");
    let (mut out, mut source) = (0, 0);
    for s in first.map.segments() {
        assert_eq!(s.out, out, "a gap in the map");
        assert!(s.source >= source, "the map goes backwards");
        out += s.out_len;
        source = s.source + s.source_len;
    }
    assert_eq!(out, first.text.len(), "text outside the map");
    // Of compressed files the map leads into what they unpack to.
    assert!(file.starts_with(b"\x1F\x8B") || source <= file.len(), "the map leads out of the file");
    let second = clean(file).expect("cleaned once, refused twice");
    assert_eq!(first.text, second.text);
    assert_eq!(first.map, second.map);
}
