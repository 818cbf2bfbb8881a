//! How scores are to be shown: arguments of `eval` and `score`.

use crate::failure::{Failure, Outcome};

/// How scores are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For a terminal of 80 columns; in colours where it has them and NO_COLOR is not set.
    Table,
    /// Tables for a README or an issue, the best of each column bold, notes as a list.
    Markdown,
    /// One table with every digit, a row per system and metric: for pandas, R and the like.
    Csv,
    /// One line with everything.
    Json,
    /// Tables for a paper (booktabs), the best of each column bold, notes as comments.
    Latex,
}

/// A table by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Which {
    /// Scores of every system.
    Systems,
    /// Differences from the baseline and from the best.
    Comparisons,
    /// What context brought, by --ablation.
    Ablation,
    /// How often rankings went with exchanged contexts, by --ablation.
    Follow,
    /// The first place, factor by factor.
    FirstPlace,
    /// By family of rivals: all of the fact, and the near ones.
    Rivals,
    /// By fact, number of rivals, evidence.
    Splits,
    /// Golds that tie.
    Ties,
}

impl Which {
    /// As it is named on the command line.
    pub(super) fn name(self) -> String {
        clap::ValueEnum::to_possible_value(&self).map(|v| v.get_name().to_owned()).unwrap_or_default()
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct ShownArgs {
    /// How scores are printed.
    #[arg(long, value_name = "FORMAT", default_value = "table", conflicts_with = "json")]
    format: Format,
    /// Only this table, with its notes. CSV holds one table: without this, that of systems.
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["json", "details"])]
    table: Option<Which>,
    /// Also factors of the first place, near rivals, cuts by fact, number of rivals and evidence, ties.
    #[arg(long, conflicts_with = "json")]
    details: bool,
    /// One line of JSON instead of tables: the same as --format json.
    #[arg(long)]
    json: bool,
}

impl ShownArgs {
    /// Refuses what does not go together, before anything is run.
    pub(crate) fn check(&self) -> Outcome {
        let refused = match (self.format(), self.details, self.table) {
            (Format::Csv, true, _) => {
                "--details with --format csv: CSV holds one table; name it: --table first-place, rivals, splits or ties"
            }
            (Format::Json, true, _) => "--details with --format json: JSON holds everything already",
            (Format::Json, _, Some(_)) => "--table with --format json: JSON holds every table",
            _ => return Ok(()),
        };
        Err(Failure::usage(refused))
    }

    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format() == Format::Json
    }

    /// Whether people read it on the terminal: other output holds nothing but what was asked for.
    pub(crate) fn is_table(&self) -> bool {
        self.format() == Format::Table
    }

    pub(super) fn table(&self) -> Option<Which> {
        self.table
    }

    pub(super) fn details(&self) -> bool {
        // A table of the details that is named is meant.
        self.details || self.table.is_some()
    }
}
