//! Asking the peer from inside a run: for a person's input, a model's, or the roots.
//!
//! In the handshake era that is a request of ours. A stateless peer is answered `input_required`
//! instead and the run is parked until the same request comes again with what was asked for and with the
//! sealed state it was given (MCP 2026-07-28, basic/patterns/mrtr). A handler that prefers to be
//! entered again returns such an answer itself.

use super::runs::{Running, Terms};
use super::{Effect, Run, Session, exhausted, invalid};
use crate::core::asking::{capability, is_answer, lacking};
use crate::core::code::Code;
use crate::core::digits::decimal;
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::revision::Era;
use crate::json::{Json, Key};

/// Something a run waits for.
pub(super) struct Wait<J> {
    pub key: String,
    pub method: Key,
    pub params: J,
    /// What the peer said, while a handler that wants to be entered again waits for more.
    pub answer: Option<J>,
}

/// A request whose state is being opened.
pub(super) struct Opening<J> {
    pub method: Key,
    pub params: J,
    pub terms: Terms,
}

/// A run whose request was answered with the wish for input.
pub(super) struct Parked<J> {
    pub run: Run,
    pub running: Running<J>,
}

impl<J: Json> Session<J> {
    pub(super) fn ask(&mut self, run: &Run, key: String, method: Key, params: J, effects: &mut Vec<Effect<J>>) {
        let wait = Wait { key, method, params, answer: None };
        if let Some(parked) = self.parked.iter_mut().find(|parked| parked.run.serial == run.serial) {
            parked.running.waits.push(wait);
            return;
        }
        let Some(running) = self.id_of(run).and_then(|id| self.running.get(&id)) else { return };
        let given = running.params.get(Key::InputResponses).and_then(|given| given.member(&wait.key));
        let outcome = match given.filter(|given| is_answer(method, given)) {
            Some(given) => Ok(Some(given)),
            None => self.may_ask(running, method, &wait.params).map(|()| None),
        };
        match outcome {
            Ok(None) => self.put(run, wait, effects),
            Ok(Some(given)) => effects.push(Effect::Reply { run: run.clone(), key: wait.key, outcome: Ok(given) }),
            Err(error) => effects.push(Effect::Reply { run: run.clone(), key: wait.key, outcome: Err(error) }),
        }
    }

    /// Asks the peer, in the way of its era.
    fn put(&mut self, run: &Run, wait: Wait<J>, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.running_mut(run) else { return };
        if running.era == Era::Handshake {
            running.rounds += 1;
            return self.request_input(run, wait, effects);
        }
        running.waits.push(wait);
        // What is asked before the seal is made goes into the same round.
        if !std::mem::replace(&mut running.sealing, true) {
            let text = ["p", &decimal(run.serial)].concat();
            let bound = bound(running.method, &running.params);
            effects.push(Effect::Seal { run: run.clone(), text, bound });
        }
    }

    /// Whether a run may ask this: its peer must have declared that it can answer (MCP, client), and
    /// there must be an end to it.
    fn may_ask(&self, running: &Running<J>, method: Key, params: &J) -> Result<(), Error> {
        let declared = match running.era {
            Era::Handshake => self.capabilities.clone(),
            Era::Stateless => running.params.get(Key::Meta).and_then(|meta| meta.get(Key::ClientCapabilities)),
        };
        if let Some(lacking) = lacking(declared, method, params) {
            let message = ["The client has not declared what ", method.name(), " needs"].concat();
            return Err(Error::missing_capability(message, lacking));
        }
        let limits = &self.profile.limits;
        if running.rounds >= limits.input_rounds {
            return Err(exhausted("rounds of input in a call", limits.input_rounds));
        }
        Ok(())
    }

    /// A handler returned the wish for input instead of a result.
    pub(super) fn wants_input(&mut self, run: &Run, result: &J, effects: &mut Vec<Effect<J>>) {
        let Some((id, mut running)) = self.take(run) else { return };
        // What it asked before it returned interests it no more.
        self.forget_asked(run.serial, effects);
        let waits = match self.waits_of(&running, result) {
            Ok(waits) => waits,
            Err(error) => return self.refuse(Some(&id), &error, effects),
        };
        let era = running.era;
        running.again = Some(result.clone());
        running.sealing = true;
        running.rounds += 1;
        let (rounds, bound) = (decimal(running.rounds as u64), bound(running.method, &running.params));
        let state = result.text(Key::RequestState);
        if era == Era::Handshake {
            for Wait { key, method, .. } in &waits {
                running.waits.push(Wait { key: key.clone(), method: *method, params: J::null(), answer: None });
            }
        }
        // The run goes on under the same id, which has just become free.
        self.admit(run, &id, running);
        let run = run.clone();
        match era {
            Era::Stateless => {
                let text = match state {
                    Some(state) => ["s", &rounds, ":", &state].concat(),
                    None => ["n", &rounds].concat(),
                };
                effects.push(Effect::Seal { run, text, bound });
            }
            Era::Handshake if waits.is_empty() => self.enter_again(&run, effects),
            Era::Handshake => {
                for wait in waits {
                    self.request_input(&run, wait, effects);
                }
            }
        }
    }

    fn waits_of(&self, running: &Running<J>, result: &J) -> Result<Vec<Wait<J>>, Error> {
        if running.sealing {
            return Err(Error::new(Code::InternalError, "The server asked for input in two ways at once"));
        }
        let mut waits = Vec::new();
        for (key, request) in result.get(Key::InputRequests).and_then(|requests| requests.entries()).unwrap_or_default()
        {
            let params = request.some(Key::Params).unwrap_or_else(|| J::object(&[]));
            let Some(method) = request.which(Key::Method).filter(|method| capability(*method).is_some()) else {
                return Err(Error::new(Code::InternalError, "The server asked for input by a method that is none"));
            };
            self.may_ask(running, method, &params)?;
            waits.push(Wait { key, method, params, answer: None });
        }
        if waits.is_empty() && result.text(Key::RequestState).is_none() {
            return Err(Error::new(Code::InternalError, "The server asked for input and named none"));
        }
        Ok(waits)
    }

    /// Enters a handler again, with all its peer has said.
    pub(super) fn enter_again(&mut self, run: &Run, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.running_mut(run) else { return };
        let mut responses = J::object(&[]);
        for wait in std::mem::take(&mut running.waits) {
            if let Some(answer) = wait.answer {
                responses = responses.set_member(&wait.key, answer);
            }
        }
        running.sealing = false;
        let mut members = vec![(Key::InputResponses, responses)];
        let state = running.again.take().and_then(|again| again.get(Key::RequestState));
        crate::json::put(&mut members, Key::RequestState, state);
        let params = running.params.with_all(&members);
        let (method, wants_progress) = (running.method, running.token.is_some());
        self.work(run.clone(), method, params, wants_progress, effects);
    }

    pub(super) fn sealed(&mut self, run: &Run, sealed: Option<String>, effects: &mut Vec<Effect<J>>) {
        let Some((id, mut running)) = self.take(run) else { return };
        running.sealing = false;
        let limit = self.profile.limits.parked_calls;
        // Not when it asks: until its state is sealed nobody knows how many are parked by then.
        let is_full = running.again.is_none() && self.parked.len() >= limit;
        let Some(sealed) = sealed.filter(|_| !is_full) else {
            let error = || match is_full {
                true => exhausted("calls wait for input", limit),
                false => Error::new(Code::InternalError, "The state of the request cannot be sealed here"),
            };
            let waits = std::mem::take(&mut running.waits);
            if running.again.is_some() {
                return self.refuse(Some(&id), &error(), effects);
            }
            // It goes on under the same id, which has just become free.
            self.admit(run, &id, running);
            for wait in waits {
                effects.push(Effect::Reply { run: run.clone(), key: wait.key, outcome: Err(error()) });
            }
            return;
        };
        let state = (Key::RequestState, J::string(&sealed));
        if let Some(again) = running.again {
            return self.answer(&id, Era::Stateless, again.with_all(&[state]), effects);
        }
        running.rounds += 1;
        let mut requests = J::object(&[]);
        for wait in &running.waits {
            let request = J::object(&[(Key::Method, J::word(wait.method)), (Key::Params, wait.params.clone())]);
            requests = requests.set_member(&wait.key, request);
        }
        let asks = [(Key::ResultType, J::word(Key::InputRequired)), (Key::InputRequests, requests), state];
        self.parked.push(Parked { run: run.clone(), running });
        effects.push(Effect::Patience { run: run.clone() });
        self.answer(&id, Era::Stateless, J::object(&asks), effects);
    }

    /// A request came with a state. Only what was sealed here, for this very request, is one.
    pub(super) fn opened(&mut self, id: &Id, text: Option<String>, effects: &mut Vec<Effect<J>>) {
        let Some(opening) = self.opening.complete(id) else { return };
        let text = text.unwrap_or_default();
        let (sort, rest) = text.split_at_checked(1).unwrap_or_default();
        let outcome = match sort {
            "p" => self.resume(id, opening, rest, effects),
            "s" | "n" => self.restart(id, opening, rest, sort == "s", effects),
            _ => Err(invalid("Invalid params: requestState could not be verified for this request")),
        };
        if let Err(error) = outcome {
            self.refuse(Some(id), &error, effects);
        }
    }

    fn restart(
        &mut self,
        id: &Id,
        Opening { method, params, terms }: Opening<J>,
        text: &str,
        has_state: bool,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let (rounds, state) = text.split_once(':').unwrap_or((text, ""));
        let state = has_state.then(|| J::string(state));
        let params = match state {
            Some(state) => params.with(Key::RequestState, state),
            None => params.without(Key::RequestState),
        };
        let wants_progress = terms.token.is_some();
        let run = self.enter(id, Era::Stateless, method, params.clone(), terms)?;
        if let Some(running) = self.running.get_mut(id) {
            running.rounds = rounds.parse().unwrap_or(usize::MAX);
        }
        self.work(run, method, params, wants_progress, effects);
        Ok(())
    }

    fn resume(
        &mut self,
        id: &Id,
        opening: Opening<J>,
        serial: &str,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let place = self.parked.iter().position(|parked| decimal(parked.run.serial) == serial);
        let Some(place) = place else {
            return Err(invalid("Invalid params: requestState was used already, or nobody waits for it any more"));
        };
        let Parked { run, mut running } = self.parked.remove(place);
        let responses = opening.params.get(Key::InputResponses);
        running.params = opening.params;
        (running.token, running.log_level, running.share) =
            (opening.terms.token, opening.terms.log_level, opening.terms.share);
        running.last_progress = f64::NEG_INFINITY;
        let waits = std::mem::take(&mut running.waits);
        self.admit(&run, id, running);
        for wait in waits {
            let given = responses.as_ref().and_then(|responses| responses.member(&wait.key));
            match given.filter(|given| is_answer(wait.method, given)) {
                Some(given) => effects.push(Effect::Reply { run: run.clone(), key: wait.key, outcome: Ok(given) }),
                // What is missing, or no answer, is asked for again.
                None => self.ask(&run, wait.key, wait.method, wait.params, effects),
            }
        }
        Ok(())
    }

    /// A run has waited for its peer as long as it may.
    pub(super) fn expired(&mut self, run: &Run, effects: &mut Vec<Effect<J>>) {
        let late = || Error::new(Code::Timeout, "The client gave no input in time");
        if let Some(place) = self.parked.iter().position(|parked| parked.run.serial == run.serial) {
            let Parked { run, .. } = self.parked.remove(place);
            effects.push(Effect::Abort { run, reason: late().message.into_owned() });
            return;
        }
        let keys = self.forget_asked(run.serial, effects);
        if keys.is_empty() {
            return;
        }
        if self.running_mut(run).is_some_and(|running| running.again.is_some()) {
            return self.fail(run, &late(), effects);
        }
        for key in keys {
            effects.push(Effect::Reply { run: run.clone(), key, outcome: Err(late()) });
        }
    }

    pub(super) fn fail(&mut self, run: &Run, error: &Error, effects: &mut Vec<Effect<J>>) {
        self.forget_asked(run.serial, effects);
        if let Some((id, _)) = self.take(run) {
            self.refuse(Some(&id), error, effects);
        }
    }
}

/// What a state is bound to: the request it continues, without what changes from round to round.
pub(super) fn bound<J: Json>(method: Key, params: &J) -> J {
    let request = params.without(Key::Meta).without(Key::InputResponses).without(Key::RequestState);
    J::object(&[(Key::Method, J::word(method)), (Key::Params, request)])
}
