//! A client as a Rust front end makes one: async closures for what a server asks.

use super::failure::{Answer, Failure};
use super::host::{Client, ClientOptions};
use super::spawn::spawn;
use crate::core::client::Opening;
use crate::core::limits::Limits;
use crate::core::revision::{Implementation, Revision};
use crate::json::{Json, Key};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

type Answering = Pin<Box<dyn Future<Output = Answer<Value>>>>;
type Answerer = Rc<dyn Fn(Value) -> Answering>;

/// Makes a [`Client`]. Nothing is sent before [`Client::connect`].
#[must_use = "it makes a client by `build()`"]
pub struct ClientBuilder {
    implementation: Implementation,
    opening: Opening,
    limits: Limits,
    capabilities: Value,
    answers: Vec<(Key, Answerer)>,
    on_notification: Option<Rc<dyn Fn(String, JsValue)>>,
    on_fault: Option<Rc<dyn Fn(JsValue)>>,
    on_close: Option<Rc<dyn Fn()>>,
}

impl Client {
    /// Begins a client that introduces itself so.
    pub fn builder(name: &str, version: &str) -> ClientBuilder {
        ClientBuilder {
            implementation: Implementation { name: name.to_owned(), version: version.to_owned(), title: None },
            opening: Opening::Auto,
            limits: Limits::default(),
            capabilities: json!({}),
            answers: Vec::new(),
            on_notification: None,
            on_fault: None,
            on_close: None,
        }
    }
}

impl ClientBuilder {
    /// A name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.implementation.title = Some(title.to_owned());
        self
    }

    /// Insists on a revision; without one it asks for the newest and falls back to the handshake.
    pub fn protocol(mut self, revision: Revision) -> Self {
        self.opening = Opening::Pinned(revision);
        self
    }

    /// Timeouts and bounds.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Asks a person on behalf of the server (MCP, client/elicitation): from the question to the answer, such as
    /// `{ "action": "accept", "content": {} }`.
    pub fn elicit(self, answer: impl AsyncFn(Value) -> Answer<Value> + 'static) -> Self {
        self.answers(Key::Elicit, "elicitation", answer)
    }

    /// Asks a model on behalf of the server (MCP, client/sampling): from the messages to one.
    pub fn sample(self, answer: impl AsyncFn(Value) -> Answer<Value> + 'static) -> Self {
        self.answers(Key::Sample, "sampling", answer)
    }

    /// Gives the roots, as `{ "roots": [...] }` (MCP, client/roots).
    pub fn roots(self, answer: impl AsyncFn(Value) -> Answer<Value> + 'static) -> Self {
        self.answers(Key::RootsList, "roots", answer)
    }

    /// Hears of notifications, such as `notifications/tools/list_changed`: method and parameters.
    pub fn on_notification(mut self, hear: impl Fn(String, JsValue) + 'static) -> Self {
        self.on_notification = Some(Rc::new(hear));
        self
    }

    /// Hears of faults that concern no call, as JavaScript errors; `Error::from` reads one.
    pub fn on_fault(mut self, hear: impl Fn(JsValue) + 'static) -> Self {
        self.on_fault = Some(Rc::new(hear));
        self
    }

    /// Hears once that the connection is closed.
    pub fn on_close(mut self, hear: impl Fn() + 'static) -> Self {
        self.on_close = Some(Rc::new(hear));
        self
    }

    /// The client, not connected yet.
    pub fn build(self) -> Rc<Client> {
        let answers = self.answers;
        // The client is asked through itself; it must not keep itself alive by that.
        let place: Rc<RefCell<Weak<Client>>> = Rc::default();
        let (asked, own) =
            (Rc::new(RefCell::new(Vec::<(i64, futures_util::future::AbortHandle)>::new())), place.clone());
        let unasked = asked.clone();
        let on_ask = move |ask: i64, method: Key, params: JsValue| {
            let Some((_, answerer)) = answers.iter().find(|(key, _)| *key == method) else { return };
            let answering = answerer(params.to_value().unwrap_or_default());
            let (future, stop) = futures_util::future::abortable(answering);
            asked.borrow_mut().push((ask, stop));
            let (own, asked) = (own.clone(), asked.clone());
            spawn(async move {
                let outcome = future.await;
                asked.borrow_mut().retain(|(other, _)| *other != ask);
                let client = own.borrow().upgrade();
                if let (Ok(outcome), Some(client)) = (outcome, client) {
                    client.reply(ask, outcome.map(|value| JsValue::from_value(&value)).map_err(Failure::into_error));
                }
            });
        };
        let client = Client::new(ClientOptions {
            implementation: self.implementation,
            capabilities: JsValue::from_value(&self.capabilities),
            opening: self.opening,
            limits: self.limits,
            on_fault: self.on_fault,
            on_notification: self.on_notification,
            on_ask: Some(Rc::new(on_ask)),
            on_unask: Some(Rc::new(move |ask| {
                unasked.borrow().iter().filter(|(other, _)| *other == ask).for_each(|(_, stop)| stop.abort());
            })),
            on_frame: None,
            on_close: self.on_close,
            waiters: JsValue::UNDEFINED,
        });
        place.replace(Rc::downgrade(&client));
        client
    }

    fn answers(
        mut self,
        method: Key,
        capability: &str,
        answer: impl AsyncFn(Value) -> Answer<Value> + 'static,
    ) -> Self {
        self.capabilities = self.capabilities.set_member(capability, json!({}));
        let answer = Rc::new(answer);
        let answerer: Answerer = Rc::new(move |params| {
            let answer = answer.clone();
            Box::pin(async move { answer(params).await })
        });
        self.answers.push((method, answerer));
        self
    }
}
