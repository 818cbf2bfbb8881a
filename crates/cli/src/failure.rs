//! How a command fails: the message and the exit code.
//!
//! 1 = something is wrong with what was looked at (or could not be read or written), 2 = the command was used wrong. The
//! libraries' errors already say what to do next; here they only get their code.

use std::io::Write;
use std::process::ExitCode;

use eightk_encode::EncodeError;

/// A failed command.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    report: miette::Report,
}

impl Failure {
    /// The command was used wrong.
    pub(crate) fn usage(message: impl std::fmt::Display) -> Self {
        Self { code: 2, report: miette::miette!("{message}") }
    }

    /// What was looked at is wrong, or cannot be read or written.
    pub(crate) fn wrong(message: impl std::fmt::Display) -> Self {
        Self { code: 1, report: miette::miette!("{message}") }
    }

    /// The same for whoever wants an encoder and gets none.
    pub(crate) fn into_encode_error(self) -> EncodeError {
        let message = format!("{:#}", self.report);
        if self.code == 2 { EncodeError::Usage(message) } else { EncodeError::Unavailable(message) }
    }

    /// The message alone.
    pub(crate) fn into_message(self) -> String {
        format!("{:#}", self.report)
    }

    /// Prints the message and gives the exit code. A reader that closed the pipe is no failure to report.
    pub(crate) fn report(self) -> ExitCode {
        let _ = writeln!(std::io::stderr(), "error: {:#}", self.report);
        ExitCode::from(self.code)
    }
}

/// A result whose error carries its exit code.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Standard output closed early, by `head` for example: stop quietly.
impl From<std::io::Error> for Failure {
    fn from(e: std::io::Error) -> Self {
        if e.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        Self::wrong(format!("cannot write the output: {e}"))
    }
}

impl From<eightk_build::BuildError> for Failure {
    fn from(e: eightk_build::BuildError) -> Self {
        use eightk_build::BuildError as B;
        match e {
            B::NoSuchInput(_) | B::NothingToRead(_) | B::EmptyStore(_) | B::OutputHoldsInput { .. } => Self::usage(e),
            B::Dataset(e) => e.into(),
            _ => Self::wrong(e),
        }
    }
}

impl From<eightk_dataset::DatasetError> for Failure {
    fn from(e: eightk_dataset::DatasetError) -> Self {
        if e.kind() == eightk_dataset::ErrorKind::Usage { Self::usage(e) } else { Self::wrong(e) }
    }
}

impl From<eightk_runs::RunsError> for Failure {
    fn from(e: eightk_runs::RunsError) -> Self {
        if e.is_user_mistake() { Self::usage(e) } else { Self::wrong(e) }
    }
}

impl From<eightk_report::ReportError> for Failure {
    fn from(e: eightk_report::ReportError) -> Self {
        Self::wrong(e)
    }
}

impl From<eightk_explore::ExploreError> for Failure {
    fn from(e: eightk_explore::ExploreError) -> Self {
        use eightk_explore::ExploreError as X;
        match e {
            X::RemoteNotAllowed(_) => Self::usage(format!("{e}: --allow-remote")),
            X::HostName(_) => Self::usage(format!("--allow-host: {e}")),
            X::Dataset(e) => e.into(),
            _ => Self::wrong(e),
        }
    }
}

impl From<eightk_hub::HubError> for Failure {
    fn from(e: eightk_hub::HubError) -> Self {
        if e.is_user_mistake() { Self::usage(e) } else { Self::wrong(e) }
    }
}

impl From<eightk_edgar::EdgarError> for Failure {
    fn from(e: eightk_edgar::EdgarError) -> Self {
        if e.is_user_mistake() { Self::usage(e) } else { Self::wrong(e) }
    }
}

impl From<eightk_measure::MeasureError> for Failure {
    fn from(e: eightk_measure::MeasureError) -> Self {
        if e.is_user_mistake() { Self::usage(e) } else { Self::wrong(e) }
    }
}

impl From<eightk_retrieve::RetrieveError> for Failure {
    fn from(e: eightk_retrieve::RetrieveError) -> Self {
        use eightk_retrieve::RetrieveError as R;
        match e {
            R::UnknownSystem { .. }
            | R::UnknownView { .. }
            | R::UnknownControl { .. }
            | R::Control { .. }
            | R::ViewOf { .. }
            | R::NoContext { .. }
            | R::Setting { .. }
            | R::Malformed { .. }
            | R::SameLabel { .. } => Self::usage(e),
            R::Encode(eightk_encode::EncodeError::Usage(_)) => Self::usage(e),
            _ => Self::wrong(e),
        }
    }
}

impl From<eightk_encode::EncodeError> for Failure {
    fn from(e: eightk_encode::EncodeError) -> Self {
        if matches!(e, eightk_encode::EncodeError::Usage(_)) { Self::usage(e) } else { Self::wrong(e) }
    }
}

impl From<eightk_edgar::web::WebError> for Failure {
    fn from(e: eightk_edgar::web::WebError) -> Self {
        Self::wrong(e)
    }
}
