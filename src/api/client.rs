//! The handle behind `Client`.

use crate::core::client::{Opening, Peer, Request};
use crate::core::limits::Limits;
use crate::core::revision::{Implementation, Revision};
use crate::json::{Json, Key, Word};
use crate::web::{self, Client, ClientOptions, Form, Waiter};
use js_sys::{Array, Function};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// One connection to a server.
#[wasm_bindgen(js_name = ClientHandle)]
pub struct ClientHandle {
    client: Rc<Client>,
}

#[wasm_bindgen(js_class = ClientHandle)]
impl ClientHandle {
    /// `protocol` is a revision to insist on, or nothing; `on_frame` is for tracing, or nothing.
    #[wasm_bindgen(constructor)]
    pub fn new(
        name: String,
        version: String,
        protocol: Option<String>,
        timeout: Option<f64>,
        on_event: Function,
        on_frame: Option<Function>,
        waiters: JsValue,
    ) -> Result<ClientHandle, JsValue> {
        let opening = match protocol {
            None => Opening::Auto,
            Some(name) => match Revision::parse(&name) {
                Some(revision) => Opening::Pinned(revision),
                None => return Err(super::invalid(&["protocol \"", &name, "\" is not known here"].concat())),
            },
        };
        let mut limits = Limits::default();
        limits.request_timeout = timeout.unwrap_or(limits.request_timeout);
        let tell = move |kind: &str, detail: &JsValue, more: &JsValue| {
            drop(on_event.call3(&JsValue::UNDEFINED, &JsValue::from_str(kind), detail, more));
        };
        let tell = Rc::new(tell);
        let (fault, notification, close) = (tell.clone(), tell.clone(), tell);
        let client = Client::new(ClientOptions {
            implementation: Implementation { name, version, title: None },
            opening,
            limits,
            on_fault: Some(Rc::new(move |error| fault("error", &error, &JsValue::UNDEFINED))),
            on_notification: Some(Rc::new(move |method, params| {
                notification("notification", &JsValue::from_str(&method), &params);
            })),
            on_frame: on_frame.map(|on_frame| {
                Rc::new(move |sent: bool, frame: &JsValue| {
                    let direction = JsValue::from_str(if sent { "send" } else { "receive" });
                    drop(on_frame.call2(&JsValue::UNDEFINED, &direction, frame));
                }) as web::OnFrame
            }),
            on_close: Some(Rc::new(move || close("close", &JsValue::UNDEFINED, &JsValue::UNDEFINED))),
            waiters,
        });
        Ok(ClientHandle { client })
    }

    /// Takes a port as the carrier.
    #[wasm_bindgen(js_name = usePort)]
    pub fn use_port(&self, port: &JsValue) {
        self.client.use_port(port, Form::Clone);
    }

    /// Takes somebody's `Transport` as the carrier, and starts it.
    #[wasm_bindgen(js_name = useCarrier)]
    pub fn use_carrier(&self, carrier: &JsValue, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        self.client.open_carrier(carrier, Box::new(move |started| done(started.map(|()| JsValue::UNDEFINED))));
    }

    /// Opens the conversation; gives the revision and the server's answer.
    pub fn connect(&self, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        self.client.open(Box::new(move |peer| {
            done(match peer {
                Ok(Peer { revision, answer }) => Ok(Array::of2(&JsValue::from_str(revision.name()), &answer).into()),
                Err(error) => Err(web::to_js(&error)),
            });
        }));
    }

    /// Calls a tool. `waiter` is its number in `waiters`; what comes back is for `cancel`, and 0 is none.
    #[wasm_bindgen(js_name = callTool)]
    pub fn call_tool(
        &self,
        name: JsValue,
        arguments: JsValue,
        timeout: Option<f64>,
        waiter: u32,
        progress: bool,
    ) -> f64 {
        let params = vec![(Key::Name, name), (Key::Arguments, arguments)];
        self.send(Word::Known(Key::ToolsCall), params, None, timeout, waiter, progress)
    }

    /// Sends any request, likewise.
    pub fn request(&self, method: JsValue, params: JsValue, timeout: Option<f64>, waiter: u32, progress: bool) -> f64 {
        let extra = Json::is_object(&params).then_some(params);
        self.send(Word::Other(method), Vec::new(), extra, timeout, waiter, progress)
    }

    /// Gives a call up.
    pub fn cancel(&self, call: f64, reason: Option<String>) {
        self.client.cancel(call as i64, reason);
    }

    /// Every tool of the server as it describes them.
    #[wasm_bindgen(js_name = listTools)]
    pub fn list_tools(&self, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        self.client.collect_tools(Box::new(move |tools| {
            done(tools.map(JsValue::array).map_err(|error| web::to_js(&error)));
        }));
    }

    /// How many calls wait for an answer.
    #[wasm_bindgen(getter, js_name = inFlight)]
    pub fn in_flight(&self) -> usize {
        self.client.in_flight()
    }

    /// Ends the connection.
    pub fn close(&self) {
        self.client.close();
    }
}

impl ClientHandle {
    fn send(
        &self,
        method: Word<JsValue>,
        params: Vec<(Key, JsValue)>,
        extra: Option<JsValue>,
        timeout: Option<f64>,
        waiter: u32,
        progress: bool,
    ) -> f64 {
        let waiter = Waiter::Script(waiter);
        let call = self.client.request(Request { method, params, extra, waiter, timeout, progress });
        call.map_or(0.0, |call| call as f64)
    }
}
