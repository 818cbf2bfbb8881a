//! Results by their index.
//!
//! Services answer batches out of order, and clients that number what comes as it comes give vectors to the wrong texts without anything looking odd.

/// Puts each item where its index says, so that every place has exactly one. What is wrong is said as the end of a sentence about the
/// answer; `noun` names the items.
pub(crate) fn placed<T>(
    items: impl IntoIterator<Item = (Option<u64>, T)>,
    places: usize,
    noun: &str,
) -> Result<Vec<T>, String> {
    let mut slots: Vec<Option<T>> = (0..places).map(|_| None).collect();
    let mut came = 0_usize;
    for (index, item) in items {
        came += 1;
        let Some(index) = index else { return Err(format!("holds a {noun} without index")) };
        let slot = usize::try_from(index).ok().and_then(|i| slots.get_mut(i));
        let Some(slot) = slot else {
            return Err(format!("holds a {noun} with index {index}, where {places} were asked for"));
        };
        if slot.replace(item).is_some() {
            return Err(format!("holds two {noun}s with index {index}"));
        }
    }
    match slots.iter().position(Option::is_none) {
        Some(gap) => {
            Err(format!("holds {came} {noun}s where {places} were asked for; the first without one is index {gap}"))
        }
        None => Ok(slots.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(items: &[(u64, char)], places: usize) -> Result<String, String> {
        placed(items.iter().map(|(i, c)| (Some(*i), *c)), places, "vector").map(|v| v.into_iter().collect())
    }

    #[test]
    fn in_place_or_refused() {
        assert_eq!(of(&[(2, 'c'), (0, 'a'), (1, 'b')], 3).unwrap(), "abc");
        assert_eq!(of(&[], 0).unwrap(), "");
        assert!(of(&[(0, 'a'), (0, 'b')], 2).unwrap_err().contains("two vectors with index 0"));
        assert!(
            of(&[(0, 'a'), (2, 'c')], 3)
                .unwrap_err()
                .contains("2 vectors where 3 were asked for; the first without one is index 1")
        );
        assert!(of(&[(3, 'a')], 3).unwrap_err().contains("index 3"));
        assert!(of(&[(u64::MAX, 'a')], 3).is_err());
        assert!(placed([(None, 'a')], 1, "vector").unwrap_err().contains("without index"));
    }

    proptest! {
        #[test]
        fn any_order_is_undone(n in 0_u64..50, seed: u64) {
            let mut order: Vec<u64> = (0..n).collect();
            order.sort_by_key(|i| (i + 1).wrapping_mul(seed | 1).rotate_left(17));
            let values = placed(order.into_iter().map(|i| (Some(i), i)), n as usize, "vector").unwrap();
            prop_assert!(values.into_iter().eq(0..n));
        }
    }
}
