//! A client as a Rust front end uses one: serde values in and out.

use super::error::to_js;
use super::host::{Client, Waiter};
use super::run::{OnProgress, Progress};
use super::spawn::awaited;
use super::tool::{Tool, into_script, running};
use super::transport::{Carrier, Transport};
use crate::core::client::{Manner, Peer, Request};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::tool::CallToolResult;
use crate::json::{Json, Key, Word};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What a server said of itself when the conversation was opened.
#[derive(Clone, Debug)]
pub struct ServerInfo {
    /// The revision of MCP both speak, as its date.
    pub revision: &'static str,
    /// The answer to `server/discover` or `initialize`: capabilities, instructions, name and version.
    pub answer: Value,
}

/// How one call is made ([`Client::call_tool_with`]).
#[derive(Default)]
pub struct CallOptions {
    manner: Manner,
    on_progress: Option<OnProgress>,
}

impl CallOptions {
    /// With the client's own timeout, and no ear for progress.
    pub fn new() -> Self {
        CallOptions::default()
    }

    /// Milliseconds until [`Code::Timeout`]; 0 waits for ever.
    pub fn timeout(mut self, milliseconds: f64) -> Self {
        self.manner.timeout = Some(milliseconds);
        self
    }

    /// Progress lets the timeout begin anew, up to so many milliseconds in all; 0 is no bound.
    pub fn resets_on_progress(mut self, longest: f64) -> Self {
        self.manner.resets = true;
        self.manner.progress = true;
        self.manner.longest = longest;
        self
    }

    /// Asks for progress, and hears of it.
    pub fn on_progress(mut self, hear: impl Fn(Progress) + 'static) -> Self {
        self.manner.progress = true;
        self.on_progress = Some(Rc::new(hear));
        self
    }
}

impl Client {
    /// Opens the conversation over a carrier (MCP, basic/versioning and basic/lifecycle). The error is what the
    /// carrier failed with, [`Code::UnsupportedVersion`] where there is no revision in common, or
    /// [`Code::Timeout`].
    pub async fn connect(self: &Rc<Self>, transport: Transport) -> Result<ServerInfo, Error> {
        match transport.0 {
            Carrier::Port(port, options) => self.use_port(&port, &options),
            Carrier::Script(carrier) => self.use_carrier(&carrier).await?,
        }
        let Peer { revision, answer } = self.open_conversation().await?;
        Ok(ServerInfo { revision: revision.name(), answer: answer.to_value().map_err(invalid)? })
    }

    /// Calls a tool (MCP, server/tools). A tool that fails is a result too: [`CallToolResult::is_error`]. The
    /// error is the server's refusal, [`Code::Timeout`], or [`Code::Closed`]. Dropping the future cancels the call.
    ///
    /// ```no_run
    /// # use modelport::{Client, Error};
    /// # use std::rc::Rc;
    /// # async fn example(client: Rc<Client>) -> Result<(), Error> {
    /// #[derive(serde::Deserialize)]
    /// struct Held { seats: Vec<String> }
    /// let held: Held = client.call_tool("hold_seats", &serde_json::json!({ "seats": ["B7"] })).await?.value()?;
    /// # Ok(()) }
    /// ```
    pub async fn call_tool(self: &Rc<Self>, name: &str, arguments: &impl Serialize) -> Result<CallToolResult, Error> {
        self.call_tool_with(name, arguments, CallOptions::new()).await
    }

    /// The same with a timeout of its own, or with an ear for progress (MCP, basic/utilities/progress).
    ///
    /// ```no_run
    /// # use modelport::{CallOptions, Client, Error};
    /// # async fn example(client: std::rc::Rc<Client>) -> Result<(), Error> {
    /// let options = CallOptions::new().timeout(120_000.0).on_progress(|step| {
    ///     let share = step.progress / step.total.unwrap_or(1.0);
    /// });
    /// client.call_tool_with("find_best_seats", &serde_json::json!({ "count": 4 }), options).await?;
    /// # Ok(()) }
    /// ```
    pub async fn call_tool_with(
        self: &Rc<Self>,
        name: &str,
        arguments: &impl Serialize,
        options: CallOptions,
    ) -> Result<CallToolResult, Error> {
        CallToolResult::read(&self.call_raw(name, into_script(arguments)?, options).await?)
    }

    async fn call_raw(self: &Rc<Self>, name: &str, arguments: JsValue, options: CallOptions) -> Result<JsValue, Error> {
        let params = vec![(Key::Name, JsValue::from_str(name)), (Key::Arguments, arguments)];
        self.call(Word::Known(Key::ToolsCall), params, None, options.manner, options.on_progress).await
    }

    /// The server's tools as ordinary ones: to be added to a manager, and with that published or served. Their
    /// calls go to the server as long as the client is connected, and their progress comes back.
    pub async fn tools(self: &Rc<Self>) -> Result<Vec<Tool>, Error> {
        let mut tools = Vec::new();
        for dictionary in self.list(Key::ToolsList).await? {
            let (client, name) = (self.clone(), dictionary.text(Key::Name).unwrap_or_default());
            let run = running(move |arguments, context| {
                let (client, name) = (client.clone(), name.clone());
                let options = CallOptions::new().on_progress(move |step| context.progress(step));
                async move { client.call_raw(&name, arguments, options).await.map_err(|error| to_js(&error)) }
            });
            tools.push(Tool::given(dictionary, run));
        }
        Ok(tools)
    }

    /// The server's tools as it describes them, all pages of the list.
    pub async fn list_tools(self: &Rc<Self>) -> Result<Vec<Value>, Error> {
        self.entries(Key::ToolsList).await
    }

    /// The server's resources, all pages of the list (MCP, server/resources).
    pub async fn list_resources(self: &Rc<Self>) -> Result<Vec<Value>, Error> {
        self.entries(Key::ResourcesList).await
    }

    /// The templates of the server's resources, all pages of the list.
    pub async fn list_resource_templates(self: &Rc<Self>) -> Result<Vec<Value>, Error> {
        self.entries(Key::ResourcesTemplatesList).await
    }

    /// The server's prompts, all pages of the list (MCP, server/prompts).
    pub async fn list_prompts(self: &Rc<Self>) -> Result<Vec<Value>, Error> {
        self.entries(Key::PromptsList).await
    }

    /// Reads a resource, as `{ "contents": [...] }`. Where there is none the error is [`Code::InvalidParams`].
    pub async fn read_resource(self: &Rc<Self>, uri: &str) -> Result<Value, Error> {
        self.ask("resources/read", &json!({ "uri": uri })).await
    }

    /// A prompt's messages, as `{ "messages": [...] }`.
    pub async fn get_prompt(self: &Rc<Self>, name: &str, arguments: &impl Serialize) -> Result<Value, Error> {
        self.ask("prompts/get", &json!({ "name": name, "arguments": arguments })).await
    }

    /// Completes an argument of a prompt, `{ "type": "ref/prompt", "name": ... }`, or of a resource template,
    /// `{ "type": "ref/resource", "uri": ... }` (MCP, server/utilities/completion).
    pub async fn complete(self: &Rc<Self>, reference: &Value, name: &str, value: &str) -> Result<Vec<String>, Error> {
        let argument = json!({ "name": name, "value": value });
        let answer: Value = self.ask("completion/complete", &json!({ "ref": reference, "argument": argument })).await?;
        let values = answer.member("completion").and_then(|completion| completion.member("values"));
        serde_json::from_value(values.unwrap_or_default()).map_err(|error| invalid(error.to_string()))
    }

    /// Sends any request: parameters and result are serde values. An answer that is no `R` is
    /// [`Code::InvalidResponse`].
    pub async fn ask<R: DeserializeOwned>(self: &Rc<Self>, method: &str, params: &impl Serialize) -> Result<R, Error> {
        let word = JsValue::from_str(method);
        let method = word.as_word().map_or(Word::Other(word), Word::Known);
        let params = into_script(params)?;
        let extra = Json::is_object(&params).then_some(params);
        let answer = self.call(method, Vec::new(), extra, Manner::default(), None).await?;
        serde_json::from_value(answer.to_value().map_err(invalid)?).map_err(|error| invalid(error.to_string()))
    }

    /// Calls a method and waits; `extra` is an object whose members go into the parameters too. Dropping the future
    /// cancels the call.
    async fn call(
        self: &Rc<Self>,
        method: Word<JsValue>,
        params: Vec<(Key, JsValue)>,
        extra: Option<JsValue>,
        manner: Manner,
        on_progress: Option<OnProgress>,
    ) -> Result<JsValue, Error> {
        let mut guard = CancelOnDrop { client: self.clone(), call: None };
        let answered = awaited(|done| {
            let waiter = Waiter::Rust(done, on_progress);
            guard.call = self.request(Request { method, params, extra, waiter, manner });
        });
        let outcome = answered.await;
        guard.call = None;
        outcome.unwrap_or_else(|| Err(Error::new(Code::Closed, "the client is gone")))
    }

    async fn entries(self: &Rc<Self>, list: Key) -> Result<Vec<Value>, Error> {
        self.list(list).await?.iter().map(|entry| entry.to_value().map_err(invalid)).collect()
    }
}

fn invalid(reason: String) -> Error {
    Error::new(Code::InvalidResponse, reason)
}

/// Cancels a call whose future was dropped before its answer.
struct CancelOnDrop {
    client: Rc<Client>,
    call: Option<i64>,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            self.client.cancel(call, None);
        }
    }
}
