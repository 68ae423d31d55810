//! A page whose tools are written in Rust: what the README shows, and what a Rust front end needs.

mod echo;
mod talk;

use modelport::web::Progress;
use modelport::{ModelContext, Tool, ToolManager};
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
                cx.progress(Progress { progress: 1.0, ..Progress::default() });
                Ok::<_, String>(Sum { sum: a + b })
            })?,
    );
    tools.add(
        Tool::new("refuse")
            .description("Always fails")
            .handler(async |_: serde_json::Value, _| Err::<(), _>("the box office is closed"))?,
    );
    let bridge = ModelContext::of(&document).ok_or("this browser has no registry")?;
    bridge.publish(&tools, Default::default()).await.map_err(|(error, _)| error)?;
    BRIDGE.with(|kept| kept.replace(Some(bridge)));
    Ok(())
}

/// Drops the bridge, and with it what it registered.
#[wasm_bindgen]
pub fn leave() {
    BRIDGE.with(|kept| kept.take());
}
