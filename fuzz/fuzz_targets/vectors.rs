//! Files of vectors: whatever the bytes are, a matrix whose rows can all be had, or a reason; never more memory than the file is long allows.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let length = bytes.len() as u64;
    let matrices =
        [eightk_vectors::read_npy(bytes, length), eightk_vectors::read_safetensors(bytes, length).map(|(m, _)| m)];
    for matrix in matrices.into_iter().flatten() {
        assert!(matrix.rows() <= bytes.len());
        let dims = matrix.vector(0).map(|v| v.dims());
        assert!(dims > Some(0));
        assert!((0..matrix.rows()).all(|row| matrix.vector(row).map(|v| v.dims()) == dims));
        assert_eq!(matrix.vector(matrix.rows()), None);
    }
});
