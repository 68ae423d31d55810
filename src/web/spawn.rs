//! Starting futures. They are boxed, so that the machinery around them exists once in the wasm.

use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::prelude::*;

/// Runs a future to its end.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(future);
    wasm_bindgen_futures::spawn_local(future);
}

/// The promise of a future's outcome.
pub fn promise(future: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> js_sys::Promise {
    let future: Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>> = Box::pin(future);
    wasm_bindgen_futures::future_to_promise(future)
}
