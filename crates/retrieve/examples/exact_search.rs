//! Exact search over vectors in `.npy` files, timed: our side of `benches/peers/search.py`.
//!
//! ```text
//! exact_search CHUNKS.npy QUERIES.npy K [STORAGE] [FOUND.tsv]    seconds to build and to search, peak memory, as JSON
//! exact_search peak                                              multiply-adds that a core can do in a second of CPU time, as JSON
//! ```

#![allow(clippy::print_stdout, reason = "an example's result is what it prints")]

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::time::Instant;

use eightk_encode::{Similarity, Vector};
use eightk_retrieve::{Storage, VectorIndex};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["peak"] => peak(),
        [chunks, queries, k, ref rest @ ..] => {
            let storage = rest.first().map_or(Ok(Storage::F32), |s| s.parse())?;
            search(chunks, queries, k.parse()?, storage, rest.get(1).copied())
        }
        _ => Err("usage: exact_search CHUNKS.npy QUERIES.npy K [STORAGE] [FOUND.tsv]".into()),
    }
}

fn search(chunks: &str, queries: &str, k: usize, storage: Storage, out: Option<&str>) -> Result<(), Box<dyn Error>> {
    let queries = Rows::open(queries)?.collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    let (mut rows, mut failure) = (Rows::open(chunks)?, None);
    let index = VectorIndex::new(
        storage,
        Similarity::Dot,
        std::iter::from_fn(|| match rows.next()? {
            Ok(row) => Some(row),
            Err(error) => {
                failure = Some(error);
                None
            }
        }),
    )?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    let build = start.elapsed().as_secs_f64();
    index.search(queries.get(..queries.len().min(12)).unwrap_or_default(), k)?;
    let (start, cpu) = (Instant::now(), cpu_time());
    let found = index.search(&queries, k)?;
    let (search, cpu) = (start.elapsed().as_secs_f64(), cpu_time() - cpu);
    println!(
        "{{\"build\": {build:.4}, \"search\": {search:.4}, \"cpu\": {cpu:.2}, \"peak_mb\": {:.1}}}",
        peak_memory()
    );
    if let Some(out) = out {
        let mut out = BufWriter::new(File::create(out)?);
        for hits in found {
            let row: Vec<_> = hits.iter().map(|hit| format!("{}:{}", hit.position, hit.score)).collect();
            writeln!(out, "{}", row.join("\t"))?;
        }
    }
    Ok(())
}

/// Rows of a two-dimensional array of little-endian f32, one by one.
struct Rows {
    file: BufReader<File>,
    left: usize,
    bytes: Vec<u8>,
}

impl Rows {
    fn open(path: &str) -> Result<Self, Box<dyn Error>> {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
        let mut start = [0; 10];
        file.read_exact(&mut start)?;
        let mut header = vec![0; usize::from(u16::from_le_bytes([start[8], start[9]]))];
        file.read_exact(&mut header)?;
        let header = String::from_utf8_lossy(&header).into_owned();
        let shape = header.split_once("'shape': (").and_then(|(_, rest)| rest.split_once(')')).map(|(shape, _)| shape);
        let sizes: Vec<usize> = shape.unwrap_or_default().split(',').filter_map(|n| n.trim().parse().ok()).collect();
        let [rows, dims] = sizes[..] else { return Err(format!("{path}: not two-dimensional").into()) };
        if !start.starts_with(b"\x93NUMPY\x01")
            || !header.contains("'<f4'")
            || !header.contains("'fortran_order': False")
        {
            return Err(format!("{path}: not rows of little-endian f32 in a .npy of version 1").into());
        }
        Ok(Self { file, left: rows, bytes: vec![0; dims * 4] })
    }
}

impl Iterator for Rows {
    type Item = std::io::Result<Vector>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        if let Err(error) = self.file.read_exact(&mut self.bytes) {
            return Some(Err(error));
        }
        let (floats, _) = self.bytes.as_chunks::<4>();
        Some(Ok(Vector::F32(floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())))
    }
}

/// Most memory this process ever held, in MB of 10⁶ bytes; 0 where the system does not say.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<f64>().ok()).unwrap_or(0.0) * 1024.0 / 1e6
}

/// Seconds that all threads of this process ran, in steps of a hundredth; 0 where the system does not say.
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name stands in parentheses and may hold anything; user and system time are the 12th and 13th field after it.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Multiply-adds on registers alone, which no product of matrices can outdo.
struct MultiplyAdds(usize);

impl WithSimd for MultiplyAdds {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let (a, b) = (simd.splat_f32s(std::hint::black_box(0.999)), simd.splat_f32s(std::hint::black_box(1e-3)));
        let mut sums = [simd.splat_f32s(0.0); 12];
        for _ in 0..self.0 {
            for sum in &mut sums {
                *sum = simd.mul_add_e_f32s(*sum, a, b);
            }
        }
        let total = sums.into_iter().fold(simd.splat_f32s(0.0), |total, sum| simd.add_f32s(total, sum));
        simd.reduce_sum_f32s(total)
    }
}

/// What a vector register holds.
struct Lanes;

impl WithSimd for Lanes {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES
    }
}

fn peak() -> Result<(), Box<dyn Error>> {
    let (arch, rounds) = (Arch::new(), 100_000_000);
    let threads = rayon::current_num_threads();
    let cpu = cpu_time();
    (0..threads).into_par_iter().with_max_len(1).for_each(|_| {
        std::hint::black_box(arch.dispatch(MultiplyAdds(rounds)));
    });
    let flops = (2 * 12 * arch.dispatch(Lanes) * rounds * threads) as f64;
    println!("{{\"gflops_of_a_core\": {:.1}}}", flops / (cpu_time() - cpu) / 1e9);
    Ok(())
}
