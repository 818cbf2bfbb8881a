//! What the client does with each kind of answer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::time::{Duration, Instant};

use eightk_hub::{Hub, HubError, Observer, Options, RepoKind, RepoName, Token};
use support::{Fault, Reply, Repo, Server, StandIn};

const COMMIT: &str = "1111111111111111111111111111111111111111";

fn shelf() -> Repo {
    Repo::new("datasets/acme/shelf", COMMIT)
        .small("README.md", "a shelf\n")
        .small("data/odd name#1.txt", "odd\n")
        .large("documents/test.parquet", vec![7; 300_000])
}

/// Patience for tests: short pauses, and timeouts that a loaded machine still meets.
fn quick(server: &Server, cache: &std::path::Path) -> Options {
    let mut options = Options::new(cache.to_owned());
    options.endpoint = server.url();
    options.first_pause = Duration::from_millis(5);
    options.longest_pause = Duration::from_millis(1500);
    options
}

fn with_token(mut options: Options) -> Options {
    options.token = Token::new("hf_topsecret", "HF_TOKEN").unwrap();
    options
}

fn name() -> RepoName {
    RepoName::parse("hf://datasets/acme/shelf", RepoKind::Dataset).unwrap()
}

/// Lists and fetches everything.
fn all(options: Options) -> Result<std::path::PathBuf, HubError> {
    let hub = Hub::new(options)?;
    let listing = hub.list(&name(), &mut ())?;
    let wanted: Vec<String> = listing.paths().map(String::from).collect();
    hub.fetch(&listing, &wanted, &mut ())
}

/// The error of an answer that comes once for each attempt.
fn refused(target: &str, reply: Reply, token: bool) -> String {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    standin.fail(target, usize::MAX, Fault::Reply(reply));
    let options = quick(&standin.hub, dir.path());
    let error = all(if token { with_token(options) } else { options }).unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(!text.contains("topsecret") && !text.contains("geheim"), "{text}");
    error.to_string()
}

#[test]
fn a_repository_is_fetched_page_by_page_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let folder = all(quick(&standin.hub, dir.path())).unwrap();
    assert!(folder.ends_with(format!("datasets--acme--shelf/snapshots/{COMMIT}")), "{}", folder.display());
    assert_eq!(std::fs::read(folder.join("documents/test.parquet")).unwrap(), vec![7; 300_000]);
    assert_eq!(std::fs::read(folder.join("data/odd name#1.txt")).unwrap(), b"odd\n");
    let asked = standin.take();
    assert_eq!(asked.iter().filter(|t| t.contains("/tree/")).count(), 2, "four entries, two a page: {asked:?}");
    assert!(asked.contains(&format!("/datasets/acme/shelf/resolve/{COMMIT}/data/odd%20name%231.txt")), "{asked:?}");
}

#[test]
fn the_token_goes_to_the_hub_and_to_no_other_host() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    all(with_token(quick(&standin.hub, dir.path()))).unwrap();
    let (hub, cdn) = (standin.hub.seen(), standin.cdn.seen());
    assert!(hub.len() >= 5 && hub.iter().all(|s| s.authorization.as_deref() == Some("Bearer hf_topsecret")));
    assert_eq!(cdn.len(), 1);
    assert_eq!(cdn[0].authorization, None);
}

#[test]
fn a_next_page_on_another_host_is_asked_for_without_the_token() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let other = Server::start(|_| Reply::new(200, "[]"));
    let link = format!("<{}/api/x>; rel=\"next\"", other.url());
    standin.fail("/tree/", 1, Fault::Reply(Reply::new(200, "[]").header("Link", link)));
    all(with_token(quick(&standin.hub, dir.path()))).unwrap();
    assert_eq!(other.seen().len(), 1);
    assert_eq!(other.seen()[0].authorization, None);
}

#[test]
fn a_repository_that_was_renamed_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    standin.change(|r| r.place = "datasets/acme/bookcase".to_owned());
    for what in [format!("tree/{COMMIT}?recursive=true"), "revision/main".to_owned()] {
        let to = format!("/api/datasets/acme/bookcase/{what}");
        standin.fail(
            &format!("/api/datasets/acme/shelf/{}", &what[..5]),
            1,
            Fault::Reply(Reply::new(307, "").header("Location", to)),
        );
    }
    for file in ["README.md", "data/odd%20name%231.txt", "documents/test.parquet"] {
        let to = format!("/datasets/acme/bookcase/resolve/{COMMIT}/{file}");
        let from = format!("/datasets/acme/shelf/resolve/{COMMIT}/{file}");
        standin.fail(&from, 1, Fault::Reply(Reply::new(307, "").header("Location", to)));
    }
    all(quick(&standin.hub, dir.path())).unwrap();
}

#[test]
fn redirects_end() {
    let error =
        refused("/revision/", Reply::new(302, "").header("Location", "/api/datasets/acme/shelf/revision/main"), false);
    assert!(error.contains("redirects"), "{error}");
    assert!(refused("/revision/", Reply::new(302, ""), false).contains("redirect to nowhere"));
    let error = refused("/revision/", Reply::new(302, "").header("Location", "file:///etc/passwd"), false);
    assert!(error.contains("redirect to nowhere"), "{error}");
}

#[test]
fn closed_doors_say_how_to_open_them() {
    let coded = |status: u16, code: &str| Reply::new(status, "{}").header("X-Error-Code", code);
    for (reply, token, words) in [
        (Reply::new(401, "{}"), false, &["private or gated", "spelling", "HF_TOKEN"][..]),
        (
            coded(401, "GatedRepo"),
            false,
            &["gated", "Accept its conditions at http", "/datasets/acme/shelf", "HF_TOKEN"],
        ),
        (coded(403, "GatedRepo"), true, &["has not been let in", "Accept its conditions"]),
        (
            Reply::new(401, "{}").header("X-Error-Message", "Invalid credentials hf_topsecret in Authorization header"),
            true,
            &["does not accept the token from HF_TOKEN", "Invalid credentials *** in"],
        ),
        (Reply::new(401, "{}"), true, &["the token from HF_TOKEN may not read it"]),
        (Reply::new(403, "{}"), true, &["may not read the data set"]),
        (Reply::new(403, "{}"), false, &["private or gated"]),
        (coded(404, "RepoNotFound"), false, &["no such data set", "HF_TOKEN"]),
        (coded(404, "RevisionNotFound"), false, &["no revision `main`"]),
        (Reply::new(418, "").header("X-Error-Message", "I pour tea"), false, &["418", "I pour tea"]),
    ] {
        let status = reply.status;
        let error = refused("/revision/", reply, token);
        for word in words {
            assert!(error.contains(word), "{status}: {word:?} is not in {error}");
        }
    }
}

#[test]
fn what_is_not_there_is_the_users_mistake_and_asked_for_once() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let hub = Hub::new(quick(&standin.hub, dir.path())).unwrap();
    for other in ["hf://datasets/acme/shelf@v9", "hf://datasets/acme/self", "hf://datasets/acme/shelf/docs"] {
        let name = RepoName::parse(other, RepoKind::Dataset).unwrap();
        let error = hub.list(&name, &mut ()).unwrap_err();
        assert!(matches!(error, HubError::NotFound { .. }) && error.is_user_mistake(), "{error}");
        assert!(standin.take().iter().filter(|t| t.contains("/revision/")).count() == 1);
    }
    let name = RepoName::parse("hf://datasets/acme/shelf/documents/test.parquet", RepoKind::Dataset).unwrap();
    let error = hub.list(&name, &mut ()).unwrap_err().to_string();
    assert!(error.contains("is a file") && error.contains("hf://datasets/acme/shelf/documents"), "{error}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "only the listing of acme/shelf is kept");
}

/// Pauses, as they are announced.
#[derive(Default)]
struct Pauses(Vec<(String, Duration)>);

impl Observer for Pauses {
    fn waiting(&mut self, reason: &str, pause: Duration) {
        self.0.push((reason.to_owned(), pause));
    }
}

#[test]
fn a_busy_hub_is_given_the_time_it_asks_for() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    standin.fail("/revision/", 1, Fault::Reply(Reply::new(429, "").header("Retry-After", "1")));
    let mut pauses = Pauses::default();
    let begun = Instant::now();
    Hub::new(quick(&standin.hub, dir.path())).unwrap().list(&name(), &mut pauses).unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(pauses.0.len(), 1);
    assert_eq!(pauses.0[0].1, Duration::from_secs(1));
    // The Hub's own header, and a pause that is too long to sit through.
    let long = Reply::new(429, "").header("RateLimit", "\"api\";r=0;t=600");
    let error = refused("/revision/", long, false);
    assert!(error.contains("wait for 600 s"), "{error}");
}

#[test]
fn passing_failures_pass() {
    for fault in [
        Fault::Reply(Reply::new(500, "")),
        Fault::Reply(Reply::new(503, "<html>")),
        Fault::Reply(Reply::new(429, "")),
        Fault::Cut(0),
        Fault::Cut(10),
    ] {
        for target in ["/revision/", "/tree/", "README.md", "/store/"] {
            let dir = tempfile::tempdir().unwrap();
            let standin = StandIn::start(shelf());
            standin.fail(target, 2, fault.clone());
            let folder = all(quick(&standin.hub, dir.path())).unwrap_or_else(|e| panic!("{target} {fault:?}: {e}"));
            assert_eq!(std::fs::read(folder.join("documents/test.parquet")).unwrap(), vec![7; 300_000]);
        }
    }
}

#[test]
fn failures_that_stay_are_told_with_their_address() {
    let error = refused("/revision/", Reply::new(503, ""), false);
    assert!(error.contains("503") && error.contains("/api/datasets/acme/shelf/revision/main"), "{error}");
    let error = refused("/store/", Reply::new(403, ""), false);
    assert!(error.contains("403") && error.contains("/store/documents/test.parquet cannot be had"), "{error}");
}

#[test]
fn a_signed_address_that_ran_out_is_renewed() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    standin.fail("/store/", 1, Fault::Reply(Reply::new(403, "expired")));
    all(quick(&standin.hub, dir.path())).unwrap();
    let asked = standin.hub.seen();
    assert_eq!(asked.iter().filter(|s| s.target.ends_with("test.parquet")).count(), 2);
}

#[test]
fn a_web_page_in_place_of_json_is_seen_for_what_it_is() {
    for target in ["/revision/", "/tree/"] {
        let error = refused(target, Reply::new(200, "<!doctype html><html>Please log in</html>"), false);
        assert!(error.contains("a web page") && error.contains("proxy"), "{error}");
        let error = refused(target, Reply::new(200, "{\"surprise\": 1}"), false);
        assert!(error.contains("no JSON of the expected shape"), "{error}");
    }
    let error = refused("/revision/", Reply::new(200, "{\"sha\": \"../../x\"}"), false);
    assert!(error.contains("the commit that it names is none"), "{error}");
    let page = Reply::new(200, "<html>log in</html>").header("Content-Type", "text/html");
    let error = refused("/store/", page, false);
    assert!(error.contains("documents/test.parquet") && error.contains("19 bytes of text/html"), "{error}");
}

#[test]
fn a_cut_file_is_taken_up_where_it_broke() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    standin.fail("/store/", 2, Fault::Cut(100_000));
    let folder = all(quick(&standin.hub, dir.path())).unwrap();
    assert_eq!(std::fs::read(folder.join("documents/test.parquet")).unwrap(), vec![7; 300_000]);
    let from: Vec<usize> = standin.cdn.seen().iter().map(|s| s.from).collect();
    assert_eq!(from, [0, 100_000, 200_000]);
}

#[test]
fn a_file_that_stays_cut_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    standin.fail("README.md", 99, Fault::Cut(1));
    let error = all(quick(&standin.hub, dir.path())).unwrap_err();
    assert!(error.to_string().contains("README.md"), "{error}");
    assert_eq!(files_below(&dir.path().join("datasets--acme--shelf/blobs")), 0);
}

#[test]
fn a_wrong_hash_is_an_error_and_the_file_is_not_kept() {
    for (target, path) in [("README.md", "README.md"), ("/store/", "documents/test.parquet")] {
        let dir = tempfile::tempdir().unwrap();
        let standin = StandIn::start(shelf());
        standin.fail(target, 99, Fault::Garble);
        let error = all(quick(&standin.hub, dir.path())).unwrap_err();
        assert!(
            matches!(&error, HubError::Damaged { file, problem, .. } if file == path && problem.contains("hash")),
            "{error}"
        );
        assert!(!dir.path().join(format!("datasets--acme--shelf/snapshots/{COMMIT}/{path}")).exists());
        // Once it may have been the network.
        let dir = tempfile::tempdir().unwrap();
        let standin = StandIn::start(shelf());
        standin.fail(target, 1, Fault::Garble);
        all(quick(&standin.hub, dir.path())).unwrap();
    }
}

#[test]
fn a_hub_that_hangs_is_given_up() {
    for target in ["/revision/", "/store/"] {
        let dir = tempfile::tempdir().unwrap();
        let standin = StandIn::start(shelf());
        standin.fail(target, 99, Fault::Reply(Reply::hang()));
        let mut options = quick(&standin.hub, dir.path());
        (options.idle_timeout, options.attempts) = (Duration::from_millis(200), 2);
        let begun = Instant::now();
        let error = all(options).unwrap_err();
        assert!(matches!(error, HubError::Unreachable { .. }) && error.to_string().contains("in time"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn a_drip_is_given_up() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let mut drip = Reply::new(200, "a shelf\n");
    drip.drip = Some(Duration::from_millis(150));
    standin.fail("README.md", 99, Fault::Reply(drip));
    let mut options = quick(&standin.hub, dir.path());
    // Each byte comes in time, the whole does not.
    (options.idle_timeout, options.attempts) = (Duration::from_millis(600), 1);
    let error = all(options).unwrap_err();
    assert!(matches!(error, HubError::Unreachable { .. }) && error.to_string().contains("in time"), "{error}");
}

#[test]
fn nobody_there() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let options = quick(&standin.hub, dir.path());
    drop(standin);
    // The port may take a moment to close.
    let mut error = all(options.clone()).unwrap_err();
    for _ in 0..50 {
        if error.to_string().contains("refused") {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
        error = all(options.clone()).unwrap_err();
    }
    assert!(matches!(&error, HubError::Unreachable { .. }) && error.to_string().contains("HF_HUB_OFFLINE"), "{error}");
}

#[test]
fn listings_that_climb_write_nothing() {
    let git = "0".repeat(40);
    for path in ["../../evil", "/etc/evil", "documents/../../../evil"] {
        let dir = tempfile::tempdir().unwrap();
        let standin = StandIn::start(shelf());
        let entry = serde_json::json!({"type": "file", "path": path, "oid": git, "size": 3});
        standin.change(|r| r.odd_entries.push(entry));
        let error = all(quick(&standin.hub, dir.path())).unwrap_err();
        assert!(matches!(&error, HubError::UnsafePath { .. }), "{error}");
        assert_eq!(files_below(dir.path()), 0);
    }
    // To git a backslash is a letter; to a cache that is shared it is not.
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf().small("..\\evil", "x"));
    let error = all(quick(&standin.hub, dir.path())).unwrap_err();
    assert!(matches!(&error, HubError::UnsafePath { .. }), "{error}");
}

#[test]
fn a_listing_without_end_is_given_up() {
    let link = "</api/datasets/acme/shelf/tree/1?recursive=true>; rel=\"next\"";
    let error = refused("/tree/", Reply::new(200, "[]").header("Link", link), false);
    assert!(error.contains("does not end"), "{error}");
}

#[test]
fn an_endpoint_may_have_a_path_and_a_slash() {
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(shelf());
    let hub = standin.hub.url();
    let inner = hub.clone();
    let proxy = Server::start(move |seen| {
        Reply::new(307, "").header("Location", format!("{inner}{}", seen.target.replace("/mirror", "")))
    });
    let mut options = with_token(quick(&proxy, dir.path()));
    options.endpoint = format!("{}/mirror/", proxy.url());
    all(options).unwrap();
    assert!(proxy.seen().iter().all(|s| s.target.starts_with("/mirror/") && s.authorization.is_some()));
    assert!(standin.hub.seen().iter().all(|s| s.authorization.is_none()), "the other host saw the token");
    for bad in ["huggingface.co", "ftp://x", "http://", "http://me:pass@x", ""] {
        let mut options = quick(&standin.hub, dir.path());
        options.endpoint = bad.to_owned();
        let error = Hub::new(options).err().unwrap_or_else(|| panic!("{bad} is taken"));
        assert!(error.is_user_mistake() && error.to_string().contains("HF_ENDPOINT"), "{error}");
    }
}

/// Files below a folder, links included.
fn files_below(root: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(root) else { return 0 };
    entries.map(|e| e.unwrap().path()).map(|p| if p.is_dir() { files_below(&p) } else { 1 }).sum()
}
