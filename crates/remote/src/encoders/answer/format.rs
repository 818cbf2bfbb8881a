//! What the numbers of an embedding mean.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use eightk_encode::Vector;

use super::raw::Raw;

/// Base64 with or without its padding: services disagree.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// How a service writes a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// A list of floats, or little-endian f32 in base64: servers send that even where a list was asked for.
    Float,
    /// A list of whole numbers from −128 to 127.
    Int8,
    /// A list of bytes of eight bits each, the first bit highest; from 0 to 255.
    Bits,
    /// The same less 128 each.
    OffsetBits,
    /// Signed bytes in base64.
    PackedInt8,
    /// Bits in base64, the first bit lowest.
    PackedBits,
}

impl Format {
    /// Makes the vector. What is wrong is said as the end of a sentence about it.
    pub(crate) fn vector(self, raw: Raw) -> Result<Vector, String> {
        match (self, raw) {
            (Self::Float, Raw::Numbers(numbers)) => Ok(Vector::F32(numbers)),
            (Self::Float, Raw::Text(text)) => {
                let bytes = decoded(&text)?;
                let (numbers, rest) = bytes.as_chunks::<4>();
                if !rest.is_empty() {
                    return Err(format!(
                        "is base64 of {} bytes, which is no whole number of 32-bit floats",
                        bytes.len()
                    ));
                }
                Ok(Vector::F32(numbers.iter().map(|b| f32::from_le_bytes(*b)).collect()))
            }
            (Self::Int8, Raw::Numbers(numbers)) => numbers
                .into_iter()
                .map(|n| whole(n, -128.0, 127.0).map(|n| n as i8))
                .collect::<Result<_, _>>()
                .map(Vector::I8),
            // Kept lowest first.
            (Self::Bits, Raw::Numbers(numbers)) => {
                let byte = |n| whole(n, 0.0, 255.0).map(|n| (n as u8).reverse_bits());
                numbers.into_iter().map(byte).collect::<Result<_, _>>().map(Vector::Bits)
            }
            (Self::OffsetBits, Raw::Numbers(numbers)) => {
                let byte = |n| whole(n, -128.0, 127.0).map(|n| ((n + 128) as u8).reverse_bits());
                numbers.into_iter().map(byte).collect::<Result<_, _>>().map(Vector::Bits)
            }
            (Self::PackedInt8, Raw::Text(text)) => {
                Ok(Vector::I8(decoded(&text)?.into_iter().map(u8::cast_signed).collect()))
            }
            (Self::PackedBits, Raw::Text(text)) => Ok(Vector::Bits(decoded(&text)?)),
            (Self::Int8 | Self::Bits | Self::OffsetBits, Raw::Text(_)) => {
                Err("is text where numbers were asked for".to_owned())
            }
            (Self::PackedInt8 | Self::PackedBits, Raw::Numbers(_)) => {
                Err("is a list where base64 was asked for".to_owned())
            }
        }
    }
}

fn decoded(text: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(text).map_err(|e| format!("is no base64 ({e})"))
}

fn whole(number: f32, least: f32, most: f32) -> Result<i32, String> {
    if number.fract() == 0.0 && (least..=most).contains(&number) {
        return Ok(number as i32);
    }
    Err(format!("holds {number}, where whole numbers from {least} to {most} were asked for"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(format: Format, numbers: &[f32]) -> Result<Vector, String> {
        format.vector(Raw::Numbers(numbers.to_vec()))
    }

    fn text(format: Format, text: &str) -> Result<Vector, String> {
        format.vector(Raw::Text(text.to_owned()))
    }

    #[test]
    fn floats_in_either_form() {
        assert_eq!(of(Format::Float, &[0.5, -2.0]), Ok(Vector::F32(vec![0.5, -2.0])));
        assert_eq!(text(Format::Float, "AAAAPwAAAMA="), Ok(Vector::F32(vec![0.5, -2.0])));
        assert_eq!(text(Format::Float, "AAAAPwAAAMA"), Ok(Vector::F32(vec![0.5, -2.0])), "without padding");
        assert!(text(Format::Float, "AAAAPwAA").unwrap_err().contains("6 bytes"));
        assert!(text(Format::Float, "no base64!").unwrap_err().contains("no base64"));
    }

    #[test]
    fn whole_numbers_and_nothing_else() {
        assert_eq!(of(Format::Int8, &[-128.0, 0.0, 127.0]), Ok(Vector::I8(vec![-128, 0, 127])));
        assert!(of(Format::Int8, &[128.0]).unwrap_err().contains("128"));
        assert!(of(Format::Int8, &[0.25]).unwrap_err().contains("0.25"));
        assert!(of(Format::Bits, &[-1.0]).is_err() && of(Format::Bits, &[f32::NAN]).is_err());
        assert!(text(Format::Int8, "AA==").is_err() && of(Format::PackedInt8, &[1.0]).is_err());
    }

    #[test]
    fn bits_in_each_order_are_the_same_bits() {
        let first_only = Vector::Bits(vec![1]);
        assert_eq!(of(Format::Bits, &[128.0]), Ok(first_only.clone()));
        assert_eq!(of(Format::OffsetBits, &[0.0]), Ok(first_only.clone()));
        assert_eq!(text(Format::PackedBits, "AQ=="), Ok(first_only));
        assert_eq!(of(Format::OffsetBits, &[-128.0, 127.0]), Ok(Vector::Bits(vec![0, 255])));
        assert_eq!(text(Format::PackedInt8, "gAB/"), Ok(Vector::I8(vec![-128, 0, 127])));
    }

    proptest! {
        #[test]
        fn there_and_back(bits in prop::collection::vec(any::<bool>(), 8..64)) {
            let bits = &bits[..bits.len() / 8 * 8];
            let highest_first = |c: &[bool]| c.iter().fold(0_u8, |byte, bit| byte << 1 | u8::from(*bit));
            let bytes: Vec<u8> = bits.chunks(8).map(highest_first).collect();
            let signs: Vec<f32> = bits.iter().map(|b| if *b { 1.0 } else { -1.0 }).collect();
            let plain: Vec<f32> = bytes.iter().map(|b| f32::from(*b)).collect();
            let offset: Vec<f32> = plain.iter().map(|b| b - 128.0).collect();
            let packed = BASE64.encode(bytes.iter().map(|b| b.reverse_bits()).collect::<Vec<_>>());
            prop_assert_eq!(of(Format::Bits, &plain).unwrap().to_f32(), signs.clone());
            prop_assert_eq!(of(Format::OffsetBits, &offset).unwrap().to_f32(), signs.clone());
            prop_assert_eq!(text(Format::PackedBits, &packed).unwrap().to_f32(), signs);
        }
    }
}
