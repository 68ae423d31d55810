//! The handle behind `Client`.

use crate::core::client::{Manner, Opening, Peer, Request};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::revision::{Implementation, Revision};
use crate::json::{Json, Key, Word};
use crate::web::{self, Client, ClientOptions, Waiter};
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
    #[allow(clippy::too_many_arguments, reason = "what a client is made of, in one crossing")]
    pub fn new(
        name: &JsValue,
        version: &JsValue,
        protocol: &JsValue,
        capabilities: JsValue,
        limits: JsValue,
        on_event: Function,
        on_frame: Option<Function>,
        waiters: JsValue,
    ) -> Result<ClientHandle, JsValue> {
        let opening = match protocol.as_string() {
            None => Opening::Auto,
            Some(name) => match Revision::parse(&name) {
                Some(revision) => Opening::Pinned(revision),
                None => return Err(super::invalid(&["protocol \"", &name, "\" is not known here"].concat())),
            },
        };
        let tell = move |kind: &str, detail: &JsValue, more: &JsValue| {
            drop(on_event.call3(&JsValue::UNDEFINED, &JsValue::from_str(kind), detail, more));
        };
        let tell = Rc::new(tell);
        let (fault, notification, ask, unask, close) = (tell.clone(), tell.clone(), tell.clone(), tell.clone(), tell);
        let client = Client::new(ClientOptions {
            implementation: Implementation { name: super::text(name), version: super::text(version), title: None },
            capabilities,
            opening,
            limits: super::limits::read(&limits),
            on_fault: Some(Rc::new(move |error| fault("error", &error, &JsValue::UNDEFINED))),
            on_notification: Some(Rc::new(move |method, params| {
                notification("notification", &JsValue::from_str(&method), &params);
            })),
            on_ask: Some(Rc::new(move |number, method, params| {
                ask(method.name(), &JsValue::from_f64(number as f64), &params);
            })),
            on_unask: Some(Rc::new(move |number| {
                unask("unask", &JsValue::from_f64(number as f64), &JsValue::UNDEFINED);
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
    pub fn use_port(&self, port: &JsValue, options: &JsValue) {
        self.client.use_port(port, options);
    }

    /// Takes somebody's `Transport` as the carrier, and starts it.
    #[wasm_bindgen(js_name = useCarrier)]
    pub fn use_carrier(&self, carrier: &JsValue, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        self.client.open_carrier(carrier, Box::new(move |started| done(started.map(|()| JsValue::UNDEFINED))));
    }

    /// Opens the conversation, without a probe if the server is known to be old; gives the revision and
    /// the server's answer.
    pub fn connect(&self, is_old: bool, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        self.client.open(
            is_old,
            Box::new(move |peer| {
                done(match peer {
                    Ok(Peer { revision, answer }) => {
                        Ok(Array::of2(&JsValue::from_str(revision.name()), &answer).into())
                    }
                    Err(error) => Err(web::to_js(&error)),
                });
            }),
        );
    }

    /// Calls a tool. `waiter` is its number in `waiters`; what comes back is for `cancel`, and 0 is none.
    /// `resets` and `longest` are of the timeout.
    #[wasm_bindgen(js_name = callTool)]
    #[allow(clippy::too_many_arguments, reason = "what a call is made of, in one crossing")]
    pub fn call_tool(
        &self,
        name: JsValue,
        arguments: JsValue,
        extra: JsValue,
        waiter: u32,
        progress: bool,
        timeout: Option<f64>,
        resets: bool,
        longest: f64,
    ) -> f64 {
        let params = vec![(Key::Name, name), (Key::Arguments, arguments)];
        let manner = Manner { timeout, resets, longest, progress, anew: true };
        self.send(Word::Known(Key::ToolsCall), params, extra, waiter, manner)
    }

    /// A function of `(name, args)` that calls a tool and gives a promise, or undefined for what wants more than an
    /// answer; nothing, where there is no such short way. `enter` gives whoever waits a number in `waiters`.
    pub fn quick(&self, enter: &JsValue) -> JsValue {
        self.client.quick(enter).unwrap_or_default()
    }

    /// Sends any request, likewise. `anew` is that an answer which was kept will not do.
    #[allow(clippy::too_many_arguments, reason = "what a call is made of, in one crossing")]
    pub fn request(
        &self,
        method: JsValue,
        params: JsValue,
        anew: bool,
        waiter: u32,
        progress: bool,
        timeout: Option<f64>,
        resets: bool,
        longest: f64,
    ) -> f64 {
        let method = method.as_word().map_or(Word::Other(method), Word::Known);
        self.send(method, Vec::new(), params, waiter, Manner { timeout, resets, longest, progress, anew })
    }

    /// Sends a notification.
    pub fn notify(&self, method: JsValue, params: JsValue) {
        self.client.notify(Word::Other(method), Json::is_object(&params).then_some(params));
    }

    /// Answers a question of the server, or says why not.
    pub fn reply(&self, ask: f64, went_well: bool, value: JsValue) {
        let failed = || Error::new(Code::InternalError, web::describe(&value));
        let outcome = if went_well { Ok(value) } else { Err(web::read_error(&value).unwrap_or_else(failed)) };
        self.client.reply(ask as i64, outcome);
    }

    /// Gives a call up.
    pub fn cancel(&self, call: f64, reason: Option<String>) {
        self.client.cancel(call as i64, reason);
    }

    /// Every entry of a list, all pages of it.
    pub fn list(&self, method: JsValue, anew: bool, resolve: Function, reject: Function) {
        let done = web::settling(resolve, reject);
        let method = method.as_word().unwrap_or(Key::ToolsList);
        self.client.collect(
            method,
            anew,
            Box::new(move |entries| {
                done(entries.map(JsValue::array).map_err(|error| web::to_js(&error)));
            }),
        );
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
        extra: JsValue,
        waiter: u32,
        manner: Manner,
    ) -> f64 {
        let extra = Json::is_object(&extra).then_some(extra);
        let waiter = Waiter::Script(waiter);
        let call = self.client.request(Request { method, params, extra, waiter, manner });
        call.map_or(0.0, |call| call as f64)
    }
}
