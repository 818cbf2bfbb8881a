//! Where curves are drawn: round numbers that lie evenly on a logarithmic axis.

/// 1, 2, 3, 5, 10, 20, 50, 100 … below `end`, then `end` itself; nothing for 0.
pub(super) fn up_to(end: usize) -> Vec<usize> {
    let mut list: Vec<usize> = [1, 2, 3, 5].into_iter().filter(|x| *x < end).collect();
    let mut decade = 10_usize;
    while decade < end {
        list.extend([1, 2, 5].map(|d| decade.saturating_mul(d)).into_iter().filter(|x| *x < end));
        let Some(next) = decade.checked_mul(10) else { break };
        decade = next;
    }
    if end > 0 {
        list.push(end);
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_at_the_end() {
        assert_eq!(up_to(0), [0; 0]);
        assert_eq!(up_to(1), [1]);
        assert_eq!(up_to(27), [1, 2, 3, 5, 10, 20, 27]);
        assert_eq!(up_to(100), [1, 2, 3, 5, 10, 20, 50, 100]);
        assert!(up_to(usize::MAX).windows(2).all(|w| w[0] < w[1]));
    }
}
