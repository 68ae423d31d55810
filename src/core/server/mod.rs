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
use crate::json::{Json, Key, put};
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

impl Run {
    /// What the caller may keep it under: no other run of the session has it.
    pub fn key(&self) -> Id {
        Id::Number(self.serial as i64)
    }
}

/// What the caller of the core has to do, in this order.
pub enum Effect<J> {
    /// Send a frame. If the carrier refuses it, say so by [`Session::unsendable`].
    Send {
        /// The frame.
        frame: J,
        /// The request it answers, if it answers one.
        answers: Option<Id>,
    },
    /// Run a tool and report by [`Session::returned`], or by [`Session::unknown`] if there is none.
    Call {
        /// Names the run in all that follows.
        run: Run,
        /// The tool's name.
        name: String,
        /// Its arguments, an object.
        arguments: J,
        /// Whether [`Session::progressed`] reaches anybody.
        wants_progress: bool,
    },
    /// Answer a request for the list of tools by [`Session::listed`]. Making the list may run an
    /// author's `toJSON`, so the caller does it while the session is not borrowed.
    List {
        /// The request.
        id: Id,
        /// The era to answer in.
        era: Era,
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
}

/// The state kept for one peer.
pub struct Session<J> {
    profile: Rc<Profile<J>>,
    handshake: Option<Revision>,
    peer: Option<Implementation>,
    running: Calls<Running>,
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

    /// Takes a frame from the carrier. `version` is that of the registry of tools, here and below.
    pub fn receive(&mut self, frame: &J, version: u64, effects: &mut Vec<Effect<J>>) {
        if self.closed {
            return;
        }
        match message::classify(frame) {
            Ok(Message::Request { id, method, params }) => {
                if let Err(error) = self.request(&id, &method, params, effects) {
                    self.refuse(Some(id), &error, effects);
                }
            }
            Ok(Message::Notification { method, params }) => self.notification(&method, params, version, effects),
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
    pub fn garbled(&mut self, effects: &mut Vec<Effect<J>>) {
        if !self.closed {
            let error = Error::new(Code::ParseError, "Parse error");
            self.refuse(None, &error, effects);
            effects.push(Effect::Fault(error));
        }
    }

    /// Takes the result of a run, a `CallToolResult`.
    pub fn returned(&mut self, run: &Run, result: J, version: u64, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.take(run) else { return };
        // A tool may have changed the list; the peer hears of it before it acts on the answer.
        self.announce(version, effects);
        self.answer(&run.id, running.era, result, effects);
    }

    /// Takes the news that there is no tool of that name. That is a protocol error (MCP, server/tools).
    pub fn unknown(&mut self, run: &Run, name: &str, effects: &mut Vec<Effect<J>>) {
        if self.take(run).is_some() {
            let error = Error::new(Code::InvalidParams, ["Unknown tool: ", name].concat());
            self.refuse(Some(run.id.clone()), &error, effects);
        }
    }

    /// Takes the tools to show, all in one page.
    pub fn listed(&mut self, id: &Id, era: Era, tools: J, version: u64, effects: &mut Vec<Effect<J>>) {
        if self.closed {
            return;
        }
        self.announce(version, effects);
        let mut members = vec![(Key::Tools, tools)];
        if era == Era::Stateless {
            // Tools may change at any moment and nobody would tell a stateless peer, so nothing is fresh for long.
            members.push((Key::TtlMs, J::number(0.0)));
            members.push((Key::CacheScope, J::word(Key::Private)));
        }
        self.answer(id, era, J::object(members), effects);
    }

    /// Takes progress of a run. Values that do not rise are dropped, as the protocol forbids them.
    pub fn progressed(
        &mut self,
        run: &Run,
        progress: f64,
        total: Option<f64>,
        text: Option<&str>,
        effects: &mut Vec<Effect<J>>,
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
        put(&mut params, Key::Total, total.filter(|total| total.is_finite()).map(J::number));
        put(&mut params, Key::Message, text.map(J::string));
        effects.push(Effect::Send {
            frame: message::notification(J::word(Key::ProgressNotice), Some(J::object(params))),
            answers: None,
        });
    }

    /// Takes the news that the carrier refused an answer. The peer gets one that can be carried.
    pub fn unsendable(&mut self, id: Id, reason: &str, effects: &mut Vec<Effect<J>>) {
        let error = Error::new(Code::InternalError, ["the result cannot be sent: ", reason].concat());
        self.refuse(Some(id), &error, effects);
        effects.push(Effect::Fault(error));
    }

    /// Sends the notice that the list of tools changed, once however often it did (MCP 2025-11-25,
    /// server/tools). Stateless peers hear of changes by subscription only.
    pub fn announce(&mut self, version: u64, effects: &mut Vec<Effect<J>>) {
        if self.closed || self.announced.is_none_or(|announced| announced == version) {
            return;
        }
        self.announced = Some(version);
        let frame = message::notification(J::string("notifications/tools/list_changed"), None);
        effects.push(Effect::Send { frame, answers: None });
    }

    /// Ends the session: every run is aborted, nothing is answered any more.
    pub fn close(&mut self, effects: &mut Vec<Effect<J>>) {
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

    fn notification(&mut self, method: &J, params: Option<J>, version: u64, effects: &mut Vec<Effect<J>>) {
        if method.is(Key::Initialized) {
            if self.handshake.is_some() && self.announced.is_none() {
                self.announced = Some(version);
            }
        } else if method.is(Key::Cancelled) {
            let Some(id) = params.as_ref().and_then(|params| Id::read(&params.get(Key::RequestId)?)) else { return };
            if let Some(running) = self.running.complete(&id) {
                let reason = params.and_then(|params| params.text(Key::Reason));
                let reason = reason.unwrap_or_else(|| "cancelled by the client".to_owned());
                effects.push(Effect::Abort { run: Run { id, serial: running.serial }, reason });
            }
        }
        // What we do not know needs no answer: it is a notification.
    }

    fn answer(&self, id: &Id, era: Era, result: J, effects: &mut Vec<Effect<J>>) {
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
            members.push((Key::ResultType, J::word(Key::Complete)));
        }
        result.with_all(members)
    }

    fn refuse(&self, id: Option<Id>, error: &Error, effects: &mut Vec<Effect<J>>) {
        effects.push(Effect::Send { frame: message::failure(id.as_ref(), error), answers: None });
    }
}
