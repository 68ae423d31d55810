//! Errors on their way to JavaScript, and thrown values on their way in.

use super::raw;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::json::{Json, Key};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static CLASS: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
}

/// Makes errors instances of this class from now on, constructed with `(code, message, { rpcCode, data })`.
/// Without one they are plain `Error`s with the same members.
pub fn install_error_class(class: JsValue) {
    CLASS.with(|kept| kept.replace(class));
}

/// The JavaScript error of an [`Error`], with its `code`, `rpcCode` and `data`.
pub fn to_js(error: &Error) -> JsValue {
    let data = error.data.as_ref().map_or(JsValue::UNDEFINED, |data| raw::parse(&JsValue::from_str(data)));
    let class = CLASS.with(|class| class.borrow().clone());
    raw::make_error(&class, error.code.word(), &error.message, error.code.number(), &data)
}

/// The protocol's error that a thrown value is: one of ours with a number, or any that carries one as its
/// `code`, as those of other MCP libraries do.
pub fn read(thrown: &JsValue) -> Option<Error> {
    let number = |name: &str| thrown.member(name).and_then(|value| value.as_f64());
    let code = Code::from_number(number("rpcCode").or_else(|| number("code"))? as i32);
    let data = thrown.get(Key::Data).and_then(|data| data.to_text().ok()?.as_string());
    Some(Error { data, ..Error::new(code, raw::describe(thrown)) })
}

impl From<Error> for JsValue {
    fn from(error: Error) -> JsValue {
        to_js(&error)
    }
}

impl From<JsValue> for Error {
    fn from(thrown: JsValue) -> Error {
        let word = thrown.member("code").and_then(|code| Code::parse(&code.as_string()?));
        let data = || thrown.get(Key::Data).and_then(|data| data.to_text().ok()?.as_string());
        match word {
            Some(code) => Error { data: data(), ..Error::new(code, raw::describe(&thrown)) },
            // The numbers of DOM exceptions are positive, and mean something else.
            None => read(&thrown)
                .filter(|error| error.code.wire_number() < 0)
                .unwrap_or_else(|| Error::new(Code::InternalError, raw::describe(&thrown))),
        }
    }
}

/// What a thrown value says, whatever was thrown.
pub fn describe(thrown: &JsValue) -> String {
    raw::describe(thrown)
}
