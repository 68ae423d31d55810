//! The handle behind `Client`.

use crate::core::client::{Opening, Peer, Request};
use crate::core::limits::Limits;
use crate::core::message::Id;
use crate::core::revision::{Implementation, Revision};
use crate::json::{Json, Key};
use crate::web::{self, Client, ClientOptions, Waiter};
use js_sys::{Array, Function, Promise};
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
        });
        Ok(ClientHandle { client })
    }

    /// Takes a port as the carrier; `ours` if the other end is a server of ours.
    #[wasm_bindgen(js_name = usePort)]
    pub fn use_port(&self, port: JsValue, ours: bool) {
        self.client.use_port(&port, super::form(ours));
    }

    /// Takes somebody's `Transport` as the carrier, and starts it.
    #[wasm_bindgen(js_name = useCarrier)]
    pub fn use_carrier(&self, carrier: JsValue) -> Promise {
        let client = self.client.clone();
        web::promise(async move { client.use_carrier(carrier).await.map(|()| JsValue::UNDEFINED) })
    }

    /// Opens the conversation; resolves to the revision and the server's answer.
    pub fn connect(&self) -> Promise {
        let client = self.client.clone();
        web::promise(async move {
            let Peer { revision, answer } = client.connect().await.map_err(|error| web::to_js(&error))?;
            Ok(Array::of2(&JsValue::from_str(revision.name()), &answer).into())
        })
    }

    /// Calls a tool. The number is for `cancel`.
    #[wasm_bindgen(js_name = callTool)]
    pub fn call_tool(
        &self,
        name: JsValue,
        arguments: JsValue,
        timeout: Option<f64>,
        progress: Option<Function>,
        resolve: Function,
        reject: Function,
    ) -> Option<f64> {
        let params = vec![(Key::Name, name), (Key::Arguments, arguments)];
        self.send(JsValue::word(Key::ToolsCall), params, None, timeout, progress, Waiter::Script { resolve, reject })
    }

    /// Sends any request. The number is for `cancel`.
    pub fn request(
        &self,
        method: &str,
        params: JsValue,
        timeout: Option<f64>,
        progress: Option<Function>,
        resolve: Function,
        reject: Function,
    ) -> Option<f64> {
        let extra = Json::is_object(&params).then_some(params);
        self.send(JsValue::from_str(method), Vec::new(), extra, timeout, progress, Waiter::Script { resolve, reject })
    }

    /// Gives a call up.
    pub fn cancel(&self, call: f64, reason: Option<String>) {
        self.client.cancel(Id::Number(call as i64), reason);
    }

    /// Every tool of the server as it describes them.
    #[wasm_bindgen(js_name = listTools)]
    pub fn list_tools(&self) -> Promise {
        let client = self.client.clone();
        web::promise(async move {
            let tools = client.list_tools().await.map_err(|error| web::to_js(&error))?;
            Ok(JsValue::array(tools))
        })
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
        method: JsValue,
        params: Vec<(Key, JsValue)>,
        extra: Option<JsValue>,
        timeout: Option<f64>,
        progress: Option<Function>,
        waiter: Waiter,
    ) -> Option<f64> {
        let asks = progress.is_some();
        let request = Request { method, params, extra, waiter, timeout, progress: asks };
        match self.client.request(request, progress)? {
            Id::Number(number) => Some(number as f64),
            Id::String(_) => None,
        }
    }
}
