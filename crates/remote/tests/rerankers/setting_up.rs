//! Specs that can be and those that cannot.

use super::*;

fn made(kind: RerankKind, name: &str, pairs: &[(&str, &str)]) -> Result<RemoteReranker, EncodeError> {
    reranker_with(kind, name, pairs, Budget::default())
}

#[test]
fn what_cannot_be_is_refused_with_advice() {
    use RerankKind::{Cohere, Jina, Tei, Vllm, Voyage};
    for (kind, name, pairs, part) in [
        (Vllm, "m", &[][..], "set url="),
        (Tei, "", &[], "write tei:http"),
        (Tei, "http://k.test", &[("url", "http://k.test")], "right after `tei:`"),
        (Cohere, " ", &[], "no name of a model"),
        (Cohere, "m", &[("dims", "3")], "dims="),
        (Jina, "m", &[("batch", "0")], "batch=0"),
        (Voyage, "m", &[("truncate", "yes")], "true or false"),
        (Jina, "m", &[("url", "http://u:p@k.test")], "keys come from the environment"),
        (Jina, "a\nb", &[], "no name"),
    ] {
        let error = made(kind, name, pairs).unwrap_err();
        assert!(matches!(&error, EncodeError::Usage(m) if m.contains(part)), "{kind}:{name}: {error}");
    }
    let error = made(Jina, "m", &[("revision", KEY)]).unwrap_err();
    assert!(error.to_string().contains("key-env=") && !error.to_string().contains(KEY));
}

#[test]
fn a_service_that_wants_a_key_says_so_when_it_is_asked() {
    for (kind, variable) in [
        (RerankKind::Cohere, "COHERE_API_KEY"),
        (RerankKind::Jina, "JINA_API_KEY"),
        (RerankKind::Voyage, "VOYAGE_API_KEY"),
    ] {
        let access = Access::new(None, Arc::default());
        let reranker = RemoteReranker::new(kind, "clay-rank-1", &BTreeMap::new(), access).unwrap();
        assert_eq!(reranker.estimate("q", &["a"]).requests, 1, "an estimate needs no key");
        let error = scores(&reranker, &["a"]).unwrap_err();
        assert!(matches!(&error, EncodeError::Usage(m) if m.contains(variable)), "{error}");
        assert_eq!(reranker.used(), eightk_remote::Used::default());
    }
}

#[test]
fn an_identity_names_all_that_can_change_a_score_and_no_key() {
    let identity = |kind, name, pairs: &[(&str, &str)]| made(kind, name, pairs).unwrap().identity().clone();
    let tei = identity(RerankKind::Tei, "kiln.test:80", &[("raw-scores", "true")]);
    assert_eq!((tei.provider.as_str(), tei.model.as_str()), ("tei", "kiln.test:80"));
    assert_eq!(tei.settings["endpoint"], "http://kiln.test:80/rerank");
    assert_eq!((tei.settings["raw_scores"].as_str(), tei.settings["truncate"].as_str()), ("true", "false"));
    assert_eq!(identity(RerankKind::Tei, "kiln.test:80", &[("model", "clay")]).model, "clay");
    let vllm = identity(RerankKind::Vllm, "clay", &[("url", "http://kiln.test/v1"), ("revision", "r2")]);
    assert_eq!((vllm.settings["endpoint"].as_str(), vllm.revision.as_str()), ("http://kiln.test/v1/rerank", "r2"));
    assert!(!vllm.settings.contains_key("model"));
    let cohere = identity(RerankKind::Cohere, "clay", &[]);
    assert_eq!(cohere.settings["endpoint"], "https://api.cohere.com/v2/rerank");
    for identity in [tei, vllm, cohere] {
        assert!(!format!("{identity:?}").contains(KEY));
    }
}
