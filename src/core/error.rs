//! The one error type. Which failure it is says its [`Code`]; the message is for people.

use super::code::Code;
use crate::json::{Json, Key};
use std::borrow::Cow;
use std::fmt;

/// A failure of the protocol, a carrier or a caller.
///
/// It is a `std::error::Error`, and in a page a `JsValue` can be made of it, so `?` works in functions that
/// return either. In a page one is made of a thrown `JsValue`, too: with the code that it names, or else
/// [`Code::InternalError`] and what it says.
///
/// ```
/// use modelport::{Code, Error};
/// let error = Error::new(Code::InvalidParams, "there is no seat Z9");
/// assert_eq!(error.code.word(), "invalid-params");
/// assert_eq!(error.to_string(), "there is no seat Z9");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// What kind of failure; the part to branch on.
    pub code: Code,
    /// A sentence for people.
    pub message: Cow<'static, str>,
    /// What the protocol adds for programs, such as the supported versions, as JSON text.
    pub data: Option<String>,
}

impl Error {
    /// An error without data.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Error { code, message: message.into(), data: None }
    }

    /// The same error with data for programs, as JSON text.
    pub fn with_data(mut self, data: String) -> Self {
        self.data = Some(data);
        self
    }

    /// The same error with data for programs, as a value; what has no JSON form is left out.
    pub fn with_json<J: Json>(mut self, data: &J) -> Self {
        self.data = data.to_text().ok().and_then(|text| text.as_string());
        self
    }

    /// The answer to a client that has not declared what it needs to (MCP 2026-07-28, basic).
    pub fn missing_capability<J: Json>(message: impl Into<Cow<'static, str>>, required: J) -> Self {
        let data = J::object(&[(Key::RequiredCapabilities, required)]);
        Error::new(Code::MissingCapability, message).with_json(&data)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
