//! An OpenAI-compatible server of embeddings on 127.0.0.1. Its model counts words, which is enough for equal words to be near.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// Dimensions of its vectors.
const DIMS: usize = 256;

/// A running server; its threads end with the test process.
pub struct Embeddings {
    pub url: String,
    requests: Arc<AtomicUsize>,
    keys: Arc<Mutex<Vec<String>>>,
}

impl Embeddings {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (requests, keys) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
        let (counter, seen) = (Arc::clone(&requests), Arc::clone(&keys));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (counter, seen) = (Arc::clone(&counter), Arc::clone(&seen));
                std::thread::spawn(move || serve(&stream, &counter, &seen));
            }
        });
        Self { url, requests, keys }
    }

    /// How many requests it has answered.
    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    /// The keys it was sent.
    pub fn keys(&self) -> Vec<String> {
        self.keys.lock().unwrap().clone()
    }
}

/// Answers one connection until it is closed.
fn serve(stream: &TcpStream, counter: &AtomicUsize, keys: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            if reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let lower = line.to_ascii_lowercase();
            if let Some(n) = lower.strip_prefix("content-length:") {
                length = n.trim().parse().ok()?;
            }
            if lower.starts_with("authorization:") {
                keys.lock().unwrap().push(line.split_whitespace().last()?.to_owned());
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        counter.fetch_add(1, Ordering::SeqCst);
        let request: Value = serde_json::from_slice(&body).ok()?;
        let inputs = request["input"].as_array()?;
        // Backwards: whoever does not look at `index` gets every vector wrong.
        let one = |(i, text): (usize, &Value)| {
            json!({"object": "embedding", "index": i, "embedding": embed(text.as_str()?)}).into()
        };
        let data: Option<Vec<Value>> = inputs.iter().enumerate().rev().map(one).collect();
        let answer = json!({"object": "list", "data": data?, "model": "words", "usage": {"prompt_tokens": length / 5, "total_tokens": length / 5}});
        let answer = answer.to_string();
        let mut out = stream;
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", answer.len());
        out.write_all(head.as_bytes()).ok()?;
        out.write_all(answer.as_bytes()).ok()?;
    }
}

/// Words by a hash into so many bins, rarer for their length.
fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMS];
    vector[0] = 0.1;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        let hash = word.to_lowercase().bytes().fold(5381_usize, |h, b| h.wrapping_mul(33) ^ usize::from(b));
        vector[hash % DIMS] += word.len() as f32;
    }
    vector
}
