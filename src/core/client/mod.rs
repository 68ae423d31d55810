//! The client's half of a connection: requests out, answers matched to whoever waits for them.
//!
//! `W` is whatever the caller keeps per call to wake its owner; the core hands it back exactly once.

mod cache;
mod connect;
mod io;
mod notices;
mod outcome;
mod pages;
mod requests;
mod rounds;
#[cfg(test)]
mod tests;

pub use io::{Effect, Input, Manner, Opening, Peer, Request};
pub use pages::Pages;

use super::calls::{Calls, Refused};
use super::code::Code;
use super::digits::decimal;
use super::error::Error;
use super::frame::{Facts, Frame, TypeFact};
use super::limits::Limits;
use super::machine::Machine;
use super::message::{self, Id, Malformed, Message};
use super::revision::{Implementation, Revision};
use crate::json::{Json, Key, Sight, Word, put};
use cache::Cache;
use connect::Phase;
use outcome::check_result;
use rounds::{Asking, Round};

enum Owner<W> {
    Probe,
    Handshake,
    Caller(W),
}

struct Pending<J, W> {
    owner: Owner<W>,
    method: Word<J>,
    manner: Manner,
    /// When it was sent first, and when it is given up.
    sent: f64,
    deadline: f64,
    /// The number that names the call, which is the id of its first request.
    call: i64,
    /// How often it was sent again with the input the server asked for.
    rounds: usize,
    /// The parameters of the first request, of what may have to be sent again or kept.
    params: Option<J>,
}

impl<J, W> Pending<J, W> {
    fn timeout(&self, limits: &Limits) -> f64 {
        self.manner.timeout.unwrap_or(limits.request_timeout)
    }

    /// When it is given up whatever happens.
    fn end(&self) -> f64 {
        if self.manner.longest > 0.0 { self.sent + self.manner.longest } else { f64::INFINITY }
    }
}

/// The state of one connection.
pub struct Client<J, W> {
    identity: Implementation,
    capabilities: J,
    opening: Opening,
    limits: Limits,
    phase: Phase,
    pending: Calls<Pending<J, W>>,
    next_id: i64,
    rounds: Calls<Round<J, W>>,
    asks: Calls<Asking>,
    next_ask: i64,
    cache: Cache<J>,
    /// Whether the probe was repeated, which is done once.
    probed_again: bool,
    wake: f64,
    /// The `_meta` of a stateless request without a progress token, made once.
    meta: J,
}

impl<J: Json, W> Machine for Client<J, W> {
    type Input = Input<J, W>;
    type Effect = Effect<J, W>;

    fn step(&mut self, input: Input<J, W>, effects: &mut Vec<Effect<J, W>>) {
        match input {
            Input::Connect { now, is_old } => self.connect(now, is_old, effects),
            Input::Request { now, request } => self.request(now, request, effects),
            Input::Adopt { id, sent, request } => self.adopt(id, sent, request, effects),
            Input::Notify { method, params } => {
                if self.revision().is_some() {
                    effects.push(Effect::Send(message::notification(&method, params)));
                }
            }
            Input::Replied { now, ask, outcome } => self.replied(now, ask, outcome, effects),
            Input::Cancel { id, reason } => self.cancel(&id, reason.as_deref(), effects),
            Input::Frame { now, frame } => self.receive(now, &frame, effects),
            Input::Garbled => {
                effects.push(Effect::Fault(Error::new(Code::ParseError, "the peer sent text that is not JSON")));
            }
            Input::Unsendable { now, frame, reason, data } => {
                let error = Error::new(Code::SendFailed, ["the message cannot be sent: ", &reason].concat());
                self.unsendable(now, &frame, Error { data, ..error }, effects);
            }
            Input::Elapsed { now } => self.elapsed(now, effects),
            Input::Close => self.close(effects),
        }
    }
}

impl<J: Json, W> Client<J, W> {
    /// A client that is not connected.
    pub fn new(identity: Implementation, capabilities: J, opening: Opening, limits: Limits) -> Self {
        let meta = J::object(&[
            (Key::MetaProtocolVersion, J::string(Revision::NEWEST.name())),
            (Key::ClientCapabilities, capabilities.clone()),
            (Key::MetaClientInfo, identity.to_json()),
        ]);
        Client {
            identity,
            capabilities,
            opening,
            limits,
            phase: Phase::Idle,
            pending: Calls::new(usize::MAX),
            next_id: 0,
            rounds: Calls::new(usize::MAX),
            asks: Calls::new(usize::MAX),
            next_ask: 0,
            cache: Cache::new(limits.cached_answers),
            probed_again: false,
            wake: f64::INFINITY,
            meta,
        }
    }

    /// The limits it was made with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The revision both sides speak, once connected.
    pub fn revision(&self) -> Option<Revision> {
        match self.phase {
            Phase::Ready(revision) => Some(revision),
            _ => None,
        }
    }

    /// How many calls wait for an answer.
    pub fn in_flight(&self) -> usize {
        self.pending.len() + self.rounds.len()
    }

    /// The id the next request will have, by which it can be cancelled; without a connection there is
    /// none, and whoever waits is told at once.
    pub fn upcoming(&self) -> Option<i64> {
        self.revision().map(|_| self.next_id + 1)
    }

    /// Who waits for a call.
    pub fn waiter(&self, id: &Id) -> Option<&W> {
        match &self.pending.get(id)?.owner {
            Owner::Caller(waiter) => Some(waiter),
            _ => None,
        }
    }

    fn notify(&mut self, method: Key, params: Option<J>, effects: &mut Vec<Effect<J, W>>) {
        effects.push(Effect::Send(message::notification(&Word::Known(method), params)));
    }

    /// The peer is told, whoever waits gets `cancelled`, a late answer meets nobody. Before there are calls
    /// there is only what opens the conversation: without it `connect` would never end, and MCP forbids to
    /// cancel `initialize`.
    fn cancel(&mut self, id: &Id, reason: Option<&str>, effects: &mut Vec<Effect<J, W>>) {
        if self.revision().is_none() {
            return;
        }
        let error = |method: &Word<J>| Error::new(Code::Cancelled, [&method.text(), " was cancelled"].concat());
        if let Some(pending) = self.leave_round(id, effects) {
            let error = error(&pending.method);
            return self.settle(0.0, pending, Err(error), effects);
        }
        // A call keeps its number while its requests get new ids.
        let is_it = |call: i64| *id == Id::Number(call);
        let found = match self.pending.get(id).is_some_and(|pending| is_it(pending.call)) {
            true => self.pending.complete(id).map(|pending| (id.clone(), pending)),
            false => self.pending.take_if(|_, pending| is_it(pending.call)).pop(),
        };
        let Some((id, pending)) = found else { return };
        let error = error(&pending.method);
        self.abandon(&id, pending, reason, error, effects);
    }

    fn receive(&mut self, now: f64, frame: &Frame<J>, effects: &mut Vec<Effect<J, W>>) {
        if matches!(self.phase, Phase::Closed) {
            return;
        }
        match message::classify(frame) {
            Ok(Message::Response { id, outcome }) => self.answered(now, &id, outcome, &frame.facts, effects),
            Ok(Message::Notification { method, params }) => self.notified(now, method, params, effects),
            Ok(Message::Request { id, method, params }) => self.asked(&id, &method, params, effects),
            Err(Malformed::Foreign) => {}
            // A client answers no broken request: two clients on one channel would answer each other for ever.
            Err(Malformed::Request(_, error)) => effects.push(Effect::Fault(error)),
            Err(Malformed::Response(reason)) => {
                let error = frame.value.get(Key::Error).map(|error| message::read_error(&error));
                effects.push(Effect::Fault(error.unwrap_or_else(|| Error::new(Code::InvalidResponse, reason))));
            }
        }
    }

    /// A call that the frame would have opened ends here; anything else can only be reported.
    fn unsendable(&mut self, now: f64, frame: &J, error: Error, effects: &mut Vec<Effect<J, W>>) {
        let Sight { members: [id, method, ..], .. } =
            frame.sight([Key::Id, Key::Method, Key::Empty, Key::Empty, Key::Empty]);
        let call = if method.is_there() { Id::at(frame, Key::Id, id) } else { None };
        match call.and_then(|id| Some((self.pending.complete(&id)?, id))) {
            Some((pending, _)) => self.settle(now, pending, Err(error), effects),
            None => effects.push(Effect::Fault(error)),
        }
    }

    /// Calls past their deadline are given up with `timeout`.
    fn elapsed(&mut self, now: f64, effects: &mut Vec<Effect<J, W>>) {
        self.wake = f64::INFINITY;
        let timeout = |pending: &Pending<J, W>, limits: &Limits| {
            let timeout = decimal(pending.timeout(limits) as u64);
            Error::new(Code::Timeout, [&pending.method.text(), " got no answer within ", &timeout, " ms"].concat())
        };
        for (call, round) in self.rounds.take_if(|_, round| round.pending.end() <= now) {
            self.unask_round(&call, effects);
            let error = timeout(&round.pending, &self.limits);
            self.settle(now, round.pending, Err(error), effects);
        }
        for (id, pending) in self.pending.take_if(|_, pending| pending.deadline <= now) {
            let error = timeout(&pending, &self.limits);
            match pending.owner {
                Owner::Caller(_) => self.abandon(&id, pending, Some("timeout"), error, effects),
                Owner::Probe | Owner::Handshake => self.settle(now, pending, Err(error), effects),
            }
        }
        let rounds = self.rounds.values().map(|round| round.pending.end());
        let next = self.pending.values().map(|pending| pending.deadline).chain(rounds).fold(f64::INFINITY, f64::min);
        self.wake_by(next, effects);
    }

    /// Everybody who waits gets `closed`.
    fn close(&mut self, effects: &mut Vec<Effect<J, W>>) {
        let connecting = matches!(self.phase, Phase::Probing | Phase::Handshaking);
        self.phase = Phase::Closed;
        self.wake = f64::INFINITY;
        let mut pending: Vec<_> = self.pending.drain().into_iter().map(|(_, pending)| pending).collect();
        pending.extend(self.end_rounds(effects));
        for pending in pending {
            let name = pending.method.text();
            if let Owner::Caller(waiter) = pending.owner {
                let message = ["the connection was closed before ", &name, " was answered: its outcome is unknown"];
                let error = Error::new(Code::Closed, message.concat());
                effects.push(Effect::Settle { waiter, outcome: Err(error) });
            }
        }
        if connecting {
            effects.push(Effect::Connected(Err(Error::new(Code::Closed, "closed while connecting"))));
        }
    }

    fn next_id(&mut self) -> Id {
        self.next_id += 1;
        Id::Number(self.next_id)
    }

    fn enter(&mut self, now: f64, id: Id, mut pending: Pending<J, W>, effects: &mut Vec<Effect<J, W>>) {
        let never = |wait: f64| if wait > 0.0 { now + wait } else { f64::INFINITY };
        let deadline = never(pending.timeout(&self.limits)).min(pending.end());
        pending.deadline = deadline;
        if let Err(Refused::Duplicate(pending) | Refused::Full(pending)) = self.pending.register(id, pending) {
            // Ids count up and the table has no bound, so this cannot be; but nobody may be left waiting.
            self.settle(now, pending, Err(Error::new(Code::InternalError, "the call could not be entered")), effects);
        }
        self.wake_by(deadline, effects);
    }

    /// One timer serves all calls: it is asked for only when none would ring early enough.
    fn wake_by(&mut self, deadline: f64, effects: &mut Vec<Effect<J, W>>) {
        if deadline < self.wake {
            self.wake = deadline;
            effects.push(Effect::WakeAt(deadline));
        }
    }

    fn abandon(
        &mut self,
        id: &Id,
        pending: Pending<J, W>,
        reason: Option<&str>,
        error: Error,
        effects: &mut Vec<Effect<J, W>>,
    ) {
        let mut params = vec![(Key::RequestId, id.to_json())];
        put(&mut params, Key::Reason, reason.map(J::string));
        self.notify(Key::Cancelled, Some(J::object(&params)), effects);
        if let Owner::Caller(waiter) = pending.owner {
            effects.push(Effect::Settle { waiter, outcome: Err(error) });
        }
    }

    fn answered(&mut self, now: f64, id: &Id, outcome: Result<J, J>, facts: &Facts, effects: &mut Vec<Effect<J, W>>) {
        // An answer to nobody is late: its call was cancelled or timed out, and that was reported.
        let found = self.pending.complete(id).or_else(|| {
            let number = id.name().filter(|_| self.limits.lenient_ids)?.parse().ok()?;
            self.pending.complete(&Id::Number(number))
        });
        let Some(pending) = found else { return };
        let is_within = facts.is_usual && self.limits.has_usual_params();
        let outcome = match outcome {
            Ok(result) if !is_within && !self.limits.hold(&result) => {
                Err(Error::new(Code::InvalidResponse, "the result is nested too deeply, or holds too many values"))
            }
            Ok(result)
                if facts.result_type == TypeFact::Other
                    && pending.params.is_some()
                    && result.which(Key::ResultType) == Some(Key::InputRequired) =>
            {
                return self.round(now, pending, &result, effects);
            }
            Ok(result) => check_result(result, facts, &self.capabilities),
            Err(error) => Err(message::read_error(&error)),
        };
        if let (Ok(answer), Word::Known(method), 0) = (&outcome, &pending.method, pending.rounds)
            && pending.params.is_some()
        {
            self.cache.put(*method, pending.params.as_ref(), pending.sent, answer);
        }
        self.settle(now, pending, outcome, effects);
    }

    fn settle(&mut self, now: f64, pending: Pending<J, W>, outcome: Result<J, Error>, effects: &mut Vec<Effect<J, W>>) {
        match pending.owner {
            Owner::Caller(waiter) => effects.push(Effect::Settle { waiter, outcome }),
            Owner::Probe => self.probed(now, outcome, effects),
            Owner::Handshake => self.shaken(outcome, effects),
        }
    }
}
