//! Every message of the protocol in the shape its schema gives it: it is read for what it is and written
//! again without loss, a server has it answered, and a client takes the answer as it came.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use modelport::core::client::{self, Client, Manner, Opening, Request};
use modelport::core::code::Code;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::{self, Message};
use modelport::core::revision::{Era, Implementation, Revision};
use modelport::core::server::{self, Cache, Offers, Profile, Session, Versions};
use modelport::json::{Json, Key, Word};
use serde_json::{Value, json};
use std::rc::Rc;

const FILES: [(Revision, &str); 2] = [
    (Revision::V2026_07_28, include_str!("../data/examples/2026-07-28.json")),
    (Revision::V2025_11_25, include_str!("../data/examples/2025-11-25.json")),
];

fn each(group: &str, mut look: impl FnMut(Revision, &Value)) {
    let mut seen = 0;
    for (revision, text) in FILES {
        let file: Value = serde_json::from_str(text).unwrap();
        for entry in file[group].as_array().unwrap() {
            look(revision, entry);
            seen += 1;
        }
    }
    assert!(seen > 0, "{group} is not empty");
}

fn capabilities() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

fn who() -> Implementation {
    Implementation { name: "example".into(), version: "1".into(), title: None }
}

/// The request of an entry, with what every request of its era carries.
fn request(revision: Revision, entry: &Value) -> Value {
    let mut frame = json!({ "jsonrpc": "2.0", "id": "e-1", "method": entry["method"] });
    if let Some(params) = entry.get("params") {
        frame["params"] = params.clone();
    }
    if revision.era() == Era::Stateless {
        let meta = &mut frame["params"]["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = json!(revision.name());
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities();
        meta["io.modelcontextprotocol/clientInfo"] = who().to_json();
    }
    frame
}

fn notice(entry: &Value) -> Value {
    let mut frame = json!({ "jsonrpc": "2.0", "method": entry["method"] });
    if let Some(params) = entry.get("params") {
        frame["params"] = params.clone();
    }
    frame
}

/// The frame as it is written after it was read.
fn again(frame: &Value) -> Value {
    match message::classify(&Frame::look(frame.clone())).unwrap() {
        Message::Request { id, method, params } => message::request(&id, &method, params),
        Message::Notification { method, params } => message::notification(&method, params),
        Message::Response { id, outcome: Ok(result) } => message::result(&id, result),
        Message::Response { id, outcome: Err(error) } => message::failure(Some(&id), &message::read_error(&error)),
    }
}

/// Whether all that is in one value is in the other; objects may have more.
fn is_within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, value)| whole.get(name).is_some_and(|other| is_within(value, other)))
        }
        _ => part == whole,
    }
}

#[test]
fn what_is_read_is_written_again_without_loss() {
    each("exchanges", |revision, entry| {
        let asked = request(revision, entry);
        assert_eq!(again(&asked), asked, "{}", entry["type"]);
        for (member, part) in [("result", "result"), ("asked", "result"), ("error", "error")] {
            if let Some(answer) = entry.get(member) {
                let mut frame = json!({ "jsonrpc": "2.0", "id": 0 });
                frame[part] = answer.clone();
                assert_eq!(again(&frame), frame, "{}", entry["type"]);
            }
        }
    });
    for group in ["notices", "told"] {
        each(group, |_, entry| assert_eq!(again(&notice(entry)), notice(entry), "{}", entry["type"]));
    }
}

/// A server that offers everything, and has shaken hands where its revision does.
fn session(revision: Revision) -> Session<Value> {
    let all = Offers { resources: true, prompts: true, completions: true, logging: true, tasks: true, held: false };
    let profile = Profile::new(who(), None, Limits::default()).with_offers(all, Cache::default());
    let mut session = Session::new(Rc::new(profile));
    if revision.era() == Era::Handshake {
        let params = json!({ "protocolVersion": revision.name(), "capabilities": capabilities() });
        let hello = json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params });
        assert_eq!(say(&mut session, hello).len(), 1);
    }
    session
}

fn say(session: &mut Session<Value>, frame: Value) -> Vec<server::Effect<Value>> {
    let mut effects = vec![];
    let frame = Frame::look(frame);
    session.step(server::Input::Frame { frame, versions: Versions::default(), now: 0.0 }, &mut effects);
    effects
}

fn sent(effects: Vec<server::Effect<Value>>) -> Value {
    match &effects[..] {
        [server::Effect::Send(frame)] => frame.clone(),
        _ => panic!("one frame expected"),
    }
}

/// What the server has for a handler's outcome, as the client gets it.
fn outcome(entry: &Value) -> Result<Value, modelport::core::error::Error> {
    match entry.get("error") {
        Some(error) => Err(message::read_error(error)),
        None => Ok(entry.get("result").or(entry.get("asked")).unwrap().clone()),
    }
}

#[test]
fn a_server_has_every_request_answered() {
    each("exchanges", |revision, entry| {
        if entry["from"] == "client" {
            return;
        }
        let (mut session, mut effects) = (session(revision), vec![]);
        let versions = Versions::default();
        let mut first = say(&mut session, request(revision, entry));
        let name = &entry["type"];
        match first.pop().unwrap() {
            server::Effect::Send(frame) => {
                let own = ["server/discover", "initialize", "ping"].iter().any(|method| entry["method"] == *method);
                assert!(own || entry["from"] == "server", "{name}: {frame}");
                let is_known = entry["from"] != "server" || is_within(&entry["result"], &frame["result"]);
                return assert!(frame.get("result").is_some() && is_known, "{name}: {frame}");
            }
            server::Effect::Call { run, name: called, arguments, params, .. } => {
                assert_eq!((&json!(called), &params["name"]), (&entry["params"]["name"], &entry["params"]["name"]));
                assert_eq!(arguments, entry["params"].get("arguments").cloned().unwrap_or_else(|| json!({})));
                session.step(server::Input::Returned { run, outcome: outcome(entry), versions }, &mut effects);
            }
            server::Effect::Provide { run, method, params, .. } => {
                assert_eq!(method.name(), entry["method"]);
                assert!(is_within(entry.get("params").unwrap_or(&json!({})), &params), "{name}: {params}");
                session.step(server::Input::Provided { run, outcome: outcome(entry), versions }, &mut effects);
            }
            _ => panic!("{name} is not asked of anybody"),
        }
        if let [server::Effect::Seal { .. }] = &effects[..] {
            let Some(server::Effect::Seal { run, .. }) = effects.pop() else { return };
            session.step(server::Input::Sealed { run, sealed: Some("sealed".into()) }, &mut effects);
        }
        let frame = sent(effects);
        assert_eq!(frame["id"], "e-1");
        match (entry.get("error"), entry.get("asked")) {
            (Some(error), _) => assert_eq!(&frame["error"], error, "{name}"),
            (None, Some(asked)) => {
                assert_eq!(frame["result"].get("inputRequests"), asked.get("inputRequests"), "{name}");
                assert_eq!(frame["result"]["requestState"], "sealed", "{name}: whose state it is, stays here");
            }
            _ => assert!(is_within(&entry["result"], &frame["result"]), "{name}: {frame}"),
        }
    });
}

#[test]
fn a_server_takes_what_it_is_told() {
    each("told", |revision, entry| {
        assert!(say(&mut session(revision), notice(entry)).is_empty(), "{}", entry["type"]);
    });
}

/// A client that is connected, and what it asked for since.
struct Guest {
    client: Client<Value, ()>,
    effects: Vec<client::Effect<Value, ()>>,
}

impl Guest {
    fn new(revision: Revision) -> Self {
        let client = Client::new(who(), capabilities(), Opening::Pinned(revision), Limits::default());
        let mut guest = Guest { client, effects: vec![] };
        guest.step(client::Input::Connect { now: 0.0, is_old: false });
        let id = guest.sent()["id"].clone();
        guest.hear(json!({ "jsonrpc": "2.0", "id": id,
            "result": { "supportedVersions": [revision.name()], "protocolVersion": revision.name() } }));
        assert_eq!(guest.client.revision(), Some(revision));
        guest.effects.clear();
        guest
    }

    fn step(&mut self, input: client::Input<Value, ()>) {
        self.client.step(input, &mut self.effects);
    }

    fn hear(&mut self, frame: Value) {
        self.step(client::Input::Frame { now: 0.0, frame: Frame::look(frame) });
    }

    /// The frame that was sent last.
    fn sent(&mut self) -> Value {
        let mut frames = self.effects.drain(..).rev().filter_map(|effect| match effect {
            client::Effect::Send(frame) => Some(frame),
            _ => None,
        });
        frames.next().expect("a frame")
    }
}

#[test]
fn a_client_takes_every_answer_as_it_came() {
    each("exchanges", |revision, entry| {
        if entry["from"] == "server" {
            return;
        }
        let name = &entry["type"];
        let mut guest = Guest::new(revision);
        let method = Word::Known(entry.which(Key::Method).expect("a word of the protocol"));
        let extra = entry.get("params").cloned();
        let request = Request { method, params: vec![], extra, waiter: (), manner: Manner::default() };
        guest.step(client::Input::Request { now: 0.0, request });
        let first = guest.sent();
        assert!(
            is_within(entry.get("params").unwrap_or(&json!({})), &first["params"]) || entry.get("params").is_none()
        );
        let mut answer = json!({ "jsonrpc": "2.0", "id": first["id"] });
        match entry.get("error") {
            Some(error) => answer["error"] = error.clone(),
            None => answer["result"] = outcome(entry).unwrap(),
        }
        guest.hear(answer);
        if let Some(answers) = entry.get("answers") {
            let asked: Vec<i64> = guest.effects.iter().map_while(ask).collect();
            assert_eq!(asked.len(), answers.as_object().unwrap().len(), "{name}");
            for (ask, key) in
                asked.iter().zip(entry["asked"]["inputRequests"].as_object().into_iter().flat_map(|all| all.keys()))
            {
                guest.step(client::Input::Replied { now: 0.0, ask: *ask, outcome: Ok(answers[key].clone()) });
            }
            let again = guest.sent();
            assert_eq!(&again["params"]["inputResponses"], answers, "{name}");
            assert_eq!(again["params"]["requestState"], entry["asked"]["requestState"], "{name}");
            return;
        }
        match guest.effects.pop() {
            Some(client::Effect::Settle { outcome: Ok(result), .. }) => assert_eq!(result, entry["result"], "{name}"),
            Some(client::Effect::Settle { outcome: Err(error), .. }) => {
                assert_eq!(error.code.word(), entry["word"], "{name}");
                let data = error.data.map(|data| serde_json::from_str::<Value>(&data).unwrap());
                assert_eq!(data.as_ref(), entry["error"].get("data"), "{name}");
            }
            _ => panic!("{name} settles nobody"),
        }
    });
}

fn ask(effect: &client::Effect<Value, ()>) -> Option<i64> {
    if let client::Effect::Asked { ask, .. } = effect { Some(*ask) } else { None }
}

#[test]
fn a_client_hears_every_notice() {
    each("notices", |revision, entry| {
        let mut guest = Guest::new(revision);
        guest.hear(notice(entry));
        let [client::Effect::Notification { method, params }] = &guest.effects[..] else {
            panic!("{} is not heard", entry["type"])
        };
        assert_eq!((&json!(method), params.as_ref()), (&entry["method"], entry.get("params")));
    });
}

#[test]
fn a_client_has_every_question_answered() {
    each("questions", |revision, entry| {
        let mut guest = Guest::new(revision);
        guest.hear(request(revision, entry));
        let [client::Effect::Asked { ask, method, params }] = &guest.effects[..] else {
            panic!("{} is not asked", entry["type"])
        };
        assert_eq!(
            (method.name(), params),
            (entry["method"].as_str().unwrap(), entry.get("params").unwrap_or(&json!({})))
        );
        let ask = *ask;
        guest.step(client::Input::Replied { now: 0.0, ask, outcome: Ok(entry["result"].clone()) });
        assert_eq!(guest.sent(), json!({ "jsonrpc": "2.0", "id": "e-1", "result": entry["result"] }));
    });
}

#[test]
fn errors_that_answer_no_request_reach_whoever_keeps_the_client() {
    for error in [
        json!({ "code": -32700, "message": "Parse error: Unexpected token" }),
        json!({ "code": -32600, "message": "Invalid Request", "data": { "line": 1 } }),
    ] {
        let mut guest = Guest::new(Revision::V2025_11_25);
        guest.hear(json!({ "jsonrpc": "2.0", "error": error }));
        let [client::Effect::Fault(fault)] = &guest.effects[..] else { panic!("a fault") };
        assert_eq!(fault.code, Code::from_number(error["code"].as_i64().unwrap() as i32));
    }
}
