//! How fast documents become text.
//!
//! The folder of real filings is measured where it is at hand; invented documents always are.

#![allow(clippy::print_stderr)]

use std::path::Path;

use divan::{Bencher, black_box, counter::BytesCount};
use eightk_text::clean::clean;

fn main() {
    divan::main();
}

/// A cover table and paragraphs with the long style attributes that converters write.
fn html(paragraphs: usize) -> Vec<u8> {
    let style =
        "color:#000000;font-family:'Times New Roman',sans-serif;font-size:10pt;font-weight:400;line-height:120%";
    let mut source =
        String::from("<?xml version='1.0' encoding='ASCII'?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body>");
    for i in 0..paragraphs {
        source.push_str(&format!(
            "<div style=\"padding-left:36pt;text-align:justify\"><span style=\"{style}\">The Company&#8217;s plan number {i} will close \
             </span><span style=\"{style}\">one of its plants&#160;in Ohio.</span></div><table><tr><td style=\"{style}\">Jobs</td>\
             <td>$</td><td>{i}</td><td>12</td></tr></table>"
        ));
    }
    source.push_str("</body></html>");
    source.into_bytes()
}

fn plain(paragraphs: usize) -> Vec<u8> {
    let mut source = String::new();
    for i in 0..paragraphs {
        source.push_str(&format!(
            "     The Company's plan number {i} will close one of its plants in the\nstate of Ohio before long, and another one in Iowa \
             will follow.\n\nJobs            {i}          12\n\n"
        ));
    }
    source.into_bytes()
}

#[divan::bench(args = [100, 10_000])]
fn inline_xbrl(bencher: Bencher<'_, '_>, paragraphs: usize) {
    let source = html(paragraphs);
    bencher.counter(BytesCount::of_slice(&source)).bench(|| clean(black_box(&source)));
}

#[divan::bench(args = [100, 10_000])]
fn plain_text(bencher: Bencher<'_, '_>, paragraphs: usize) {
    let source = plain(paragraphs);
    bencher.counter(BytesCount::of_slice(&source)).bench(|| clean(black_box(&source)));
}

/// All real filings, one after the other on one thread.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn real_filings(bencher: Bencher<'_, '_>) {
    #[allow(clippy::disallowed_methods)]
    let folder = std::env::var("EIGHTK_SHARED")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").to_owned());
    let Ok(entries) = std::fs::read_dir(Path::new(&folder).join("data/filings")) else {
        eprintln!("skipped: no filings in {folder}");
        return;
    };
    let files: Vec<Vec<u8>> = entries
        .filter_map(Result::ok)
        .filter(|e| e.path().extension().is_some_and(|x| x != "jsonl"))
        .filter_map(|e| std::fs::read(e.path()).ok())
        .collect();
    let bytes: usize = files.iter().map(Vec::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| files.iter().filter_map(|f| clean(black_box(f)).ok()).map(|c| c.text.len()).sum::<usize>());
}
