//! The methods a server answers, in both eras, and what each of them requires.

use super::rounds::{self, Opening};
use super::runs::Terms;
use super::{Effect, Run, Session, Versions, invalid, paging};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::frame::{Facts, MetaFact};
use crate::core::message::Id;
use crate::core::revision::{self, Era, Implementation, Level, Metadata, Revision};
use crate::json::{Json, Key, Kind, Word, put};

impl<J: Json> Session<J> {
    /// Answers a request, or says why it cannot; what a handler works on is answered later.
    pub(super) fn request(
        &mut self,
        id: &Id,
        method: &Word<J>,
        params: Option<J>,
        facts: &Facts,
        versions: Versions,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let limits = &self.profile.limits;
        let is_within = facts.is_usual && limits.has_usual_params();
        if !is_within && params.as_ref().is_some_and(|params| !limits.hold(params)) {
            return Err(invalid("Invalid params: they are nested too deeply, or hold too many values"));
        }
        let is_plain = facts.meta == MetaFact::Plain && limits.has_usual_meta();
        let is_new = self.peer.is_none();
        let looks = facts.meta != MetaFact::None && (!is_plain || is_new);
        let meta = params.as_ref().filter(|_| looks).map(|params| Metadata::read(params.at(Key::Meta)));
        if let Some(meta) = meta.as_ref().filter(|_| !is_plain) {
            meta.check_size(limits)?;
        }
        let era = if is_plain { Era::Stateless } else { revision::era_of(method, meta.as_ref()) };
        if era == Era::Stateless {
            if !is_plain {
                revision::check_metadata(meta.as_ref())?;
            }
            if is_new {
                self.peer = meta.as_ref().and_then(Metadata::client);
            }
        }
        let known = match method {
            Word::Known(key) => *key,
            Word::Other(_) => Key::Empty,
        };
        let offers = self.profile.offers;
        let answer = match (known, era) {
            (Key::ToolsCall, _) => {
                if facts.name != Kind::String {
                    return Err(invalid("Invalid params: name must be a string"));
                }
                if !matches!(facts.arguments, Kind::Object | Kind::Absent) {
                    return Err(invalid("Invalid params: arguments must be an object when present"));
                }
                None
            }
            (Key::ToolsList, _) => {
                self.check_opened(era)?;
                let offset = params.map_or(Ok(Some(0)), |params| paging::offset(&params))?;
                // No cursor but ours is ever handed out, so none can be valid.
                let Some(offset) = offset else { return Err(invalid("Invalid params: unknown cursor")) };
                effects.push(Effect::List { id: id.clone(), era, offset });
                return Ok(());
            }
            (Key::Discover, _) => Some(self.discover()),
            (Key::Ping, Era::Handshake) => Some(J::object(&[])),
            (Key::Initialize, Era::Handshake) => match self.initialize(id, params.clone(), effects)? {
                Some(answer) => Some(answer),
                None => return Ok(()),
            },
            (Key::Listen, Era::Stateless) => return self.listen(id, params.as_ref(), versions, effects),
            (Key::ResourcesSubscribe | Key::ResourcesUnsubscribe, Era::Handshake) if offers.resources => {
                self.check_opened(era)?;
                Some(self.subscribe(params.as_ref(), known == Key::ResourcesSubscribe)?)
            }
            (Key::SetLevel, Era::Handshake) if offers.logging => {
                self.check_opened(era)?;
                Some(self.set_level(params.as_ref())?)
            }
            (Key::ResourcesRead, _) if offers.resources => {
                needs(params.as_ref(), Key::Uri, "Invalid params: uri must be a string")?;
                None
            }
            (Key::PromptsGet, _) if offers.prompts => {
                needs(params.as_ref(), Key::Name, "Invalid params: name must be a string")?;
                None
            }
            (Key::ResourcesList | Key::ResourcesTemplatesList, _) if offers.resources => {
                params.as_ref().map_or(Ok(None), paging::offset)?;
                None
            }
            (Key::PromptsList, _) if offers.prompts => {
                params.as_ref().map_or(Ok(None), paging::offset)?;
                None
            }
            (Key::CompletionComplete, _) if offers.completions => None,
            (Key::TasksGet | Key::TasksUpdate | Key::TasksCancel, Era::Stateless) if offers.tasks => {
                check_tasks(params.as_ref())?;
                needs(params.as_ref(), Key::TaskId, "Invalid params: taskId must be a string")?;
                None
            }
            _ => {
                return Err(Error::new(Code::MethodNotFound, ["Method not found: ", &method.text()].concat()));
            }
        };
        match answer {
            Some(answer) => self.answer(id, era, answer, effects),
            // A handler works on it, and is answered for when it ends.
            None => self.begin(id, known, params, (meta.as_ref(), facts.state), era, effects)?,
        }
        Ok(())
    }

    /// A request that names no revision needs one that a handshake settled.
    fn check_opened(&self, era: Era) -> Result<(), Error> {
        if era == Era::Stateless || self.handshake.is_some() {
            return Ok(());
        }
        Err(invalid("Invalid params: send initialize first, or name the protocol version in params._meta"))
    }

    /// MCP 2026-07-28, server/discover.
    fn discover(&self) -> J {
        let mut members = vec![
            (Key::SupportedVersions, Revision::stateless_names()),
            (Key::Capabilities, self.profile.capabilities(Era::Stateless)),
        ];
        members.extend(self.profile.hints());
        put(&mut members, Key::Instructions, self.profile.instructions.as_deref().map(J::string));
        J::object(&members)
    }

    /// MCP 2025-11-25, basic/lifecycle. A client that starts again on the same carrier is welcome. `None`
    /// while the answer is held.
    fn initialize(&mut self, id: &Id, params: Option<J>, effects: &mut Vec<Effect<J>>) -> Result<Option<J>, Error> {
        let params = params.unwrap_or_else(|| J::object(&[]));
        let Some(requested) = params.text(Key::ProtocolVersion) else {
            return Err(invalid("Invalid params: protocolVersion must be a string"));
        };
        if self.profile.offers.held {
            let terms = Terms { token: None, log_level: None, share: self.share()? };
            let run = self.enter(id, Era::Handshake, Key::Initialize, params.clone(), terms)?;
            effects.push(Effect::Provide { run, method: Key::Initialize, params, wants_progress: false });
            return Ok(None);
        }
        Ok(Some(self.shake(&params, &requested)))
    }

    /// What holds the handshake let it pass, or did not.
    pub(super) fn shaken(&mut self, run: &Run, outcome: Result<J, Error>, effects: &mut Vec<Effect<J>>) {
        let Some((id, running)) = self.take(run) else { return };
        match outcome {
            Ok(_) => {
                let requested = running.params.text(Key::ProtocolVersion).unwrap_or_default();
                let answer = self.shake(&running.params, &requested);
                self.answer(&id, Era::Handshake, answer, effects);
            }
            Err(error) => self.refuse(Some(&id), &error, effects),
        }
    }

    fn shake(&mut self, params: &J, requested: &str) -> J {
        if self.peer.is_none() {
            self.peer = params.get(Key::ClientInfo).and_then(|info| Implementation::read(&info));
        }
        self.capabilities = params.get(Key::Capabilities).filter(Json::is_object);
        let revision = Revision::negotiate(requested);
        self.handshake = Some(revision);
        self.announced = None;
        self.subscribed.clear();
        self.log_level = Level::Info;
        let mut members = vec![
            (Key::ProtocolVersion, J::string(revision.name())),
            (Key::Capabilities, self.profile.capabilities(Era::Handshake)),
            (Key::ServerInfo, self.profile.info.clone()),
        ];
        put(&mut members, Key::Instructions, self.profile.instructions.as_deref().map(J::string));
        J::object(&members)
    }

    /// Begins to work on a request; one that continues an earlier one has to show its state first.
    fn begin(
        &mut self,
        id: &Id,
        method: Key,
        params: Option<J>,
        (meta, state): (Option<&Metadata<J>>, Kind),
        era: Era,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        self.check_opened(era)?;
        let params = params.unwrap_or_else(|| J::object(&[]));
        let token = meta.map_or(Ok(None), Metadata::progress_token)?;
        let terms = Terms { token, log_level: meta.and_then(Metadata::log_level), share: self.share()? };
        match state {
            Kind::Absent => {}
            Kind::String if era == Era::Stateless => {
                return self.open(id, Opening { method, params, terms }, effects);
            }
            _ if era == Era::Handshake => {
                return Err(invalid("Invalid params: a request of the handshake era cannot continue another"));
            }
            _ => return Err(invalid("Invalid params: requestState must be a string")),
        }
        let wants_progress = terms.token.is_some();
        let run = self.enter(id, era, method, params.clone(), terms)?;
        self.work(run, method, params, wants_progress, effects);
        Ok(())
    }

    fn open(&mut self, id: &Id, opening: Opening<J>, effects: &mut Vec<Effect<J>>) -> Result<(), Error> {
        let sealed = opening.params.text(Key::RequestState).unwrap_or_default();
        let bound = rounds::bound(opening.method, &opening.params);
        self.check_room(id)?;
        let _ = self.opening.register(id.clone(), opening);
        effects.push(Effect::Open { id: id.clone(), sealed, bound });
        Ok(())
    }

    /// Has a handler work on a request.
    pub(super) fn work(
        &mut self,
        run: Run,
        method: Key,
        params: J,
        wants_progress: bool,
        effects: &mut Vec<Effect<J>>,
    ) {
        if method != Key::ToolsCall {
            // A cursor of ours is not the provider's: it gives the whole list, and we cut.
            let is_ours = params.kind_at(Key::Cursor).is_some() && matches!(paging::offset(&params), Ok(Some(_)));
            let params = if is_ours { params.without(Key::Cursor) } else { params };
            effects.push(Effect::Provide { run, method, params, wants_progress });
            return;
        }
        let name = params.text(Key::Name).unwrap_or_default();
        let arguments = params.get(Key::Arguments).unwrap_or_else(|| J::object(&[]));
        effects.push(Effect::Call { run, name, arguments, params, wants_progress });
    }
}

fn needs<J: Json>(params: Option<&J>, key: Key, message: &'static str) -> Result<(), Error> {
    if params.is_some_and(|params| params.kind_at(key) == Kind::String) { Ok(()) } else { Err(invalid(message)) }
}

/// Tasks are for clients that declared the extension in this very request (MCP extension tasks, SEP-2663).
fn check_tasks<J: Json>(params: Option<&J>) -> Result<(), Error> {
    let declared = params.and_then(|params| params.get(Key::Meta)?.get(Key::ClientCapabilities)?.get(Key::Extensions));
    if declared.is_some_and(|extensions| extensions.kind_at(Key::Tasks) == Kind::Object) {
        return Ok(());
    }
    let tasks = J::object(&[(Key::Tasks, J::object(&[]))]);
    let required = J::object(&[(Key::Extensions, tasks)]);
    Err(Error::missing_capability("The client has not declared the tasks extension", required))
}
