//! What a handler's outcome becomes: an MCP `CallToolResult`.
//!
//! Every outcome has one, so that a call is answered whatever a handler returns.

use crate::json::{Json, Key, Kind};

/// What a tool is told that asks, or would, where there is nobody to answer.
pub const NOBODY: &str = "Whoever called this tool cannot be asked.";

/// The result for a value a handler returned.
///
/// A value that is a result already passes as it is. Any other becomes text; an object also becomes
/// `structuredContent`, and so does any other JSON where the tool has an output schema. A value that
/// JSON cannot carry becomes a failure that says why, and so does an answer of another type: only a peer
/// can do something with one.
pub fn from_value<J: Json>(value: &J, has_output_schema: bool) -> J {
    match value.kind() {
        Kind::Object if is_result(value) => value.clone(),
        Kind::Object if is_interim(value) => from_failure(NOBODY),
        kind => from_data(value, kind, has_output_schema),
    }
}

/// The result for a value of this kind that is no result itself.
pub fn from_data<J: Json>(value: &J, kind: Kind, has_output_schema: bool) -> J {
    describe(value, kind, has_output_schema).unwrap_or_else(|reason| from_uncarriable(&reason))
}

/// The result for a handler that failed, with what it said.
pub fn from_failure<J: Json>(message: &str) -> J {
    let message = if message.is_empty() { "The tool failed and gave no reason." } else { message };
    J::text_result(J::string(message)).with(Key::IsError, J::bool(true))
}

/// The failure of a tool that did its work and returned what JSON cannot carry.
pub fn from_uncarriable<J: Json>(reason: &str) -> J {
    from_failure(&["The tool ran, but its result cannot be carried: ", reason].concat())
}

/// Whether a value is an MCP result: `content` is an array of nothing but content blocks.
pub fn is_result<J: Json>(value: &J) -> bool {
    value.is_object()
        && value.get(Key::Content).and_then(|content| content.items()).is_some_and(|items| items.iter().all(is_block))
}

/// Whether a value is an answer of another type than a tool's result: the wish for input (MCP 2026-07-28,
/// basic/patterns/mrtr), or a task that has begun (MCP extension tasks, SEP-2663).
pub fn is_interim<J: Json>(value: &J) -> bool {
    match value.which(Key::ResultType) {
        Some(Key::InputRequired) => {
            value.kind_at(Key::InputRequests) == Kind::Object || value.kind_at(Key::RequestState) == Kind::String
        }
        Some(Key::Task) => value.kind_at(Key::TaskId) == Kind::String,
        _ => false,
    }
}

fn is_block<J: Json>(item: &J) -> bool {
    let kind = if item.is_object() { item.text(Key::Type) } else { None };
    match kind.as_deref() {
        // Peers refuse a whole result for one text that is no string.
        Some("text") => item.get(Key::Text).is_some_and(|text| text.kind() == Kind::String),
        Some("image" | "audio" | "resource" | "resource_link") => true,
        _ => false,
    }
}

fn describe<J: Json>(value: &J, kind: Kind, has_output_schema: bool) -> Result<J, String> {
    match kind {
        Kind::Absent => Ok(J::object(&[(Key::Content, J::array(vec![]))])),
        Kind::String => Ok(scalar(value.clone(), value, has_output_schema)),
        Kind::Number => match value.as_f64() {
            Some(number) if !number.is_finite() => Ok(J::text_result(J::string(name_of(number)))),
            _ => Ok(scalar(value.to_text()?, value, has_output_schema)),
        },
        Kind::Null | Kind::Bool => Ok(scalar(value.to_text()?, value, has_output_schema)),
        Kind::Object | Kind::Array => composite(value, has_output_schema),
        Kind::Foreign => match value.to_text() {
            Err(reason) => Err(reason),
            Ok(_) => Err("JSON has no form for it.".to_owned()),
        },
    }
}

/// The copy is what JSON makes of the value, so that the text and the structure never disagree.
fn composite<J: Json>(value: &J, has_output_schema: bool) -> Result<J, String> {
    let text = value.to_text()?;
    let copy = text.parse_text().ok_or("its toJSON() gives nothing.")?;
    match copy.kind() {
        Kind::Object => Ok(J::text_result(text).with(Key::StructuredContent, copy)),
        // A date, for one: JSON writes it as a string.
        Kind::String => Ok(scalar(copy.clone(), &copy, has_output_schema)),
        _ => Ok(scalar(text, &copy, has_output_schema)),
    }
}

fn scalar<J: Json>(text: J, value: &J, has_output_schema: bool) -> J {
    let result = J::text_result(text);
    // Without a schema peers of the older revisions expect an object here or nothing.
    if has_output_schema { result.with(Key::StructuredContent, value.clone()) } else { result }
}

fn name_of(number: f64) -> &'static str {
    match number {
        _ if number.is_nan() => "NaN",
        _ if number > 0.0 => "Infinity",
        _ => "-Infinity",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn c22_mcp_shaped_results_pass_and_others_are_data() {
        for result in [
            json!({ "content": [{ "type": "text", "text": "ok" }], "isError": true }),
            json!({ "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] }),
            json!({ "content": [], "_meta": { "x.example/k": 1 } }),
        ] {
            assert!(is_result(&result));
            assert_eq!(from_value(&result, false), result);
        }
        for data in [
            json!({ "content": "hello" }),
            json!({ "content": [{ "kind": "x" }] }),
            json!({ "content": [{ "type": "text" }] }),
            json!({ "content": ["hello"] }),
            json!({ "content": [{ "type": "video" }] }),
        ] {
            assert!(!is_result(&data));
            let result = from_value(&data, false);
            assert_eq!(result["structuredContent"], data);
            assert_eq!(result["content"][0]["text"], json!(data.to_string()));
        }
    }

    #[test]
    fn answers_of_another_type_are_known_by_what_they_must_have() {
        for interim in [
            json!({ "resultType": "input_required", "inputRequests": {} }),
            json!({ "resultType": "input_required", "requestState": "" }),
            json!({ "resultType": "task", "taskId": "1", "status": "working" }),
        ] {
            assert!(is_interim(&interim) && !is_result(&interim));
            assert_eq!(from_value(&interim, true), from_failure::<Value>(NOBODY));
        }
        for data in [
            json!({ "resultType": "input_required" }),
            json!({ "resultType": "task", "name": "laundry" }),
            json!({ "resultType": "complete", "taskId": "1" }),
            json!({ "inputRequests": {}, "taskId": "1" }),
            json!("input_required"),
        ] {
            assert!(!is_interim(&data));
            assert_ne!(from_value(&data, true)["isError"], json!(true));
        }
    }

    #[test]
    fn a_string_is_its_own_text() {
        assert_eq!(from_value(&json!("hi"), false), json!({ "content": [{ "type": "text", "text": "hi" }] }));
        assert_eq!(from_value(&json!("hi"), true)["structuredContent"], json!("hi"));
        assert_eq!(from_value(&json!(""), false)["content"][0]["text"], json!(""));
    }

    #[test]
    fn plain_values_are_structured_only_where_a_schema_promises_it() {
        for value in [json!(null), json!(true), json!(42), json!([1, "a", null])] {
            assert_eq!(
                from_value(&value, false),
                json!({ "content": [{ "type": "text", "text": value.to_string() }] })
            );
            assert_eq!(from_value(&value, true)["structuredContent"], value);
        }
        assert_eq!(from_value(&json!({ "a": 1 }), false)["structuredContent"], json!({ "a": 1 }));
    }

    #[test]
    fn a_failure_is_a_result_with_the_text() {
        assert_eq!(
            from_failure::<Value>("no page /x"),
            json!({ "content": [{ "type": "text", "text": "no page /x" }], "isError": true }),
        );
        assert_ne!(from_failure::<Value>("")["content"][0]["text"], json!(""));
    }
}
