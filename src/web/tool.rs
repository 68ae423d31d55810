//! A tool in the browser: a JavaScript dictionary with its `execute`, or a Rust handler.

use super::check::Check;
use super::error::to_js;
use super::run::Context;
use super::spawn::{Done, spawn};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::tool;
use crate::json::{Json, Key};
use futures_util::future::abortable;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::Any;
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

/// A tool written in Rust.
///
/// ```ignore
/// let tool = Tool::new("add").description("Adds two numbers").handler(async |args: Add, _cx| Ok::<_, String>(args.a + args.b))?;
/// ```
pub struct Tool {
    members: Vec<(Key, JsValue)>,
    checked: bool,
}

impl Tool {
    /// Begins a tool of this name.
    pub fn new(name: &str) -> Self {
        Tool { members: vec![(Key::Name, JsValue::from_str(name))], checked: false }
    }

    /// A name for people.
    pub fn title(self, title: &str) -> Self {
        self.with(Key::Title, JsValue::from_str(title))
    }

    /// What the model reads.
    pub fn description(self, description: &str) -> Self {
        self.with(Key::Description, JsValue::from_str(description))
    }

    /// The JSON Schema of the arguments.
    pub fn input_schema(self, schema: &Value) -> Self {
        self.with(Key::InputSchema, JsValue::from_value(schema))
    }

    /// The JSON Schema of the results.
    pub fn output_schema(self, schema: &Value) -> Self {
        self.with(Key::OutputSchema, JsValue::from_value(schema))
    }

    /// Hints, as MCP and WebMCP name them.
    pub fn annotations(self, annotations: &Value) -> Self {
        self.with(Key::Annotations, JsValue::from_value(annotations))
    }

    /// Checks arguments against the input schema before the function runs: what does not fit is a result with
    /// `isError` that names place and rule. Without it only the type of the arguments decides.
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    /// Ends the tool with the function that runs it. Arguments that do not fit `A` are a result
    /// with `isError` that says where; the function's own error becomes one with its text. When
    /// the caller gives up, the function's future is dropped.
    pub fn handler<A, R, E, F>(self, handler: F) -> Result<CoreTool, Error>
    where
        A: DeserializeOwned + 'static,
        R: Serialize + 'static,
        E: std::fmt::Display + 'static,
        F: AsyncFn(A, Context) -> Result<R, E> + 'static,
    {
        let handler = Rc::new(handler);
        let schema = self.members.iter().find(|(key, _)| *key == Key::InputSchema && self.checked);
        let check = match schema.map(|(_, schema)| schema.to_value()) {
            Some(Ok(schema)) => Some(Rc::new(Check::new(&schema)?)),
            _ => None,
        };
        let run: RustHandler = Rc::new(move |arguments, context, done| {
            let (handler, check) = (handler.clone(), check.clone());
            let (future, stop) = abortable(async move {
                let failed = |words: String| JsValue::from_str(&words);
                if let Some(complaint) = check.and_then(|check| check.complaint(&arguments)) {
                    return Err(failed(complaint));
                }
                let arguments = serde_wasm_bindgen::from_value(arguments)
                    .map_err(|error| failed(format!("invalid arguments: {error}")))?;
                // An error of ours keeps its code, by which the caller may be told what it lacks.
                let value = handler(arguments, context).await.map_err(|error| {
                    (&error as &dyn Any).downcast_ref::<Error>().map_or_else(|| failed(error.to_string()), to_js)
                })?;
                let serializer = serde_wasm_bindgen::Serializer::json_compatible();
                value.serialize(&serializer).map_err(|error| failed(error.to_string()))
            });
            spawn(async move {
                if let Ok(outcome) = future.await {
                    done(outcome);
                }
            });
            Box::new(move || stop.abort())
        });
        CoreTool::new(JsValue::object(&self.members), Handler::Rust(run))
    }

    /// The same for arguments that describe themselves: the schema is derived from their type.
    #[cfg(feature = "schemars")]
    pub fn typed<A, R, E, F>(self, handler: F) -> Result<CoreTool, Error>
    where
        A: DeserializeOwned + schemars::JsonSchema + 'static,
        R: Serialize + 'static,
        E: std::fmt::Display + 'static,
        F: AsyncFn(A, Context) -> Result<R, E> + 'static,
    {
        self.input_schema(schemars::schema_for!(A).as_value()).handler(handler)
    }

    fn with(mut self, key: Key, value: JsValue) -> Self {
        self.members.push((key, value));
        self
    }
}
