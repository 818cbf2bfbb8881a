//! Time and memory of a phase: the only numbers that differ from run to run, kept apart from all others.

use std::time::Instant;

use eightk_retrieve::Findings;
use serde::Serialize;

/// What a phase took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Phase {
    /// Wall time.
    pub(crate) seconds: f64,
    /// The most memory the process had resident during the phase, what was there before included; none where the system does
    /// not tell.
    pub(crate) peak_memory_bytes: Option<u64>,
}

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

/// The three phases of one system.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SystemPhases {
    pub(crate) name: String,
    pub(crate) index: Phase,
    pub(crate) search: Phase,
    /// Metrics, families, splits and their intervals.
    pub(crate) score: Phase,
    /// Of systems with an encoder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoding: Option<Encoding>,
}

/// What an encoder had to do in this run: nothing, when the store knew every vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Encoding {
    /// Vectors made.
    pub(crate) encoded: u64,
    /// Vectors taken from the store.
    pub(crate) cached: u64,
    pub(crate) requests: u64,
    pub(crate) tokens: u64,
}

impl Encoding {
    /// None where no vector was needed.
    pub(crate) fn of(findings: &Findings) -> Option<Self> {
        let Findings { encoded, cached, requests, tokens, .. } = *findings;
        (encoded + cached + requests > 0).then_some(Self { encoded, cached, requests, tokens })
    }
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
