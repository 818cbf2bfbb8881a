//! What the server answers, to whom, and for how long: each rule through a real connection.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::live::Told;
use common::sets::Maker;
use common::{options, read_all, serve, serve_with};
use eightk_explore::{ExploreError, NoSystems, ServerOptions, bind};

const SAFE: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

#[test]
fn every_answer_carries_the_headers_that_make_it_harmless() {
    let folder = Maker::sound(3).write();
    let server = serve(folder.path());
    for path in [
        "/",
        "/filings",
        "/filings/0",
        "/queries/1/rivals",
        "/nope",
        "/download/filings.csv",
        "/filing?id=x",
        "/search",
    ] {
        let answer = server.get(path);
        for (name, value) in SAFE {
            assert_eq!(answer.header(name), Some(*value), "{path}");
        }
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        assert!(answer.header("server").is_none());
    }
    let refused = server.raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(refused.header("x-content-type-options"), Some("nosniff"));
}

#[test]
fn pages_hold_no_style_and_no_script_and_assets_are_kept() {
    let folder = Maker::sound(3).write();
    let server = serve(folder.path());
    let page = server.page("/");
    assert!(!page.contains("style=") && !page.contains("<style") && !page.contains("onclick"));
    let parsed = common::html::parse(&page);
    let of = |name: &str, attribute: &str| {
        let tags = parsed.tags.iter().filter(move |t| t.name == name);
        tags.filter_map(|t| t.attributes.get(attribute))
            .filter(|a| a.starts_with("/assets/"))
            .cloned()
            .collect::<Vec<_>>()
    };
    let assets = [of("link", "href"), of("script", "src")].concat();
    assert_eq!(assets.len(), 3, "{assets:?}");
    for asset in &assets {
        let answer = server.get(asset);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert!(answer.body.len() > 100);
    }
    assert_eq!(server.get("/assets/style-0000000000000000.css").status, 404);
}

#[test]
fn only_names_that_nobody_else_can_own_are_answered() {
    let folder = Maker::sound(2).write();
    let options = ServerOptions { allowed_hosts: vec!["bench.example".to_owned()], ..options() };
    let server = serve_with(folder.path(), options, Arc::new(NoSystems), |_| {});
    let port = server.address.port();
    let ask = |target: &str, hosts: &str| {
        server.raw(format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n").as_bytes()).status
    };
    for host in ["localhost", "127.0.0.1", "127.1.2.3", "[::1]", "bench.example"] {
        assert_eq!(ask("/", &format!("Host: {host}:{port}\r\n")), 200, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", "192.168.0.1", "0.0.0.0", "evil.example@localhost"] {
        assert!([400, 421].contains(&ask("/", &format!("Host: {host}:{port}\r\n"))), "{host}");
    }
    assert_eq!(ask("/", "Host: localhost\r\n"), 421);
    assert_eq!(ask("/", ""), 400);
    assert_eq!(ask("/", &format!("Host: localhost:{port}\r\nHost: evil.example\r\n")), 400);
    // The request line names a host as well, and is the one that counts.
    assert_eq!(ask(&format!("http://evil.example:{port}/"), &format!("Host: localhost:{port}\r\n")), 421);
    assert_eq!(ask(&format!("http://localhost:{port}/"), &format!("Host: localhost:{port}\r\n")), 200);
    let refused = server.raw(format!("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n").as_bytes());
    assert!(!refused.body.contains("Marlin") && !refused.body.contains("evil.example"));
}

#[test]
fn nothing_but_reading_is_possible() {
    let folder = Maker::sound(2).write();
    let server = serve(folder.path());
    let host = server.address;
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
        for path in ["/", "/filings", "/search?q=x&a=y", "/nope"] {
            let request = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
            let answer = server.raw(request.as_bytes());
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), Some("GET, HEAD"));
        }
    }
    let head = server.raw(format!("HEAD /filings HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    assert!(head.header("content-length").unwrap().parse::<usize>().unwrap() > 500);
}

#[test]
fn no_address_is_a_path() {
    let folder = Maker::sound(2).write();
    std::fs::write(folder.path().join("secret.txt"), "Quillfeather").unwrap();
    let server = serve(folder.path());
    for path in [
        "/../secret.txt",
        "/..%2fsecret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/download/..%2fsecret.txt",
        "/download/%2e%2e/secret.txt",
        "/filings/..%2f..%2fsecret.txt",
        "/filings/%2e%2e%5c..%5csecret.txt",
        "/filing?id=../../secret.txt",
        "/queries/0/..%2f..%2fsecret.txt",
        "//secret.txt",
        "/documents.jsonl",
        "/audit/rivals.jsonl",
        "/%00",
    ] {
        let answer = server.get(path);
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("Quillfeather") && !answer.body.contains("root:"), "{path}");
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let folder = Maker::sound(2).write();
    let server = serve_with(folder.path(), options(), Arc::new(Told::new(Vec::new())), |_| {});
    let host = server.address;
    let status = |request: String| server.raw(request.as_bytes()).status;
    let start = format!("Host: {host}\r\nConnection: close\r\n");
    let long = "x".repeat(9000);
    assert_eq!(status(format!("GET /?{long} HTTP/1.1\r\n{start}\r\n")), 414);
    let longer = "x".repeat(100_000);
    assert!([0, 414, 431].contains(&status(format!("GET /?{longer} HTTP/1.1\r\n{start}\r\n"))));
    assert!([0, 431].contains(&status(format!("GET / HTTP/1.1\r\n{start}X-Long: {longer}\r\n\r\n"))));
    let many: String = (0..200).map(|i| format!("X-{i}: a\r\n")).collect();
    assert_eq!(status(format!("GET / HTTP/1.1\r\n{start}{many}\r\n")), 431);
    assert_eq!(status(format!("GET / HTTP/1.1\r\n{start}Content-Length: 5\r\n\r\nhello")), 413);
    assert_eq!(
        status(format!("GET / HTTP/1.1\r\n{start}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")),
        413
    );
    assert_eq!(
        status(format!("GET / HTTP/1.1\r\n{start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n")) / 100,
        4
    );
    assert_eq!(server.get(&format!("/search?q={}&a=quick", "x".repeat(1001))).status, 400);
    assert_eq!(server.get(&format!("/search?q={}&a=quick", "x".repeat(1000))).status, 200);
    for odd in [
        "GET\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "\r\n\r\n\r\n\r\nGET",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let answer = server.raw(format!("{odd}{}", "\r\n".repeat(4)).as_bytes());
        assert!([0, 400, 405, 505].contains(&answer.status), "{odd:?}: {}", answer.status);
    }
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_client_that_dawdles_is_left() {
    let folder = Maker::sound(2).write();
    let mut options = options();
    options.limits.header_read = Duration::from_secs(2);
    let server = serve_with(folder.path(), options, Arc::new(NoSystems), |_| {});
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nX: {}\r\n\r\n", server.address, "y".repeat(200));
    let mut stream = server.connect();
    let begun = Instant::now();
    let mut sent = 0;
    for byte in request.as_bytes() {
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        sent += 1;
        std::thread::sleep(Duration::from_millis(250));
        if begun.elapsed() > Duration::from_secs(6) {
            break;
        }
    }
    let answer = read_all(&mut stream);
    assert!(answer.status == 0 || answer.status == 408, "{answer:?}");
    assert!(begun.elapsed() < Duration::from_secs(10) && sent < 40, "{:?} {sent}", begun.elapsed());
    // One that says nothing, or nothing more, likewise.
    let mut silent = server.connect();
    let mut idle = server.connect();
    idle.write_all(format!("GET /nope HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes()).unwrap();
    let begun = Instant::now();
    for stream in [&mut silent, &mut idle] {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn a_client_that_does_not_read_is_left() {
    let mut set = Maker::sound(60);
    for tail in &mut set.tails {
        *tail = "and so on, ".repeat(20_000);
    }
    let folder = set.write();
    let mut options = options();
    options.limits.write_stall = Duration::from_secs(5);
    options.limits.downloads = 1;
    let server = serve_with(folder.path(), options, Arc::new(NoSystems), |_| {});
    let mut stream = server.connect();
    stream
        .write_all(format!("GET /download/chunks.csv HTTP/1.1\r\nHost: {}\r\n\r\n", server.address).as_bytes())
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let busy = server.get("/download/filings.csv");
    assert_eq!((busy.status, busy.header("retry-after")), (503, Some("3")));
    // Its place is free again once it is given up.
    let begun = Instant::now();
    while server.get("/download/filings.csv").status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(15));
        std::thread::sleep(Duration::from_millis(100));
    }
    let rest = read_all(&mut stream);
    assert!(rest.body.len() < 30_000_000, "{}", rest.body.len());
}

#[test]
fn connections_that_wait_do_not_shut_out_others() {
    let folder = Maker::sound(2).write();
    let mut options = options();
    options.limits.header_read = Duration::from_secs(1);
    options.limits.connections = 20;
    let server = serve_with(folder.path(), options, Arc::new(NoSystems), |_| {});
    let waiting: Vec<_> = (0..40).map(|_| server.connect()).collect();
    let begun = Instant::now();
    assert_eq!(server.get("/").status, 200);
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    drop(waiting);
}

#[test]
fn two_hundred_at_once_are_all_answered() {
    let folder = Maker::sound(20).write();
    let server = serve_with(folder.path(), options(), Arc::new(Told::new(Vec::new())), |_| {});
    let paths = [
        "/",
        "/filings?q=marlin",
        "/filings/3",
        "/queries/2",
        "/queries/5/rivals",
        "/search?q=x&a=quick",
        "/download/filings.csv",
        "/nope",
    ];
    let until = Instant::now() + Duration::from_secs(2);
    let counts: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let client = |n: usize| {
            let (server, paths) = (&server, &paths);
            move || {
                let (mut right, mut busy) = (0, 0);
                while Instant::now() < until {
                    let path = paths[(n + right + busy) % paths.len()];
                    match server.get(path).status {
                        200 => right += 1,
                        404 if path == "/nope" => right += 1,
                        503 if path.starts_with("/search") || path.starts_with("/download") => busy += 1,
                        other => panic!("{path}: {other}"),
                    }
                }
                (right, busy)
            }
        };
        let clients: Vec<_> = (0..200).map(|n| scope.spawn(client(n))).collect();
        clients.into_iter().map(|c| c.join().unwrap()).collect()
    });
    let answered: usize = counts.iter().map(|(right, _)| right).sum();
    assert!(answered >= 200, "{answered}");
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn pages_of_others_may_link_here_and_no_more() {
    let folder = Maker::sound(2).write();
    let server =
        serve_with(folder.path(), options(), Arc::new(Told::new(vec!["0000051400-25-000000#s0".to_owned()])), |_| {});
    let from = |site: &str, mode: &str| format!("Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\n");
    for site in ["cross-site", "same-site"] {
        assert_eq!(server.get_with("/filings", &from(site, "no-cors")).status, 403);
        assert_eq!(server.get_with("/filings", &from(site, "navigate")).status, 200);
        // A search may cost money: another site can ask for the page, not for the search.
        let page = server.get_with("/search?q=charges&a=quick", &from(site, "navigate"));
        assert!(page.status == 200 && page.body.contains("Another site") && !page.body.contains("class=\"hits\""));
        assert_eq!(server.get_with("/search.csv?q=charges&a=quick", &from(site, "navigate")).status, 400);
    }
    let page = server.get_with("/search?q=charges&a=quick", &from("same-origin", "navigate"));
    assert!(page.body.contains("class=\"hits\""));
}

#[test]
fn an_address_that_others_reach_has_to_be_meant() {
    let open: ServerOptions = ServerOptions::at("0.0.0.0:0".parse().unwrap());
    let refused = bind(open.clone()).unwrap_err();
    assert!(matches!(refused, ExploreError::RemoteNotAllowed(_)) && refused.to_string().contains("127.0.0.1"));
    let bound = bind(ServerOptions { allow_remote: true, ..open }).unwrap();
    assert!(bound.warning().unwrap().contains("other machines"));
    let local = bind(options()).unwrap();
    assert_eq!(local.warning(), None);
    let taken = bind(ServerOptions::at(local.address())).unwrap_err();
    assert!(taken.to_string().contains("Another program has this port"), "{taken}");
    let odd = bind(ServerOptions { allowed_hosts: vec!["http://x".to_owned()], ..options() }).unwrap_err();
    assert!(odd.to_string().contains("http://x"));
}
