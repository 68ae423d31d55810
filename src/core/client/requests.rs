//! What a client sends: requests with their metadata, unless an answer that was kept will do.

use super::{Client, Effect, Manner, Owner, Pending, Phase, Request};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{self, Id};
use crate::core::revision::{Era, Revision};
use crate::json::{Json, Key, Word, put};

impl<J: Json, W> Client<J, W> {
    pub(super) fn request(&mut self, now: f64, request: Request<J, W>, effects: &mut Vec<Effect<J, W>>) {
        let Phase::Ready(revision) = self.phase else { return self.refuse(request.waiter, effects) };
        let Request { method, mut params, extra, waiter, manner } = request;
        let is_stateless = revision.era() == Era::Stateless;
        let known = match &method {
            Word::Known(key) if is_stateless => *key,
            _ => Key::Empty,
        };
        if let Some(answer) = self.kept(known, &params, extra.as_ref(), manner, now) {
            effects.push(Effect::Settle { waiter, outcome: Ok(answer) });
            return;
        }
        let id = self.next_id();
        put(&mut params, Key::Meta, self.request_meta(revision, &id, manner.progress, extra.as_ref()));
        let params = match extra {
            Some(extra) => Some(extra.with_all(&params)),
            None if params.is_empty() => None,
            None => Some(J::object(&params)),
        };
        let frame = message::request(&id, &method, params.clone());
        let pending = self.pending(now, Owner::Caller(waiter), method, manner, params.filter(|_| known != Key::Empty));
        self.enter(now, id, pending, effects);
        effects.push(Effect::Send(frame));
    }

    /// Tells whoever waits that there is no connection.
    fn refuse(&self, waiter: W, effects: &mut Vec<Effect<J, W>>) {
        let error = match self.phase {
            Phase::Closed => Error::new(Code::Closed, "the connection is closed"),
            _ => Error::new(Code::NotConnected, "not connected: await connect() first"),
        };
        effects.push(Effect::Settle { waiter, outcome: Err(error) });
    }

    /// The first of so many ids in a row that are the caller's to use.
    pub fn reserve(&mut self, count: u32) -> i64 {
        let first = self.next_id + 1;
        self.next_id += i64::from(count);
        first
    }

    /// Takes over a request that was sent under one of the reserved ids.
    pub(super) fn adopt(&mut self, id: i64, sent: f64, request: Request<J, W>, effects: &mut Vec<Effect<J, W>>) {
        let Phase::Ready(revision) = self.phase else { return self.refuse(request.waiter, effects) };
        let Request { method, mut params, waiter, manner, .. } = request;
        params.push((Key::Meta, self.meta.clone()));
        let params = (revision.era() == Era::Stateless).then(|| J::object(&params));
        let pending = self.pending(sent, Owner::Caller(waiter), method, manner, params);
        self.enter(sent, Id::Number(id), Pending { call: id, ..pending }, effects);
    }

    /// The `_meta` of a stateless request that wants no progress.
    pub fn meta(&self) -> &J {
        &self.meta
    }

    /// An answer that is fresh enough to be given again.
    fn kept(&mut self, method: Key, params: &[(Key, J)], extra: Option<&J>, manner: Manner, now: f64) -> Option<J> {
        if manner.anew || method == Key::ToolsCall || self.cache.is_empty() {
            return None;
        }
        let params = extra.map_or_else(|| J::object(params), |extra| extra.with_all(params));
        self.cache.get(method, Some(&params), now)
    }

    pub(super) fn pending(
        &self,
        now: f64,
        owner: Owner<W>,
        method: Word<J>,
        manner: Manner,
        params: Option<J>,
    ) -> Pending<J, W> {
        Pending { owner, method, manner, sent: now, deadline: 0.0, call: self.next_id, rounds: 0, params }
    }

    pub(super) fn request_meta(&self, revision: Revision, id: &Id, progress: bool, extra: Option<&J>) -> Option<J> {
        let token = progress.then(|| (Key::ProgressToken, id.to_json()));
        let own = match (revision.era(), token) {
            (Era::Stateless, None) => Some(self.meta.clone()),
            (Era::Stateless, Some(token)) => Some(self.meta.with_all(&[token])),
            (Era::Handshake, token) => token.map(|token| J::object(&[token])),
        };
        // What the caller put into `_meta` stays, under what the protocol puts there.
        match (extra.and_then(|extra| extra.get(Key::Meta)).filter(Json::is_object), own) {
            (Some(theirs), Some(own)) => Some(theirs.merged(&own)),
            (theirs, own) => own.or(theirs),
        }
    }
}
