//! Any text, in every mode: spans in order, inside the text, and nothing but white space outside them.
#![no_main]

use eightk_text::split::{Splitter, split};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let black = |t: &str| t.chars().filter(|c| !c.is_whitespace() && !('\u{1c}'..='\u{1f}').contains(c)).count();
    for splitter in Splitter::ALL {
        let spans = split(text, *splitter);
        let mut last = 0;
        for span in &spans {
            assert!(last <= span.start && span.start <= span.end && text.get(span.start..span.end).is_some());
            last = span.end;
        }
        assert_eq!(spans.iter().map(|s| black(s.of(text))).sum::<usize>(), black(text));
    }
});
