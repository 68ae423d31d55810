//! Subscriptions, notices of changes, and the log.

use super::*;

const ALL: Offers =
    Offers { resources: true, prompts: true, completions: false, logging: true, tasks: true, held: false };

fn listen(id: Value, filter: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": { "notifications": filter, "_meta": meta() } })
}

fn notice(id: Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ "io.modelcontextprotocol/subscriptionId": id });
    json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}"), "params": params })
}

#[test]
fn a_subscription_hears_what_it_asked_for_and_nothing_else() {
    let mut page = Page::with(Limits::default(), ALL, Cache::default());
    let granted = json!({ "toolsListChanged": true, "resourceSubscriptions": ["a:1"], "taskIds": ["t"] });
    let mut wish = granted.clone();
    wish["promptsListChanged"] = json!(false);
    assert_eq!(
        page.say(listen(json!(0), wish)),
        [notice(json!(0), "subscriptions/acknowledged", json!({ "notifications": granted }))]
    );
    page.say(listen(json!("two"), json!({ "promptsListChanged": true, "resourcesListChanged": true })));
    page.add("new");
    page.prompts += 1;
    page.resources += 2;
    let versions = page.versions();
    assert_eq!(
        page.step(Input::Announce(versions)),
        [
            notice(json!(0), "tools/list_changed", json!({})),
            notice(json!("two"), "prompts/list_changed", json!({})),
            notice(json!("two"), "resources/list_changed", json!({})),
        ]
    );
    assert!(page.step(Input::Announce(versions)).is_empty(), "once however often it is said");
    assert_eq!(
        page.step(Input::Updated { uri: "a:1".into() }),
        [notice(json!(0), "resources/updated", json!({ "uri": "a:1" }))]
    );
    assert!(page.step(Input::Updated { uri: "a:2".into() }).is_empty());
    let task = json!({ "taskId": "t", "status": "working" });
    assert_eq!(
        page.step(Input::TaskChanged { id: "t".into(), params: task.clone() }),
        [notice(json!(0), "tasks", task)]
    );
}

#[test]
fn only_what_is_offered_is_granted() {
    let mut page = Page::new();
    let wish = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["a:1"] });
    let answer = page.say(listen(json!(1), wish));
    assert_eq!(answer[0]["params"]["notifications"], json!({ "toolsListChanged": true, "resourceSubscriptions": [] }));
    for bad in [json!(null), json!([]), json!({ "toolsListChanged": 1 }), json!({ "resourceSubscriptions": [1] })] {
        assert_eq!(error_of(&page.say(listen(json!(2), bad))), (json!(2), -32602));
    }
    assert_eq!(error_of(&page.say(listen(json!(1), json!({})))), (json!(1), -32600), "the id is in use");
}

#[test]
fn a_cancelled_subscription_is_silent_and_a_closed_server_answers_it() {
    let mut page = Page::new();
    page.say(listen(json!(1), json!({ "toolsListChanged": true })));
    page.say(listen(json!(2), json!({ "toolsListChanged": true })));
    page.say(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
    page.add("new");
    let versions = page.versions();
    assert_eq!(page.step(Input::Announce(versions)), [notice(json!(2), "tools/list_changed", json!({}))]);
    let end = page.step(Input::Close);
    assert_eq!(end.len(), 1);
    assert_eq!(end[0]["id"], 2);
    assert_eq!(end[0]["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 2);
    assert_eq!(end[0]["result"]["resultType"], "complete");
    assert!(page.step(Input::Announce(Versions::default())).is_empty());
}

#[test]
fn subscriptions_have_a_limit() {
    let mut page = Page::with(Limits { subscriptions: 3, ..Limits::default() }, ALL, Cache::default());
    assert!(page.say(listen(json!(1), json!({ "resourceSubscriptions": ["a", "b"] })))[0].get("error").is_none());
    assert_eq!(error_of(&page.say(listen(json!(2), json!({})))), (json!(2), -32603));
    page.handshake();
    for place in 0..3 {
        let frame = json!({ "jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": { "uri": place.to_string() } });
        assert_eq!(page.say(frame)[0]["result"], json!({}));
    }
    let frame =
        |uri: Value| json!({ "jsonrpc": "2.0", "id": 4, "method": "resources/subscribe", "params": { "uri": uri } });
    assert_eq!(error_of(&page.say(frame(json!("more")))), (json!(4), -32603));
    assert_eq!(page.say(frame(json!("1")))[0]["result"], json!({}), "one it has already counts once");
    assert_eq!(error_of(&page.say(frame(json!(5)))), (json!(4), -32602));
}

#[test]
fn a_peer_of_the_handshake_era_hears_of_the_resources_it_subscribed_to() {
    let mut page = Page::with(Limits::default(), ALL, Cache::default());
    page.handshake();
    let frame = |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "uri": "a:1" } });
    page.say(frame("resources/subscribe"));
    let updated = json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": { "uri": "a:1" } });
    assert_eq!(page.step(Input::Updated { uri: "a:1".into() }), [updated]);
    page.say(frame("resources/unsubscribe"));
    assert!(page.step(Input::Updated { uri: "a:1".into() }).is_empty());
    page.prompts += 1;
    let versions = page.versions();
    assert_eq!(
        page.step(Input::Announce(versions)),
        [json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" })]
    );
    assert_eq!(error_of(&page.say(listen_legacy())), (json!(9), -32601));
}

fn listen_legacy() -> Value {
    json!({ "jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": { "notifications": {} } })
}

#[test]
fn the_log_follows_the_level_of_the_session_or_of_the_request() {
    let mut page = Page::with(Limits::default(), ALL, Cache::default());
    page.handshake();
    let (run, _) = page.call(json!(1), json!({}));
    let log = |page: &mut Page, run: &Run, level: &str| {
        page.step(Input::Log { run: run.clone(), level: level.into(), params: json!({ "data": [1] }) })
    };
    assert!(log(&mut page, &run, "debug").is_empty());
    assert_eq!(
        log(&mut page, &run, "info"),
        [json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "data": [1], "level": "info" } })]
    );
    let set =
        |level: Value| json!({ "jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": { "level": level } });
    assert_eq!(page.say(set(json!("error"))), [json!({ "jsonrpc": "2.0", "id": 2, "result": {} })]);
    assert!(log(&mut page, &run, "warning").is_empty());
    assert_eq!(log(&mut page, &run, "alert").len(), 1);
    assert!(log(&mut page, &run, "shout").is_empty(), "a level that is none is nothing to a peer");
    assert_eq!(error_of(&page.say(set(json!("shout")))), (json!(2), -32602));

    let with = |level: Option<&str>| {
        let mut own = meta();
        if let Some(level) = level {
            own["io.modelcontextprotocol/logLevel"] = json!(level);
        }
        json!({ "jsonrpc": "2.0", "id": level.unwrap_or("none"), "method": "tools/call", "params": { "name": "echo", "_meta": own } })
    };
    page.say(with(None));
    let (silent, _) = page.runs.pop().unwrap();
    assert!(log(&mut page, &silent, "emergency").is_empty(), "who sets no level wants none");
    page.say(with(Some("notice")));
    let (run, _) = page.runs.pop().unwrap();
    assert!(log(&mut page, &run, "info").is_empty());
    assert_eq!(log(&mut page, &run, "notice").len(), 1);
    page.end(&run, Ok(json!("done")));
    assert!(log(&mut page, &run, "emergency").is_empty(), "nothing after the answer");
}
