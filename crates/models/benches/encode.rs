//! A real model on generated sentences: `EIGHTK_MINILM=FOLDER cargo bench -p eightk-models`.

#![allow(clippy::expect_used, clippy::print_stderr, reason = "a bench that cannot be set up has nothing to measure")]

use std::path::PathBuf;
use std::sync::OnceLock;

use divan::Bencher;
use divan::counter::ItemsCount;
use eightk_encode::{ChunkInput, Context, Encoder, FilingInput};
use eightk_models::{LocalModel, LocalSettings};

#[allow(clippy::disallowed_methods, reason = "where the model lies is known to nobody else")]
fn model() -> Option<&'static LocalModel> {
    static MODEL: OnceLock<Option<LocalModel>> = OnceLock::new();
    let open = |folder: PathBuf| LocalModel::open(&folder, &LocalSettings::default()).expect("a model");
    MODEL.get_or_init(|| std::env::var_os("EIGHTK_MINILM").map(PathBuf::from).map(open)).as_ref()
}

fn main() {
    if model().is_some() {
        divan::main();
    } else {
        eprintln!("EIGHTK_MINILM names no model's folder: nothing to measure");
    }
}

/// Sentences of some 40 tokens, no two alike.
fn sentences(count: usize) -> Vec<String> {
    let sentence = |i: usize| {
        format!(
            "On March {}, 20{:02}, the Company closed plant number {i} and expects to record charges of {} million dollars for severance, \
             leases and equipment that is no longer of use to any of its {} businesses.",
            i % 28 + 1,
            i % 26,
            i * 37 % 900,
            i % 9 + 2
        )
    };
    (0..count).map(sentence).collect()
}

fn filing(sentences: &[String], context: bool) -> FilingInput<'_> {
    let chunks = sentences.iter().map(|s| ChunkInput { id: "", text: s.into() }).collect();
    let context = context.then(|| Context::joined(sentences.iter().enumerate().map(|(i, s)| (s.as_str(), Some(i)))));
    FilingInput { source_url: "", title: "", chunks, context }
}

fn encode(bencher: Bencher<'_, '_>, count: usize, context: bool) {
    let Some(model) = model() else { return };
    let sentences = sentences(count);
    let filing = [filing(&sentences, context)];
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        model.encode_filings(&filing, &mut |_, chunks| {
            divan::black_box(chunks);
            Ok(())
        })
    });
}

/// Each sentence by itself.
#[divan::bench(args = [1, 64, 512], sample_count = 5)]
fn alone(bencher: Bencher<'_, '_>, count: usize) {
    encode(bencher, count, false);
}

/// All as one context: one window, and several.
#[divan::bench(args = [10, 64], sample_count = 5)]
fn in_context(bencher: Bencher<'_, '_>, count: usize) {
    encode(bencher, count, true);
}

/// Counting tokens, which is nearly all tokenizer.
#[divan::bench(sample_count = 5)]
fn estimate_512(bencher: Bencher<'_, '_>) {
    let Some(model) = model() else { return };
    let sentences = sentences(512);
    let filing = [filing(&sentences, false)];
    bencher.counter(ItemsCount::new(512usize)).bench_local(|| model.estimate(&filing, &[]));
}
