//! A server in Rust for the benchmark: its one tool gives back what it is given.

use modelport::{Error, Server, Tool, ToolManager, Transport};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// The server, which ends when this is freed.
#[wasm_bindgen]
pub struct Echo(Server);

impl Drop for Echo {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Serves a tool that returns its argument, as the benchmark's tools in JavaScript do.
#[wasm_bindgen]
pub async fn serve_echo(port: web_sys::MessagePort) -> Result<Echo, Error> {
    let tools = ToolManager::new();
    let schema = json!({ "type": "object", "properties": { "value": {} }, "required": ["value"] });
    let echo = Tool::new("echo").description("Returns its argument").input_schema(&schema);
    tools.add(echo.handler(async |mut arguments: Value, _| {
        let value = arguments["value"].take();
        let result = match value {
            Value::String(text) => Value::String(text),
            other => json!({ "content": [], "structuredContent": { "value": other } }),
        };
        Ok(result)
    }))?;
    let server = Server::builder(&tools, "rust", "1").build();
    server.serve(Transport::port(&port)).await?;
    Ok(Echo(server))
}
