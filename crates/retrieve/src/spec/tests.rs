use super::*;
use proptest::prelude::*;

fn canonical(s: &str) -> String {
    s.parse::<SystemSpec>().unwrap().to_string()
}

fn refused(s: &str) -> String {
    s.parse::<SystemSpec>().unwrap_err().to_string()
}

#[test]
fn names_are_canonical() {
    for same in [
        "bm25",
        "bm25:title",
        "bm25:lead",
        "bm25:window:2",
        "bm25:title+lead",
        "bm25:title,control=filing-wrong:3,as=wrong",
        "name-filter",
        "random",
        "random:7",
        "oracle",
        "dense:owner/mini@v2",
        "dense:a\\, b=c",
        "dense:C:\\models\\mini",
        "dense:mini,view=title+filing,control=swap,storage=f16,dims=64,query-prompt=query: \\ ,as=late",
        "vectors:runs/notebook,view=filing",
        "cmd:python enc.py --set lr=1\\,wd=2,timeout=60",
        "openai:text-3,url=http://localhost:1/v1",
        "tei:http://localhost:8080,batch=8",
        "voyage:voyage-context-4,view=filing,dims=256",
        "rrf(bm25; dense:mini)",
        "rrf(bm25; dense:mini; k=10; as=both)",
        "sum(0.3*bm25; 0.7*dense:mini,view=title)",
        "rerank(rrf(bm25; oracle); cohere:rank-3,url=http://h/v2; n=50)",
        "rerank(bm25; jina:m; view=title+window:1; as=r)",
    ] {
        assert_eq!(canonical(same), same);
    }
    for (written, shown) in [
        ("bm25:bare?k1=1.2", "bm25"),
        ("bm25:window:1+title?stop=none,b=0.40", "bm25:title+window:1?b=0.4,stop=none"),
        ("bm25?k1=2,control=filing-wrong:0,view=title", "bm25:title?k1=2,control=filing-wrong"),
        ("name-filter?k1=2", "name-filter?k1=2"),
        ("dense:mini, as=m, view=title,storage=f32", "dense:mini,view=title,as=m"),
        ("dense: mini ,view=bare", "dense:mini"),
        ("rrf( bm25 ;dense:mini , view=title; k=60 )", "rrf(bm25; dense:mini,view=title)"),
        ("rrf(rrf(bm25;oracle);sum(1*bm25;2.50*oracle))", "rrf(rrf(bm25; oracle); sum(1*bm25; 2.5*oracle))"),
        ("rerank(bm25;tei:http://h;n=100)", "rerank(bm25; tei:http://h)"),
        ("cmd:sh -c f(1; 2)", "cmd:sh -c f\\(1\\; 2\\)"),
    ] {
        assert_eq!(canonical(written), shown);
        assert_eq!(canonical(shown), shown);
    }
}

#[test]
fn names_may_hold_what_cuts() {
    let name = |s: &str| match s.parse().unwrap() {
        SystemSpec::Dense(dense) => dense.encoder.name,
        other => panic!("{other}"),
    };
    assert_eq!(name("cmd:python a.py x=1, y=2,view=title"), "python a.py x=1, y=2");
    assert_eq!(name("dense:a\\,view=title"), "a,view=title");
    let SystemSpec::Rrf { parts, .. } = "rrf(cmd:a\\;b\\) (c; d); bm25)".parse().unwrap() else { panic!() };
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[0].to_string(), "cmd:a\\;b\\) \\(c\\; d\\)");
}

#[test]
fn prompts_keep_their_spaces() {
    let SystemSpec::Dense(dense) = "dense:m,query-prompt= query: ,passage-prompt=a, b".parse().unwrap() else {
        panic!()
    };
    assert_eq!(dense.encoder.settings["query-prompt"], " query: ");
    assert_eq!(dense.encoder.settings["passage-prompt"], "a, b");
    let inside = "rrf(dense:m,query-prompt=query:\\ ; bm25)";
    assert_eq!(canonical(inside), inside);
}

#[test]
fn encoders_are_listed_once_each() {
    let spec: SystemSpec =
        "rrf(dense:m,view=title; rerank(dense:m; jina:r); sum(1*vectors:v; 2*bm25))".parse().unwrap();
    let names: Vec<String> = spec.encoders().into_iter().map(ToString::to_string).collect();
    assert_eq!(names, ["dense:m", "vectors:v"]);
}

#[test]
fn the_systems_always_shown() {
    let names = SystemSpec::always_shown().map(|s| s.to_string());
    assert_eq!(names, ["random", "bm25", "bm25:title", "name-filter", "oracle"]);
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    for bad in ["", "bm24", "BM25", "bm25 ", "oracle:1", "name-filter:title", "dens:model", "rrf", "dense", " bm25"] {
        let error = refused(bad);
        for possible in ["bm25:VIEW", "name-filter", "oracle", "dense:MODEL", "rrf(A; B", "view=VIEW"] {
            assert!(error.contains(possible), "{bad}: {error}");
        }
    }
    for (bad, says) in [
        ("bm25:titel", "possible are bare"),
        ("bm25:", "possible are bare"),
        ("bm25?k2=1", "possible are k1"),
        ("bm25?", "possible are k1"),
        ("bm25,url=http://h", "not for BM25"),
        ("bm25:title,view=title", "given twice"),
        ("bm25,control=masked", "bare"),
        ("random:x", "no seed"),
        ("random:-1", "no seed"),
        ("random?k1=1", "no settings"),
        ("random,as=x", "no settings"),
        ("oracle?b=0", "no settings"),
        ("dense:", "names nothing"),
        ("dense: ", "names nothing"),
        ("dense:,view=title", "names nothing"),
        ("dense:m,veiw=title", "possible are view="),
        ("dense:m,url=http://h", "not for this kind"),
        ("dense:m,view=titel", "possible are bare"),
        ("dense:m,view=title,view=title", "given twice"),
        ("dense:m,dims=64,dims=64", "given twice"),
        ("dense:m,control=masked", "bare"),
        ("dense:m,view=filing,control=mask", "possible are masked"),
        ("dense:m,storage=f64", "f32, f16 or int8"),
        ("dense:m,dims=none", "whole number"),
        ("dense:m,as=oracle", "another system"),
        ("vectors:v,query-prompt=x", "not for this kind"),
        ("vectors:v,view=filing,control=swap", "what they are"),
        ("tei:localhost", "http://"),
        ("tei:http://me:pw@h", "user or password"),
        ("openai:m,key-env=sk-abc", "environment variable"),
        ("dense:m,truncate=true", "not for this kind"),
        ("cmd:p,context=maybe", "true or false"),
        ("rrf(bm25)", "at least two"),
        ("rrf()", "empty part"),
        ("rrf(bm25;;oracle)", "empty part"),
        ("rrf(bm25; oracle", "closing parenthesis"),
        ("rrf(bm25; oracle),as=x", "closing parenthesis"),
        ("rrf(bm25; oracle; k=0)", "whole number from 1"),
        ("rrf(bm25; oracle; n=5)", "possible are k=NUMBER"),
        ("rrf(bm25; oracle; k=5; k=6)", "twice"),
        ("rrf(bm25; orakel)", "possible are"),
        ("rrf(bm25; oracle))", "none opened"),
        ("sum(bm25; oracle)", "weight above 0"),
        ("sum(0*bm25; 1*oracle)", "weight above 0"),
        ("sum(1*bm25; NaN*oracle)", "weight above 0"),
        ("sum(1*bm25; 1*oracle; k=3)", "possible are as=NAME"),
        ("rerank(bm25)", "a system and a reranker"),
        ("rerank(bm25; oracle)", "no reranker"),
        ("rerank(bm25; openai:x)", "cohere, jina"),
        ("rerank(bm25; jina:x,view=title)", "not for this kind"),
        ("rerank(bm25; jina:x; view=filing)", "not for rerankers"),
        ("rerank(bm25; jina:x; k=1)", "possible are n=NUMBER, view=VIEW, as=NAME"),
        ("bm25:title,control=swap", "not for BM25"),
        ("rerank(bm25; jina:x,usl=http://h)", "possible are batch="),
        ("dense:a\nb", "control character"),
    ] {
        let error = refused(bad);
        assert!(error.contains(says), "{bad}: {error}");
    }
}

#[test]
fn depth_breadth_and_length_have_limits() {
    let nest = |n: usize| (0..n).fold("bm25".to_owned(), |inner, _| format!("rrf({inner}; oracle)"));
    assert_eq!(canonical(&nest(4)), nest(4));
    assert!(refused(&nest(5)).contains("4 levels"));
    assert!(refused(&nest(400)).contains("4 levels"));
    assert!(refused(&format!("rrf({})", vec!["bm25"; 33].join(";"))).contains("33 parts"));
    assert!(refused(&"(".repeat(20_000)).contains("10000"));
    assert!(refused(&format!("rrf{}", "(".repeat(9_000))).contains("closing"));
    assert!(refused(&format!("dense:{}", "m".repeat(20_000))).len() < 300);
}

/// Leaves whose parts are drawn from what cuts, escapes and ends.
fn leaf() -> impl Strategy<Value = SystemSpec> {
    let name = "[a-c,;()\\\\ =:*é]{0,8}[a-c)(;,\\\\]";
    let prompt = prop::option::of("[a-c,;()\\\\ =:]{0,8}");
    let views = ["bare", "title", "title+lead:3", "filing", "title+filing:text"];
    let dense = (name, prompt, 0usize..5, 0usize..3, 0usize..8, prop::option::of("[a-z]{9}")).prop_map(
        move |(encoder, prompt, view, storage, kind, label)| {
            let kind = EncoderKind::ALL[kind];
            let prompt = prompt.filter(|_| kind != EncoderKind::Vectors).map(|p| ("query-prompt".to_owned(), p));
            let tei = kind == EncoderKind::Tei;
            let name = if tei { "http://h:1/x".to_owned() } else { encoder.trim_start().to_owned() };
            SystemSpec::Dense(DenseSpec {
                encoder: EncoderSpec { kind, name, settings: prompt.into_iter().collect() },
                view: views[view].parse().unwrap(),
                control: (view > 2 && kind != EncoderKind::Vectors).then_some(Control::Swap),
                storage: [Storage::F32, Storage::F16, Storage::Int8][storage],
                name: label,
            })
        },
    );
    let plain = prop_oneof![
        Just("oracle"),
        Just("random:3"),
        Just("bm25:title+lead:3?k1=2,stop=none,control=filing-wrong:9"),
        Just("name-filter?b=0"),
    ];
    prop_oneof![3 => dense, 1 => plain.prop_map(|s| s.parse().unwrap())]
}

fn tree() -> impl Strategy<Value = SystemSpec> {
    leaf().prop_recursive(4, 24, 3, |inner| {
        let label = || prop::option::of("[a-z]{9}");
        prop_oneof![
            (prop::collection::vec(inner.clone(), 2..4), 1u32..99, label())
                .prop_map(|(parts, k, name)| SystemSpec::Rrf { parts, k, name }),
            (prop::collection::vec((0.001f64..1e6, inner.clone()), 2..4), label())
                .prop_map(|(parts, name)| SystemSpec::WeightedSum { parts, name }),
            (inner, "[a-c;,() ]{0,5}[a-c;,()]", 1usize..999, label()).prop_map(|(first, model, n, name)| {
                let reranker = RerankerSpec {
                    kind: RerankerKind::Jina,
                    name: model.trim_start().to_owned(),
                    settings: [("url".to_owned(), "http://h/(1;2)".to_owned())].into(),
                };
                SystemSpec::Rerank { first: Box::new(first), reranker, n, view: View::TITLE, name }
            }),
        ]
    })
}

proptest! {
    #[test]
    fn there_and_back(k1 in 0.0f64..=1000.0, b in 0.0f64..=1.0, seed: u64, pick in 0usize..4) {
        let written = [
            format!("bm25:title+lead:3?k1={k1},b={b},stop=none"), format!("name-filter?b={b}"),
            format!("random:{seed}"), format!("bm25?k1={k1}"),
        ][pick].clone();
        let spec: SystemSpec = written.parse().unwrap();
        prop_assert_eq!(&spec.to_string().parse::<SystemSpec>().unwrap(), &spec);
        let json = serde_json::to_string(&spec).unwrap();
        prop_assert_eq!(serde_json::from_str::<SystemSpec>(&json).unwrap(), spec);
    }

    #[test]
    fn every_tree_reads_back(spec in tree()) {
        let written = spec.to_string();
        prop_assert_eq!(written.parse::<SystemSpec>().map_err(|e| TestCaseError::fail(format!("{written}: {e}")))?, spec.clone());
        let label = spec.label();
        prop_assert!(!label.is_empty() && !label.contains(char::is_whitespace), "{}", label);
    }

    #[test]
    fn no_text_makes_it_panic(
        s in "\\PC{0,20}|(bm25|random|dense|cmd|tei)[:?+=,;a-z0-9.\\\\() ]{0,20}|(rrf|sum|rerank)\\([a-z0-9:;=*,()\\\\ ]{0,30}\\)",
    ) {
        if let Ok(spec) = s.parse::<SystemSpec>() {
            prop_assert_eq!(spec.to_string().parse::<SystemSpec>().unwrap(), spec);
        }
    }
}
