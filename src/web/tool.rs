//! A tool in the browser: a JavaScript dictionary with its `execute`, or a Rust handler.

use super::check::Check;
use super::failure::Answer;
use super::run::Context;
use super::spawn::{Done, spawn};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::tool;
use crate::json::{Json, Key};
use futures_util::future::abortable;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::any::TypeId;
use std::future::Future;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What a Rust handler is to the edge: it is started with its arguments, tells what came of it (a
/// JavaScript value, or what went wrong), and gives the way to stop it. No future is named here, so
/// that a page without Rust tools does not load what runs them.
pub type RustHandler = Rc<dyn Fn(JsValue, Context, Done<Result<JsValue, JsValue>>) -> Box<dyn FnOnce()>>;

/// What runs a tool.
pub enum Handler {
    /// The dictionary's own `execute`.
    Script,
    /// A Rust function.
    Rust(RustHandler),
}

/// A tool as the core keeps it in the browser.
pub type CoreTool = tool::Tool<JsValue, Handler>;

/// Checks a JavaScript tool and takes it in.
pub fn from_script(dictionary: JsValue) -> Result<CoreTool, Error> {
    let tool = CoreTool::new(dictionary, Handler::Script)?;
    match tool.dictionary().member("execute") {
        Some(execute) if execute.is_function() => Ok(tool),
        _ => {
            let message = ["execute of tool \"", tool.name(), "\" must be a function"].concat();
            Err(Error::new(Code::InvalidArgument, message))
        }
    }
}

/// The arguments of a tool that takes none; whatever is given is ignored.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct NoArguments {}

/// A tool: what models read of it, and the function that runs it (MCP, server/tools; WebMCP,
/// `ModelContextTool`). It is the same thing whether you wrote it, adopted it from the browser
/// ([`ModelContext::adopt`]) or a server offers it ([`Client::tools`]).
///
/// What does not fit, such as an empty name, is told by [`ToolManager::add`].
///
/// ```no_run
/// use modelport::{Error, Tool, ToolManager};
/// use serde_json::json;
///
/// #[derive(serde::Deserialize)]
/// struct Add { a: f64, b: f64 }
///
/// # fn tools() -> Result<(), Error> {
/// let tools = ToolManager::new();
/// tools.add(
///     Tool::new("add")
///         .description("Adds two numbers")
///         .input_schema(&json!({ "type": "object", "required": ["a", "b"] }))
///         .annotations(&json!({ "readOnlyHint": true }))
///         .handler(async |Add { a, b }, _| Ok(a + b)),
/// )?;
/// # Ok(()) }
/// ```
///
/// [`ModelContext::adopt`]: crate::ModelContext::adopt
/// [`Client::tools`]: crate::Client::tools
/// [`ToolManager::add`]: crate::ToolManager::add
#[must_use = "a tool does nothing until it is added to a manager"]
pub struct Tool {
    members: Vec<(Key, JsValue)>,
    checked: bool,
    body: Body,
    /// What went wrong while it was described; whoever adds it is told.
    wrong: Option<Error>,
}

/// What a tool will be made of.
enum Body {
    /// Nothing runs it yet.
    None,
    Rust(RustHandler),
    /// A dictionary that somebody else wrote, with the function if it does not bring its own.
    Given(JsValue, Option<RustHandler>),
}

impl Tool {
    /// Begins a tool of this name. WebMCP takes 1 to 128 letters, digits, `_`, `-` and `.`.
    pub fn new(name: &str) -> Self {
        Tool::made(vec![(Key::Name, JsValue::from_str(name))], Body::None)
    }

    /// A tool as JavaScript writes it: WebMCP's dictionary with its `execute`.
    pub fn from_js(dictionary: JsValue) -> Self {
        Tool::made(Vec::new(), Body::Given(dictionary, None))
    }

    /// A tool that somebody else describes and this runs.
    pub(super) fn given(dictionary: JsValue, run: RustHandler) -> Self {
        Tool::made(Vec::new(), Body::Given(dictionary, Some(run)))
    }

    fn made(members: Vec<(Key, JsValue)>, body: Body) -> Self {
        Tool { members, checked: false, body, wrong: None }
    }

    /// A name for people.
    pub fn title(self, title: &str) -> Self {
        self.with(Key::Title, JsValue::from_str(title))
    }

    /// What the model reads. WebMCP requires one: without it the tool is not registered
    /// ([`Code::DescriptionMissing`]).
    pub fn description(self, description: &str) -> Self {
        self.with(Key::Description, JsValue::from_str(description))
    }

    /// The JSON Schema of the arguments, as a `serde_json::Value` or whatever serialises to one.
    pub fn input_schema(self, schema: &impl Serialize) -> Self {
        self.with_value(Key::InputSchema, schema)
    }

    /// The JSON Schema of the results (MCP, server/tools: "Output Schema").
    pub fn output_schema(self, schema: &impl Serialize) -> Self {
        self.with_value(Key::OutputSchema, schema)
    }

    /// Hints, as MCP and WebMCP name them: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`,
    /// `untrustedContentHint`, `consequentialHint`, `debugging`.
    pub fn annotations(self, annotations: &impl Serialize) -> Self {
        self.with_value(Key::Annotations, annotations)
    }

    /// Derives the input schema from the type of the arguments. Doc comments become descriptions.
    #[cfg(feature = "schemars")]
    pub fn input<A: schemars::JsonSchema>(self) -> Self {
        self.input_schema(schemars::schema_for!(A).as_value())
    }

    /// Derives the output schema from the type of the results.
    #[cfg(feature = "schemars")]
    pub fn output<R: schemars::JsonSchema>(self) -> Self {
        self.output_schema(schemars::schema_for!(R).as_value())
    }

    /// Checks arguments against the input schema before the handler runs: what does not fit is a result with
    /// `isError` that names place and rule. Without it only the type of the arguments decides. A schema that
    /// cannot be used is an error where the tool is added.
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    /// The function that runs the tool: an async closure, which need not await anything. It is given the
    /// arguments as `A`, and a [`Context`] to report progress or to ask the caller.
    ///
    /// - Arguments that do not fit `A` are a result with `isError` that says where.
    /// - What it returns goes as JSON: an object also as `structuredContent`, a `{ "content": [...] }` of
    ///   content blocks as it is, `()` as no content.
    /// - Whatever it fails with becomes a [`Failure`](crate::Failure): a result with `isError` and its words.
    /// - When the caller gives up, its future is dropped.
    ///
    /// ```no_run
    /// # use modelport::{NoArguments, Progress, Tool};
    /// # async fn fetch(page: u32) -> Result<String, std::io::Error> { Ok(page.to_string()) }
    /// Tool::new("collect").handler(async |_: NoArguments, cx| {
    ///     let mut pages = Vec::new();
    ///     for page in 1..=3 {
    ///         pages.push(fetch(page).await?);
    ///         cx.progress(Progress::new(page).of(3));
    ///     }
    ///     Ok(pages)
    /// });
    /// ```
    pub fn handler<A, R, F>(mut self, handler: F) -> Self
    where
        A: DeserializeOwned + 'static,
        R: Serialize + 'static,
        F: AsyncFn(A, Context) -> Answer<R> + 'static,
    {
        let handler = Rc::new(handler);
        self.body = Body::Rust(running(move |arguments, context| {
            let handler = handler.clone();
            async move { carried(handler(fitting(arguments)?, context).await) }
        }));
        self
    }

    /// The same for a plain closure, which runs before the next thing happens in the page.
    pub fn handler_sync<A, R, F>(mut self, handler: F) -> Self
    where
        A: DeserializeOwned + 'static,
        R: Serialize + 'static,
        F: Fn(A, Context) -> Answer<R> + 'static,
    {
        self.body = Body::Rust(Rc::new(move |arguments, context, done| {
            done(fitting(arguments).and_then(|arguments| carried(handler(arguments, context))));
            Box::new(|| ())
        }));
        self
    }

    /// [`input`](Tool::input) and [`handler`](Tool::handler) in one: the schema is derived from the type of the
    /// handler's arguments.
    ///
    /// ```no_run
    /// # use modelport::Tool;
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Seats {
    ///     /// Such as "B7".
    ///     seats: Vec<String>,
    /// }
    ///
    /// Tool::new("hold_seats")
    ///     .description("Holds seats for ten minutes")
    ///     .typed(async |Seats { seats }, _| Ok(format!("{} held", seats.join(", "))));
    /// ```
    #[cfg(feature = "schemars")]
    pub fn typed<A, R, F>(self, handler: F) -> Self
    where
        A: DeserializeOwned + schemars::JsonSchema + 'static,
        R: Serialize + 'static,
        F: AsyncFn(A, Context) -> Answer<R> + 'static,
    {
        self.input::<A>().handler(handler)
    }

    /// Its name.
    pub fn name(&self) -> String {
        self.dictionary().text(Key::Name).unwrap_or_default()
    }

    /// What it says of itself, as JavaScript sees it. Adopted tools have `origin`, `own`, `originalName` and
    /// `window` too.
    pub fn dictionary(&self) -> JsValue {
        match &self.body {
            Body::Given(dictionary, _) => dictionary.clone(),
            _ => JsValue::object(&self.members),
        }
    }

    /// The tool as managers keep it.
    pub(super) fn build(self) -> Result<CoreTool, Error> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        let run = match self.body {
            Body::Given(dictionary, None) => return from_script(dictionary),
            Body::Given(dictionary, Some(run)) => return CoreTool::new(dictionary, Handler::Rust(run)),
            Body::Rust(run) => run,
            Body::None => return Err(Error::new(Code::InvalidArgument, "the tool has no handler")),
        };
        let schema = self.members.iter().rev().find(|(key, _)| *key == Key::InputSchema && self.checked);
        let run = match schema.map(|(_, schema)| schema.to_value()) {
            Some(Ok(schema)) => checking(Check::new(&schema)?, run),
            _ => run,
        };
        CoreTool::new(JsValue::object(&self.members), Handler::Rust(run))
    }

    fn with(mut self, key: Key, value: JsValue) -> Self {
        self.members.push((key, value));
        self
    }

    fn with_value(mut self, key: Key, value: &impl Serialize) -> Self {
        match into_script(value) {
            Ok(value) => self.with(key, value),
            Err(error) => {
                self.wrong.get_or_insert(error);
                self
            }
        }
    }
}

/// Arguments as a handler takes them.
fn fitting<A: DeserializeOwned>(arguments: JsValue) -> Result<A, JsValue> {
    serde_wasm_bindgen::from_value(arguments).map_err(|error| JsValue::from_str(&format!("invalid arguments: {error}")))
}

/// What a handler gave back, as JavaScript would return or throw it.
fn carried<R: Serialize + 'static>(answer: Answer<R>) -> Result<JsValue, JsValue> {
    let value = answer.map_err(|failure| failure.into_js())?;
    if TypeId::of::<R>() == TypeId::of::<()>() {
        return Ok(JsValue::UNDEFINED);
    }
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    value.serialize(&serializer).map_err(|error| JsValue::from_str(&error.to_string()))
}

/// What runs a future for each call, and drops it when the caller gives up.
pub(super) fn running<F>(begin: impl Fn(JsValue, Context) -> F + 'static) -> RustHandler
where
    F: Future<Output = Result<JsValue, JsValue>> + 'static,
{
    Rc::new(move |arguments, context, done| {
        let (future, stop) = abortable(begin(arguments, context));
        spawn(async move {
            if let Ok(outcome) = future.await {
                done(outcome);
            }
        });
        Box::new(move || stop.abort())
    })
}

fn checking(check: Check, run: RustHandler) -> RustHandler {
    Rc::new(move |arguments, context, done| match check.complaint(&arguments) {
        Some(complaint) => {
            done(Err(JsValue::from_str(&complaint)));
            Box::new(|| ())
        }
        None => run(arguments, context, done),
    })
}

/// A serde value as JavaScript has it.
pub(super) fn into_script(value: &impl Serialize) -> Result<JsValue, Error> {
    let value: Result<Value, _> = serde_json::to_value(value);
    value.map(|value| JsValue::from_value(&value)).map_err(|error| Error::new(Code::InvalidArgument, error.to_string()))
}
