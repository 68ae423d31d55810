//! A frame and the facts one look at it finds out. Which rules they are for is said in [`message`](super::message).

use super::limits::Limits;
use super::revision::Metadata;
use crate::json::{Json, Key, Kind, Sight};

/// What a request says of its `_meta`, at one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetaFact {
    /// There is none.
    None,
    /// It names the stateless revision spoken here, as every request of that era does, and asks for
    /// nothing beyond: all that [`check_metadata`](super::revision::check_metadata) checks is in order.
    Plain,
    /// Anything else, to be looked at by itself.
    Other,
}

/// What a result says of its type, at one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeFact {
    /// Nothing, as in the handshake era.
    None,
    /// It is complete.
    Complete,
    /// Anything else.
    Other,
}

/// What one look at a frame finds out. The rules are made of it, so that the usual frame is read in one go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    /// The sort of the frame itself.
    pub own: Kind,
    /// Whether `jsonrpc` is "2.0".
    pub right_version: bool,
    /// Whether there is a `jsonrpc` of any kind.
    pub has_version: bool,
    /// The sort of `id`.
    pub id: Kind,
    /// The value of an `id` that is a number.
    pub number: f64,
    /// The sort of `method`.
    pub method: Kind,
    /// The `method`, if it is a word of the protocol.
    pub word: Option<Key>,
    /// The sort of `params`.
    pub params: Kind,
    /// The sort of `result`.
    pub result: Kind,
    /// The sort of `error`.
    pub error: Kind,
    /// About `params._meta`.
    pub meta: MetaFact,
    /// The sort of `params.name`.
    pub name: Kind,
    /// The sort of `params.arguments`.
    pub arguments: Kind,
    /// The sort of `params.requestState`.
    pub state: Kind,
    /// Whether `params`, or the `result`, are within the usual limits.
    pub is_usual: bool,
    /// What `params`, or the `result`, weigh: characters of names and strings, and eight for each value.
    pub size: usize,
    /// About `result.resultType`.
    pub result_type: TypeFact,
}

impl Facts {
    /// Looks at a frame.
    pub fn of<J: Json>(frame: &J) -> Self {
        let Sight { own, members: [id, method, params, result, error] } =
            frame.sight([Key::Id, Key::Method, Key::Params, Key::Result, Key::Error]);
        let inner = |key: Key| frame.get(key).filter(Json::is_object);
        let (inside, outcome) = (inner(Key::Params), inner(Key::Result));
        let usual = Limits::default();
        let is_usual = outcome.as_ref().or(inside.as_ref()).is_none_or(|body| usual.hold(body));
        let kind = |key: Key| inside.as_ref().map_or(Kind::Absent, |params| params.kind_at(key));
        let meta = inside.as_ref().and_then(|params| params.get(Key::Meta));
        Facts {
            own,
            right_version: frame.which(Key::JsonRpc) == Some(Key::Two),
            has_version: frame.kind_at(Key::JsonRpc).is_there(),
            id,
            number: frame.number_at(Key::Id).unwrap_or(f64::NAN),
            method,
            word: frame.which(Key::Method),
            params,
            result,
            error,
            meta: meta.map_or(MetaFact::None, |meta| {
                if Metadata::read(meta).is_plain() { MetaFact::Plain } else { MetaFact::Other }
            }),
            name: kind(Key::Name),
            arguments: kind(Key::Arguments),
            state: kind(Key::RequestState),
            is_usual,
            size: outcome.as_ref().or(inside.as_ref()).map_or(0, Json::weight),
            result_type: match outcome {
                Some(result) if result.kind_at(Key::ResultType).is_some() => match result.which(Key::ResultType) {
                    Some(Key::Complete) => TypeFact::Complete,
                    _ => TypeFact::Other,
                },
                _ => TypeFact::None,
            },
        }
    }
}

/// A frame and what one look at it found out.
pub struct Frame<J> {
    /// The frame.
    pub value: J,
    /// What was found out.
    pub facts: Facts,
}

impl<J: Json> Frame<J> {
    /// Looks at a frame.
    pub fn look(value: J) -> Self {
        let facts = Facts::of(&value);
        Frame { value, facts }
    }
}
