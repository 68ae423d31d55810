//! Asking the peer: by requests in the handshake era, by rounds in the stateless one.

use super::*;

fn meta_with(capabilities: Value) -> Value {
    let mut own = meta();
    own["io.modelcontextprotocol/clientCapabilities"] = capabilities;
    own
}

fn everything() -> Value {
    json!({ "elicitation": {}, "sampling": {}, "roots": {} })
}

fn accept(name: &str) -> Value {
    json!({ "action": "accept", "content": { "name": name } })
}

impl Page {
    fn called(&mut self, id: Value, more: Value) -> Vec<Value> {
        let mut params = json!({ "name": "echo", "arguments": { "a": 1 }, "_meta": meta_with(everything()) });
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        self.say(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }))
    }

    fn begin(&mut self, id: Value) -> Run {
        assert!(self.called(id, json!({})).is_empty());
        self.runs.pop().unwrap().0
    }

    fn elicit(&mut self, run: &Run, key: &str) -> Vec<Value> {
        let (key, params) = (key.to_owned(), json!({ "message": "who?", "requestedSchema": {} }));
        self.step(Input::Ask { run: run.clone(), key, method: Key::Elicit, params })
    }

    /// Seals by marking: what is sealed shows what it is bound to.
    fn seal(&mut self) -> Vec<Value> {
        let place = self.asked.iter().position(|effect| matches!(effect, Effect::Seal { .. }));
        let Some(Effect::Seal { run, text, bound }) = place.map(|place| self.asked.remove(place)) else {
            panic!("a seal is wanted")
        };
        self.step(Input::Sealed { run, sealed: Some(format!("{text}|{bound}")) })
    }

    fn open(&mut self) -> Vec<Value> {
        let place = self.asked.iter().position(|effect| matches!(effect, Effect::Open { .. }));
        let Some(Effect::Open { id, sealed, bound }) = place.map(|place| self.asked.remove(place)) else {
            panic!("something is to be opened")
        };
        let text = sealed.strip_suffix(&format!("|{bound}")).map(str::to_owned);
        self.step(Input::Opened { id, text })
    }

    fn replies(&mut self) -> Vec<(String, Result<Value, Code>)> {
        let (mut replies, mut rest) = (vec![], vec![]);
        for effect in self.asked.drain(..) {
            match effect {
                Effect::Reply { key, outcome, .. } => replies.push((key, outcome.map_err(|error| error.code))),
                other => rest.push(other),
            }
        }
        self.asked = rest;
        replies
    }
}

#[test]
fn a_stateless_call_is_parked_and_goes_on_under_its_next_request() {
    let mut page = Page::new();
    let run = page.begin(json!(1));
    assert!(page.elicit(&run, "name").is_empty());
    assert!(page.elicit(&run, "age").is_empty(), "what is asked before the seal is made goes into the same round");
    let round = page.seal();
    let asked = json!({ "method": "elicitation/create", "params": { "message": "who?", "requestedSchema": {} } });
    assert_eq!(round[0]["id"], 1);
    assert_eq!(round[0]["result"]["resultType"], "input_required");
    assert_eq!(round[0]["result"]["inputRequests"], json!({ "name": asked, "age": asked }));
    let state = round[0]["result"]["requestState"].clone();
    assert_eq!((page.session.in_flight(), page.session.parked()), (0, 1));

    let answers = json!({ "name": accept("Ann"), "age": { "action": "decline" }, "more": 5 });
    assert!(page.called(json!(2), json!({ "inputResponses": answers, "requestState": state })).is_empty());
    assert!(page.open().is_empty());
    assert_eq!(
        page.replies(),
        [("name".to_owned(), Ok(accept("Ann"))), ("age".to_owned(), Ok(json!({ "action": "decline" })))]
    );
    let answer = page.end(&run, Ok(json!("Hello, Ann")));
    assert_eq!((&answer[0]["id"], &answer[0]["result"]["resultType"]), (&json!(2), &json!("complete")));
    assert!(page.called(json!(3), json!({ "inputResponses": {}, "requestState": state })).is_empty());
    assert_eq!(error_of(&page.open()), (json!(3), -32602), "a state opens once");
}

#[test]
fn a_state_continues_the_very_request_it_was_sealed_for() {
    let mut page = Page::new();
    let run = page.begin(json!(1));
    page.elicit(&run, "name");
    let state = page.seal()[0]["result"]["requestState"].clone();
    let forged = format!("{}x", state.as_str().unwrap());
    for more in [
        json!({ "requestState": forged, "inputResponses": { "name": accept("Eve") } }),
        json!({ "requestState": state, "arguments": { "a": 2 }, "inputResponses": { "name": accept("Eve") } }),
        json!({ "requestState": state, "name": "other", "inputResponses": { "name": accept("Eve") } }),
    ] {
        page.called(json!(2), more);
        assert_eq!(error_of(&page.open()), (json!(2), -32602));
    }
    assert!(page.replies().is_empty());
    assert_eq!(page.session.parked(), 1, "who waits is none the worse");
    assert_eq!(error_of(&page.called(json!(3), json!({ "requestState": 5 }))), (json!(3), -32602));
}

#[test]
fn what_is_missing_or_no_answer_is_asked_for_again() {
    let mut page = Page::new();
    let run = page.begin(json!(1));
    page.elicit(&run, "name");
    let mut state = page.seal()[0]["result"]["requestState"].clone();
    for (id, answers) in [
        (2, json!({ "other": accept("x") })),
        (3, json!({ "name": 12345 })),
        (4, json!({ "name": { "action": "perhaps" } })),
        (5, json!(null)),
    ] {
        page.called(json!(id), json!({ "requestState": state, "inputResponses": answers }));
        assert!(page.open().is_empty());
        let round = page.seal();
        assert_eq!((&round[0]["id"], &round[0]["result"]["resultType"]), (&json!(id), &json!("input_required")));
        state = round[0]["result"]["requestState"].clone();
    }
    page.called(json!(6), json!({ "requestState": state, "inputResponses": { "name": accept("Ann") } }));
    page.open();
    assert_eq!(page.replies(), [("name".to_owned(), Ok(accept("Ann")))]);
}

#[test]
fn answers_that_come_before_they_are_asked_for_are_taken() {
    let mut page = Page::new();
    page.called(json!(1), json!({ "inputResponses": { "name": accept("Ann"), "age": 5 } }));
    let run = page.runs.pop().unwrap().0;
    page.elicit(&run, "name");
    assert_eq!(page.replies(), [("name".to_owned(), Ok(accept("Ann")))]);
    page.elicit(&run, "age");
    assert!(page.seal()[0]["result"]["inputRequests"].get("age").is_some(), "what is no answer is not");
}

#[test]
fn what_the_client_has_not_declared_is_not_asked() {
    let mut page = Page::new();
    let ask = |page: &mut Page, own: Value, method: Key, params: Value| {
        page.called(json!(1), json!({ "_meta": own }));
        let run = page.runs.pop().unwrap().0;
        let frames = page.step(Input::Ask { run: run.clone(), key: "k".into(), method, params });
        assert!(frames.is_empty());
        let data = page.asked.iter().find_map(|effect| match effect {
            Effect::Reply { outcome: Err(error), .. } => error.data.clone(),
            _ => None,
        });
        page.asked.clear();
        page.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
        data.map(|data| serde_json::from_str::<Value>(&data).unwrap()["requiredCapabilities"].clone())
    };
    let form = json!({ "message": "m", "requestedSchema": {} });
    let url = json!({ "mode": "url", "message": "m", "url": "https://example.com" });
    let none = meta;
    assert_eq!(ask(&mut page, none(), Key::Elicit, form.clone()), Some(json!({ "elicitation": {} })));
    assert_eq!(ask(&mut page, none(), Key::Sample, json!({})), Some(json!({ "sampling": {} })));
    assert_eq!(ask(&mut page, none(), Key::RootsList, json!({})), Some(json!({ "roots": {} })));
    let only_url = || meta_with(json!({ "elicitation": { "url": {} } }));
    assert_eq!(ask(&mut page, only_url(), Key::Elicit, form.clone()), Some(json!({ "elicitation": {} })));
    assert_eq!(ask(&mut page, only_url(), Key::Elicit, url.clone()), None);
    assert_eq!(
        ask(&mut page, meta_with(everything()), Key::Elicit, url),
        Some(json!({ "elicitation": { "url": {} } })),
        "{{}} means forms only"
    );
    assert_eq!(ask(&mut page, meta_with(everything()), Key::Elicit, form), None);
    assert_eq!(
        ask(&mut page, meta_with(everything()), Key::Sample, json!({ "tools": [] })),
        Some(json!({ "sampling": { "tools": {} } }))
    );
}

#[test]
fn rounds_parked_calls_and_patience_have_limits() {
    let mut page = Page::with_limits(Limits { input_rounds: 2, parked_calls: 1, ..Limits::default() });
    let run = page.begin(json!(1));
    page.elicit(&run, "a");
    let mut state = page.seal()[0]["result"]["requestState"].clone();
    let other = page.begin(json!(2));
    page.elicit(&other, "a");
    assert!(page.seal().is_empty());
    assert_eq!(page.replies(), [("a".to_owned(), Err(Code::InternalError))], "one call is parked already");
    page.called(json!(3), json!({ "requestState": state, "inputResponses": {} }));
    page.open();
    state = page.seal()[0]["result"]["requestState"].clone();
    page.called(json!(4), json!({ "requestState": state, "inputResponses": {} }));
    page.open();
    assert_eq!(page.replies(), [("a".to_owned(), Err(Code::InternalError))], "it has asked twice");
    page.end(&run, Ok(json!("enough")));

    page.elicit(&other, "b");
    page.seal();
    assert!(page.asked.iter().any(|effect| matches!(effect, Effect::Patience { .. })));
    assert!(page.step(Input::Expired { run: other.clone() }).is_empty());
    assert_eq!(page.aborted.pop().unwrap().0, other);
    assert_eq!(page.session.parked(), 0);
}

#[test]
fn a_handler_may_return_the_wish_for_input_and_is_entered_again() {
    let mut page = Page::new();
    let wish = |state: Option<&str>| {
        let mut wish = json!({ "resultType": "input_required",
            "inputRequests": { "name": { "method": "elicitation/create", "params": { "message": "who?" } } } });
        if let Some(state) = state {
            wish["requestState"] = json!(state);
        }
        wish
    };
    let give = |page: &mut Page, run: &Run, result: Value| {
        let (run, versions) = (run.clone(), page.versions());
        page.step(Input::Returned { run, outcome: Ok(result), versions })
    };
    let run = page.begin(json!(1));
    assert!(give(&mut page, &run, wish(Some("step:1"))).is_empty());
    let round = page.seal();
    let state = round[0]["result"]["requestState"].clone();
    assert_ne!(state, "step:1");
    assert_eq!(page.session.in_flight() + page.session.parked(), 0, "nothing waits here");
    page.called(json!(2), json!({ "requestState": state, "inputResponses": { "name": accept("Ann") } }));
    page.open();
    let (again, _) = page.runs.pop().unwrap();
    assert_ne!(again, run);
    assert_eq!(page.params.pop().unwrap()["requestState"], "step:1", "the handler sees its own state, opened");
    assert_eq!(page.end(&again, Ok(json!("hi")))[0]["id"], 2);

    let run = page.begin(json!(3));
    give(&mut page, &run, wish(None));
    let state = page.seal()[0]["result"]["requestState"].clone();
    page.called(json!(4), json!({ "requestState": state, "inputResponses": {} }));
    page.open();
    assert_eq!(page.params.pop().unwrap().get("requestState"), None);
    let (run, _) = page.runs.pop().unwrap();
    let answer = give(&mut page, &run, json!({ "resultType": "input_required" }));
    assert_eq!(error_of(&answer), (json!(4), -32603), "neither a wish nor a state");
}

#[test]
fn a_peer_of_the_handshake_era_gets_requests_and_answers_them() {
    let mut page = Page::new();
    page.say(json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize",
        "params": { "protocolVersion": "2025-11-25", "capabilities": everything(), "clientInfo": { "name": "c", "version": "2" } } }));
    let (run, _) = page.call(json!(1), json!({}));
    let asked = page.elicit(&run, "name");
    assert_eq!((&asked[0]["method"], &asked[0]["params"]["message"]), (&json!("elicitation/create"), &json!("who?")));
    page.say(json!({ "jsonrpc": "2.0", "id": asked[0]["id"], "result": accept("Ann") }));
    assert_eq!(page.replies(), [("name".to_owned(), Ok(accept("Ann")))]);
    let asked = page.elicit(&run, "odd");
    page.say(json!({ "jsonrpc": "2.0", "id": asked[0]["id"], "result": { "action": "perhaps" } }));
    assert_eq!(page.replies(), [("odd".to_owned(), Err(Code::InvalidResponse))], "no handler could work with it");
    let asked = page.elicit(&run, "more");
    page.say(json!({ "jsonrpc": "2.0", "id": asked[0]["id"], "error": { "code": -32601, "message": "no" } }));
    assert_eq!(page.replies(), [("more".to_owned(), Err(Code::MethodNotFound))]);
    let asked = page.elicit(&run, "late");
    let gone = page.step(Input::Expired { run: run.clone() });
    assert_eq!(gone[0]["params"]["requestId"], asked[0]["id"], "the request is taken back");
    assert_eq!(page.replies(), [("late".to_owned(), Err(Code::Timeout))]);
    let asked = page.elicit(&run, "never");
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let gone = page.say(cancelled);
    assert_eq!(gone[0]["params"]["requestId"], asked[0]["id"]);
    assert_eq!(page.aborted.pop().unwrap().0, run);
    page.faults.clear();
    page.say(json!({ "jsonrpc": "2.0", "id": asked[0]["id"], "result": accept("Eve") }));
    assert_eq!(page.faults, [Code::InvalidRequest], "a late answer is nobody's");
}

#[test]
fn one_handler_that_is_entered_again_serves_the_handshake_era_too() {
    let mut page = Page::new();
    page.say(json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": everything(), "clientInfo": { "name": "c", "version": "2" } } }));
    let (run, _) = page.call(json!(1), json!({}));
    let wish = json!({ "resultType": "input_required", "requestState": "mine", "inputRequests": {
        "name": { "method": "elicitation/create", "params": { "message": "who?" } }, "roots": { "method": "roots/list" } } });
    let versions = page.versions();
    let asked = page.step(Input::Returned { run: run.clone(), outcome: Ok(wish), versions });
    assert_eq!([&asked[0]["method"], &asked[1]["method"]], ["elicitation/create", "roots/list"]);
    page.say(json!({ "jsonrpc": "2.0", "id": asked[1]["id"], "result": { "roots": [] } }));
    assert!(page.runs.len() == 1 && page.runs[0].0 == run, "one answer is missing");
    page.runs.clear();
    page.say(json!({ "jsonrpc": "2.0", "id": asked[0]["id"], "result": accept("Ann") }));
    let params = page.params.pop().unwrap();
    assert_eq!(params["inputResponses"], json!({ "name": accept("Ann"), "roots": { "roots": [] } }));
    assert_eq!(params["requestState"], "mine");
    let (run, _) = page.runs.pop().unwrap();
    assert_eq!(page.end(&run, Ok(json!("hi")))[0]["id"], 1);
    assert_eq!(
        error_of(&page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": { "name": "echo", "requestState": "x" } }))),
        (json!(2), -32602),
        "a request of this era continues no other"
    );
}

#[test]
fn what_cannot_be_sealed_cannot_be_asked() {
    let mut page = Page::new();
    let run = page.begin(json!(1));
    page.elicit(&run, "name");
    page.asked.clear();
    page.step(Input::Sealed { run: run.clone(), sealed: None });
    assert_eq!(page.replies(), [("name".to_owned(), Err(Code::InternalError))]);
    assert_eq!(page.end(&run, Ok(json!("without")))[0]["id"], 1, "the call goes on");
}

#[test]
fn closing_and_cancelling_reach_calls_that_wait() {
    let mut page = Page::new();
    let parked = page.begin(json!(1));
    page.elicit(&parked, "name");
    page.seal();
    let sealing = page.begin(json!(2));
    page.elicit(&sealing, "name");
    page.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } }));
    assert_eq!(page.aborted.pop().unwrap().0, sealing);
    assert!(page.seal().is_empty(), "its seal comes too late");
    page.step(Input::Close);
    assert_eq!(page.aborted.pop().unwrap().0, parked);
}

#[test]
fn an_answer_takes_back_what_its_run_still_asks() {
    let mut page = Page::new();
    page.say(json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize",
        "params": { "protocolVersion": "2025-11-25", "capabilities": everything(), "clientInfo": { "name": "c", "version": "2" } } }));
    for is_wish in [false, true] {
        let (run, _) = page.call(json!(1), json!({}));
        let asked = page.elicit(&run, "name");
        let frames = if is_wish {
            let (outcome, versions) = (Ok(json!({ "resultType": "input_required" })), page.versions());
            page.step(Input::Returned { run, outcome, versions })
        } else {
            page.end(&run, Ok(json!("without")))
        };
        assert_eq!(
            (&frames[0]["method"], &frames[0]["params"]["requestId"]),
            (&json!("notifications/cancelled"), &asked[0]["id"])
        );
        assert_eq!(frames[1]["id"], 1);
    }
}

#[test]
fn calls_that_ask_at_the_same_time_are_held_to_the_limit_too() {
    let mut page = Page::with_limits(Limits { parked_calls: 1, ..Limits::default() });
    let (one, other) = (page.begin(json!(1)), page.begin(json!(2)));
    page.elicit(&one, "a");
    page.elicit(&other, "a");
    assert_eq!(page.seal()[0]["id"], 1);
    assert!(page.seal().is_empty());
    assert_eq!(page.replies(), [("a".to_owned(), Err(Code::InternalError))]);
    assert_eq!(page.session.parked(), 1);
    assert_eq!(page.end(&other, Ok(json!("without")))[0]["id"], 2);
}

#[test]
fn a_request_whose_state_is_being_opened_has_its_id_and_its_room() {
    let mut page = Page::with_limits(Limits { calls_in_flight: 1, ..Limits::default() });
    let run = page.begin(json!(1));
    page.elicit(&run, "name");
    let state = page.seal()[0]["result"]["requestState"].clone();
    page.called(json!(2), json!({ "requestState": state, "inputResponses": { "name": accept("Ann") } }));
    assert_eq!(error_of(&page.called(json!(2), json!({}))), (json!(2), -32600), "the id is in use");
    assert_eq!(error_of(&page.called(json!(3), json!({}))), (json!(3), -32603), "there is room for one");
    assert!(page.open().is_empty());
    assert_eq!(page.replies(), [("name".to_owned(), Ok(accept("Ann")))]);
    page.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } }));
    assert_eq!(page.aborted.pop().unwrap().0.key(), run.key());
    let Session { moved, opening, asked, parked, .. } = &page.session;
    assert!(moved.is_empty() && opening.is_empty() && asked.is_empty() && parked.is_empty(), "nothing is left behind");
}

#[test]
fn a_handler_asks_in_one_way_at_a_time() {
    let mut page = Page::new();
    let run = page.begin(json!(1));
    page.elicit(&run, "name");
    let wish = json!({ "resultType": "input_required", "requestState": "mine" });
    let versions = page.versions();
    let answer = page.step(Input::Returned { run, outcome: Ok(wish), versions });
    assert_eq!(error_of(&answer), (json!(1), -32603));
    assert!(page.seal().is_empty(), "its seal comes too late");
}
