//! A page whose tools are written in Rust: what the README shows, and what a Rust front end needs.

mod adopt;
mod echo;
mod talk;

use modelport::{Error, ModelContext, NoArguments, Progress, Tool, ToolGuard, ToolManager};
use serde_json::json;
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

#[derive(serde::Deserialize)]
struct Add {
    a: f64,
    b: f64,
}

#[derive(serde::Serialize)]
struct Sum {
    sum: f64,
}

thread_local! {
    static BRIDGE: RefCell<Option<ModelContext>> = const { RefCell::new(None) };
    static TOOLS: RefCell<ToolManager> = RefCell::default();
    static GUARD: RefCell<Option<ToolGuard>> = const { RefCell::new(None) };
}

/// Publishes the page's tools; the bridge lives until `leave`.
#[wasm_bindgen]
pub async fn publish() -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let tools = ToolManager::new();
    tools.add(
        Tool::new("add")
            .description("Adds two numbers")
            .input_schema(&json!({ "type": "object", "required": ["a", "b"] }))
            .handler(async |Add { a, b }, cx| {
                cx.progress(Progress::new(1));
                Ok(Sum { sum: a + b })
            }),
    )?;
    tools.add(
        Tool::new("refuse")
            .description("Always fails")
            .handler(async |_: NoArguments, _| Err::<(), _>("the box office is closed".into())),
    )?;
    let bridge = ModelContext::of(&document).ok_or("this browser has no registry")?;
    bridge.publish(&tools).await?;
    BRIDGE.with(|kept| kept.replace(Some(bridge)));
    TOOLS.with(|kept| kept.replace(tools));
    Ok(())
}

/// Drops the bridge, and with it what it registered.
#[wasm_bindgen]
pub fn leave() {
    BRIDGE.with(|kept| kept.take());
}

/// Adds a tool that goes with its guard.
#[wasm_bindgen]
pub fn hold() -> Result<(), JsValue> {
    let tool = Tool::new("held").description("Is here for now").handler_sync(|_: NoArguments, _| Ok(()));
    let guard = TOOLS.with_borrow(|tools| tools.add_scoped(tool))?;
    GUARD.with(|kept| kept.replace(Some(guard)));
    Ok(())
}

/// Drops the guard.
#[wasm_bindgen]
pub fn let_go() {
    GUARD.with(|kept| kept.take());
}

/// What becomes of a tool that lacks its handler, of one whose schema is none, and of errors by `?`.
#[wasm_bindgen]
pub async fn mistakes() -> Result<String, JsValue> {
    let tools = ToolManager::new();
    let added = |tool: Tool| tools.add(tool).err().map(|error| error.code.word());
    let bad_schema = Tool::new("a").input_schema(&json!({ "type": 7 })).checked();
    tools.add(Tool::new("parse").handler(async |text: Text, _| Ok(text.text.parse::<u8>()?)))?;
    tools.add(Tool::new("thrown").handler(async |_: NoArguments, _| {
        js_sys::JSON::parse("{").map_err(Error::from)?;
        Ok(())
    }))?;
    let call = async |name: &str, text: &str| tools.call(name, &json!({ "text": text })).await;
    let seen = json!({
        "handlerless": added(Tool::new("a")),
        "nameless": added(Tool::new("").handler_sync(|_: NoArguments, _| Ok(()))),
        "schema": added(bad_schema.handler_sync(|_: NoArguments, _| Ok(()))),
        "parsed": call("parse", "7").await?.value::<u8>()?,
        "unparsed": call("parse", "seven").await?.value::<u8>().map_err(|error| (error.code.word(), error.to_string())).err(),
        "thrown": call("thrown", "").await?.text().contains("JSON"),
        "unknown": call("nobody", "").await.err().map(|error| error.code.word()),
        "names": tools.names(),
    });
    Ok(seen.to_string())
}

#[derive(serde::Deserialize)]
struct Text {
    text: String,
}
