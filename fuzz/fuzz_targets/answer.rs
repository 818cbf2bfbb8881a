//! Any bytes as an answer of EDGAR: judged whole or not, never a panic; and a document that is good does not become another one.
#![no_main]

use eightk_edgar::web::Wanted;
use eightk_edgar::web::sent::Sent;
use eightk_edgar::web::verdict::{Verdict, judge};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [first, second, body @ ..] = data else { return };
    let wanted = [Wanted::Search, Wanted::Index, Wanted::Header, Wanted::Document][usize::from(first & 3)];
    let encoding = [None, Some("gzip"), Some("deflate"), Some("identity")][usize::from((first >> 2) & 3)];
    let status = [200, 403, 429, 503][usize::from((first >> 4) & 3)];
    let sent = Sent {
        status,
        encoding: encoding.map(str::to_owned),
        length: (second & 1 == 1).then_some(body.len() as u64),
        body: body.to_vec(),
        ended: second & 2 == 2,
        left: second & 4 == 4,
        ..Sent::default()
    };
    if let Verdict::Good(kept) = judge(wanted, &sent) {
        assert!(status == 200 && !kept.is_empty());
        if wanted == Wanted::Document && encoding.is_none() {
            assert_eq!(kept, body);
        }
    }
});
