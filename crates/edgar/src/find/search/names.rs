//! The names of filers, as the search shows them: `NAME  (TICK, TICK2)  (CIK 0000000000)`.
//!
//! Two spaces stand before each decoration. A bracket behind a single one belongs to the name (`TRUST CO (DELAWARE)`), so a
//! pattern that takes any last bracket for tickers would cut names.

use crate::find::Filer;

/// All filers of a hit, in its order. Lists of different lengths lose nobody: a name says its own CIK, and a CIK that no name
/// claims becomes a filer without name.
pub(super) fn filers(ciks: &[String], display_names: &[String]) -> Vec<Filer> {
    let mut filers: Vec<Filer> = Vec::new();
    let parallel = ciks.len() == display_names.len();
    for (i, display) in display_names.iter().enumerate() {
        let mut filer = read(display);
        if filer.cik.is_empty() && parallel {
            filer.cik = ciks.get(i).and_then(|c| cik(c)).unwrap_or_default();
        }
        let known = |f: &Filer| if filer.cik.is_empty() { f.name == filer.name } else { f.cik == filer.cik };
        let nobody = filer.cik.is_empty() && filer.name.is_empty();
        if !nobody && !filers.iter().any(known) {
            filers.push(filer);
        }
    }
    for number in ciks.iter().filter_map(|c| cik(c)) {
        if !filers.iter().any(|f| f.cik == number) {
            // Names without number stand where the numbers without name do.
            match filers.iter_mut().find(|f| f.cik.is_empty()) {
                Some(filer) => filer.cik = number,
                None => filers.push(Filer { cik: number, name: String::new(), tickers: Vec::new() }),
            }
        }
    }
    filers
}

/// A CIK without leading zeros.
pub(in crate::find) fn cik(text: &str) -> Option<String> {
    let digits = text.trim();
    let number = digits.trim_start_matches('0');
    let fits = (1..=10).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty();
    fits.then(|| number.to_owned())
}

/// A name freed of its decorations.
fn read(display: &str) -> Filer {
    let mut rest = display.trim_end();
    let mut number = String::new();
    if let Some((before, inside)) = last_bracket(rest)
        && let Some(found) = inside.strip_prefix("CIK").and_then(cik)
    {
        number = found;
        rest = before;
    }
    let mut tickers = Vec::new();
    if let Some((before, inside)) = last_bracket(rest)
        && inside.split(',').all(|t| is_ticker(t.trim()))
    {
        tickers = inside.split(',').map(|t| t.trim().to_owned()).collect();
        rest = before;
    }
    let name = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    Filer { cik: number, name, tickers }
}

/// The bracket that ends the text behind two spaces: what stands before, and inside.
fn last_bracket(text: &str) -> Option<(&str, &str)> {
    let open = text.rfind('(')?;
    let inside = text.get(open + 1..)?.strip_suffix(')')?;
    let before = text.get(..open)?;
    let apart = before.ends_with("  ") || before.is_empty();
    apart.then(|| (before.trim_end(), inside))
}

fn is_ticker(text: &str) -> bool {
    (1..=12).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"-./^+=$".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(display: &str) -> (String, String, Vec<String>) {
        let f = read(display);
        (f.name, f.cik, f.tickers)
    }

    #[test]
    fn decorations_stand_behind_two_spaces() {
        let read = |d| {
            let (name, cik, tickers) = one(d);
            format!("{name}|{cik}|{}", tickers.join(" "))
        };
        assert_eq!(read("TARN MILLS INC  (TARN, TARN-PA)  (CIK 0000012345)"), "TARN MILLS INC|12345|TARN TARN-PA");
        assert_eq!(read("TARN TRUST CO (DELAWARE)  (CIK 0000012345)"), "TARN TRUST CO (DELAWARE)|12345|");
        assert_eq!(read("TARN TRUST CO (DE)  (TT)  (CIK 0000012345)"), "TARN TRUST CO (DE)|12345|TT");
        assert_eq!(read("TARN\n (DELAWARE)\nMILLS  (CIK 0000012345) "), "TARN (DELAWARE) MILLS|12345|");
        assert_eq!(read("TARN\r\nMILLS\n  (TM)  (CIK 12345)"), "TARN MILLS|12345|TM");
        assert_eq!(read("Tarn  (formerly Loom)  (CIK 0000000007)"), "Tarn (formerly Loom)|7|");
        assert_eq!(read("TARN"), "TARN||");
        assert_eq!(read("TARN  (CIK x)"), "TARN (CIK x)||");
        assert_eq!(read(""), "||");
    }

    #[test]
    fn nobody_is_lost_when_the_lists_differ() {
        let strings = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let show = |ciks: &[&str], names: &[&str]| {
            let filers = filers(&strings(ciks), &strings(names));
            filers.iter().map(|f| format!("{}={}", f.cik, f.name)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(show(&["0000000001", "0000000002"], &["A  (CIK 0000000001)", "B  (CIK 0000000002)"]), "1=A 2=B");
        assert_eq!(show(&["0000000001", "0000000002"], &["A", "B"]), "1=A 2=B");
        assert_eq!(show(&["0000000001", "0000000002"], &["B  (CIK 0000000002)"]), "2=B 1=");
        assert_eq!(show(&["0000000001"], &["A  (CIK 0000000001)", "B  (CIK 0000000002)"]), "1=A 2=B");
        assert_eq!(show(&["0000000001", "0000000002"], &["A"]), "1=A 2=");
        assert_eq!(show(&["0000000001", "0000000001"], &["A  (CIK 0000000001)", "A  (CIK 0000000001)"]), "1=A");
        assert_eq!(show(&[], &[]), "");
    }

    proptest::proptest! {
        #[test]
        fn any_name_is_read(display in "(  \\(|CIK |[A-Z0-9]|\\)|\\n|\\PC){0,12}") {
            let filer = read(&display);
            proptest::prop_assert!(!filer.name.contains('\n'));
        }
    }
}
