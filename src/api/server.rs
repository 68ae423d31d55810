//! The handles behind `Server` and its sessions.

use super::tools::ToolsHandle;
use crate::core::revision::Implementation;
use crate::core::server::{Cache, Offers, Profile};
use crate::web::{self, Server, ServerOptions, Session};
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
    /// A server of these tools. `execute` answers the other methods, as far as `offers` says which:
    /// one bit each for resources, prompts, completions, logging, tasks, the handshake and a public cache.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments, reason = "what a server is made of, in one crossing")]
    pub fn new(
        tools: &ToolsHandle,
        name: &JsValue,
        version: &JsValue,
        title: &JsValue,
        instructions: &JsValue,
        on_fault: Function,
        offers: u32,
        ttl: f64,
        limits: &JsValue,
        provider: &JsValue,
        sealer: JsValue,
    ) -> ServerHandle {
        let implementation =
            Implementation { name: super::text(name), version: super::text(version), title: title.as_string() };
        let offered = |bit: u32| offers & (1 << bit) != 0;
        let offers = Offers {
            resources: offered(0),
            prompts: offered(1),
            completions: offered(2),
            logging: offered(3),
            tasks: offered(4),
            held: offered(5),
        };
        let cache = Cache { ttl, public: offered(6) };
        let limits = super::limits::read(limits);
        let server = Server::new(ServerOptions {
            tools: tools.manager.clone(),
            profile: Profile::new(implementation, instructions.as_string(), limits).with_offers(offers, cache),
            provider: web::from_script(provider.clone()).ok().map(Rc::new),
            sealer,
            on_fault: Some(Rc::new(move |error| drop(on_fault.call1(&JsValue::UNDEFINED, &error)))),
        });
        ServerHandle { server }
    }

    /// Serves a port.
    #[wasm_bindgen(js_name = servePort)]
    pub fn serve_port(&self, port: &JsValue, options: &JsValue) -> SessionHandle {
        SessionHandle { session: self.server.serve_port(port, options) }
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

    /// The prompts changed.
    #[wasm_bindgen(js_name = promptsChanged)]
    pub fn prompts_changed(&self) {
        self.server.prompts_changed();
    }

    /// The resources changed.
    #[wasm_bindgen(js_name = resourcesChanged)]
    pub fn resources_changed(&self) {
        self.server.resources_changed();
    }

    /// A resource changed.
    #[wasm_bindgen(js_name = resourceUpdated)]
    pub fn resource_updated(&self, uri: &str) {
        self.server.resource_updated(uri);
    }

    /// A task changed.
    #[wasm_bindgen(js_name = taskChanged)]
    pub fn task_changed(&self, id: &str, task: &JsValue) {
        self.server.task_changed(id, task);
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

    /// How many requests are worked on, or wait for their peer's input.
    #[wasm_bindgen(getter, js_name = inFlight)]
    pub fn in_flight(&self) -> usize {
        self.session.in_flight()
    }

    /// Ends the session.
    pub fn close(&self) {
        self.session.close();
    }
}
