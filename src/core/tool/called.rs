//! What came of a call, for a caller in Rust.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::json::{Json, Key};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What came of a call of a tool (MCP, server/tools: `CallToolResult`).
///
/// ```
/// use modelport::{CallToolResult, Code};
/// use serde_json::json;
///
/// let result = CallToolResult::from(json!({
///     "content": [{ "type": "text", "text": "{\"sum\":5}" }],
///     "structuredContent": { "sum": 5 },
/// }));
/// assert_eq!(result.text(), "{\"sum\":5}");
/// #[derive(serde::Deserialize)]
/// struct Sum { sum: u32 }
/// assert_eq!(result.value::<Sum>()?.sum, 5);
///
/// let failed = CallToolResult::from(json!({ "content": [{ "type": "text", "text": "closed" }], "isError": true }));
/// let error = failed.value::<Sum>().err().ok_or("it failed")?;
/// assert_eq!((error.code, &*error.message), (Code::ToolError, "closed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CallToolResult(Value);

impl CallToolResult {
    /// Reads a result, whoever owns it. The error, [`Code::InvalidResponse`], is that it is not JSON.
    pub fn read<J: Json>(result: &J) -> Result<Self, Error> {
        result.to_value().map(CallToolResult).map_err(|reason| Error::new(Code::InvalidResponse, reason))
    }

    /// Whether the tool failed. The text says why.
    pub fn is_error(&self) -> bool {
        self.0.get("isError").and_then(Value::as_bool).unwrap_or(false)
    }

    /// Its texts, a line break between each.
    pub fn text(&self) -> String {
        let blocks = self.0.get("content").and_then(Json::items).unwrap_or_default();
        let texts: Vec<String> = blocks.iter().filter_map(|block| block.text(Key::Text)).collect();
        texts.join("\n")
    }

    /// What the tool returned: its structured content, else its text read as JSON, else the text. The error is
    /// [`Code::ToolError`] with the text where the tool failed, and [`Code::InvalidResponse`] where what it
    /// returned is no `T`.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let text = self.text();
        if self.is_error() {
            return Err(Error::new(Code::ToolError, text));
        }
        let value = match self.0.get("structuredContent") {
            Some(value) => value.clone(),
            None => serde_json::from_str(&text).unwrap_or_else(|_| text.into()),
        };
        serde_json::from_value(value).map_err(|error| Error::new(Code::InvalidResponse, error.to_string()))
    }

    /// The whole of it, as it arrived.
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// The whole of it, as it arrived.
    pub fn into_json(self) -> Value {
        self.0
    }
}

impl From<Value> for CallToolResult {
    fn from(result: Value) -> Self {
        CallToolResult(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_structured_content_or_the_text_as_json_or_the_text() {
        let result = |value: Value| CallToolResult::from(value);
        let text = |text: &str| json!([{ "type": "text", "text": text }]);
        assert_eq!(result(json!({ "content": text("5"), "structuredContent": 6 })).value::<u32>().unwrap(), 6);
        assert_eq!(result(json!({ "content": text("5") })).value::<u32>().unwrap(), 5);
        assert_eq!(result(json!({ "content": text("five") })).value::<String>().unwrap(), "five");
        let unfit = result(json!({ "content": text("five") })).value::<u32>().unwrap_err();
        assert_eq!(unfit.code, Code::InvalidResponse);
        assert_eq!(result(json!({})).text(), "");
    }
}
