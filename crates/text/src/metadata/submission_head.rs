//! The beginning of a full submission: what it says of the filing before any text.
//!
//! A filing that is only listed by its number is judged by this alone, so that hundreds of exhibits are not downloaded to learn
//! which items a report has. The same two readers serve whole submissions; the beginning differs in what may be missing.

use eightk_core::{Accession, FilingDate, Form};

use super::{item_number, sgml};
use crate::decode::decode;
use crate::{TextError, submission};

/// What the header and the lines of the primary document say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubmissionHead {
    /// The filing's number.
    pub accession: Option<Accession>,
    /// Its form; `None` where it is no 8-K.
    pub form: Option<Form>,
    /// Day of filing.
    pub filed: Option<FilingDate>,
    /// Day of the event reported.
    pub reported: Option<FilingDate>,
    /// Item titles as numbers, in order, where the title is known.
    pub items: Vec<String>,
    /// All filers in order.
    pub filers: Vec<sgml::HeaderFiler>,
    /// File name of the primary document; `None` where it has none, or the beginning does not reach it.
    pub file_name: Option<String>,
}

/// Reads the beginning of a full submission, cut off anywhere behind its header; `None` where the file is no submission.
///
/// # Errors
///
/// [`TextError::Truncated`] where it is cut inside the header, [`TextError::Undecodable`] where it is damaged.
pub fn submission_head(bytes: &[u8]) -> Result<Option<SubmissionHead>, TextError> {
    let Some(found) = submission::find_head(bytes)? else { return Ok(None) };
    let part = |span: eightk_core::Span| decode(bytes.get(span.start..span.end).unwrap_or_default());
    let header = part(found.header)?;
    let lines = found.lines.map(part).transpose()?;
    let lines = lines.as_ref().map_or("", |l| l.text.as_ref());
    let read = sgml::read(&header.text);
    let day = read.filed.or(read.reported);
    let named = lines.lines().flat_map(sgml::pairs).find(|(key, _)| *key == "FILENAME");
    Ok(Some(SubmissionHead {
        accession: read.accession,
        form: read.form.or_else(|| sgml::read(lines).form),
        filed: read.filed,
        reported: read.reported,
        items: read.items.iter().filter_map(|item| item_number(item, day)).collect(),
        filers: read.filers,
        file_name: named.map(|(_, value)| value.trim().to_owned()).filter(|name| !name.is_empty()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "-----BEGIN PRIVACY-ENHANCED MESSAGE-----
<IMS-DOCUMENT>0001234567-95-000012.txt : 19950302
<IMS-HEADER>0001234567-95-000012.hdr.sgml : 19950302
CONFORMED SUBMISSION TYPE:\t8-K
CONFORMED PERIOD OF REPORT:\t19950228
ITEM INFORMATION:\t\tOther Events
FILER:
\tCOMPANY DATA:\t
\t\tCENTRAL INDEX KEY:\t\t\t0000012345
\t\tCOMPANY CONFORMED NAME:\t\t\tTARN MILLS INC /DE/
\tFORMER COMPANY:\t
\t\tFORMER CONFORMED NAME:\tTARN WEAVING CO
FILER:
\tCOMPANY DATA:\t
\t\tCOMPANY CONFORMED NAME:\t\t\tTARN FINANCE CORP
\t\tCENTRAL INDEX KEY:\t\t\t0000099999
</IMS-HEADER>
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>tarn.txt
<TEXT>
";

    #[test]
    fn all_filers_in_order() {
        let head = submission_head(FILE.as_bytes()).unwrap().unwrap();
        let filers: Vec<_> =
            head.filers.iter().map(|f| (f.name.as_deref().unwrap(), f.cik.as_deref().unwrap())).collect();
        assert_eq!(filers, [("TARN MILLS INC /DE/", "12345"), ("TARN FINANCE CORP", "99999")]);
        assert_eq!(head.filers[0].former_names, ["TARN WEAVING CO"]);
        assert_eq!(head.accession.unwrap().as_str(), "0001234567-95-000012");
        assert_eq!(head.filed.unwrap().to_string(), "1995-03-02");
        assert_eq!(head.form, Some(Form::EightK));
        assert_eq!(head.items, ["5"]);
        assert_eq!(head.file_name.as_deref(), Some("tarn.txt"));
    }

    #[test]
    fn a_header_of_one_line() {
        let file = "<SUBMISSION>\n<ACCESSION-NUMBER>0001234567-25-000012<TYPE>8-K<PERIOD>20250106<ITEMS>5.02<ITEMS>9.01\
                    <FILING-DATE>20250108<FILER><COMPANY-DATA><CONFORMED-NAME>TARN MILLS, INC.<CIK>0000012345</COMPANY-DATA>\
                    </FILER>\n<DOCUMENT>\n<TYPE>8-K<SEQUENCE>1<FILENAME>tarn.htm<TEXT>";
        let head = submission_head(file.as_bytes()).unwrap().unwrap();
        assert_eq!(head.items, ["5.02", "9.01"]);
        assert_eq!(head.filers[0].name.as_deref(), Some("TARN MILLS, INC."));
        assert_eq!(head.filed.unwrap().to_string(), "2025-01-08");
        assert_eq!(head.file_name.as_deref(), Some("tarn.htm"));
    }

    #[test]
    fn what_is_not_reached_is_not_known() {
        let end = FILE.find("<DOCUMENT>").unwrap();
        let head = submission_head(&FILE.as_bytes()[..end]).unwrap().unwrap();
        assert_eq!(head.file_name, None);
        assert_eq!(submission_head(&FILE.as_bytes()[..end - 20]), Err(TextError::Truncated));
        assert_eq!(submission_head(b"<html>"), Ok(None));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200), cut in 0..FILE.len()) {
            let _ = submission_head(&bytes);
            let mut file = FILE.as_bytes()[..cut].to_vec();
            file.extend(bytes);
            let _ = submission_head(&file);
        }
    }
}
