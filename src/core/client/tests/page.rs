//! A page of a test: a client with a clock, and the names of those who wait.

use super::super::*;
use crate::core::revision::Era;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A client with a clock, and the names of those who wait.
pub struct Page {
    pub client: Client<Value, &'static str>,
    pub now: f64,
    pub settled: HashMap<&'static str, Result<Value, Code>>,
    pub connected: Option<Result<Revision, Code>>,
    pub progress: Vec<Value>,
    pub notices: Vec<String>,
    pub wake: Option<f64>,
    pub asked: Vec<(i64, Key, Value)>,
    pub unasked: Vec<i64>,
    pub faults: Vec<Code>,
}

impl Page {
    pub fn new(opening: Opening) -> Self {
        Page::with(json!({}), opening, Limits::default())
    }

    pub fn with(capabilities: Value, opening: Opening, limits: Limits) -> Self {
        let identity = Implementation { name: "page".into(), version: "1".into(), title: None };
        Page {
            client: Client::new(identity, capabilities, opening, limits),
            now: 0.0,
            settled: HashMap::new(),
            connected: None,
            progress: vec![],
            notices: vec![],
            wake: None,
            asked: vec![],
            unasked: vec![],
            faults: vec![],
        }
    }

    pub fn ready(revision: Revision) -> Self {
        Page::new(Opening::Pinned(revision)).opened(revision)
    }

    pub fn opened(mut self, revision: Revision) -> Self {
        let page = &mut self;
        let hello = page.connect();
        match revision.era() {
            Era::Stateless => page.hear(
                json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "result": { "supportedVersions": ["2026-07-28"] } }),
            ),
            Era::Handshake => page.hear(
                json!({ "jsonrpc": "2.0", "id": hello[0]["id"], "result": { "protocolVersion": revision.name() } }),
            ),
        };
        assert_eq!(page.connected, Some(Ok(revision)));
        self
    }

    pub fn run(&mut self, effects: Vec<Effect<Value, &'static str>>) -> Vec<Value> {
        let mut frames = vec![];
        for effect in effects {
            match effect {
                Effect::Send(frame) => frames.push(frame),
                Effect::Settle { waiter, outcome } => {
                    let before = self.settled.insert(waiter, outcome.map_err(|error| error.code));
                    assert_eq!(before, None, "{waiter} settled twice");
                }
                Effect::Progress { params, .. } => self.progress.push(params),
                Effect::Notification { method, .. } => self.notices.push(method),
                Effect::Connected(outcome) => {
                    self.connected = Some(outcome.map(|peer| peer.revision).map_err(|error| error.code));
                }
                Effect::WakeAt(at) => self.wake = Some(at),
                Effect::Fault(error) => self.faults.push(error.code),
                Effect::Asked { ask, method, params } => self.asked.push((ask, method, params)),
                Effect::Unasked { ask } => self.unasked.push(ask),
            }
        }
        frames
    }

    pub fn connect(&mut self) -> Vec<Value> {
        let mut effects = vec![];
        self.client.step(Input::Connect { now: self.now, is_old: false }, &mut effects);
        self.run(effects)
    }

    pub fn hear(&mut self, frame: Value) -> Vec<Value> {
        let mut effects = vec![];
        self.client.step(Input::Frame { now: self.now, frame: Frame::look(frame) }, &mut effects);
        self.run(effects)
    }

    pub fn call(&mut self, waiter: &'static str, timeout: Option<f64>, progress: bool) -> (Option<Id>, Vec<Value>) {
        let mut effects = vec![];
        let params = vec![(Key::Name, json!("echo"))];
        let manner = Manner { timeout, progress, ..Manner::default() };
        let request = Request { method: Word::Known(Key::ToolsCall), params, extra: None, waiter, manner };
        let id = self.client.upcoming().map(Id::Number);
        self.client.step(Input::Request { now: self.now, request }, &mut effects);
        (id, self.run(effects))
    }

    pub fn pass(&mut self, milliseconds: f64) -> Vec<Value> {
        self.now += milliseconds;
        let mut effects = vec![];
        self.client.step(Input::Elapsed { now: self.now }, &mut effects);
        self.run(effects)
    }
}
