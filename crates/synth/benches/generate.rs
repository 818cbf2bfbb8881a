//! How fast filings are made.

use eightk_synth::{Options, generate};

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 10)]
fn thousand_filings() {
    divan::black_box(generate(&Options { filings: 1000, ..Options::default() }));
}
