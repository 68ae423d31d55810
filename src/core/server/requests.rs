//! Our requests to a peer of the handshake era, which are how a run asks it for input.

use super::rounds::Wait;
use super::{Effect, Run, Session};
use crate::core::asking::is_answer;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{self, Id};
use crate::json::{Json, Key, Word};

/// A request of ours to a peer of the handshake era.
pub(super) struct Asked {
    run: Run,
    key: String,
    method: Key,
}

impl<J: Json> Session<J> {
    pub(super) fn request_input(&mut self, run: &Run, wait: Wait<J>, effects: &mut Vec<Effect<J>>) {
        self.next_ask += 1;
        let id = Id::Number(self.next_ask);
        let frame = message::request(&id, &Word::Known(wait.method), Some(wait.params));
        // The numbers count up and the table has no bound, so there is always room.
        let _ = self.asked.register(id, Asked { run: run.clone(), key: wait.key, method: wait.method });
        effects.push(Effect::Patience { run: run.clone() });
        effects.push(Effect::Send(frame));
    }

    /// A peer of the handshake era answered a request of ours.
    pub(super) fn responded(&mut self, id: &Id, outcome: Result<J, J>, effects: &mut Vec<Effect<J>>) {
        let outcome = outcome.map_err(|error| message::read_error(&error));
        if !self.replied(id, outcome, effects) {
            effects.push(Effect::Fault(Error::new(Code::InvalidRequest, "a response nobody waits for")));
        }
    }

    /// A request of ours never left.
    pub(super) fn unasked(&mut self, id: &Id, error: &Error, effects: &mut Vec<Effect<J>>) {
        self.replied(id, Err(error.clone()), effects);
    }

    fn replied(&mut self, id: &Id, outcome: Result<J, Error>, effects: &mut Vec<Effect<J>>) -> bool {
        let Some(Asked { run, key, method }) = self.asked.complete(id) else { return false };
        let Some(running) = self.running_mut(&run) else { return true };
        // There is no asking again in this era, so a handler is not given what it cannot work with.
        let outcome = outcome.and_then(|answer| match is_answer(method, &answer) {
            true => Ok(answer),
            false => Err(Error::new(Code::InvalidResponse, ["The client gave no answer to ", method.name()].concat())),
        });
        if running.again.is_none() {
            effects.push(Effect::Reply { run, key, outcome });
            return true;
        }
        match outcome {
            Ok(answer) => {
                running
                    .waits
                    .iter_mut()
                    .filter(|wait| wait.key == key)
                    .for_each(|wait| wait.answer = Some(answer.clone()));
                if running.waits.iter().all(|wait| wait.answer.is_some()) {
                    self.enter_again(&run, effects);
                }
            }
            Err(error) => self.fail(&run, &error, effects),
        }
        true
    }

    /// Takes back what a run asked; the peer is told. Gives the keys.
    pub(super) fn forget_asked(&mut self, serial: u64, effects: &mut Vec<Effect<J>>) -> Vec<String> {
        let mut keys = Vec::new();
        for (id, asked) in self.asked.take_if(|_, asked| asked.run.serial == serial) {
            let params = J::object(&[(Key::RequestId, id.to_json())]);
            effects.push(Effect::Send(message::notification(&Word::Known(Key::Cancelled), Some(params))));
            keys.push(asked.key);
        }
        keys
    }
}
