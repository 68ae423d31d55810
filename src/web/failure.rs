//! Why a handler in Rust failed: any error, kept until whoever called is told.

use super::error::to_js;
use crate::core::error::Error;
use std::any::Any;
use std::fmt::Display;
use wasm_bindgen::prelude::*;

/// Why a handler failed: whatever can be displayed becomes one, so `?` works on any error in a handler,
/// and so does a plain text.
///
/// A tool's failure is a result with `isError` and these words (MCP, server/tools: "Error Handling"), which
/// is what a model reads. An [`Error`] keeps its code: a [`Code::MissingCapability`] is told to the caller as
/// the protocol has it. Where another method than `tools/call` is answered, an [`Error`] that has a number is
/// the answer, and of any other failure the peer learns no more than that there was one.
///
/// ```no_run
/// use modelport::{Failure, Tool};
/// # #[derive(serde::Deserialize)] struct Order { count: String }
/// Tool::new("order").handler(async |order: Order, _| {
///     let count: u32 = order.count.parse()?; // a ParseIntError
///     if count == 0 {
///         return Err(Failure::from("nothing was ordered"));
///     }
///     Ok(count)
/// });
/// ```
///
/// [`Code::MissingCapability`]: crate::Code::MissingCapability
#[derive(Debug)]
pub struct Failure(Reason);

#[derive(Debug)]
enum Reason {
    Error(Error),
    Words(String),
}

/// What a handler gives back.
pub type Answer<T> = Result<T, Failure>;

impl<E: Display + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(match (&error as &dyn Any).downcast_ref::<Error>() {
            Some(error) => Reason::Error(error.clone()),
            None => Reason::Words(error.to_string()),
        })
    }
}

impl Failure {
    /// What is thrown where JavaScript would throw.
    pub(super) fn into_js(self) -> JsValue {
        match self.0 {
            Reason::Error(error) => to_js(&error),
            Reason::Words(words) => JsValue::from_str(&words),
        }
    }

    /// The same as an error of ours.
    pub(super) fn into_error(self) -> Error {
        match self.0 {
            Reason::Error(error) => error,
            Reason::Words(words) => Error::new(crate::core::code::Code::InternalError, words),
        }
    }
}
