//! Names of a filer, and definitions, in a narrative of usual length.

use eightk_core::FilingMeta;
use eightk_text::names::{Names, bindings};

fn main() {
    divan::main();
}

fn narrative() -> String {
    let sentence = "On May 2, 2031, the Board of Directors of Ostrova Marine Systems, Inc., a Maine corporation (NYSE: OSTV) (the “Company”), \
        approved a plan (the “Plan”) under which it will (i) close two yards and (ii) cut costs. The Company’s plants in Ohio rest. ";
    sentence.repeat(20)
}

#[divan::bench]
fn collect(bencher: divan::Bencher) {
    let text = narrative();
    let meta = FilingMeta { company: Some("OSTROVA MARINE SYSTEMS INC".to_owned()), ..FilingMeta::default() };
    bencher.counter(divan::counter::BytesCount::of_str(&text)).bench(|| Names::new(&meta, &text, &[]));
}

#[divan::bench]
fn definitions(bencher: divan::Bencher) {
    let text = narrative();
    bencher.counter(divan::counter::BytesCount::of_str(&text)).bench(|| bindings(&text));
}

#[divan::bench]
fn mention(bencher: divan::Bencher) {
    let text = narrative();
    let meta = FilingMeta { company: Some("TARWICK MILLS INC".to_owned()), ..FilingMeta::default() };
    let names = Names::new(&meta, &text, &[]);
    bencher.counter(divan::counter::BytesCount::of_str(&text)).bench(|| names.mention(&text));
}
