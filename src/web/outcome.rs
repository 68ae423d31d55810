//! How a run ended, and what that is to whoever wanted it: a page, a peer, or the method it answers.

use super::error;
use super::raw;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::tool::result;
use crate::json::{Json, Kind};
use wasm_bindgen::prelude::*;

/// How a run ended.
pub struct Outcome {
    /// What the tool returned, or what it threw.
    pub value: Result<JsValue, JsValue>,
    has_output_schema: bool,
}

impl Outcome {
    /// The outcome of a tool that has an output schema, or none.
    pub fn new(value: Result<JsValue, JsValue>, has_output_schema: bool) -> Self {
        Outcome { value, has_output_schema }
    }

    /// The outcome as a `CallToolResult`, whatever the tool returned or threw.
    pub fn into_result(self) -> JsValue {
        self.settled(false)
    }

    /// The same for a peer: it can be asked, it may be told of a task instead, and a tool that needs what it
    /// has not declared is a protocol error.
    pub fn into_answer(self) -> Result<JsValue, Error> {
        match self.value.as_ref().err().and_then(error::read) {
            Some(error) if error.code == Code::MissingCapability => Err(error),
            _ => Ok(self.settled(true)),
        }
    }

    fn settled(self, may_be_interim: bool) -> JsValue {
        match self.value {
            Ok(value) => match value.kind() {
                Kind::Object if result::is_result(&value) => copied(&value),
                Kind::Object if result::is_interim(&value) => {
                    if may_be_interim {
                        copied(&value)
                    } else {
                        result::from_failure(result::NOBODY)
                    }
                }
                kind => result::from_data(&value, kind, self.has_output_schema),
            },
            Err(thrown) => result::from_failure(&raw::describe(&thrown)),
        }
    }

    /// What answers a method other than the tools': an object, or the error to answer with. An error
    /// of the protocol goes to the peer as it is; of any other it learns no more than that there was one.
    pub fn into_provided(self) -> Result<JsValue, Error> {
        let fault = || Error::new(Code::InternalError, "Server error");
        match self.value {
            Ok(value) if value.kind() == Kind::Object => raw::copied(&value).map_err(|_| fault()),
            Ok(_) => Err(fault()),
            Err(thrown) => Err(error::read(&thrown).unwrap_or_else(fault)),
        }
    }
}

/// A result made by hand may run its author's code at every look, so it is copied once.
fn copied(value: &JsValue) -> JsValue {
    raw::copied(value).unwrap_or_else(|thrown| result::from_uncarriable(&raw::describe(&thrown)))
}
