//! What a server may ask of a client: by which methods, what the client must have declared, and what
//! an answer looks like (MCP, client).

use crate::json::{Json, Key, Kind};

/// The capability a client must have declared to be asked this; `None` for what cannot be asked.
pub fn capability(method: Key) -> Option<Key> {
    match method {
        Key::Elicit => Some(Key::Elicitation),
        Key::Sample => Some(Key::Sampling),
        Key::RootsList => Some(Key::Roots),
        _ => None,
    }
}

/// What a client would have to declare besides to be asked this, if anything.
pub fn lacking<J: Json>(declared: Option<J>, method: Key, params: &J) -> Option<J> {
    let capability = capability(method).unwrap_or(Key::Roots);
    let part = match method {
        Key::Elicit => (params.which(Key::Mode) == Some(Key::Url)).then_some(Key::Url),
        Key::Sample => params.kind_at(Key::Tools).is_some().then_some(Key::Tools),
        _ => None,
    };
    let declared = declared.and_then(|declared| declared.get(capability)).filter(Json::is_object);
    let is_enough = declared.is_some_and(|declared| match part {
        Some(part) => declared.kind_at(part) == Kind::Object,
        // `{}` means forms (MCP 2026-07-28, client/elicitation).
        None => {
            capability != Key::Elicitation
                || declared.kind_at(Key::Form).is_some()
                || !declared.kind_at(Key::Url).is_some()
        }
    });
    let empty = || J::object(&[]);
    (!is_enough).then(|| J::object(&[(capability, part.map_or_else(empty, |part| J::object(&[(part, empty())])))]))
}

/// Whether a value can be the answer to this.
pub fn is_answer<J: Json>(method: Key, value: &J) -> bool {
    match method {
        Key::Elicit => match value.text(Key::Action).as_deref() {
            Some("accept") => matches!(value.kind_at(Key::Content), Kind::Absent | Kind::Object),
            action => matches!(action, Some("decline" | "cancel")),
        },
        Key::Sample => matches!(value.kind_at(Key::Content), Kind::Object | Kind::Array),
        _ => value.kind_at(Key::Roots) == Kind::Array,
    }
}
