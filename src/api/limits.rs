//! Limits as a script gives them: an object with those members that differ from the defaults.

use crate::core::limits::Limits;
use crate::json::Json;
use wasm_bindgen::prelude::*;

/// Reads them. What is no number stays as it is by default.
pub fn read(given: &JsValue) -> Limits {
    let mut limits = Limits::default();
    let counts: [(&str, &mut usize); 15] = [
        ("messageLength", &mut limits.message_length),
        ("depth", &mut limits.depth),
        ("values", &mut limits.values),
        ("metaDepth", &mut limits.meta_depth),
        ("metaValues", &mut limits.meta_values),
        ("metaLength", &mut limits.meta_length),
        ("callsInFlight", &mut limits.calls_in_flight),
        ("bytesInFlight", &mut limits.bytes_in_flight),
        ("messagesPerSecond", &mut limits.messages_per_second),
        ("subscriptions", &mut limits.subscriptions),
        ("inputRounds", &mut limits.input_rounds),
        ("parkedCalls", &mut limits.parked_calls),
        ("pageSize", &mut limits.page_size),
        ("listPages", &mut limits.list_pages),
        ("listEntries", &mut limits.list_entries),
    ];
    let number = |name: &str| given.member(name).and_then(|value| value.as_f64());
    for (name, limit) in counts {
        *limit = number(name).map_or(*limit, |value| value as usize);
    }
    limits.cached_answers = number("cachedAnswers").map_or(limits.cached_answers, |value| value as usize);
    limits.input_wait = number("inputWait").unwrap_or(limits.input_wait);
    limits.request_timeout = number("requestTimeout").unwrap_or(limits.request_timeout);
    limits.probe_timeout = number("probeTimeout").unwrap_or(limits.probe_timeout);
    limits.lenient_ids = given.member("lenientIds").and_then(|value| Json::as_bool(&value)).unwrap_or(false);
    limits
}
