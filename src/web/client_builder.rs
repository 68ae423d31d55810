//! A client as a Rust front end makes and uses one: serde values in and out, async closures for what a server asks.

use super::host::{Client, ClientOptions};
use super::spawn::spawn;
use crate::core::client::Opening;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::limits::Limits;
use crate::core::revision::{Implementation, Revision};
use crate::json::{Json, Key, Word};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

type Answering = Pin<Box<dyn Future<Output = Result<Value, Error>>>>;
type Answerer = Rc<dyn Fn(Value) -> Answering>;

/// Makes a [`Client`].
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

    /// Sends any request: parameters and result are serde values.
    pub async fn ask<P: Serialize, R: DeserializeOwned>(self: &Rc<Self>, method: &str, params: &P) -> Result<R, Error> {
        let word = JsValue::from_str(method);
        let method = word.as_word().map_or(Word::Other(word), Word::Known);
        let params = into_script(params)?;
        let extra = Json::is_object(&params).then_some(params);
        let answer = self.call_with(method, Vec::new(), extra).await?;
        serde_json::from_value(answer.to_value().map_err(invalid)?).map_err(|error| invalid(error.to_string()))
    }

    /// Calls a tool; gives its `CallToolResult`, which may say `isError` (MCP, server/tools).
    pub async fn call_tool<A: Serialize>(self: &Rc<Self>, name: &str, arguments: &A) -> Result<Value, Error> {
        let params = vec![(Key::Name, JsValue::from_str(name)), (Key::Arguments, into_script(arguments)?)];
        self.call(Word::Known(Key::ToolsCall), params).await?.to_value().map_err(invalid)
    }

    /// Every entry of a list, all pages of it, such as `Key::ResourcesList`, as the server describes them.
    pub async fn entries(self: &Rc<Self>, list: Key) -> Result<Vec<Value>, Error> {
        self.list(list).await?.iter().map(|entry| entry.to_value().map_err(invalid)).collect()
    }

    /// Reads a resource (MCP, server/resources).
    pub async fn read_resource(self: &Rc<Self>, uri: &str) -> Result<Value, Error> {
        self.ask("resources/read", &json!({ "uri": uri })).await
    }

    /// A prompt's messages (MCP, server/prompts).
    pub async fn get_prompt<A: Serialize>(self: &Rc<Self>, name: &str, arguments: &A) -> Result<Value, Error> {
        self.ask("prompts/get", &json!({ "name": name, "arguments": arguments })).await
    }

    /// Completes an argument of a prompt or of a resource template (MCP, server/utilities/completion).
    pub async fn complete(self: &Rc<Self>, reference: &Value, name: &str, value: &str) -> Result<Vec<String>, Error> {
        let argument = json!({ "name": name, "value": value });
        let answer: Value = self.ask("completion/complete", &json!({ "ref": reference, "argument": argument })).await?;
        let values = answer.member("completion").and_then(|completion| completion.member("values"));
        serde_json::from_value(values.unwrap_or_default()).map_err(|error| invalid(error.to_string()))
    }
}

impl ClientBuilder {
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

    /// Asks a person on behalf of the server (MCP, client/elicitation).
    pub fn elicit(self, answer: impl AsyncFn(Value) -> Result<Value, Error> + 'static) -> Self {
        self.answers(Key::Elicit, "elicitation", answer)
    }

    /// Asks a model on behalf of the server (MCP, client/sampling).
    pub fn sample(self, answer: impl AsyncFn(Value) -> Result<Value, Error> + 'static) -> Self {
        self.answers(Key::Sample, "sampling", answer)
    }

    /// Gives the roots, as `{ roots }` (MCP, client/roots).
    pub fn roots(self, answer: impl AsyncFn(Value) -> Result<Value, Error> + 'static) -> Self {
        self.answers(Key::RootsList, "roots", answer)
    }

    /// Hears of notifications: method and parameters.
    pub fn on_notification(mut self, hear: impl Fn(String, JsValue) + 'static) -> Self {
        self.on_notification = Some(Rc::new(hear));
        self
    }

    /// Hears of faults that concern no call.
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
                    client.reply(ask, outcome.map(|value| JsValue::from_value(&value)));
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
        answer: impl AsyncFn(Value) -> Result<Value, Error> + 'static,
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

fn into_script<T: Serialize>(value: &T) -> Result<JsValue, Error> {
    let value = serde_json::to_value(value);
    value.map(|value| JsValue::from_value(&value)).map_err(|error| Error::new(Code::InvalidArgument, error.to_string()))
}

fn invalid(reason: String) -> Error {
    Error::new(Code::InvalidResponse, reason)
}
