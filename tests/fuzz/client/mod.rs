//! Target: a client under arbitrary sequences of inputs, with a clock and a carrier of its own,
//! against a model that knows who waits until when.

mod drive;

pub use drive::case;

use crate::asked::Asked;
use crate::reading::{self, Reading};
use crate::rng::Rng;
use crate::values;
use modelport::core::client::{Client, Input, Manner, Opening, Request};
use modelport::core::code::Code;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::{Era, Implementation, Revision};
use modelport::json::{Key, Word};
use serde_json::{Value, json};

/// A call in flight.
struct Waiting {
    id: Id,
    waiter: usize,
    deadline: f64,
    progress: bool,
}

struct Model {
    client: Client<Value, usize>,
    mode: Opening,
    limits: Limits,
    now: f64,
    /// When the timer rings.
    wake: Option<f64>,
    waiting: Vec<Waiting>,
    /// Calls that ended.
    ended: Vec<Id>,
    /// The request that opens the conversation, and when it is given up.
    opening: Option<(Id, f64)>,
    ready: Option<Revision>,
    /// How often each waiter was settled.
    settled: Vec<usize>,
    sent: Vec<Value>,
    is_closed: bool,
}

impl Model {
    fn new(rng: &mut Rng) -> Self {
        let opening = match rng.below(Revision::ALL.len() + 2) {
            0 | 1 => Opening::Auto,
            at => Opening::Pinned(Revision::ALL[at - 2]),
        };
        let limits = Limits {
            request_timeout: *rng.pick(&[0.0, 50.0, 60_000.0]),
            probe_timeout: *rng.pick(&[0.0, 20.0]),
            ..Limits::default()
        };
        let identity = Implementation { name: "fuzzed".into(), version: "1".into(), title: None };
        Model {
            client: Client::new(identity, json!({}), opening, limits),
            mode: opening,
            limits,
            now: rng.below(1_000) as f64,
            wake: None,
            waiting: vec![],
            ended: vec![],
            opening: None,
            ready: None,
            settled: vec![],
            sent: vec![],
            is_closed: false,
        }
    }

    fn step(&mut self, input: Input<Value, usize>) -> Asked {
        let mut effects = vec![];
        self.client.step(input, &mut effects);
        let asked = Asked::of(effects, &mut self.settled, &mut self.wake);
        assert!(asked.asked.is_empty() && asked.unasked.is_empty(), "nothing was declared");
        assert!(!self.is_closed || asked.sent.is_empty(), "after the end nothing is sent");
        self.sent.extend(asked.sent.iter().cloned());
        asked
    }

    /// The opening request ended: the next one follows, or the connection stands, or it failed.
    fn opened(&mut self, asked: &Asked) {
        self.opening = None;
        assert!(asked.settled.is_empty() && asked.connected.len() <= 1);
        match asked.connected.first() {
            Some(Ok(revision)) => {
                assert!(self.mode == Opening::Auto || self.mode == Opening::Pinned(*revision));
                self.ready = Some(*revision);
                assert_eq!(asked.sent.len(), usize::from(revision.era() == Era::Handshake));
                assert!(asked.sent.iter().all(|frame| frame["method"] == "notifications/initialized"));
            }
            Some(Err(_)) => assert!(asked.sent.is_empty()),
            None => self.opens(asked),
        }
    }

    /// A request that opens the conversation went out.
    fn opens(&mut self, asked: &Asked) {
        assert_eq!((asked.sent.len(), asked.connected.len()), (1, 0));
        let frame = &asked.sent[0];
        let is_probe = frame["method"] == "server/discover";
        assert!(is_probe || frame["method"] == "initialize", "{frame}");
        // Only a probe that something can follow is given less time than any request.
        let is_first = is_probe && self.mode == Opening::Auto;
        let timeout = if is_first { self.limits.probe_timeout } else { self.limits.request_timeout };
        self.opening = Some((reading::id(&frame["id"]).unwrap(), self.deadline(timeout)));
    }

    fn deadline(&self, timeout: f64) -> f64 {
        if timeout > 0.0 { self.now + timeout } else { f64::INFINITY }
    }

    /// Ends the call of this id with what must have become of it, if there is one.
    fn ends(&mut self, id: &Id, outcome: Result<&Value, Option<Code>>, asked: &Asked) {
        let Some(at) = self.waiting.iter().position(|waiting| waiting.id == *id) else {
            return assert!(asked.is_quiet());
        };
        let call = self.waiting.swap_remove(at);
        self.ended.push(call.id);
        assert_eq!(asked.settled.len(), 1);
        let (waiter, got) = &asked.settled[0];
        assert_eq!(*waiter, call.waiter);
        match (got, outcome) {
            (Ok(got), Ok(expected)) => assert_eq!(got, expected),
            (Err(got), Err(expected)) => assert!(expected.is_none_or(|expected| expected == *got), "{got:?}"),
            (got, expected) => panic!("{got:?} is not {expected:?}"),
        }
    }

    fn is_opening(&self, id: &Id) -> bool {
        self.opening.as_ref().is_some_and(|(own, _)| own == id)
    }

    fn check(&self) {
        assert_eq!(self.client.in_flight(), self.waiting.len() + usize::from(self.opening.is_some()));
        assert_eq!(self.client.revision(), self.ready);
        assert!(self.waiting.iter().all(|call| self.client.waiter(&call.id) == Some(&call.waiter)));
        // Whoever waits until some time is woken by then.
        let deadlines = self.waiting.iter().map(|call| call.deadline).chain(self.opening.iter().map(|(_, at)| *at));
        let first = deadlines.fold(f64::INFINITY, f64::min);
        assert!(first.is_infinite() || self.wake.is_some_and(|wake| wake <= first), "{:?}, {first}", self.wake);
    }
}
