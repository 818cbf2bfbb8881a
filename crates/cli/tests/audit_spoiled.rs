//! A sound data set, spoiled in one way at a time: the audit must see that way and no other, and exit with 1.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod spoil;
mod support;

use std::path::PathBuf;

use eightk_core::{CharSpan, chunk_id};
use eightk_dataset::DataSet;

use spoil::{Sound, amount, answer, evidence, row_of, short};
use support::{arg, eightk, synth};

/// A way to spoil a data set.
struct Spoiled {
    what: &'static str,
    how: fn(&mut DataSet),
    /// Options of the command.
    limits: &'static [&'static str],
    /// Everything that must fail.
    fails: &'static [&'static str],
    /// A word of the message.
    says: &'static str,
}

const fn spoiled(
    what: &'static str,
    how: fn(&mut DataSet),
    fails: &'static [&'static str],
    says: &'static str,
) -> Spoiled {
    Spoiled { what, how, limits: &[], fails, says }
}

const SPOILED: &[Spoiled] = &[
    // Leaks.
    spoiled(
        "the answer names its filer",
        |s| spoil::rewrite_answers(s, 1, |set, q, text| format!("{} says so: {text}", short(set, q))),
        &["answer-names-no-company", "answer-names-its-filer"],
        "says",
    ),
    spoiled(
        "the answer names its filer in capitals",
        |s| spoil::rewrite_answers(s, 1, |set, q, text| format!("{} says so: {text}", short(set, q).to_uppercase())),
        &["answer-names-its-filer"],
        "the answer says",
    ),
    spoiled(
        "an amount stands in the query",
        |s| {
            let amount = amount(s, 3);
            s.queries[3].query += &format!(" Is it {amount}?");
        },
        &["query-holds-a-number-of-its-answer"],
        "q3:",
    ),
    spoiled(
        "a title holds an amount of the answer",
        |s| {
            let (name, amount, row) = (short(s, 3), amount(s, 3), row_of(s, 3));
            let more = format!("{name} {amount}");
            let title = s.filings.as_ref().unwrap()[row].title.replace(&name, &more);
            spoil::retitle(s, row, &title);
            s.queries.iter_mut().for_each(|q| q.query = q.query.replace(&name, &more));
        },
        &["title-holds-an-amount-of-the-answer"],
        "q3: title",
    ),
    spoiled(
        "another filing names the company with the fact",
        |s| {
            let (name, gold, row) = (short(s, 3), s.queries[3].golds[0].text.clone(), spoil::quiet_row(s));
            spoil::append(s, row, &format!("Of {name} it is known: {gold}"));
        },
        &["fact-told-with-the-name-elsewhere"],
        "names the company",
    ),
    // Shortcuts.
    spoiled(
        "each query shares a word with its answer alone",
        |s| {
            spoil::rewrite_answers(s, usize::MAX, |_, q, text| format!("{text} {}", spoil::word(q)));
            for (i, query) in s.queries.iter_mut().enumerate() {
                query.query += &format!(" {}", [spoil::word(i).as_str(); 4].join(" "));
            }
        },
        &[
            "bm25-finds-the-answer-at-1",
            "bm25-resolves-the-answer",
            "query-words-single-out-the-answer",
            "query-words-tell-answer-from-rivals",
            "rank-is-random-without-context",
        ],
        "reword the templates",
    ),
    spoiled(
        "answers are longer than their rivals",
        |s| {
            // Words that BM25 leaves out: it must not see the length.
            let more = " It was so then and it is so now, and so it will be for all of them, as it was before.";
            spoil::rewrite_answers(
                s,
                usize::MAX,
                |_, q, text| {
                    if q % 4 == 0 { text.to_owned() } else { text.to_owned() + more }
                },
            );
            spoil::keep_rivals(s, |set, _, rival| !set.chunks[rival].text.ends_with(more));
        },
        &["length-tells-answer-from-rivals"],
        "longer",
    ),
    spoiled(
        "answers stand later than their rivals",
        |s| spoil::keep_rivals(s, |set, gold, rival| set.chunks[rival].idx < set.chunks[gold].idx),
        &["position-tells-answer-from-rivals"],
        "later",
    ),
    spoiled(
        "answers hold more numbers than their rivals",
        |s| {
            let (many, none) = (" See notes 2 and 3, lines 4 and 5.", " See notes b and c, lines d and e.");
            spoil::rewrite_answers(s, usize::MAX, |_, q, text| text.to_owned() + if q % 4 == 0 { none } else { many });
            spoil::keep_rivals(s, |set, _, rival| set.chunks[rival].text.ends_with(none));
        },
        &["numbers-tell-answer-from-rivals"],
        "numbers",
    ),
    spoiled(
        "the answer is always the first sentence",
        |s| {
            spoil::relay(s, |set, rows| {
                for q in 0..set.queries.len() {
                    let (url, gold) = (&set.queries[q].golds[0].source_url, answer(set, q));
                    rows.get_mut(url).unwrap().sort_by_key(|(old, _)| *old != gold);
                }
            });
        },
        &["answer-is-first-of-its-filing"],
        "",
    ),
    spoiled(
        "the answer is always the longest sentence",
        |s| {
            spoil::rewrite_answers(s, usize::MAX, |set, q, text| {
                let filing = set.chunks.iter().filter(|c| c.source_url == set.queries[q].golds[0].source_url);
                let longest = filing.map(|c| c.text.len()).max().unwrap();
                let mut text = text.to_owned();
                while text.len() <= longest + 90 {
                    text += " Nothing else was said of it on that day, and nothing more was asked.";
                }
                text
            });
        },
        &["answer-is-longest-of-its-filing"],
        "",
    ),
    // Copies and names.
    spoiled(
        "a copy of the answer in another filing is no rival",
        |s| {
            let (gold, row) = (s.queries[3].golds[0].text.clone(), spoil::quiet_row(s));
            spoil::append(s, row, &gold);
        },
        &["copy-is-not-listed-as-rival"],
        "q3:",
    ),
    Spoiled {
        limits: &["copied_answers=0"],
        ..spoiled(
            "a copy that is a rival, where none may be",
            |s| {
                let (gold, row) = (s.queries[3].golds[0].text.clone(), spoil::quiet_row(s));
                let id = spoil::append(s, row, &gold);
                let set = &mut s.rivals.as_mut().unwrap()[3];
                let at = set.rivals.partition_point(|r| *r < id);
                set.rivals.insert(at, id);
                set.similarity.insert(at, 1.0);
            },
            &["answer-copied-by-another-company"],
            "is a copy of the answer",
        )
    },
    spoiled(
        "two filings of one company state the fact",
        |s| spoil::same_company(s, 3),
        &["fact-in-two-filings-of-the-company"],
        "of another filing of the company",
    ),
    spoiled(
        "a company is registered under another's name",
        |s| {
            let (name, row) = (short(s, 3), spoil::quiet_row(s));
            s.filings.as_mut().unwrap()[row].company = Some(name.to_uppercase());
        },
        &["name-fits-two-companies"],
        "another company too",
    ),
    spoiled(
        "two companies have one short name",
        |s| {
            let row = spoil::quiet_row(s);
            let title = format!("{} 8-K 2024-03-01", short(s, 3));
            spoil::retitle(s, row, &title);
        },
        &["company-names-unique", "name-fits-two-companies"],
        "short name of several companies",
    ),
    spoiled(
        "names are parts of one another",
        |s| {
            let all: Vec<usize> = spoil::quiet_rows(s);
            for (i, row) in all.into_iter().enumerate() {
                let title = format!("New {} Partners 8-K 2024-03-01", short(s, 4 * i % s.queries.len()));
                spoil::retitle(s, row, &title);
            }
        },
        &["name-is-part-of-another"],
        "part of another",
    ),
    Spoiled {
        limits: &["names_of_two_filings=0"],
        ..spoiled("a company has two filings, where none may", |_| {}, &["name-fits-two-filings"], "several filings")
    },
    // Golds and the ceiling.
    spoiled("a gold is nowhere", |s| spoil::lose(&mut s.queries[3].golds[0].span), &["golds-found"], "no chunk"),
    spoiled(
        "every eighth answer is nowhere",
        |s| s.queries.iter_mut().step_by(8).for_each(|q| spoil::lose(&mut q.golds[0].span)),
        &[
            "golds-found",
            "standard_recall@1-can-reach",
            "standard_recall@10-can-reach",
            "evidence_recall@10-can-reach",
            "ndcg@10-can-reach",
            "ndcg_answer@10-can-reach",
            "joint@10-can-reach",
            "mrr-can-reach",
        ],
        "more golds than fit",
    ),
    spoiled(
        "the row of an evidence sentence is missing",
        |s| {
            let lost = evidence(s, spoil::with_evidence(s));
            let url = s.chunks.remove(lost).source_url;
            s.chunks.iter_mut().filter(|c| c.source_url == url).enumerate().for_each(|(i, c)| c.idx = i);
        },
        &["golds-found"],
        "no chunk",
    ),
    spoiled(
        "a gold overlaps two chunks",
        |s| {
            let gold = answer(s, 3);
            let end = s.chunks[gold + 1].span.start + 5;
            let row = row_of(s, 3);
            let text: Vec<char> = s.filings.as_ref().unwrap()[row].text.chars().collect();
            let gold = &mut s.queries[3].golds[0];
            gold.span.end = end;
            gold.text = text[gold.span.start..end].iter().collect();
        },
        &["golds-are-one-chunk"],
        "overlaps 2 chunks",
    ),
    spoiled(
        "answer and evidence are one sentence",
        |s| {
            let q = spoil::with_evidence(s);
            let golds = &mut s.queries[q].golds;
            golds[1].span = golds[0].span;
            golds[1].text = golds[0].text.clone();
        },
        &["two-golds-match-one-chunk"],
        "both match",
    ),
    spoiled(
        "a span is off by one",
        |s| {
            let at = spoil::plain_chunk(s);
            let chunk = &mut s.chunks[at];
            chunk.span = CharSpan::new(chunk.span.start + 1, chunk.span.end + 1);
            chunk.id = chunk_id(&chunk.source_url, chunk.span.start);
        },
        &["spans-equal-text"],
        "is not the chunk",
    ),
    // Rivals and difficulty.
    spoiled(
        "rivals are absent",
        |s| {
            for set in s.rivals.iter_mut().flatten() {
                set.rivals.clear();
                set.similarity.clear();
            }
        },
        &["query-has-rivals", "rivals-of-the-median-query"],
        "no rival is listed",
    ),
    spoiled(
        "a line of rivals is missing",
        |s| {
            s.rivals.as_mut().unwrap().remove(3);
        },
        &["rivals-cover-queries"],
        "q3 has no line",
    ),
    spoiled(
        "a rival does not exist",
        |s| {
            let set = &mut s.rivals.as_mut().unwrap()[3];
            let last = set.rivals.last_mut().unwrap();
            *last = format!("{last}9");
        },
        &["rivals-known"],
        "there is no chunk",
    ),
    spoiled(
        "a rival is the gold's own company's",
        |s| {
            let own = s.chunks[evidence(s, spoil::with_evidence(s))].id.clone();
            let q = spoil::with_evidence(s);
            let set = &mut s.rivals.as_mut().unwrap()[q];
            let at = set.rivals.partition_point(|r| *r < own);
            set.rivals.insert(at, own);
            set.similarity.insert(at, 0.2);
        },
        &["rivals-without-gold", "rivals-of-other-companies"],
        "own company",
    ),
    Spoiled {
        limits: &["near_rivals=0.5"],
        ..spoiled(
            "no rival is near",
            |s| s.rivals.iter_mut().flatten().for_each(|r| r.similarity.iter_mut().for_each(|s| *s *= 0.4)),
            &["query-has-a-near-rival"],
            "more filings",
        )
    },
    Spoiled {
        // Two queries of one filing share their evidence, which stands beside one answer only.
        limits: &["evidence_beside=0.4"],
        ..spoiled(
            "evidence always stands beside the answer",
            |s| {
                spoil::relay(s, |set, rows| {
                    for q in (0..set.queries.len()).filter(|q| set.queries[*q].golds.len() > 1) {
                        let (url, gold, proof) =
                            (&set.queries[q].golds[0].source_url, answer(set, q), evidence(set, q));
                        let rows = rows.get_mut(url).unwrap();
                        let row = rows.remove(rows.iter().position(|(old, _)| *old == proof).unwrap());
                        let before = rows.iter().position(|(old, _)| *old == gold).unwrap();
                        rows.insert(before, row);
                    }
                });
            },
            &["evidence-stands-beside-the-answer"],
            "a window of one",
        )
    },
];

/// Names of all that failed, invariants first.
fn failed(report: &serde_json::Value) -> Vec<&str> {
    let all = report["checks"].as_array().unwrap().iter().chain(findings(report));
    all.filter(|c| c["outcome"] == "failed").map(|c| c["name"].as_str().unwrap()).collect()
}

fn findings(report: &serde_json::Value) -> impl Iterator<Item = &serde_json::Value> {
    report["sections"].as_array().unwrap().iter().flat_map(|s| s["checks"].as_array().unwrap())
}

fn built() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 90, 5);
    let data = dir.path().join("data");
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    (dir, data)
}

#[test]
fn each_way_to_spoil_a_set_is_seen_and_nothing_else_is() {
    let (dir, data) = built();
    let sound = Sound::read(&data);
    let out = dir.path().join("spoiled");
    sound.write(&out, |_| {});
    eightk(["audit", arg(&out)]).exits(0);
    let mut wrong = Vec::new();
    for spoiled in SPOILED {
        sound.write(&out, spoiled.how);
        let limits: Vec<&str> = spoiled.limits.iter().flat_map(|l| ["--limit", l]).collect();
        let command = |more: &'static [&'static str]| {
            eightk(["audit", arg(&out)].into_iter().chain(limits.iter().copied()).chain(more.iter().copied()))
        };
        let ran = command(&["--json"]);
        let (code, report) = (ran.code, ran.json());
        let failed = failed(&report);
        if (code, &failed[..]) != (1, spoiled.fails) {
            wrong.push(format!("{}: exit {code}, {failed:?} failed, not {:?}", spoiled.what, spoiled.fails));
            continue;
        }
        let told = command(&[]).exits(1).stdout;
        let told_as_one = told.split_whitespace().collect::<Vec<_>>().join(" ");
        for name in spoiled.fails.iter().copied().chain([spoiled.says]) {
            if !told_as_one.contains(name) {
                wrong.push(format!("{}: `{name}` is not in\n{told}", spoiled.what));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let seen: std::collections::BTreeSet<&str> = SPOILED.iter().flat_map(|s| s.fails).copied().collect();
    let report = eightk(["audit", arg(&data), "--json"]).exits(0).json();
    let unseen: Vec<&str> =
        findings(&report).map(|c| c["name"].as_str().unwrap()).filter(|n| !seen.contains(n)).collect();
    assert_eq!(unseen, [""; 0], "no spoiled copy turns these red");
}

#[test]
fn a_limit_is_relaxed_in_a_recipe_or_by_hand() {
    let (dir, data) = built();
    let out = dir.path().join("spoiled");
    Sound::read(&data).write(&out, |s| {
        let (gold, row) = (s.queries[3].golds[0].text.clone(), spoil::quiet_row(s));
        spoil::append(s, row, &gold);
    });
    eightk(["audit", arg(&out)]).exits(1);
    eightk(["audit", arg(&out), "--limit", "unlisted_copies=0.1"]).exits(0);
    let recipe = eightk(["recipe", "show", "restructuring"]).exits(0).stdout;
    let mine = dir.path().join("mine.toml");
    std::fs::write(&mine, recipe.replacen("[coreference]", "[audit]\nunlisted_copies = 0.1\n[coreference]", 1))
        .unwrap();
    let report = eightk(["audit", arg(&out), "--recipe", arg(&mine), "--json"]).exits(0).json();
    assert_eq!(
        (&report["limits"]["unlisted_copies"], &report["limits_of"]),
        (&0.1.into(), &"recipe restructuring".into())
    );
    for (limit, says) in
        [("unlisted_copies", "key=number"), ("copies=1", "known are"), ("ceiling=7", "between 0 and 1")]
    {
        let ran = eightk(["audit", arg(&out), "--limit", limit]).exits(2);
        assert!(ran.stderr.contains(says), "{}", ran.stderr);
    }
}

#[test]
fn what_was_built_with_other_limits_is_held_to_them() {
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 60, 5);
    let recipe = eightk(["recipe", "show", "restructuring"]).exits(0).stdout;
    let (mine, data) = (dir.path().join("mine.toml"), dir.path().join("data"));
    std::fs::write(&mine, recipe.replacen("[coreference]", "[audit]\nrivals = 5000\n[coreference]", 1)).unwrap();
    eightk(["build", arg(&filings), "--recipe", arg(&mine), "--out", arg(&data)]).exits(0);
    let told = eightk(["audit", arg(&data)]).exits(1).stdout;
    assert!(told.contains("FAIL rivals-of-the-median-query"), "{told}");
    // What was found when it was written lies in the folder and on its card.
    let result: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data.join("audit/result.json")).unwrap()).unwrap();
    assert_eq!((&result["passed"], &result["limits"]["rivals"]), (&false.into(), &5000.0.into()));
    let card = std::fs::read_to_string(data.join("README.md")).unwrap();
    assert!(card.contains("## Audit") && card.contains("| rivals-of-the-median-query | **failed** |"), "{card}");
    let again = eightk(["audit", arg(&data), "--json"]).exits(1).json();
    assert_eq!(
        again["sections"], result["sections"],
        "an audit of what was read back finds what was found when it was written"
    );
}

#[test]
fn no_line_of_the_table_is_wider_than_a_terminal() {
    let (_dir, data) = built();
    let told = eightk(["audit", arg(&data)]).exits(0).stdout;
    for line in told.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
}

/// The shape of published sets: no `filings`, no rivals, no roles, facts or alternatives.
fn as_published(data: &std::path::Path, out: &std::path::Path, bare: bool) -> (PathBuf, PathBuf) {
    let (set, _) = eightk_dataset::read(&eightk_dataset::Source::Folder(data.to_owned())).unwrap();
    let chunk = |c: &eightk_core::Chunk| {
        serde_json::json!({
            "chunk_id": c.id, "chunk": c.text, "source_url": c.source_url, "title": if bare { "" } else { &c.title },
            "chunk_idx": c.idx, "chunk_start_char": c.span.start, "chunk_end_char": c.span.end,
        })
    };
    let query = |q: &eightk_core::Query| {
        let list = |of: &dyn Fn(&eightk_core::Gold) -> serde_json::Value| q.golds.iter().map(of).collect::<Vec<_>>();
        serde_json::json!({
            "original_query": q.original_query, "query": q.query, "answer": list(&|g| g.text.clone().into()),
            "score": list(&|g| g.score.into()), "source_url": list(&|g| g.source_url.clone().into()),
            "frag_start_char": list(&|g| g.span.start.into()), "frag_end_char": list(&|g| g.span.end.into()),
            "n_gold": q.golds.len(),
        })
    };
    let lines = |rows: Vec<serde_json::Value>| rows.iter().map(|r| format!("{r}\n")).collect::<String>();
    std::fs::create_dir_all(out).unwrap();
    let (documents, queries) = (out.join("documents.jsonl"), out.join("queries.jsonl"));
    std::fs::write(&documents, lines(set.chunks.iter().map(chunk).collect())).unwrap();
    std::fs::write(&queries, lines(set.queries.iter().map(query).collect())).unwrap();
    (documents, queries)
}

#[test]
fn a_set_without_filings_roles_and_rivals_is_audited_as_far_as_it_goes() {
    let (dir, data) = built();
    for bare in [false, true] {
        let out = dir.path().join("published");
        as_published(&data, &out, bare);
        let report = eightk(["audit", arg(&out), "--json"]).exits(0).json();
        let outcome = |name: &str| findings(&report).find(|f| f["name"] == name).unwrap()["outcome"].clone();
        for name in ["bm25-finds-the-answer-at-1", "standard_recall@1-can-reach", "evidence-stands-beside-the-answer"] {
            assert_eq!(outcome(name), "passed", "{name}");
        }
        for name in ["query-has-rivals", "length-tells-answer-from-rivals", "name-fits-two-companies"] {
            assert_eq!(outcome(name), "skipped", "{name}");
        }
        let by_title = ["answer-names-its-filer", "name-is-part-of-another", "title-holds-an-amount-of-the-answer"];
        for name in by_title {
            assert_eq!(outcome(name), if bare { "skipped" } else { "passed" }, "{name}");
        }
        assert_eq!(report["limits_of"], "defaults");
        for f in findings(&report).filter(|f| f["outcome"] == "skipped") {
            assert!(f["reason"].as_str().is_some_and(|r| !r.is_empty()), "{f}");
        }
    }
}

#[test]
fn a_leak_shows_without_filings_too() {
    let (dir, data) = built();
    let spoiled = dir.path().join("spoiled");
    Sound::read(&data).write(&spoiled, |s| {
        spoil::rewrite_answers(s, 1, |set, q, text| format!("{} says so: {text}", short(set, q)));
    });
    let out = dir.path().join("published");
    let (documents, queries) = as_published(&spoiled, &out, false);
    let report = eightk(["audit", &format!("{},{}", arg(&documents), arg(&queries)), "--json"]).exits(1).json();
    assert_eq!(failed(&report), ["answer-names-no-company", "answer-names-its-filer"]);
}
