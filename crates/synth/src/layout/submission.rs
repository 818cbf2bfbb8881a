//! The full submission text file: a header, the primary document, the attached press release.

use super::ascii;
use crate::scene::Scene;

pub(super) fn render(scene: &Scene, primary: &str, file: &str, exhibit: impl Fn(&[Vec<String>]) -> String) -> String {
    let attached = !scene.exhibit.is_empty();
    let mut out = String::with_capacity(primary.len() + 4_000);
    out.push_str(&format!(
        "<SEC-DOCUMENT>{}.txt : {}\n<SEC-HEADER>{}.hdr.sgml : {}\n",
        scene.accession,
        scene.filed.compact(),
        scene.accession,
        scene.filed.compact()
    ));
    out.push_str(&format!("ACCESSION NUMBER:\t\t{}\nCONFORMED SUBMISSION TYPE:\t8-K\nPUBLIC DOCUMENT COUNT:\t\t{}\nCONFORMED PERIOD OF REPORT:\t{}\n", scene.accession, 1 + usize::from(attached), scene.reported.compact()));
    for item in &scene.items {
        out.push_str(&format!("ITEM INFORMATION:\t\t{}\n", ascii(item.title)));
    }
    out.push_str(&format!("FILED AS OF DATE:\t\t{}\n\nFILER:\n\n\tCOMPANY DATA:\t\n\t\tCOMPANY CONFORMED NAME:\t\t\t{}\n\t\tCENTRAL INDEX KEY:\t\t\t{}\n\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tMISCELLANEOUS [3990]\n\n\tFILING VALUES:\n\t\tFORM TYPE:\t\t8-K\n</SEC-HEADER>\n", scene.filed.compact(), scene.company.conformed, scene.company.cik));
    document(&mut out, "8-K", 1, file, "FORM 8-K", primary);
    if attached {
        let ending = file.rsplit('.').next().unwrap_or("txt");
        document(&mut out, "EX-99.1", 2, &format!("dex991.{ending}"), "PRESS RELEASE", &exhibit(&scene.exhibit));
    }
    out.push_str("</SEC-DOCUMENT>\n");
    out
}

fn document(out: &mut String, form: &str, sequence: usize, file: &str, description: &str, text: &str) {
    out.push_str(&format!("<DOCUMENT>\n<TYPE>{form}\n<SEQUENCE>{sequence}\n<FILENAME>{file}\n<DESCRIPTION>{description}\n<TEXT>\n{text}</TEXT>\n</DOCUMENT>\n"));
}
