//! Static embeddings: a text is the mean of its tokens' rows in one table.
//!
//! No attention, so no context, and thousands of texts a second. Reads what model2vec and sentence-transformers'
//! `StaticEmbedding` write. The crate `model2vec-rs` does the same for model2vec's half; it is not used because it brings an older
//! tokenizer and an older safetensors beside those that the transformers here need, does not tell when a text was cut, and
//! differs from the library it follows in details (a missing `normalize` counts as true, lengths are in bytes).

mod encoder;
mod layout;
mod table;
mod words;

pub(crate) use encoder::StaticEncoder;

#[cfg(test)]
pub(crate) mod testing {
    //! Files of weights, made by hand.

    /// A `.safetensors` file of tensors given as name, dtype, shape and bytes.
    pub(crate) fn safetensors(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> Vec<u8> {
        let mut header = serde_json::Map::new();
        let mut data = Vec::new();
        for (name, dtype, shape, bytes) in tensors {
            let offsets = [data.len(), data.len() + bytes.len()];
            header.insert(
                (*name).to_owned(),
                serde_json::json!({"dtype": dtype, "shape": shape, "data_offsets": offsets}),
            );
            data.extend_from_slice(bytes);
        }
        let header = serde_json::Value::Object(header).to_string();
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(header.as_bytes());
        file.extend(data);
        file
    }
}
