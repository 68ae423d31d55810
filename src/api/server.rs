//! The handles behind `Server` and its sessions.

use super::tools::ToolsHandle;
use crate::core::limits::Limits;
use crate::core::revision::Implementation;
use crate::web::{self, Form, Server, ServerOptions, Session};
use js_sys::Function;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A server.
#[wasm_bindgen(js_name = ServerHandle)]
pub struct ServerHandle {
    server: Server,
}

/// One of its sessions.
#[wasm_bindgen(js_name = SessionHandle)]
pub struct SessionHandle {
    session: Rc<Session>,
}

#[wasm_bindgen(js_class = ServerHandle)]
impl ServerHandle {
    /// A server of these tools.
    #[wasm_bindgen(constructor)]
    pub fn new(
        tools: &ToolsHandle,
        name: String,
        version: String,
        title: Option<String>,
        instructions: Option<String>,
        on_fault: Function,
    ) -> ServerHandle {
        let server = Server::new(ServerOptions {
            tools: tools.manager.clone(),
            implementation: Implementation { name, version, title },
            instructions,
            limits: Limits::default(),
            on_fault: Some(Rc::new(move |error| drop(on_fault.call1(&JsValue::UNDEFINED, &error)))),
        });
        ServerHandle { server }
    }

    /// Serves a port.
    #[wasm_bindgen(js_name = servePort)]
    pub fn serve_port(&self, port: &JsValue) -> SessionHandle {
        SessionHandle { session: self.server.serve_port(port, Form::Clone) }
    }

    /// Serves somebody's `Transport`, once it has started.
    #[wasm_bindgen(js_name = serveCarrier)]
    pub fn serve_carrier(&self, carrier: &JsValue, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        self.server.open_carrier(
            carrier,
            Box::new(move |session| done(session.map(|session| SessionHandle { session }.into()))),
        );
    }

    /// Closes every session.
    pub fn close(&self) {
        self.server.close();
    }

    /// How many sessions are open.
    #[wasm_bindgen(getter)]
    pub fn sessions(&self) -> usize {
        self.server.sessions()
    }
}

#[wasm_bindgen(js_class = SessionHandle)]
impl SessionHandle {
    /// Calls back once, when the session is closed from either side.
    #[wasm_bindgen(js_name = onClose)]
    pub fn on_close(&self, on_close: Function) {
        self.session.on_close(move || drop(on_close.call0(&JsValue::UNDEFINED)));
    }

    /// Ends the session.
    pub fn close(&self) {
        self.session.close();
    }
}
