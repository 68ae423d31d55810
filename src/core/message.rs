//! JSON-RPC 2.0 frames: what a message is, what an id is, and how answers are built.
//!
//! Only the envelope is read. Parameters and results pass through as they are.

use super::code::Code;
use super::error::Error;
use crate::json::{Json, Key, Kind, Sight, Word, put};
use std::rc::Rc;

/// The largest integer an id may be: beyond it a JavaScript number cannot echo it digit by digit.
const MAX_ID: f64 = 9_007_199_254_740_991.0;

/// A request id or a progress token: a string or an integer, never `null` (MCP, basic).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Id {
    /// An integer of at most 2^53 - 1 in either direction. `0` is an id like any other.
    Number(i64),
    /// A string, perhaps empty.
    String(Rc<str>),
}

impl Id {
    /// Reads the id that a member of this sort is; `None` for what cannot be one.
    pub fn at<J: Json>(object: &J, key: Key, kind: Kind) -> Option<Id> {
        match kind {
            Kind::Number => Id::whole(object.number_at(key)?),
            Kind::String => Some(Id::String(object.get(key)?.as_exact_string()?.into())),
            _ => None,
        }
    }

    /// The id that a number is, if it is a whole one in range.
    fn whole(number: f64) -> Option<Id> {
        // Comparing truncates no differently from `fract`, and brings no library of floating point.
        (number.abs() <= MAX_ID && number as i64 as f64 == number).then_some(Id::Number(number as i64))
    }

    /// The name this is, for tables whose ids are all names.
    pub fn name(&self) -> Option<&Rc<str>> {
        if let Id::String(name) = self { Some(name) } else { None }
    }

    /// The id as it goes back on the wire: same type, same value.
    pub fn to_json<J: Json>(&self) -> J {
        match self {
            Id::Number(number) => J::number(*number as f64),
            Id::String(text) => J::string(text),
        }
    }
}

impl From<&Rc<str>> for Id {
    fn from(name: &Rc<str>) -> Self {
        Id::String(name.clone())
    }
}

impl From<&str> for Id {
    fn from(name: &str) -> Self {
        Id::String(name.into())
    }
}

impl From<u32> for Id {
    fn from(number: u32) -> Self {
        Id::Number(number.into())
    }
}

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
                if super::revision::Metadata::read(meta).is_plain() { MetaFact::Plain } else { MetaFact::Other }
            }),
            name: kind(Key::Name),
            arguments: kind(Key::Arguments),
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

/// A well-formed message.
#[derive(Clone, Debug, PartialEq)]
pub enum Message<J> {
    /// Wants exactly one answer.
    Request {
        /// To be echoed in the answer.
        id: Id,
        /// The method's name.
        method: Word<J>,
        /// An object, or nothing.
        params: Option<J>,
    },
    /// Wants none.
    Notification {
        /// The method's name.
        method: Word<J>,
        /// An object, or nothing.
        params: Option<J>,
    },
    /// Answers a request.
    Response {
        /// The request's id.
        id: Id,
        /// The result, or the error member.
        outcome: Result<J, J>,
    },
}

/// Why a frame is not a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Malformed {
    /// Nothing to do with JSON-RPC; dropped without an answer.
    Foreign,
    /// A broken request, to be answered with this error, under this id where one could be read.
    Request(Option<Id>, Error),
    /// A broken answer, or an error that names no request; reported, not answered.
    Response(&'static str),
}

fn invalid(id: Option<Id>, message: &'static str) -> Malformed {
    Malformed::Request(id, Error::new(Code::InvalidRequest, message))
}

/// Reads the envelope of a frame (JSON-RPC 2.0, sections 4 and 5; MCP, basic).
///
/// A frame that neither says `jsonrpc` nor has a `method` or an `id` is somebody else's talk on the
/// same channel and is `Foreign`. Arrays are refused whole: batches left MCP with 2025-06-18, and
/// running a part of one would pass by checks made on single messages.
pub fn classify<J: Json>(Frame { value: frame, facts }: &Frame<J>) -> Result<Message<J>, Malformed> {
    match facts.own {
        Kind::Object => {}
        Kind::Array => return Err(invalid(None, "Invalid Request: batches are not supported")),
        _ => return Err(Malformed::Foreign),
    }
    let (has_id, has_method) = (facts.id.is_there(), facts.method.is_there());
    if !facts.has_version && !has_id && !has_method {
        return Err(Malformed::Foreign);
    }
    let id = match facts.id {
        Kind::Number => Id::whole(facts.number),
        kind => Id::at(frame, Key::Id, kind),
    };
    if !has_method {
        let outcome = match (facts.result.is_there(), facts.error.is_there()) {
            (true, false) => Some(Ok(frame.at(Key::Result))),
            (false, true) => Some(Err(frame.at(Key::Error))),
            _ => None,
        };
        let Some(outcome) = outcome else {
            return Err(invalid(id, "Invalid Request: neither a request nor a response"));
        };
        return match id {
            _ if !facts.right_version => Err(Malformed::Response("a response whose jsonrpc is not \"2.0\"")),
            Some(id) => Ok(Message::Response { id, outcome }),
            None if has_id => Err(Malformed::Response("a response whose id is neither a string nor an integer")),
            None => Err(Malformed::Response("a response without an id")),
        };
    }
    if !facts.right_version {
        return Err(invalid(id, "Invalid Request: jsonrpc must be \"2.0\""));
    }
    let method = match facts.word {
        Some(word) => Some(Word::Known(word)),
        None if facts.method == Kind::String => Some(Word::Other(frame.at(Key::Method))),
        None => None,
    };
    let Some(method) = method else { return Err(invalid(id, "Invalid Request: method must be a string")) };
    let params = (facts.params == Kind::Object).then(|| frame.at(Key::Params));
    match id {
        None if has_id => Err(invalid(None, "Invalid Request: id must be a string or an integer of at most 2^53 - 1")),
        None => Ok(Message::Notification { method, params }),
        // `params: null` is what some peers write for "none".
        Some(id) if facts.params.is_some() && facts.params != Kind::Object => {
            Err(invalid(Some(id), "Invalid Request: params must be an object"))
        }
        Some(id) => Ok(Message::Request { id, method, params }),
    }
}

/// A request.
pub fn request<J: Json>(id: &Id, method: &Word<J>, params: Option<J>) -> J {
    J::frame(Some(id), Some(method), params.map(|params| (Key::Params, params)))
}

/// A notification.
pub fn notification<J: Json>(method: &Word<J>, params: Option<J>) -> J {
    J::frame(None, Some(method), params.map(|params| (Key::Params, params)))
}

/// The answer to a request that went well.
pub fn result<J: Json>(id: &Id, result: J) -> J {
    J::frame(Some(id), None, Some((Key::Result, result)))
}

/// The answer to a request that did not. Without an id the member is left out: MCP forbids `null`.
pub fn failure<J: Json>(id: Option<&Id>, error: &Error) -> J {
    let mut body =
        vec![(Key::Code, J::number(f64::from(error.code.wire_number()))), (Key::Message, J::string(&error.message))];
    put(&mut body, Key::Data, error.data.as_ref().and_then(|data| J::string(data).parse_text()));
    J::frame(id, None, Some((Key::Error, J::object(&body))))
}

/// Reads the `error` member of an answer. What a peer left out is said to be missing, not guessed.
pub fn read_error<J: Json>(error: &J) -> Error {
    let code = match error.number_at(Key::Code) {
        Some(number) if f64::from(number as i32) == number => Code::from_number(number as i32),
        _ => Code::InvalidResponse,
    };
    let message = error.text(Key::Message).unwrap_or_else(|| "the peer gave no reason".to_owned());
    let data = error.get(Key::Data).and_then(|data| data.to_text().ok()?.as_string());
    Error { code, message: message.into(), data }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn classify(frame: &Value) -> Result<Message<Value>, Malformed> {
        super::classify(&Frame::look(frame.clone()))
    }

    fn code_of(frame: Value) -> Option<(Option<Id>, Code)> {
        match classify(&frame) {
            Err(Malformed::Request(id, error)) => Some((id, error.code)),
            _ => None,
        }
    }

    #[test]
    fn c46_ids_come_back_with_their_type_and_value() {
        for id in [
            json!(0),
            json!(-1),
            json!(""),
            json!("1"),
            json!(1),
            json!("0"),
            json!(4_294_967_296_i64),
            json!(9_007_199_254_740_991_i64),
        ] {
            let frame = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
            let Ok(Message::Request { id: read, .. }) = classify(&frame) else { panic!("{frame}") };
            assert_eq!(read.to_json::<Value>(), id);
        }
    }

    #[test]
    fn c46_whole_numbers_with_a_fraction_point_are_integers() {
        let frame: Value = serde_json::from_str(r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#).unwrap();
        assert!(matches!(classify(&frame), Ok(Message::Request { id: Id::Number(1), .. })));
    }

    #[test]
    fn c47_what_cannot_be_an_id_is_refused_and_not_taken_for_a_notification() {
        for id in [json!(null), json!(1.9), json!(true), json!({}), json!([1]), json!(9_007_199_254_740_992_i64)] {
            let frame = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call" });
            assert_eq!(code_of(frame), Some((None, Code::InvalidRequest)), "{id}");
        }
    }

    #[test]
    fn c49_batches_are_refused_whole() {
        assert_eq!(code_of(json!([])), Some((None, Code::InvalidRequest)));
        assert_eq!(
            code_of(json!([{ "jsonrpc": "2.0", "id": 1, "method": "ping" }])),
            Some((None, Code::InvalidRequest))
        );
    }

    #[test]
    fn foreign_frames_are_not_answered() {
        for frame in [json!(null), json!(42), json!("hello"), json!({}), json!({ "source": "react-devtools" })] {
            assert_eq!(classify(&frame), Err(Malformed::Foreign), "{frame}");
        }
    }

    #[test]
    fn half_messages_are_answered_under_their_id() {
        assert_eq!(code_of(json!({ "id": 1, "method": "ping" })), Some((Some(Id::Number(1)), Code::InvalidRequest)));
        assert_eq!(
            code_of(json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" })),
            Some((Some(Id::Number(1)), Code::InvalidRequest))
        );
        assert_eq!(
            code_of(json!({ "jsonrpc": "2.0", "id": "a", "method": 5 })),
            Some((Some(Id::String("a".into())), Code::InvalidRequest))
        );
        assert_eq!(
            code_of(json!({ "jsonrpc": "2.0", "id": 1, "method": "x", "params": [1] })),
            Some((Some(Id::Number(1)), Code::InvalidRequest))
        );
        assert_eq!(code_of(json!({ "jsonrpc": "2.0", "id": 1 })), Some((Some(Id::Number(1)), Code::InvalidRequest)));
    }

    #[test]
    fn broken_answers_are_reported_not_answered() {
        for frame in [
            json!({ "jsonrpc": "2.0", "error": { "code": -32700, "message": "Parse error" } }),
            json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "Parse error" } }),
            json!({ "id": 1, "result": {} }),
        ] {
            assert!(matches!(classify(&frame), Err(Malformed::Response(_))), "{frame}");
        }
    }

    #[test]
    fn c50_a_notification_needs_no_params() {
        let frame = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(classify(&frame), Ok(Message::Notification { method: Word::Known(Key::Initialized), params: None }));
    }

    #[test]
    fn an_error_reads_back_as_it_was_written() {
        let error = Error::new(Code::UnsupportedVersion, "no").with_data(r#"{"supported":["x"]}"#.to_owned());
        let frame: Value = failure(Some(&Id::Number(7)), &error);
        let Ok(Message::Response { id, outcome: Err(body) }) = classify(&frame) else { panic!("{frame}") };
        assert_eq!((id, read_error(&body)), (Id::Number(7), error));
        assert_eq!(read_error(&json!({})).code, Code::InvalidResponse);
        assert_eq!(read_error(&json!({ "code": -5, "message": "m" })).code, Code::Remote(-5));
    }
}
