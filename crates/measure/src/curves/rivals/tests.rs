use std::collections::BTreeMap;

use eightk_core::{Hit, Qrels, Run};
use proptest::prelude::*;

use super::*;
use crate::{Judgements, Metric, score};

/// C(n, k) as a float, exact for the sizes used.
fn choose(n: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64) }
}

/// C(N − r + 1, m) / C(N, m), averaged over the places that one answer may take inside its tie.
fn naive(c: Contest, m: usize) -> f64 {
    let at = |j: usize| choose(c.rivals - c.above - j, m) / choose(c.rivals, m);
    (0..=c.level).map(at).sum::<f64>() / (c.level + 1) as f64
}

/// Every draw, and every order of the tie.
fn by_hand(c: Contest, m: usize) -> f64 {
    let (mut draws, mut won) = (0, 0.0);
    for drawn in 0_u32..1 << c.rivals {
        if drawn.count_ones() as usize != m {
            continue;
        }
        draws += 1;
        if (0..c.above).any(|rival| drawn >> rival & 1 == 1) {
            continue;
        }
        // Orders of the tie are sets of places for its answers: the first place taken by anyone who takes part decides.
        let (places, mut orders, mut firsts) = (c.level + c.answers, 0, 0);
        for answers in 0_u32..1 << places {
            if answers.count_ones() as usize != c.answers {
                continue;
            }
            orders += 1;
            for (place, rival) in (c.above..).enumerate().take(places) {
                if answers >> place & 1 == 1 {
                    firsts += 1;
                    break;
                }
                if drawn >> rival & 1 == 1 {
                    break;
                }
            }
        }
        won += f64::from(firsts) / f64::from(orders);
    }
    won / f64::from(draws)
}

/// Any contest with so many rivals at most.
fn contest(rivals: usize, answers: usize) -> impl Strategy<Value = (Contest, usize)> {
    (1..=rivals, 1..=answers).prop_flat_map(|(rivals, answers)| {
        (0..=rivals, 0..=rivals, 0..=rivals).prop_map(move |(above, level, m)| {
            let above = above.min(rivals);
            (Contest { rivals, above, level: level.min(rivals - above), answers }, m)
        })
    })
}

proptest! {
    #[test]
    fn the_closed_form_is_the_mean_over_places((c, m) in contest(40, 1)) {
        let got = c.on_top_of(m).unwrap();
        prop_assert!((got - naive(c, m)).abs() < 1e-12, "{got} {}", naive(c, m));
    }

    #[test]
    fn every_draw_and_every_order((c, m) in contest(7, 3)) {
        let got = c.on_top_of(m).unwrap();
        prop_assert!((got - by_hand(c, m)).abs() < 1e-12, "{got} {}", by_hand(c, m));
    }

    /// Ten million rivals: against the same mean as a plain sum of plain products.
    #[test]
    fn sound_for_large_fields(rivals in 1_000_usize..10_000_000, above in 0_usize..300, level in 0_usize..300, m in 0.0..1.0_f64, answers in 1_usize..3) {
        let m = (rivals as f64).powf(m) as usize;
        let c = Contest { rivals, above, level, answers };
        let product = |marked: usize| (0..marked).map(|i| (rivals - i).saturating_sub(m) as f64 / (rivals - i) as f64).product::<f64>();
        let places = |j: usize| if answers == 1 { 1.0 / (level + 1) as f64 } else { 2.0 * (level + 1 - j) as f64 / ((level + 2) * (level + 1)) as f64 };
        let want: f64 = (0..=level).map(|j| places(j) * product(above + j)).sum();
        let got = c.on_top_of(m).unwrap();
        prop_assert!((got - want).abs() < 1e-12 && (got - want).abs() <= 1e-10 * want + 1e-30, "{got} {want}");
    }

    /// More rivals never help, and no number is outside 0 to 1.
    #[test]
    fn never_rises((c, m) in contest(200, 3)) {
        let (now, before) = (c.on_top_of(m).unwrap(), c.on_top_of(m.saturating_sub(1)).unwrap());
        prop_assert!((0.0..=1.0).contains(&now) && now <= before + 1e-14, "{before} {now}");
    }

    /// At all rivals the curve is `resolved@1`, whatever ties, missing answers, missing queries and further answers there are.
    #[test]
    fn at_all_rivals_it_is_resolved_at_1(queries in prop::collection::vec((prop::option::of(prop::collection::vec(0_i8..4, 0..9)), 1_usize..4, 0_usize..6), 1..8)) {
        let (mut qrels, mut run, mut rivals) = (Qrels::default(), Run::default(), BTreeMap::new());
        for (q, (scores, golds, others)) in queries.iter().enumerate() {
            let query = format!("q{q}");
            qrels.queries.insert(query.clone(), (0..*golds).map(|g| (format!("d{g}"), 2)).collect());
            rivals.insert(query.clone(), (*golds..golds + others).map(|r| format!("d{r}")).collect());
            if let Some(scores) = scores {
                let hit = |(d, s): (usize, &i8)| Hit { id: format!("d{d}"), score: f64::from(*s) };
                run.queries.insert(query, scores.iter().enumerate().map(hit).collect());
            }
        }
        prop_assume!(!run.queries.is_empty());
        let judgements = Judgements { qrels, rivals: Some(rivals), ..Judgements::default() };
        let options = Options { draws: 100, ..Options::default() };
        let scores = score(&run, &judgements, &[Metric::ResolvedAt1], &options).unwrap();
        let contests: Vec<Option<Contest>> = scores.queries.iter().zip(&queries).map(|(o, (hits, golds, _))| {
            let score = |d: usize| hits.as_ref().and_then(|h| h.get(d));
            let best = (0..*golds).map(score).max().flatten();
            let answers = (0..*golds).filter(|d| score(*d) == best).count();
            (o.rivals > 0).then_some(Contest { rivals: o.rivals, above: o.rivals_above, level: o.rivals_level, answers })
        }).collect();
        let most = contests.iter().flatten().map(|c| c.rivals).max().unwrap_or(0);
        let curve = rival_curve(&contests, &scores.clusters, &[most], Field::UpToAll, &options);
        let want = scores.metric(Metric::ResolvedAt1).unwrap().value;
        prop_assert_eq!(curve.first().map(|p| p.queries), want.map(|v| v.queries));
        if let (Some(point), Some(value)) = (curve.first(), want) {
            prop_assert!((point.value - value.expected).abs() < 1e-12, "{} {}", point.value, value.expected);
            prop_assert_eq!(point.low.is_some(), value.low.is_some());
            prop_assert!((point.low.unwrap_or(0.0) - value.low.unwrap_or(0.0)).abs() < 1e-12);
        }
    }
}

#[test]
fn all_level_is_chance() {
    for rivals in [1, 9, 10_000_000] {
        let c = Contest { rivals, above: 3, level: 0, answers: 1 }.undecided();
        for m in [0, 1, 7, 1_000, rivals].into_iter().filter(|m| *m <= rivals) {
            let chance = 1.0 / (m + 1) as f64;
            assert!((c.on_top_of(m).unwrap() - chance).abs() < 1e-12 * chance, "{m} of {rivals}");
        }
    }
}

#[test]
fn what_cannot_be_is_no_panic() {
    let odd = Contest { rivals: 3, above: 9, level: 9, answers: 0 };
    assert_eq!((odd.on_top_of(0), odd.on_top_of(3), odd.on_top_of(4)), (Some(1.0), Some(0.0), None));
    let most = usize::MAX;
    let huge = Contest { rivals: most, above: 1, level: most, answers: 1 };
    assert_eq!((huge.on_top_of(0), huge.on_top_of(most)), (Some(1.0), None));
    assert!(huge.on_top_of(most / 4).unwrap() < 1e-15);
    assert_eq!(Contest { answers: most, level: 1, ..huge }.on_top_of(1), Some(1.0));
}

#[test]
fn three_ways_to_choose_the_queries() {
    let of = |rivals, above| Some(Contest { rivals, above, level: 0, answers: 1 });
    // One easy query with many rivals, one lost with few, one without any, one without answer.
    let contests = [of(10, 0), of(2, 2), of(0, 0), None];
    let curve = |field| {
        let points = rival_curve(&contests, &[0, 1, 2, 3], &[1, 2, 10], field, &Options::default());
        points.iter().map(|p| (p.x, p.value, p.queries)).collect::<Vec<_>>()
    };
    assert_eq!(curve(Field::Reaching), [(1, 0.5, 2), (2, 0.5, 2), (10, 1.0, 1)], "rises as the lost query drops out");
    assert_eq!(curve(Field::AtLeast(2)), [(1, 0.5, 2), (2, 0.5, 2)]);
    assert_eq!(curve(Field::AtLeast(10)), [(1, 1.0, 1), (2, 1.0, 1), (10, 1.0, 1)]);
    assert_eq!(curve(Field::UpToAll), [(1, 0.5, 2), (2, 0.5, 2), (10, 0.5, 2)]);
}
