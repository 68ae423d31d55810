//! The runs of a session: handlers that work on a request, from its start to its one answer.

use super::load::Share;
use super::{Effect, Run, Session, Versions, exhausted};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{self, Id};
use crate::core::revision::{Era, Level};
use crate::core::tool::Progress;
use crate::json::{Json, Key, Word};

/// A request somebody works on.
pub(super) struct Running<J> {
    pub serial: u64,
    pub era: Era,
    pub method: Key,
    /// The request's parameters.
    pub params: J,
    pub token: Option<Id>,
    pub last_progress: f64,
    /// The least a stateless request wants to hear of; a session of the handshake era has its own.
    pub log_level: Option<Level>,
    /// How often it asked its peer for input.
    pub rounds: usize,
    /// What it waits for its peer to say.
    pub waits: Vec<super::rounds::Wait<J>>,
    /// Whether a seal for what it waits for is being made.
    pub sealing: bool,
    /// The result that will wait for the peer's input, of a handler that wants to be entered again.
    pub again: Option<J>,
    pub share: Share,
}

/// What a request says beside its parameters, and its share of what may be worked on.
pub(super) struct Terms {
    pub token: Option<Id>,
    pub log_level: Option<Level>,
    pub share: Share,
}

impl<J: Json> Session<J> {
    /// Enters a request.
    pub(super) fn enter(&mut self, id: &Id, era: Era, method: Key, params: J, terms: Terms) -> Result<Run, Error> {
        self.check_room(id)?;
        self.next_serial += 1;
        let running = Running {
            serial: self.next_serial,
            era,
            method,
            params,
            token: terms.token,
            log_level: terms.log_level,
            share: terms.share,
            last_progress: f64::NEG_INFINITY,
            rounds: 0,
            waits: Vec::new(),
            sealing: false,
            again: None,
        };
        let _ = self.running.register(id.clone(), running);
        Ok(Run { id: id.clone(), serial: self.next_serial })
    }

    /// Lets a run go on under an id that is free: its own, or that of the request that continues it.
    pub(super) fn admit(&mut self, run: &Run, id: &Id, running: Running<J>) {
        let _ = self.running.register(id.clone(), running);
        self.moved.push((run.serial, id.clone()));
    }

    /// Whether one more request may be worked on, under this id. One whose state is being opened has its
    /// room already, so that it does not meet a full table afterwards.
    pub(super) fn check_room(&self, id: &Id) -> Result<(), Error> {
        self.check_free(id)?;
        let limit = self.profile.limits.calls_in_flight;
        if self.running.len() + self.opening.len() >= limit {
            return Err(exhausted("calls are running", limit));
        }
        Ok(())
    }

    /// The share of the request that is being read in what may be worked on.
    pub(super) fn share(&self) -> Result<Share, Error> {
        let limit = self.profile.limits.bytes_in_flight;
        if self.load.has_room(self.arriving, limit) {
            Ok(self.load.take(self.arriving))
        } else {
            Err(exhausted("bytes of requests are worked on", limit))
        }
    }

    /// Whether no other request of this id is open, in any table.
    pub(super) fn check_free(&self, id: &Id) -> Result<(), Error> {
        let is_held = self.listens.iter().any(|listen| listen.id == *id);
        if is_held || self.running.get(id).is_some() || self.opening.get(id).is_some() {
            return Err(Error::new(Code::InvalidRequest, "Invalid Request: a request with this id is still running"));
        }
        Ok(())
    }

    /// A tool's run ended. It may have changed a list; the peer hears of it before it acts on the answer.
    pub(super) fn returned(
        &mut self,
        run: &Run,
        outcome: Result<J, Error>,
        versions: Versions,
        effects: &mut Vec<Effect<J>>,
    ) {
        if let Ok(result) = &outcome
            && result.which(Key::ResultType) == Some(Key::InputRequired)
        {
            return self.wants_input(run, result, effects);
        }
        self.end(run, outcome, versions, effects);
    }

    /// What answers another method ended.
    pub(super) fn provided(
        &mut self,
        run: &Run,
        outcome: Result<J, Error>,
        versions: Versions,
        effects: &mut Vec<Effect<J>>,
    ) {
        let Some(id) = self.id_of(run) else { return };
        let Some(running) = self.running.get(&id) else { return };
        let (era, method) = (running.era, running.method);
        let member = match method {
            Key::Initialize => return self.shaken(run, outcome, effects),
            Key::PromptsGet => return self.returned(run, outcome, versions, effects),
            Key::ResourcesRead => {
                let outcome = if era == Era::Stateless { outcome.map(|result| self.hinted(result)) } else { outcome };
                return self.returned(run, outcome, versions, effects);
            }
            Key::ResourcesList => Key::Resources,
            Key::ResourcesTemplatesList => Key::ResourceTemplates,
            Key::PromptsList => Key::Prompts,
            _ => return self.end(run, outcome, versions, effects),
        };
        let offset = super::paging::offset(&running.params).ok().flatten().unwrap_or(0);
        let outcome = outcome.map(|result| self.page(era, member, result, offset));
        self.end(run, outcome, versions, effects);
    }

    fn end(&mut self, run: &Run, outcome: Result<J, Error>, versions: Versions, effects: &mut Vec<Effect<J>>) {
        let Some((id, running)) = self.take(run) else { return };
        self.forget_asked(running.serial, effects);
        self.announce(versions, effects);
        match outcome {
            Ok(result) => self.answer(&id, running.era, result, effects),
            Err(error) => self.refuse(Some(&id), &error, effects),
        }
    }

    /// That is a protocol error (MCP, server/tools).
    pub(super) fn unknown(&mut self, run: Run, name: &str, effects: &mut Vec<Effect<J>>) {
        if let Some((id, _)) = self.take(&run) {
            let error = Error::new(Code::InvalidParams, ["Unknown tool: ", name].concat());
            self.refuse(Some(&id), &error, effects);
        }
    }

    /// Values that do not rise are dropped, as the protocol forbids them.
    pub(super) fn progressed(&mut self, run: &Run, step: Progress, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.running_mut(run) else { return };
        let Some(token) = &running.token else { return };
        if !step.progress.is_finite() || step.progress <= running.last_progress {
            return;
        }
        let params = step.to_json(vec![(Key::ProgressToken, token.to_json())]);
        running.last_progress = step.progress;
        effects.push(Effect::Send(message::notification(&Word::Known(Key::ProgressNotice), Some(params))));
    }

    /// A peer gave a request up, whatever became of it here: nothing more is sent for it.
    pub(super) fn cancelled(&mut self, id: &Id, reason: impl Fn() -> Option<String>, effects: &mut Vec<Effect<J>>) {
        let Some(running) = self.running.complete(id) else {
            self.opening.complete(id);
            self.listens.retain(|listen| listen.id != *id);
            return;
        };
        self.moved.retain(|(serial, _)| *serial != running.serial);
        self.forget_asked(running.serial, effects);
        let reason = reason().unwrap_or_else(|| "cancelled by the client".to_owned());
        effects.push(Effect::Abort { run: Run { id: id.clone(), serial: running.serial }, reason });
    }

    /// How many handlers run for this peer.
    pub fn in_flight(&self) -> usize {
        self.running.len()
    }

    /// How many calls wait for input that a later request will bring.
    pub fn parked(&self) -> usize {
        self.parked.len()
    }

    /// Whether a run was neither answered for good nor cancelled yet.
    pub fn is_running(&self, run: &Run) -> bool {
        self.id_of(run).is_some() || self.parked.iter().any(|parked| parked.run.serial == run.serial)
    }

    /// The request a run works on now.
    pub(super) fn id_of(&self, run: &Run) -> Option<Id> {
        let is_it = |id: &Id| self.running.get(id).is_some_and(|running| running.serial == run.serial);
        if is_it(&run.id) {
            return Some(run.id.clone());
        }
        let (_, id) = self.moved.iter().find(|(serial, _)| *serial == run.serial)?;
        is_it(id).then(|| id.clone())
    }

    pub(super) fn running_mut(&mut self, run: &Run) -> Option<&mut Running<J>> {
        let id = self.id_of(run)?;
        self.running.get_mut(&id)
    }

    pub(super) fn take(&mut self, run: &Run) -> Option<(Id, Running<J>)> {
        let id = self.id_of(run)?;
        self.moved.retain(|(serial, _)| *serial != run.serial);
        let running = self.running.complete(&id)?;
        Some((id, running))
    }
}
