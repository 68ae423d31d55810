//! A server as a Rust front end makes one: what it offers beside its tools are async closures.

use super::failure::{Answer, Failure};
use super::host::{Server, ServerOptions};
use super::run::Context;
use super::tool::{CoreTool, Handler, running};
use super::tools::ToolManager;
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::limits::Limits;
use crate::core::revision::Implementation;
use crate::core::server::{Cache, Offers, Profile};
use crate::json::{Json, Key};
use serde_json::{Value, json};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

type Answering = Pin<Box<dyn Future<Output = Answer<Value>>>>;
type Answerer = Rc<dyn Fn(Value, Context) -> Answering>;

/// Makes a [`Server`]. Its closures fail with whatever `?` meets: [`Failure`] says what the peer learns of it.
#[must_use = "it makes a server by `build()`"]
pub struct ServerBuilder {
    tools: ToolManager,
    implementation: Implementation,
    instructions: Option<String>,
    limits: Limits,
    offers: Offers,
    cache: Cache,
    answers: Vec<(Key, Answerer)>,
    on_fault: Option<Rc<dyn Fn(JsValue)>>,
}

impl Server {
    /// Begins a server of these tools, which would be enough.
    pub fn builder(tools: &ToolManager, name: &str, version: &str) -> ServerBuilder {
        ServerBuilder {
            tools: tools.clone(),
            implementation: Implementation { name: name.to_owned(), version: version.to_owned(), title: None },
            instructions: None,
            limits: Limits::default(),
            offers: Offers::default(),
            cache: Cache::default(),
            answers: Vec::new(),
            on_fault: None,
        }
    }
}

impl ServerBuilder {
    /// A name for people.
    pub fn title(mut self, title: &str) -> Self {
        self.implementation.title = Some(title.to_owned());
        self
    }

    /// Advice to the model about the server as a whole.
    pub fn instructions(mut self, instructions: &str) -> Self {
        self.instructions = Some(instructions.to_owned());
        self
    }

    /// What it lets a peer make it hold.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How long stateless clients may keep lists and resources, in milliseconds, and whether they may share them.
    pub fn cache(mut self, ttl: f64, public: bool) -> Self {
        self.cache = Cache { ttl, public };
        self
    }

    /// Offers the client a log, which [`Context::log`] writes to.
    pub fn logging(mut self) -> Self {
        self.offers.logging = true;
        self
    }

    /// Hears of faults that have no answer, as JavaScript errors; `Error::from` reads one.
    pub fn on_fault(mut self, on_fault: impl Fn(JsValue) + 'static) -> Self {
        self.on_fault = Some(Rc::new(on_fault));
        self
    }

    /// Offers resources: `list` gives them as `resources/list` shows them, `read` what a URI holds, as
    /// `{ contents }`, or `None` where there is none (MCP, server/resources).
    pub fn resources<L, R>(mut self, list: L, read: R) -> Self
    where
        L: AsyncFn(Context) -> Answer<Vec<Value>> + 'static,
        R: AsyncFn(String, Context) -> Answer<Option<Value>> + 'static,
    {
        self.offers.resources = true;
        self.answer(Key::ResourcesList, async move |_, cx| Ok(json!({ "resources": list(cx).await? })));
        self.answer(Key::ResourcesTemplatesList, async |_, _| Ok(json!({ "resourceTemplates": [] })));
        self.answer(Key::ResourcesRead, async move |params, cx| {
            let uri = text(&params, "uri");
            let missing = || Error::new(Code::InvalidParams, ["Resource not found: ", &uri].concat());
            let data = || json!({ "uri": uri }).to_string();
            read(uri.clone(), cx).await?.ok_or_else(|| missing().with_data(data()).into())
        });
        self
    }

    /// The templates of its resources, as `resources/templates/list` shows them.
    pub fn resource_templates<L>(mut self, list: L) -> Self
    where
        L: AsyncFn(Context) -> Answer<Vec<Value>> + 'static,
    {
        self.answer(Key::ResourcesTemplatesList, async move |_, cx| {
            Ok(json!({ "resourceTemplates": list(cx).await? }))
        });
        self
    }

    /// Offers prompts: `list` gives them as `prompts/list` shows them, `get` the messages of one with these
    /// arguments, as `{ messages }`, or `None` where there is none (MCP, server/prompts).
    pub fn prompts<L, G>(mut self, list: L, get: G) -> Self
    where
        L: AsyncFn(Context) -> Answer<Vec<Value>> + 'static,
        G: AsyncFn(String, Value, Context) -> Answer<Option<Value>> + 'static,
    {
        self.offers.prompts = true;
        self.answer(Key::PromptsList, async move |_, cx| Ok(json!({ "prompts": list(cx).await? })));
        self.answer(Key::PromptsGet, async move |params, cx| {
            let name = text(&params, "name");
            let arguments = params.member("arguments").unwrap_or_else(|| json!({}));
            let missing = || Error::new(Code::InvalidParams, ["Prompt not found: ", &name].concat());
            get(name.clone(), arguments, cx).await?.ok_or_else(|| missing().into())
        });
        self
    }

    /// Completes arguments: what `completion/complete` asks, to the values, of which 100 are sent
    /// (MCP, server/utilities/completion).
    pub fn completions<C>(mut self, complete: C) -> Self
    where
        C: AsyncFn(Value, Context) -> Answer<Vec<String>> + 'static,
    {
        self.offers.completions = true;
        self.answer(Key::CompletionComplete, async move |params, cx| {
            let values = complete(params, cx).await?;
            let shown: Vec<&String> = values.iter().take(100).collect();
            Ok(json!({ "completion": { "values": shown, "total": values.len(), "hasMore": values.len() > 100 } }))
        });
        self
    }

    /// Holds the answer to `initialize` until this has ended; its error is the answer instead.
    pub fn handshake<H>(mut self, hold: H) -> Self
    where
        H: AsyncFn(Value, Context) -> Answer<()> + 'static,
    {
        self.offers.held = true;
        self.answer(Key::Initialize, async move |params, cx| hold(params, cx).await.map(|()| json!({})));
        self
    }

    /// The server.
    pub fn build(self) -> Server {
        let answers = self.answers;
        let handler = Handler::Rust(running(move |question: JsValue, context| {
            let method = question.which(Key::Method);
            let answerer =
                answers.iter().rev().find(|(key, _)| Some(*key) == method).map(|(_, answerer)| answerer.clone());
            let params = question.at(Key::Params).to_value().unwrap_or_default();
            async move {
                let answer = match answerer {
                    Some(answerer) => answerer(params, context).await,
                    None => Err(Error::new(Code::MethodNotFound, "Method not found").into()),
                };
                answer.map(|value| JsValue::from_value(&value)).map_err(Failure::into_js)
            }
        }));
        // This dictionary has what a tool needs, so there always is a provider.
        let provider = CoreTool::new(JsValue::from_value(&json!({ "name": "provider" })), handler).ok();
        let profile = Profile::new(self.implementation, self.instructions, self.limits);
        Server::new(ServerOptions {
            tools: self.tools,
            profile: profile.with_offers(self.offers, self.cache),
            provider: provider.map(Rc::new),
            sealer: JsValue::UNDEFINED,
            on_fault: self.on_fault,
        })
    }

    fn answer<A>(&mut self, method: Key, answer: A)
    where
        A: AsyncFn(Value, Context) -> Answer<Value> + 'static,
    {
        let answer = Rc::new(answer);
        let answerer: Answerer = Rc::new(move |params, context| {
            let answer = answer.clone();
            Box::pin(async move { answer(params, context).await })
        });
        self.answers.push((method, answerer));
    }
}

fn text(params: &Value, name: &str) -> String {
    params.member(name).and_then(|value| Json::as_string(&value)).unwrap_or_default()
}
