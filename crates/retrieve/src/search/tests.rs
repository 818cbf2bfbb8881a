//! The fast search against a plain loop in f64.

use eightk_encode::{Similarity, Vector};
use proptest::prelude::*;

use super::{SearchError, Storage, VectorIndex};
use crate::{Scored, TopK};

/// What a plain loop finds: every score in f64, interleaved sums and all.
fn naive(vectors: &[Vector], query: &Vector, similarity: Similarity, k: usize) -> Vec<Scored> {
    let values = |v: &Vector| v.to_f32().into_iter().map(f64::from).collect::<Vec<_>>();
    let query = values(query);
    let product = |a: &[f64], b: &[f64]| {
        let mut sums = [0.0; 8];
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            sums[i % 8] += a * b;
        }
        ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]))
    };
    let length = |v: &[f64]| product(v, v).sqrt();
    let mut top = TopK::new(k);
    for (position, vector) in (0u32..).zip(vectors) {
        let row = values(vector);
        let product = product(&row, &query);
        let score = match similarity {
            Similarity::Dot => product,
            Similarity::Cosine => 1.0 / length(&row) * product * (1.0 / length(&query)),
            Similarity::Hamming => product / row.len() as f64,
        };
        top.push(position, score);
    }
    top.finish()
}

/// A source of numbers that look random.
fn random(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 40) as f32 / (1u64 << 24) as f32) - 0.5
    }
}

fn vectors(n: usize, dims: usize, seed: u64) -> Vec<Vector> {
    let mut next = random(seed);
    (0..n).map(|_| Vector::F32((0..dims).map(|_| next()).collect())).collect()
}

fn floats(v: &Vector) -> Vec<f32> {
    v.to_f32()
}

fn check(vectors: &[Vector], queries: &[Vector], similarity: Similarity, k: usize) {
    let index = VectorIndex::new(Storage::F32, similarity, vectors.to_vec()).unwrap();
    for (query, found) in queries.iter().zip(index.search(queries, k).unwrap()) {
        assert_eq!(found, naive(vectors, query, similarity, k));
    }
}

#[test]
fn agrees_with_a_plain_loop_on_more_than_one_block() {
    // 700 rows are three blocks, the last panel part empty; 13 queries are two tiles.
    let (rows, queries) = (vectors(700, 384, 1), vectors(13, 384, 2));
    for similarity in [Similarity::Cosine, Similarity::Dot] {
        for k in [0, 1, 10, 699, 700, 5000] {
            check(&rows, &queries, similarity, k);
        }
    }
}

#[test]
fn odd_shapes() {
    for dims in [1, 2, 3, 31, 33, 1000, 4096] {
        for n in [1, 31, 32, 33, 65] {
            check(&vectors(n, dims, 3), &vectors(2, dims, 4), Similarity::Cosine, 3);
        }
    }
}

#[test]
fn more_queries_than_are_searched_together() {
    check(&vectors(40, 3, 12), &vectors(4200, 3, 13), Similarity::Cosine, 2);
}

#[test]
fn bits_replaced() {
    let bits: Vec<_> = (0u8..200).map(|i| Vector::Bits(vec![i, i.wrapping_mul(37)])).collect();
    let index = VectorIndex::new(Storage::F32, Similarity::Hamming, bits.clone()).unwrap();
    let (query, put) = (Vector::Bits(vec![7, 7]), [(3, bits[150].clone()), (9, Vector::Bits(vec![7, 7]))]);
    let mut replaced = bits;
    put.iter().for_each(|(at, vector)| replaced[*at as usize] = vector.clone());
    for k in [0, 1, 5, 200] {
        assert_eq!(index.search_replaced(&query, &put, k).unwrap(), naive(&replaced, &query, Similarity::Hamming, k));
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (rows, queries) = (vectors(3000, 24, 5), vectors(30, 24, 6));
    let index = VectorIndex::new(Storage::F32, Similarity::Cosine, rows).unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| index.search(&queries, 7).unwrap())
    };
    let one = with(1);
    assert!(one == with(2) && one == with(5));
}

#[test]
fn equal_vectors_tie_to_the_last_bit_wherever_they_stand() {
    let mut rows = vectors(1000, 100, 7);
    for at in [0, 5, 31, 32, 300, 999] {
        rows[at] = rows[500].clone();
    }
    let index = VectorIndex::new(Storage::F32, Similarity::Cosine, rows.clone()).unwrap();
    assert_eq!(index.distinct(), 994);
    let found = index.search(&rows[500..501], 3).unwrap().remove(0);
    assert_eq!(found.iter().map(|s| s.position).collect::<Vec<_>>(), [0, 5, 31, 32, 300, 500, 999]);
    assert!(found.iter().all(|s| s.score.to_bits() == found[0].score.to_bits()));
}

#[test]
fn a_hundred_thousand_equal_vectors_are_one_row() {
    let one = Vector::F32(vec![0.3, -0.4, 0.5]);
    let other = Vector::F32(vec![0.5, 0.4, -0.3]);
    let rows = std::iter::repeat_n(one.clone(), 100_000).chain([other.clone()]);
    let index = VectorIndex::new(Storage::F32, Similarity::Cosine, rows).unwrap();
    assert_eq!(index.distinct(), 2);
    assert_eq!(index.search(&[one], 10).unwrap(), [[]], "a group too large for the border is left out");
    let found = index.search(&[other], 10).unwrap().remove(0);
    assert_eq!(found.iter().map(|s| s.position).collect::<Vec<_>>(), [100_000]);
}

#[test]
fn thousands_within_the_margin_are_told_apart() {
    // Each differs from the next in the last bit of one component: f32 sums cannot order them.
    let mut value = 0.5f32;
    let rows: Vec<_> = (0..3000)
        .map(|i| {
            value = value.next_up();
            Vector::F32(vec![if i % 2 == 0 { value } else { 1.0 - value }, 0.25, 0.125])
        })
        .collect();
    check(&rows, &[Vector::F32(vec![1.0, 0.5, 0.25]), Vector::F32(vec![-1.0, 0.0, 0.1])], Similarity::Dot, 10);
    check(&rows, &[Vector::F32(vec![1.0, 0.5, 0.25]), Vector::F32(vec![-1.0, 0.0, 0.1])], Similarity::Cosine, 10);
}

#[test]
fn lengths_beyond_f32_products() {
    let mut rows = vectors(100, 16, 8);
    for (at, scale) in [(3, 1e38f32), (40, 1e-38), (41, 1e-44), (70, 3e30), (99, 1e36)] {
        let scaled: Vec<f32> = floats(&rows[at]).iter().map(|x| x * scale).collect();
        assert!(scaled.iter().any(|x| *x != 0.0));
        rows[at] = Vector::F32(scaled);
    }
    let large = Vector::F32(floats(&rows[0]).iter().map(|x| x * 1e38).collect());
    let small = Vector::F32(floats(&rows[0]).iter().map(|x| x * 1e-38).collect());
    for similarity in [Similarity::Cosine, Similarity::Dot] {
        check(&rows, &[rows[1].clone(), large.clone(), small.clone()], similarity, 5);
    }
}

#[test]
fn int8_and_bits_as_they_come() {
    let mut next = random(9);
    let int8: Vec<_> = (0..300).map(|_| Vector::I8((0..64).map(|_| (next() * 8.0) as i8 * 31).collect())).collect();
    check(&int8, &int8[..3], Similarity::Cosine, 5);
    check(&int8, &int8[..3], Similarity::Dot, 5);
    for bytes in [1, 8, 9, 48] {
        let bits: Vec<_> =
            (0..5000).map(|_| Vector::Bits((0..bytes).map(|_| (next() * 512.0) as i8 as u8).collect())).collect();
        for similarity in [Similarity::Hamming, Similarity::Dot] {
            check(&bits, &bits[..3], similarity, 10);
        }
        let index = VectorIndex::new(Storage::F32, Similarity::Cosine, bits.clone()).unwrap();
        assert_eq!(index.search(&bits[..3], 10).unwrap()[2], naive(&bits, &bits[2], Similarity::Hamming, 10));
    }
}

#[test]
fn smaller_storage_keeps_the_order_of_what_is_far_apart() {
    let rows = vectors(400, 128, 10);
    let query = vectors(1, 128, 11);
    let exact = naive(&rows, &query[0], Similarity::Cosine, 400);
    for (storage, off) in [(Storage::F16, 2e-4), (Storage::Int8, 6e-3)] {
        let index = VectorIndex::new(storage, Similarity::Cosine, rows.clone()).unwrap();
        let dot = VectorIndex::new(storage, Similarity::Dot, rows.clone()).unwrap();
        let products = naive(&rows, &query[0], Similarity::Dot, 400);
        for (found, exact) in [(index.search(&query, 400), &exact), (dot.search(&query, 400), &products)] {
            let found = found.unwrap().remove(0);
            assert_eq!(found.len(), 400);
            let scale = exact[0].score;
            for hit in found {
                let exact = exact.iter().find(|e| e.position == hit.position).unwrap().score;
                assert!((hit.score - exact).abs() < off * scale.max(1.0), "{storage}: {} {exact}", hit.score);
            }
        }
    }
}

#[test]
fn half_precision_takes_any_length() {
    let rows: Vec<_> = [1e-40f32, 1e-6, 1.0, 7e37]
        .map(|scale| Vector::F32([0.3, -0.7, 0.9].iter().map(|x| x * scale).collect()))
        .to_vec();
    let query = Vector::F32(vec![1.0, 0.0, 0.0]);
    for storage in [Storage::F16, Storage::Int8] {
        let index = VectorIndex::new(storage, Similarity::Cosine, rows.clone()).unwrap();
        let found = index.search(std::slice::from_ref(&query), 4).unwrap().remove(0);
        let cosine = 0.3 / 1.39f64.sqrt();
        assert!(found.len() == 4 && found.iter().all(|s| (s.score - cosine).abs() < 5e-3), "{found:?}");
        let index = VectorIndex::new(storage, Similarity::Dot, rows.clone()).unwrap();
        let found = index.search(std::slice::from_ref(&query), 4).unwrap().remove(0);
        assert_eq!(found.iter().map(|s| s.position).collect::<Vec<_>>(), [3, 2, 1, 0]);
        assert!((found[0].score / 2.1e37 - 1.0).abs() < 1e-2, "{storage}: {found:?}");
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let f32s = |v: &[f32]| Vector::F32(v.to_vec());
    let new = |similarity, v: &[Vector]| VectorIndex::new(Storage::F32, similarity, v.to_vec()).map(|_| ());
    let cosine = Similarity::Cosine;
    assert!(matches!(new(cosine, &[f32s(&[])]), Err(SearchError::Dimensions(0))));
    assert!(matches!(new(cosine, &[f32s(&[1.0]), f32s(&[1.0, 2.0])]), Err(SearchError::Unlike { .. })));
    assert!(matches!(new(cosine, &[f32s(&[1.0]), Vector::I8(vec![1])]), Err(SearchError::Unlike { .. })));
    assert!(matches!(new(Similarity::Hamming, &[f32s(&[1.0])]), Err(SearchError::Similarity { .. })));
    for storage in [Storage::F32, Storage::F16, Storage::Int8] {
        for bad in [0.0, f32::NAN, f32::INFINITY] {
            let error = VectorIndex::new(storage, cosine, [f32s(&[1.0]), f32s(&[bad])]).unwrap_err();
            assert!(error.to_string().contains("position 1"), "{error}");
        }
    }
    let index = VectorIndex::new(Storage::F32, cosine, [f32s(&[1.0, 0.0])]).unwrap();
    assert!(matches!(index.search(&[f32s(&[1.0])], 1), Err(SearchError::Unlike { .. })));
    assert!(matches!(index.search(&[f32s(&[0.0, 0.0])], 1), Err(SearchError::NoDirection { .. })));
    let put = (1, f32s(&[1.0, 0.0]));
    assert!(matches!(
        index.search_replaced(&put.1, std::slice::from_ref(&put), 1),
        Err(SearchError::NoPosition { .. })
    ));
}

#[test]
fn nothing_to_search_finds_nothing() {
    let index = VectorIndex::new(Storage::F32, Similarity::Cosine, []).unwrap();
    assert!(index.is_empty());
    assert_eq!(index.search(&[Vector::F32(vec![1.0])], 3).unwrap(), [[]]);
    assert_eq!(index.search(&[], 3).unwrap(), Vec::<Vec<Scored>>::new());
    assert_eq!(index.search_replaced(&Vector::F32(vec![1.0]), &[], 3).unwrap(), []);
}

/// Vectors of few values, so that equal vectors, equal scores and scores within the margin all happen.
fn levels(dims: usize) -> impl Strategy<Value = Vec<f32>> {
    let component = prop_oneof![
        4 => (-3i8..=3).prop_map(|x| f32::from(x) / 4.0),
        1 => (0u32..4).prop_map(|ulps| f32::from_bits(0.5f32.to_bits() + ulps)),
        1 => Just(-1e-3f32),
    ];
    prop::collection::vec(component, dims).prop_map(|mut v| {
        if v.iter().all(|x| *x == 0.0) {
            v[0] = 0.25;
        }
        v
    })
}

fn corpus() -> impl Strategy<Value = (Vec<Vector>, Vec<Vector>)> {
    (1usize..6).prop_flat_map(|dims| {
        let some = |most| prop::collection::vec(levels(dims).prop_map(Vector::F32), 1..most);
        (some(150), some(15))
    })
}

proptest! {
    #[test]
    fn ties_and_near_ties_agree_with_a_plain_loop((rows, queries) in corpus(), k in 0usize..30, dot: bool) {
        check(&rows, &queries, if dot { Similarity::Dot } else { Similarity::Cosine }, k);
    }

    #[test]
    fn lengths_far_apart_agree_with_a_plain_loop(
        (rows, queries) in corpus(), exponents in prop::collection::vec(-40i32..38, 150), k in 1usize..9, dot: bool,
    ) {
        let rows: Vec<_> = rows.iter().zip(&exponents).map(|(row, exponent)| {
            Vector::F32(floats(row).iter().map(|x| x * 10f32.powi(*exponent)).collect())
        }).filter(|v| floats(v).iter().any(|x| *x != 0.0)).collect();
        check(&rows, &queries, if dot { Similarity::Dot } else { Similarity::Cosine }, k);
    }

    #[test]
    fn replacing_is_searching_the_replaced(
        (rows, queries) in corpus(), put in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..5),
        k in 0usize..30, storage in prop::sample::select(vec![Storage::F32, Storage::F16, Storage::Int8]),
    ) {
        let put: Vec<(u32, Vector)> = put.iter().map(|(to, from)| (to.index(rows.len()) as u32, from.get(&queries).clone())).collect();
        let mut replaced = rows.clone();
        for (position, vector) in &put {
            replaced[*position as usize] = vector.clone();
        }
        let index = VectorIndex::new(storage, Similarity::Cosine, rows).unwrap();
        let expected = VectorIndex::new(storage, Similarity::Cosine, replaced).unwrap();
        for query in &queries {
            let expected = expected.search(std::slice::from_ref(query), k).unwrap().remove(0);
            prop_assert_eq!(index.search_replaced(query, &put, k).unwrap(), expected);
        }
    }
}
