//! Transcripts of a client: what it sends, whom it wakes, what it makes of a peer's answers.

mod adopted;
mod cache;
mod page;
mod rounds;

use super::*;
use page::Page;
use serde_json::{Value, json};

#[test]
fn the_stateless_era_is_asked_for_first() {
    let mut page = Page::new(Opening::Auto);
    let hello = page.connect();
    assert_eq!(hello[0]["method"], "server/discover");
    assert!(hello[0]["id"].is_string());
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "page", "version": "1" } });
    assert_eq!(hello[0]["params"]["_meta"], meta);
    let after = page.hear(json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "result": { "supportedVersions": ["2026-07-28", "2030-01-01"] } }));
    assert!(after.is_empty(), "nothing more to say");
    assert_eq!(page.connected, Some(Ok(Revision::V2026_07_28)));
    let (_, frames) = page.call("a", None, false);
    assert_eq!(
        frames,
        [json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "echo", "_meta": meta } })]
    );
}

#[test]
fn anything_but_a_usable_yes_leads_to_the_handshake() {
    for answer in [
        json!({ "error": { "code": -32601, "message": "Method not found" } }),
        json!({ "error": { "code": -32022, "message": "no", "data": { "supported": ["2025-11-25"] } } }),
        json!({ "error": "broken" }),
        json!({ "result": { "supportedVersions": ["2025-11-25"] } }),
        json!({ "result": {} }),
        json!({ "result": 5 }),
    ] {
        let mut page = Page::new(Opening::Auto);
        let hello = page.connect();
        let mut frame = json!({ "jsonrpc": "2.0", "id": hello[0]["id"] });
        frame.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        let second = page.hear(frame);
        assert_eq!(second[0]["method"], "initialize", "{answer}");
        assert_eq!(second[0]["params"]["protocolVersion"], "2025-11-25");
        let third = page
            .hear(json!({ "jsonrpc": "2.0", "id": second[0]["id"], "result": { "protocolVersion": "2025-03-26" } }));
        assert_eq!(third, [json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })]);
        assert_eq!(page.connected, Some(Ok(Revision::V2025_03_26)));
    }
}

#[test]
fn a_silent_probe_leads_to_the_handshake_and_its_late_answer_is_ignored() {
    let mut page = Page::new(Opening::Auto);
    let hello = page.connect();
    assert_eq!(page.wake, Some(2_000.0));
    let second = page.pass(2_000.0);
    assert_eq!(second[0]["method"], "initialize");
    assert!(
        page.hear(json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "result": { "supportedVersions": ["2026-07-28"] } }))
            .is_empty()
    );
    assert_eq!(page.connected, None);
}

#[test]
fn a_pin_is_kept_or_refused() {
    let mut page = Page::new(Opening::Pinned(Revision::V2026_07_28));
    let hello = page.connect();
    assert!(
        page.hear(json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "error": { "code": -32601, "message": "?" } }))
            .is_empty()
    );
    assert_eq!(page.connected, Some(Err(Code::MethodNotFound)));

    let mut page = Page::new(Opening::Pinned(Revision::V2025_06_18));
    let hello = page.connect();
    assert_eq!(hello[0]["params"]["protocolVersion"], "2025-06-18");
    page.hear(json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "result": { "protocolVersion": "2025-03-26" } }));
    assert_eq!(page.connected, Some(Err(Code::UnsupportedVersion)));
}

#[test]
fn a_failed_connection_may_be_tried_again_a_running_one_not() {
    let mut page = Page::new(Opening::Pinned(Revision::V2025_11_25));
    let hello = page.connect();
    page.connect();
    assert_eq!(page.connected, Some(Err(Code::InvalidArgument)));
    page.hear(json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "error": { "code": -32603, "message": "busy" } }));
    assert_eq!(page.connected, Some(Err(Code::InternalError)));
    assert_eq!(page.connect()[0]["method"], "initialize");
}

#[test]
fn answers_find_their_callers_in_any_order() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let (_, first) = page.call("first", None, false);
    let (_, second) = page.call("second", None, false);
    page.hear(json!({ "jsonrpc": "2.0", "id": second[0]["id"], "result": { "n": 2 } }));
    page.hear(json!({ "jsonrpc": "2.0", "id": first[0]["id"], "error": { "code": -32602, "message": "no" } }));
    page.hear(json!({ "jsonrpc": "2.0", "id": first[0]["id"], "result": {} }));
    page.hear(json!({ "jsonrpc": "2.0", "id": first[0]["id"].to_string(), "result": {} }));
    assert_eq!(page.settled["first"], Err(Code::InvalidParams));
    assert_eq!(page.settled["second"], Ok(json!({ "n": 2 })));
    assert_eq!(page.client.in_flight(), 0);
}

#[test]
fn a_result_of_a_type_we_do_not_know_is_invalid() {
    let mut page = Page::ready(Revision::V2026_07_28);
    for (waiter, result, expected) in [
        ("none", json!({ "content": [] }), None),
        ("complete", json!({ "resultType": "complete" }), None),
        ("banana", json!({ "resultType": "banana" }), Some(Code::InvalidResponse)),
        ("number", json!({ "resultType": 5 }), Some(Code::InvalidResponse)),
        ("array", json!([]), Some(Code::InvalidResponse)),
    ] {
        let (_, frames) = page.call(waiter, None, false);
        page.hear(json!({ "jsonrpc": "2.0", "id": frames[0]["id"], "result": result }));
        assert_eq!(page.settled[waiter].clone().err(), expected, "{waiter}");
    }
}

#[test]
fn a_cancelled_call_tells_the_peer_and_leaves_nothing_behind() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let (id, frames) = page.call("a", None, true);
    let mut effects = vec![];
    let reason = Some("changed my mind".to_owned());
    page.client.step(Input::Cancel { id: id.clone().unwrap(), reason }, &mut effects);
    assert_eq!(
        page.run(effects),
        [json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": frames[0]["id"], "reason": "changed my mind" } })]
    );
    assert_eq!(page.settled["a"], Err(Code::Cancelled));
    assert_eq!(page.client.in_flight(), 0);
    page.hear(json!({ "jsonrpc": "2.0", "id": frames[0]["id"], "result": {} }));
    page.hear(json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": frames[0]["id"], "progress": 1 } }));
    assert!(page.progress.is_empty() && page.faults.is_empty());
    let mut effects = vec![];
    page.client.step(Input::Cancel { id: id.unwrap(), reason: None }, &mut effects);
    assert!(page.run(effects).is_empty(), "once");
}

#[test]
fn c28_a_timeout_is_ours_and_the_peer_is_told_once() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let (_, _) = page.call("default", None, false);
    let (_, never) = page.call("never", Some(0.0), false);
    let (_, short) = page.call("short", Some(100.0), false);
    assert_eq!(page.wake, Some(100.0), "an earlier deadline moves the timer");
    assert!(page.pass(99.0).is_empty());
    let told = page.pass(1.0);
    assert_eq!(
        told,
        [json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": short[0]["id"], "reason": "timeout" } })]
    );
    assert_eq!(page.settled["short"], Err(Code::Timeout));
    assert_eq!(page.wake, Some(60_000.0));
    page.pass(60_000.0);
    assert_eq!(page.settled["default"], Err(Code::Timeout));
    page.hear(json!({ "jsonrpc": "2.0", "id": never[0]["id"], "result": {} }));
    assert_eq!(page.settled["never"], Ok(json!({})));
}

#[test]
fn one_timer_serves_a_stream_of_calls() {
    let mut page = Page::ready(Revision::V2025_11_25);
    page.wake = None;
    for _ in 0..3 {
        let (_, frames) = page.call("a", None, false);
        page.hear(json!({ "jsonrpc": "2.0", "id": frames[0]["id"], "result": {} }));
        page.settled.clear();
        page.now += 1.0;
    }
    assert_eq!(page.wake, None, "the handshake's timer is still early enough");
    page.wake = None;
    page.pass(60_000.0);
    assert_eq!(page.wake, None, "nothing pending, no timer");
    page.call("b", None, false);
    assert_eq!(page.wake, Some(page.now + 60_000.0));
}

#[test]
fn progress_reaches_only_calls_that_asked() {
    let mut page = Page::ready(Revision::V2026_07_28);
    let (_, asked) = page.call("asked", None, true);
    let (_, silent) = page.call("silent", None, false);
    let token = asked[0]["params"]["_meta"]["progressToken"].clone();
    assert_eq!(token, asked[0]["id"]);
    assert_eq!(silent[0]["params"]["_meta"].get("progressToken"), None);
    for token in [&token, &silent[0]["id"], &json!("x"), &json!(null)] {
        page.hear(json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": token, "progress": 1 } }));
    }
    page.hear(json!({ "jsonrpc": "2.0", "method": "notifications/progress" }));
    assert_eq!(page.progress, [json!({ "progressToken": token, "progress": 1 })]);
}

#[test]
fn what_a_caller_puts_into_meta_stays() {
    let mut page = Page::ready(Revision::V2026_07_28);
    let mut effects = vec![];
    let extra = Some(
        json!({ "uri": "x", "_meta": { "traceparent": "00", "io.modelcontextprotocol/protocolVersion": "forged" } }),
    );
    let request =
        Request { method: Word::Other(json!("custom")), params: vec![], extra, waiter: "a", manner: Manner::default() };
    page.client.step(Input::Request { now: 0.0, request }, &mut effects);
    let frames = page.run(effects);
    assert_eq!(frames[0]["params"]["uri"], "x");
    assert_eq!(frames[0]["params"]["_meta"]["traceparent"], "00");
    assert_eq!(frames[0]["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
}

#[test]
fn closing_settles_everybody_once() {
    let mut page = Page::ready(Revision::V2025_11_25);
    page.call("a", None, false);
    page.call("b", None, false);
    let mut effects = vec![];
    page.client.step(Input::Close, &mut effects);
    page.run(effects);
    assert_eq!(page.settled["a"], Err(Code::Closed));
    assert_eq!(page.settled["b"], Err(Code::Closed));
    let (id, frames) = page.call("late", None, false);
    assert_eq!((id, frames), (None, vec![]));
    assert_eq!(page.settled["late"], Err(Code::Closed));
    page.connect();
    assert_eq!(page.connected, Some(Err(Code::Closed)));
}

#[test]
fn closing_while_connecting_fails_the_connection() {
    let mut page = Page::new(Opening::Auto);
    page.connect();
    let mut effects = vec![];
    page.client.step(Input::Close, &mut effects);
    page.run(effects);
    assert_eq!(page.connected, Some(Err(Code::Closed)));
}

#[test]
fn calls_before_connect_say_what_to_await() {
    let mut page = Page::new(Opening::Auto);
    page.call("early", None, false);
    assert_eq!(page.settled["early"], Err(Code::NotConnected));
}

#[test]
fn a_message_the_carrier_refuses_fails_its_call() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let (_, frames) = page.call("a", None, false);
    let mut effects = vec![];
    let (frame, reason) = (frames[0].clone(), "DataCloneError".to_owned());
    page.client.step(Input::Unsendable { now: 0.0, frame, reason, data: None }, &mut effects);
    page.run(effects);
    assert_eq!(page.settled["a"], Err(Code::SendFailed));
}

#[test]
fn a_handshake_server_may_ping_a_stateless_one_may_not() {
    let mut page = Page::ready(Revision::V2025_11_25);
    assert_eq!(
        page.hear(json!({ "jsonrpc": "2.0", "id": 5, "method": "ping" })),
        [json!({ "jsonrpc": "2.0", "id": 5, "result": {} })]
    );
    assert_eq!(page.hear(json!({ "jsonrpc": "2.0", "id": 6, "method": "roots/list" }))[0]["error"]["code"], -32601);
    let mut page = Page::ready(Revision::V2026_07_28);
    assert!(page.hear(json!({ "jsonrpc": "2.0", "id": 5, "method": "ping" })).is_empty());
    assert_eq!(page.faults, [Code::InvalidResponse]);
}

#[test]
fn broken_frames_are_reported_and_survived() {
    let mut page = Page::ready(Revision::V2025_11_25);
    for frame in [
        json!(5),
        json!({ "hello": 1 }),
        json!([]),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "2.0", "error": { "code": -32700, "message": "Parse error" } }),
    ] {
        assert!(page.hear(frame).is_empty());
    }
    assert_eq!(page.faults, [Code::InvalidRequest, Code::InvalidRequest, Code::ParseError]);
    page.hear(json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    assert_eq!(page.notices, ["notifications/tools/list_changed"]);
}

#[test]
fn connecting_is_neither_cancelled_nor_begun_twice() {
    let mut page = Page::new(Opening::Auto);
    let id = page.connect()[0]["id"].clone();
    for _ in 0..2 {
        assert!(page.connect().is_empty());
        assert_eq!(page.connected.take(), Some(Err(Code::InvalidArgument)));
    }
    page.client.step(Input::Cancel { id: Id::from("discover"), reason: None }, &mut vec![]);
    page.hear(json!({ "jsonrpc": "2.0", "id": id, "result": { "supportedVersions": ["2026-07-28"] } }));
    assert_eq!(page.connected, Some(Ok(Revision::V2026_07_28)));
}

#[test]
fn a_probe_that_is_told_of_a_revision_both_know_asks_once_more() {
    let mut page = Page::new(Opening::Auto);
    let refusal = |id: &Value, version: &str| {
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32022, "message": "no",
            "data": { "supported": [version], "requested": "2026-07-28" } } })
    };
    let first = page.connect();
    let second = page.hear(refusal(&first[0]["id"], "2026-07-28"));
    assert_eq!(second[0]["method"], "server/discover");
    let third = page.hear(refusal(&second[0]["id"], "2026-07-28"));
    assert_eq!(third[0]["method"], "initialize", "once is enough");
    let mut other = Page::new(Opening::Auto);
    let first = other.connect();
    assert_eq!(other.hear(refusal(&first[0]["id"], "2025-11-25"))[0]["method"], "initialize");
}

#[test]
fn a_result_beyond_the_limits_is_invalid_and_ten_thousand_elements_are_not() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let answer = |frames: &[Value], result: Value| json!({ "jsonrpc": "2.0", "id": frames[0]["id"], "result": result });
    let (_, frames) = page.call("many", None, false);
    let many: Vec<Value> = (0..10_000).map(|number| json!({ "n": number })).collect();
    page.hear(answer(&frames, json!({ "content": [], "structuredContent": { "many": many } })));
    assert!(page.settled["many"].is_ok());
    let (_, frames) = page.call("deep", None, false);
    let deep = (0..250).fold(json!(1), |inner, _| json!([inner]));
    page.hear(answer(&frames, json!({ "content": [], "structuredContent": { "deep": deep } })));
    assert_eq!(page.settled["deep"], Err(Code::InvalidResponse));
}

#[test]
fn c46_an_answer_is_of_the_id_that_was_sent_and_of_its_type() {
    let mut page = Page::ready(Revision::V2025_11_25);
    let (_, frames) = page.call("a", None, false);
    let id = frames[0]["id"].as_i64().unwrap();
    page.hear(json!({ "jsonrpc": "2.0", "id": id.to_string(), "result": {} }));
    assert!(page.settled.is_empty(), "a number in a string is another id");
    page.hear(json!({ "jsonrpc": "2.0", "id": id as f64, "result": {} }));
    assert_eq!(page.settled["a"], Ok(json!({})));
}

#[test]
fn c46_a_lenient_client_takes_its_number_in_a_string() {
    let limits = Limits { lenient_ids: true, ..Limits::default() };
    let revision = Revision::V2025_11_25;
    let mut page = Page::with(json!({}), Opening::Pinned(revision), limits).opened(revision);
    let (_, frames) = page.call("a", None, false);
    let id = frames[0]["id"].as_i64().unwrap();
    page.hear(json!({ "jsonrpc": "2.0", "id": "x", "result": {} }));
    page.hear(json!({ "jsonrpc": "2.0", "id": id.to_string(), "result": { "b": 1 } }));
    assert_eq!(page.settled["a"], Ok(json!({ "b": 1 })));
}
