//! Opening a conversation: probe for the stateless era, fall back to the handshake.
//!
//! Only a usable yes to `server/discover` counts as a yes. No single error code means "older
//! server", so any other answer, or none in time, leads to `initialize` on the same carrier.

use super::{Client, Effect, Manner, Opening, Owner, Peer};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{self, Id};
use crate::core::revision::{Era, Revision};
use crate::json::{Json, Key, Word};

/// Where a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    Probing,
    Handshaking,
    Ready(Revision),
    Closed,
}

impl<J: Json, W> Client<J, W> {
    pub(super) fn connect(&mut self, now: f64, is_old: bool, effects: &mut Vec<Effect<J, W>>) {
        match (self.phase, self.opening) {
            (Phase::Idle, Opening::Auto) if is_old => self.shake(now, Revision::NEWEST_HANDSHAKE, effects),
            (Phase::Idle, Opening::Auto) => self.probe(now, effects),
            (Phase::Idle, Opening::Pinned(revision)) => match revision.era() {
                Era::Stateless => self.probe(now, effects),
                Era::Handshake => self.shake(now, revision, effects),
            },
            (Phase::Closed, _) => self.fail(Error::new(Code::Closed, "the connection is closed"), effects),
            _ => self.fail(Error::new(Code::InvalidArgument, "connect() was called already"), effects),
        }
    }

    fn probe(&mut self, now: f64, effects: &mut Vec<Effect<J, W>>) {
        self.phase = Phase::Probing;
        // A string, so that a server that mixes up numbers cannot mistake it for a call.
        let id = Id::String("discover".into());
        let frame =
            message::request(&id, &Word::Known(Key::Discover), Some(J::object(&[(Key::Meta, self.meta.clone())])));
        let timeout = match self.opening {
            Opening::Auto => self.limits.probe_timeout,
            Opening::Pinned(_) => self.limits.request_timeout,
        };
        let manner = Manner { timeout: Some(timeout), ..Manner::default() };
        let pending = self.pending(now, Owner::Probe, Word::Known(Key::Discover), manner, None);
        self.enter(now, id, pending, effects);
        effects.push(Effect::Send(frame));
    }

    fn shake(&mut self, now: f64, revision: Revision, effects: &mut Vec<Effect<J, W>>) {
        self.phase = Phase::Handshaking;
        let id = self.next_id();
        let params = J::object(&[
            (Key::ProtocolVersion, J::string(revision.name())),
            (Key::Capabilities, self.capabilities.clone()),
            (Key::ClientInfo, self.identity.to_json()),
        ]);
        let frame = message::request(&id, &Word::Known(Key::Initialize), Some(params));
        let pending = self.pending(now, Owner::Handshake, Word::Known(Key::Initialize), Manner::default(), None);
        self.enter(now, id, pending, effects);
        effects.push(Effect::Send(frame));
    }

    /// The probe ended. What a server says it supports counts, not that it answered.
    pub(super) fn probed(&mut self, now: f64, outcome: Result<J, Error>, effects: &mut Vec<Effect<J, W>>) {
        let outcome = outcome.and_then(|answer| {
            let versions = answer.get(Key::SupportedVersions).and_then(|versions| versions.items()).unwrap_or_default();
            let newest = versions.iter().filter_map(|version| Revision::parse(&version.as_string()?));
            match newest.filter(|revision| revision.era() == Era::Stateless).max() {
                Some(revision) => Ok(Peer { revision, answer }),
                None => {
                    Err(Error::new(Code::UnsupportedVersion, "the server supports no stateless revision known here"))
                }
            }
        });
        match outcome {
            Ok(peer) => self.ready(peer, effects),
            Err(error) if !self.probed_again && names_ours::<J>(&error) => {
                self.probed_again = true;
                self.probe(now, effects);
            }
            Err(_) if self.opening == Opening::Auto => self.shake(now, Revision::NEWEST_HANDSHAKE, effects),
            Err(error) => self.fail(error, effects),
        }
    }

    /// The handshake ended.
    pub(super) fn shaken(&mut self, outcome: Result<J, Error>, effects: &mut Vec<Effect<J, W>>) {
        let outcome = outcome.and_then(|answer| {
            let version = answer.text(Key::ProtocolVersion).unwrap_or_default();
            let known = Revision::parse(&version).filter(|revision| match self.opening {
                Opening::Auto => revision.era() == Era::Handshake,
                Opening::Pinned(pinned) => *revision == pinned,
            });
            match known {
                Some(revision) => Ok(Peer { revision, answer }),
                None => Err(Error::new(
                    Code::UnsupportedVersion,
                    ["the server chose protocol version \"", &version, "\""].concat(),
                )),
            }
        });
        match outcome {
            Ok(peer) => {
                self.notify(Key::Initialized, None, effects);
                self.ready(peer, effects);
            }
            Err(error) => self.fail(error, effects),
        }
    }

    fn ready(&mut self, peer: Peer<J>, effects: &mut Vec<Effect<J, W>>) {
        self.phase = Phase::Ready(peer.revision);
        effects.push(Effect::Connected(Ok(peer)));
    }

    /// A failed connection may be tried again; a closed one may not. As long as what opens it is in the
    /// table it has not failed: `connect` was called again, and what is under way goes on.
    fn fail(&mut self, error: Error, effects: &mut Vec<Effect<J, W>>) {
        if matches!(self.phase, Phase::Probing | Phase::Handshaking) && self.pending.is_empty() {
            self.phase = Phase::Idle;
        }
        effects.push(Effect::Connected(Err(error)));
    }
}

/// Whether a refusal names a stateless revision that is spoken here after all (MCP 2026-07-28, basic/versioning).
fn names_ours<J: Json>(error: &Error) -> bool {
    let data = error.data.as_deref().filter(|_| error.code == Code::UnsupportedVersion);
    let data = data.and_then(|data| J::string(data).parse_text());
    let supported = data.and_then(|data| data.get(Key::Supported)).and_then(|versions| versions.items());
    supported.unwrap_or_default().iter().any(|version| version.is(Key::Stateless))
}
