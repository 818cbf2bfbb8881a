//! `eightk embed --model DIR|SPEC [FILE|-]`: vectors of any text, for using an encoder elsewhere or checking it.
//!
//! A filter: what is there is read, up to a bounded amount, encoded together, printed, and only then more is read. So it is quick on a
//! large file, and answers each line at once where a program writes one and waits. Nothing is kept: the road not taken, the cache of
//! `eval`, would make a filter write files behind one's back, and what it printed is already kept where it was sent.

mod batch;
mod lines;

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use eightk_encode::{Role, Vector};
use serde::Serialize;

use crate::encoders::{BudgetArgs, OneEncoder, make};
use crate::failure::{Failure, Outcome};
use crate::output::thousands;
use batch::{Embedded, Embedding};
use lines::{Lines, Wanted};

const FORMAT: &str = "\
Input: a line of JSON per text, {\"text\": \"...\", \"spans\": [[0, 14], [15, 40]]}. Other fields
are not looked at, blank lines are passed over.
  without spans   one vector, of the text alone
  with spans      one vector per span: a chunk in the context of the whole text (late chunking).
                  Start and end in code points, in order, without overlap. Only for models that
                  see contexts.
Output: a line per text in the order of the input, {\"vectors\": [[0.1, ...], ...]}, numbers as the
model gives them: floats with the digits that make them again, int8 as whole numbers, bits as 1
and -1. No vector is kept on disk.
The first line that is wrong is named and ends it with code 1; those before it are answered.";

/// JSON lines `{"text", "spans"?}` in, `{"vectors": [[…], …]}` out, one line each.
#[derive(Debug, clap::Args)]
#[command(after_help = FORMAT)]
pub(crate) struct Args {
    /// File of JSON lines, or `-` for standard input.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// Who encodes: a folder of a model, its name on the Hub (OWNER/NAME), or a spec of one encoder as eval takes it, such as
    /// dense:MODEL,pooling=cls or openai:MODEL,url=ADDRESS or cmd:PROGRAM.
    #[arg(long, value_name = "DIR|SPEC")]
    model: OneEncoder,
    /// The texts are queries: they get the prompt of queries, where the model has one, instead of that of passages.
    #[arg(long)]
    query: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

#[derive(Serialize)]
struct Answer<'v> {
    vectors: Vec<Numbers<'v>>,
}

/// A vector as JSON has it: floats not widened, so that they are as short as can be.
#[derive(Serialize)]
#[serde(untagged)]
enum Numbers<'v> {
    F32(&'v [f32]),
    I8(&'v [i8]),
    Signs(Vec<i8>),
}

impl<'v> Numbers<'v> {
    fn of(vector: &'v Vector) -> Self {
        match vector {
            Vector::F32(v) => Self::F32(v),
            Vector::I8(v) => Self::I8(v),
            Vector::Bits(_) => Self::Signs(vector.to_f32().iter().map(|x| if *x > 0.0 { 1 } else { -1 }).collect()),
        }
    }
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let name = args.file.display().to_string();
    let input: Box<dyn Read> = if name == "-" {
        Box::new(std::io::stdin().lock())
    } else {
        let open = File::open(&args.file);
        Box::new(open.map_err(|e| Failure::usage(format!("cannot open {name}: {e}")))?)
    };
    let encoder = make(&args.model.0, &args.budget.budget(), false)?;
    let role = if args.query { Role::Query } else { Role::Passage };
    let wanted = Wanted { role, context: encoder.sees_context(), model: encoder.identity().model.clone() };
    let mut lines = Lines::new(input, name, wanted);
    let mut embedding = Embedding::new(encoder.as_ref(), role);
    let ended = filter(&mut lines, &mut embedding);
    if let Some((count, first)) = embedding.truncated() {
        let were = if count == 1 { "text was".to_owned() } else { format!("{} texts were", thousands(count)) };
        let note = format!("{were} cut to the most tokens that the model takes; the first stands on line {first}");
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    ended?;
    Ok(ExitCode::SUCCESS)
}

/// Until the input ends, something is wrong, or nobody listens any more.
fn filter(lines: &mut Lines<impl Read>, embedding: &mut Embedding<'_>) -> Outcome {
    let mut out = BufWriter::new(std::io::stdout().lock());
    loop {
        let (read, end) = lines.some();
        let (embedded, failed) = embedding.of(&read);
        match write(&mut out, &embedded) {
            // A return, not an exit: an encoder that is a program is ended where it is dropped.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
        failed?;
        if let Some(end) = end {
            return end;
        }
    }
}

fn write(out: &mut impl Write, embedded: &[Embedded]) -> std::io::Result<()> {
    for vectors in embedded {
        let answer = Answer { vectors: vectors.iter().map(Numbers::of).collect() };
        serde_json::to_writer(&mut *out, &answer)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_can_be() {
        let mut out = Vec::new();
        let vectors = vec![
            Vector::F32(vec![0.1, -0.0, f32::MIN_POSITIVE, 1e10]),
            Vector::I8(vec![-128, 0, 7]),
            Vector::Bits(vec![0b0000_0101]),
        ];
        write(&mut out, &[vectors, Vec::new()]).unwrap();
        let text = String::from_utf8(out).unwrap();
        let (first, second) = text.trim_end().split_once('\n').unwrap();
        assert!(first.starts_with("{\"vectors\":[[0.1,-0.0,"), "{first}");
        assert!(first.ends_with(",[-128,0,7],[1,-1,1,-1,-1,-1,-1,-1]]}"), "{first}");
        let floats: Vec<f32> =
            serde_json::from_value(serde_json::from_str::<serde_json::Value>(first).unwrap()["vectors"][0].clone())
                .unwrap();
        assert_eq!(floats, [0.1, -0.0, f32::MIN_POSITIVE, 1e10]);
        assert_eq!(second, "{\"vectors\":[]}");
    }
}
