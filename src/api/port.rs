//! The handle behind `MessagePortTransport`, for use with other people's clients and servers.

use crate::web::{Arrival, Form, Link};
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// An open port.
#[wasm_bindgen(js_name = PortHandle)]
pub struct PortHandle {
    link: Link,
}

#[wasm_bindgen(js_class = PortHandle)]
impl PortHandle {
    /// Listens on a port and starts it.
    #[wasm_bindgen(constructor)]
    pub fn new(port: JsValue, on_message: Function, on_garbled: Function) -> PortHandle {
        let link = Link::port(&port, Form::Clone, move |arrival| {
            let called = match arrival {
                Arrival::Frame(frame) => on_message.call1(&JsValue::UNDEFINED, &frame.value),
                _ => on_garbled.call0(&JsValue::UNDEFINED),
            };
            // The callbacks are the package's own and report what goes wrong in them.
            drop(called);
        });
        PortHandle { link }
    }

    /// Sends a message; throws what the port throws.
    pub fn send(&self, message: JsValue) -> Result<(), JsValue> {
        self.link.send(&message)
    }

    /// Stops listening and closes the port.
    pub fn close(&self) {
        self.link.close();
    }
}
