//! What counts as a result.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::json::{Json, Key};

/// A result is an object, and its type, where it says one, is one we understand (MCP 2026-07-28, basic).
pub(super) fn check_result<J: Json>(result: J) -> Result<J, Error> {
    if !result.is_object() {
        return Err(Error::new(Code::InvalidResponse, "the result is not an object"));
    }
    match result.some(Key::ResultType) {
        None => Ok(result),
        Some(kind) if kind.is(Key::Complete) => Ok(result),
        Some(kind) => {
            let other = kind.as_string().unwrap_or_else(|| "no string".to_owned());
            Err(Error::new(Code::InvalidResponse, ["the result's type is not supported: ", &other].concat()))
        }
    }
}
