//! `.npy`: numpy's own format.
//!
//! A magic, a version, and a header that is a Python dictionary in its written form; then the bare numbers. What numpy itself would have to
//! unpickle, and so run, is refused.

use std::io::Read;

use super::matrix::{Element, Layout, Matrix};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// numpy aligns headers to 64 bytes and fills them with a line; no matrix of numbers needs even a kilobyte.
const LONGEST_HEADER: u32 = 1 << 16;

/// How to write one that is read here; ends the messages about what is not.
const INSTEAD: &str = "save a matrix with one row per id: numpy.save(path, numpy.asarray(vectors, dtype=\"float32\"))";

/// Reads a matrix from the whole of a file of `length` bytes, numpy's versions 1 to 3: f2, f4, f8, i1, and u1 as packed bits; rows or columns first;
/// any byte order.
///
/// # Errors
///
/// What is wrong with it, without the name of the file.
pub fn read_npy(mut from: impl Read, length: u64) -> Result<Matrix, String> {
    let cut = |_| "it ends within its header; was it written to its end?".to_owned();
    let mut start = [0; 8];
    from.read_exact(&mut start).map_err(cut)?;
    let Some([major, _]) = start.strip_prefix(MAGIC) else {
        return Err(format!("it does not begin as a .npy file does; {INSTEAD}"));
    };
    let (size, before) = match major {
        1 => {
            let mut size = [0; 2];
            from.read_exact(&mut size).map_err(cut)?;
            (u32::from(u16::from_le_bytes(size)), 10)
        }
        2 | 3 => {
            let mut size = [0; 4];
            from.read_exact(&mut size).map_err(cut)?;
            (u32::from_le_bytes(size), 12)
        }
        other => return Err(format!("version {other} of the format is not known here; {INSTEAD}")),
    };
    if size > LONGEST_HEADER {
        return Err(format!("its header claims {size} bytes, more than any matrix needs; is the file damaged?"));
    }
    let mut header = vec![0; size as usize];
    from.read_exact(&mut header).map_err(cut)?;
    let header = std::str::from_utf8(&header).map_err(|_| "its header is no text".to_owned())?;
    let layout = Header::parse(header)?.layout()?;
    Matrix::read(from, layout, length.saturating_sub(before + u64::from(size)))
}

/// The three entries of a header.
#[derive(Debug, Default, PartialEq, Eq)]
struct Header {
    descr: Option<String>,
    fortran_order: Option<bool>,
    shape: Option<Vec<u64>>,
}

impl Header {
    /// `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, in any order and with any spaces.
    fn parse(text: &str) -> Result<Self, String> {
        let mut rest = Cursor(text);
        let mut header = Self::default();
        rest.expect('{')?;
        while !rest.take('}') {
            let key = rest.string()?;
            rest.expect(':')?;
            match key {
                "descr" if rest.peek() == Some('[') => {
                    return Err(format!("it holds records of several fields; {INSTEAD}"));
                }
                "descr" => header.descr = Some(rest.string()?.to_owned()),
                "fortran_order" => header.fortran_order = Some(rest.boolean()?),
                "shape" => header.shape = Some(rest.tuple()?),
                other => return Err(format!("its header has an entry `{other}` that no .npy file has")),
            }
            if !rest.take(',') {
                rest.expect('}')?;
                break;
            }
        }
        if rest.peek().is_some() {
            return Err("something follows the dictionary in its header".to_owned());
        }
        Ok(header)
    }

    fn layout(&self) -> Result<Layout, String> {
        let (Some(descr), Some(by_column), Some(shape)) = (&self.descr, self.fortran_order, &self.shape) else {
            return Err("its header lacks `descr`, `fortran_order` or `shape`".to_owned());
        };
        let kind = descr.trim_start_matches(['<', '>', '=', '|']);
        let element = match kind {
            "f2" => Element::F16,
            "f4" => Element::F32,
            "f8" => Element::F64,
            "i1" => Element::I8,
            "u1" => Element::U8,
            _ if kind.starts_with('O') => {
                return Err(format!(
                    "it holds pickled Python objects, which are not read: vectors of unequal length? {INSTEAD}"
                ));
            }
            "b1" => return Err("it holds booleans; pack them: numpy.packbits(vectors, axis=1)".to_owned()),
            _ => return Err(format!("numbers of type `{descr}` are not read as vectors; {INSTEAD}")),
        };
        let [rows, columns] = shape[..] else {
            return Err(format!("it has {} dimensions, not two; {INSTEAD}", shape.len()));
        };
        Ok(Layout { element, big_endian: descr.starts_with('>'), by_column, rows, columns })
    }
}

/// What is left of a header.
struct Cursor<'t>(&'t str);

impl<'t> Cursor<'t> {
    fn peek(&mut self) -> Option<char> {
        self.0 = self.0.trim_start();
        self.0.chars().next()
    }

    fn take(&mut self, c: char) -> bool {
        self.peek();
        let rest = self.0.strip_prefix(c);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.take(c) { Ok(()) } else { Err(format!("its header lacks a `{c}`; is the file damaged?")) }
    }

    fn string(&mut self) -> Result<&'t str, String> {
        let quote = self.peek().filter(|c| matches!(c, '\'' | '"'));
        let found = quote.and_then(|quote| self.0.get(1..)?.split_once(quote));
        let (text, rest) = found.ok_or_else(|| "its header lacks a text; is the file damaged?".to_owned())?;
        self.0 = rest;
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        self.peek();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(word) {
                self.0 = rest;
                return Ok(value);
            }
        }
        Err("`fortran_order` in its header is neither True nor False".to_owned())
    }

    /// `()`, `(3,)`, `(3, 4)`, with the `L` that Python 2 put behind long numbers.
    fn tuple(&mut self) -> Result<Vec<u64>, String> {
        let mut numbers = Vec::new();
        self.expect('(')?;
        while !self.take(')') {
            self.peek();
            let digits = self.0.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = self.0.split_at_checked(digits).unwrap_or((self.0, ""));
            let number = number.parse().map_err(|_| "`shape` in its header is no list of sizes".to_owned())?;
            numbers.push(number);
            self.0 = rest.strip_prefix('L').unwrap_or(rest);
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_encode::Vector;
    use proptest::prelude::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &[version, 0]].concat();
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        [&bytes, header.as_bytes(), data].concat()
    }

    fn read(bytes: &[u8]) -> Result<Vec<Vector>, String> {
        let matrix = read_npy(bytes, bytes.len() as u64)?;
        Ok((0..matrix.rows()).map(|r| matrix.vector(r).unwrap()).collect())
    }

    fn of(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Result<Vec<Vector>, String> {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}   \n");
        read(&file(1, &header, data))
    }

    #[test]
    fn every_type_order_and_version() {
        let rows = |a: [f32; 2], b: [f32; 2]| Ok(vec![Vector::F32(a.into()), Vector::F32(b.into())]);
        let f4: Vec<u8> = [1.5f32, -2.0, 3.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        let big: Vec<u8> = [1.5f64, -2.0, 3.0, 4.0].iter().flat_map(|x| x.to_be_bytes()).collect();
        let f2: Vec<u8> = [1.5f32, -2.0, 3.0, 4.0].iter().flat_map(|x| half::f16::from_f32(*x).to_le_bytes()).collect();
        assert_eq!(of("<f4", "False", "(2, 2)", &f4), rows([1.5, -2.0], [3.0, 4.0]));
        assert_eq!(of("<f4", "True", "(2, 2)", &f4), rows([1.5, 3.0], [-2.0, 4.0]));
        assert_eq!(of(">f8", "False", "(2L, 2L)", &big), rows([1.5, -2.0], [3.0, 4.0]));
        assert_eq!(of("<f2", "False", "(2,2)", &f2), rows([1.5, -2.0], [3.0, 4.0]));
        assert_eq!(of("|i1", "False", "(1, 2)", &[255, 3]), Ok(vec![Vector::I8(vec![-1, 3])]));
        assert_eq!(of("|u1", "False", "(1, 1)", &[0b1100_0000]), Ok(vec![Vector::Bits(vec![0b0000_0011])]));
        for version in [2, 3] {
            let header = "{\"shape\": (1, 4), \"fortran_order\": False, \"descr\": \"<f4\"}";
            assert_eq!(read(&file(version, header, &f4)).unwrap().len(), 1);
        }
    }

    #[test]
    fn what_is_no_matrix_of_vectors_is_refused_with_its_reason() {
        let reason = |descr, shape, data: &[u8]| of(descr, "False", shape, data).unwrap_err();
        for (got, word) in [
            (reason("|O", "(2,)", b"\x80\x04."), "pickled"),
            (reason("<i8", "(1, 1)", &[0; 8]), "`<i8`"),
            (reason("|b1", "(1, 1)", &[1]), "packbits"),
            (reason("<f4", "(4,)", &[0; 16]), "1 dimensions"),
            (reason("<f4", "()", &[0; 4]), "0 dimensions"),
            (reason("<f4", "(2, 2)", &[0; 15]), "takes 16 bytes, but 15"),
            (reason("<f4", "(2, 2)", &[0; 17]), "but 17"),
            (reason("<f4", "(0, 4)", &[]), "no vectors"),
            (reason("<f4", "(4611686018427387904, 4)", &[0; 16]), "more bytes than there are"),
            (reason("<f4", "(9223372036854775808, 4)", &[0; 16]), "more bytes than there are"),
            (reason("<f4", "(99999999999999999999999, 4)", &[0; 16]), "no list of sizes"),
            (reason("<f4", "(-1, 4)", &[0; 16]), "no list of sizes"),
            (read(b"PK\x03\x04 a zip file").unwrap_err(), "does not begin"),
            (read(&file(9, "{}", &[])).unwrap_err(), "version 9"),
            (read(&file(1, "{}", &[])).unwrap_err(), "lacks `descr`"),
            (read(&file(1, "{'descr': [('a', '<f4')]}", &[])).unwrap_err(), "records"),
            (read(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").unwrap_err(), "claims"),
            (read(b"\x93NUMPY\x01\x00\xff\x00{").unwrap_err(), "ends within"),
        ] {
            assert!(got.contains(word), "{word}: {got}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(header in "[{}()':,a-zTF<>|0-9 ]{0,60}", data in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&file(1, &header, &data));
            let _ = read(&data);
        }

        #[test]
        fn columns_first_is_the_same_matrix(rows in 1usize..9, columns in 1usize..9, seed: u8) {
            let at = |r: usize, c: usize| (r * 31 + c * 7) as u8 ^ seed;
            let by_row: Vec<u8> = (0..rows).flat_map(|r| (0..columns).map(move |c| at(r, c))).collect();
            let by_column: Vec<u8> = (0..columns).flat_map(|c| (0..rows).map(move |r| at(r, c))).collect();
            let shape = format!("({rows}, {columns})");
            prop_assert_eq!(of("|i1", "False", &shape, &by_row), of("|i1", "True", &shape, &by_column));
        }
    }
}
