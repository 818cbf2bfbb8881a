//! Which child processes run, so that all of them can be ended at once.
//!
//! Each child leads a process group of its own: what it started dies with it. The price is that a Ctrl-C on the terminal no longer
//! reaches it; whoever handles the signal calls [`end_all`]. Where nobody does, a child finds its stdin closed when we are gone.

use std::collections::BTreeSet;
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Process ids, each the leader of its group.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every child process of this program's encoders, and what they started. For the moment before the program ends: the
/// encoders that lose their child say so with an error.
pub fn end_all() {
    for id in running().iter() {
        kill_group(*id);
    }
}

/// From now on it is among those that [`end_all`] kills.
pub(super) fn add(child: &Child) {
    running().insert(child.id());
}

/// Kills a child and what it started, and takes its exit status from the system so that no zombie stays.
pub(super) fn end(child: &mut Child) {
    // Off the list first: once waited for, its id may become another process's.
    running().remove(&child.id());
    kill_group(child.id());
    // Where there are no groups, and where it left its own. One that is gone already is no failure.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}
