//! `eightk split FILE|-`: sentence spans of any text, for checking the splitter or using it elsewhere.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use serde::{Deserialize, Serialize};

use eightk_core::CharIndex;
use eightk_text::split::{Splitter, split};

use crate::failure::{Failure, Outcome};

/// JSON lines `{"text"}` in, `{"spans": [[start, end], …]}` out, one line each, in code points.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File of JSON lines, or `-` for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// `legal` repairs Punkt on filings; `punkt` is NLTK up to 3.9, `punkt-3.10` NLTK since July 2026.
    #[arg(long, default_value_t)]
    splitter: Splitter,
}

#[derive(Deserialize)]
struct Input {
    text: String,
}

#[derive(Serialize)]
struct Output {
    spans: Vec<[usize; 2]>,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let input: Box<dyn Read> = if args.file.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let open = File::open(&args.file);
        Box::new(open.map_err(|e| Failure::usage(format!("cannot open {}: {e}", args.file.display())))?)
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (i, line) in BufReader::new(input).lines().enumerate() {
        let place = || format!("{}, line {}", args.file.display(), i + 1);
        let line = line.map_err(|e| Failure::wrong(format!("{}: {e}", place())))?;
        if line.trim().is_empty() {
            continue;
        }
        let input: Input = serde_json::from_str(&line)
            .map_err(|e| Failure::wrong(format!("{}: {e}; each line is a JSON object {{\"text\": \"…\"}}", place())))?;
        let index = CharIndex::new(&input.text);
        let spans = split(&input.text, args.splitter).into_iter().map(|s| index.to_chars(s));
        let output = Output { spans: spans.map(|s| [s.start, s.end]).collect() };
        writeln!(out, "{}", serde_json::to_string(&output).map_err(std::io::Error::from)?)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
