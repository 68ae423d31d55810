//! One peer's session with a server: frames in, effects out.
//!
//! A session decides the era of each request by the request itself, so both may be spoken over one
//! connection; only the handshake era leaves something behind here.

mod methods;
#[cfg(test)]
mod tests;

use super::calls::Calls;
use super::code::Code;
use super::error::Error;
use super::limits::Limits;
use super::message::{self, Id, Malformed, Message};
use super::revision::{Era, Implementation, Revision};
use super::tool::{Registry, Tool, result};
use crate::json::{Json, Key};
use std::rc::Rc;

/// What a server says of itself. Shared by all its sessions.
pub struct Profile<J> {
    /// Its name and version.
    pub implementation: Implementation,
    /// Advice to the model about the server as a whole.
    pub instructions: Option<String>,
    /// What it lets a peer make it hold.
    pub limits: Limits,
    /// `implementation` as it goes into answers.
    info: J,
    /// The `_meta` of a stateless answer that has none of its own.
    stamp: J,
}

impl<J: Json> Profile<J> {
    /// A profile; what each answer repeats is made here, once.
    pub fn new(implementation: Implementation, instructions: Option<String>, limits: Limits) -> Self {
        let info: J = implementation.to_json();
        let stamp = J::object(vec![(Key::MetaServerInfo, info.clone())]);
        Profile { implementation, instructions, limits, info, stamp }
    }
}

/// Names one run of a tool: the request it answers, and a number that tells it from an earlier
/// request a peer made under the same id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    id: Id,
    serial: u64,
}

/// What the caller of the core has to do, in this order.
pub enum Effect<J, H> {
    /// Send a frame. If the carrier refuses it, say so by [`Session::unsendable`].
    Send {
        /// The frame.
        frame: J,
        /// The request it answers, if it answers one.
        answers: Option<Id>,
    },
    /// Run a tool and report by [`Session::returned`].
    Call {
        /// Names the run in all that follows.
        run: Run,
        /// The tool.
        tool: Rc<Tool<J, H>>,
        /// Its arguments, an object.
        arguments: J,
        /// Whether [`Session::progressed`] reaches anybody.
        wants_progress: bool,
    },
    /// Tell a running tool that nobody waits for it any more.
    Abort {
        /// The run.
        run: Run,
        /// Why, in the peer's words or ours.
        reason: String,
    },
    /// Report a fault that has no answer.
    Fault(Error),
}

struct Running {
    serial: u64,
    era: Era,
    token: Option<Id>,
    last_progress: f64,
    has_output_schema: bool,
}

/// The state kept for one peer.
pub struct Session<J> {
    profile: Rc<Profile<J>>,
    handshake: Option<Revision>,
    peer: Option<Implementation>,
    running: Calls<Id, Running>,
    next_serial: u64,
    /// The registry's version the peer knows of; `None` while notices would come too early.
    announced: Option<u64>,
    closed: bool,
}

impl<J: Json> Session<J> {
    /// A session that has heard nothing yet.
    pub fn new(profile: Rc<Profile<J>>) -> Self {
        let running = Calls::new(profile.limits.calls_in_flight);
        Session { profile, handshake: None, peer: None, running, next_serial: 0, announced: None, closed: false }
    }

    /// What the peer calls itself, as far as it has said.
    pub fn peer(&self) -> Option<&Implementation> {
        self.peer.as_ref()
    }

    /// Takes a frame from the carrier.
    pub fn receive<H>(&mut self, frame: &J, tools: &Registry<J, H>, effects: &mut Vec<Effect<J, H>>) {
        if self.closed {
            return;
        }
        match message::classify(frame) {
            Ok(Message::Request { id, method, params }) => {
                if let Err(error) = self.request(&id, &method, params, tools, effects) {
                    self.refuse(Some(id), &error, effects);
                }
            }
            Ok(Message::Notification { method, params }) => self.notification(&method, params, tools, effects),
            Ok(Message::Response { .. }) => {
                effects.push(Effect::Fault(Error::new(Code::InvalidRequest, "a response nobody waits for")));
            }
            Err(Malformed::Foreign) => {}
            Err(Malformed::Request(id, error)) => {
                self.refuse(id, &error, effects);
                effects.push(Effect::Fault(error));
            }
            Err(Malformed::Response(reason)) => effects.push(Effect::Fault(Error::new(Code::InvalidRequest, reason))),
        }
    }

    /// Takes the news that a frame of text was not JSON.
    pub fn garbled<H>(&mut self, effects: &mut Vec<Effect<J, H>>) {
        if !self.closed {
            let error = Error::new(Code::ParseError, "Parse error");
            self.refuse(None, &error, effects);
            effects.push(Effect::Fault(error));
        }
    }

    /// Takes the outcome of a run: what the handler returned, or what its failure says.
    pub fn returned<H>(
        &mut self,
        run: &Run,
        outcome: Result<J, String>,
        tools: &Registry<J, H>,
        effects: &mut Vec<Effect<J, H>>,
    ) {
        let Some(running) = self.take(run) else { return };
        let result = match outcome {
            Ok(value) => result::from_value(&value, running.has_output_schema),
            Err(message) => result::from_failure(&message),
        };
        // A tool may have changed the list; the peer hears of it before it acts on the answer.
        self.announce(tools, effects);
        self.answer(&run.id, running.era, result, effects);
    }

    /// Takes progress of a run. Values that do not rise are dropped, as the protocol forbids them.
    pub fn progressed<H>(
        &mut self,
        run: &Run,
        progress: f64,
        total: Option<f64>,
        text: Option<&str>,
        effects: &mut Vec<Effect<J, H>>,
    ) {
        let Some(running) = self.running.get_mut(&run.id).filter(|running| running.serial == run.serial) else {
            return;
        };
        let Some(token) = &running.token else { return };
        if !progress.is_finite() || progress <= running.last_progress {
            return;
        }
        running.last_progress = progress;
        let mut params = vec![(Key::ProgressToken, token.to_json()), (Key::Progress, J::number(progress))];
        params.extend(total.filter(|total| total.is_finite()).map(|total| (Key::Total, J::number(total))));
        params.extend(text.map(|text| (Key::Message, J::string(text))));
        effects.push(Effect::Send {
            frame: message::notification("notifications/progress", Some(J::object(params))),
            answers: None,
        });
    }

    /// Takes the news that the carrier refused an answer. The peer gets one that can be carried.
    pub fn unsendable<H>(&mut self, id: Id, reason: &str, effects: &mut Vec<Effect<J, H>>) {
        let error = Error::new(Code::InternalError, format!("the result cannot be sent: {reason}"));
        self.refuse(Some(id), &error, effects);
        effects.push(Effect::Fault(error));
    }

    /// Sends the notice that the list of tools changed, once however often it did (MCP 2025-11-25,
    /// server/tools). Stateless peers hear of changes by subscription only.
    pub fn announce<H>(&mut self, tools: &Registry<J, H>, effects: &mut Vec<Effect<J, H>>) {
        if self.closed || self.announced.is_none_or(|version| version == tools.version()) {
            return;
        }
        self.announced = Some(tools.version());
        let frame = message::notification("notifications/tools/list_changed", None);
        effects.push(Effect::Send { frame, answers: None });
    }

    /// Ends the session: every run is aborted, nothing is answered any more.
    pub fn close<H>(&mut self, effects: &mut Vec<Effect<J, H>>) {
        self.closed = true;
        for (id, running) in self.running.drain() {
            let run = Run { id, serial: running.serial };
            effects.push(Effect::Abort { run, reason: "the session was closed".to_owned() });
        }
    }

    /// How many tools run for this peer.
    pub fn in_flight(&self) -> usize {
        self.running.len()
    }

    fn take(&mut self, run: &Run) -> Option<Running> {
        self.running.get_mut(&run.id).filter(|running| running.serial == run.serial)?;
        self.running.complete(&run.id)
    }

    fn notification<H>(
        &mut self,
        method: &str,
        params: Option<J>,
        tools: &Registry<J, H>,
        effects: &mut Vec<Effect<J, H>>,
    ) {
        match method {
            "notifications/initialized" if self.handshake.is_some() && self.announced.is_none() => {
                self.announced = Some(tools.version());
            }
            "notifications/cancelled" => {
                let Some(id) = params.as_ref().and_then(|params| Id::read(&params.get(Key::RequestId)?)) else {
                    return;
                };
                if let Some(running) = self.running.complete(&id) {
                    let reason = params.and_then(|params| params.text(Key::Reason));
                    let reason = reason.unwrap_or_else(|| "cancelled by the client".to_owned());
                    effects.push(Effect::Abort { run: Run { id, serial: running.serial }, reason });
                }
            }
            // What we do not know needs no answer: it is a notification.
            _ => {}
        }
    }

    fn answer<H>(&self, id: &Id, era: Era, result: J, effects: &mut Vec<Effect<J, H>>) {
        let result = match era {
            Era::Handshake => result,
            Era::Stateless => self.stamp(&result),
        };
        effects.push(Effect::Send { frame: message::result(id, result), answers: Some(id.clone()) });
    }

    /// Every stateless result says its type and who made it (MCP 2026-07-28, basic).
    fn stamp(&self, result: &J) -> J {
        let meta = match result.some(Key::Meta) {
            Some(meta) => meta.with(Key::MetaServerInfo, self.profile.info.clone()),
            None => self.profile.stamp.clone(),
        };
        let mut members = vec![(Key::Meta, meta)];
        if result.get(Key::ResultType).is_none() {
            members.push((Key::ResultType, J::string("complete")));
        }
        result.with_all(members)
    }

    fn refuse<H>(&self, id: Option<Id>, error: &Error, effects: &mut Vec<Effect<J, H>>) {
        effects.push(Effect::Send { frame: message::failure(id.as_ref(), error), answers: None });
    }
}
