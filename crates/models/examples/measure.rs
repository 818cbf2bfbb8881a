//! Encodes the lines of a file with a local model, and says how long it took: `measure FOLDER FILE [OUT.f32]`.
//! The counterpart of the scripts in `benches/peers`.

use std::time::Instant;

use eightk_encode::{ChunkInput, Encoder, FilingInput, Vector};
use eightk_models::{LocalModel, LocalSettings};

#[allow(clippy::print_stdout, clippy::disallowed_methods)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, file, rest @ ..] = arguments.as_slice() else { return Err("FOLDER and FILE, please".into()) };
    let start = Instant::now();
    let model = LocalModel::open(folder.as_ref(), &LocalSettings::default())?;
    let loaded = start.elapsed().as_secs_f64();
    let text = std::fs::read_to_string(file)?;
    let lines: Vec<&str> = text.lines().collect();
    let filings: Vec<FilingInput<'_>> = lines
        .chunks(64)
        .map(|lines| {
            let chunks = lines.iter().map(|l| ChunkInput { id: "", text: (*l).into() }).collect();
            FilingInput { source_url: "", title: "", chunks, context: None }
        })
        .collect();
    let start = Instant::now();
    let mut numbers: Vec<f32> = Vec::new();
    model.encode_filings(&filings, &mut |_, chunks| {
        for chunk in chunks {
            if let Vector::F32(v) = chunk.vector {
                numbers.extend(v);
            }
        }
        Ok(())
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let tokens = model.estimate(&filings, &[]).tokens;
    println!(
        "{} texts, {tokens} tokens: loaded in {loaded:.2} s, encoded in {seconds:.2} s, {:.0} texts/s, {:.0} tokens/s",
        lines.len(),
        lines.len() as f64 / seconds,
        tokens as f64 / seconds,
    );
    if let Some(out) = rest.first() {
        std::fs::write(out, numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    Ok(())
}
