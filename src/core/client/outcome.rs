//! What counts as a result.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::frame::{Facts, TypeFact};
use crate::json::{Json, Key, Kind};

/// A result is an object, and its type, where it says one, is one we understand (MCP 2026-07-28, basic).
/// A task is one to a client that declared it knows them.
pub(super) fn check_result<J: Json>(result: J, facts: &Facts, capabilities: &J) -> Result<J, Error> {
    match (facts.result, facts.result_type) {
        (Kind::Object, TypeFact::None | TypeFact::Complete) => Ok(result),
        (Kind::Object, TypeFact::Other)
            if result.which(Key::ResultType) == Some(Key::Task)
                && capabilities.get(Key::Extensions).is_some_and(|known| known.kind_at(Key::Tasks).is_some()) =>
        {
            Ok(result)
        }
        (Kind::Object, TypeFact::Other) => {
            let other = result.text(Key::ResultType).unwrap_or_else(|| "no string".to_owned());
            Err(Error::new(Code::InvalidResponse, ["the result's type is not supported: ", &other].concat()))
        }
        _ => Err(Error::new(Code::InvalidResponse, "the result is not an object")),
    }
}
