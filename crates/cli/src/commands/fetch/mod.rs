//! `eightk fetch --recipe R --store S --user-agent "Name mail@host"`.

mod args;
mod check;
mod report;
mod shown;

use std::process::ExitCode;
use std::time::Duration;

use eightk_edgar::address::Hosts;
use eightk_edgar::fetch::{self, Downloaded, Order, Plan, Planned, Planning};
use eightk_edgar::store::Store;
use eightk_edgar::web::clock::{Clock, MachineClock};
use eightk_edgar::web::{Offline, Polite, Records, RequestLog, Settings, Stop, UserAgent, Web};
use eightk_edgar::{EdgarError, Event, Watcher};

use crate::commands::recipe;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Fetching;

pub(crate) use args::Args;

/// Threads that wait for answers. More would only queue for the same limiter.
const THREADS: usize = 4;

/// How old the last request of the process before this one has to be, so that both together stay under the limit.
const QUIET: Duration = Duration::from_millis(1100);

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    if args.check {
        return check::run(&args.store, args.json);
    }
    let order = args.order(&recipe::load(&args.recipe)?)?;
    let hosts = match &args.edgar_url {
        Some(base) => Hosts::at(base).map_err(|e| Failure::usage(format!("EIGHTK_EDGAR_URL: {e}")))?,
        None => Hosts::default(),
    };
    let settings =
        Settings { rate: args.rate, block_pause: args.block_pause, tries: args.tries, ..Settings::default() };
    settings.check().map_err(|e| Failure::usage(format!("--rate {}: {e}", args.rate)))?;
    let watch = Fetching::new(args.json);
    if args.offline {
        let store = Store::look(&args.store)?;
        let fetched = work(args, &order, &store, &Offline, &watch)?;
        return shown::show(args, &order, &store, fetched);
    }
    let agent = agent(args, &hosts)?;
    let store = Store::open(&args.store)?;
    let stop = Stop::default();
    interrupt::tell(&stop);
    // Before the log is opened, which would make it look fresh.
    let quiet = quiet(&store);
    let records = Records { log: RequestLog::open(store.requests_path())?, pause: store.pause_path(), quiet };
    let web = Polite::new(hosts, agent, settings, records, &stop, &watch)?;
    let fetched = work(args, &order, &store, &web, &watch)?;
    drop(watch);
    shown::show(args, &order, &store, fetched)
}

/// How long to wait before the first request. What a killed process asked last is not in the log.
fn quiet(store: &Store) -> Duration {
    let age = store.last_active().and_then(|at| at.elapsed().ok());
    match age {
        _ if store.left_running() => QUIET,
        Some(age) => QUIET.saturating_sub(age),
        None => Duration::ZERO,
    }
}

/// The user agent, which nobody but the user can know.
fn agent(args: &Args, hosts: &Hosts) -> Outcome<UserAgent> {
    let given = args.user_agent.as_deref().map(str::trim).filter(|a| !a.is_empty());
    let given = given.ok_or_else(|| {
        Failure::usage(
            "the SEC demands that automated tools say who asks: give --user-agent \"Your Name you@your.domain\", or set EIGHTK_USER_AGENT",
        )
    })?;
    UserAgent::parse(given, hosts.is_edgar()).map_err(|e| Failure::usage(format!("--user-agent: {e}")))
}

/// What a run came to.
enum Fetched {
    /// The plan, whether an earlier run made it, and what was done of it.
    Done(Box<Plan>, bool, Downloaded),
    /// The plan, and what would be done.
    Dry(Box<Plan>, bool, fetch::Progressed),
    /// Not even the plan is known without reading headers.
    NeedsHeaders { listed: usize, unread: usize },
    /// Ended before there was a plan.
    Ended(EdgarError),
}

fn work(args: &Args, order: &Order, store: &Store, web: &dyn Web, watch: &dyn Watcher) -> Outcome<Fetched> {
    let how = Planning {
        today: jiff::tz::Offset::UTC.to_datetime(MachineClock::start().wall()).date().into(),
        threads: THREADS,
        keep: !args.offline,
        dry_run: args.dry_run || args.offline,
        refresh: args.refresh,
    };
    let (plan, reused) = match fetch::plan(order, how, store, web, watch) {
        Ok(Planned::Ready { plan, reused }) => (plan, reused),
        Ok(Planned::NeedsHeaders { listed, unread }) => return Ok(Fetched::NeedsHeaders { listed, unread }),
        Err(e) if e.is_user_mistake() => return Err(e.into()),
        Err(e) => return Ok(Fetched::Ended(e)),
    };
    if reused && plan.is_open_ended() {
        let made = plan.made_on;
        watch.see(Event::Note(format!("the plan is of {made}; --refresh searches for filings made since")));
    }
    let progressed = fetch::look(&plan, store)?;
    for (accession, reason) in &progressed.damaged {
        let what = if args.offline || args.dry_run { "is damaged" } else { "is fetched again" };
        watch.see(Event::Note(format!("{accession} {what}: {reason}")));
    }
    if args.dry_run {
        return Ok(Fetched::Dry(plan, reused, progressed));
    }
    let done = fetch::download(&progressed, store, web, THREADS, watch);
    Ok(Fetched::Done(plan, reused, done))
}
