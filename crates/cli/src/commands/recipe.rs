//! `eightk recipe list|show|check`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use eightk_mine::Recipe;

use crate::failure::{Failure, Outcome};
use crate::output::{self, Align, Table};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Names the built-in recipes.
    List {
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
    /// Prints a recipe, ready to be changed and used with `--recipe FILE`.
    Show {
        /// Name of a built-in recipe, or a TOML file.
        recipe: String,
    },
    /// Says whether a recipe is valid.
    Check {
        /// Name of a built-in recipe, or a TOML file.
        recipe: String,
        /// One line of JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    description: &'a str,
    facts: Vec<&'a str>,
}

/// Loads a recipe by the name of a built-in one or the path of a TOML file. A name with `.` or `/` is a path.
pub(crate) fn load(name: &str) -> Outcome<Recipe> {
    if let Some(recipe) = Recipe::builtin(name) {
        return recipe.map_err(Failure::wrong);
    }
    let path = Path::new(name);
    if !name.contains(['.', '/', '\\']) && !path.exists() {
        let known = Recipe::builtin_names().join(", ");
        return Err(Failure::usage(format!("no recipe `{name}`; built in: {known}; or give the path of a TOML file")));
    }
    let toml =
        std::fs::read_to_string(path).map_err(|e| Failure::usage(format!("cannot read the recipe {name}: {e}")))?;
    Recipe::parse(&toml, &PathBuf::from(name).display().to_string()).map_err(Failure::usage)
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    match &args.action {
        Action::List { json } => list(*json)?,
        Action::Show { recipe } => output::text(load(recipe)?.toml())?,
        Action::Check { recipe, json } => {
            let recipe = load(recipe)?;
            let listed = listed(&recipe);
            if *json {
                output::json(&listed)?;
            } else {
                output::text(&format!("{}: valid, finds {}\n", listed.name, listed.facts.join(", ")))?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn listed(recipe: &Recipe) -> Listed<'_> {
    Listed {
        name: recipe.name(),
        description: recipe.description(),
        facts: recipe.facts().iter().map(|f| f.name.as_str()).collect(),
    }
}

fn list(json: bool) -> Outcome {
    let recipes: Vec<Recipe> = Recipe::builtin_names().iter().map(|n| load(n)).collect::<Outcome<_>>()?;
    let rows: Vec<Listed> = recipes.iter().map(listed).collect();
    if json {
        return output::json(&rows);
    }
    let mut table = Table::new([("recipe", Align::Left), ("facts", Align::Left), ("what it is", Align::Left)]);
    for r in rows {
        table.row([r.name.to_owned(), r.facts.join(", "), r.description.to_owned()]);
    }
    output::text(&table.render())
}
