//! The numbers of asking, in one place.

use std::time::Duration;

/// The highest rate that may be asked for. EDGAR allows ten a second; nearly ten were blocked.
pub const MAX_RATE: f64 = 9.0;

/// How to ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Requests a second, of all threads together.
    pub rate: f64,
    /// How long nothing is asked after EDGAR refused.
    pub block_pause: Duration,
    /// How many pauses without a whole answer in between, before the run ends.
    pub pauses: u32,
    /// How often one file is asked for.
    pub tries: u32,
    /// Wait before the second try; doubled before each further one.
    pub back_off: Duration,
    /// Longest wait before a try.
    pub longest_back_off: Duration,
    /// Redirects followed for one file.
    pub redirects: u32,
    /// Limits of one request.
    pub timeouts: Timeouts,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rate: 4.0,
            block_pause: Duration::from_secs(600),
            pauses: 3,
            tries: 6,
            back_off: Duration::from_secs(1),
            longest_back_off: Duration::from_secs(60),
            redirects: 3,
            timeouts: Timeouts::default(),
        }
    }
}

impl Settings {
    /// What a user may not ask for.
    ///
    /// # Errors
    ///
    /// A sentence that says so.
    pub fn check(&self) -> Result<(), String> {
        if !(0.01..=MAX_RATE).contains(&self.rate) {
            return Err(format!(
                "a rate of {} requests a second is not possible; EDGAR allows ten and blocks close below: give at most {MAX_RATE}, and at least 0.01",
                self.rate
            ));
        }
        if self.tries == 0 {
            return Err("every file has to be asked for at least once".to_owned());
        }
        Ok(())
    }
}

/// How long each part of a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until there is a connection.
    pub connect: Duration,
    /// Until the answer begins.
    pub head: Duration,
    /// Between two pieces of the body.
    pub stall: Duration,
    /// All of it.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), head: seconds(60), stall: seconds(60), whole: seconds(300) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let at = |rate| Settings { rate, ..Settings::default() }.check();
        for good in [0.01, 0.5, 4.0, 9.0] {
            assert_eq!(at(good), Ok(()));
        }
        for bad in [0.0, -1.0, 9.1, 10.0, f64::NAN, f64::INFINITY] {
            assert!(at(bad).unwrap_err().contains("at most 9"), "{bad}");
        }
        assert!(Settings { tries: 0, ..Settings::default() }.check().is_err());
    }
}
