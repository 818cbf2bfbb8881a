//! What a recipe costs to build, and a sentence to examine.
#![allow(missing_docs, clippy::unwrap_used)]

use eightk_core::{Filing, FilingMeta, Sentence, Span};
use eightk_mine::{Recipe, examine};
use eightk_text::names::Names;

fn main() {
    divan::main();
}

#[divan::bench]
fn build_recipe() -> Recipe {
    Recipe::builtin("restructuring").unwrap().unwrap()
}

/// 20,000 sentences of which one in fifty gets past the gate, as in real filings.
fn filing() -> Filing {
    const PLAIN: [&str; 4] = [
        "The Company issued a press release on its results for the quarter, a copy of which is furnished with this report.",
        "The directors were elected by the holders of a majority of the shares that were present at the annual meeting.",
        "Pursuant to the agreement the lenders extended the maturity of the facility by two years, to the end of June 2027.",
        "Net sales rose by 4% to $312 million, led by the eastern region and by higher prices in all other regions.",
    ];
    let mut text = String::new();
    let mut sentences = Vec::new();
    for i in 0..20_000 {
        let start = text.len();
        if i % 50 == 0 {
            text.push_str("The Company expects to incur charges of $4 million for the plan and will cut 60 jobs by the end of May.");
        } else {
            text.push_str(PLAIN[i % 4]);
        }
        sentences.push(Sentence { span: Span::new(start, text.len()), dropped: None, item: None });
        text.push(' ');
    }
    let meta = FilingMeta { company: Some("Marlowe Kilns, Inc.".into()), ..FilingMeta::default() };
    Filing { meta, text, items: Vec::new(), sentences }
}

#[divan::bench]
fn examine_20_000_sentences(bencher: divan::Bencher<'_, '_>) {
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let filing = filing();
    let names = Names::new(&filing.meta, &filing.text, &[]);
    bencher.bench(|| examine(&filing, &names, &recipe).mentions.len());
}
