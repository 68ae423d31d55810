//! What a server tells its peer unasked: that lists, resources and tasks changed, and what it logs.
//!
//! A peer of the handshake era hears of lists once it is initialised, and of the resources it
//! subscribed to. A stateless one hears only on the subscriptions it holds (MCP 2026-07-28, basic/patterns/subscriptions).

use super::{Effect, Session, Versions, exhausted, invalid};
use crate::core::error::Error;
use crate::core::message::{self, Id};
use crate::core::revision::{Era, Level};
use crate::json::{Json, Key, Kind, Word, put};

/// A subscription of a stateless peer.
pub(super) struct Listen {
    /// The request that holds it.
    pub id: Id,
    /// The versions it has been told of; lists it does not follow stay `None`.
    tools: Option<u64>,
    prompts: Option<u64>,
    resources: Option<u64>,
    uris: Vec<String>,
    tasks: Vec<String>,
}

/// What is told on the subscription that this request holds.
fn notice<J: Json>(id: &Id, method: Key, params: &J) -> Effect<J> {
    let meta = J::object(&[(Key::SubscriptionId, id.to_json())]);
    Effect::Send(message::notification(&Word::Known(method), Some(params.with(Key::Meta, meta))))
}

impl<J: Json> Session<J> {
    /// Sends the notices of the lists that changed, once however often they did.
    pub(super) fn announce(&mut self, versions: Versions, effects: &mut Vec<Effect<J>>) {
        for listen in &mut self.listens {
            for (method, known, version) in [
                (Key::ToolsListChanged, &mut listen.tools, versions.tools),
                (Key::PromptsListChanged, &mut listen.prompts, versions.prompts),
                (Key::ResourcesListChanged, &mut listen.resources, versions.resources),
            ] {
                if known.is_some_and(|known| known != version) {
                    *known = Some(version);
                    effects.push(notice(&listen.id, method, &J::object(&[])));
                }
            }
        }
        let Some(known) = self.announced.filter(|known| *known != versions) else { return };
        self.announced = Some(versions);
        for (method, has_changed) in [
            (Key::ToolsListChanged, known.tools != versions.tools),
            (Key::PromptsListChanged, known.prompts != versions.prompts && self.profile.offers.prompts),
            (Key::ResourcesListChanged, known.resources != versions.resources && self.profile.offers.resources),
        ] {
            if has_changed {
                effects.push(Effect::Send(message::notification(&Word::Known(method), None)));
            }
        }
    }

    /// Opens a subscription. The first message says which part of the wish is granted.
    pub(super) fn listen(
        &mut self,
        id: &Id,
        params: Option<&J>,
        versions: Versions,
        effects: &mut Vec<Effect<J>>,
    ) -> Result<(), Error> {
        let filter = params.and_then(|params| params.get(Key::Notifications)).filter(Json::is_object);
        let Some(filter) = filter else { return Err(invalid("Invalid params: notifications must be a filter")) };
        let offers = &self.profile.offers;
        let wants = |key: Key| match filter.get(key).map(|flag| flag.as_bool()) {
            None => Ok(false),
            Some(Some(flag)) => Ok(flag),
            Some(None) => Err(invalid("Invalid params: the notifications filter has a flag that is not a boolean")),
        };
        let (tools, prompts, resources) =
            (wants(Key::ToolsChanged)?, wants(Key::PromptsChanged)?, wants(Key::ResourcesChanged)?);
        let uris = texts(&filter, Key::ResourceSubscriptions)?;
        let tasks = texts(&filter, Key::TaskIds)?;
        let listen = Listen {
            id: id.clone(),
            tools: tools.then_some(versions.tools),
            prompts: (prompts && offers.prompts).then_some(versions.prompts),
            resources: (resources && offers.resources).then_some(versions.resources),
            uris: if offers.resources { uris } else { Vec::new() },
            tasks: if offers.tasks { tasks } else { Vec::new() },
        };
        let held: usize = self.listens.iter().map(|listen| 1 + listen.uris.len() + listen.tasks.len()).sum();
        let limit = self.profile.limits.subscriptions;
        if held + 1 + listen.uris.len() + listen.tasks.len() > limit {
            return Err(exhausted("subscriptions", limit));
        }
        self.check_free(id)?;
        let mut granted = Vec::new();
        for (key, is_granted) in [
            (Key::ToolsChanged, listen.tools.is_some()),
            (Key::PromptsChanged, listen.prompts.is_some()),
            (Key::ResourcesChanged, listen.resources.is_some()),
        ] {
            put(&mut granted, key, is_granted.then(|| J::bool(true)));
        }
        for (key, names) in [(Key::ResourceSubscriptions, &listen.uris), (Key::TaskIds, &listen.tasks)] {
            let names = || J::array(names.iter().map(|name| J::string(name)).collect());
            put(&mut granted, key, (filter.kind_at(key) == Kind::Array).then(names));
        }
        let granted = J::object(&[(Key::Notifications, J::object(&granted))]);
        effects.push(notice(&listen.id, Key::Acknowledged, &granted));
        self.listens.push(listen);
        Ok(())
    }

    /// Every subscription is owed an answer when the server ends it (MCP 2026-07-28, basic/patterns/subscriptions).
    pub(super) fn end_listens(&mut self, effects: &mut Vec<Effect<J>>) {
        for listen in std::mem::take(&mut self.listens) {
            let meta = J::object(&[(Key::SubscriptionId, listen.id.to_json())]);
            self.answer(&listen.id, Era::Stateless, J::object(&[(Key::Meta, meta)]), effects);
        }
    }

    /// A peer of the handshake era follows a resource, or does so no longer.
    pub(super) fn subscribe(&mut self, params: Option<&J>, follows: bool) -> Result<J, Error> {
        let Some(uri) = params.and_then(|params| params.text(Key::Uri)) else {
            return Err(invalid("Invalid params: uri must be a string"));
        };
        self.subscribed.retain(|other| *other != uri);
        let limit = self.profile.limits.subscriptions;
        if follows && self.subscribed.len() >= limit {
            return Err(exhausted("subscriptions", limit));
        }
        if follows {
            self.subscribed.push(uri);
        }
        Ok(J::object(&[]))
    }

    /// A resource changed.
    pub(super) fn updated(&mut self, uri: &str, effects: &mut Vec<Effect<J>>) {
        let params = J::object(&[(Key::Uri, J::string(uri))]);
        let follows = |uris: &[String]| uris.iter().any(|other| other == uri);
        for listen in self.listens.iter().filter(|listen| follows(&listen.uris)) {
            effects.push(notice(&listen.id, Key::ResourceUpdated, &params));
        }
        if follows(&self.subscribed) {
            effects.push(Effect::Send(message::notification(&Word::Known(Key::ResourceUpdated), Some(params))));
        }
    }

    /// A task changed. Only those who named it hear of it.
    pub(super) fn task_changed(&mut self, id: &str, params: &J, effects: &mut Vec<Effect<J>>) {
        for listen in self.listens.iter().filter(|listen| listen.tasks.iter().any(|task| task == id)) {
            effects.push(notice(&listen.id, Key::TasksNotice, params));
        }
    }

    /// Sends a run's words to the peer's log, if they are of the level it wants to hear of. A stateless
    /// peer says so in the request itself (MCP 2026-07-28, server/utilities/logging).
    pub(super) fn log(&mut self, run: &super::Run, level: &str, params: &J, effects: &mut Vec<Effect<J>>) {
        let is_offered = self.profile.offers.logging;
        let session = self.log_level;
        let Some(running) = self.running_mut(run).filter(|_| is_offered) else { return };
        let least = if running.era == Era::Handshake { Some(session) } else { running.log_level };
        let is_wanted = Level::parse(level).is_some_and(|level| least.is_some_and(|least| level >= least));
        if is_wanted {
            let params = params.with(Key::Level, J::string(level));
            effects.push(Effect::Send(message::notification(&Word::Known(Key::MessageNotice), Some(params))));
        }
    }

    pub(super) fn set_level(&mut self, params: Option<&J>) -> Result<J, Error> {
        let level = params.and_then(|params| Level::parse(&params.text(Key::Level)?));
        self.log_level = level.ok_or_else(|| invalid("Invalid params: level is not a log level"))?;
        Ok(J::object(&[]))
    }
}

/// A list of strings, if there is one.
fn texts<J: Json>(filter: &J, key: Key) -> Result<Vec<String>, Error> {
    if !filter.kind_at(key).is_some() {
        return Ok(Vec::new());
    }
    let items = filter.get(key).and_then(|list| list.items()).unwrap_or_else(|| vec![J::null()]);
    let texts: Option<Vec<String>> = items.iter().map(Json::as_string).collect();
    texts.ok_or_else(|| invalid("Invalid params: the notifications filter has a list that is not one of strings"))
}
