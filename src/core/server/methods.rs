//! The methods a server answers, in both eras: discovery, the handshake, ping, and tools.

use super::{Effect, Run, Running, Session};
use crate::core::calls::Refused;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::revision::{self, Era, Implementation, Revision};
use crate::json::{Json, Key, put};

impl<J: Json> Session<J> {
    /// Answers a request, or says why it cannot; a tool's answer comes later.
    pub(super) fn request(
        &mut self,
        id: &Id,
        method: &J,
        params: Option<J>,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let meta = params.as_ref().and_then(|params| params.get(Key::Meta));
        let era = revision::era_of(method, meta.as_ref());
        if era == Era::Stateless {
            revision::check_metadata(meta.as_ref())?;
            self.remember_peer(meta.as_ref().and_then(|meta| meta.get(Key::MetaClientInfo)));
        }
        let has_handshake = era == Era::Handshake;
        let result = if method.is(Key::ToolsCall) {
            self.check_opened(era)?;
            return self.call(id, params.as_ref(), meta.as_ref(), era, effects);
        } else if method.is(Key::ToolsList) {
            self.check_opened(era)?;
            // All tools go into one page. No cursor is ever handed out, so none can be valid.
            if params.is_some_and(|params| params.some(Key::Cursor).is_some()) {
                return Err(Error::new(Code::InvalidParams, "Invalid params: unknown cursor"));
            }
            effects.push(Effect::List { id: id.clone(), era });
            return Ok(());
        } else if method.is(Key::Discover) {
            self.discover()
        } else if has_handshake && method.is(Key::Ping) {
            J::object(vec![])
        } else if has_handshake && method.is(Key::Initialize) {
            self.initialize(params.as_ref())?
        } else {
            let method = method.as_string().unwrap_or_default();
            return Err(Error::new(Code::MethodNotFound, ["Method not found: ", &method].concat()));
        };
        self.answer(id, era, result, effects);
        Ok(())
    }

    /// A request that names no revision needs one that a handshake settled.
    fn check_opened(&self, era: Era) -> Result<(), Error> {
        if era == Era::Stateless || self.handshake.is_some() {
            return Ok(());
        }
        let message = "Invalid params: send initialize first, or name the protocol version in params._meta";
        Err(Error::new(Code::InvalidParams, message))
    }

    /// MCP 2026-07-28, server/discover.
    fn discover(&self) -> J {
        let mut members = vec![
            (Key::SupportedVersions, Revision::stateless_names()),
            (Key::Capabilities, J::object(vec![(Key::Tools, J::object(vec![]))])),
            (Key::TtlMs, J::number(0.0)),
            (Key::CacheScope, J::word(Key::Private)),
        ];
        put(&mut members, Key::Instructions, self.profile.instructions.as_deref().map(J::string));
        J::object(members)
    }

    /// MCP 2025-11-25, basic/lifecycle. A client that starts again on the same carrier is welcome.
    fn initialize(&mut self, params: Option<&J>) -> Result<J, Error> {
        let Some(requested) = params.and_then(|params| params.text(Key::ProtocolVersion)) else {
            return Err(Error::new(Code::InvalidParams, "Invalid params: protocolVersion must be a string"));
        };
        self.remember_peer(params.and_then(|params| params.get(Key::ClientInfo)));
        let revision = Revision::negotiate(&requested);
        self.handshake = Some(revision);
        self.announced = None;
        let tools = J::object(vec![(Key::ListChanged, J::bool(true))]);
        let mut members = vec![
            (Key::ProtocolVersion, J::string(revision.name())),
            (Key::Capabilities, J::object(vec![(Key::Tools, tools)])),
            (Key::ServerInfo, self.profile.info.clone()),
        ];
        put(&mut members, Key::Instructions, self.profile.instructions.as_deref().map(J::string));
        Ok(J::object(members))
    }

    /// MCP, server/tools.
    fn call(
        &mut self,
        id: &Id,
        params: Option<&J>,
        meta: Option<&J>,
        era: Era,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let Some(name) = params.and_then(|params| params.text(Key::Name)) else {
            return Err(Error::new(Code::InvalidParams, "Invalid params: name must be a string"));
        };
        let arguments = match params.and_then(|params| params.get(Key::Arguments)) {
            None => J::object(vec![]),
            Some(arguments) if arguments.is_object() => arguments,
            Some(_) => {
                return Err(Error::new(
                    Code::InvalidParams,
                    "Invalid params: arguments must be an object when present",
                ));
            }
        };
        let token = revision::progress_token(meta)?;
        self.next_serial += 1;
        let run = Run { id: id.clone(), serial: self.next_serial };
        let wants_progress = token.is_some();
        let running = Running { serial: run.serial, era, token, last_progress: f64::NEG_INFINITY };
        match self.running.register(id.clone(), running) {
            Ok(()) => {}
            Err(Refused::Duplicate(_)) => {
                return Err(Error::new(
                    Code::InvalidRequest,
                    "Invalid Request: a request with this id is still running",
                ));
            }
            Err(Refused::Full(_)) => {
                let limit = self.profile.limits.calls_in_flight;
                return Err(Error::new(
                    Code::InternalError,
                    ["Server limit reached: ", &limit.to_string(), " calls are running"].concat(),
                ));
            }
        }
        effects.push(Effect::Call { run, name, arguments, wants_progress });
        Ok(())
    }

    fn remember_peer(&mut self, info: Option<J>) {
        if self.peer.is_none() {
            self.peer = info.as_ref().and_then(Implementation::read);
        }
    }
}
