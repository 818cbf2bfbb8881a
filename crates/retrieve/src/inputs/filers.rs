//! What the filers are called, as far as a data set tells.
//!
//! The same rules that decide, when queries are made, whether a sentence names the filer: a control that took out other names than
//! those the answers were checked for would control something else.

use std::borrow::Cow;
use std::collections::BTreeMap;

use eightk_core::{FilingMeta, short_name};
use eightk_text::names::{Names, bindings};
use rayon::prelude::*;

use crate::{Corpus, FilingChunks};

/// The names of every filer of a corpus, by `source_url`; filings without any known name are missing.
///
/// `companies` are registered names by `source_url`, where the data set has them. They are completed by the short name in the title, and
/// by what the narrative, or without it the chunks, define. Where neither is known, whoever is defined as the Company, or a like
/// word, is taken for the filer.
pub fn filer_names(corpus: &Corpus<'_>, companies: &BTreeMap<&str, &str>) -> BTreeMap<String, Names> {
    let all: Vec<_> = (0..corpus.filings().len())
        .into_par_iter()
        .filter_map(|n| {
            let filing = corpus.filing(n)?;
            let names = names_of(&filing, companies.get(filing.source_url).copied());
            (!names.aliases().is_empty()).then(|| (filing.source_url.to_owned(), names))
        })
        .collect();
    all.into_iter().collect()
}

fn names_of(filing: &FilingChunks<'_, '_>, company: Option<&str>) -> Names {
    let text = filing.text.map_or_else(
        || Cow::Owned(filing.chunks.iter().map(|c| c.text.as_str()).collect::<Vec<_>>().join("\n")),
        Cow::Borrowed,
    );
    let title = short_name(filing.title);
    let registered = company.filter(|c| !c.trim().is_empty()).or(title).or_else(|| defined(&text));
    let meta = FilingMeta { company: registered.map(str::to_owned), ..FilingMeta::default() };
    let title: Vec<String> = title.into_iter().map(str::to_owned).collect();
    Names::new(&meta, &text, &title)
}

/// Who is called the Company, the Registrant or the like.
fn defined(text: &str) -> Option<&str> {
    let third_person =
        |kind: eightk_text::names::TermKind| kind.is_coreferent() && kind != eightk_text::names::TermKind::We;
    let first = bindings(text).into_iter().find(|b| b.terms.iter().any(|t| third_person(t.kind)))?;
    text.get(first.antecedent.start..first.antecedent.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filings;

    fn aliases(title: &str, chunk: &str, company: Option<&str>, text: Option<&str>) -> Vec<String> {
        let rows = filings(&[(title, &[chunk])]);
        let corpus = Corpus::new(&rows).unwrap().with_texts(&text.map(|t| ("f0", t)).into_iter().collect());
        let names = filer_names(&corpus, &company.map(|c| ("f0", c)).into_iter().collect());
        names.get("f0").map(|n| n.aliases().to_vec()).unwrap_or_default()
    }

    #[test]
    fn each_source_adds_what_it_knows() {
        let holds = |got: &[String], wanted: &[&str]| {
            for name in wanted {
                assert!(got.iter().any(|g| g == name), "{name} in {got:?}");
            }
            for word in ["Company", "we", "Registrant", "the Company"] {
                assert!(!got.iter().any(|g| g == word), "{got:?}");
            }
        };
        let defined = "On May 2, Tarwick Mills, Inc. (“TMX,” “we” or the “Company”) met.";
        holds(&aliases("Tarwick Mills 8-K 2024-05-02", "We met.", None, None), &["Tarwick Mills", "Tarwick"]);
        holds(&aliases("Tarwick Mills 8-K 2024-05-02", defined, None, None), &["Tarwick Mills", "TMX"]);
        holds(
            &aliases("Tarwick 8-K 2024-05-02", "We met.", Some("TARWICK MILLS INC /DE/"), Some(defined)),
            &["Tarwick Mills", "Tarwick", "TMX"],
        );
        holds(&aliases("", defined, None, None), &["Tarwick Mills", "TMX"]);
        assert!(aliases("a title", "We met.", None, None).is_empty());
    }
}
