//! Questions of the server: for a person's input, a model's, or the roots.
//!
//! In the handshake era they are requests. A stateless server answers a call `input_required`; what it
//! asks for is found out, and the same request is sent again with it (MCP 2026-07-28, basic/patterns/mrtr).

use super::{Client, Effect, Pending};
use crate::core::asking::capability;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{self, Id};
use crate::core::revision::Era;
use crate::json::{Json, Key, Word, put};

/// Who a question is answered to.
pub(super) enum Asking {
    /// A request of the server.
    Server(Id),
    /// A round of a call, under this key.
    Round { call: i64, key: String },
}

/// A call between two of its requests.
pub(super) struct Round<J, W> {
    pub(super) pending: Pending<J, W>,
    state: Option<J>,
    responses: J,
    missing: usize,
}

const TOO_MANY: &str = "too many questions are open";

impl<J: Json, W> Client<J, W> {
    fn has_declared(&self, method: Key) -> bool {
        capability(method).is_some_and(|capability| self.capabilities.kind_at(capability).is_some())
    }

    /// Whether so many more questions may be open.
    fn has_room(&self, more: usize) -> bool {
        self.asks.len() + more <= self.limits.calls_in_flight
    }

    /// A server of the handshake era may ping, and ask what we declared; a stateless one sends no
    /// requests, and what comes all the same is dropped (MCP 2026-07-28, basic).
    pub(super) fn asked(&mut self, id: &Id, method: &Word<J>, params: Option<J>, effects: &mut Vec<Effect<J, W>>) {
        if self.revision().is_some_and(|revision| revision.era() == Era::Stateless) {
            effects.push(Effect::Fault(Error::new(
                Code::InvalidResponse,
                ["a stateless server sent a request: ", &method.text()].concat(),
            )));
            return;
        }
        let frame = match method {
            Word::Known(Key::Ping) => message::result(id, J::object(&[])),
            Word::Known(method) if self.has_declared(*method) => {
                if self.has_room(1) {
                    return self.put(Asking::Server(id.clone()), *method, params, effects);
                }
                message::failure(Some(id), &Error::new(Code::InternalError, TOO_MANY))
            }
            _ => {
                let message = ["Method not found: ", &method.text()].concat();
                message::failure(Some(id), &Error::new(Code::MethodNotFound, message))
            }
        };
        effects.push(Effect::Send(frame));
    }

    fn put(&mut self, asking: Asking, method: Key, params: Option<J>, effects: &mut Vec<Effect<J, W>>) {
        self.next_ask += 1;
        let ask = self.next_ask;
        // The numbers count up and the table has no bound, so there is always room.
        let _ = self.asks.register(Id::Number(ask), asking);
        effects.push(Effect::Asked { ask, method, params: params.unwrap_or_else(|| J::object(&[])) });
    }

    /// A call was answered with the wish for input.
    pub(super) fn round(&mut self, now: f64, pending: Pending<J, W>, result: &J, effects: &mut Vec<Effect<J, W>>) {
        let refused = |message: &'static str| Err(Error::new(Code::InvalidResponse, message));
        if pending.rounds >= self.limits.input_rounds {
            let error = refused("the server asks for input again and again");
            return self.settle(now, pending, error, effects);
        }
        let mut questions = Vec::new();
        for (key, request) in result.get(Key::InputRequests).and_then(|asks| asks.entries()).unwrap_or_default() {
            match request.which(Key::Method).filter(|method| self.has_declared(*method)) {
                Some(method) => questions.push((key, method, request.some(Key::Params))),
                None => {
                    let error = refused("the server asks for input that this client has not declared it can give");
                    return self.settle(now, pending, error, effects);
                }
            }
        }
        let state = result.some(Key::RequestState);
        if questions.is_empty() && state.is_none() {
            return self.settle(now, pending, refused("the server asks for input and names none"), effects);
        }
        if !self.has_room(questions.len()) {
            return self.settle(now, pending, refused(TOO_MANY), effects);
        }
        let call = pending.call;
        let round = Round { pending, state, responses: J::object(&[]), missing: questions.len() };
        if questions.is_empty() {
            return self.send_again(now, round, effects);
        }
        // A call is in one round at a time, so its number is free here.
        let _ = self.rounds.register(Id::Number(call), round);
        for (key, method, params) in questions {
            self.put(Asking::Round { call, key }, method, params, effects);
        }
    }

    /// A question was answered.
    pub(super) fn replied(&mut self, now: f64, ask: i64, outcome: Result<J, Error>, effects: &mut Vec<Effect<J, W>>) {
        let (call, key) = match self.asks.complete(&Id::Number(ask)) {
            None => return,
            Some(Asking::Server(id)) => {
                effects.push(Effect::Send(match outcome {
                    Ok(result) => message::result(&id, result),
                    Err(error) => message::failure(Some(&id), &error),
                }));
                return;
            }
            Some(Asking::Round { call, key }) => (Id::Number(call), key),
        };
        let Some(mut round) = self.rounds.complete(&call) else { return };
        match outcome {
            Ok(answer) => {
                round.responses = round.responses.set_member(&key, answer);
                round.missing -= 1;
                if round.missing == 0 {
                    self.send_again(now, round, effects);
                } else {
                    let _ = self.rounds.register(call, round);
                }
            }
            // There is no way to tell the server; the call just ends here.
            Err(error) => {
                self.unask_round(&call, effects);
                self.settle(now, round.pending, Err(error), effects);
            }
        }
    }

    fn send_again(&mut self, now: f64, round: Round<J, W>, effects: &mut Vec<Effect<J, W>>) {
        let Round { mut pending, state, responses, .. } = round;
        let (Some(revision), Some(params)) = (self.revision(), pending.params.clone()) else { return };
        pending.rounds += 1;
        let id = self.next_id();
        let mut members = vec![(Key::InputResponses, responses)];
        put(&mut members, Key::RequestState, state);
        put(&mut members, Key::Meta, self.request_meta(revision, &id, pending.manner.progress, Some(&params)));
        let frame = message::request(&id, &pending.method, Some(params.with_all(&members)));
        self.enter(now, id, pending, effects);
        effects.push(Effect::Send(frame));
    }

    /// The call between two of its requests, if it is there.
    pub(super) fn leave_round(&mut self, call: &Id, effects: &mut Vec<Effect<J, W>>) -> Option<Pending<J, W>> {
        let round = self.rounds.complete(call)?;
        self.unask_round(call, effects);
        Some(round.pending)
    }

    pub(super) fn unask_round(&mut self, call: &Id, effects: &mut Vec<Effect<J, W>>) {
        self.unask(
            |asking| matches!(asking, Asking::Round { call: other, .. } if Id::Number(*other) == *call),
            effects,
        );
    }

    /// The server takes a request of its own back.
    pub(super) fn taken_back(&mut self, params: Option<&J>, effects: &mut Vec<Effect<J, W>>) {
        let id = params.and_then(|params| Id::at(params, Key::RequestId, params.kind_at(Key::RequestId)));
        self.unask(|asking| matches!(asking, Asking::Server(other) if Some(other) == id.as_ref()), effects);
    }

    pub(super) fn unask(&mut self, leaves: impl Fn(&Asking) -> bool, effects: &mut Vec<Effect<J, W>>) {
        for (ask, _) in self.asks.take_if(|_, asking| leaves(asking)) {
            if let Id::Number(ask) = ask {
                effects.push(Effect::Unasked { ask });
            }
        }
    }

    /// Every call between two of its requests, and every question, at the end.
    pub(super) fn end_rounds(&mut self, effects: &mut Vec<Effect<J, W>>) -> Vec<Pending<J, W>> {
        self.unask(|_| true, effects);
        self.rounds.drain().into_iter().map(|(_, round)| round.pending).collect()
    }
}
