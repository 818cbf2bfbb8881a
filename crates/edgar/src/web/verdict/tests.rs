use proptest::prelude::*;

use super::super::decode::tests::gzip;
use super::*;

fn plain(status: u16, body: &[u8]) -> Sent {
    Sent { status, length: Some(body.len() as u64), body: body.to_vec(), ended: true, ..Sent::default() }
}

fn packed(body: &[u8]) -> Sent {
    Sent { encoding: Some("gzip".to_owned()), ..plain(200, &gzip(body)) }
}

/// One word, so that tables stay short.
fn word(wanted: Wanted, sent: &Sent) -> &'static str {
    judge(wanted, sent).word()
}

fn reason(wanted: Wanted, sent: &Sent) -> String {
    match judge(wanted, sent) {
        Verdict::Again { reason, .. } | Verdict::Never(reason) => reason,
        other => panic!("{other:?}"),
    }
}

const HTML: &[u8] = b"<html><head><title>8-K</title></head><body><p>We plan to close a plant.</p></body></html>\n";
const SGML: &[u8] = b"<SEC-DOCUMENT>0001234567-24-000001.txt : 20240501\n<SEC-HEADER>\nCONFORMED SUBMISSION TYPE:\t8-K\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>\nWe plan to close a plant.\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n";
const BLOCK: &[u8] = b"<html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head></html>";
const TOOL: &[u8] =
    b"<html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>";

#[test]
fn whole_answers_are_good() {
    for (wanted, body) in [
        (Wanted::Document, HTML),
        (Wanted::Document, SGML),
        (Wanted::Document, b"<DOCUMENT>\r<TYPE>8-K\r<TEXT>\r<html>closed by text only\r</text>\r</document>\r"),
        (Wanted::Document, b"Plain words of a small company.\n"),
        (Wanted::Header, SGML),
        (Wanted::Search, b" {\"hits\":{\"total\":{\"value\":0},\"hits\":[]}}"),
        (Wanted::Search, b"{\"error\":\"Blank search not valid\",\"hits\":{\"hits\":[]}}"),
        (Wanted::Index, b"Description: Master Index\n \nCIK|Company Name|Form Type|Date Filed|Filename\n------\n"),
        (Wanted::Index, b"7|ACME|8-K|2024-05-01|edgar/data/7/0001234567-24-000001.txt\n"),
    ] {
        assert_eq!(judge(wanted, &plain(200, body)), Verdict::Good(body.to_vec()));
        assert_eq!(judge(wanted, &packed(body)), Verdict::Good(body.to_vec()));
    }
    // A packed file stays packed as a document, and is unpacked as an index.
    let file = gzip(HTML);
    assert_eq!(judge(Wanted::Document, &plain(200, &file)), Verdict::Good(file.clone()));
    let index = b"7|ACME|8-K|2024-05-01|edgar/data/7/0001234567-24-000001.txt\n";
    assert_eq!(judge(Wanted::Index, &plain(200, &gzip(index))), Verdict::Good(index.to_vec()));
    assert_eq!(word(Wanted::Document, &plain(200, &file[..file.len() - 9])), "again");
}

#[test]
fn statuses() {
    for (status, body, expected) in [
        (200, BLOCK, "blocked"),
        (403, BLOCK, "blocked"),
        (429, BLOCK, "blocked"),
        (429, b"whatever", "blocked"),
        (200, TOOL, "undeclared"),
        (403, TOOL, "undeclared"),
        (403, b"<html><title>Access Denied</title></html>", "again"),
        (404, b"<html><body>Not Found</body></html>", "not-found"),
        (410, b"", "not-found"),
        (400, b"", "never"),
        (408, b"", "again"),
        (500, b"{\"message\":\"Internal server error\"}", "again"),
        (503, b"", "again"),
        (204, b"", "again"),
        (206, HTML, "again"),
        (302, b"", "never"),
    ] {
        for wanted in [Wanted::Search, Wanted::Index, Wanted::Header, Wanted::Document] {
            assert_eq!(word(wanted, &plain(status, body)), expected, "{status} {wanted}");
        }
    }
    let moved = Sent { location: Some("/there".to_owned()), ..plain(301, b"") };
    assert_eq!(judge(Wanted::Document, &moved), Verdict::Moved("/there".to_owned()));
    // A block is told through its compression, too.
    assert_eq!(word(Wanted::Search, &Sent { status: 403, ..packed(BLOCK) }), "blocked");
}

#[test]
fn what_is_not_whole_is_asked_for_again() {
    let cut = |keep: usize, of: &Sent| Sent { body: of.body[..keep].to_vec(), ended: false, ..of.clone() };
    for sent in [plain(200, HTML), packed(HTML)] {
        assert!(reason(Wanted::Document, &cut(20, &sent)).contains("cut"));
        let open_ended = Sent { length: None, ..cut(20, &sent) };
        assert!(reason(Wanted::Document, &open_ended).contains("cut"), "{}", reason(Wanted::Document, &open_ended));
        let reset = Sent { error: Some(SendError::Connection("reset".to_owned())), ..cut(20, &sent) };
        assert!(reason(Wanted::Document, &reset).contains("cut after 20 of"));
    }
    for wanted in [Wanted::Search, Wanted::Index, Wanted::Header, Wanted::Document] {
        assert!(reason(wanted, &plain(200, b"")).contains("empty"));
        assert!(reason(wanted, &packed(b"")).contains("empty"));
        assert_eq!(
            word(wanted, &plain(200, b"<html><head><title>SEC.gov</title></head><body>Please</body></html>")),
            "again"
        );
        assert_eq!(
            word(wanted, &plain(200, b"<html><head><title>EDGAR Filing Documents for 1</title></head></html>")),
            "again"
        );
        let too_long = Sent { error: Some(SendError::TooLong), ..plain(200, b"x") };
        assert!(reason(wanted, &too_long).contains(&format!("{} MB", wanted.limit() >> 20)));
    }
    assert!(reason(Wanted::Search, &plain(200, HTML)).contains("no JSON"));
    assert!(reason(Wanted::Search, &plain(200, b"{\"hits\":")).contains("broken JSON"));
    assert!(reason(Wanted::Search, &plain(200, b"{\"message\":\"late\"}")).contains("error message"));
    assert!(reason(Wanted::Document, &plain(200, b"{\"a\":1}")).contains("JSON"));
    assert!(reason(Wanted::Document, &plain(200, b"%PDF-1.4")).contains("PDF"));
    assert!(reason(Wanted::Index, &plain(200, b"words\n")).contains("no index"));
    assert!(reason(Wanted::Header, &plain(200, HTML)).contains("no header"));
    assert!(reason(Wanted::Header, &plain(200, &SGML[..40])).contains("no header"));
}

#[test]
fn a_header_is_whole_when_it_is_reached() {
    let end = SGML.windows(7).position(|w| w == b"<TEXT>\n").unwrap() + 7;
    let left = Sent { body: SGML[..end].to_vec(), ended: false, left: true, ..plain(200, SGML) };
    assert_eq!(judge(Wanted::Header, &left), Verdict::Good(SGML[..end].to_vec()));
    let broken = Sent { left: false, error: Some(SendError::Connection("reset".to_owned())), ..left };
    assert_eq!(word(Wanted::Header, &broken), "good");
    let squeezed = gzip(SGML);
    let half = Sent {
        encoding: Some("gzip".to_owned()),
        body: squeezed[..squeezed.len() - 10].to_vec(),
        ended: false,
        left: true,
        ..plain(200, &squeezed)
    };
    assert_eq!(word(Wanted::Header, &half), "good");
}

#[test]
fn a_document_that_does_not_close() {
    let open = &HTML[..HTML.len() - 10];
    assert_eq!(word(Wanted::Document, &plain(200, open)), "unclosed");
    assert_eq!(word(Wanted::Document, &packed(open)), "unclosed");
    assert_eq!(word(Wanted::Document, &plain(200, &SGML[..SGML.len() - 20])), "unclosed");
    // Closed early and then gone on for long: what follows may be the half of something.
    let early = [HTML, &vec![b'x'; AFTER_HTML]].concat();
    assert_eq!(word(Wanted::Document, &plain(200, &early)), "unclosed");
    let open_ended = Sent { length: None, ended: false, ..plain(200, HTML) };
    assert_eq!(word(Wanted::Document, &open_ended), "good");
    let text = Sent { length: None, ended: false, ..plain(200, b"Plain words") };
    assert_eq!(word(Wanted::Document, &text), "again");
}

#[test]
fn retry_after() {
    assert_eq!(RetryAfter::parse(" 120 "), Some(RetryAfter::Seconds(120)));
    let time = "2015-10-21T07:28:00Z".parse().unwrap();
    assert_eq!(RetryAfter::parse("Wed, 21 Oct 2015 07:28:00 GMT"), Some(RetryAfter::At(time)));
    for text in ["", "soon", "-5", "99999999999999"] {
        assert_eq!(RetryAfter::parse(text), None, "{text}");
    }
    let busy = Sent { retry_after: Some("7".to_owned()), ..plain(503, b"") };
    assert!(matches!(
        judge(Wanted::Search, &busy),
        Verdict::Again { struggling: true, after: Some(RetryAfter::Seconds(7)), .. }
    ));
    let blocked = Sent { retry_after: Some("900".to_owned()), ..plain(429, b"") };
    assert_eq!(judge(Wanted::Search, &blocked), Verdict::Blocked(Some(RetryAfter::Seconds(900))));
}

proptest! {
    #[test]
    fn any_answer_is_judged(
        status in prop_oneof![Just(200_u16), any::<u16>()],
        wanted in prop::sample::select(vec![Wanted::Search, Wanted::Index, Wanted::Header, Wanted::Document]),
        body in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200).boxed(),
            "(<html|</html>|<title>|</title>|<TEXT>|</TEXT>|<DOCUMENT>|\n|\\||\\{|\\}|<SEC-HEADER>|é|a|<){0,40}".prop_map(String::into_bytes).boxed(),
        ],
        squeeze in any::<bool>(), keep in 0.0_f64..=1.0, encoding in prop::option::of("gzip|deflate|br|"), length in prop::option::of(0_u64..300), ended in any::<bool>(), left in any::<bool>(),
    ) {
        let body = if squeeze { gzip(&body) } else { body };
        let body = body[..(body.len() as f64 * keep) as usize].to_vec();
        let sent = Sent { status, encoding, length, body, ended, left, ..Sent::default() };
        if let Verdict::Good(body) = judge(wanted, &sent) {
            prop_assert!(!body.is_empty() && status == 200);
        }
    }

    #[test]
    fn no_cut_document_is_good(keep in 0.0_f64..1.0, squeeze in any::<bool>(), sgml in any::<bool>()) {
        let whole = if sgml { SGML } else { HTML };
        let sent = if squeeze { packed(whole) } else { plain(200, whole) };
        let keep = ((sent.body.len() as f64 * keep) as usize).min(sent.body.len() - 1);
        let cut = Sent { body: sent.body[..keep].to_vec(), ended: false, ..sent };
        prop_assert_eq!(word(Wanted::Document, &cut), "again");
    }
}
