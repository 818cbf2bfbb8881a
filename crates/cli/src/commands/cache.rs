//! `eightk cache list|clear`: the vectors that were kept, by encoder.

use std::path::Path;
use std::process::ExitCode;

use eightk_vectors::{Cache, CacheEntry};
use jiff::Timestamp;
use serde::Serialize;

use crate::cache_folder::CacheFolder;
use crate::failure::Outcome;
use crate::output::{self, Align, Table, megabytes, printable, thousands};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Shows whose vectors are kept, how many, and what they take.
    List {
        #[command(flatten)]
        folder: CacheFolder,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Throws vectors out; they are made anew when they are next needed.
    Clear {
        #[command(flatten)]
        which: Which,
        #[command(flatten)]
        folder: CacheFolder,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// Those of every encoder with this in the name of its model, provider or file; case does not matter.
    #[arg(long, value_name = "TEXT")]
    model: Option<String>,
    /// All of them.
    #[arg(long)]
    all: bool,
}

impl Which {
    fn takes(&self, entry: &CacheEntry) -> bool {
        // An empty text is in every name, but is no wish to lose everything.
        self.all || self.model.as_ref().is_some_and(|m| !m.is_empty() && entry.is_named(m))
    }
}

#[derive(Serialize)]
struct Listed {
    folder: String,
    files: Vec<File>,
    vectors: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct File {
    file: String,
    encoder: Option<eightk_encode::Identity>,
    vectors: u64,
    bytes: u64,
    /// In UTC, whole seconds.
    written: Option<Timestamp>,
    fault: Option<String>,
}

impl Listed {
    fn new(folder: &Path, entries: Vec<CacheEntry>) -> Self {
        let files: Vec<File> = entries.into_iter().map(File::new).collect();
        Self {
            folder: folder.display().to_string(),
            vectors: files.iter().map(|f| f.vectors).sum(),
            bytes: files.iter().map(|f| f.bytes).sum(),
            files,
        }
    }

    fn sum(&self) -> String {
        format!("{} vectors in {}", many(self.vectors), megabytes(self.bytes))
    }
}

impl File {
    fn new(entry: CacheEntry) -> Self {
        let written = entry.written.and_then(|t| Timestamp::try_from(t).ok());
        let written = written.and_then(|t| Timestamp::from_second(t.as_second()).ok());
        Self {
            file: entry.file,
            encoder: entry.identity,
            vectors: entry.vectors,
            bytes: entry.bytes,
            written,
            fault: entry.fault,
        }
    }

    fn row(&self) -> [String; 5] {
        let name =
            self.encoder.as_ref().map_or_else(|| self.file.clone(), |who| format!("{} {}", who.provider, who.model));
        let short = |s: &str| s.chars().take(12).collect::<String>();
        let revision = self.encoder.as_ref().map_or_else(String::new, |who| short(&who.revision));
        // A day is enough to choose by; with its time a line would not fit.
        let day = self.written.map(|t| t.to_string().chars().take(10).collect()).unwrap_or_default();
        [printable(&name), printable(&revision), many(self.vectors), megabytes(self.bytes), day]
    }
}

fn many(n: u64) -> String {
    thousands(usize::try_from(n).unwrap_or(usize::MAX))
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    match &args.action {
        Action::List { folder, json } => {
            let cache = Cache::open(folder.path()?);
            let listed = Listed::new(cache.folder(), cache.list()?);
            if *json { output::json(&listed)? } else { output::text(&describe(&listed))? }
        }
        Action::Clear { which, folder, json } => {
            let cache = Cache::open(folder.path()?);
            let gone = Listed::new(cache.folder(), cache.clear(|entry| which.takes(entry))?);
            if *json {
                output::json(&gone)?;
            } else if gone.files.is_empty() {
                output::text(&format!("nothing to clear in {}\n", printable(&gone.folder)))?;
            } else {
                let names = gone.files.iter().map(|f| format!("cleared {}\n", printable(&f.file)));
                output::text(&format!("{}freed: {}\n", names.collect::<String>(), gone.sum()))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(listed: &Listed) -> String {
    let folder = printable(&listed.folder);
    if listed.files.is_empty() {
        return format!("no vectors in {folder}\n");
    }
    let right = Align::Right;
    let columns =
        [("encoder", Align::Left), ("revision", Align::Left), ("vectors", right), ("size", right), ("written", right)];
    let mut table = Table::new(columns);
    for file in &listed.files {
        match &file.fault {
            None => table.row(file.row()),
            // Across the columns: a file's name would make the first one too wide.
            Some(fault) => table.line(&printable(&format!("{} ({}): {fault}", file.file, megabytes(file.bytes)))),
        }
    }
    format!("{}\n{} in {folder}\n", table.render(), listed.sum())
}
