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
use super::frame::Frame;
use super::limits::Limits;
use super::machine::Machine;
use super::message::{self, Id, Malformed, Message};
use super::revision::{Era, Implementation, Revision};
use super::tool::Progress;
use crate::json::{Json, Key, Kind, Sight, Word};
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
        let stamp = J::object(&[(Key::MetaServerInfo, info.clone())]);
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
    /// Send a frame. If the carrier refuses it, say so by [`Input::Unsendable`].
    Send(J),
    /// Run a tool and report by [`Input::Returned`], or by [`Input::Unknown`] if there is none.
    Call {
        /// Names the run in all that follows.
        run: Run,
        /// The tool's name.
        name: String,
        /// Its arguments, an object.
        arguments: J,
        /// Whether [`Input::Progressed`] reaches anybody.
        wants_progress: bool,
    },
    /// Answer a request for the list of tools by [`Input::Listed`]. Making the list may run an
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

/// What happens to a session. `version` is that of the registry of tools.
pub enum Input<J> {
    /// The carrier brought a frame.
    Frame {
        /// The frame.
        frame: Frame<J>,
        /// The registry's version.
        version: u64,
    },
    /// A frame of text was not JSON.
    Garbled,
    /// A run ended.
    Returned {
        /// The run.
        run: Run,
        /// Its result, a `CallToolResult`.
        result: J,
        /// The registry's version.
        version: u64,
    },
    /// There is no tool of that name.
    Unknown {
        /// The run that cannot be.
        run: Run,
        /// The name.
        name: String,
    },
    /// The tools to show, all in one page.
    Listed {
        /// The request.
        id: Id,
        /// The era to answer in.
        era: Era,
        /// The tools.
        tools: J,
        /// The registry's version.
        version: u64,
    },
    /// A run made progress.
    Progressed {
        /// The run.
        run: Run,
        /// How far it is.
        step: Progress,
    },
    /// The carrier refused a frame.
    Unsendable {
        /// The frame.
        frame: J,
        /// Why.
        reason: String,
    },
    /// The registry changed, and the code that changed it has returned.
    Announce(u64),
    /// The session ends.
    Close,
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

impl<J: Json> Machine for Session<J> {
    type Input = Input<J>;
    type Effect = Effect<J>;

    fn step(&mut self, input: Input<J>, effects: &mut Vec<Effect<J>>) {
        if self.closed {
            return;
        }
        match input {
            Input::Frame { frame, version } => self.receive(&frame, version, effects),
            Input::Garbled => {
                let error = Error::new(Code::ParseError, "Parse error");
                self.refuse(None, &error, effects);
                effects.push(Effect::Fault(error));
            }
            Input::Returned { run, result, version } => self.returned(&run, result, version, effects),
            Input::Unknown { run, name } => self.unknown(run, &name, effects),
            Input::Listed { id, era, tools, version } => self.listed(&id, era, tools, version, effects),
            Input::Progressed { run, step } => self.progressed(&run, step, effects),
            Input::Unsendable { frame, reason } => self.unsendable(&frame, &reason, effects),
            Input::Announce(version) => self.announce(version, effects),
            Input::Close => self.close(effects),
        }
    }
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

    fn receive(&mut self, frame: &Frame<J>, version: u64, effects: &mut Vec<Effect<J>>) {
        match message::classify(frame) {
            Ok(Message::Request { id, method, params }) => {
                if let Err(error) = self.request(&id, &method, params, &frame.facts, effects) {
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

    fn returned(&mut self, run: &Run, result: J, version: u64, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.take(run) else { return };
        // A tool may have changed the list; the peer hears of it before it acts on the answer.
        self.announce(version, effects);
        self.answer(&run.id, running.era, result, effects);
    }

    /// That is a protocol error (MCP, server/tools).
    fn unknown(&mut self, run: Run, name: &str, effects: &mut Vec<Effect<J>>) {
        if self.take(&run).is_some() {
            let error = Error::new(Code::InvalidParams, ["Unknown tool: ", name].concat());
            self.refuse(Some(run.id), &error, effects);
        }
    }

    fn listed(&mut self, id: &Id, era: Era, tools: J, version: u64, effects: &mut Vec<Effect<J>>) {
        self.announce(version, effects);
        let mut members = vec![(Key::Tools, tools)];
        if era == Era::Stateless {
            // Tools may change at any moment and nobody would tell a stateless peer, so nothing is fresh for long.
            members.push((Key::TtlMs, J::number(0.0)));
            members.push((Key::CacheScope, J::word(Key::Private)));
        }
        self.answer(id, era, J::object(&members), effects);
    }

    /// Values that do not rise are dropped, as the protocol forbids them.
    fn progressed(&mut self, run: &Run, step: Progress, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.running.get_mut(&run.id).filter(|running| running.serial == run.serial) else {
            return;
        };
        let Some(token) = &running.token else { return };
        if !step.progress.is_finite() || step.progress <= running.last_progress {
            return;
        }
        let params = step.to_json(vec![(Key::ProgressToken, token.to_json())]);
        running.last_progress = step.progress;
        effects.push(Effect::Send(message::notification(&Word::Known(Key::ProgressNotice), Some(params))));
    }

    /// The peer gets an answer that can be carried. Anything but a result can only be reported.
    fn unsendable(&mut self, frame: &J, reason: &str, effects: &mut Vec<Effect<J>>) {
        let Sight { members: [id, result, ..], .. } =
            frame.sight([Key::Id, Key::Result, Key::Empty, Key::Empty, Key::Empty]);
        let what = if result.is_there() { "the result" } else { "the message" };
        let error = Error::new(Code::InternalError, [what, " cannot be sent: ", reason].concat());
        if result.is_there() {
            self.refuse(Id::at(frame, Key::Id, id), &error, effects);
        }
        effects.push(Effect::Fault(error));
    }

    /// Sends the notice that the list of tools changed, once however often it did (MCP 2025-11-25,
    /// server/tools). Stateless peers hear of changes by subscription only.
    fn announce(&mut self, version: u64, effects: &mut Vec<Effect<J>>) {
        if self.announced.is_none_or(|announced| announced == version) {
            return;
        }
        self.announced = Some(version);
        effects.push(Effect::Send(message::notification(&Word::Known(Key::ToolsListChanged), None)));
    }

    /// Every run is aborted, nothing is answered any more.
    fn close(&mut self, effects: &mut Vec<Effect<J>>) {
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

    /// Whether a run was neither answered nor cancelled yet.
    pub fn is_running(&self, run: &Run) -> bool {
        self.running.get(&run.id).is_some_and(|running| running.serial == run.serial)
    }

    fn take(&mut self, run: &Run) -> Option<Running> {
        if self.is_running(run) { self.running.complete(&run.id) } else { None }
    }

    fn notification(&mut self, method: &Word<J>, params: Option<J>, version: u64, effects: &mut Vec<Effect<J>>) {
        if method.is(Key::Initialized) {
            if self.handshake.is_some() && self.announced.is_none() {
                self.announced = Some(version);
            }
        } else if method.is(Key::Cancelled) {
            let Some(params) = params else { return };
            let Some(id) = Id::at(&params, Key::RequestId, params.kind_at(Key::RequestId)) else { return };
            if let Some(running) = self.running.complete(&id) {
                let reason = params.text(Key::Reason);
                let reason = reason.unwrap_or_else(|| "cancelled by the client".to_owned());
                effects.push(Effect::Abort { run: Run { id, serial: running.serial }, reason });
            }
        }
        // What we do not know needs no answer: it is a notification.
    }

    fn answer(&self, id: &Id, era: Era, result: J, effects: &mut Vec<Effect<J>>) {
        let result = match era {
            Era::Handshake => result,
            Era::Stateless => self.stamp(result),
        };
        effects.push(Effect::Send(message::result(id, result)));
    }

    /// Every stateless result says its type and who made it (MCP 2026-07-28, basic).
    fn stamp(&self, result: J) -> J {
        let Sight { members: [meta, result_type, ..], .. } =
            result.sight([Key::Meta, Key::ResultType, Key::Empty, Key::Empty, Key::Empty]);
        let meta = if meta.is_some() {
            result.at(Key::Meta).with(Key::MetaServerInfo, self.profile.info.clone())
        } else {
            self.profile.stamp.clone()
        };
        let mut members = vec![(Key::Meta, meta)];
        // A handler's own result may say something that is no type, which strict peers refuse.
        if result_type != Kind::String {
            members.push((Key::ResultType, J::word(Key::Complete)));
        }
        result.set_all(&members)
    }

    fn refuse(&self, id: Option<Id>, error: &Error, effects: &mut Vec<Effect<J>>) {
        effects.push(Effect::Send(message::failure(id.as_ref(), error)));
    }
}
