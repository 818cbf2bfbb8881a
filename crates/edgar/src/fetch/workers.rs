//! A few threads over a list.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Does `work` for each item on up to `threads` threads, in order of start. The first error stops the rest from being begun; items not
/// begun have no result. Results are in the order of the items, whatever the threads did.
pub(super) fn each<T: Sync, R: Send, E: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> (Vec<Option<R>>, Option<E>) {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let results: Mutex<(Vec<Option<R>>, Option<E>)> = Mutex::new((items.iter().map(|_| None).collect(), None));
    let run = || {
        while !stop.load(Ordering::Relaxed) {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { break };
            let result = work(item);
            let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match result {
                Ok(r) => {
                    if let Some(slot) = results.0.get_mut(i) {
                        *slot = Some(r);
                    }
                }
                Err(e) => {
                    stop.store(true, Ordering::Relaxed);
                    results.1.get_or_insert(e);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            scope.spawn(run);
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_order_and_an_error_stops_the_rest() {
        let items: Vec<u32> = (0..100).collect();
        let (all, error) = each(&items, 4, |n| Ok::<_, ()>(n * 2));
        assert_eq!(error, None);
        assert_eq!(all.into_iter().flatten().collect::<Vec<_>>(), (0..100).map(|n| n * 2).collect::<Vec<_>>());
        let (some, error) = each(&items, 1, |n| if *n == 10 { Err("ten") } else { Ok(*n) });
        assert_eq!(error, Some("ten"));
        assert_eq!(some.into_iter().flatten().count(), 10);
        assert_eq!(each(&[] as &[u32], 4, |n| Ok::<_, ()>(*n)).0.len(), 0);
    }
}
