//! Time and memory of a phase: the only numbers that differ from run to run, kept apart from all others.

use std::time::Instant;

use eightk_runs::Phase;

/// Does something and measures it.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, Phase) {
    // Linux keeps a high-water mark and puts it back to the present size when told so; where it does not, no number is
    // better than the peak of something else.
    let reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let start = Instant::now();
    let result = work();
    let seconds = start.elapsed().as_secs_f64();
    (result, Phase { seconds, peak_memory_bytes: peak().filter(|_| reset) })
}

/// The high-water mark of resident memory.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_has_its_own_peak() {
        let (sum, large) = measured(|| vec![1_u8; 64 << 20].iter().map(|b| u64::from(*b)).sum::<u64>());
        assert_eq!(sum, 64 << 20);
        let ((), small) = measured(|| ());
        assert!(large.seconds > small.seconds);
        if let (Some(large), Some(small)) = (large.peak_memory_bytes, small.peak_memory_bytes) {
            assert!(large >= 64 << 20 && large > small + (32 << 20), "{large} {small}");
        }
    }
}
