//! From inputs to checked vectors, by way of the store.

use std::collections::HashMap;
use std::sync::Arc;

use eightk_encode::{
    ChunkInput, EncodeError, EncodedChunk, Encoder, FilingInput, Role, Usage, Vector, VectorKey, VectorStore,
    check_filing, check_vector,
};

/// How many keys the store is asked for at a time.
const LOOKUP: usize = 4096;

/// What was done so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Vectors that the encoder made.
    pub(super) encoded: u64,
    /// Vectors that the store had.
    pub(super) cached: u64,
    /// What the encoder used up for them.
    pub(super) used: Usage,
}

/// An encoder with its store. Whatever comes out has been checked, and what was made is in the store before more is asked for.
pub(super) struct Encoding<'e> {
    encoder: Arc<dyn Encoder>,
    store: Option<&'e dyn VectorStore>,
    /// The first vector, which all others are like.
    like: Option<Vector>,
    counts: Counts,
}

impl<'e> Encoding<'e> {
    pub(super) fn new(encoder: Arc<dyn Encoder>, store: Option<&'e dyn VectorStore>) -> Self {
        // Vectors that belong to ids would be stored under texts.
        let store = store.filter(|_| !encoder.goes_by_id());
        Self { encoder, store, like: None, counts: Counts::default() }
    }

    pub(super) fn encoder(&self) -> &dyn Encoder {
        &*self.encoder
    }

    pub(super) const fn counts(&self) -> Counts {
        self.counts
    }

    /// What the store has of some inputs, and what is missing.
    pub(super) fn look_up<'i>(&self, inputs: &[FilingInput<'i>]) -> Result<LookedUp<'i>, EncodeError> {
        let who = self.encoder.identity();
        let by_id = self.encoder.goes_by_id();
        let (mut keys, mut copies, mut first) = (Vec::new(), Vec::new(), HashMap::new());
        for (at, input) in inputs.iter().enumerate() {
            let mut of_input = if by_id { Vec::new() } else { VectorKey::of_filing(who, input) };
            if !of_input.is_empty()
                && let Some(original) = first.insert(of_input.clone(), at)
            {
                first.insert(of_input, original);
                copies.push((at, original));
                of_input = Vec::new();
            }
            keys.push(of_input);
        }
        let flat: Vec<VectorKey> = keys.iter().flatten().copied().collect();
        let mut known = self.known(&flat)?.into_iter();
        let (mut found, mut todo) = (Vec::with_capacity(inputs.len()), Vec::new());
        let mut copied = copies.iter().map(|(at, _)| *at).peekable();
        for ((at, input), keys) in inputs.iter().enumerate().zip(keys) {
            let chunks = input.chunks.len();
            if copied.next_if_eq(&at).is_some() {
                found.push(Vec::new());
                continue;
            }
            let mut of_input: Vec<Option<EncodedChunk>> = known.by_ref().take(keys.len()).collect();
            of_input.resize(chunks, None);
            let missing: Vec<usize> = (0..chunks).filter(|i| of_input.get(*i).is_none_or(Option::is_none)).collect();
            if !missing.is_empty() {
                // A context is encoded whole or not at all: half of a filing from another batch would be of another making.
                let places: Vec<usize> = if input.context.is_some() { (0..chunks).collect() } else { missing };
                if input.context.is_some() {
                    of_input.iter_mut().for_each(|known| *known = None);
                }
                let pick = |i: &usize| input.chunks.get(*i).cloned();
                let chunks: Vec<ChunkInput<'i>> = places.iter().filter_map(pick).collect();
                let input = FilingInput { chunks, context: input.context.clone(), ..*input };
                let keys = places.iter().filter_map(|i| keys.get(*i).copied()).collect();
                todo.push(Todo { at, places, input, keys });
            }
            found.push(of_input);
        }
        Ok(LookedUp { found, todo, copies })
    }

    /// What the store knows under some keys. What it has kept and should not have, it does not know.
    fn known(&self, keys: &[VectorKey]) -> Result<Vec<Option<EncodedChunk>>, EncodeError> {
        let Some(store) = self.store else { return Ok(vec![None; keys.len()]) };
        let who = self.encoder.identity();
        let mut known = Vec::with_capacity(keys.len());
        for keys in keys.chunks(LOOKUP) {
            let mut found = store.get(who, keys)?;
            found.resize(keys.len(), None);
            let sound = |stored: &EncodedChunk| check_vector(who, "", &stored.vector, None).is_ok();
            known.extend(found.into_iter().map(|stored| stored.filter(sound)));
        }
        Ok(known)
    }

    /// One vector per chunk of each input, in order.
    ///
    /// # Errors
    ///
    /// Those of the store and the encoder, and [`EncodeError`]s for vectors that are not what they must be.
    pub(super) fn filings(&mut self, inputs: &[FilingInput<'_>]) -> Result<Vec<Vec<EncodedChunk>>, EncodeError> {
        let LookedUp { mut found, todo, copies } = self.look_up(inputs)?;
        self.take_known(found.iter().flatten().flatten())?;
        if !todo.is_empty() {
            let made = self.make(&todo)?;
            for (todo, made) in todo.iter().zip(made) {
                let Some(of_input) = found.get_mut(todo.at) else { continue };
                for (place, encoded) in todo.places.iter().zip(made) {
                    if let Some(slot) = of_input.get_mut(*place) {
                        *slot = Some(encoded);
                    }
                }
            }
        }
        for (at, original) in copies {
            let copy = found.get(original).cloned();
            if let (Some(slot), Some(copy)) = (found.get_mut(at), copy) {
                *slot = copy;
            }
        }
        let whole = found.into_iter().map(|of_input| of_input.into_iter().collect::<Option<Vec<_>>>());
        whole.collect::<Option<Vec<_>>>().ok_or_else(|| EncodeError::Bug("a chunk was left without its vector".into()))
    }

    /// Lets the encoder make what is missing.
    fn make(&mut self, todo: &[Todo<'_>]) -> Result<Vec<Vec<EncodedChunk>>, EncodeError> {
        let inputs: Vec<FilingInput<'_>> = todo.iter().map(|t| t.input.clone()).collect();
        let mut made: Vec<Option<Vec<EncodedChunk>>> = vec![None; inputs.len()];
        let before = self.encoder.usage();
        let store = self.store;
        let Self { encoder, like, counts, .. } = self;
        let who = encoder.identity();
        let result = encoder.encode_filings(&inputs, &mut |at, encoded| {
            let (Some(input), Some(slot)) = (inputs.get(at), made.get_mut(at)) else {
                return Err(EncodeError::Bug(format!("{} answers for filing {at} of {}", who.model, inputs.len())));
            };
            if slot.is_some() {
                return Err(EncodeError::Data(format!("{} encoded {} twice", who.model, input.source_url)));
            }
            check_filing(who, input, &encoded, like.as_ref())?;
            if let (None, Some(first)) = (&like, encoded.first()) {
                *like = Some(first.vector.clone());
            }
            if let (Some(store), Some(todo)) = (store, todo.get(at)) {
                let entries: Vec<_> = todo.keys.iter().copied().zip(encoded.iter().cloned()).collect();
                store.put(who, &entries)?;
            }
            counts.encoded += encoded.len() as u64;
            *slot = Some(encoded);
            Ok(())
        });
        self.count_usage(before);
        result?;
        let all = made.into_iter().zip(&inputs).map(|(made, input)| {
            made.ok_or_else(|| EncodeError::Count {
                encoder: self.encoder.identity().model.clone(),
                what: input.source_url.to_owned(),
                expected: input.chunks.len(),
                given: 0,
            })
        });
        all.collect()
    }

    /// One vector per query, in order. Equal queries should be handed over once.
    ///
    /// # Errors
    ///
    /// As [`filings`](Self::filings).
    pub(super) fn queries(&mut self, texts: &[&str]) -> Result<Vec<EncodedChunk>, EncodeError> {
        let (mut found, missing) = self.look_up_queries(texts)?;
        self.take_known(found.iter().flatten())?;
        if !missing.is_empty() {
            let todo: Vec<&str> = missing.iter().filter_map(|(at, _)| texts.get(*at).copied()).collect();
            let before = self.encoder.usage();
            let store = self.store;
            let Self { encoder, like, counts, .. } = self;
            let who = encoder.identity();
            let result = encoder.encode_queries(&todo, &mut |at, encoded| {
                let Some((place, key)) = missing.get(at) else {
                    return Err(EncodeError::Bug(format!("{} answers for query {at} of {}", who.model, todo.len())));
                };
                let Some(slot) = found.get_mut(*place) else { return Ok(()) };
                if slot.is_some() {
                    return Err(EncodeError::Data(format!("{} encoded a query twice", who.model)));
                }
                let what = || format!("the query \"{}\"", todo.get(at).copied().unwrap_or_default());
                check_vector(who, &what(), &encoded.vector, like.as_ref())?;
                like.get_or_insert_with(|| encoded.vector.clone());
                if let Some(store) = store {
                    store.put(who, &[(*key, encoded.clone())])?;
                }
                counts.encoded += 1;
                *slot = Some(encoded);
                Ok(())
            });
            self.count_usage(before);
            result?;
        }
        let given = found.iter().flatten().count();
        found.into_iter().collect::<Option<Vec<_>>>().ok_or_else(|| EncodeError::Count {
            encoder: self.encoder.identity().model.clone(),
            what: "the queries".to_owned(),
            expected: texts.len(),
            given,
        })
    }

    /// What the store has of some queries, and which are missing, with their keys.
    pub(super) fn look_up_queries(&self, texts: &[&str]) -> Result<(Vec<Option<EncodedChunk>>, Missing), EncodeError> {
        let who = self.encoder.identity();
        let keys: Vec<VectorKey> = texts.iter().map(|text| VectorKey::of_text(who, Role::Query, text)).collect();
        let found = self.known(&keys)?;
        let missing = found.iter().zip(keys).enumerate().filter(|(_, (known, _))| known.is_none());
        let missing = missing.map(|(at, (_, key))| (at, key)).collect();
        Ok((found, missing))
    }

    /// Counts vectors from the store, if they are like the others.
    fn take_known<'k>(&mut self, known: impl Iterator<Item = &'k EncodedChunk>) -> Result<(), EncodeError> {
        for stored in known {
            check_vector(self.encoder.identity(), "a stored text", &stored.vector, self.like.as_ref())?;
            self.like.get_or_insert_with(|| stored.vector.clone());
            self.counts.cached += 1;
        }
        Ok(())
    }

    fn count_usage(&mut self, before: Usage) {
        let now = self.encoder.usage();
        self.counts.used.requests += now.requests.saturating_sub(before.requests);
        self.counts.used.tokens += now.tokens.saturating_sub(before.tokens);
    }
}

/// Places of queries, and what they are kept under.
type Missing = Vec<(usize, VectorKey)>;

/// What a store knows of some inputs.
pub(super) struct LookedUp<'i> {
    /// By input and chunk; nothing for copies.
    found: Vec<Vec<Option<EncodedChunk>>>,
    /// Inputs that are another one again, in order: which, and of which.
    copies: Vec<(usize, usize)>,
    /// What is to be encoded.
    pub(super) todo: Vec<Todo<'i>>,
}

/// One input, or the part of it that is missing.
pub(super) struct Todo<'i> {
    /// Which input.
    at: usize,
    /// Which of its chunks.
    places: Vec<usize>,
    pub(super) input: FilingInput<'i>,
    /// By place.
    keys: Vec<VectorKey>,
}
