//! The system itself.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use eightk_core::Hit;
use eightk_encode::{EncodedChunk, Vector};

use super::binding::Bindings;
use super::encoding::Encoding;
use super::feed::{Feed, Noticed};
use super::swapped::{Swapped, swapped};
use super::twins::Twins;
use super::{described, probe};
use crate::{
    Control, Corpus, DenseSpec, Description, Encoders, Findings, Knowledge, QueryFinding, QueryInput, RetrieveError,
    Scored, System, VectorIndex, filing_inputs, swaps,
};

/// Chunks and queries as vectors.
pub struct Dense<'c, 'a> {
    corpus: &'c Corpus<'a>,
    index: VectorIndex,
    /// By query, in control `swap`.
    swapped: BTreeMap<String, Swapped>,
    description: Description,
    /// What goes on while queries are encoded.
    going: Mutex<Going<'c>>,
}

struct Going<'c> {
    encoding: Encoding<'c>,
    /// But for what `encoding` counts.
    findings: Findings,
    /// Queries that did not fit.
    truncated: BTreeSet<String>,
}

impl fmt::Debug for Dense<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dense").field("description", &self.description).finish_non_exhaustive()
    }
}

impl<'c, 'a> Dense<'c, 'a> {
    /// Encodes a corpus. `name` is what results call the system.
    ///
    /// # Errors
    ///
    /// [`RetrieveError::NoContext`] before anything is encoded, where the view shows a filing to an encoder that cannot see it;
    /// what [`filing_inputs`] and [`swaps`] refuse; whatever keeps the encoder from encoding or its vectors from being used.
    pub fn new(
        name: &str,
        spec: &DenseSpec,
        corpus: &'c Corpus<'a>,
        knowledge: &Knowledge<'_>,
        encoders: &'c dyn Encoders,
    ) -> Result<Self, RetrieveError> {
        let encoder = encoders.encoder(&spec.encoder)?;
        refuse(name, spec, &*encoder)?;
        let description = described::describe(name, spec, &*encoder);
        let similarity = encoder.identity().similarity;
        let by_id = encoder.goes_by_id();
        let in_context = spec.view.sees_filing();
        let swapping = spec.control == Some(Control::Swap);

        // All that can be refused for want of knowledge is, before anything is encoded.
        let inputs = filing_inputs(corpus, &spec.view, spec.control.as_ref(), knowledge)?;
        let swaps = if swapping { Some(swaps(corpus, &spec.view, knowledge)?) } else { None };
        let mut findings = Findings { notes: inputs.notes().to_vec(), ..Findings::default() };
        let mut encoding = Encoding::new(encoder, encoders.store());
        if in_context
            && !by_id
            && let Some(cosine) = probe::context_free(&mut encoding)?
        {
            findings.context_free = true;
            findings.notes.push(format!(
                "one sentence got the same vector in two different filings (cosine {cosine:.7}): reported as context-free"
            ));
        }

        let noticed = Noticed {
            bindings: (in_context && !by_id && !swapping).then(|| Bindings::of(corpus, knowledge)),
            twins: (in_context && by_id).then(|| Twins::of(corpus)),
            ..Noticed::default()
        };
        let mut feed = Feed::new(corpus, &inputs, &mut encoding, noticed)?;
        let index = VectorIndex::new(spec.storage, similarity, &mut feed);
        let Feed { noticed, failed, .. } = feed;
        if let Some(failed) = failed {
            return Err(failed);
        }
        let index = index?;
        findings.truncated_inputs = noticed.truncated;
        if noticed.windowed > 0 {
            findings.notes.push(format!(
                "{} of {} contexts were longer than what is seen at once: their chunks were seen in overlapping parts of them",
                noticed.windowed, noticed.contexts
            ));
        }
        if let Some(twins) = noticed.twins {
            tell_of_twins(&twins, &mut findings);
        }
        for (query, seen) in noticed.bindings.map(Bindings::finish).unwrap_or_default() {
            findings.per_query.entry(query).or_default().binding_in_window = Some(seen);
        }
        let mut exchanged = BTreeMap::new();
        if let Some(swaps) = swaps {
            let truncated;
            (exchanged, truncated) = swapped(corpus, &swaps, &mut encoding)?;
            findings.truncated_inputs += truncated;
            for (query, swapped) in &exchanged {
                let finding = QueryFinding { swapped_with: Some(swapped.with.clone()), ..QueryFinding::default() };
                findings.per_query.insert(query.clone(), finding);
            }
            if !swaps.without_rival().is_empty() {
                let (n, all) = (swaps.without_rival().len(), swaps.without_rival().len() + swaps.plan().len());
                findings.notes.push(format!(
                    "nothing is exchanged for {n} of {all} queries: no rival of theirs is known in another filing"
                ));
            }
        }
        let going = Mutex::new(Going { encoding, findings, truncated: BTreeSet::new() });
        Ok(Self { corpus, index, swapped: exchanged, description, going })
    }

    /// How many vectors are held: equal ones are held once.
    pub fn distinct_vectors(&self) -> usize {
        self.index.distinct()
    }

    /// The vector of each query; equal texts are encoded once.
    fn vectors(&self, queries: &[QueryInput<'_>]) -> Result<Vec<Vector>, RetrieveError> {
        let (mut texts, mut number) = (Vec::new(), HashMap::new());
        let numbers: Vec<usize> = queries
            .iter()
            .map(|query| {
                *number.entry(query.text).or_insert_with(|| {
                    texts.push(query.text);
                    texts.len() - 1
                })
            })
            .collect();
        let mut going = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        let encoded: Vec<EncodedChunk> = going.encoding.queries(&texts)?;
        for (query, number) in queries.iter().zip(&numbers) {
            if encoded.get(*number).is_some_and(|e| e.truncated) {
                going.truncated.insert(query.id.to_owned());
            }
        }
        Ok(numbers.iter().filter_map(|number| encoded.get(*number).map(|e| e.vector.clone())).collect())
    }
}

/// What this encoder cannot do, with what it can.
pub(super) fn refuse(name: &str, spec: &DenseSpec, encoder: &dyn eightk_encode::Encoder) -> Result<(), RetrieveError> {
    let who = encoder.identity();
    if spec.view.sees_filing() && !encoder.sees_context() && !encoder.goes_by_id() {
        let (system, encoder, view) = (name.to_owned(), who.model.clone(), spec.view.to_string());
        return Err(RetrieveError::NoContext { system, encoder, view });
    }
    match spec.control {
        Some(control) if encoder.goes_by_id() => Err(RetrieveError::Setting {
            spec: spec.to_string(),
            setting: format!("control={control}"),
            why: "cannot be: vectors made elsewhere are what they are; make them with the control in place".to_owned(),
        }),
        _ => Ok(()),
    }
}

fn tell_of_twins(twins: &Twins, findings: &mut Findings) {
    let Twins { pairs, differ, .. } = twins;
    findings.context_free = *pairs > 0 && *differ == 0;
    findings.notes.push(match (pairs, differ) {
        (0, _) => "no sentence stands in two filings, so that nothing shows whether a context went into these vectors"
            .to_owned(),
        (_, 0) => format!(
            "all {pairs} pairs of equal sentences in different filings have equal vectors: reported as context-free"
        ),
        _ => format!("{differ} of {pairs} pairs of equal sentences in different filings have different vectors"),
    });
}

impl System for Dense<'_, '_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        let mut found = self.search_all(std::slice::from_ref(query), k)?;
        Ok(found.pop().unwrap_or_default())
    }

    fn search_all(&self, queries: &[QueryInput<'_>], k: usize) -> Result<Vec<Vec<Hit>>, RetrieveError> {
        let vectors = self.vectors(queries)?;
        let found: Vec<Vec<Scored>> = if self.swapped.is_empty() {
            self.index.search(&vectors, k)?
        } else {
            let one = |(query, vector): (&QueryInput<'_>, &Vector)| {
                let replaced = self.swapped.get(query.id).map_or(&[][..], |s| &s.replaced);
                Ok(self.index.search_replaced(vector, replaced, k)?)
            };
            queries.iter().zip(&vectors).map(one).collect::<Result<_, RetrieveError>>()?
        };
        Ok(found.into_iter().map(|scored| self.corpus.hits(scored)).collect())
    }

    fn findings(&self) -> Findings {
        let going = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = going.encoding.counts();
        let mut findings = going.findings.clone();
        findings.truncated_inputs += going.truncated.len() as u64;
        findings.encoded = counts.encoded;
        findings.cached = counts.cached;
        findings.requests = counts.used.requests;
        findings.tokens = counts.used.tokens;
        findings
    }
}
