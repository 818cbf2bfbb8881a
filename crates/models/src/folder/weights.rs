//! Tensors out of `.safetensors` files, one at a time.
//!
//! The header is read and checked against the file's length first; a tensor's numbers are then streamed straight into the
//! `f32`s that stay. The road not taken, reading or mapping the whole file and converting from there, holds the weights
//! twice (or needs `unsafe`), and lets a made-up header decide how much memory is asked for.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use eightk_encode::EncodeError;
use half::{bf16, f16};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::ModelFolder;

/// The usual file of a model's weights.
pub(crate) const SINGLE: &str = "model.safetensors";
/// Says which file holds which tensor, where they are several.
pub(crate) const INDEX: &str = "model.safetensors.index.json";
/// The format's own limit of a header's length, in bytes.
const LARGEST_HEADER: u64 = 100 << 20;

/// How a tensor's numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dtype {
    F32,
    F16,
    Bf16,
}

impl Dtype {
    const fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }
}

/// One entry of a header.
#[derive(Debug, Clone, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum HeaderItem {
    Tensor(Entry),
    Other(IgnoredAny),
}

#[derive(Deserialize)]
struct ShardIndex {
    weight_map: BTreeMap<String, String>,
}

/// Where a tensor lies: which file, and where in it.
#[derive(Debug, Clone)]
struct Place {
    file: usize,
    entry: Entry,
    /// In bytes from the beginning of the file.
    start: u64,
}

/// A tensor as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawTensor {
    /// `F32`, `I8`, …
    pub(crate) dtype: String,
    pub(crate) shape: Vec<usize>,
    /// Little-endian, row by row.
    pub(crate) bytes: Vec<u8>,
}

/// All tensors of a folder.
#[derive(Debug)]
pub(crate) struct Weights {
    folder: ModelFolder,
    files: Vec<String>,
    places: BTreeMap<String, Place>,
}

impl Weights {
    /// Reads the headers of a folder's weights, in one file or several.
    pub(crate) fn open(folder: &ModelFolder) -> Result<Self, EncodeError> {
        if folder.has(SINGLE) {
            return Self::of_files(folder, vec![SINGLE.to_owned()]);
        }
        if let Some(index) = folder.json::<ShardIndex>(INDEX)? {
            let mut files: Vec<String> = index.weight_map.into_values().collect();
            files.sort_unstable();
            files.dedup();
            if let Some(outside) = files.iter().find(|f| f.contains(['/', '\\']) || *f == ".." || f.is_empty()) {
                return Err(folder.bad(INDEX, format_args!("names the file {outside:?}, which is not in this folder")));
            }
            return Self::of_files(folder, files);
        }
        let other = ["pytorch_model.bin", "tf_model.h5", "flax_model.msgpack", "model.onnx", "onnx/model.onnx"];
        let hint = match other.iter().find(|f| folder.has(f)) {
            Some(file) => format!(
                "there is only {file}; convert it: load the model in Python and save it with save_pretrained(FOLDER, safe_serialization=True)"
            ),
            None => "is this the model's folder, and was it downloaded whole?".to_owned(),
        };
        Err(EncodeError::Data(format!(
            "{}: not there, but needed for the weights; {hint}",
            folder.file(SINGLE).display()
        )))
    }

    /// Reads the headers of these files, which must be there.
    pub(crate) fn of_files(folder: &ModelFolder, files: Vec<String>) -> Result<Self, EncodeError> {
        let mut places = BTreeMap::new();
        for (number, name) in files.iter().enumerate() {
            for (tensor, entry, start) in header(folder, name)? {
                places.insert(tensor, Place { file: number, entry, start });
            }
        }
        Ok(Self { folder: folder.clone(), files, places })
    }

    /// The files that hold them, by name in the folder.
    pub(crate) fn files(&self) -> &[String] {
        &self.files
    }

    /// Names of all tensors, sorted.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The shape of a tensor, where there is one of that name.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.places.get(name).map(|p| p.entry.shape.as_slice())
    }

    /// The tensors whose names begin with the first of `prefixes` under which `probe` is found. Models saved with a head name
    /// their tensors `bert.…`, saved without one they do not.
    pub(crate) fn under<'w>(&'w self, prefixes: &[&str], probe: &str) -> Result<Tensors<'w>, EncodeError> {
        let found = prefixes.iter().find(|p| self.places.contains_key(&format!("{p}{probe}")));
        let prefix = found.ok_or_else(|| self.no_tensor(prefixes.first().unwrap_or(&""), probe))?;
        Ok(Tensors { weights: self, prefix: (*prefix).to_owned() })
    }

    fn no_tensor(&self, prefix: &str, name: &str) -> EncodeError {
        let file = self.files.first().map_or(SINGLE, String::as_str);
        let some: Vec<&str> = self.names().take(3).collect();
        self.folder.bad(
            file,
            format_args!(
                "no tensor {prefix}{name}; it has {} tensors, such as {}: weights and config.json are of different models",
                self.places.len(),
                some.join(", ")
            ),
        )
    }

    /// A tensor as it is written, of whatever dtype.
    pub(crate) fn raw(&self, name: &str) -> Result<RawTensor, EncodeError> {
        let place = self.places.get(name).ok_or_else(|| self.no_tensor("", name))?;
        let Entry { dtype, shape, data_offsets: (from, to) } = place.entry.clone();
        let size = match dtype.as_str() {
            "F64" | "I64" | "U64" => Some(8),
            "F32" | "I32" | "U32" => Some(4),
            "F16" | "BF16" | "I16" | "U16" => Some(2),
            "I8" | "U8" | "BOOL" => Some(1),
            _ => None,
        };
        let count = shape.iter().try_fold(1u64, |n, d| n.checked_mul(*d as u64));
        if size.is_some_and(|size| count.and_then(|n| n.checked_mul(size)) != Some(to - from)) {
            return Err(
                self.bad(name, format_args!("of shape {shape:?} in {dtype} has {} bytes, which cannot be", to - from))
            );
        }
        let path = self.folder.file(self.files.get(place.file).map_or(SINGLE, String::as_str));
        let io = |e: std::io::Error| EncodeError::io(&path, &e);
        let mut reader = File::open(&path).map_err(io)?;
        reader.seek(SeekFrom::Start(place.start)).map_err(io)?;
        let mut bytes = Vec::new();
        // The header was checked against the file's length.
        reader.take(to - from).read_to_end(&mut bytes).map_err(io)?;
        Ok(RawTensor { dtype, shape, bytes })
    }

    /// The error for a tensor that cannot be used.
    pub(crate) fn bad(&self, name: &str, why: impl std::fmt::Display) -> EncodeError {
        let file = self.places.get(name).and_then(|p| self.files.get(p.file)).map_or(SINGLE, String::as_str);
        self.folder.bad(file, format_args!("tensor {name} {why}"))
    }

    /// Reads one tensor, which must have this shape, as f32.
    fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncodeError> {
        let place = self.places.get(name).ok_or_else(|| self.no_tensor("", name))?;
        let file = self.files.get(place.file).map_or(SINGLE, String::as_str);
        if place.entry.shape != shape {
            let why = format!(
                "tensor {name} has the shape {:?}, config.json makes it {shape:?}: weights and configuration are of different models",
                place.entry.shape
            );
            return Err(self.folder.bad(file, why));
        }
        let dtype = match place.entry.dtype.as_str() {
            "F32" => Dtype::F32,
            "F16" => Dtype::F16,
            "BF16" => Dtype::Bf16,
            other => {
                let why = format!("tensor {name} is written in {other}; F32, F16 and BF16 can be read");
                return Err(self.folder.bad(file, why));
            }
        };
        let count = shape.iter().try_fold(1usize, |n, d| n.checked_mul(*d));
        let bytes = place.entry.data_offsets.1 - place.entry.data_offsets.0;
        let fits = count.and_then(|n| n.checked_mul(dtype.size())).is_some_and(|n| n as u64 == bytes);
        let (Some(count), true) = (count, fits) else {
            let why =
                format!("tensor {name} of shape {shape:?} in {} has {bytes} bytes, which cannot be", place.entry.dtype);
            return Err(self.folder.bad(file, why));
        };
        let path = self.folder.file(file);
        let io = |e: std::io::Error| EncodeError::io(&path, &e);
        let mut reader = File::open(&path).map_err(io)?;
        reader.seek(SeekFrom::Start(place.start)).map_err(io)?;
        // The length was checked against the file's, so this asks for no more memory than the file has bytes (twice that for halves).
        let mut numbers = Vec::with_capacity(count);
        let mut buffer = vec![0u8; 1 << 18];
        while numbers.len() < count {
            let want = buffer.len().min((count - numbers.len()) * dtype.size());
            let part = buffer.get_mut(..want).unwrap_or_default();
            reader.read_exact(part).map_err(io)?;
            match dtype {
                Dtype::F32 => numbers.extend(part.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b))),
                Dtype::F16 => numbers.extend(part.as_chunks().0.iter().map(|b| f16::from_le_bytes(*b).to_f32())),
                Dtype::Bf16 => numbers.extend(part.as_chunks().0.iter().map(|b| bf16::from_le_bytes(*b).to_f32())),
            }
        }
        if let Some(at) = numbers.iter().position(|x| !x.is_finite()) {
            let why = format!(
                "tensor {name} holds {} at position {at}; the file is damaged",
                numbers.get(at).unwrap_or(&f32::NAN)
            );
            return Err(self.folder.bad(file, why));
        }
        Ok(numbers)
    }
}

/// Tensors under a prefix.
#[derive(Debug, Clone)]
pub(crate) struct Tensors<'w> {
    weights: &'w Weights,
    prefix: String,
}

impl Tensors<'_> {
    /// Those whose names go on with `name` and a dot.
    pub(crate) fn sub(&self, name: &str) -> Self {
        Self { weights: self.weights, prefix: format!("{}{name}.", self.prefix) }
    }

    /// The layer after the last of `count`, which must not be there: a configuration that names fewer layers than there are would make half
    /// a model, and nothing else would show it.
    pub(crate) fn ends_after(&self, count: usize) -> Result<(), EncodeError> {
        let next = format!("{}{count}.", self.prefix);
        match self.weights.names().find(|name| name.starts_with(&next)) {
            None => Ok(()),
            Some(name) => {
                Err(self.weights.bad(name, format_args!("belongs to no layer: config.json says there are {count}")))
            }
        }
    }

    /// Whether there is one of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.weights.places.contains_key(&format!("{}{name}", self.prefix))
    }

    /// The shape of one, where there is one of that name.
    pub(crate) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.weights.shape(&format!("{}{name}", self.prefix))
    }

    /// The numbers of one, row by row. An error where there is none or where its shape is another.
    pub(crate) fn read(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, EncodeError> {
        self.weights.read(&format!("{}{name}", self.prefix), shape)
    }

    /// As [`read`](Self::read); none where there is no such tensor.
    pub(crate) fn read_if_there(&self, name: &str, shape: &[usize]) -> Result<Option<Vec<f32>>, EncodeError> {
        if self.has(name) { self.read(name, shape).map(Some) } else { Ok(None) }
    }
}

/// The entries of one file's header, each with where its bytes begin in the file; all of them lie within the file.
fn header(folder: &ModelFolder, name: &str) -> Result<Vec<(String, Entry, u64)>, EncodeError> {
    let path = folder.file(name);
    let io = |e: std::io::Error| EncodeError::io(&path, &e);
    let mut file = match File::open(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(folder.missing(name, "the weights")),
        other => other.map_err(io)?,
    };
    let length = file.metadata().map_err(io)?.len();
    let cut = |what: &str| {
        folder.bad(name, format_args!("{what}; the file is cut off or no safetensors file: download it again"))
    };
    let mut first = [0u8; 8];
    file.read_exact(&mut first).map_err(|_| cut("shorter than its header"))?;
    let header_length = u64::from_le_bytes(first);
    let data_start = header_length.checked_add(8).filter(|_| header_length <= LARGEST_HEADER);
    let Some(data_start) = data_start.filter(|s| *s <= length) else {
        return Err(cut(&format!("says its header has {header_length} bytes, the file has {length}")));
    };
    let mut text = Vec::new();
    file.take(header_length).read_to_end(&mut text).map_err(io)?;
    let items: BTreeMap<String, HeaderItem> =
        serde_json::from_slice(&text).map_err(|e| cut(&format!("its header is not what it should be ({e})")))?;
    let mut entries = Vec::new();
    for (tensor, item) in items {
        let entry = match item {
            HeaderItem::Tensor(entry) => entry,
            HeaderItem::Other(_) if tensor == "__metadata__" => continue,
            HeaderItem::Other(_) => {
                return Err(folder.bad(name, format_args!("the header's entry {tensor} is none of a tensor")));
            }
        };
        let (from, to) = entry.data_offsets;
        if from > to || data_start.checked_add(to).is_none_or(|end| end > length) {
            return Err(cut(&format!(
                "tensor {tensor} is said to end at byte {to} of {} that are there",
                length - data_start
            )));
        }
        entries.push((tensor, entry, data_start + from));
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file_of(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    fn open(bytes: &[u8]) -> (tempfile::TempDir, Result<Weights, EncodeError>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(SINGLE), bytes).unwrap();
        let weights = Weights::open(&ModelFolder::open(dir.path()).unwrap());
        (dir, weights)
    }

    #[test]
    fn every_dtype_becomes_f32() {
        let mut data = Vec::new();
        data.extend([1.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()));
        data.extend([1.5f32, -2.0].iter().flat_map(|x| f16::from_f32(*x).to_le_bytes()));
        data.extend([1.5f32, -2.0].iter().flat_map(|x| bf16::from_f32(*x).to_le_bytes()));
        let header = r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F16","shape":[1,2],"data_offsets":[8,12]},"c":{"dtype":"BF16","shape":[2],"data_offsets":[12,16]}}"#;
        let (_dir, weights) = open(&file_of(header, &data));
        let weights = weights.unwrap();
        for (name, shape) in [("a", vec![2]), ("b", vec![1, 2]), ("c", vec![2])] {
            assert_eq!(weights.read(name, &shape).unwrap(), [1.5, -2.0], "{name}");
        }
        assert!(weights.read("b", &[2]).unwrap_err().to_string().contains("[1, 2]"));
        assert!(weights.read("d", &[2]).unwrap_err().to_string().contains("no tensor d"));
    }

    #[test]
    fn damage_is_said() {
        let one = |entry: &str| format!(r#"{{"a":{entry}}}"#);
        let said = |bytes: &[u8]| {
            let (_dir, weights) = open(bytes);
            weights.and_then(|w| w.read("a", &[2])).unwrap_err().to_string()
        };
        let good = one(r#"{"dtype":"F32","shape":[2],"data_offsets":[0,8]}"#);
        assert!(said(&file_of(&good, &[0; 7])).contains("cut off"));
        assert!(said(b"xy").contains("shorter than its header"));
        assert!(said(&[0xff; 40]).contains("says its header has"));
        assert!(said(&file_of("[]", &[])).contains("header"));
        assert!(
            said(&file_of(&one(r#"{"dtype":"F32","shape":[2],"data_offsets":[8,0]}"#), &[0; 8])).contains("cut off")
        );
        let long = one(r#"{"dtype":"F32","shape":[2],"data_offsets":[0,4]}"#);
        assert!(said(&file_of(&long, &[0; 8])).contains("cannot be"));
        let ints = one(r#"{"dtype":"I64","shape":[2],"data_offsets":[0,16]}"#);
        assert!(said(&file_of(&ints, &[0; 16])).contains("I64"));
        let nan = f32::NAN.to_le_bytes().repeat(2);
        assert!(said(&file_of(&good, &nan)).contains("NaN"));
        let huge = one(r#"{"dtype":"F32","shape":[9223372036854775807,9],"data_offsets":[0,8]}"#);
        let (_dir, weights) = open(&file_of(&huge, &[0; 8]));
        assert!(weights.unwrap().read("a", &[usize::MAX / 2, 9]).is_err());
    }

    #[test]
    fn only_the_folder_itself_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let index = |file: &str| format!(r#"{{"weight_map":{{"a":"{file}"}}}}"#);
        let folder = ModelFolder::open(dir.path()).unwrap();
        for outside in ["../w.safetensors", "/w.safetensors", ".."] {
            std::fs::write(dir.path().join(INDEX), index(outside)).unwrap();
            assert!(Weights::open(&folder).unwrap_err().to_string().contains("not in this folder"), "{outside}");
        }
        std::fs::write(dir.path().join(INDEX), index("w-1.safetensors")).unwrap();
        assert!(Weights::open(&folder).unwrap_err().to_string().contains("w-1.safetensors"));
        let header = r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#;
        std::fs::write(dir.path().join("w-1.safetensors"), file_of(header, &1f32.to_le_bytes())).unwrap();
        assert_eq!(Weights::open(&folder).unwrap().read("a", &[1]).unwrap(), [1.0]);
    }

    #[test]
    fn other_formats_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let folder = ModelFolder::open(dir.path()).unwrap();
        assert!(Weights::open(&folder).unwrap_err().to_string().contains("downloaded whole"));
        std::fs::write(dir.path().join("pytorch_model.bin"), "x").unwrap();
        assert!(Weights::open(&folder).unwrap_err().to_string().contains("safe_serialization"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_error_or_tensors(bytes in prop::collection::vec(any::<u8>(), 0..200), header in "[{}\\[\\]\":,a0-9]{0,60}") {
            let _ = open(&bytes).1;
            let _ = open(&file_of(&header, &bytes)).1;
        }
    }
}
