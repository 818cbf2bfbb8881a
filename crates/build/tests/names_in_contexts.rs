//! On real filings: a data set tells enough of its filers' names to take them out of contexts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use eightk_build::{Examined, ReadOptions, discover, examine_all};
use eightk_core::{ANSWER_GRADE, Chunk, EVIDENCE_GRADE, Qrels, Role, chunk_id, query_id};
use eightk_mine::{Assembly, Recipe, assemble};
use eightk_retrieve::{Control, Corpus, FilingInputs, Job, Knowledge, View, filer_names, filing_inputs, swaps};
use eightk_text::names::Names;

/// The folder of real filings; none where there is none and none was promised.
#[allow(clippy::disallowed_methods)]
fn shared() -> Option<PathBuf> {
    let given = std::env::var_os("EIGHTK_SHARED").map(PathBuf::from);
    let folder = given.clone().unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into());
    if folder.join("data/filings").is_dir() {
        return Some(folder);
    }
    assert!(given.is_none(), "EIGHTK_SHARED is set and holds no data/filings");
    eprintln!("not run: no real filings at {}", folder.display());
    None
}

struct Real {
    examined: Examined,
    assembly: Assembly,
    chunks: Vec<Chunk>,
}

impl Real {
    fn read() -> Option<Self> {
        let data = shared()?.join("data");
        let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
        let inputs = discover(&[data.join("filings"), data.join("excerpts")]).unwrap();
        let examined = examine_all(inputs, &recipe, &ReadOptions::default(), || {});
        let assembly = assemble(&examined.records, &recipe);
        let chunks = examined.records.iter().flat_map(|record| {
            let meta = &record.filing.meta;
            let date = meta.filed.map(|d| d.to_string()).unwrap_or_default();
            record.filing.chunks(&format!("{} {} {date}", record.names.short(), meta.form.unwrap_or_default()))
        });
        let chunks = chunks.collect();
        Some(Self { examined, assembly, chunks })
    }

    fn corpus(&self) -> Corpus<'_> {
        let filings = self.examined.records.iter().map(|r| &r.filing);
        let texts = filings.map(|f| (f.meta.source_url.as_str(), f.text.as_str())).collect();
        Corpus::new(&self.chunks).unwrap().with_texts(&texts)
    }

    fn companies(&self) -> BTreeMap<&str, &str> {
        let metas = self.examined.records.iter().map(|r| &r.filing.meta);
        metas.filter_map(|m| Some((m.source_url.as_str(), m.company.as_deref()?))).collect()
    }

    fn names(&self) -> BTreeMap<&str, &Names> {
        self.examined.records.iter().map(|r| (r.filing.meta.source_url.as_str(), &r.names)).collect()
    }

    fn knowledge(&self, aliases: BTreeMap<String, Names>) -> Knowledge<'_> {
        let graded = self.assembly.queries.iter().enumerate().map(|(q, query)| {
            let grade = |role| if role == Role::Answer { ANSWER_GRADE } else { EVIDENCE_GRADE };
            let golds = query.golds.iter().map(|g| (chunk_id(&g.source_url, g.span.start), grade(g.role)));
            (query_id(q), golds.collect())
        });
        let qrels = Qrels { queries: graded.collect() };
        Knowledge { qrels, rivals: &self.assembly.rivals, aliases, ..Knowledge::default() }
    }
}

fn set(names: &Names) -> BTreeSet<&str> {
    names.aliases().iter().map(String::as_str).collect()
}

fn inputs<'s, 'a>(
    corpus: &'s Corpus<'a>,
    view: &str,
    control: &str,
    knowledge: &'s Knowledge<'_>,
) -> FilingInputs<'s, 'a> {
    let (view, control): (View, Control) = (view.parse().unwrap(), control.parse().unwrap());
    filing_inputs(corpus, &view, Some(&control), knowledge).unwrap()
}

/// What of a job is around its chunks: the context without those that hold a name themselves.
fn around(job: &Job<'_>) -> String {
    let context = job.input.context.as_ref().unwrap();
    let alone = if job.input.chunks.len() == 1 { context.span_of(0) } else { None };
    match alone {
        Some(span) => format!("{}\n{}", &context.text()[..span.start], &context.text()[span.end..]),
        None => context.text().to_owned(),
    }
}

#[test]
fn a_data_set_names_its_filers_as_the_build_does() {
    let Some(real) = Real::read() else { return };
    let (corpus, built) = (real.corpus(), real.names());
    let bare = Corpus::new(&real.chunks).unwrap();
    let of_config = filer_names(&corpus, &real.companies());
    let of_chunks = filer_names(&bare, &BTreeMap::new());
    let filings = corpus.filings().len();
    for (source, names, least) in [("filings config", &of_config, 0.01), ("titles and chunks", &of_chunks, 0.03)] {
        assert_eq!(names.len(), filings, "{source}: every filer has a name");
        // Registrations add former names, tickers and spellings that no data set has; what counts is whether a text holds them.
        let listed = names.iter().filter(|(url, n)| set(n) == set(built[url.as_str()])).count();
        let (mut places, mut missed) = (0, 0);
        for filing in corpus.filings() {
            let text = filing.text.unwrap();
            let here: BTreeSet<usize> = names[filing.source_url].mentions(text).iter().map(|s| s.start).collect();
            for span in built[filing.source_url].mentions(text) {
                places += 1;
                if !here.contains(&span.start) {
                    missed += 1;
                }
            }
        }
        let held = |names: &Names, text: &str| names.mention(text).is_some();
        let (mut both, mut less, mut more) = (0, 0, 0);
        for chunk in corpus.chunks() {
            match (held(built[chunk.source_url.as_str()], &chunk.text), held(&names[&chunk.source_url], &chunk.text)) {
                (true, true) => both += 1,
                (true, false) => less += 1,
                (false, true) => more += 1,
                (false, false) => {}
            }
        }
        eprintln!(
            "{source}: the same list of names for {listed} of {filings} filings; of {places} places where narratives name their filer by \
             the build's names, {} are missed; of {} chunks {both} name their filer by both, {less} by the build's \
             names only, {more} by these only",
            missed,
            corpus.len()
        );
        assert!(f64::from(missed) <= least * f64::from(places), "{source}");
        assert!(f64::from(less + more) <= 0.01 * f64::from(both), "{source}: {less} missed, {more} too many");
        for query in &real.assembly.queries {
            for answer in query.golds.iter().filter(|g| g.role == Role::Answer) {
                assert!(
                    !held(&names[&answer.source_url], &answer.text),
                    "{source}: an answer names {}",
                    answer.source_url
                );
            }
        }
        for names in names.values() {
            for word in ["Company", "the Company", "we", "our", "Registrant", "the Registrant", "Corporation"] {
                assert!(!names.is_alias(word) && names.mention(word).is_none(), "{word}: {:?}", names.aliases());
            }
        }
    }
}

#[test]
fn evidence_leaves_every_context_without_binding() {
    let Some(real) = Real::read() else { return };
    let corpus = real.corpus();
    let knowledge = real.knowledge(filer_names(&corpus, &real.companies()));
    for view in ["filing", "title+filing", "filing:text"] {
        let inputs = inputs(&corpus, view, "minus-binding", &knowledge);
        assert_eq!(inputs.notes(), [] as [&str; 0], "{view}");
        let (mut golds, mut with_evidence) = (0, 0);
        for query in &real.assembly.queries {
            let answer = query.golds.iter().find(|g| g.role == Role::Answer).unwrap();
            let position = corpus.position(&chunk_id(&answer.source_url, answer.span.start)).unwrap();
            let jobs = inputs.of_filing(corpus.filing_of(position).unwrap());
            let job = jobs.iter().find(|j| j.positions.contains(&position)).unwrap();
            let context = job.input.context.as_ref().unwrap();
            assert!(context.text().contains(&answer.text));
            golds += 1;
            for evidence in query.golds.iter().filter(|g| g.role == Role::Evidence) {
                with_evidence += 1;
                assert!(
                    !context.text().contains(&evidence.text),
                    "{view}: the evidence of {} is in view",
                    answer.source_url
                );
            }
        }
        eprintln!("{view}: {golds} answers, {with_evidence} with evidence, none of which is in view");
        assert!(with_evidence > 0);
    }
}

#[test]
fn no_context_names_its_filer_when_it_should_not() {
    let Some(real) = Real::read() else { return };
    let corpus = real.corpus();
    let knowledge = real.knowledge(filer_names(&corpus, &real.companies()));
    for view in ["title+filing", "title+filing:text"] {
        for control in ["masked", "minus-binding"] {
            let inputs = inputs(&corpus, view, control, &knowledge);
            let (mut jobs, mut across, mut chunks) = (0, 0, 0);
            for job in inputs.jobs() {
                (jobs, chunks) = (jobs + 1, chunks + job.positions.len());
                let (around, url) = (around(&job), corpus.chunks()[job.positions[0] as usize].source_url.as_str());
                // A name that runs from one passage into the next is nobody's: each passage is checked by itself.
                let context = job.input.context.as_ref().unwrap();
                for passage in context.passages().iter().filter(|p| p.chunk.is_none() || job.positions.len() > 1) {
                    let text = passage.span.of(context.text());
                    assert!(knowledge.aliases[url].mention(text).is_none(), "{view}/{control}: {url}: {text}");
                }
                across += usize::from(knowledge.aliases[url].mention(&around).is_some());
            }
            eprintln!(
                "{view}/{control}: {chunks} chunks in {jobs} jobs; in {across} a name runs over the end of a passage"
            );
            assert_eq!(chunks, corpus.len());
        }
    }
}

#[test]
fn golds_change_places_with_their_nearest_rivals() {
    let Some(real) = Real::read() else { return };
    let corpus = real.corpus();
    let knowledge = real.knowledge(BTreeMap::new());
    let view: View = "title+filing:text".parse().unwrap();
    let swaps = swaps(&corpus, &view, &knowledge).unwrap();
    eprintln!("{} queries swap, {} have no rival", swaps.plan().len(), swaps.without_rival().len());
    assert_eq!(swaps.plan().len() + swaps.without_rival().len(), real.assembly.queries.len());
    for (n, swap) in swaps.plan().iter().enumerate() {
        let [gold, rival] = swaps.jobs(n).unwrap();
        assert_eq!((gold.positions[0], rival.positions[0]), (swap.gold, swap.rival));
        let text = |p: u32| corpus.chunks()[p as usize].text.as_str();
        for (job, own, others) in [(&gold, swap.gold, swap.rival), (&rival, swap.rival, swap.gold)] {
            let context = job.input.context.as_ref().unwrap();
            assert_eq!(context.span_of(0).unwrap().of(context.text()), text(own));
            assert_eq!(job.input.source_url, corpus.chunks()[others as usize].source_url);
            assert!(text(own) == text(others) || !context.text().contains(text(others)));
        }
    }
}
