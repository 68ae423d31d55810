//! What a server asks, in both eras, and timeouts that progress puts off.

use super::*;
use crate::core::revision::Era;

fn page(revision: Revision) -> Page {
    let capabilities = json!({ "elicitation": {}, "roots": {} });
    Page::with(capabilities, Opening::Pinned(revision), Limits { input_rounds: 2, ..Limits::default() })
        .opened(revision)
}

impl Page {
    fn send(&mut self, waiter: &'static str, manner: Manner) -> Vec<Value> {
        let params = vec![(Key::Name, json!("echo")), (Key::Arguments, json!({ "a": 1 }))];
        let request = Request { method: Word::Known(Key::ToolsCall), params, extra: None, waiter, manner };
        self.step(Input::Request { now: self.now, request })
    }

    fn step(&mut self, input: Input<Value, &'static str>) -> Vec<Value> {
        let mut effects = vec![];
        self.client.step(input, &mut effects);
        self.run(effects)
    }

    fn reply(&mut self, ask: i64, outcome: Result<Value, Error>) -> Vec<Value> {
        self.step(Input::Replied { now: self.now, ask, outcome })
    }

    fn wants(&mut self, id: &Value, requests: Value, state: Value) -> Vec<Value> {
        let mut result = json!({ "resultType": "input_required", "inputRequests": requests });
        if !state.is_null() {
            result["requestState"] = state;
        }
        self.hear(json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }
}

fn name() -> Value {
    json!({ "name": { "method": "elicitation/create", "params": { "message": "who?" } } })
}

#[test]
fn what_a_call_needs_is_found_out_and_the_same_request_sent_again() {
    let mut page = page(Revision::V2026_07_28);
    let first = page.send("a", Manner { progress: true, ..Manner::default() });
    let mut both = name();
    both["roots"] = json!({ "method": "roots/list" });
    assert!(page.wants(&first[0]["id"], both, json!("sealed")).is_empty());
    let [(one, Key::Elicit, params), (two, Key::RootsList, none)] = &page.asked[..] else { panic!("{:?}", page.asked) };
    assert_eq!((params, none), (&json!({ "message": "who?" }), &json!({})));
    let (one, two) = (*one, *two);
    assert!(page.reply(two, Ok(json!({ "roots": [] }))).is_empty());
    let again = page.reply(one, Ok(json!({ "action": "decline" })));
    let params = &again[0]["params"];
    assert_ne!(again[0]["id"], first[0]["id"]);
    assert_eq!(params["inputResponses"], json!({ "roots": { "roots": [] }, "name": { "action": "decline" } }));
    assert_eq!((&params["requestState"], &params["arguments"]), (&json!("sealed"), &json!({ "a": 1 })));
    assert_eq!(params["_meta"]["progressToken"], again[0]["id"], "the token is of the request that is open");
    assert_eq!(params["_meta"]["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
    // A round without a state takes none along from the one before.
    page.wants(&again[0]["id"], name(), json!(null));
    let (ask, ..) = page.asked.pop().unwrap();
    let last = page.reply(ask, Ok(json!({ "action": "cancel" })));
    assert_eq!(last[0]["params"].get("requestState"), None);
    page.hear(json!({ "jsonrpc": "2.0", "id": last[0]["id"], "result": { "resultType": "complete", "content": [] } }));
    assert!(page.settled["a"].is_ok());
    assert_eq!(page.client.in_flight(), 0);
}

#[test]
fn a_call_ends_when_rounds_do_not_or_when_it_asks_what_was_not_declared() {
    let mut page = page(Revision::V2026_07_28);
    let mut frames = page.send("a", Manner::default());
    for _ in 0..2 {
        page.wants(&frames[0]["id"], name(), json!(null));
        let (ask, ..) = page.asked.pop().unwrap();
        frames = page.reply(ask, Ok(json!({ "action": "cancel" })));
    }
    page.wants(&frames[0]["id"], name(), json!(null));
    assert_eq!(page.settled["a"], Err(Code::InvalidResponse));
    let frames = page.send("b", Manner::default());
    page.wants(&frames[0]["id"], json!({ "x": { "method": "sampling/createMessage" } }), json!(null));
    assert_eq!(page.settled["b"], Err(Code::InvalidResponse));
    let frames = page.send("c", Manner::default());
    page.wants(&frames[0]["id"], json!({}), json!(null));
    assert_eq!(page.settled["c"], Err(Code::InvalidResponse));
    let frames = page.send("d", Manner::default());
    let again = page.wants(&frames[0]["id"], json!(null), json!("only a state"));
    assert_eq!(again[0]["params"]["requestState"], "only a state");
}

#[test]
fn a_call_between_two_requests_can_be_given_up_fail_and_be_closed() {
    let mut page = page(Revision::V2026_07_28);
    for (waiter, end) in [("cancelled", 0), ("failed", 1), ("closed", 2)] {
        let frames = page.send(waiter, Manner::default());
        page.wants(&frames[0]["id"], name(), json!(null));
        let (ask, ..) = page.asked.pop().unwrap();
        let id = Id::Number(frames[0]["id"].as_i64().unwrap());
        let (sent, code) = match end {
            0 => (page.step(Input::Cancel { id, reason: None }), Code::Cancelled),
            1 => (page.reply(ask, Err(Error::new(Code::InternalError, "no"))), Code::InternalError),
            _ => (page.step(Input::Close), Code::Closed),
        };
        assert!(sent.is_empty(), "the server waits for nothing");
        assert_eq!(page.settled[waiter], Err(code));
        assert_eq!(page.unasked.pop(), (end != 1).then_some(ask));
        assert!(page.reply(ask, Ok(json!({ "action": "accept" }))).is_empty(), "too late");
    }
}

#[test]
fn a_call_keeps_its_number_over_its_rounds() {
    let mut page = page(Revision::V2026_07_28);
    let frames = page.send("a", Manner::default());
    let id = Id::Number(frames[0]["id"].as_i64().unwrap());
    page.wants(&frames[0]["id"], name(), json!(null));
    let (ask, ..) = page.asked.pop().unwrap();
    let again = page.reply(ask, Ok(json!({ "action": "cancel" })));
    let told = page.step(Input::Cancel { id, reason: None });
    assert_eq!(told[0]["params"]["requestId"], again[0]["id"], "the server is told of the request it knows");
    assert_eq!(page.settled["a"], Err(Code::Cancelled));
}

#[test]
fn a_handshake_server_asks_by_requests_and_may_take_them_back() {
    let mut page = page(Revision::V2025_11_25);
    let ask = |id: i64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": { "message": "who?" } });
    assert!(page.hear(ask(0, "elicitation/create")).is_empty());
    let (number, method, params) = page.asked.pop().unwrap();
    assert_eq!((method, params), (Key::Elicit, json!({ "message": "who?" })));
    assert_eq!(
        page.reply(number, Ok(json!({ "action": "decline" }))),
        [json!({ "jsonrpc": "2.0", "id": 0, "result": { "action": "decline" } })]
    );
    page.hear(ask(1, "roots/list"));
    let (number, ..) = page.asked.pop().unwrap();
    let failed = page.reply(number, Err(Error::new(Code::InternalError, "no")));
    assert_eq!(failed[0]["error"]["code"], -32603);
    assert_eq!(page.hear(ask(2, "sampling/createMessage"))[0]["error"]["code"], -32601, "that was not declared");
    page.hear(ask(3, "elicitation/create"));
    let (number, ..) = page.asked.pop().unwrap();
    page.hear(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3 } }));
    assert_eq!(page.unasked, [number]);
    assert!(page.reply(number, Ok(json!({}))).is_empty(), "nobody waits for it");
}

#[test]
fn progress_puts_a_timeout_off_up_to_the_longest() {
    let mut page = page(Revision::V2025_11_25);
    let manner = Manner { timeout: Some(100.0), resets: true, longest: 250.0, progress: true, ..Manner::default() };
    let id = page.send("a", manner)[0]["id"].clone();
    let step = |progress: i64| json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": { "progressToken": id, "progress": progress } });
    for progress in 0..3 {
        page.now += 80.0;
        page.hear(step(progress));
        page.pass(0.0);
        assert!(page.settled.is_empty());
    }
    assert_eq!(page.wake, Some(250.0));
    let told = page.pass(10.0);
    assert_eq!(
        (page.settled["a"].clone(), &told[0]["method"]),
        (Err(Code::Timeout), &json!("notifications/cancelled"))
    );
}

#[test]
fn the_longest_time_goes_on_while_somebody_is_asked() {
    let mut page = page(Revision::V2026_07_28);
    let manner = Manner { timeout: Some(100.0), longest: 250.0, ..Manner::default() };
    let id = page.send("a", manner)[0]["id"].clone();
    page.wants(&id, name(), json!(null));
    let (ask, ..) = page.asked.pop().unwrap();
    assert_eq!(page.client.in_flight(), 1, "it still waits for its answer");
    page.pass(120.0);
    let again = page.reply(ask, Ok(json!({ "action": "cancel" })));
    page.wants(&again[0]["id"], name(), json!(null));
    let (ask, ..) = page.asked.pop().unwrap();
    page.pass(120.0);
    assert!(page.settled.is_empty(), "a person may take longer than a server");
    assert_eq!(page.wake, Some(250.0));
    assert!(page.pass(10.0).is_empty(), "the server waits for nothing");
    assert_eq!((page.settled["a"].clone(), &page.unasked[..]), (Err(Code::Timeout), &[ask][..]));
    assert_eq!(page.client.in_flight(), 0);
}

#[test]
fn a_task_is_a_result_to_those_who_know_tasks() {
    let revision = Revision::V2026_07_28;
    let knows = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    for (capabilities, outcome) in [(knows, None), (json!({}), Some(Code::InvalidResponse))] {
        let mut page = Page::with(capabilities, Opening::Pinned(revision), Limits::default()).opened(revision);
        let id = page.send("a", Manner::default())[0]["id"].clone();
        page.hear(json!({ "jsonrpc": "2.0", "id": id, "result": { "resultType": "task", "taskId": "t" } }));
        assert_eq!(page.settled["a"].clone().err(), outcome);
    }
}

#[test]
fn a_server_known_to_be_old_is_not_probed() {
    let mut page = Page::new(Opening::Auto);
    let frames = page.step(Input::Connect { now: 0.0, is_old: true });
    assert_eq!(frames[0]["method"], "initialize");
}

#[test]
fn questions_have_a_limit() {
    let limits = Limits { calls_in_flight: 1, ..Limits::default() };
    for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut page = Page::with(json!({ "elicitation": {} }), Opening::Pinned(revision), limits).opened(revision);
        if revision.era() == Era::Handshake {
            let ask = |id: i64| json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create" });
            assert!(page.hear(ask(1)).is_empty());
            assert_eq!(page.hear(ask(2))[0]["error"]["code"], -32603);
            let (number, ..) = page.asked.pop().unwrap();
            page.reply(number, Ok(json!({ "action": "cancel" })));
            assert!(page.hear(ask(3)).is_empty(), "there is room again");
        } else {
            let id = page.send("a", Manner::default())[0]["id"].clone();
            let mut two = name();
            two["more"] = two["name"].clone();
            page.wants(&id, two, json!(null));
            assert_eq!(page.settled["a"], Err(Code::InvalidResponse));
            assert!(page.asked.is_empty());
        }
    }
}
