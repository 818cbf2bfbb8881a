//! Which systems are offered.

use eightk_retrieve::{DenseSpec, SystemSpec};
use eightk_runs::Account;

use crate::evaluation::is_mark;

/// Those always there: they need nothing but the data set.
const USUAL: [&str; 3] = ["bm25", "bm25:title", "name-filter"];

/// Those asked for, then those that made the runs, then the usual ones; each once. Controls spoil what the explorer is there to show, and
/// marks made from the judgements search nothing.
pub(crate) fn offered(asked: &[SystemSpec], account: Option<&Account>) -> Vec<SystemSpec> {
    let ran = account.into_iter().flat_map(|a| &a.results.rankings).filter_map(|r| r.spec.parse().ok());
    let ran = ran.filter(|spec: &SystemSpec| !is_control(spec) && !is_mark(&spec.label()));
    let usual = USUAL.iter().filter_map(|spec| spec.parse().ok());
    let mut all: Vec<SystemSpec> = Vec::new();
    for spec in asked.iter().cloned().chain(ran).chain(usual) {
        if !all.iter().any(|other| other.label() == spec.label()) {
            all.push(spec);
        }
    }
    all
}

fn is_control(spec: &SystemSpec) -> bool {
    matches!(spec, SystemSpec::Dense(DenseSpec { control: Some(_), .. }) | SystemSpec::Bm25 { control: Some(_), .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_once_and_nothing_that_searches_nothing() {
        let asked: Vec<SystemSpec> = ["bm25:lead", "bm25"].iter().map(|s| s.parse().unwrap()).collect();
        let names: Vec<String> = offered(&asked, None).iter().map(SystemSpec::label).collect();
        assert_eq!(names, ["bm25:lead", "bm25", "bm25:title", "name-filter"]);
        assert!(is_control(&"dense:acme/tiny,view=lead,control=masked".parse().unwrap()));
    }
}
