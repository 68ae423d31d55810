//! Resources, prompts, completion, the held handshake, pages and limits.

use super::*;

const ALL: Offers =
    Offers { resources: true, prompts: true, completions: true, logging: true, tasks: true, held: false };

fn page() -> Page {
    Page::with(Limits::default(), ALL, Cache { ttl: 500.0, public: true })
}

impl Page {
    /// What a provider was last asked.
    fn provided(&mut self) -> (Run, Key, Value) {
        match self.asked.pop() {
            Some(Effect::Provide { run, method, params, .. }) => (run, method, params),
            _ => panic!("a provider is asked"),
        }
    }

    fn provide(&mut self, run: &Run, outcome: Result<Value, Error>) -> Vec<Value> {
        let versions = self.versions();
        self.step(Input::Provided { run: run.clone(), outcome, versions })
    }

    fn ask(&mut self, id: i64, method: &str, mut params: Value) -> Vec<Value> {
        params["_meta"] = meta();
        self.say(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
    }
}

#[test]
fn each_era_is_told_what_is_offered() {
    let mut page = page();
    let discovered = page.ask(1, "server/discover", json!({}));
    let changes = json!({ "listChanged": true });
    assert_eq!(
        discovered[0]["result"]["capabilities"],
        json!({ "tools": changes, "resources": { "listChanged": true, "subscribe": true }, "prompts": changes,
            "completions": {}, "logging": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } })
    );
    assert_eq!(discovered[0]["result"]["ttlMs"], 500);
    assert_eq!(discovered[0]["result"]["cacheScope"], "public");
    let shaken = page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "initialize",
        "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "2" } } }));
    assert_eq!(shaken[0]["result"]["capabilities"].get("extensions"), None);
    assert!(shaken[0]["result"]["capabilities"]["resources"].is_object());
}

#[test]
fn what_is_not_offered_is_not_there() {
    let mut page = Page::new();
    for (place, method) in [
        "resources/list",
        "resources/read",
        "prompts/get",
        "completion/complete",
        "tasks/get",
        "ping",
        "logging/setLevel",
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(error_of(&page.ask(place as i64, method, json!({ "uri": "x", "name": "x" }))).1, -32601, "{method}");
    }
}

#[test]
fn a_list_and_a_reading_carry_cache_hints_in_the_stateless_era_only() {
    let mut page = page();
    assert!(page.ask(1, "resources/list", json!({})).is_empty());
    let (run, method, _) = page.provided();
    assert_eq!(method, Key::ResourcesList);
    let answer = page.provide(&run, Ok(json!({ "resources": [{ "uri": "a:1", "name": "one" }], "nextCursor": null })));
    assert_eq!(
        answer[0]["result"],
        json!({ "resources": [{ "uri": "a:1", "name": "one" }], "ttlMs": 500, "cacheScope": "public",
            "resultType": "complete", "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "page", "version": "1" } } })
    );
    page.ask(2, "resources/read", json!({ "uri": "a:1" }));
    let (run, ..) = page.provided();
    let answer = page.provide(&run, Ok(json!({ "contents": [], "ttlMs": 7 })));
    assert_eq!((&answer[0]["result"]["ttlMs"], &answer[0]["result"]["cacheScope"]), (&json!(7), &json!("public")));
    page.ask(3, "prompts/get", json!({ "name": "p" }));
    let (run, ..) = page.provided();
    let answer = page.provide(&run, Ok(json!({ "messages": [] })));
    assert_eq!(answer[0]["result"].get("ttlMs"), None, "prompts are not cacheable");
    page.handshake();
    page.say(json!({ "jsonrpc": "2.0", "id": 4, "method": "resources/list" }));
    let (run, ..) = page.provided();
    let answer = page.provide(&run, Ok(json!({ "resources": [] })));
    assert_eq!(answer, [json!({ "jsonrpc": "2.0", "id": 4, "result": { "resources": [] } })]);
}

#[test]
fn a_providers_error_is_the_answer() {
    let mut page = page();
    page.ask(1, "resources/read", json!({ "uri": "a:1" }));
    let (run, ..) = page.provided();
    let missing = Error::new(Code::InvalidParams, "Resource not found: a:1").with_data(r#"{"uri":"a:1"}"#.into());
    let answer = page.provide(&run, Err(missing));
    assert_eq!(
        answer,
        [json!({ "jsonrpc": "2.0", "id": 1,
            "error": { "code": -32602, "message": "Resource not found: a:1", "data": { "uri": "a:1" } } })]
    );
    assert_eq!(error_of(&page.ask(2, "resources/read", json!({ "uri": 5 }))), (json!(2), -32602));
    assert_eq!(error_of(&page.ask(3, "prompts/get", json!({}))), (json!(3), -32602));
}

#[test]
fn pages_are_cut_here_or_by_the_provider() {
    let mut page = Page::with(Limits { page_size: 2, ..Limits::default() }, ALL, Cache::default());
    for name in ["b", "c", "d"] {
        page.add(name);
    }
    let names = |frames: &[Value], member: &str| {
        let entries = frames[0]["result"][member].as_array().unwrap().clone();
        entries.iter().map(|entry| entry["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let first = page.ask(1, "tools/list", json!({}));
    assert_eq!(names(&first, "tools"), ["echo", "b"]);
    let second = page.ask(2, "tools/list", json!({ "cursor": first[0]["result"]["nextCursor"] }));
    assert_eq!(names(&second, "tools"), ["c", "d"]);
    assert_eq!(second[0]["result"].get("nextCursor"), None, "the end is a key that is absent");
    for cursor in [json!("made up"), json!(7), json!("modelport:x")] {
        assert_eq!(error_of(&page.ask(3, "tools/list", json!({ "cursor": cursor }))), (json!(3), -32602));
    }
    let beyond = page.ask(4, "tools/list", json!({ "cursor": "modelport:99" }));
    assert_eq!(names(&beyond, "tools"), Vec::<String>::new());

    let prompts = json!({ "prompts": [{ "name": "p" }, { "name": "q" }, { "name": "r" }] });
    page.ask(5, "prompts/list", json!({}));
    let (run, ..) = page.provided();
    let first = page.provide(&run, Ok(prompts.clone()));
    assert_eq!(names(&first, "prompts"), ["p", "q"]);
    page.ask(6, "prompts/list", json!({ "cursor": first[0]["result"]["nextCursor"] }));
    let (run, _, params) = page.provided();
    assert_eq!(params.get("cursor"), None, "a cursor of ours is not the provider's");
    assert_eq!(names(&page.provide(&run, Ok(prompts)), "prompts"), ["r"]);
    page.ask(7, "prompts/list", json!({ "cursor": "theirs" }));
    let (run, _, params) = page.provided();
    assert_eq!(params["cursor"], "theirs");
    let own = page.provide(&run, Ok(json!({ "prompts": [{ "name": "x" }], "nextCursor": "more" })));
    assert_eq!((names(&own, "prompts"), &own[0]["result"]["nextCursor"]), (vec!["x".to_owned()], &json!("more")));
}

#[test]
fn a_held_handshake_waits_and_all_else_does_not() {
    let mut page = Page::with(Limits::default(), Offers { held: true, ..Offers::default() }, Cache::default());
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "2" } } });
    assert!(page.say(hello.clone()).is_empty());
    let (run, method, params) = page.provided();
    assert_eq!((method, &params["clientInfo"]["name"]), (Key::Initialize, &json!("c")));
    assert_eq!(page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }))[0]["result"], json!({}));
    assert!(page.ask(3, "server/discover", json!({}))[0]["result"].is_object());
    assert_eq!(error_of(&page.say(json!({ "jsonrpc": "2.0", "id": 4, "method": "tools/list" }))), (json!(4), -32602));
    assert_eq!(page.provide(&run, Ok(json!({})))[0]["result"]["protocolVersion"], "2025-11-25");
    assert!(page.say(json!({ "jsonrpc": "2.0", "id": 5, "method": "tools/list" }))[0]["result"].is_object());

    let mut refused = Page::with(Limits::default(), Offers { held: true, ..Offers::default() }, Cache::default());
    refused.say(hello);
    let (run, ..) = refused.provided();
    assert_eq!(error_of(&refused.provide(&run, Err(Error::new(Code::InvalidRequest, "not you")))), (json!(1), -32600));
    assert_eq!(
        error_of(&refused.say(json!({ "jsonrpc": "2.0", "id": 6, "method": "tools/list" }))),
        (json!(6), -32602)
    );
}

#[test]
fn tasks_are_for_clients_that_declared_them() {
    let mut page = page();
    let answer = page.ask(1, "tasks/get", json!({ "taskId": "t" }));
    assert_eq!(
        answer[0]["error"]["data"],
        json!({ "requiredCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } } })
    );
    assert_eq!(error_of(&answer), (json!(1), -32021));
    let mut own = meta();
    own["io.modelcontextprotocol/clientCapabilities"] =
        json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    page.say(json!({ "jsonrpc": "2.0", "id": 2, "method": "tasks/get", "params": { "taskId": "t", "_meta": own } }));
    let (run, method, _) = page.provided();
    assert_eq!(method, Key::TasksGet);
    assert_eq!(page.provide(&run, Ok(json!({ "taskId": "t" })))[0]["result"]["resultType"], "complete");
}

#[test]
fn hostile_metadata_is_refused_and_a_large_argument_is_not() {
    let mut page = Page::new();
    let many: Vec<Value> = (0..10_000).map(|number| json!({ "n": number })).collect();
    page.ask(1, "tools/call", json!({ "name": "echo", "arguments": { "many": many } }));
    assert_eq!(page.runs.pop().unwrap().1["many"].as_array().unwrap().len(), 10_000);
    let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    for hostile in [
        json!((0..300).collect::<Vec<_>>()),
        json!("x".repeat(20_000)),
        nested(9),
        Value::Object((0..300).map(|number| (number.to_string(), json!(1))).collect()),
    ] {
        for stateless in [true, false] {
            let mut own = if stateless { meta() } else { json!({}) };
            own["x.example/hostile"] = hostile.clone();
            let frame = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "echo", "_meta": own } });
            let answer = page.say(frame);
            assert_eq!(answer[0]["error"]["message"], "Invalid params: _meta exceeds the configured limit");
        }
    }
    assert!(page.runs.is_empty());
    let deep = page.ask(3, "tools/call", json!({ "name": "echo", "arguments": { "deep": nested(250) } }));
    assert_eq!(error_of(&deep), (json!(3), -32602));
}

#[test]
fn limits_may_be_set_tighter_or_wider() {
    let mut page = Page::with_limits(Limits { meta_values: 4, depth: 5, ..Limits::default() });
    assert_eq!(error_of(&page.ask(1, "tools/list", json!({}))), (json!(1), -32602), "a plain _meta has five values");
    let mut wide = Page::with_limits(Limits { meta_depth: 50, ..Limits::default() });
    let mut own = meta();
    own["x.example/deep"] = (0..20).fold(json!(1), |inner, _| json!([inner]));
    let frame = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": { "_meta": own } });
    assert!(wide.say(frame)[0]["result"].is_object());
    assert_eq!(error_of(&page.step(Input::Oversized("Parse error: too long"))), (Value::Null, -32700));
}

#[test]
fn more_requests_in_a_second_than_the_limit_are_refused_and_the_next_second_is_free() {
    let mut page = Page::with_limits(Limits { messages_per_second: 3, ..Limits::default() });
    let mut at = |now: f64| {
        let frame = Frame::look(json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }));
        let versions = page.versions();
        page.step(Input::Frame { frame, versions, now })[0].get("error").map(|error| error["code"].clone())
    };
    assert_eq!([at(5_000.0), at(5_100.0), at(5_999.0)], [None, None, None]);
    assert_eq!(at(5_999.0), Some(json!(-32603)));
    assert_eq!(at(6_000.0), None);
}
