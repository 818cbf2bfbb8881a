//! Ctrl-C, and the other signals that mean "stop".
//!
//! A command that leaves nothing half made stops at once. One that has something to say about what is done (a fetch) asks to be
//! told instead, and gets one chance: the second signal stops it too.

use std::io::Write;
use std::sync::Mutex;

use eightk_edgar::web::Stop;

/// Exit code of a command that was told to stop, as shells give it.
pub(crate) const STOPPED: u8 = 130;

/// Who wants to be told.
static TOLD: Mutex<Option<Stop>> = Mutex::new(None);

/// Installs the handler. Without it commands stop all the same, only less tidily.
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| {
        let told = TOLD.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Some(stop) = told {
            stop.set();
            let _ = writeln!(
                std::io::stderr(),
                "stopping after the requests that are under way; once more to stop at once (nothing is lost)"
            );
        } else {
            eightk_dataset::remove_unfinished();
            eightk_hub::remove_unfinished();
            // A program that encodes would go on, for hours if its model hangs.
            eightk_remote::child::end_all();
            std::process::exit(i32::from(STOPPED));
        }
    });
}

/// The first signal from now on sets `stop`.
pub(crate) fn tell(stop: &Stop) {
    *TOLD.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(stop.clone());
}
