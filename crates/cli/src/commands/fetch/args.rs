//! What can be asked of `fetch`, and what it means.

use std::path::PathBuf;
use std::time::Duration;

use eightk_core::{FilingDate, Form};
use eightk_edgar::fetch::{Order, Road};
use eightk_edgar::find::{Query, pick::PickRule};
use eightk_mine::Recipe;

use crate::failure::{Failure, Outcome};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name of a built-in recipe, or a TOML file: its source part says which filings.
    #[arg(long, default_value = "restructuring")]
    pub(super) recipe: String,
    /// Folder for filings, plans and the log; made when it is not there. `eightk build` reads it.
    #[arg(long, value_name = "DIR")]
    pub(super) store: PathBuf,
    /// Who asks: your name and mail address, as the SEC demands of automated tools. There is no default.
    #[arg(long, value_name = "NAME MAIL", env = "EIGHTK_USER_AGENT", hide_env_values = true)]
    pub(super) user_agent: Option<String>,

    /// Words of the full-text search instead of the recipe's; '' for none. Without quotation marks: one phrase.
    #[arg(long, help_heading = "Which filings", value_name = "TEXT")]
    phrase: Option<String>,
    /// First day of filing, YYYY-MM-DD, or `any`.
    #[arg(long, help_heading = "Which filings", value_name = "DATE")]
    from: Option<String>,
    /// Last day of filing, YYYY-MM-DD, or `any`.
    #[arg(long, help_heading = "Which filings", value_name = "DATE")]
    to: Option<String>,
    /// Forms, exactly: 8-K, 8-K/A.
    #[arg(long, help_heading = "Which filings", value_name = "LIST", value_delimiter = ',')]
    forms: Option<Vec<String>>,
    /// Item numbers, any of which is enough (2.05,2.06), or `any`.
    #[arg(long, help_heading = "Which filings", value_name = "LIST", value_delimiter = ',')]
    items: Option<Vec<String>>,
    /// Every filing found, instead of one per company.
    #[arg(long, help_heading = "Which filings")]
    all: bool,
    /// Also filings whose words stand in an exhibit alone.
    #[arg(long, help_heading = "Which filings")]
    exhibits: bool,
    /// Find filings in the quarterly indexes (since 1993) instead of the full-text search (since 2001).
    #[arg(long, help_heading = "Which filings")]
    from_index: bool,

    /// Requests a second, at most 9. EDGAR shuts out who asks for more than 10.
    #[arg(long, help_heading = "How", default_value_t = 4.0, value_name = "N")]
    pub(super) rate: f64,
    /// How long to be silent once EDGAR refuses requests.
    #[arg(long, help_heading = "How", default_value = "10m", value_name = "TIME", value_parser = duration)]
    pub(super) block_pause: Duration,
    /// How often to ask for a file before it is left for the next run.
    #[arg(long, help_heading = "How", default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(super) tries: u32,
    /// Search anew instead of going on with the plan of an earlier run.
    #[arg(long, help_heading = "How", conflicts_with_all = ["offline", "check"])]
    pub(super) refresh: bool,
    /// Find and show what would be fetched and how long it would take; fetch no document.
    #[arg(long, help_heading = "How", conflicts_with = "check")]
    pub(super) dry_run: bool,
    /// Ask nobody: everything from the store, or say what is missing.
    #[arg(long, help_heading = "How", conflicts_with = "check")]
    pub(super) offline: bool,
    /// Re-hash every document of the store and name what is damaged or missing. Asks nobody.
    #[arg(long, help_heading = "How")]
    pub(super) check: bool,
    /// One line of JSON instead of the summary.
    #[arg(long)]
    pub(super) json: bool,

    /// One address in place of the three EDGAR hosts.
    #[arg(long, env = "EIGHTK_EDGAR_URL", hide = true)]
    pub(super) edgar_url: Option<String>,
}

impl Args {
    /// The recipe's source with what the command line changes of it.
    pub(super) fn order(&self, recipe: &Recipe) -> Outcome<Order> {
        let source = recipe.source();
        let given = |d: &Option<String>, of_recipe| match d {
            Some(d) => date(d),
            None => Ok(of_recipe),
        };
        let phrase = self.phrase.as_ref().unwrap_or(&source.phrase).trim();
        if phrase.matches('"').count() % 2 == 1 {
            return Err(Failure::usage(format!("--phrase {phrase}: a quotation mark is opened and not closed")));
        }
        if let Some(c) = phrase.chars().find(|c| c.is_control()) {
            return Err(Failure::usage(format!("--phrase: it holds a control character ({})", c.escape_default())));
        }
        let query = Query {
            phrase: phrase.to_owned(),
            forms: self.forms(&source.forms)?,
            items: self.items(&source.items)?,
            from: given(&self.from, source.from)?,
            to: given(&self.to, source.to)?,
            exhibits: self.exhibits,
        };
        if let (Some(from), Some(to)) = (query.from, query.to)
            && from > to
        {
            return Err(Failure::usage(format!("the dates are the wrong way round: from {from} to {to}")));
        }
        if query.phrase.is_empty() && query.items.is_empty() && query.from.is_none() && query.to.is_none() && !self.all
        {
            return Err(Failure::usage(format!(
                "the source part of recipe `{}` names every 8-K there is; give a phrase, Items or dates, or ask for --all",
                recipe.name()
            )));
        }
        let changed = self.phrase.is_some() || self.from.is_some() || self.to.is_some();
        let changed = changed || self.forms.is_some() || self.items.is_some() || self.exhibits;
        Ok(Order {
            name: if changed { "custom".to_owned() } else { recipe.name().to_owned() },
            query,
            road: if self.from_index { Road::Index } else { Road::Search },
            rule: if self.all || !source.one_per_company { PickRule::All } else { PickRule::EarliestPerCompany },
        })
    }

    fn forms(&self, of_recipe: &[Form]) -> Outcome<Vec<Form>> {
        let Some(given) = &self.forms else {
            return Ok(if of_recipe.is_empty() { vec![Form::EightK] } else { of_recipe.to_vec() });
        };
        let mut forms = Vec::new();
        for name in given {
            let form = Form::parse(name);
            let unknown = || Failure::usage(format!("--forms {name}: no form that eightk reads; 8-K and 8-K/A are"));
            forms.push(form.ok_or_else(unknown)?);
        }
        forms.sort();
        forms.dedup();
        Ok(forms)
    }

    fn items(&self, of_recipe: &[String]) -> Outcome<Vec<String>> {
        let given: Vec<&str> = match &self.items {
            Some(items) => items.iter().map(|i| i.trim()).collect(),
            None => of_recipe.iter().map(String::as_str).collect(),
        };
        if given == ["any"] {
            return Ok(Vec::new());
        }
        for item in &given {
            if !eightk_text::items::is_known(item) {
                let today = "2026-01-01".parse().map_err(Failure::wrong)?;
                let present: Vec<_> = eightk_text::items::numbers_on(today).collect();
                return Err(Failure::usage(format!(
                    "Item `{item}` is not in Form 8-K; its Items are {}, and 1 to 12 before August 2004",
                    present.join(", ")
                )));
            }
        }
        let mut items: Vec<String> = given.into_iter().map(str::to_owned).collect();
        items.sort();
        items.dedup();
        Ok(items)
    }
}

fn date(given: &str) -> Outcome<Option<FilingDate>> {
    if given == "any" {
        return Ok(None);
    }
    given.parse().map(Some).map_err(|e| Failure::usage(format!("{e} (or write `any`)")))
}

/// `10m`, `90s`, `1h`, or seconds alone.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time; write 10m, 90s, or 1h");
    let time = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let time: jiff::SignedDuration = text.parse().map_err(|_| wrong())?;
            Duration::try_from(time).map_err(|_| wrong())?
        }
    };
    let (least, most) = (Duration::from_secs(1), Duration::from_secs(24 * 3600));
    if (least..=most).contains(&time) { Ok(time) } else { Err(format!("`{text}` is not between a second and a day")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [("10m", 600.0), ("90s", 90.0), ("1h", 3600.0), ("45", 45.0), ("1500ms", 1.5)] {
            assert_eq!(duration(text).unwrap().as_secs_f64(), seconds, "{text}");
        }
        for bad in ["", "-5s", "soon", "10 x", "0", "18446744073709551615", "25h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
