//! What a server says of itself and offers, shared by all its sessions.

use crate::core::limits::Limits;
use crate::core::revision::{Era, Implementation};
use crate::json::{Json, Key, put};

/// The families of methods a server answers beside the tools'.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// `resources/list`, `resources/read`, `resources/templates/list`, and subscriptions to resources.
    pub resources: bool,
    /// `prompts/list` and `prompts/get`.
    pub prompts: bool,
    /// `completion/complete`.
    pub completions: bool,
    /// Messages to the peer's log.
    pub logging: bool,
    /// The extension `io.modelcontextprotocol/tasks`.
    pub tasks: bool,
    /// Whether `initialize` is answered by [`Effect::Provide`](super::Effect::Provide) having ended.
    pub held: bool,
}

/// How long a stateless peer may keep an answer, unless the answer says so itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cache {
    /// Milliseconds; 0 is not at all.
    pub ttl: f64,
    /// Whether it may be shared between callers.
    pub public: bool,
}

/// What a server says of itself. Shared by all its sessions.
pub struct Profile<J> {
    /// Its name and version.
    pub implementation: Implementation,
    /// Advice to the model about the server as a whole.
    pub instructions: Option<String>,
    /// What it lets a peer make it hold.
    pub limits: Limits,
    /// What it offers.
    pub offers: Offers,
    /// How long answers stay fresh.
    pub cache: Cache,
    /// `implementation` as it goes into answers.
    pub(super) info: J,
    /// The `_meta` of a stateless answer that has none of its own.
    pub(super) stamp: J,
}

impl<J: Json> Profile<J> {
    /// A profile; what each answer repeats is made here, once.
    pub fn new(implementation: Implementation, instructions: Option<String>, limits: Limits) -> Self {
        let info: J = implementation.to_json();
        let stamp = J::object(&[(Key::MetaServerInfo, info.clone())]);
        Profile {
            implementation,
            instructions,
            limits,
            offers: Offers::default(),
            cache: Cache::default(),
            info,
            stamp,
        }
    }

    /// The same with more to offer than tools.
    pub fn with_offers(mut self, offers: Offers, cache: Cache) -> Self {
        self.offers = offers;
        self.cache = cache;
        self
    }

    /// The `_meta` of a stateless answer that has none of its own.
    pub fn stamp(&self) -> &J {
        &self.stamp
    }

    /// The capabilities it declares. Extensions exist without a handshake only.
    pub(super) fn capabilities(&self, era: Era) -> J {
        let changes = || J::object(&[(Key::ListChanged, J::bool(true))]);
        let empty = || J::object(&[]);
        let offers = &self.offers;
        let mut members = vec![(Key::Tools, changes())];
        put(&mut members, Key::Resources, offers.resources.then(|| changes().with(Key::Subscribe, J::bool(true))));
        put(&mut members, Key::Prompts, offers.prompts.then(changes));
        put(&mut members, Key::Completions, offers.completions.then(empty));
        put(&mut members, Key::Logging, offers.logging.then(empty));
        let tasks = offers.tasks && era == Era::Stateless;
        put(&mut members, Key::Extensions, tasks.then(|| J::object(&[(Key::Tasks, empty())])));
        J::object(&members)
    }

    /// The cache hints every cacheable stateless result has (MCP 2026-07-28, server/utilities/caching).
    pub(super) fn hints(&self) -> [(Key, J); 2] {
        let scope = if self.cache.public { Key::Public } else { Key::Private };
        [(Key::TtlMs, J::number(self.cache.ttl)), (Key::CacheScope, J::word(scope))]
    }
}
