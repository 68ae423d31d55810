//! What travels between two sides of the browser's registry, which turns every result into a string
//! and every failure into one fixed sentence: an MCP result, written out as JSON text by us.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::tool::result;
use crate::json::{Json, Key, Kind};

/// The text a published tool resolves with for what its handler returned.
///
/// The value always survives, be it in the text or, as an object or array, in the structure.
pub fn enclose<J: Json>(value: &J, has_output_schema: bool) -> J {
    write(&result::from_value(value, has_output_schema || value.kind() == Kind::Array))
}

/// The text a published tool resolves with when its handler failed.
pub fn enclose_failure<J: Json>(message: &str) -> J {
    write(&result::from_failure(message))
}

/// The MCP result in what a tool of the registry answered, if there is one.
///
/// Anything else is the answer itself, to be kept as it came: `null` or a string of any kind.
pub fn open<J: Json>(answer: &J) -> Option<J> {
    answer.parse_text().filter(result::is_result)
}

/// What an MCP result means to a caller: the value, `None` for nothing, or the tool's own failure.
///
/// A result with blocks that are not text and without a structure has no simpler form than itself.
pub fn unfold<J: Json>(result: &J) -> Result<Option<J>, Error> {
    let blocks = result.get(Key::Content).and_then(|content| content.items()).unwrap_or_default();
    let (mut texts, mut lines) = (0, String::new());
    for text in blocks.iter().filter_map(text_of) {
        if texts > 0 {
            lines.push('\n');
        }
        texts += 1;
        lines.push_str(&text.as_string().unwrap_or_default());
    }
    if result.get(Key::IsError).and_then(|flag| flag.as_bool()) == Some(true) {
        return Err(Error::new(Code::ToolError, if lines.is_empty() { "The tool failed.".to_owned() } else { lines }));
    }
    if let Some(value) = result.get(Key::StructuredContent) {
        return Ok(Some(value));
    }
    Ok(match texts {
        _ if texts < blocks.len() => Some(result.clone()),
        0 => None,
        // One text is handed on as it is, in characters that no copy keeps.
        1 => blocks.first().and_then(text_of),
        _ => Some(J::string(&lines)),
    })
}

fn text_of<J: Json>(block: &J) -> Option<J> {
    block.get(Key::Text).filter(|_| block.text(Key::Type).as_deref() == Some("text"))
}

/// A result a handler built by hand may hold what JSON cannot carry.
fn write<J: Json>(result: &J) -> J {
    result
        .to_text()
        .or_else(|reason| result::from_uncarriable::<J>(&reason).to_text())
        .unwrap_or_else(|_| J::string(r#"{"content":[],"isError":true}"#))
}

#[cfg(test)]
mod tests {
    use super::super::odd::Odd;
    use super::*;
    use serde_json::{Value, json};

    fn enclosed(value: impl Into<Odd>) -> Value {
        serde_json::from_str(&enclose(&value.into(), false).as_string().unwrap()).unwrap()
    }

    fn text(value: impl Into<Odd>) -> Value {
        enclosed(value)["content"][0]["text"].clone()
    }

    /// What a caller on the other side of the registry gets.
    fn through(value: impl Into<Odd>) -> Result<Option<Odd>, Error> {
        unfold(&open(&enclose(&value.into(), false)).unwrap())
    }

    #[test]
    fn c22_an_mcp_shaped_result_passes_as_it_is() {
        for result in [
            json!({ "content": [{ "type": "text", "text": "ok" }], "isError": true }),
            json!({ "content": [{ "type": "image", "data": "AA==", "mimeType": "image/png" }] }),
            json!({ "content": [] }),
        ] {
            assert_eq!(enclosed(result.clone()), result);
        }
    }

    #[test]
    fn c29_nothing_a_handler_returns_loses_the_call() {
        assert_eq!(enclosed(Odd::Undefined), json!({ "content": [] }));
        assert_eq!(text(json!(null)), "null");
        assert_eq!(text(Odd::Number(f64::NAN)), "NaN");
        assert_eq!(text(Odd::Number(f64::NEG_INFINITY)), "-Infinity");
        assert_eq!(
            enclosed(Odd::Number(f64::INFINITY)),
            json!({ "content": [{ "type": "text", "text": "Infinity" }] })
        );
        assert_eq!(text(Odd::ToJson(json!("1970-01-01T00:00:00.000Z"))), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            enclosed(Odd::Object(vec![("f".to_owned(), Odd::Foreign("a function"))]))["structuredContent"],
            json!({})
        );
    }

    #[test]
    fn c29_what_json_cannot_carry_is_a_failure_that_says_so() {
        let inside = Odd::Object(vec![("n".to_owned(), Odd::Foreign("a BigInt"))]);
        for (value, word) in [
            (Odd::Foreign("a function"), "no form"),
            (Odd::Foreign("a symbol"), "no form"),
            (Odd::Foreign("a BigInt"), "BigInt"),
            (inside, "BigInt"),
            (Odd::Cycle, "contains itself"),
        ] {
            let result = enclosed(value);
            assert_eq!(result["isError"], true);
            assert!(result["content"][0]["text"].as_str().unwrap().contains(word), "{result}");
        }
    }

    #[test]
    fn a_result_built_by_hand_around_a_cycle_is_a_failure_too() {
        let result = Odd::object(&[(Key::Content, Odd::array(vec![])), (Key::StructuredContent, Odd::Cycle)]);
        assert_eq!(enclosed(result)["isError"], true);
    }

    #[test]
    fn c23_the_text_of_a_failure_arrives() {
        let answer: Value = enclose_failure("no page /x");
        let error = unfold(&open(&answer).unwrap()).unwrap_err();
        assert_eq!((error.code, error.message.as_ref()), (Code::ToolError, "no page /x"));
        let wordless = json!({ "content": [], "isError": true });
        assert!(!unfold(&wordless).unwrap_err().message.is_empty());
    }

    #[test]
    fn values_arrive_on_the_other_side() {
        assert_eq!(through(json!({ "a": [1, null] })), Ok(Some(json!({ "a": [1, null] }).into())));
        assert_eq!(through(json!([1, "a"])), Ok(Some(json!([1, "a"]).into())));
        assert_eq!(through(json!("")), Ok(Some(json!("").into())));
        assert_eq!(through(json!("hello")), Ok(Some(json!("hello").into())));
        assert_eq!(through(Odd::Undefined), Ok(None));
        // Without an output schema a number is its text, as the browser itself would have it.
        assert_eq!(through(json!(42)), Ok(Some(json!("42").into())));
        let answer = enclose(&Odd::from(json!(42)), true);
        assert_eq!(unfold(&open(&answer).unwrap()), Ok(Some(json!(42).into())));
    }

    #[test]
    fn b6_what_is_no_envelope_is_kept_as_it_came() {
        for answer in
            [json!("hello"), json!(""), json!("42"), json!("{\"a\":1}"), json!("{\"content\":\"x\"}"), json!(null)]
        {
            assert_eq!(open(&answer), None);
        }
    }

    #[test]
    fn several_texts_are_lines_and_other_blocks_stay_a_result() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        assert_eq!(unfold(&json!({ "content": [text("a"), text("b")] })), Ok(Some(json!("a\nb"))));
        let image = json!({ "content": [text("a"), { "type": "image", "data": "AA==" }] });
        assert_eq!(unfold(&image), Ok(Some(image)));
        let mixed = json!({ "content": [{ "type": "image" }, text("why")], "isError": true });
        assert_eq!(unfold(&mixed).unwrap_err().message, "why");
    }
}
