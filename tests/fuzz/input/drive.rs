//! The inputs of the target for runs that ask, each with what has to come of it.

use super::*;
use crate::values;
use modelport::core::code::Code;
use modelport::core::frame::Frame;
use modelport::json::Key;

const METHODS: [&str; 4] = ["tools/call", "prompts/get", "resources/read", "completion/complete"];

fn capabilities(rng: &mut Rng) -> Value {
    let mut own = json!({ "elicitation": {}, "sampling": {}, "roots": {} });
    if rng.once_in(4) {
        values::mutate(rng, &mut own);
    }
    own
}

/// An answer to some question, mostly.
fn answer(rng: &mut Rng) -> Value {
    match rng.below(6) {
        0 => json!({ "action": "accept", "content": { "a": 1 } }),
        1 => json!({ "action": "decline" }),
        2 => json!({ "role": "assistant", "content": { "type": "text", "text": "t" }, "model": "m" }),
        3 => json!({ "roots": [] }),
        _ => values::any(rng, 1),
    }
}

impl Model {
    fn id(rng: &mut Rng) -> Value {
        if rng.once_in(3) { json!(rng.below(3).to_string()) } else { json!(rng.below(6)) }
    }

    fn say(&mut self, frame: &Value) -> usize {
        self.step(Input::Frame { frame: Frame::look(frame.clone()), versions: Versions::default(), now: 0.0 })
    }

    fn ask_for(&mut self, request: Value) {
        let id = reading::id(&request["id"]).expect("an id");
        if !self.is_closed {
            self.owed.push(Owed { id, request: request.clone(), holder: Holder::Step });
        }
        assert_eq!(self.say(&request), 0);
    }

    fn hello(&mut self, rng: &mut Rng) {
        let own = capabilities(rng);
        self.ask_for(json!({ "jsonrpc": "2.0", "id": Model::id(rng), "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": own, "clientInfo": { "name": "c", "version": "1" } } }));
    }

    /// A request, or one that continues another, rightly or wrongly.
    fn request(&mut self, rng: &mut Rng) {
        let state = rng.place(&self.states).filter(|_| rng.once_in(2)).map(|place| self.states[place].clone());
        let mut request = match &state {
            Some(state) => state.request.clone(),
            None => json!({ "method": *rng.pick(&METHODS), "params": { "name": "a", "uri": "a:1", "arguments": {} } }),
        };
        (request["jsonrpc"], request["id"]) = (json!("2.0"), Model::id(rng));
        let params = &mut request["params"];
        if state.is_some() || rng.once_in(2) {
            params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": capabilities(rng) });
        }
        if state.is_some() || rng.once_in(4) {
            let keys = self.next_key.saturating_sub(3)..self.next_key + 2;
            params["inputResponses"] = keys.map(|key| (format!("k{key}"), answer(rng))).collect();
        }
        match &state {
            Some(state) if !rng.once_in(8) => params["requestState"] = state.text.clone(),
            _ if rng.once_in(16) => params["requestState"] = values::any(rng, 1),
            _ => {}
        }
        if state.is_some() && rng.once_in(8) {
            params["arguments"] = json!({ "other": true });
        }
        rng.tell(|| format!("request: {request}"));
        self.ask_for(request);
    }

    fn open(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.opens) else { return };
        let (id, sealed, bound) = self.opens.swap_remove(place);
        let owed = self.owed.iter_mut().find(|owed| owed.holder == Holder::Opening && owed.id == id);
        let owed = owed.expect("an opening is a request");
        owed.holder = Holder::Step;
        let text = sealed.strip_suffix(&format!("|{bound}")).map(str::to_owned).filter(|_| !rng.once_in(16));
        let (request, is_whole) = (owed.request.clone(), text.is_some());
        rng.tell(|| format!("opened for {id:?}: {text:?}"));
        let state = self.states.iter().find(|state| state.text == sealed.as_str()).cloned();
        let is_waiting = |run: &Id| self.place(run).is_some_and(|place| self.live[place].at == At::Parked);
        let is_due = state.is_some_and(|state| state.parked.as_ref().is_none_or(is_waiting));
        self.step(Input::Opened { id: id.clone(), text });
        let is_held = self.owed.iter().any(|owed| owed.id == id && owed.request == request);
        assert_eq!(is_held, is_whole && is_due, "{sealed}");
    }

    fn seal(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.seals) else { return };
        let (run, text, bound) = self.seals.swap_remove(place);
        let sealed = (!rng.once_in(8)).then(|| format!("{text}|{bound}"));
        rng.tell(|| format!("sealed for {run:?}: {sealed:?}"));
        self.about = Some(run.key());
        self.step(Input::Sealed { run, sealed });
    }

    fn ask(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.live) else { return };
        let Live { run, at, .. } = &self.live[place];
        let run = run.clone();
        // Who returned the wish for input asks no more.
        if *at == At::Wish {
            return;
        }
        let method = *rng.pick(&[Key::Elicit, Key::Sample, Key::RootsList]);
        let key = format!("k{}", self.next_key);
        self.next_key += 1;
        rng.tell(|| format!("{run:?} asks {} under {key}", method.name()));
        (self.about, self.key) = (Some(run.key()), Some(key.clone()));
        self.asks.push((run.key(), key.clone(), method));
        self.step(Input::Ask { run, key, method, params: json!({ "message": "m" }) });
    }

    /// A dead run asks, ends and expires in vain.
    fn ghost(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.ended) else { return };
        let run = self.ended[place].clone();
        let versions = Versions::default();
        let faults = self.step(match rng.below(5) {
            0 => Input::Ask { run, key: "x".into(), method: Key::Elicit, params: json!({}) },
            1 => Input::Returned { run, outcome: Ok(json!({ "resultType": "input_required" })), versions },
            2 => Input::Provided { run, outcome: Ok(json!({})), versions },
            3 => Input::Sealed { run, sealed: Some("x".into()) },
            _ => Input::Expired { run },
        });
        assert_eq!(faults, 0);
    }

    fn outcome(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.live) else { return };
        let Live { run, method, at, .. } = &mut self.live[place];
        let (run, is_call) = (run.clone(), method == "tools/call");
        // A parked handler may end too, but has nothing to answer; one that returned does not return again.
        if *at != At::Work {
            return;
        }
        let outcome = match rng.below(8) {
            // Only the answers to three methods may be a wish (MCP 2026-07-28, basic/patterns/mrtr).
            0..3 if method != "completion/complete" => {
                let methods = ["elicitation/create", "sampling/createMessage", "roots/list", "ping"];
                let mut wish = json!({ "resultType": "input_required", "inputRequests": {} });
                for _ in 0..rng.below(3) {
                    let method = methods[if rng.once_in(8) { 3 } else { rng.below(3) }];
                    wish["inputRequests"][format!("k{}", self.next_key)] = json!({ "method": method });
                    self.next_key += 1;
                }
                if rng.once_in(2) {
                    wish["requestState"] = json!("mine");
                }
                *at = At::Wish;
                Ok(wish)
            }
            3 => Err(Error::new(Code::InternalError, "no")),
            _ => Ok(json!({ "content": [] })),
        };
        rng.tell(|| format!("{run:?} gives {outcome:?}"));
        // What the handler asked before interests it no more.
        self.asks.retain(|(own, ..)| *own != run.key());
        self.about = Some(run.key());
        let versions = Versions::default();
        self.step(if is_call {
            Input::Returned { run, outcome, versions }
        } else {
            Input::Provided { run, outcome, versions }
        });
    }

    /// The peer answers a request of ours, or the carrier never took it.
    fn respond(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.wire) else {
            let frame = json!({ "jsonrpc": "2.0", "id": rng.below(5), "result": {} });
            assert_eq!(self.say(&frame), usize::from(!self.is_closed), "an answer to nothing");
            return;
        };
        let (asked, run, key) = self.wire.swap_remove(place);
        self.about = Some(run);
        if rng.once_in(6) {
            rng.tell(|| format!("unsendable: {asked}"));
            self.step(Input::Unsendable { frame: asked, reason: "no".into() });
            return;
        }
        let result = answer(rng);
        let mut frame = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result });
        self.brought = key.map(|_| result);
        if rng.once_in(4) {
            frame = json!({ "jsonrpc": "2.0", "id": asked["id"], "error": { "code": -1, "message": "no" } });
        }
        rng.tell(|| format!("response: {frame}"));
        assert_eq!(self.say(&frame), 0);
    }

    fn cancel(&mut self, rng: &mut Rng) {
        let id = Model::id(rng);
        rng.tell(|| format!("cancel {id}"));
        let own = reading::id(&id).expect("an id");
        self.owed.retain(|owed| owed.id != own || self.is_closed);
        self.opens.retain(|(opening, ..)| *opening != own || self.is_closed);
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }));
    }

    fn expire(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.live) else { return };
        let run = self.live[place].run.clone();
        rng.tell(|| format!("{run:?} waited too long"));
        self.about = Some(run.key());
        self.step(Input::Expired { run });
    }

    fn close(&mut self) {
        self.owed.clear();
        self.opens.clear();
        self.wire.clear();
        self.step(Input::Close);
        self.is_closed = true;
        assert!(self.live.is_empty() && self.asks.is_empty(), "everybody hears of the end");
    }
}

pub fn case(rng: &mut Rng) -> u64 {
    let mut model = Model::new(rng);
    let steps = 1 + rng.below(120);
    if rng.once_in(2) {
        model.hello(rng);
    }
    for _ in 0..steps {
        match rng.below(40) {
            0..9 => model.request(rng),
            9..19 => model.ask(rng),
            19..24 => model.seal(rng),
            24..28 => model.open(rng),
            28..32 => model.respond(rng),
            32..35 => model.outcome(rng),
            35 | 36 => model.cancel(rng),
            37 => model.ghost(rng),
            38 => model.expire(rng),
            _ if rng.once_in(8) => model.close(),
            _ => model.hello(rng),
        }
    }
    if !model.is_closed {
        model.close();
    }
    steps as u64
}
