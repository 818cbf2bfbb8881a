//! Scores in every format: the same numbers, valid, and on a terminal no wider than it is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;
use support::embeddings::Embeddings;
use support::{Ran, arg, eightk, ran, synth};
use unicode_width::UnicodeWidthStr;

/// A name that no format may take for anything but a name: wide letters, and what steers Markdown, LaTeX, CSV.
const NAME: &str = "検索モデル_100%_&_#1_$x$_~^{y}|<b>*bold*_\"quoted\"_[z]_--two_[a-very-long]";

/// What is scored in these tests.
struct Scored {
    runs: PathBuf,
}

/// A ladder of a model with that name, and everything that runs beside it; made once.
fn scored() -> &'static Scored {
    static SCORED: OnceLock<Scored> = OnceLock::new();
    SCORED.get_or_init(|| {
        let dir = tempfile::tempdir().unwrap();
        let (data, filings) = (dir.path().join("data"), synth(dir.path(), 24, 31));
        eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
        let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs-of-formats");
        let server = Embeddings::start();
        let model = format!("openai:words,url={},as={NAME}", server.url);
        let args = ["eval", arg(&data), "--ablation", &model, "--details", "--out", arg(&runs), "--force"];
        let shown = eightk(args.into_iter().chain(["--system", "bm25:title", "--no-cache"])).exits(0).stdout;
        // Whatever stands in it, and the path of the folder aside.
        fits(shown.lines().take_while(|l| !l.starts_with("runs and scores")));
        Scored { runs }
    })
}

#[track_caller]
fn fits<'l>(lines: impl Iterator<Item = &'l str>) {
    let mut some = false;
    for line in lines {
        assert!(line.width() <= 80, "wider than a terminal ({}): {line}", line.width());
        some = true;
    }
    assert!(some);
}

impl Scored {
    fn score(&self, args: &[&str]) -> Ran {
        eightk(["score", arg(&self.runs)].iter().chain(args).copied())
    }

    fn shown(&self, args: &[&str]) -> String {
        let ran = self.score(args).exits(0);
        assert_eq!(ran.stderr, "");
        ran.stdout
    }
}

/// RFC 4180, to the letter: CRLF, quotes where needed, as many fields in each row.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if field.is_empty() => loop {
                match chars.next().expect("an open quote") {
                    '"' if chars.peek() == Some(&'"') => field.push(chars.next().unwrap()),
                    '"' => break assert!(matches!(chars.peek(), Some(',' | '\r')), "text after a quote in {text}"),
                    c => field.push(c),
                }
            },
            ',' => row.push(std::mem::take(&mut field)),
            '\r' => {
                assert_eq!(chars.next(), Some('\n'));
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            '"' | '\n' => panic!("a bare {c:?} in {text}"),
            c => field.push(c),
        }
    }
    assert!(row.is_empty() && field.is_empty(), "the last line has no end");
    assert!(rows.iter().all(|r: &Vec<String>| r.len() == rows[0].len()), "ragged: {text}");
    rows
}

/// Value and field by the names of columns.
fn column(rows: &[Vec<String>], name: &str) -> usize {
    rows[0].iter().position(|c| c == name).unwrap_or_else(|| panic!("no column {name} in {:?}", rows[0]))
}

/// Whether a field holds this number, to the last digit but what reading JSON may cost.
fn same(field: &str, number: &Value) -> bool {
    let (a, b) = (field.parse::<f64>().ok(), number.as_f64());
    a.zip(b).map_or(a == b, |(a, b)| (a - b).abs() <= 1e-15 * b.abs())
}

/// The cells of a line of Markdown: bars without a backslash divide.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for c in line.strip_prefix('|').unwrap().chars() {
        if c == '|' && !escaped {
            cells.push(std::mem::take(&mut cell).trim().to_owned());
        } else {
            cell.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    assert_eq!(cell, "", "a row ends in a bar: {line}");
    cells
}

/// Tables of Markdown, a row a list of cells.
fn tables(markdown: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = vec![Vec::new()];
    for line in markdown.lines() {
        if line.starts_with('|') {
            tables.last_mut().unwrap().push(cells(line));
        } else if !tables.last().unwrap().is_empty() {
            tables.push(Vec::new());
        }
    }
    tables.retain(|t| !t.is_empty());
    for table in &tables {
        assert!(table.iter().all(|row| row.len() == table[0].len()), "{table:?}");
        assert!(table[1].iter().all(|c| c.len() >= 3 && c.trim_end_matches(':').bytes().all(|b| b == b'-')));
    }
    tables
}

/// Markdown's and LaTeX's backslashes taken away.
fn unescaped(text: &str) -> String {
    let mut chars = text.chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        out.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    out
}

/// As all formats round.
fn three(x: f64) -> String {
    let text = format!("{x:.3}");
    text.strip_prefix('0').map_or_else(|| text[..4].to_owned(), str::to_owned)
}

const HEADLINE: [(&str, &str); 8] = [
    ("recall@1", "standard_recall@1"),
    ("recall@5", "standard_recall@5"),
    ("recall@10", "standard_recall@10"),
    ("evidence@10", "evidence_recall@10"),
    ("ndcg@10", "ndcg@10"),
    ("ndcg_answer@10", "ndcg_answer@10"),
    ("rival AUC", "rival_auc"),
    ("resolved@1", "resolved@1"),
];

#[test]
fn every_format_says_the_same() {
    let scored = scored();
    let json: Value = serde_json::from_str(&scored.shown(&["--format", "json"])).unwrap();
    assert_eq!(json, serde_json::from_str::<Value>(&scored.shown(&["--json"])).unwrap());
    let systems = json["systems"].as_array().unwrap();
    assert!(systems.len() > 10 && systems.iter().any(|s| s["name"] == NAME), "{systems:?}");

    // CSV has every system by every metric, and the very numbers.
    let rows = csv(&scored.shown(&["--format", "csv"]));
    let metrics = json["settings"]["metrics"].as_array().unwrap().len();
    assert_eq!(rows.len(), 1 + systems.len() * metrics);
    let fields = ["expected", "trec", "best", "worst", "low", "high", "queries", "chance"];
    assert_eq!(rows[0], ["system", "metric"].iter().chain(&fields).copied().collect::<Vec<_>>());
    for row in &rows[1..] {
        let system = systems.iter().find(|s| s["name"] == row[0]).unwrap();
        for field in fields {
            let (value, text) = (&system["metrics"][&row[1]][field], &row[column(&rows, field)]);
            assert!(same(text, value), "{row:?} {field}: {value}");
        }
    }

    // Markdown and LaTeX round what the terminal rounds.
    let markdown = scored.shown(&["--format", "markdown"]);
    let tables = tables(&markdown);
    let (terminal, latex) = (scored.shown(&[]), scored.shown(&["--format", "latex"]));
    for s in systems {
        let name = s["name"].as_str().unwrap();
        for (shown, metric) in HEADLINE {
            let table = tables.iter().find(|t| t[0].iter().any(|c| c == shown)).unwrap();
            let row = table.iter().find(|row| unescaped(&row[0]) == name).unwrap_or_else(|| panic!("no {name}"));
            let cell = &row[table[0].iter().position(|c| c == shown).unwrap()];
            let want = three(s["metrics"][metric]["expected"].as_f64().unwrap());
            assert_eq!(cell.split(' ').next().unwrap().trim_matches('*'), want, "{name} {metric}");
            // With its interval the number is hardly another's.
            let plain = cell.replace('*', "");
            assert!(terminal.contains(&plain), "{plain} in\n{terminal}");
            let small = plain.replacen(" [", " {\\scriptsize[", 1) + if plain.contains('[') { "}" } else { "" };
            let small = small.replacen(
                &want,
                &if cell.starts_with("**") { format!("\\textbf{{{want}}}") } else { want.clone() },
                1,
            );
            assert!(latex.contains(&small), "{small} in\n{latex}");
        }
    }

    // Each column has its best in bold, all of equals, and never a floor or ceiling.
    for table in &tables[..2] {
        for (column, shown) in table[0].iter().enumerate().skip(1) {
            let number =
                |row: &Vec<String>| row[column].split(' ').next().unwrap().trim_matches('*').parse::<f64>().ok();
            let mark = |row: &&Vec<String>| ["random", "oracle", "\\(chance\\)", "(chance)"].contains(&row[0].as_str());
            let (marks, rows): (Vec<_>, Vec<_>) = table[2..].iter().partition(mark);
            let best = rows.iter().filter_map(|r| number(r)).reduce(f64::max);
            for row in rows {
                assert_eq!(row[column].starts_with("**"), number(row) == best, "{shown}: {row:?}");
            }
            assert!(marks.len() >= 2 && marks.iter().all(|row| !row[column].contains("**")), "{shown}");
        }
    }

    // The captions say what it is about.
    let fingerprint = &json["data"]["fingerprint"].as_str().unwrap()[..12];
    let queries = format!("{} queries with an answer", json["systems"][0]["queries"]);
    for text in [&markdown, &latex] {
        let caption = text.lines().find(|l| l.contains("Data set")).unwrap();
        for part in [fingerprint, &queries, "random order inside ties", "Data set data"] {
            assert!(caption.contains(part), "no `{part}` in {caption}");
        }
    }
}

#[test]
fn each_table_alone_is_valid_csv() {
    let scored = scored();
    let json: Value = scored.score(&["--json"]).exits(0).json();
    let table = |name: &str| csv(&scored.shown(&["--format", "csv", "--table", name]));
    let list = |key: &str| json[key].as_array().unwrap().len();
    let comparisons = table("comparisons");
    assert_eq!(comparisons.len(), 1 + list("comparisons") + list("against_best"));
    for (row, c) in comparisons[1..].iter().zip(json["comparisons"].as_array().unwrap()) {
        for field in ["difference", "low", "high", "p", "p_holm", "detectable", "queries"] {
            assert!(same(&row[column(&comparisons, field)], &c[field]), "{field} of {row:?}");
        }
        assert_eq!((c["a"].as_str(), c["b"].as_str()), (Some(&*row[2]), Some(&*row[3])));
    }
    let found = &json["ablations"][0];
    let (gains, controls) = (found["gains"].as_array().unwrap().len(), found["controls"].as_array().unwrap().len());
    let ablation = table("ablation");
    assert!(gains > 0 && controls > 0);
    assert_eq!(ablation.len(), 1 + gains + controls);
    assert!(ablation[1..].iter().all(|r| r[0] == NAME && r[column(&ablation, "a")].starts_with(NAME)));
    assert_eq!(table("follow").len(), 1 + 3 * found["follow"].as_array().unwrap().len());
    let systems = json["systems"].as_array().unwrap();
    assert_eq!(table("ties").len(), 1 + systems.len());
    assert_eq!(table("first-place").len(), 1 + 4 * systems.len());
    let count = |of: &dyn Fn(&Value) -> usize| systems.iter().map(of).sum::<usize>();
    let parts = |s: &Value| s["splits"].as_array().unwrap().iter().map(|c| c["parts"].as_array().unwrap().len()).sum();
    assert_eq!(table("splits").len(), 1 + count(&parts));
    let families = |s: &Value| {
        s["families"].as_array().unwrap().iter().map(|f| f["metrics"].as_object().unwrap().len()).sum::<usize>()
    };
    assert_eq!(table("rivals").len(), 1 + count(&families));
}

/// What LaTeX reads: groups that close, cells that are as many as columns, nothing of a name that means something.
#[test]
fn latex_is_latex() {
    let scored = scored();
    let text = scored.shown(&["--format", "latex", "--details"]);
    assert!(text.starts_with("% Needs \\usepackage{booktabs}"));
    let (mut columns, mut depth, mut tables) = (0, 0_i32, 0);
    for line in text.lines().filter(|l| !l.starts_with('%')) {
        let (mut escaped, mut ampersands) = (false, 0);
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '{' => depth += 1,
                '}' => depth -= 1,
                '&' => ampersands += 1,
                '%' | '#' | '_' | '~' => panic!("a bare {c} in {line}"),
                '^' => assert!(line.contains("$^{*}$"), "{line}"),
                _ => {}
            }
            assert!(depth >= 0, "{line}");
        }
        assert_eq!((depth, escaped), (0, false), "{line}");
        if let Some(rest) = line.strip_prefix("\\begin{tabular}{@{}") {
            columns = rest.trim_end_matches("@{}}").len();
            tables += 1;
        } else if line.ends_with("\\\\") && !line.starts_with("\\multicolumn") {
            assert_eq!(ampersands + 1, columns, "{line}");
        }
        // After the end of a row these would be its arguments.
        assert!(!line.starts_with('[') && !line.starts_with('*'), "{line}");
    }
    assert!(tables > 8, "{tables} tables");
    let labels: Vec<&str> = text.lines().filter(|l| l.starts_with("\\label")).collect();
    let unique: std::collections::BTreeSet<&&str> = labels.iter().collect();
    assert_eq!((labels.len(), unique.len()), (tables, tables), "{labels:?}");
    let name = "\\_100\\%\\_\\&\\_\\#1\\_\\$x\\$\\_\\textasciitilde{}\\textasciicircum{}\\{y\\}\\textbar{}\\textless{}b\\textgreater{}{*}bold{*}\\_\
                \"quoted\"\\_{[}z{]}\\_-{}-two\\_{[}a-very-long{]}";
    assert!(text.contains(name), "{text}");
    // Where there is a TeX, it decides. Its font has no letters for the wide part of the name.
    let dir = tempfile::tempdir().unwrap();
    let narrow: String = text.chars().filter(char::is_ascii).collect();
    std::fs::write(dir.path().join("tables.tex"), narrow).unwrap();
    let main =
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n\\input{tables}\n\\end{document}\n";
    std::fs::write(dir.path().join("main.tex"), main).unwrap();
    let mut latex = Command::new("pdflatex");
    latex.args(["-interaction=nonstopmode", "-halt-on-error", "main.tex"]);
    match latex.current_dir(dir.path()).output() {
        Err(_) => eprintln!("no TeX here: not compiled"),
        Ok(out) => assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout)),
    }
}

#[test]
fn one_table_can_be_asked_for() {
    let scored = scored();
    let whole = scored.shown(&[]);
    let part = |name: &str| scored.shown(&["--table", name]);
    let (systems, comparisons) = (part("systems"), part("comparisons"));
    assert!(systems.contains("oracle") && systems.contains("expected") == whole.contains("expected"));
    assert!(systems.contains("Expected values") && !systems.contains("p Holm"), "{systems}");
    assert!(comparisons.contains("p Holm") && !comparisons.contains("oracle"), "{comparisons}");
    assert!(part("follow").contains("follow rate") && part("ablation").contains("context gain"));
    assert!(part("ties").contains("to 1e-6") && part("splits").contains("by fact") && part("rivals").contains("near("));
    assert!(part("first-place").contains("filing right"));
    // Metrics that were named: systems by metrics in a document, all readings of ties on a terminal.
    let named = ["--metric", "rival_rank", "--metric", "ndcg@10", "--metric", "impostor@10"];
    let terminal = scored.shown(&named);
    assert!(terminal.contains("worst") && terminal.contains("rival_rank"), "{terminal}");
    fits(scored.shown(&[&named[..], &["--details"]].concat()).lines());
    let markdown = scored.shown(&[&named[..], &["--format", "markdown"]].concat());
    let tables = tables(&markdown);
    assert_eq!(tables[0][0], ["system", "rival_rank", "ndcg@10", "impostor@10"]);
    // Of a rank the smaller is the better one.
    let rank = |row: &Vec<String>| row[1].trim_matches('*').parse::<f64>().unwrap();
    let bold: Vec<f64> = tables[0][2..].iter().filter(|r| r[1].starts_with("**")).map(rank).collect();
    let least = tables[0][2..].iter().filter(|r| r[0] != "oracle" && r[0] != "random" && r[0] != "(chance)").map(rank);
    assert_eq!(bold.first().copied(), least.reduce(f64::min));
}

#[test]
fn what_does_not_go_together_is_refused_before_anything_runs() {
    for (args, says) in [
        (&["--json", "--format", "csv"][..], "'--format <FORMAT>'"),
        (&["--json", "--details"], "--details"),
        (&["--json", "--table", "ties"], "--table"),
        (&["--table", "ties", "--details"], "--details"),
        (&["--format", "csv", "--details"], "--table first-place"),
        (&["--format", "json", "--details"], "JSON holds everything"),
        (&["--format", "json", "--table", "ties"], "JSON holds every table"),
        (&["--format", "html"], "markdown"),
        (&["--table", "all"], "first-place"),
    ] {
        for command in ["eval", "score"] {
            let ran = eightk([command, "no-such-data"].iter().chain(args).copied()).exits(2);
            assert!(ran.stderr.contains(says) && ran.stdout.is_empty(), "{command} {args:?}: {}", ran.stderr);
        }
    }
    let ran = eightk(["eval", "no-such-data", "--dry-run", "--format", "latex"]).exits(2);
    assert!(ran.stderr.contains("--dry-run"), "{}", ran.stderr);
}

/// A system without a score has none in any format, and is in all of them.
#[test]
fn a_system_without_score_is_not_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let qrels = write("q|1.txt", "q1 0 a 2\nq2 0 b 2\n");
    let (one, empty) = (write("one.run", "q1 Q0 a 1 2 one\nq2 Q0 c 1 2 one\n"), write("a,b\\c d.run", ""));
    let score = |format: &str| {
        let ran = eightk(["score", arg(&qrels), arg(&one), arg(&empty), "--metric", "mrr", "--format", format]);
        ran.exits(0).stdout
    };
    let rows = csv(&score("csv"));
    assert_eq!(rows[2], ["a,b\\c d", "mrr", "", "", "", "", "", "", "", ""]);
    assert_eq!(rows[1][..3], ["one", "mrr", "0.5"]);
    let markdown = score("markdown");
    assert_eq!(tables(&markdown)[0][2..], [["one", ".500 [.00,1.0]"], ["a,b\\\\c d", "–"]], "alone, nothing is best");
    assert!(markdown.contains("Judgements") && markdown.contains("q\\|1.txt"), "{markdown}");
    assert!(markdown.contains("\n- a,b\\\\c d: none of the queries is in its run"), "{markdown}");
    assert!(score("latex").contains("a,b\\textbackslash{}c d & -- \\\\"));
}

/// In colours on a terminal that has them, and nowhere else.
#[test]
#[cfg(target_os = "linux")]
fn colours_are_for_terminals() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let qrels = write("q.txt", "q1 0 a 2\nq2 0 b 2\n");
    let one = write("one.run", "q1 Q0 a 1 2 one\nq2 Q0 c 1 2 one\n");
    let two = write("two.run", "q1 Q0 a 1 2 \u{1b}[31mtwo\nq2 Q0 b 1 2 \u{1b}[31mtwo\n");
    let args = ["score", arg(&qrels), arg(&one), arg(&two)];
    let binary = env!("CARGO_BIN_EXE_eightk");
    let bold = "\u{1b}[1m1.00\u{1b}[0m";
    let clean = |command: &mut Command, env: &[(&str, &str)]| {
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "CI"] {
            command.env_remove(name);
        }
        ran(command.env("TERM", "xterm").envs(env.iter().copied()).output().unwrap()).exits(0).stdout
    };
    let piped = |env: &[(&str, &str)]| clean(Command::new(binary).args(args), env);
    let plain = piped(&[]);
    assert!(plain.contains("1.00") && !plain.contains('\u{1b}'), "{plain:?}");
    assert!(piped(&[("CLICOLOR_FORCE", "1")]).contains(bold));
    assert!(!piped(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}'));
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("no `script` here: no terminal to try");
        return;
    }
    let line = format!("{binary} {}", args.map(|a| format!("'{a}'")).join(" "));
    let terminal = |more: &str, env: &[(&str, &str)]| {
        let mut command = Command::new("script");
        command.args(["-qec", &format!("{line} {more}"), "/dev/null"]).stdin(std::process::Stdio::null());
        clean(&mut command, env).replace("\r\n", "\n")
    };
    let coloured = terminal("", &[]);
    assert!(coloured.contains(bold) && !coloured.contains("\u{1b}[31m"), "{coloured:?}");
    assert_eq!(coloured.replace("\u{1b}[1m", "").replace("\u{1b}[0m", ""), plain, "the same without colours");
    assert!(terminal("", &[("NO_COLOR", "")]).contains(bold), "empty is unset");
    for env in [[("NO_COLOR", "1")], [("TERM", "dumb")]] {
        assert_eq!(terminal("", &env), plain, "{env:?}");
    }
    for format in ["markdown", "csv", "json", "latex"] {
        let shown = terminal(&format!("--format {format}"), &[("CLICOLOR_FORCE", "1")]);
        assert!(!shown.contains("\u{1b}[1m"), "{format}: {shown:?}");
    }
}
