//! Transcripts of a server's session, in both eras: what a peer says, and what it hears.

mod budgets;
mod notices;
mod offers;
mod page;
mod rounds;

use super::*;
use crate::core::limits::Limits;
use crate::core::tool::Progress;
use page::Page;
use serde_json::{Value, json};

fn meta() -> Value {
    json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "c", "version": "2" } })
}

fn error_of(frames: &[Value]) -> (Value, i64) {
    let [frame] = frames else { panic!("one answer expected: {frames:?}") };
    (frame.get("id").cloned().unwrap_or(Value::Null), frame["error"]["code"].as_i64().unwrap())
}

#[test]
fn the_handshake_era_from_hello_to_result() {
    let mut page = Page::new();
    assert_eq!(
        page.say(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "c", "version": "2" } } })),
        [json!({ "jsonrpc": "2.0", "id": 0, "result": { "protocolVersion": "2025-06-18",
            "capabilities": { "tools": { "listChanged": true } }, "serverInfo": { "name": "page", "version": "1" },
            "instructions": "be kind" } })]
    );
    assert_eq!(page.session.peer().unwrap().name, "c");
    assert_eq!(page.say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })), Vec::<Value>::new());
    assert_eq!(
        page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })),
        [json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [
            { "name": "echo", "description": "echo", "inputSchema": { "type": "object" } }] } })]
    );
    let (run, arguments) = page.call(json!("a"), json!({ "text": "hi" }));
    assert_eq!(arguments, json!({ "text": "hi" }));
    assert_eq!(
        page.end(&run, Ok(json!("hi"))),
        [json!({ "jsonrpc": "2.0", "id": "a", "result": { "content": [{ "type": "text", "text": "hi" }] } })]
    );
}

#[test]
fn the_stateless_era_needs_no_hello() {
    let mut page = Page::new();
    assert_eq!(
        page.say(json!({ "jsonrpc": "2.0", "id": "d", "method": "server/discover", "params": { "_meta": meta() } })),
        [json!({ "jsonrpc": "2.0", "id": "d", "result": { "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": { "listChanged": true } },
            "ttlMs": 0, "cacheScope": "private", "instructions": "be kind", "resultType": "complete",
            "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "page", "version": "1" } } } })]
    );
    let list = page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta() } }));
    assert_eq!(list[0]["result"]["resultType"], "complete");
    assert_eq!(list[0]["result"]["cacheScope"], "private");
    assert_eq!(list[0]["result"]["tools"][0]["name"], "echo");
    page.say(
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo", "_meta": meta() } }),
    );
    let (run, arguments) = page.runs.remove(0);
    assert_eq!(arguments, json!({}));
    let answer = page.end(&run, Ok(json!({ "content": [], "_meta": { "x.example/k": 1 } })));
    assert_eq!(
        answer[0]["result"],
        json!({ "content": [], "resultType": "complete",
        "_meta": { "x.example/k": 1, "io.modelcontextprotocol/serverInfo": { "name": "page", "version": "1" } } })
    );
}

#[test]
fn the_era_is_decided_message_by_message() {
    let mut page = Page::new();
    page.handshake();
    let list = page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta() } }));
    assert_eq!(list[0]["result"]["resultType"], "complete");
    let list = page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    assert_eq!(list[0]["result"].get("resultType"), None);
}

#[test]
fn requests_that_do_not_fit_get_their_code() {
    let mut page = Page::new();
    let mut code = |frame: Value| error_of(&page.say(frame));
    let request =
        |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    assert_eq!(code(request("tools/list", json!({}))), (json!(7), -32602), "neither handshake nor metadata");
    assert_eq!(code(request("nonsense", json!({}))), (json!(7), -32601));
    assert_eq!(code(request("nonsense", json!({ "_meta": meta() }))), (json!(7), -32601));
    assert_eq!(code(request("ping", json!({ "_meta": meta() }))), (json!(7), -32601), "ping left with the handshake");
    assert_eq!(code(request("initialize", json!({ "_meta": meta() }))), (json!(7), -32601));
    assert_eq!(code(request("initialize", json!({}))), (json!(7), -32602));
    assert_eq!(code(request("server/discover", json!({}))), (json!(7), -32602), "always answered, if only by an error");
    assert_eq!(code(request("tools/call", json!({ "_meta": meta() }))), (json!(7), -32602));
    assert_eq!(code(request("tools/call", json!({ "name": "nobody", "_meta": meta() }))), (json!(7), -32602));
    assert_eq!(code(request("tools/list", json!({ "cursor": "x", "_meta": meta() }))), (json!(7), -32602));
    let mut old = meta();
    old["io.modelcontextprotocol/protocolVersion"] = json!("1999-01-01");
    assert_eq!(code(request("tools/list", json!({ "_meta": old }))), (json!(7), -32022));
    assert_eq!(code(json!({ "jsonrpc": "2.0", "id": null, "method": "ping" })), (Value::Null, -32600));
    assert_eq!(code(json!([])), (Value::Null, -32600));
    assert_eq!(page.say(request("ping", json!({})))[0]["result"], json!({}), "and the session lives");
}

#[test]
fn text_that_is_not_json_is_answered_and_survived() {
    let mut page = Page::new();
    let mut effects = vec![];
    page.session.step(Input::Garbled, &mut effects);
    assert_eq!(error_of(&page.hear(effects)), (Value::Null, -32700));
    assert_eq!(page.faults, [Code::ParseError]);
    assert_eq!(page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }))[0]["result"], json!({}));
}

#[test]
fn c35_arguments_must_be_an_object_when_present() {
    let mut page = Page::new();
    page.handshake();
    for arguments in [json!(null), json!("{}"), json!([1, 2, 3]), json!(5)] {
        let frames = page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "echo", "arguments": arguments } }));
        assert_eq!(error_of(&frames), (json!(1), -32602), "{arguments}");
        assert!(frames[0]["error"]["message"].as_str().unwrap().contains("arguments"));
    }
    assert!(page.runs.is_empty());
    let (_, arguments) = page.call(json!(2), json!({ "list": "[1,2]" }));
    assert_eq!(arguments, json!({ "list": "[1,2]" }), "JSON inside strings is the tool's business");
}

#[test]
fn c50_notifications_are_never_answered() {
    let mut page = Page::new();
    for frame in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/unheard-of", "params": { "a": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": "broken" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
    ] {
        assert_eq!(page.say(frame), Vec::<Value>::new());
    }
    assert_eq!(
        error_of(&page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "notifications/x" }))),
        (json!(1), -32601)
    );
}

#[test]
fn c25_a_cancelled_call_is_aborted_and_never_answered() {
    let mut page = Page::new();
    page.handshake();
    let (first, _) = page.call(json!(7), json!({}));
    let (second, _) = page.call(json!("7"), json!({}));
    let cancel = |id: Value| json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id, "reason": "user" } });
    page.say(cancel(json!(99)));
    page.say(cancel(json!(null)));
    assert!(page.aborted.is_empty());
    page.say(cancel(json!(7)));
    assert_eq!(page.aborted, [(first.clone(), "user".to_owned())]);
    assert_eq!(page.end(&first, Ok(json!("late"))), Vec::<Value>::new());
    assert_eq!(page.end(&second, Ok(json!("ok")))[0]["id"], json!("7"));
    page.say(cancel(json!("7")));
    assert_eq!(page.aborted.len(), 1, "a finished call cannot be cancelled");
}

#[test]
fn a_late_run_cannot_answer_a_new_request_of_the_same_id() {
    let mut page = Page::new();
    page.handshake();
    let (old, _) = page.call(json!(1), json!({}));
    page.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
    let (new, _) = page.call(json!(1), json!({}));
    assert_eq!(page.end(&old, Ok(json!("old"))), Vec::<Value>::new());
    assert_eq!(page.end(&new, Ok(json!("new")))[0]["result"]["content"][0]["text"], "new");
}

#[test]
fn an_id_in_use_is_refused() {
    let mut page = Page::new();
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    let again = page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "echo" } }));
    assert_eq!(error_of(&again), (json!(1), -32600));
    assert_eq!(page.end(&run, Ok(json!("ok"))).len(), 1);
}

#[test]
fn the_number_of_calls_in_flight_is_bounded() {
    let mut page = Page::with_limits(Limits { calls_in_flight: 1, ..Limits::default() });
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    let refused = page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo" } }));
    assert_eq!(error_of(&refused), (json!(2), -32603));
    page.end(&run, Ok(json!("ok")));
    page.call(json!(3), json!({}));
}

#[test]
fn c51_progress_rises_and_ends_with_the_answer() {
    let mut page = Page::new();
    page.handshake();
    page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "echo", "_meta": { "progressToken": 0 } } }));
    let (run, _) = page.runs.remove(0);
    let mut report = |progress: f64| {
        let mut effects = vec![];
        let step = Progress { progress, total: Some(3.0), message: Some("step".to_owned()) };
        page.session.step(Input::Progressed { run: run.clone(), step }, &mut effects);
        page.hear(effects)
    };
    assert_eq!(
        report(2.0),
        [json!({ "jsonrpc": "2.0", "method": "notifications/progress",
        "params": { "progressToken": 0, "progress": 2, "total": 3, "message": "step" } })]
    );
    assert_eq!(report(1.0), Vec::<Value>::new());
    assert_eq!(report(f64::NAN), Vec::<Value>::new());
    page.end(&run, Ok(json!("ok")));
    let mut effects: Vec<Effect<Value>> = vec![];
    let step = Progress { progress: 3.0, ..Progress::default() };
    page.session.step(Input::Progressed { run, step }, &mut effects);
    assert!(effects.is_empty());
    let broken = page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo", "_meta": { "progressToken": 1.5 } } }));
    assert_eq!(error_of(&broken), (json!(2), -32602));
}

#[test]
fn no_token_no_progress() {
    let mut page = Page::new();
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    let mut effects: Vec<Effect<Value>> = vec![];
    let step = Progress { progress: 1.0, ..Progress::default() };
    page.session.step(Input::Progressed { run, step }, &mut effects);
    assert!(effects.is_empty());
}

#[test]
fn c14_the_change_notice_precedes_the_answer_that_made_it() {
    let mut page = Page::new();
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    page.add("b");
    page.add("c");
    let frames = page.end(&run, Ok(json!("ok")));
    assert_eq!(frames[0], json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    assert_eq!(frames[1]["id"], 1);
    let mut effects = vec![];
    page.session.step(Input::Announce(page.versions()), &mut effects);
    assert!(page.hear(effects).is_empty(), "once for the burst");
}

#[test]
fn nothing_is_announced_before_the_handshake_is_over_or_to_stateless_peers() {
    let mut page = Page::new();
    page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta() } }));
    page.add("b");
    let mut effects = vec![];
    page.session.step(Input::Announce(page.versions()), &mut effects);
    assert!(page.hear(effects).is_empty());
}

#[test]
fn closing_aborts_what_runs_and_answers_nothing() {
    let mut page = Page::new();
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    let mut effects = vec![];
    page.session.step(Input::Close, &mut effects);
    assert!(page.hear(effects).is_empty());
    assert_eq!(page.aborted, [(run.clone(), "the session was closed".to_owned())]);
    assert_eq!(page.end(&run, Ok(json!("late"))), Vec::<Value>::new());
    assert_eq!(page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" })), Vec::<Value>::new());
    assert_eq!(page.session.in_flight(), 0);
}

#[test]
fn a_failing_tool_is_a_result_not_an_error() {
    let mut page = Page::new();
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    let frames = page.end(&run, Err("no seat left".to_owned()));
    assert_eq!(
        frames[0]["result"],
        json!({ "content": [{ "type": "text", "text": "no seat left" }], "isError": true })
    );
}

#[test]
fn a_result_the_carrier_refuses_is_answered_with_an_error() {
    let mut page = Page::new();
    let mut refuse = |frame: Value| {
        let mut effects = vec![];
        page.session.step(Input::Unsendable { frame, reason: "DataCloneError".to_owned() }, &mut effects);
        page.hear(effects)
    };
    assert_eq!(error_of(&refuse(json!({ "jsonrpc": "2.0", "id": 4, "result": {} }))), (json!(4), -32603));
    assert_eq!(refuse(json!({ "jsonrpc": "2.0", "method": "notifications/progress" })), Vec::<Value>::new());
    assert_eq!(page.faults, [Code::InternalError, Code::InternalError]);
}

#[test]
fn a_result_type_that_is_no_string_is_not_passed_on() {
    for kind in [json!(null), json!(5), json!({})] {
        let mut page = Page::new();
        let params = json!({ "name": "echo", "_meta": meta() });
        page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
        let frames = page.end(&page.runs[0].0.clone(), Ok(json!({ "content": [], "resultType": kind })));
        assert_eq!(frames[0]["result"]["resultType"], "complete");
    }
}

#[test]
fn c38_bare_structure_goes_to_stateless_peers_only() {
    for bare in [json!([1, 2]), json!(5), json!("x"), json!(null)] {
        let mut page = Page::new();
        page.handshake();
        let result = json!({ "content": [{ "type": "text", "text": bare.to_string() }], "structuredContent": bare });
        let (run, _) = page.call(json!(1), json!({}));
        let frames = page.end(&run, Ok(result.clone()));
        assert_eq!(frames[0]["result"], json!({ "content": result["content"] }));
        let params = json!({ "name": "echo", "_meta": meta() });
        page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }));
        let run = page.runs.pop().unwrap().0;
        let frames = page.end(&run, Ok(result.clone()));
        assert_eq!(frames[0]["result"].get("structuredContent"), Some(&bare));
        assert_eq!(frames[0]["result"]["content"], result["content"]);
    }
}

#[test]
fn c49_of_a_batch_nothing_runs() {
    let mut page = Page::new();
    page.handshake();
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "echo" } });
    let notice = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    for batch in [
        json!([call, call]),
        json!([]),
        json!([notice]),
        json!([{ "jsonrpc": "2.0", "id": 2, "method": "initialize" }, call]),
    ] {
        assert_eq!(error_of(&page.say(batch)), (Value::Null, -32600));
        assert!(page.runs.is_empty());
    }
}

#[test]
fn c53_each_request_is_told_what_its_revision_lacks() {
    let mut page = Page::new();
    for (asked, settled) in [("2025-03-26", "2025-03-26"), ("1900-01-01", "2025-11-25"), ("2026-07-28", "2025-11-25")] {
        let frames = page.say(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": { "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "c", "version": "2" } } }));
        assert_eq!(frames[0]["result"]["protocolVersion"], settled);
    }
    let list = |own: Value| json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": { "_meta": own } });
    let mut own = meta();
    own.as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    assert_eq!(error_of(&page.say(list(own))), (json!(2), -32602));
    let mut own = meta();
    own["io.modelcontextprotocol/protocolVersion"] = json!("2027-01-01");
    let refused = page.say(list(own));
    assert_eq!(error_of(&refused), (json!(2), -32022));
    assert_eq!(refused[0]["error"]["data"], json!({ "supported": ["2026-07-28"], "requested": "2027-01-01" }));
    let listed = page.say(list(meta()));
    assert_eq!((&listed[0]["result"]["ttlMs"], &listed[0]["result"]["cacheScope"]), (&json!(0), &json!("private")));
}
