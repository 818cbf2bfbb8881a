//! The systems that are asked for: on the command line, in a file, as a ladder.

use std::path::Path;

use eightk_retrieve::{Control, DenseSpec, EncoderKind, SystemSpec, View};
use eightk_runs::{Ladder, Rung};
use serde::Deserialize;
use toml::{Table, Value};

use crate::failure::{Failure, Outcome};

/// Views of a ladder, for every encoder.
const VIEWS: [&str; 4] = ["bare", "title", "lead", "window:2"];
/// Further views for encoders that see context.
const CONTEXT_VIEWS: [&str; 2] = ["filing", "title+filing"];
/// Controls of the view with the whole filing.
const CONTEXT_CONTROLS: [&str; 5] = ["masked", "minus-binding", "swap", "filing-shuffled", "filing-wrong"];
/// Controls of `lead`, where there is no such view.
const LEAD_CONTROLS: [&str; 4] = ["masked", "minus-binding", "swap", "filing-wrong"];

/// A file of systems.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemsFile {
    #[serde(default)]
    systems: Vec<SystemSpec>,
    #[serde(default)]
    system: Vec<Table>,
}

/// Reads a file of systems: a list `systems` of specs, and tables `[[system]]` with `spec`, `name`, `view` or a list `views`, and any
/// setting of a spec by its name.
pub(crate) fn read_file(path: &Path) -> Outcome<Vec<SystemSpec>> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))?;
    of_text(&text).map_err(|why| Failure::usage(format!("{}: {}", path.display(), why.trim_end())))
}

fn of_text(text: &str) -> Result<Vec<SystemSpec>, String> {
    let file: SystemsFile = toml::from_str(text).map_err(|e| e.to_string())?;
    let mut all = file.systems;
    for (n, table) in (1..).zip(&file.system) {
        all.extend(of_table(table).map_err(|why| format!("[[system]] number {n}: {why}"))?);
    }
    Ok(all)
}

/// One system, or one for each of its `views`.
fn of_table(table: &Table) -> Result<Vec<SystemSpec>, String> {
    let word = |key: &str, value: &Value| match value {
        Value::String(s) => Ok(s.clone()),
        Value::Integer(n) => Ok(n.to_string()),
        Value::Float(x) => Ok(x.to_string()),
        Value::Boolean(b) => Ok(b.to_string()),
        _ => Err(format!("`{key}` must be a text or a number")),
    };
    let Some(spec) = table.get("spec") else {
        return Err("there is no `spec`, such as spec = \"dense:OWNER/NAME\"".into());
    };
    let (mut spec, mut name, mut views) = (word("spec", spec)?, None, Vec::new());
    for (key, value) in table {
        match key.as_str() {
            "spec" => {}
            "name" => name = Some(word(key, value)?),
            "views" => {
                let list = value.as_array().ok_or("`views` must be a list of views")?;
                views = list.iter().map(|v| word("views", v)).collect::<Result<_, _>>()?;
                if views.is_empty() || table.contains_key("view") {
                    return Err("`views` must name at least one view, and stands in the place of `view`".into());
                }
            }
            _ if !key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') => {
                return Err(format!("`{key}` is no setting: they are small letters and hyphens, such as query-prompt"));
            }
            _ => spec = with_setting(&spec, key, &escaped(&word(key, value)?)),
        }
    }
    let one = |spec: String| spec.parse::<SystemSpec>().map_err(|e| e.to_string());
    let named = |spec: &str, name: Option<&str>| {
        name.map_or_else(|| spec.to_owned(), |name| with_setting(spec, "as", &escaped(name)))
    };
    if views.is_empty() {
        return Ok(vec![one(named(&spec, name.as_deref()))?]);
    }
    let of_view = |view: &String| {
        let name = name.as_ref().map(|n| rung_name(n, view, None));
        one(named(&with_setting(&spec, "view", view), name.as_deref()))
    };
    views.iter().map(of_view).collect()
}

/// A spec with one setting more: those of systems of systems stand inside their parentheses.
fn with_setting(spec: &str, key: &str, value: &str) -> String {
    let spec = spec.trim_end();
    let of_systems = ["rrf", "sum", "rerank"]
        .iter()
        .any(|word| spec.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('(')));
    match spec.strip_suffix(')').filter(|_| of_systems) {
        Some(inside) => format!("{inside};{key}={value})"),
        None => format!("{spec},{key}={value}"),
    }
}

/// A value as a spec holds it.
fn escaped(value: &str) -> String {
    let mut out = String::new();
    for c in value.chars() {
        if ",;()\\".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// As systems of vectors are called: the model, its view, its control.
fn rung_name(model: &str, view: &str, control: Option<&str>) -> String {
    let view = if view == "bare" { String::new() } else { format!(":{view}") };
    model.to_owned() + &view + &control.map(|c| format!("/{c}")).unwrap_or_default()
}

/// The systems of one model's ladder, and the ladder. `spec` names the model and its settings; view and control are the ladder's.
pub(crate) fn ladder(spec: &SystemSpec, sees_context: bool) -> Outcome<(Vec<SystemSpec>, Ladder)> {
    let dense = model_of(spec)?;
    let model = dense.name.clone().unwrap_or_else(|| dense.encoder.short_name());
    let mut rungs: Vec<(&str, Option<&str>)> = VIEWS.iter().map(|v| (*v, None)).collect();
    if sees_context {
        rungs.extend(CONTEXT_VIEWS.iter().map(|v| (*v, None)));
        rungs.extend(CONTEXT_CONTROLS.iter().map(|c| ("filing", Some(*c))));
    } else {
        rungs.extend(LEAD_CONTROLS.iter().map(|c| ("lead", Some(*c))));
    }
    let mut specs = Vec::new();
    let mut ladder = Ladder { model: model.clone(), rungs: Vec::new() };
    for (view, control) in rungs {
        let system = rung_name(&model, view, control);
        let spec = SystemSpec::Dense(DenseSpec {
            view: view.parse::<View>()?,
            control: control.map(str::parse::<Control>).transpose()?,
            name: dense.name.as_ref().map(|_| system),
            ..dense.clone()
        });
        ladder.rungs.push(Rung { system: spec.label(), view: view.to_owned(), control: control.map(str::to_owned) });
        specs.push(spec);
    }
    Ok((specs, ladder))
}

/// A ladder for each `swap` that no ladder holds, with the system that it spoils where that runs too: a follow rate is told of every swap.
pub(crate) fn with_swaps(mut ladders: Vec<Ladder>, specs: &[SystemSpec]) -> Vec<Ladder> {
    let dense = || specs.iter().filter_map(|s| if let SystemSpec::Dense(d) = s { Some((s, d)) } else { None });
    for (spec, swap) in dense().filter(|(_, d)| d.control == Some(Control::Swap)) {
        let system = spec.label();
        if ladders.iter().any(|l| l.rungs.iter().any(|r| r.system == system)) {
            continue;
        }
        let spoiled = |d: &DenseSpec| d.control.is_none() && d.view == swap.view && d.encoder == swap.encoder;
        let base = dense().find(|(_, d)| spoiled(d)).map(|(s, _)| (s, None));
        let rungs = base.into_iter().chain([(spec, Some(Control::Swap.to_string()))]);
        let view = swap.view.to_string();
        let rungs = rungs.map(|(s, control)| Rung { system: s.label(), view: view.clone(), control }).collect();
        ladders.push(Ladder { model: swap.encoder.short_name(), rungs });
    }
    ladders
}

/// The system of vectors that an ablation is about.
pub(crate) fn model_of(spec: &SystemSpec) -> Outcome<&DenseSpec> {
    match spec {
        SystemSpec::Dense(dense) if dense.encoder.kind == EncoderKind::Vectors => Err(Failure::usage(format!(
            "--ablation {spec}: these vectors were made with one view, and an ablation needs a model that can make others; compare \
             folders of vectors by several --system vectors:FOLDER"
        ))),
        SystemSpec::Dense(dense) if dense.view == View::BARE && dense.control.is_none() => Ok(dense),
        SystemSpec::Dense(_) => Err(Failure::usage(format!(
            "--ablation {spec}: name the model alone; the ladder brings its own views and controls"
        ))),
        _ => Err(Failure::usage(format!(
            "--ablation {spec}: only a model has a ladder of contexts, such as dense:OWNER/NAME or openai:MODEL"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        of_text(text).unwrap().iter().map(SystemSpec::label).collect()
    }

    #[test]
    fn specs_and_tables() {
        let text = r#"
            systems = ["bm25:title"]
            [[system]]
            spec = "openai:small"
            url = "http://localhost:8080/v1"
            name = "ours"
            views = ["bare", "title+lead"]
            query-prompt = "find: (now), then"
            [[system]]
            spec = "dense:shelf/tiny"
            view = "filing"
            control = "swap"
            max-tokens = 128
            [[system]]
            spec = "rrf(bm25:title; dense:shelf/tiny)"
            name = "both"
            k = 10
        "#;
        assert_eq!(labels(text), ["bm25:title", "ours", "ours:title+lead", "tiny:filing/swap", "both"]);
        let all = of_text(text).unwrap();
        assert!(matches!(&all[4], SystemSpec::Rrf { k: 10, .. }), "{}", all[4]);
        let SystemSpec::Dense(dense) = &all[1] else { panic!("no encoder") };
        assert_eq!(dense.encoder.settings["query-prompt"], "find: (now), then");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, says) in [
            ("[[system]]\nname = \"x\"", "no `spec`"),
            ("[[system]]\nspec = \"dense:x\"\nviews = []", "at least one view"),
            ("[[system]]\nspec = \"dense:x\"\nviews = [\"bare\"]\nview = \"bare\"", "in the place of"),
            ("[[system]]\nspec = \"dense:x\"\nview = [\"bare\"]", "`view` must be"),
            ("[[system]]\nspec = \"dense:x\"\nquery_prompt = \"q: \"", "`query_prompt` is no setting"),
            ("[[system]]\nspec = \"dense:x\"\nviewe = \"bare\"", "number 1"),
            ("system = 3", "expected"),
        ] {
            let said = of_text(text).unwrap_err();
            assert!(said.contains(says), "{text}: {said}");
        }
    }

    #[test]
    fn every_swap_has_its_follow_rate() {
        let specs: Vec<SystemSpec> =
            ["bm25", "dense:a/t,view=title", "dense:a/t,view=title,control=swap"].map(|s| s.parse().unwrap()).into();
        let [ladder] = &with_swaps(Vec::new(), &specs)[..] else { panic!("one swap") };
        let names: Vec<_> = ladder.rungs.iter().map(|r| (r.system.as_str(), r.control.as_deref())).collect();
        assert_eq!((ladder.model.as_str(), names), ("t", vec![("t:title", None), ("t:title/swap", Some("swap"))]));
        assert_eq!(with_swaps(vec![ladder.clone()], &specs).len(), 1);
    }

    #[test]
    fn a_ladder_is_of_one_model() {
        let (specs, ladder) = ladder(&"dense:shelf/tiny,as=t".parse().unwrap(), true).unwrap();
        assert_eq!(ladder.model, "t");
        let names: Vec<_> = ladder.rungs.iter().map(|r| r.system.as_str()).collect();
        assert!(names.starts_with(&[
            "t",
            "t:title",
            "t:lead",
            "t:window:2",
            "t:filing",
            "t:title+filing",
            "t:filing/masked"
        ]));
        assert_eq!(SystemSpec::labels(&specs).unwrap(), names);
        let (plain, _) = super::ladder(&"dense:shelf/tiny".parse().unwrap(), false).unwrap();
        assert!(plain.iter().all(|s| !s.label().contains("filing:")) && plain.len() == 8);
        for bad in ["bm25", "dense:shelf/tiny,view=title", "vectors:folder"] {
            assert!(model_of(&bad.parse().unwrap()).is_err(), "{bad}");
        }
    }
}
