//! A page of a test: a session, its registry, and whatever was asked of it.

use super::super::*;
use crate::core::limits::Limits;
use crate::core::tool::{Registry, Tool, result};
use serde_json::{Value, json};

/// A session with its registry, and a handler that leaves every run open until a test ends it.
pub struct Page {
    pub session: Session<Value>,
    pub tools: Registry<Value, ()>,
    pub runs: Vec<(Run, Value)>,
    /// The parameters of the calls, as they came.
    pub params: Vec<Value>,
    /// What was asked for beside calls of tools.
    pub asked: Vec<Effect<Value>>,
    pub prompts: u64,
    pub resources: u64,
    pub aborted: Vec<(Run, String)>,
    pub faults: Vec<Code>,
}

impl Page {
    pub fn new() -> Self {
        Page::with_limits(Limits::default())
    }

    pub fn with_limits(limits: Limits) -> Self {
        Page::with(limits, Offers::default(), Cache::default())
    }

    pub fn with(limits: Limits, offers: Offers, cache: Cache) -> Self {
        let implementation = Implementation { name: "page".into(), version: "1".into(), title: None };
        let profile = Profile::new(implementation, Some("be kind".into()), limits);
        let profile = Rc::new(profile.with_offers(offers, cache));
        let mut page = Page {
            session: Session::new(profile),
            tools: Registry::default(),
            runs: vec![],
            params: vec![],
            asked: vec![],
            prompts: 0,
            resources: 0,
            aborted: vec![],
            faults: vec![],
        };
        page.add("echo");
        page
    }

    pub fn add(&mut self, name: &str) {
        self.tools.add(Tool::new(json!({ "name": name, "description": name }), ()).unwrap());
    }

    pub fn versions(&self) -> Versions {
        Versions { tools: self.tools.version(), prompts: self.prompts, resources: self.resources }
    }

    pub fn hear(&mut self, effects: Vec<Effect<Value>>) -> Vec<Value> {
        let mut frames = vec![];
        for effect in effects {
            match effect {
                Effect::Send(frame) => frames.push(frame),
                Effect::Call { run, name, arguments, params, .. } => match self.tools.get(&name) {
                    Some(_) => {
                        self.runs.push((run, arguments));
                        self.params.push(params);
                    }
                    None => {
                        let mut more = vec![];
                        self.session.step(Input::Unknown { run, name }, &mut more);
                        frames.extend(self.hear(more));
                    }
                },
                Effect::List { id, era, offset } => {
                    let mut more = vec![];
                    let tools = self.tools.listing(era).clone();
                    let versions = self.versions();
                    self.session.step(Input::Listed { id, era, offset, tools, versions }, &mut more);
                    frames.extend(self.hear(more));
                }
                Effect::Abort { run, reason } => self.aborted.push((run, reason)),
                Effect::Fault(error) => self.faults.push(error.code),
                effect => self.asked.push(effect),
            }
        }
        frames
    }

    pub fn say(&mut self, frame: Value) -> Vec<Value> {
        let mut effects = vec![];
        let frame = Frame::look(frame);
        self.session.step(Input::Frame { frame, versions: self.versions(), now: 0.0 }, &mut effects);
        self.hear(effects)
    }

    pub fn step(&mut self, input: Input<Value>) -> Vec<Value> {
        let mut effects = vec![];
        self.session.step(input, &mut effects);
        self.hear(effects)
    }

    pub fn end(&mut self, run: &Run, outcome: Result<Value, String>) -> Vec<Value> {
        let mut effects = vec![];
        let result = match outcome {
            Ok(value) => result::from_value(&value, false),
            Err(message) => result::from_failure(&message),
        };
        let (outcome, versions) = (Ok(result), self.versions());
        self.session.step(Input::Returned { run: run.clone(), outcome, versions }, &mut effects);
        self.hear(effects)
    }

    pub fn handshake(&mut self) {
        self.say(json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize",
            "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "2" } } }));
        self.say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    }

    pub fn call(&mut self, id: Value, arguments: Value) -> (Run, Value) {
        assert_eq!(
            self.say(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "echo", "arguments": arguments } })),
            Vec::<Value>::new()
        );
        self.runs.last().cloned().unwrap()
    }
}
