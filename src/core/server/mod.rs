//! One peer's session with a server: frames in, effects out.
//!
//! A session decides the era of each request by the request itself, so both may be spoken over one
//! connection; only the handshake era leaves something behind here.

mod io;
mod load;
mod methods;
mod notices;
mod paging;
mod profile;
mod requests;
mod rounds;
mod runs;
#[cfg(test)]
mod tests;

pub use io::{Effect, Input, Run, Versions};
pub use profile::{Cache, Offers, Profile};

use super::calls::Calls;
use super::code::Code;
use super::digits::decimal;
use super::error::Error;
use super::frame::Frame;
use super::machine::Machine;
use super::message::{self, Id, Malformed, Message};
use super::revision::{Era, Implementation, Level, Revision};
use crate::json::{Json, Key, Kind, Sight, Word};
use load::Load;
use notices::Listen;
use requests::Asked;
use rounds::{Opening, Parked};
use runs::Running;
use std::rc::Rc;

/// The state kept for one peer.
pub struct Session<J> {
    profile: Rc<Profile<J>>,
    handshake: Option<Revision>,
    peer: Option<Implementation>,
    /// What a peer of the handshake era declared; a stateless one declares it with each request.
    capabilities: Option<J>,
    running: Calls<Running<J>>,
    next_serial: u64,
    /// Runs that go on under the id of a later request than the one that began them.
    moved: Vec<(u64, Id)>,
    /// Our own requests to a peer of the handshake era.
    asked: Calls<Asked>,
    next_ask: i64,
    /// Requests whose state is being opened.
    opening: Calls<Opening<J>>,
    /// Runs whose request was answered with the wish for input.
    parked: Vec<Parked<J>>,
    /// The versions the peer knows of; `None` while notices would come too early.
    announced: Option<Versions>,
    listens: Vec<Listen>,
    /// What a peer of the handshake era subscribed to.
    subscribed: Vec<String>,
    log_level: Level,
    /// The second that is being counted, and the messages in it.
    second: (f64, usize),
    load: Load,
    /// What the frame that is being read weighs.
    arriving: usize,
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
            Input::Frame { frame, versions, now } => self.receive(&frame, versions, now, effects),
            Input::Garbled => self.unread("Parse error", effects),
            Input::Oversized(reason) => self.unread(reason, effects),
            Input::Returned { run, outcome, versions } => self.returned(&run, outcome, versions, effects),
            Input::Provided { run, outcome, versions } => self.provided(&run, outcome, versions, effects),
            Input::Unknown { run, name } => self.unknown(run, &name, effects),
            Input::Listed { id, era, offset, tools, versions } => {
                self.announce(versions, effects);
                let result = self.page(era, Key::Tools, J::object(&[(Key::Tools, tools)]), offset);
                self.answer(&id, era, result, effects);
            }
            Input::Progressed { run, step } => self.progressed(&run, step, effects),
            Input::Ask { run, key, method, params } => self.ask(&run, key, method, params, effects),
            Input::Log { run, level, params } => self.log(&run, &level, &params, effects),
            Input::Sealed { run, sealed } => self.sealed(&run, sealed, effects),
            Input::Opened { id, text } => self.opened(&id, text, effects),
            Input::Expired { run } => self.expired(&run, effects),
            Input::Unsendable { frame, reason } => self.unsendable(&frame, &reason, effects),
            Input::Announce(versions) => self.announce(versions, effects),
            Input::Updated { uri } => self.updated(&uri, effects),
            Input::TaskChanged { id, params } => self.task_changed(&id, &params, effects),
            Input::Close => self.close(effects),
        }
    }
}

impl<J: Json> Session<J> {
    /// A session that has heard nothing yet.
    pub fn new(profile: Rc<Profile<J>>) -> Self {
        let capacity = profile.limits.calls_in_flight;
        Session {
            profile,
            handshake: None,
            peer: None,
            capabilities: None,
            running: Calls::new(capacity),
            next_serial: 0,
            moved: Vec::new(),
            asked: Calls::new(usize::MAX),
            next_ask: 0,
            opening: Calls::new(capacity),
            parked: Vec::new(),
            announced: None,
            listens: Vec::new(),
            subscribed: Vec::new(),
            log_level: Level::Info,
            second: (0.0, 0),
            load: Load::default(),
            arriving: 0,
            closed: false,
        }
    }

    /// What the peer calls itself, as far as it has said.
    pub fn peer(&self) -> Option<&Implementation> {
        self.peer.as_ref()
    }

    /// What a peer of the handshake era declared it can do.
    pub fn capabilities(&self) -> Option<&J> {
        self.capabilities.as_ref()
    }

    /// Whether there was a handshake, after which requests need not name their revision.
    pub fn has_shaken_hands(&self) -> bool {
        self.handshake.is_some()
    }

    fn receive(&mut self, frame: &Frame<J>, versions: Versions, now: f64, effects: &mut Vec<Effect<J>>) {
        self.arriving = frame.facts.size;
        match message::classify(frame) {
            Ok(Message::Request { id, method, params }) => {
                let outcome = match self.count(now) {
                    Ok(()) => self.request(&id, &method, params, &frame.facts, versions, effects),
                    Err(error) => Err(error),
                };
                if let Err(error) = outcome {
                    self.refuse(Some(&id), &error, effects);
                }
            }
            Ok(Message::Notification { method, params }) => match self.count(now) {
                Ok(()) => self.notification(&method, params, versions, effects),
                Err(error) => effects.push(Effect::Fault(error)),
            },
            Ok(Message::Response { id, outcome }) => self.responded(&id, outcome, effects),
            Err(Malformed::Foreign) => {}
            Err(Malformed::Request(id, error)) => {
                self.refuse(id.as_ref(), &error, effects);
                effects.push(Effect::Fault(error));
            }
            Err(Malformed::Response(reason)) => effects.push(Effect::Fault(Error::new(Code::InvalidRequest, reason))),
        }
    }

    /// Counts a message against what a peer may send in a second.
    fn count(&mut self, now: f64) -> Result<(), Error> {
        let limit = self.profile.limits.messages_per_second;
        if now - self.second.0 >= 1_000.0 {
            self.second = (now, 0);
        }
        self.second.1 += 1;
        if limit == 0 || self.second.1 <= limit { Ok(()) } else { Err(exhausted("messages in a second", limit)) }
    }

    fn unread(&mut self, reason: &'static str, effects: &mut Vec<Effect<J>>) {
        let error = Error::new(Code::ParseError, reason);
        self.refuse(None, &error, effects);
        effects.push(Effect::Fault(error));
    }

    /// The peer gets an answer that can be carried. Anything but a result can only be reported.
    fn unsendable(&mut self, frame: &J, reason: &str, effects: &mut Vec<Effect<J>>) {
        let Sight { members: [id, result, method, ..], .. } =
            frame.sight([Key::Id, Key::Result, Key::Method, Key::Empty, Key::Empty]);
        let what = if result.is_there() { "the result" } else { "the message" };
        let error = Error::new(Code::InternalError, [what, " cannot be sent: ", reason].concat());
        let id = Id::at(frame, Key::Id, id);
        if result.is_there() {
            self.refuse(id.as_ref(), &error, effects);
        } else if let (true, Some(id)) = (method.is_there(), id) {
            self.unasked(&id, &error, effects);
        }
        effects.push(Effect::Fault(error));
    }

    /// Every run is aborted. Subscriptions end with the answer they are owed; nothing else is answered any more.
    fn close(&mut self, effects: &mut Vec<Effect<J>>) {
        self.end_listens(effects);
        self.closed = true;
        let running = self.running.drain().into_iter().map(|(id, running)| Run { id, serial: running.serial });
        let parked = self.parked.drain(..).map(|parked| parked.run);
        for run in running.chain(parked).collect::<Vec<_>>() {
            effects.push(Effect::Abort { run, reason: "the session was closed".to_owned() });
        }
    }

    fn notification(&mut self, method: &Word<J>, params: Option<J>, versions: Versions, effects: &mut Vec<Effect<J>>) {
        if method.is(Key::Initialized) {
            if self.handshake.is_some() && self.announced.is_none() {
                self.announced = Some(versions);
            }
        } else if method.is(Key::Cancelled) {
            let Some(params) = params else { return };
            let Some(id) = Id::at(&params, Key::RequestId, params.kind_at(Key::RequestId)) else { return };
            self.cancelled(&id, || params.text(Key::Reason), effects);
        }
        // What we do not know needs no answer: it is a notification.
    }

    fn answer(&self, id: &Id, era: Era, result: J, effects: &mut Vec<Effect<J>>) {
        let result = match era {
            Era::Handshake => without_bare_structure(result),
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

    fn refuse(&self, id: Option<&Id>, error: &Error, effects: &mut Vec<Effect<J>>) {
        effects.push(Effect::Send(message::failure(id, error)));
    }
}

/// Peers of the handshake era refuse a whole result for structured content that is no object; the text says
/// the same (MCP 2025-11-25, server/tools).
fn without_bare_structure<J: Json>(result: J) -> J {
    match result.kind_at(Key::StructuredContent) {
        Kind::Object | Kind::Absent => result,
        _ => result.without(Key::StructuredContent),
    }
}

fn exhausted(what: &str, limit: usize) -> Error {
    Error::new(Code::InternalError, ["Server limit reached: ", &decimal(limit as u64), " ", what].concat())
}

fn invalid(message: &'static str) -> Error {
    Error::new(Code::InvalidParams, message)
}
