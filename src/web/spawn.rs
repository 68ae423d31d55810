//! Between callbacks and futures. The futures are boxed, so that the machinery around them exists once in the wasm.

use futures_channel::oneshot;
use std::future::Future;
use std::pin::Pin;
use wasm_bindgen::prelude::*;

/// Runs a future to its end.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    let future: Pin<Box<dyn Future<Output = ()>>> = Box::pin(future);
    wasm_bindgen_futures::spawn_local(future);
}

/// A callback that is called once.
pub type Done<T> = Box<dyn FnOnce(T)>;

/// A callback, and the future of what it will be given; `None` if it is dropped instead.
pub fn channel<T: 'static>() -> (Done<T>, impl Future<Output = Option<T>>) {
    let (sender, receiver) = oneshot::channel();
    // A future that was dropped does not wait any more.
    let done = move |outcome| drop(sender.send(outcome));
    (Box::new(done), async move { receiver.await.ok() })
}

/// The same for work that begins when the future is first looked at.
pub async fn awaited<T: 'static>(begin: impl FnOnce(Done<T>)) -> Option<T> {
    let (done, given) = channel();
    begin(done);
    given.await
}

/// The callback that settles a promise by its two functions.
pub fn settling(resolve: js_sys::Function, reject: js_sys::Function) -> Done<Result<JsValue, JsValue>> {
    Box::new(move |outcome| {
        let called = match &outcome {
            Ok(value) => resolve.call1(&JsValue::UNDEFINED, value),
            Err(error) => reject.call1(&JsValue::UNDEFINED, error),
        };
        // These functions are the engine's own and throw nothing.
        drop(called);
    })
}
