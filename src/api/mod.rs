//! What JavaScript sees: one handle per class of the package. The classes themselves, with their
//! events, defaults and types, are in `www`.

mod client;
mod model_context;
mod port;
mod server;
mod tools;

use crate::web;
use wasm_bindgen::prelude::*;

/// Errors are instances of this class from now on.
#[wasm_bindgen(js_name = installErrorClass)]
pub fn install_error_class(class: JsValue) {
    web::install_error_class(class);
}

/// The crate's version.
#[wasm_bindgen(js_name = crateVersion)]
pub fn crate_version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// How many tools are running, for tests that nothing is left behind.
#[wasm_bindgen(js_name = runsInFlight)]
pub fn runs_in_flight() -> usize {
    web::runs_in_flight()
}

fn invalid(message: &str) -> JsValue {
    web::to_js(&crate::core::error::Error::new(crate::core::code::Code::InvalidArgument, message.to_owned()))
}
