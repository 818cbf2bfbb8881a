//! `.safetensors`: a JSON header that says where each tensor lies, then the bare numbers.
//!
//! Read here in a screenful, streaming, instead of through the crate of the same name, which wants the whole file in memory.

use std::io::Read;

use serde_json::{Map, Value};

use super::matrix::{Element, Layout, Matrix};

/// The format's own limit.
const LONGEST_HEADER: u64 = 100_000_000;

/// Reads the one tensor of two dimensions from the whole of a file of `length` bytes, and the JSON of the ids, where its metadata have an entry `ids`.
///
/// # Errors
///
/// What is wrong with it, without the name of the file.
pub fn read_safetensors(mut from: impl Read, length: u64) -> Result<(Matrix, Option<String>), String> {
    let mut size = [0; 8];
    from.read_exact(&mut size).map_err(|_| "it is too short for a safetensors file".to_owned())?;
    let size = u64::from_le_bytes(size);
    if size > LONGEST_HEADER || size > length.saturating_sub(8) {
        return Err("its header does not fit the file; is it a whole safetensors file?".to_owned());
    }
    let mut header = vec![0; usize::try_from(size).unwrap_or(0)];
    from.read_exact(&mut header).map_err(|e| e.to_string())?;
    let header: Map<String, Value> =
        serde_json::from_slice(&header).map_err(|e| format!("its header is no JSON object ({e})"))?;
    let ids = header.get("__metadata__").and_then(|m| m.get("ids")).and_then(Value::as_str).map(str::to_owned);
    let mut tensors = header.iter().filter(|(name, _)| *name != "__metadata__");
    let (Some((name, tensor)), None) = (tensors.next(), tensors.next()) else {
        return Err("it must hold one tensor, the vectors; save each matrix to a file of its own".to_owned());
    };
    let wrong = |what: &str| format!("tensor `{name}`: {what}");
    let element = match tensor.get("dtype").and_then(Value::as_str) {
        Some("F16") => Element::F16,
        Some("BF16") => Element::Bf16,
        Some("F32") => Element::F32,
        Some("F64") => Element::F64,
        Some("I8") => Element::I8,
        Some("U8") => Element::U8,
        other => return Err(wrong(&format!("numbers of type {} are not read as vectors", other.unwrap_or("?")))),
    };
    let numbers = |key: &str| -> Option<Vec<u64>> { tensor.get(key)?.as_array()?.iter().map(Value::as_u64).collect() };
    let Some([rows, columns]) = numbers("shape").and_then(|s| <[u64; 2]>::try_from(s).ok()) else {
        return Err(wrong("it has not two dimensions; one row per id is needed"));
    };
    let available = length - 8 - size;
    if numbers("data_offsets") != Some(vec![0, available]) {
        return Err(wrong("its place is not all of the file behind the header; was it written to its end?"));
    }
    let layout = Layout { element, big_endian: false, by_column: false, rows, columns };
    Ok((Matrix::read(from, layout, available).map_err(|e| wrong(&e))?, ids))
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_encode::Vector;
    use proptest::prelude::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), data].concat()
    }

    fn read(bytes: &[u8]) -> Result<(Matrix, Option<String>), String> {
        read_safetensors(bytes, bytes.len() as u64)
    }

    #[test]
    fn a_matrix_and_its_ids() {
        let header = r#"{"__metadata__": {"ids": "[\"a\", \"b\"]"}, "v": {"dtype": "BF16", "shape": [2, 1], "data_offsets": [0, 4]}}"#;
        let data: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|x| half::bf16::from_f32(*x).to_le_bytes()).collect();
        let (matrix, ids) = read(&file(header, &data)).unwrap();
        assert_eq!(matrix.vector(1), Some(Vector::F32(vec![-2.0])));
        assert_eq!(matrix.vector(2), None);
        assert_eq!(ids.as_deref(), Some(r#"["a", "b"]"#));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_reason() {
        let one = |tensor: &str, data: &[u8]| read(&file(&format!("{{\"v\": {tensor}}}"), data)).unwrap_err();
        for (got, word) in [
            (read(b"short").unwrap_err(), "too short"),
            (read(&[255; 40]).unwrap_err(), "does not fit"),
            (read(&file("[]", &[])).unwrap_err(), "no JSON object"),
            (read(&file("{}", &[])).unwrap_err(), "one tensor"),
            (read(&file(r#"{"a": {}, "b": {}}"#, &[])).unwrap_err(), "one tensor"),
            (one(r#"{"dtype": "I64", "shape": [1, 1], "data_offsets": [0, 8]}"#, &[0; 8]), "I64"),
            (one(r#"{"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}"#, &[0; 8]), "two dimensions"),
            (one(r#"{"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}"#, &[0; 7]), "its place"),
            (one(r#"{"dtype": "F32", "shape": [3, 2], "data_offsets": [0, 8]}"#, &[0; 8]), "takes 24 bytes"),
            (one(r#"{"dtype": "F32", "shape": [-3, 2], "data_offsets": [0, 8]}"#, &[0; 8]), "two dimensions"),
        ] {
            assert!(got.contains(word), "{word}: {got}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(header in "[{}\\[\\]\":,a-z0-9]{0,60}", data in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&file(&header, &data));
            let _ = read(&data);
        }
    }
}
