//! What counts as a result.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::{Facts, TypeFact};
use crate::json::{Json, Key, Kind};

/// A result is an object, and its type, where it says one, is one we understand (MCP 2026-07-28, basic).
pub(super) fn check_result<J: Json>(result: J, facts: &Facts) -> Result<J, Error> {
    match (facts.result, facts.result_type) {
        (Kind::Object, TypeFact::None | TypeFact::Complete) => Ok(result),
        (Kind::Object, TypeFact::Other) => {
            let other = result.text(Key::ResultType).unwrap_or_else(|| "no string".to_owned());
            Err(Error::new(Code::InvalidResponse, ["the result's type is not supported: ", &other].concat()))
        }
        _ => Err(Error::new(Code::InvalidResponse, "the result is not an object")),
    }
}
