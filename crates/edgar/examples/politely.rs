//! Asks an EDGAR, or what stands in for it, for addresses read from standard input, politely, and says what came of each.
//!
//! ```text
//! politely http://127.0.0.1:8080 FOLDER [THREADS [RATE [PAUSE-SECONDS]]] < lines of "WANTED URL"
//! ```
//!
//! The log of requests and a remembered pause are kept in FOLDER, the answers in `FOLDER/answers`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to the terminal")]

use std::io::Read;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use eightk_edgar::address::Hosts;
use eightk_edgar::web::{Polite, Records, RequestLog, Settings, Stop, UserAgent, Wanted, Web};
use eightk_edgar::{Event, Watcher};

struct Shown;

impl Watcher for Shown {
    fn see(&self, event: Event) {
        eprintln!("{event:?}");
    }
}

fn wanted(word: &str) -> Result<Wanted, String> {
    [Wanted::Search, Wanted::Index, Wanted::Header, Wanted::Document]
        .into_iter()
        .find(|w| w.to_string() == word)
        .ok_or_else(|| format!("nothing can be wanted by `{word}`"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (base, folder) = (args.next().ok_or("which address?")?, PathBuf::from(args.next().ok_or("which folder?")?));
    let threads: usize = args.next().map_or(Ok(4), |n| n.parse())?;
    let rate: f64 = args.next().map_or(Ok(4.0), |n| n.parse())?;
    let pause: f64 = args.next().map_or(Ok(600.0), |n| n.parse())?;
    let settings = Settings { rate, block_pause: Duration::from_secs_f64(pause), ..Settings::default() };
    settings.check()?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let asked =
        text.lines().map(|l| l.split_once(' ').ok_or("a line without address")).collect::<Result<Vec<_>, _>>()?;
    std::fs::create_dir_all(folder.join("answers"))?;
    let agent = UserAgent::parse("Jane Doe jane@acme.test", false)?;
    let records = Records {
        log: RequestLog::open(folder.join("requests.jsonl"))?,
        pause: folder.join("pause.json"),
        quiet: Duration::from_millis(1100),
    };
    let polite = Polite::new(Hosts::at(&base)?, agent, settings, records, &Stop::new(), &Shown)?;
    let next = Mutex::new(asked.iter().enumerate());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let take = || next.lock().ok().and_then(|mut next| next.next());
                while let Some((n, (word, url))) = take() {
                    let got = wanted(word).map_err(Into::into).and_then(|wanted| {
                        let answer = polite.get(url, wanted)?;
                        std::fs::write(folder.join("answers").join(n.to_string()), &answer.body)?;
                        Ok::<_, Box<dyn std::error::Error>>(answer.body.len())
                    });
                    match got {
                        Ok(bytes) => println!("{n} {bytes} bytes {url}"),
                        Err(error) => println!("{n} FAILED {url}: {error}"),
                    }
                }
            });
        }
    });
    Ok(())
}
