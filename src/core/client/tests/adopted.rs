//! Calls that were sent under reserved ids before the client heard of them.

use super::*;
use crate::json::Word;

fn adopt(page: &mut Page, id: i64, sent: f64, waiter: &'static str) {
    let params = vec![(Key::Name, json!("echo")), (Key::Arguments, json!({ "a": 1 }))];
    let manner = Manner { anew: true, ..Manner::default() };
    let request = Request { method: Word::Known(Key::ToolsCall), params, extra: None, waiter, manner };
    let mut effects = vec![];
    page.client.step(Input::Adopt { id, sent, request }, &mut effects);
    assert!(page.run(effects).is_empty(), "it was sent already");
}

#[test]
fn reserved_ids_are_nobody_elses() {
    let mut page = Page::ready(Revision::V2026_07_28);
    let (first, next) = (page.client.reserve(10), page.client.reserve(1));
    assert_eq!(next, first + 10);
    let (_, frames) = page.call("a", None, false);
    assert_eq!(frames[0]["id"], json!(next + 1));
}

#[test]
fn an_adopted_call_is_answered_like_any_other() {
    let mut page = Page::ready(Revision::V2026_07_28);
    let id = page.client.reserve(3);
    adopt(&mut page, id + 1, 0.0, "a");
    adopt(&mut page, id, 0.0, "b");
    assert_eq!(page.client.in_flight(), 2);
    page.hear(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32602, "message": "no" } }));
    page.hear(json!({ "jsonrpc": "2.0", "id": id + 1, "result": { "resultType": "complete", "content": [] } }));
    assert_eq!(page.settled["b"], Err(Code::InvalidParams));
    assert_eq!(page.settled["a"], Ok(json!({ "resultType": "complete", "content": [] })));
}

#[test]
fn its_time_runs_from_when_it_was_sent() {
    let mut page = Page::ready(Revision::V2026_07_28);
    let id = page.client.reserve(1);
    page.pass(1_500.0);
    adopt(&mut page, id, 500.0, "a");
    assert!(page.pass(58_999.0).is_empty());
    let told = page.pass(1.0);
    assert_eq!(
        told,
        [json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": id, "reason": "timeout" } })]
    );
    assert_eq!(page.settled["a"], Err(Code::Timeout));
}

#[test]
fn what_it_needs_is_found_out_and_the_whole_request_sent_again() {
    let mut page = Page::with(json!({ "roots": {} }), Opening::Pinned(Revision::V2026_07_28), Limits::default())
        .opened(Revision::V2026_07_28);
    let id = page.client.reserve(1);
    adopt(&mut page, id, 0.0, "a");
    page.hear(json!({ "jsonrpc": "2.0", "id": id, "result": {
        "resultType": "input_required", "requestState": "sealed", "inputRequests": { "r": { "method": "roots/list" } } } }));
    let mut effects = vec![];
    let ask = page.asked[0].0;
    page.client.step(Input::Replied { now: 0.0, ask, outcome: Ok(json!({ "roots": [] })) }, &mut effects);
    let again = page.run(effects);
    let params = &again[0]["params"];
    assert_ne!(again[0]["id"], json!(id));
    assert_eq!((&params["name"], &params["arguments"]), (&json!("echo"), &json!({ "a": 1 })));
    assert_eq!(params["inputResponses"], json!({ "r": { "roots": [] } }));
    assert_eq!(params["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
}

#[test]
fn one_that_comes_after_the_end_is_settled_at_once() {
    let mut page = Page::ready(Revision::V2026_07_28);
    let id = page.client.reserve(2);
    adopt(&mut page, id, 0.0, "before");
    let mut effects = vec![];
    page.client.step(Input::Close, &mut effects);
    page.run(effects);
    adopt(&mut page, id + 1, 0.0, "after");
    assert_eq!((&page.settled["before"], &page.settled["after"]), (&Err(Code::Closed), &Err(Code::Closed)));
    assert_eq!(page.client.in_flight(), 0);
}
