//! A server on 127.0.0.1 that answers what a test wrote down, for what the stand-in cannot say.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What to answer to a path: status, content type, body.
pub type Answers = BTreeMap<String, (u16, &'static str, Vec<u8>)>;

/// A running server; its thread ends with the test process.
pub struct Scripted {
    pub url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    /// Answers by path, without what follows `?`; anything else is not found.
    pub fn start(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answers, log) = (Arc::new(answers), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answers, log) = (Arc::clone(&answers), Arc::clone(&log));
                std::thread::spawn(move || serve(&stream, &answers, &log));
            }
        });
        Self { url, asked }
    }

    /// The paths that were asked for, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

/// Answers one connection until it is closed.
fn serve(stream: &TcpStream, answers: &Answers, log: &Mutex<Vec<String>>) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let request = lines.next()?.ok()?;
        let target = request.split(' ').nth(1)?.to_owned();
        // The head ends with an empty line; a GET has no body.
        while !lines.next()?.ok()?.is_empty() {}
        log.lock().unwrap().push(target.clone());
        let path = target.split('?').next()?;
        let missing = (404, "text/html", b"<html><body>Not Found</body></html>".to_vec());
        let (status, kind, body) = answers.get(path).unwrap_or(&missing);
        let head = format!("HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n", body.len());
        let mut out = stream;
        out.write_all(head.as_bytes()).ok()?;
        out.write_all(body).ok()?;
    }
}

/// One hit of a search: identifier (`accession:file`), company, day.
pub fn hit(id: &str, company: &str, cik: &str, day: &str) -> serde_json::Value {
    let adsh = id.split(':').next().unwrap();
    serde_json::json!({ "_index": "edgar_file", "_id": id, "_score": null, "_source": {
        "ciks": [cik], "display_names": [format!("{company}  (CIK {cik})")], "adsh": adsh, "sequence": "1", "form": "8-K",
        "root_forms": ["8-K"], "file_type": "8-K", "file_date": day, "period_ending": null, "items": ["2.05"], "xsl": null } })
}

/// A search answer that holds these hits.
pub fn search(hits: &[serde_json::Value]) -> Vec<u8> {
    let answer = serde_json::json!({ "took": 1, "timed_out": false,
        "hits": { "total": { "value": hits.len(), "relation": "eq" }, "max_score": null, "hits": hits } });
    answer.to_string().into_bytes()
}

/// Where the search is.
pub const SEARCH: &str = "/LATEST/search-index";
