//! The tiny model: what a vector is made of, what it does not depend on, and what is said of folders that are wrong.

use eightk_core::Span;
use eightk_encode::{ChunkInput, Context, Similarity};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::math::Scratch;
use crate::testing::{TINY, put};

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    TINY.write(dir.path());
    dir
}

fn open(dir: &tempfile::TempDir, settings: &LocalSettings) -> Result<LocalModel, EncodeError> {
    LocalModel::open(dir.path(), settings)
}

fn tiny() -> LocalModel {
    open(&folder(), &LocalSettings::default()).unwrap()
}

fn alone<'a>(texts: &[&'a str]) -> FilingInput<'a> {
    let chunks = texts.iter().map(|t| ChunkInput { id: "c", text: (*t).into() }).collect();
    FilingInput { source_url: "f", title: "", chunks, context: None }
}

fn together<'a>(texts: &[&'a str]) -> FilingInput<'a> {
    let context = Context::joined(texts.iter().enumerate().map(|(i, t)| (*t, Some(i))));
    FilingInput { context: Some(context), ..alone(texts) }
}

fn encode(model: &LocalModel, filings: &[FilingInput<'_>]) -> Result<Vec<Vec<EncodedChunk>>, EncodeError> {
    let mut all = Vec::new();
    model.encode_filings(filings, &mut |i, chunks| {
        assert_eq!(i, all.len());
        all.push(chunks);
        Ok(())
    })?;
    Ok(all)
}

fn one(model: &LocalModel, filing: FilingInput<'_>) -> Vec<EncodedChunk> {
    encode(model, &[filing]).unwrap().remove(0)
}

fn query(model: &LocalModel, text: &str) -> EncodedChunk {
    let mut found = Vec::new();
    let mut keep = |_, chunk| {
        found.push(chunk);
        Ok(())
    };
    model.encode_queries(&[text], &mut keep).unwrap();
    found.remove(0)
}

fn floats(chunk: &EncodedChunk) -> Vec<f32> {
    chunk.vector.to_f32()
}

/// The states of one sequence of ids, as rows.
fn states(model: &LocalModel, ids: &[u32]) -> Vec<Vec<f32>> {
    let mut batch = Batch::default();
    batch.push(ids.iter().copied());
    model.model.states(&batch, &mut Scratch::default()).chunks(TINY.width).map(<[f32]>::to_vec).collect()
}

/// Mean and length 1, plainly.
fn mean(rows: &[Vec<f32>]) -> Vec<f32> {
    let mut mean: Vec<f64> = vec![0.0; rows[0].len()];
    rows.iter().for_each(|r| mean.iter_mut().zip(r).for_each(|(m, x)| *m += f64::from(*x)));
    let length = mean.iter().map(|x| x * x).sum::<f64>().sqrt();
    mean.iter().map(|x| (x / length) as f32).collect()
}

fn near(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5)
}

#[test]
fn a_text_alone_is_the_mean_of_its_marked_tokens() {
    let model = tiny();
    let text = "the company closed plant a1";
    let ids = model.tokenizer.ids(text).unwrap();
    let marked = [&[2], ids.as_slice(), &[3]].concat();
    let ours = one(&model, alone(&[text])).remove(0);
    assert!(near(&floats(&ours), &mean(&states(&model, &marked))));
    assert_eq!((ours.truncated, ours.seen), (false, None));
    assert_eq!(model.identity().dims, Some(TINY.width));
}

#[test]
fn equal_texts_have_equal_bits_in_any_company() {
    let model = tiny();
    let texts: Vec<String> = (0..200).map(|i| "the plant closed about ".repeat(i % 4) + &"z9q".repeat(i % 7)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let run = |threads: usize, filings: &[FilingInput<'_>]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| encode(&model, filings)).unwrap().concat()
    };
    let all = run(2, &[alone(&texts)]);
    assert_eq!(run(1, &[alone(&texts)]), all);
    let each: Vec<_> = texts.iter().map(|t| alone(&[t])).collect();
    assert_eq!(run(2, &each), all);
    let reversed: Vec<&str> = texts.iter().rev().copied().collect();
    let back: Vec<_> = run(1, &[alone(&reversed)]).into_iter().rev().collect();
    assert_eq!(back, all);
    for (text, chunk) in texts.iter().zip(&all) {
        assert_eq!(query(&model, text).vector, chunk.vector);
    }
    let in_context = run(2, &[together(&texts[..30])]);
    assert_eq!(run(1, &[alone(&["x"]), together(&texts[..30])])[1..], in_context);
}

#[test]
fn long_texts_are_cut_and_it_is_said() {
    let model = tiny();
    let long = "the ".repeat(40);
    let cut = one(&model, alone(&[&long, &"the ".repeat(14), &"the ".repeat(15)]));
    assert_eq!(cut.iter().map(|c| c.truncated).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(cut[0].vector, cut[1].vector, "sixteen tokens with marks, whatever follows");
    let shorter = open(&folder(), &LocalSettings { max_tokens: Some(6), ..LocalSettings::default() }).unwrap();
    assert_eq!(one(&shorter, alone(&["the the the the"]))[0].vector, one(&shorter, alone(&[&long]))[0].vector);
    assert!(query(&shorter, &long).truncated);
}

#[test]
fn a_context_in_one_window_is_pooled_by_each_chunks_tokens() {
    let model = tiny();
    let chunks = ["the company", "closed", "the plant."];
    let ids = model.tokenizer.ids("the company closed the plant.").unwrap();
    let rows = states(&model, &[&[2], ids.as_slice(), &[3]].concat());
    let ours = one(&model, together(&chunks));
    for (chunk, part) in ours.iter().zip([1..3, 3..4, 4..7]) {
        assert!(near(&floats(chunk), &mean(&rows[part])));
        assert_eq!((chunk.truncated, chunk.seen), (false, None));
    }
    let elsewhere = one(&model, together(&["about", "closed", "the plant."]));
    assert_ne!(ours[1].vector, elsewhere[1].vector, "the context is seen");
}

#[test]
fn the_context_goes_up_to_the_positions_not_to_the_limit_of_single_texts() {
    let model = tiny();
    // 22 tokens and two marks are all 24 positions; a text alone is cut at 16.
    let words = vec!["the"; 22];
    assert!(one(&model, together(&words)).iter().all(|c| c.seen.is_none()));
    let more = vec!["the"; 23];
    let seen: Vec<_> = one(&model, together(&more)).iter().map(|c| c.seen).collect();
    assert_eq!(seen[0], Some(Span::new(0, 22 * 4 - 1)));
    assert_eq!(seen[22], Some(Span::new(4, 23 * 4 - 1)));
}

#[test]
fn prompts_stand_before_texts_and_windows() {
    let dir = folder();
    let prompts = json!({"prompts": {"query": "ask: ", "document": "tell: "}, "similarity_fn_name": "dot"});
    put(dir.path(), "config_sentence_transformers.json", &prompts);
    let (plain, model) = (tiny(), open(&dir, &LocalSettings::default()).unwrap());
    assert_eq!((model.identity().query_prompt.as_str(), model.identity().passage_prompt.as_str()), ("ask: ", "tell: "));
    assert_eq!(model.identity().similarity, Similarity::Dot);
    assert_eq!(query(&model, "plant").vector, query(&plain, "ask: plant").vector);
    assert_eq!(one(&model, alone(&["plant"]))[0].vector, query(&plain, "tell: plant").vector);
    // In a context the prompt's tokens are there and are pooled for nobody.
    let rows = states(&plain, &[&[2], plain.tokenizer.ids("tell: the plant").unwrap().as_slice(), &[3]].concat());
    let ours = one(&model, together(&["the", "plant"]));
    assert!(near(&floats(&ours[0]), &mean(&rows[3..4])) && near(&floats(&ours[1]), &mean(&rows[4..5])));
    let silenced = LocalSettings { passage_prompt: Some(String::new()), ..LocalSettings::default() };
    assert_eq!(one(&open(&dir, &silenced).unwrap(), alone(&["plant"])), one(&plain, alone(&["plant"])));
    let wordy = LocalSettings { query_prompt: Some("the ".repeat(13)), ..LocalSettings::default() };
    assert!(matches!(open(&dir, &wordy), Err(EncodeError::Usage(s)) if s.contains("leaves no room")));
}

#[test]
fn a_prompt_may_be_left_out_of_the_pooling() {
    let dir = folder();
    put(dir.path(), "1_Pooling/config.json", &json!({"pooling_mode": "mean", "include_prompt": false}));
    let settings = LocalSettings { query_prompt: Some("ask: ".into()), ..LocalSettings::default() };
    let model = open(&dir, &settings).unwrap();
    let rows = states(&model, &[&[2], model.tokenizer.ids("ask: the plant").unwrap().as_slice(), &[3]].concat());
    assert!(near(&floats(&query(&model, "the plant")), &mean(&rows[3..])), "mark, `ask` and `:` do not count");
    assert_eq!(model.identity().settings["prompt_pooled"], "false");
}

#[test]
fn texts_without_tokens() {
    let model = tiny();
    let nothing = one(&model, alone(&["", " \u{1} "]));
    assert!(near(&floats(&nothing[0]), &mean(&states(&model, &[2, 3]))), "the marks alone");
    assert_eq!(nothing[0], nothing[1]);
    // Such a chunk in a context is represented by its own text alone.
    let among = one(&model, together(&["the plant", "\u{1}", "closed"]));
    assert_eq!(among[1], EncodedChunk { seen: Some(Span::new(10, 11)), ..nothing[0].clone() });
    assert_eq!(among.len(), 3);
    assert!(encode(&model, &[alone(&[])]).unwrap()[0].is_empty());
}

#[test]
fn a_chunk_without_a_place_is_our_fault() {
    let filing = FilingInput { context: Some(Context::joined([("the", Some(0))])), ..alone(&["the", "plant"]) };
    assert!(matches!(encode(&tiny(), &[filing]), Err(EncodeError::Bug(_))));
}

#[test]
fn what_was_finished_before_an_error_stays_so() {
    let model = tiny();
    let filings: Vec<_> = (0..4).map(|_| alone(&["the"])).collect();
    let mut done = 0;
    let said = model.encode_filings(&filings, &mut |i, _| {
        done += 1;
        if i == 1 { Err(EncodeError::Budget("enough".into())) } else { Ok(()) }
    });
    assert_eq!((said, done), (Err(EncodeError::Budget("enough".into())), 2));
}

#[test]
fn fewer_dimensions_and_dense_modules() {
    let dir = folder();
    let whole = floats(&query(&open(&dir, &LocalSettings::default()).unwrap(), "the plant"));
    let dims = |n| LocalSettings { dims: Some(n), ..LocalSettings::default() };
    let cut = open(&dir, &dims(5)).unwrap();
    let length = whole[..5].iter().map(|x| x * x).sum::<f32>().sqrt();
    let expected: Vec<f32> = whole[..5].iter().map(|x| x / length).collect();
    assert!(near(&floats(&query(&cut, "the plant")), &expected));
    assert_eq!(cut.identity().dims, Some(5));
    assert!(matches!(open(&dir, &dims(13)), Err(EncodeError::Usage(_))));

    let modules = json!([{"path": "", "type": "x.Transformer"}, {"path": "1_Pooling", "type": "x.Pooling"}, {"path": "2_Dense", "type": "x.Dense"}]);
    put(dir.path(), "modules.json", &modules);
    let dense = json!({"in_features": 12, "out_features": 2, "bias": true, "activation_function": "torch.nn.modules.activation.Tanh"});
    put(dir.path(), "2_Dense/config.json", &dense);
    let bytes = |numbers: Vec<f32>| numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let mut weight = vec![0f32; 24];
    (weight[1], weight[12]) = (2.0, -1.0);
    let tensors: [(&str, &str, &[usize], Vec<u8>); 2] =
        [("linear.weight", "F32", &[2, 12], bytes(weight)), ("linear.bias", "F32", &[2], bytes(vec![0.5, 0.25]))];
    std::fs::write(dir.path().join("2_Dense/model.safetensors"), crate::statics::testing::safetensors(&tensors))
        .unwrap();
    let model = open(&dir, &LocalSettings::default()).unwrap();
    let rows = states(&model, &[&[2], model.tokenizer.ids("the plant").unwrap().as_slice(), &[3]].concat());
    let mean = |i: usize| rows.iter().map(|r| r[i]).sum::<f32>() / rows.len() as f32;
    let expected = [(2.0 * mean(1) + 0.5).tanh(), (0.25 - mean(0)).tanh()];
    assert!(near(&floats(&query(&model, "the plant")), &expected));
    std::fs::remove_file(dir.path().join("2_Dense/model.safetensors")).unwrap();
    assert!(open(&dir, &LocalSettings::default()).err().unwrap().to_string().contains("2_Dense"));
}

#[test]
fn pooling_can_be_chosen() {
    let dir = folder();
    let cls = open(&dir, &LocalSettings { pooling: Some(PoolingMode::Cls), ..LocalSettings::default() }).unwrap();
    let rows = states(&cls, &[&[2], cls.tokenizer.ids("the plant").unwrap().as_slice(), &[3]].concat());
    assert!(near(&floats(&query(&cls, "the plant")), &mean(&rows[..1])));
    assert_ne!(cls.identity().hash(), open(&dir, &LocalSettings::default()).unwrap().identity().hash());
    put(dir.path(), "1_Pooling/config.json", &json!({"pooling_mode": ["cls", "mean"]}));
    let both = open(&dir, &LocalSettings::default()).unwrap();
    assert_eq!(query(&both, "the plant").vector.dims(), 24);
    assert!(matches!(encode(&both, &[together(&["the", "plant"])]), Err(EncodeError::Usage(_))));
}

#[test]
fn names_with_a_prefix_make_the_same_vectors() {
    let dir = folder();
    let plain = open(&dir, &LocalSettings::default()).unwrap();
    std::fs::write(dir.path().join("model.safetensors"), TINY.weights("bert.")).unwrap();
    let prefixed = open(&dir, &LocalSettings::default()).unwrap();
    assert_eq!(query(&plain, "the plant"), query(&prefixed, "the plant"));
    assert_ne!(plain.identity().revision, prefixed.identity().revision, "the files differ");
}

#[test]
fn the_identity_names_no_place() {
    let dir = folder();
    let model = open(&dir, &LocalSettings::default()).unwrap();
    let text = serde_json::to_string(model.identity()).unwrap();
    assert!(!text.contains(dir.path().parent().unwrap().to_str().unwrap()), "{text}");
    let named = open(&dir, &LocalSettings { name: Some("acme/tiny".into()), ..LocalSettings::default() }).unwrap();
    assert_eq!(named.identity().model, "acme/tiny");
    assert_eq!(named.identity().revision, model.identity().revision);
    assert_eq!(named.identity().settings["max_tokens"], "16");
    assert_eq!(named.identity().settings["window_tokens"], "24");
}

#[test]
fn the_estimate_counts_what_goes_through() {
    let model = tiny();
    let long = vec!["the"; 60];
    let estimate = model.estimate(&[alone(&["the plant", "closed"]), together(&long)], &["about"]);
    let plan = model.job(&together(&long)).unwrap();
    let windows: usize = plan.sequences.iter().map(|s| s.ids.len()).sum();
    assert_eq!(estimate.tokens as usize, 4 + 3 + windows + 3);
    assert_eq!(estimate.requests, 0);
    assert!(estimate.seconds.unwrap() > 0.0);
}

#[test]
fn folders_that_contradict_themselves() {
    type Change = fn(&Path);
    fn config(folder: &Path, key: &str, value: serde_json::Value) {
        let mut config = TINY.config();
        config[key] = value;
        put(folder, "config.json", &config);
    }
    let changes: [(&str, Change); 18] = [
        ("config.json", |f| std::fs::remove_file(f.join("config.json")).unwrap()),
        ("tokenizer.json", |f| std::fs::remove_file(f.join("tokenizer.json")).unwrap()),
        ("model.safetensors", |f| std::fs::remove_file(f.join("model.safetensors")).unwrap()),
        ("config.json", |f| std::fs::write(f.join("config.json"), "{\"hidden_size\":").unwrap()),
        ("config.json", |f| config(f, "hidden_size", json!(0))),
        ("config.json", |f| config(f, "num_attention_heads", json!(5))),
        ("config.json", |f| config(f, "hidden_size", json!(-1))),
        ("3000000000000", |f| config(f, "hidden_size", json!(3_000_000_000_000u64))),
        ("no tensor", |f| config(f, "num_hidden_layers", json!(u64::MAX))),
        ("belongs to no layer", |f| config(f, "num_hidden_layers", json!(1))),
        ("shape", |f| config(f, "max_position_embeddings", json!(u64::MAX))),
        ("shape", |f| config(f, "vocab_size", json!(7))),
        ("hidden_act", |f| config(f, "hidden_act", json!("mish"))),
        ("position_embedding_type", |f| config(f, "position_embedding_type", json!("relative_key"))),
        ("model_type", |f| config(f, "model_type", json!("t5"))),
        ("cut off", |f| {
            let whole = std::fs::read(f.join("model.safetensors")).unwrap();
            std::fs::write(f.join("model.safetensors"), &whole[..whole.len() - 9]).unwrap();
        }),
        ("of different models", |f| {
            let other = crate::testing::Tiny { layers: 1, ..TINY };
            std::fs::write(f.join("model.safetensors"), other.weights("")).unwrap();
        }),
        ("knows the token id", |f| {
            let mut tokenizer = crate::testing::tokenizer();
            tokenizer["model"]["vocab"]["zebra"] = json!(100_000);
            put(f, "tokenizer.json", &tokenizer);
        }),
    ];
    for (number, (named, change)) in changes.into_iter().enumerate() {
        let dir = folder();
        change(dir.path());
        let said = open(&dir, &LocalSettings::default()).err().unwrap();
        assert!(said.to_string().contains(named), "{number}: {said}");
        assert!(!matches!(said, EncodeError::Bug(_)), "{said}");
    }
    let most = LocalSettings { max_tokens: Some(25), ..LocalSettings::default() };
    assert!(matches!(open(&folder(), &most), Err(EncodeError::Usage(s)) if s.contains("24 positions")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever one byte of a folder is changed to: an error, or a model that encodes.
    #[test]
    fn a_damaged_folder_is_an_error_or_a_model(file in 0usize..6, at in any::<prop::sample::Index>(), byte: u8, cut: bool) {
        let dir = folder();
        let name = ["config.json", "modules.json", "1_Pooling/config.json", "sentence_bert_config.json", "model.safetensors", "tokenizer.json"][file];
        let path = dir.path().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        // Of the weights, the header is what matters.
        let at = at.index(if file == 4 { 4000 } else { bytes.len() });
        if cut { bytes.truncate(at) } else { bytes[at] = byte }
        std::fs::write(&path, bytes).unwrap();
        if let Ok(model) = open(&dir, &LocalSettings::default()) {
            let _ = encode(&model, &[alone(&["the plant"]), together(&["the", "plant"])]);
        }
    }

    /// Every chunk of a context of any length has the vector of the window it should be in.
    #[test]
    fn windows_give_every_chunk_its_vector(lengths in prop::collection::vec(0usize..30, 1..12), prompted: bool) {
        let settings = LocalSettings { passage_prompt: prompted.then(|| "tell: ".to_owned()), ..LocalSettings::default() };
        let model = open(&folder(), &settings).unwrap();
        // Chunks of single letters, so that a token is a letter.
        let letter = |i: usize| char::from(b'a' + (i * i % 26) as u8);
        let texts: Vec<String> = lengths.iter().map(|n| (0..*n).map(|i| format!("{} ", letter(i + n))).collect::<String>().trim_end().to_owned()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let ours = one(&model, together(&texts));
        let lead: Vec<u32> = [vec![2], if prompted { model.tokenizer.ids("tell: ").unwrap() } else { Vec::new() }].concat();
        let capacity = TINY.positions - lead.len() - 1;
        let content = model.tokenizer.ids(&texts.join(" ")).unwrap();
        let mut start = 0;
        for (length, chunk) in lengths.iter().zip(&ours) {
            let part = start..start + length;
            start = part.end;
            prop_assert_eq!(chunk.truncated, *length > capacity);
            if part.is_empty() {
                continue;
            }
            // The rule itself is tested beside it; here, that it is followed.
            let choice = late::windows::choose(content.len(), capacity, &part).unwrap();
            let rows = states(&model, &[&lead, &content[choice.window.clone()], &[3]].concat());
            let own = &rows[lead.len() + choice.part.start - choice.window.start..][..choice.part.len()];
            prop_assert!(near(&floats(chunk), &mean(own)));
            prop_assert_eq!(chunk.seen.is_none(), content.len() <= capacity);
        }
    }
}
