//! Generated 8-K filings with known facts.
//!
//! ```text
//! seed ──▶ company ──▶ scene (what is said, what is planted) ──▶ layout (iXBRL, HTML, SGML, text, gz) ──▶ files + manifest
//! ```
//!
//! Content and form are drawn apart, so that every story appears in every form. Wording is shared by families of filings:
//! within a family only amounts, dates and places differ, which is what makes real filings hard to tell apart. Filings are
//! written with our own words about invented companies; mutating real filings was the road not taken, since then nobody
//! knows for certain which facts a text holds.
//!
//! A corpus is as EDGAR would serve it, with all that an index of EDGAR tells in its manifest: put behind a stand-in and fetched, it
//! is the same corpus. What else people's folders hold, gaps first of all, is in corpora with [`Options::sparse`].

mod companies;
mod corpus;
mod facts;
mod layout;
mod prose;
mod rng;
mod scene;
mod voice;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

pub use corpus::{Corpus, EvidenceKind, GeneratedFile, ManifestRow, Options, Planted, PlantedEvidence};

use rng::Rng;

/// Draws a corpus. The same options give the same bytes on every machine.
pub fn generate(options: &Options) -> Corpus {
    let families = options.filings.div_ceil(options.rivals.max(1)).max(1);
    let mut files: Vec<GeneratedFile> = Vec::with_capacity(options.filings);
    let mut owners: Vec<usize> = Vec::with_capacity(options.filings);
    for number in 0..options.filings {
        let mut rng = Rng::new(options.seed, 0x0100_0000 + number as u64);
        // One filing in sixteen is another of the company before it.
        let owner = if number % 16 == 15 { number - 1 } else { number };
        let family = Rng::new(options.seed ^ 0x5EED_FA41, (number % families) as u64);
        let drawn = layout::Style::draw(&mut rng);
        let style = if options.sparse { drawn } else { drawn.as_served() };
        let company = companies::company(owner, options.seed);
        let other = companies::company(owner + 1_000_003, options.seed);
        let scene = scene::draw(company, &other, number, style.frame(), &family, &mut rng);
        owners.push(owner);
        files.push(file(number, style, &scene, options.sparse, &mut rng));
    }
    mark_repeated(&mut files, &owners);
    Corpus { files }
}

fn file(number: usize, style: layout::Style, scene: &scene::Scene, sparse: bool, rng: &mut Rng) -> GeneratedFile {
    let bytes = layout::render(style, scene, rng);
    let (accession, extension) = (&scene.accession, style.extension());
    // A full submission is published under its number, and the others may as well be.
    let name =
        if sparse { format!("synth_{number:06}_{accession}.{extension}") } else { format!("{accession}.{extension}") };
    let sha256 = Sha256::digest(&bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for nibble in [byte >> 4, byte & 15] {
            hex.push(char::from(DIGITS.get(usize::from(nibble)).copied().unwrap_or(b'0')));
        }
        hex
    });
    // Some rows of a sparse corpus leave to the document what it says itself.
    let silent = style.declares() && rng.chance(25) && sparse;
    let old = style.frame().old_items;
    let number_of = |n: &str| if old { format!("old:{n}") } else { n.to_owned() };
    let mut items: Vec<String> = Vec::new();
    for item in &scene.items {
        items.push(number_of(item.number));
        items.extend(item.stacked.map(|(n, _)| number_of(n)));
    }
    let told = |value: &str| (!silent).then(|| value.to_owned());
    let company = if rng.chance(60) { &scene.company.conformed } else { &scene.company.full };
    let row = ManifestRow {
        file: name.clone(),
        accession: Some(scene.accession.clone()),
        cik: told(&scene.company.cik),
        company: told(company),
        form: "8-K".to_owned(),
        filed: told(&scene.filed.iso()),
        url: (!sparse).then(|| published_at(scene, &name)),
        items,
        kind: style.kind().to_owned(),
        complete: true,
        restructuring: !scene.planted.is_empty(),
        encoding: if bytes.is_ascii() { "ascii" } else { "utf-8" }.to_owned(),
        source: "synth".to_owned(),
        bytes: bytes.len(),
        sha256,
    };
    let planted = scene
        .planted
        .iter()
        .map(|p| corpus::Planted {
            sentence: style.seen(&p.sentence),
            evidence: p.evidence.clone().map(|e| PlantedEvidence { sentence: style.seen(&e.sentence), ..e }),
            ..p.clone()
        })
        .collect();
    GeneratedFile { name, bytes, row, planted }
}

/// Where EDGAR would publish a filing's document.
fn published_at(scene: &scene::Scene, name: &str) -> String {
    let (cik, accession) = (&scene.company.cik, scene.accession.replace('-', ""));
    format!("https://www.sec.gov/Archives/edgar/data/{cik}/{accession}/{name}")
}

/// A company that states a fact in two filings cannot be asked about it.
fn mark_repeated(files: &mut [GeneratedFile], owners: &[usize]) {
    let mut stated: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for (file, owner) in files.iter().zip(owners) {
        let mut facts: Vec<&String> = file.planted.iter().map(|p| &p.fact).collect();
        facts.sort_unstable();
        facts.dedup();
        for fact in facts {
            *stated.entry((*owner, fact.clone())).or_default() += 1;
        }
    }
    for (file, owner) in files.iter_mut().zip(owners) {
        for planted in &mut file.planted {
            planted.unique &= stated.get(&(*owner, planted.fact.clone())).is_some_and(|n| *n == 1);
        }
    }
}

#[cfg(test)]
mod tests;
