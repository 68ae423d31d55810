//! Target: a client that is asked, over its whole life: rounds of input, requests of a server, answers
//! that are kept, notices, timeouts and calls given up by their number. The model knows every call, every
//! question and every answer that is still fresh.

mod drive;

pub use drive::case;

use crate::asked::Asked;
use crate::reading;
use crate::rng::Rng;
use modelport::core::client::{Client, Input, Manner, Opening, Request};
use modelport::core::code::Code;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::{Era, Implementation, Revision};
use modelport::json::{Key, Word};
use serde_json::{Map, Value, json};

/// A call that nobody ended yet.
struct Call {
    number: i64,
    waiter: usize,
    /// Its open request; none while the server's questions are being answered.
    frame: Option<Value>,
    /// The request it began with.
    first: Value,
    asked_at: f64,
    deadline: f64,
    timeout: f64,
    rounds: usize,
    /// What the round brought: keys with the numbers of their questions, the answers, the state.
    questions: Vec<(String, i64)>,
    responses: Map<String, Value>,
    state: Option<Value>,
}

/// An answer that may be given again.
struct Kept {
    method: String,
    detail: Option<String>,
    answer: Value,
    until: f64,
}

struct Model {
    client: Client<Value, usize>,
    capabilities: Value,
    revision: Revision,
    limits: Limits,
    now: f64,
    wake: Option<f64>,
    calls: Vec<Call>,
    /// Requests of the server that are not answered yet, with the numbers of their questions.
    requests: Vec<(Value, i64)>,
    next_ask: i64,
    kept: Vec<Kept>,
    /// When the server last said that something changed.
    changed_at: f64,
    settled: Vec<usize>,
    ended: Vec<i64>,
    is_closed: bool,
}

const DECLARABLE: [(Key, &str); 3] =
    [(Key::Elicit, "elicitation"), (Key::Sample, "sampling"), (Key::RootsList, "roots")];

impl Model {
    /// A client that is connected.
    fn new(rng: &mut Rng) -> Self {
        let mut capabilities = json!({});
        for (_, name) in DECLARABLE {
            if !rng.once_in(4) {
                capabilities[name] = json!({});
            }
        }
        let revision = *rng.pick(&[Revision::V2026_07_28, Revision::V2026_07_28, Revision::V2025_11_25]);
        let limits = Limits {
            input_rounds: rng.below(4),
            cached_answers: rng.below(4),
            calls_in_flight: 1 + rng.below(6),
            request_timeout: *rng.pick(&[0.0, 100.0]),
            ..Limits::default()
        };
        let identity = Implementation { name: "fuzzed".into(), version: "1".into(), title: None };
        let mut model = Model {
            client: Client::new(identity, capabilities.clone(), Opening::Pinned(revision), limits),
            capabilities,
            revision,
            limits,
            now: 0.0,
            wake: None,
            calls: vec![],
            requests: vec![],
            next_ask: 0,
            kept: vec![],
            changed_at: f64::NEG_INFINITY,
            settled: vec![],
            ended: vec![],
            is_closed: false,
        };
        let hello = model.step(Input::Connect { now: 0.0, is_old: false });
        model.hear(json!({ "jsonrpc": "2.0", "id": hello.sent[0]["id"],
            "result": { "supportedVersions": [revision.name()], "protocolVersion": revision.name() } }));
        assert_eq!(model.client.revision(), Some(revision));
        model
    }

    fn is_stateless(&self) -> bool {
        self.revision.era() == Era::Stateless
    }

    fn step(&mut self, input: Input<Value, usize>) -> Asked {
        let mut effects = vec![];
        self.client.step(input, &mut effects);
        let asked = Asked::of(effects, &mut self.settled, &mut self.wake);
        for (ask, method, _) in &asked.asked {
            self.next_ask += 1;
            assert_eq!(*ask, self.next_ask);
            let name = DECLARABLE.iter().find(|(key, _)| key == method).expect("a question").1;
            assert!(self.capabilities.get(name).is_some(), "only what was declared");
        }
        assert!(asked.connected.iter().all(Result::is_ok), "a connection");
        assert!(!self.is_closed || asked.sent.is_empty() && asked.asked.is_empty(), "after the end nothing is sent");
        asked
    }

    fn hear(&mut self, frame: Value) -> Asked {
        self.step(Input::Frame { now: self.now, frame: Frame::look(frame) })
    }

    /// How many questions are open.
    fn open(&self) -> usize {
        self.requests.len() + self.calls.iter().map(|call| call.questions.len()).sum::<usize>()
    }

    /// The call ends, and its questions with it; whoever waits is told.
    fn ends(&mut self, place: usize, outcome: &Result<Value, Option<Code>>, asked: &Asked) {
        let call = self.calls.swap_remove(place);
        self.ended.push(call.number);
        let [(waiter, got)] = &asked.settled[..] else { panic!("one is told: {:?}", asked.settled) };
        assert_eq!(*waiter, call.waiter);
        match (got, outcome) {
            (Err(_), Err(None)) => {}
            (Err(got), Err(Some(expected))) => assert_eq!(got, expected),
            (got, expected) => assert_eq!(got.as_ref().ok(), expected.as_ref().ok()),
        }
        let mut unasked = asked.unasked.clone();
        unasked.sort_unstable();
        assert_eq!(unasked, call.questions.iter().map(|(_, ask)| *ask).collect::<Vec<_>>());
    }

    fn check(&self) {
        assert_eq!(self.client.in_flight(), self.calls.len(), "a call that asks is pending too");
        assert!(self.open() <= self.limits.calls_in_flight, "questions have a bound");
        for call in &self.calls {
            assert!(call.frame.is_some() == call.questions.is_empty(), "{} waits for something", call.number);
            let id = call.frame.as_ref().and_then(|frame| reading::id(&frame["id"]));
            assert_eq!(id.and_then(|id| self.client.waiter(&id)), call.frame.as_ref().map(|_| &call.waiter));
        }
        let waiting = self.calls.iter().filter(|call| call.frame.is_some());
        let first = waiting.map(|call| call.deadline).fold(f64::INFINITY, f64::min);
        assert!(self.is_closed || first.is_infinite() || self.wake.is_some_and(|wake| wake <= first));
    }
}
