//! Recipes from anywhere: compiled or refused with a message.
#![no_main]

use eightk_mine::Recipe;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(e) = Recipe::parse(text, "fuzz") {
        assert!(!e.to_string().is_empty());
    }
});
