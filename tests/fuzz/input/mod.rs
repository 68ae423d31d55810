//! Target: runs that ask their peer for input, in both eras, under arbitrary sequences of inputs. The
//! model knows who works on which request and what it still waits for; it holds that against every effect.

mod drive;

pub use drive::case;

use crate::reading::{self, check_sent};
use crate::rng::Rng;
use modelport::core::error::Error;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::{Era, Implementation};
use modelport::core::server::{Cache, Effect, Input, Offers, Profile, Run, Session, Versions};
use modelport::json::Key;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Its handler works, and may wait for its peer.
    Work,
    /// Its request was answered with the wish for input.
    Parked,
    /// Its handler returned the wish for input and is entered again, or its request is answered.
    Wish,
}

/// A run that is neither answered for good nor aborted.
struct Live {
    run: Run,
    era: Era,
    method: String,
    at: At,
    /// The parameters that may hold answers to what it asks.
    given: Value,
}

/// Who is to answer a request.
#[derive(Clone, Debug, PartialEq)]
enum Holder {
    /// The step that is being made.
    Step,
    /// Whoever opens its state.
    Opening,
    /// The run of this key.
    Run(Id),
}

/// A request without its answer.
struct Owed {
    id: Id,
    request: Value,
    holder: Holder,
}

/// A state a peer was given, the request it continues, and the run that is parked for it.
#[derive(Clone)]
struct State {
    text: Value,
    request: Value,
    parked: Option<Id>,
}

struct Model {
    session: Session<Value>,
    limits: Limits,
    live: Vec<Live>,
    ended: Vec<Run>,
    owed: Vec<Owed>,
    /// What runs wait for: the run, the key and the method.
    asks: Vec<(Id, String, Key)>,
    /// Our requests to the peer, for which run and under which key; wishes have no key.
    wire: Vec<(Value, Id, Option<String>)>,
    seals: Vec<(Run, String, Value)>,
    opens: Vec<(Id, String, Value)>,
    states: Vec<State>,
    /// The run the step is about.
    about: Option<Id>,
    /// The key the step asks under, and the answer it brings.
    key: Option<String>,
    brought: Option<Value>,
    next_key: usize,
    is_closed: bool,
}

/// Whether a stateless peer's word can be the answer to this (MCP 2026-07-28, client).
fn is_answer(method: Key, value: &Value) -> bool {
    match method {
        Key::Elicit => {
            let is_accepted = value["action"] == "accept" && value.get("content").is_none_or(Value::is_object);
            is_accepted || value["action"] == "decline" || value["action"] == "cancel"
        }
        Key::Sample => value["content"].is_object() || value["content"].is_array(),
        _ => value["roots"].is_array(),
    }
}

impl Model {
    fn new(rng: &mut Rng) -> Self {
        let implementation = Implementation { name: "fuzzed".into(), version: "1".into(), title: None };
        let limits = Limits {
            calls_in_flight: 1 + rng.below(6),
            parked_calls: rng.below(4),
            input_rounds: 1 + rng.below(4),
            ..Limits::default()
        };
        let offers = Offers { resources: true, prompts: true, completions: true, ..Offers::default() };
        let profile = Profile::new(implementation, None, limits).with_offers(offers, Cache::default());
        Model {
            session: Session::new(Rc::new(profile)),
            limits,
            live: vec![],
            ended: vec![],
            owed: vec![],
            asks: vec![],
            wire: vec![],
            seals: vec![],
            opens: vec![],
            states: vec![],
            about: None,
            key: None,
            brought: None,
            next_key: 0,
            is_closed: false,
        }
    }

    fn place(&self, key: &Id) -> Option<usize> {
        self.live.iter().position(|live| live.run.key() == *key)
    }

    /// A run is over; what it asked interests nobody.
    fn end(&mut self, key: &Id) -> Live {
        let live = self.live.swap_remove(self.place(key).expect("the run is alive"));
        self.ended.push(live.run.clone());
        self.asks.retain(|(run, ..)| run != key);
        self.seals.retain(|(run, ..)| run.key() != *key || self.brought.is_none());
        live
    }

    /// Feeds an input and follows what is asked for; gives the number of faults.
    fn step(&mut self, input: Input<Value>) -> usize {
        let mut effects = vec![];
        self.session.step(input, &mut effects);
        assert!(!self.is_closed || effects.is_empty(), "after the end there is silence");
        let mut faults = 0;
        for effect in effects {
            match effect {
                Effect::Send(frame) => self.sent(&frame),
                Effect::Call { run, params, .. } | Effect::Provide { run, params, .. } => self.works(run, params),
                Effect::Reply { run, key, outcome } => self.replied(&run.key(), &key, outcome),
                Effect::Seal { run, text, bound } => {
                    self.unpark(&run.key());
                    assert!(self.seals.iter().all(|(other, ..)| *other != run), "one seal at a time");
                    assert!(self.place(&run.key()).is_some());
                    self.seals.push((run, text, bound));
                }
                Effect::Open { id, sealed, bound } => {
                    self.owed.last_mut().expect("a request").holder = Holder::Opening;
                    self.opens.push((id, sealed, bound));
                }
                Effect::Patience { run } => assert!(self.place(&run.key()).is_some()),
                Effect::Abort { run, .. } => drop(self.end(&run.key())),
                Effect::Fault(_) => faults += 1,
                Effect::List { .. } => panic!("no list was asked for"),
            }
        }
        (self.about, self.key, self.brought) = (None, None, None);
        self.check();
        faults
    }

    fn sent(&mut self, frame: &Value) {
        check_sent(frame);
        if frame["method"] == "notifications/cancelled" {
            let place = self.wire.iter().position(|(asked, ..)| asked["id"] == frame["params"]["requestId"]);
            self.wire.swap_remove(place.expect("only a request that is open is taken back"));
        } else if frame.get("method").is_some() {
            let run = self.about.clone().expect("a step of a run");
            assert_eq!(self.live[self.place(&run).expect("alive")].era, Era::Handshake, "{frame}");
            self.wire.push((frame.clone(), run, self.key.clone()));
        } else {
            self.answered(frame);
        }
    }

    fn answered(&mut self, frame: &Value) {
        let id = reading::id(&frame["id"]).expect("every request has an id");
        let is_it = |owed: &Owed| match &owed.holder {
            Holder::Step => owed.id == id,
            Holder::Run(run) => owed.id == id && Some(run) == self.about.as_ref(),
            Holder::Opening => false,
        };
        let place = self.owed.iter().rposition(is_it);
        let owed = self.owed.remove(place.unwrap_or_else(|| panic!("nobody is owed {frame}")));
        let run = if let Holder::Run(run) = owed.holder { Some(run) } else { None };
        if frame["result"]["resultType"] != "input_required" {
            return drop(run.map(|run| self.end(&run)));
        }
        let run = run.expect("only runs ask");
        let asked: BTreeSet<&str> = match frame["result"].get("inputRequests") {
            Some(requests) => requests.as_object().unwrap().keys().map(String::as_str).collect(),
            None => BTreeSet::new(),
        };
        let state = State { text: frame["result"]["requestState"].clone(), request: owed.request, parked: None };
        assert!(state.text.is_string(), "{frame}");
        let place = self.place(&run).expect("alive");
        if self.live[place].at == At::Wish {
            self.states.push(state);
            return drop(self.end(&run));
        }
        let waits = self.asks.iter().filter(|(own, ..)| *own == run).map(|(_, key, _)| key.as_str());
        assert_eq!(asked, waits.collect(), "{frame}");
        self.live[place].at = At::Parked;
        self.states.push(State { parked: Some(run), ..state });
    }

    /// A handler is entered, for the first time or again.
    fn works(&mut self, run: Run, given: Value) {
        let key = run.key();
        if let Some(place) = self.place(&key) {
            assert_eq!((self.live[place].at, self.live[place].era), (At::Wish, Era::Handshake));
            self.live[place].at = At::Work;
            return;
        }
        assert!(!self.ended.iter().any(|ended| ended.key() == key), "what ended stays so");
        let owed = self.owed.iter_mut().find(|owed| owed.holder == Holder::Step).expect("a request");
        owed.holder = Holder::Run(key.clone());
        let names = owed.request["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
        let era = if names { Era::Stateless } else { Era::Handshake };
        let method = owed.request["method"].as_str().unwrap().to_owned();
        self.live.push(Live { run, era, method, at: At::Work, given });
    }

    /// A parked run goes on, under the request of this step.
    fn unpark(&mut self, key: &Id) {
        let Some(place) = self.place(key).filter(|place| self.live[*place].at == At::Parked) else { return };
        let owed = self.owed.iter_mut().find(|owed| owed.holder == Holder::Step).expect("a request");
        owed.holder = Holder::Run(key.clone());
        self.live[place].given = owed.request["params"].clone();
        self.live[place].at = At::Work;
    }

    fn replied(&mut self, run: &Id, key: &str, outcome: Result<Value, Error>) {
        self.unpark(run);
        let live = &self.live[self.place(run).expect("only who lives is told")];
        assert_eq!(live.at, At::Work);
        let place = self.asks.iter().position(|(own, asked, _)| own == run && asked == key);
        let (.., method) = self.asks.swap_remove(place.expect("only what was asked, and once"));
        if let Ok(answer) = outcome {
            let given = self.brought.as_ref().or_else(|| live.given["inputResponses"].get(key));
            assert_eq!(given, Some(&answer), "what the peer said");
            assert!(live.era == Era::Handshake || is_answer(method, &answer), "{answer}");
        }
    }

    fn check(&self) {
        let parked = self.live.iter().filter(|live| live.at == At::Parked).count();
        assert_eq!((self.session.in_flight(), self.session.parked()), (self.live.len() - parked, parked));
        assert!(parked <= self.limits.parked_calls && self.live.len() - parked <= self.limits.calls_in_flight);
        assert!(self.live.iter().all(|live| self.session.is_running(&live.run)));
        assert!(!self.ended.iter().any(|run| self.session.is_running(run)));
        for live in &self.live {
            let key = live.run.key();
            let held = self.owed.iter().filter(|owed| owed.holder == Holder::Run(key.clone())).count();
            assert_eq!(held, usize::from(live.at != At::Parked), "{key:?} works on one request");
            let is_sealing = self.seals.iter().any(|(run, ..)| run.key() == key);
            let on_wire = |asked: &Option<String>| self.wire.iter().any(|(_, run, own)| *run == key && own == asked);
            assert!(live.at != At::Wish || is_sealing || on_wire(&None), "{key:?} is never entered again");
            for (_, asked, _) in self.asks.iter().filter(|(run, ..)| *run == key) {
                assert!(live.at == At::Parked || is_sealing || on_wire(&Some(asked.clone())), "{asked} is forgotten");
            }
        }
        assert!(self.wire.iter().all(|(_, run, _)| self.place(run).is_some()), "a request nobody waits for");
        let opening = self.owed.iter().filter(|owed| owed.holder == Holder::Opening).count();
        assert!(opening == self.opens.len() && self.owed.iter().all(|owed| owed.holder != Holder::Step));
    }
}
