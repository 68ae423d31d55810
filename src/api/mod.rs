//! What JavaScript sees: one handle per class of the package. The classes themselves, with their
//! events, defaults and types, are in `www`.

mod client;
mod limits;
mod model_context;
mod server;
mod tools;

use crate::web;
use wasm_bindgen::prelude::*;

/// Errors are instances of this class from now on.
#[wasm_bindgen(js_name = installErrorClass)]
pub fn install_error_class(class: JsValue) {
    web::install_error_class(class);
}

/// Scripts' tools are run by this function from now on: `(tool, args, context)`, in place of `execute`.
#[wasm_bindgen(js_name = setGuard)]
pub fn set_guard(guard: &JsValue) {
    web::set_guard(guard);
}

/// Connections, servers and sessions in memory, runs that have not ended, bytes of memory.
#[wasm_bindgen]
pub fn held() -> Vec<f64> {
    web::held()
}

fn invalid(message: &str) -> JsValue {
    web::to_js(&crate::core::error::Error::new(crate::core::code::Code::InvalidArgument, message.to_owned()))
}

/// A string as JavaScript has it. Taken so, it needs no glue of its own that copies it and cleans up after itself.
fn text(value: &JsValue) -> String {
    value.as_string().unwrap_or_default()
}
