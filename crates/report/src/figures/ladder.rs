//! What context brings a model, view by view, and what controls take away again.

use eightk_measure::{Comparison, Metric, Value};
use eightk_plot::{IntervalChart, IntervalRow, Labels, Reference, SeriesClass};
use eightk_runs::{Ablation, Follow, Rung};

use super::figure::{Chart, Figure, FigureCell, FigureRow, FigureTable};
use super::lines::some;
use super::lineup::Lineup;
use super::words::{interval, list, p_value, short, signed, slug, three};

/// On what a ladder is shown: the first of these that it has values on.
const SHOWN_ON: [Metric; 3] = [Metric::RivalAuc, Metric::ResolvedAt1, Metric::NdcgAnswer(10)];

/// The ladder of one model, and whose context its rankings follow where that was tested; or why there is none.
pub(super) fn figures(lineup: &Lineup<'_>, ablation: &Ablation) -> Vec<Result<Figure, String>> {
    let mut list = vec![ladder(lineup, ablation)];
    if !ablation.follow.is_empty() {
        list.push(Ok(follow(lineup, ablation)));
    }
    list
}

/// One rung with what is known of it.
struct Step<'a> {
    rung: &'a Rung,
    value: Option<Value>,
    /// Against the bare sentence; of a control, against its view.
    change: Option<&'a Comparison>,
    /// The encoder did not look at the context it was given.
    blind: bool,
}

impl Step<'_> {
    fn name(&self) -> String {
        match &self.rung.control {
            Some(control) => format!("{} / {control}", self.rung.view),
            None => self.rung.view.clone(),
        }
    }
}

fn ladder(lineup: &Lineup<'_>, ablation: &Ablation) -> Result<Figure, String> {
    let ladders = &lineup.account.results.report.settings.ladders;
    let rungs = ladders.iter().find(|l| l.model == ablation.model).map(|l| l.rungs.as_slice()).unwrap_or_default();
    let value = |system: &str, metric| lineup.find(system).and_then(|e| e.value(metric));
    let metric = SHOWN_ON.into_iter().find(|m| rungs.iter().any(|r| value(&r.system, *m).is_some()));
    let Some(metric) = metric else {
        return Err(format!("What context brings {} is not shown: none of its systems has a score.", ablation.model));
    };
    let change = |rung: &Rung| {
        let list = if rung.control.is_some() { &ablation.controls } else { &ablation.gains };
        list.iter().find(|c| c.a == rung.system && c.metric == metric)
    };
    let step = |rung| {
        let r: &Rung = rung;
        Step {
            rung: r,
            value: value(&r.system, metric),
            change: change(r),
            blind: ablation.context_free.contains(&r.system),
        }
    };
    // Views first, then controls, each kind in the order asked for: one goes up the ladder and then down again.
    let (controls, views): (Vec<&Rung>, Vec<&Rung>) = rungs.iter().partition(|r| r.control.is_some());
    let steps: Vec<Step<'_>> = views.into_iter().chain(controls).map(step).collect();
    let row = |s: &Step<'_>| IntervalRow {
        name: s.name(),
        value: s.value.map(|v| v.expected),
        low: s.value.and_then(|v| v.low),
        high: s.value.and_then(|v| v.high),
        note: match (s.value, s.change) {
            _ if s.blind => "did not look at context".into(),
            (Some(v), Some(c)) => {
                format!("{} · {}", three(v.expected), signed(c.difference) + &interval(c.low, c.high))
            }
            (Some(v), None) => three(v.expected),
            (None, _) => String::new(),
        },
        class: if s.blind { SeriesClass::Floor } else { SeriesClass::Normal },
        indent: u8::from(s.rung.control.is_some()),
    };
    let chance = steps.iter().find_map(|s| s.value?.chance).filter(|c| c.is_finite());
    let mut notes = vec![
        format!("{} with its interval; beside it the gain over the bare sentence, for a control the change against its view.", short(metric)),
        "Controls spoil a view on purpose: what it gains without the sentences that name the filer, in another order or in a wrong filing is not owed to knowing whose sentence it is.".into(),
    ];
    if !ablation.context_free.is_empty() {
        notes
            .push(format!("Not looked at by the encoder, so left out of the gains: {}.", list(&ablation.context_free)));
    }
    let absent: Vec<&str> = steps.iter().filter(|s| s.value.is_none()).map(|s| s.rung.system.as_str()).collect();
    if !absent.is_empty() {
        notes.push(format!("Without a score: {}.", list(&absent)));
    }
    notes.extend(lineup.smoke_test());
    Ok(Figure {
        id: format!("figure-context-{}", slug(&ablation.model)),
        title: format!("What context brings {}", ablation.model),
        seen: seen(&steps, metric),
        chart: Chart::Intervals(IntervalChart {
            labels: Labels { x: short(metric), y: "view / control".into(), ..Labels::default() },
            x: (0.0, 1.0),
            rows: steps.iter().map(row).collect(),
            reference: chance.map(|c| Reference { name: format!("chance {}", three(c)), y: c }),
        }),
        table: table(&steps, metric),
        notes,
    }
    .worded())
}

fn table(steps: &[Step<'_>], metric: Metric) -> FigureTable {
    let row = |s: &Step<'_>| FigureRow {
        head: s.name(),
        muted: s.blind,
        cells: vec![
            FigureCell::Words(s.rung.system.clone()),
            score(s.value),
            s.change.map_or(FigureCell::Missing, |c| FigureCell::Difference {
                value: c.difference,
                low: c.low,
                high: c.high,
            }),
            s.change.map_or(FigureCell::Missing, |c| FigureCell::Words(c.b.clone())),
            s.change.and_then(|c| c.p_holm).map_or(FigureCell::Missing, FigureCell::Probability),
        ],
    };
    let columns = ["view / control", "system", &short(metric), "change", "against", "p (Holm)"];
    FigureTable {
        caption: format!(
            "{} by view and control, with its change against the bare sentence or the view that is spoilt",
            short(metric)
        ),
        columns: columns.map(String::from).to_vec(),
        rows: steps.iter().map(row).collect(),
    }
}

fn score(value: Option<Value>) -> FigureCell {
    value.map_or(FigureCell::Missing, |v| FigureCell::Score { value: v.expected, low: v.low, high: v.high })
}

fn excludes_zero(c: &Comparison) -> bool {
    c.low.is_some_and(|low| low > 0.0) || c.high.is_some_and(|high| high < 0.0)
}

fn seen(steps: &[Step<'_>], metric: Metric) -> String {
    let changes = |control: bool| {
        let of_kind = steps.iter().filter(move |s| s.rung.control.is_some() == control && !s.blind);
        of_kind.filter_map(|s| Some((s, s.change?))).collect::<Vec<_>>()
    };
    let (views, controls) = (changes(false), changes(true));
    let by_size =
        |a: &&(&Step<'_>, &Comparison), b: &&(&Step<'_>, &Comparison)| a.1.difference.total_cmp(&b.1.difference);
    let mut said = match views.iter().max_by(by_size) {
        Some((step, c)) if c.difference > 0.0 => {
            let bare = step.value.map_or(String::new(), |v| {
                format!(", from {} to {}", three(v.expected - c.difference), three(v.expected))
            });
            let p = c.p_holm.map_or(String::new(), |p| format!(", {} after Holm", p_value(p)));
            format!(
                "Of the views {} brings most: {} {}{}{bare}{p}",
                step.name(),
                short(metric),
                signed(c.difference),
                interval(c.low, c.high)
            )
        }
        Some(_) => "No view does better than the bare sentence".to_owned(),
        None => "There is no bare sentence to tell a gain from".to_owned(),
    };
    if views.len() > 1 {
        let sure = views.iter().filter(|(_, c)| c.difference > 0.0 && excludes_zero(c)).count();
        said += &format!("; {sure} of {} views gain with an interval above 0", views.len());
    }
    said.push('.');
    let lost: Vec<String> =
        controls.iter().filter(|(_, c)| c.difference < 0.0 && excludes_zero(c)).map(|(s, _)| s.name()).collect();
    if let Some((step, c)) = controls.iter().min_by(by_size) {
        said += &match lost.len() {
            0 => " No control takes anything away that its interval would show.".to_owned(),
            n => format!(
                " {n} of {} controls take some of it away again, most {} ({}{}).",
                controls.len(),
                step.name(),
                signed(c.difference),
                interval(c.low, c.high)
            ),
        };
    }
    said
}

/// Whether rankings go with the context or with the sentence.
fn follow(lineup: &Lineup<'_>, ablation: &Ablation) -> Figure {
    let rows = ablation.follow.iter().flat_map(|f| {
        let row = |name: &str, value: Option<Value>, indent| IntervalRow {
            name: name.to_owned(),
            value: value.map(|v| v.expected),
            low: value.and_then(|v| v.low),
            high: value.and_then(|v| v.high),
            note: value.map_or(String::new(), |v| three(v.expected) + &interval(v.low, v.high)),
            class: if indent == 0 { SeriesClass::Normal } else { SeriesClass::Floor },
            indent,
        };
        [
            row(&format!("{}: goes with the context", f.view), Some(f.rate), 0),
            row("the same before the exchange", f.before, 1),
            row("stays with the sentence", f.stays, 1),
        ]
    });
    let chance = ablation.follow.iter().find_map(|f| f.rate.chance).filter(|c| c.is_finite());
    let cells = |f: &Follow| {
        let chance =
            f.rate.chance.map_or(FigureCell::Missing, |c| FigureCell::Score { value: c, low: None, high: None });
        vec![score(Some(f.rate)), chance, score(f.before), score(f.stays), FigureCell::Count(f.rate.queries as f64)]
    };
    let head = |f: &Follow| FigureRow { head: f.system.clone(), muted: false, cells: cells(f) };
    let columns =
        ["system", "follows the context", "by chance", "before the exchange", "stays with the sentence", "queries"];
    let mut notes = vec![
        "The answer and one rival stand in each other's filing. How often that rival then ranks above the answer and all other rivals: a ranking by context follows it, a ranking by the sentence alone does not.".to_owned(),
    ];
    notes.extend(lineup.smoke_test());
    Figure {
        id: format!("figure-follow-{}", slug(&ablation.model)),
        title: format!("Whose context {} goes with", ablation.model),
        seen: ablation.follow.iter().map(followed).collect::<Vec<_>>().join(" "),
        chart: Chart::Intervals(IntervalChart {
            labels: Labels { x: "share of the queries".into(), ..Labels::default() },
            x: (0.0, 1.0),
            rows: rows.collect(),
            reference: chance.map(|c| Reference { name: format!("chance {}", three(c)), y: c }),
        }),
        table: FigureTable {
            caption:
                "How often the first of answer and rivals is the one in the answer's context, when that was exchanged"
                    .into(),
            columns: columns.map(String::from).to_vec(),
            rows: ablation.follow.iter().map(head).collect(),
        },
        notes,
    }
    .worded()
}

fn followed(f: &Follow) -> String {
    let against = match f.rate.chance {
        Some(chance) => {
            let relation = match (f.rate.low, f.rate.high) {
                (Some(low), _) if low > chance => ", above chance",
                (_, Some(high)) if high < chance => ", below chance",
                (Some(_), Some(_)) => ", not told from chance",
                _ => ", by chance",
            };
            format!("{relation} ({})", three(chance))
        }
        None => String::new(),
    };
    let before = f.before.map_or(String::new(), |b| format!("; before the exchange {}", three(b.expected)));
    let stays = f.stays.map_or(String::new(), |s| format!("; with the sentence it stays in {}", three(s.expected)));
    let rate = three(f.rate.expected) + &interval(f.rate.low, f.rate.high);
    format!("{} goes with the exchanged context in {rate} of the queries{against}{before}{stays}.", some(&[&f.system]))
}
