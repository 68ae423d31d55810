//! The methods a server answers, in both eras: discovery, the handshake, ping, and tools.

use super::{Effect, Run, Running, Session};
use crate::core::calls::Refused;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{Facts, Id, MetaFact};
use crate::core::revision::{self, Era, Implementation, Metadata, Revision};
use crate::json::{Json, Key, Kind, Word, put};

impl<J: Json> Session<J> {
    /// Answers a request, or says why it cannot; a tool's answer comes later.
    pub(super) fn request(
        &mut self,
        id: &Id,
        method: &Word<J>,
        params: Option<J>,
        facts: &Facts,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let (is_plain, is_new) = (facts.meta == MetaFact::Plain, self.peer.is_none());
        let looks = facts.meta == MetaFact::Other || (is_plain && is_new);
        let meta = params.as_ref().filter(|_| looks).map(|params| Metadata::read(params.at(Key::Meta)));
        let era = if is_plain { Era::Stateless } else { revision::era_of(method, meta.as_ref()) };
        if era == Era::Stateless {
            if !is_plain {
                revision::check_metadata(meta.as_ref())?;
            }
            if is_new {
                self.peer = meta.as_ref().and_then(Metadata::client);
            }
        }
        let result = match (method, era) {
            (Word::Known(Key::ToolsCall), _) => {
                self.check_opened(era)?;
                let order = match (facts.name, facts.arguments, params) {
                    (Kind::String, Kind::Absent, Some(params)) => (params.text(Key::Name), J::object(&[])),
                    (Kind::String, Kind::Object, Some(params)) => (params.text(Key::Name), params.at(Key::Arguments)),
                    (Kind::String, ..) => {
                        return refuse("Invalid params: arguments must be an object when present");
                    }
                    _ => return refuse("Invalid params: name must be a string"),
                };
                let token = meta.map_or(Ok(None), |meta| meta.progress_token())?;
                return self.call(id, order.0.unwrap_or_default(), order.1, token, era, effects);
            }
            (Word::Known(Key::ToolsList), _) => {
                self.check_opened(era)?;
                // All tools go into one page. No cursor is ever handed out, so none can be valid.
                if params.is_some_and(|params| params.some(Key::Cursor).is_some()) {
                    return refuse("Invalid params: unknown cursor");
                }
                effects.push(Effect::List { id: id.clone(), era });
                return Ok(());
            }
            (Word::Known(Key::Discover), _) => self.discover(),
            (Word::Known(Key::Ping), Era::Handshake) => J::object(&[]),
            (Word::Known(Key::Initialize), Era::Handshake) => self.initialize(params.as_ref())?,
            _ => {
                return Err(Error::new(Code::MethodNotFound, ["Method not found: ", &method.text()].concat()));
            }
        };
        self.answer(id, era, result, effects);
        Ok(())
    }

    /// A request that names no revision needs one that a handshake settled.
    fn check_opened(&self, era: Era) -> Result<(), Error> {
        if era == Era::Stateless || self.handshake.is_some() {
            return Ok(());
        }
        refuse("Invalid params: send initialize first, or name the protocol version in params._meta")
    }

    /// MCP 2026-07-28, server/discover.
    fn discover(&self) -> J {
        let mut members = vec![
            (Key::SupportedVersions, Revision::stateless_names()),
            (Key::Capabilities, J::object(&[(Key::Tools, J::object(&[]))])),
            (Key::TtlMs, J::number(0.0)),
            (Key::CacheScope, J::word(Key::Private)),
        ];
        put(&mut members, Key::Instructions, self.profile.instructions.as_deref().map(J::string));
        J::object(&members)
    }

    /// MCP 2025-11-25, basic/lifecycle. A client that starts again on the same carrier is welcome.
    fn initialize(&mut self, params: Option<&J>) -> Result<J, Error> {
        let Some(requested) = params.and_then(|params| params.text(Key::ProtocolVersion)) else {
            return refuse("Invalid params: protocolVersion must be a string");
        };
        if self.peer.is_none() {
            self.peer = params.and_then(|params| Implementation::read(&params.get(Key::ClientInfo)?));
        }
        let revision = Revision::negotiate(&requested);
        self.handshake = Some(revision);
        self.announced = None;
        let tools = J::object(&[(Key::ListChanged, J::bool(true))]);
        let mut members = vec![
            (Key::ProtocolVersion, J::string(revision.name())),
            (Key::Capabilities, J::object(&[(Key::Tools, tools)])),
            (Key::ServerInfo, self.profile.info.clone()),
        ];
        put(&mut members, Key::Instructions, self.profile.instructions.as_deref().map(J::string));
        Ok(J::object(&members))
    }

    /// MCP, server/tools.
    fn call(
        &mut self,
        id: &Id,
        name: String,
        arguments: J,
        token: Option<Id>,
        era: Era,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
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
}

fn refuse<T>(message: &'static str) -> Result<T, Error> {
    Err(Error::new(Code::InvalidParams, message))
}
