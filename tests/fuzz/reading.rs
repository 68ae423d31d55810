//! Frames read again, naively and from the specification: what the core's reading is held against.

use modelport::core::frame::{Facts, MetaFact, TypeFact};
use modelport::core::message::Id;
use modelport::json::{Key, Kind};
use serde_json::Value;

/// What a frame is.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    Foreign,
    /// A request, and its method.
    Request(Id, String),
    Notification(String),
    /// A response, and whether it is a result.
    Response(Id, bool),
    /// To be answered with an error, under this id where there is one.
    BadRequest(Option<Id>),
    BadResponse,
}

pub fn kind(value: Option<&Value>) -> Kind {
    match value {
        None => Kind::Absent,
        Some(Value::Null) => Kind::Null,
        Some(Value::Bool(_)) => Kind::Bool,
        Some(Value::Number(_)) => Kind::Number,
        Some(Value::String(_)) => Kind::String,
        Some(Value::Array(_)) => Kind::Array,
        Some(Value::Object(_)) => Kind::Object,
    }
}

/// The id a value is: a string, or an integer a JavaScript number can hold.
pub fn id(value: &Value) -> Option<Id> {
    const MOST: i64 = (1 << 53) - 1;
    match value {
        Value::String(text) => Some(Id::from(text.as_str())),
        Value::Number(number) => {
            let whole = match number.as_i64() {
                Some(whole) => Some(whole),
                None if number.is_u64() => None,
                // Beyond the range of i64 the cast gives an extreme, which is out of range as well.
                None => number.as_f64().filter(|number| number.fract() == 0.0).map(|number| number as i64),
            };
            whole.filter(|whole| (-MOST..=MOST).contains(whole)).map(Id::Number)
        }
        _ => None,
    }
}

pub fn read(frame: &Value) -> Reading {
    let members = match frame {
        Value::Object(members) => members,
        Value::Array(_) => return Reading::BadRequest(None),
        _ => return Reading::Foreign,
    };
    let is_ours = ["jsonrpc", "id", "method"].iter().any(|name| members.contains_key(*name));
    if !is_ours {
        return Reading::Foreign;
    }
    let has_id = members.contains_key("id");
    let own_id = members.get("id").and_then(id);
    let is_right = members.get("jsonrpc").and_then(Value::as_str) == Some("2.0");
    let Some(method) = members.get("method") else {
        let is_result = members.contains_key("result");
        return match own_id {
            own_id if is_result == members.contains_key("error") => Reading::BadRequest(own_id),
            Some(id) if is_right => Reading::Response(id, is_result),
            _ => Reading::BadResponse,
        };
    };
    let fits = matches!(members.get("params"), None | Some(Value::Null | Value::Object(_)));
    match (method.as_str(), own_id) {
        (Some(method), Some(id)) if is_right && fits => Reading::Request(id, method.to_owned()),
        // Parameters a notification cannot have are as good as none: nobody could be told.
        (Some(method), None) if is_right && !has_id => Reading::Notification(method.to_owned()),
        (_, own_id) => Reading::BadRequest(own_id),
    }
}

/// How deep a value nests, how many values it is, and how long its names and strings are.
fn weight(value: &Value) -> [usize; 3] {
    let (inner, names): (Vec<&Value>, usize) = match value {
        Value::Array(items) => (items.iter().collect(), 0),
        Value::Object(members) => (members.values().collect(), members.keys().map(|name| units(name)).sum()),
        Value::String(text) => return [0, 1, units(text)],
        _ => return [0, 1, 0],
    };
    inner.into_iter().map(weight).fold([1, 1, names], |[depth, values, length], [inner, more, longer]| {
        [depth.max(inner + 1), values + more, length + longer]
    })
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn is_plain(meta: &Value) -> bool {
    let [depth, values, length] = weight(meta);
    if depth > 8 || values > 256 || length > 16_384 {
        return false;
    }
    let client = &meta["io.modelcontextprotocol/clientInfo"];
    let names_client = client["name"].is_string() && client["version"].is_string();
    meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        && meta["io.modelcontextprotocol/clientCapabilities"].is_object()
        && (names_client || meta.get("io.modelcontextprotocol/clientInfo").is_none())
        && meta.get("io.modelcontextprotocol/logLevel").is_none()
        && meta["progressToken"].is_null()
}

fn weight_of(value: &Value) -> usize {
    let units = |text: &str| text.encode_utf16().count();
    8 + match value {
        Value::String(text) => units(text),
        Value::Array(items) => items.iter().map(weight_of).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| units(name) + weight_of(member)).sum(),
        _ => 0,
    }
}

/// What [`Facts::of`] has to find out.
pub fn facts(frame: &Value) -> Facts {
    let method = frame.get("method").and_then(Value::as_str);
    let params = &frame["params"];
    let in_params = |name| if params.is_object() { kind(params.get(name)) } else { Kind::Absent };
    Facts {
        own: kind(Some(frame)),
        right_version: frame["jsonrpc"] == "2.0",
        has_version: frame.get("jsonrpc").is_some(),
        id: kind(frame.get("id")),
        number: frame["id"].as_f64().unwrap_or(f64::NAN),
        method: kind(frame.get("method")),
        word: method.and_then(|method| Key::ALL.iter().copied().find(|key| key.name() == method)),
        params: kind(frame.get("params")),
        result: kind(frame.get("result")),
        error: kind(frame.get("error")),
        meta: match params.get("_meta") {
            None => MetaFact::None,
            Some(meta) if is_plain(meta) => MetaFact::Plain,
            Some(_) => MetaFact::Other,
        },
        name: in_params("name"),
        arguments: in_params("arguments"),
        state: in_params("requestState"),
        // No random frame comes near the limits.
        is_usual: true,
        size: frame
            .get("result")
            .filter(|result| result.is_object())
            .or(Some(params))
            .filter(|body| body.is_object())
            .map_or(0, weight_of),
        result_type: match &frame["result"]["resultType"] {
            Value::Null => TypeFact::None,
            Value::String(word) if word == "complete" => TypeFact::Complete,
            _ => TypeFact::Other,
        },
    }
}

/// A frame of ours is one JSON-RPC knows: a request, a notification or an answer, and nothing besides.
pub fn check_sent(frame: &Value) {
    assert_eq!(frame["jsonrpc"], "2.0", "{frame}");
    let has = |name: &str| frame.get(name).is_some();
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    assert!(frame.as_object().expect("an object").keys().all(|name| known.contains(&name.as_str())), "{frame}");
    assert_eq!(1, [has("method"), has("result"), has("error")].iter().filter(|there| **there).count(), "{frame}");
    assert!(has("method") || !has("params"), "{frame}");
    assert!(frame.get("params").is_none_or(Value::is_object), "{frame}");
    assert!(frame.get("method").is_none_or(Value::is_string), "{frame}");
    assert!(frame.get("id").is_none_or(|value| id(value).is_some()), "{frame}");
    if has("result") {
        assert!(has("id") && frame["result"].is_object(), "{frame}");
    }
    if has("error") {
        assert!(frame["error"]["code"].is_i64() && frame["error"]["message"].is_string(), "{frame}");
    }
}
