//! Answers that may be used again while their server says they are fresh (MCP 2026-07-28,
//! server/utilities/caching). A cache belongs to one client, so what is private stays private.

use crate::json::{Json, Key};

struct Kept<J> {
    method: Key,
    /// The cursor, or the URI.
    detail: Option<String>,
    answer: J,
    until: f64,
}

/// What a client keeps.
pub(super) struct Cache<J> {
    kept: Vec<Kept<J>>,
    capacity: usize,
    /// When a notice last said that something changed. An answer asked for before may be of before.
    changed: f64,
}

/// Whether answers to this may be kept at all.
fn is_cacheable(method: Key) -> bool {
    matches!(
        method,
        Key::ToolsList | Key::PromptsList | Key::ResourcesList | Key::ResourcesTemplatesList | Key::ResourcesRead
    )
}

fn detail<J: Json>(params: Option<&J>) -> Option<String> {
    params.and_then(|params| params.text(Key::Uri).or_else(|| params.text(Key::Cursor)))
}

impl<J: Json> Cache<J> {
    pub fn new(capacity: usize) -> Self {
        Cache { kept: Vec::new(), capacity, changed: f64::NEG_INFINITY }
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// An answer that is still fresh.
    pub fn get(&mut self, method: Key, params: Option<&J>, now: f64) -> Option<J> {
        if !is_cacheable(method) {
            return None;
        }
        self.kept.retain(|kept| kept.until > now);
        let detail = detail(params);
        self.kept.iter().find(|kept| kept.method == method && kept.detail == detail).map(|kept| kept.answer.clone())
    }

    /// Keeps an answer for as long as it says. Time counts from when it was asked for, as it may have
    /// been made at any moment since.
    pub fn put(&mut self, method: Key, params: Option<&J>, asked: f64, answer: &J) {
        let ttl = if is_cacheable(method) { answer.number_at(Key::TtlMs) } else { None };
        let Some(ttl) = ttl.filter(|ttl| *ttl > 0.0 && asked >= self.changed) else { return };
        let detail = detail(params);
        self.kept.retain(|kept| kept.method != method || kept.detail != detail);
        if self.kept.len() >= self.capacity && !self.kept.is_empty() {
            self.kept.remove(0);
        }
        if self.capacity > 0 {
            self.kept.push(Kept { method, detail, answer: answer.clone(), until: asked + ttl });
        }
    }

    /// Forgets what a notice of the server says has changed.
    pub fn forget(&mut self, now: f64, notice: Key, params: Option<&J>) {
        let uri = params.and_then(|params| params.text(Key::Uri));
        self.changed = now;
        self.kept.retain(|kept| match notice {
            Key::ToolsListChanged => kept.method != Key::ToolsList,
            Key::PromptsListChanged => kept.method != Key::PromptsList,
            Key::ResourcesListChanged => !matches!(kept.method, Key::ResourcesList | Key::ResourcesTemplatesList),
            _ => kept.method != Key::ResourcesRead || kept.detail != uri,
        });
    }
}
