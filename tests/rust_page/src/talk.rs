//! A server and a client in Rust that talk over a `MessageChannel`: what each side hears is what the test looks at.

use modelport::core::error::Error;
use modelport::core::revision::Revision;
use modelport::json::Key;
use modelport::{Client, Server, Tool, ToolManager};
use schemars::JsonSchema;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[derive(serde::Deserialize, JsonSchema)]
#[allow(dead_code, reason = "the schema is what is looked at")]
struct Seats {
    /// How many.
    count: u32,
    row: Option<String>,
}

fn tools() -> Result<ToolManager, Error> {
    let tools = ToolManager::new();
    tools.add(Tool::new("seats").typed(async |Seats { count, .. }, _| Ok::<_, Error>(json!({ "held": count })))?);
    let schema = json!({ "type": "object", "properties": { "code": { "type": "string", "pattern": "^[A-Z]{2}$" } } });
    tools.add(Tool::new("checked").input_schema(&schema).checked().handler(async |_: Value, _| Ok::<_, Error>("fits"))?);
    tools.add(Tool::new("greet").handler(async |_: Value, cx| {
        cx.log("warning", &json!("asking"));
        let answer = cx.elicit(&json!({ "message": "Who?", "requestedSchema": { "type": "object" } })).await?;
        Ok::<_, Error>(format!("Hello, {}", answer["content"]["name"].as_str().unwrap_or("nobody")))
    })?);
    Ok(tools)
}

fn server() -> Result<Server, Error> {
    Server::builder(&tools()?, "rust", "1")
        .logging()
        .resources(
            async |_| Ok(vec![json!({ "uri": "a:1", "name": "one" })]),
            async |uri, _| Ok((uri == "a:1").then(|| json!({ "contents": [{ "uri": uri, "text": "first" }] }))),
        )
        .prompts(
            async |_| Ok(vec![json!({ "name": "p" })]),
            async |_, arguments, _| {
                Ok(Some(json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": arguments.to_string() } }] })))
            },
        )
        .completions(async |params, _| Ok(vec![format!("{}!", params["argument"]["value"].as_str().unwrap_or_default())]))
        .build()
}

/// Everything once, in this revision of MCP; gives what the client saw, as JSON.
#[wasm_bindgen]
pub async fn talk(revision: String) -> Result<String, JsValue> {
    let channel = web_sys::MessageChannel::new()?;
    let server = server()?;
    server.serve_port(&channel.port1(), &JsValue::UNDEFINED);
    let logged = Rc::new(RefCell::new(Vec::new()));
    let heard = logged.clone();
    let client = Client::builder("rust", "1")
        .protocol(Revision::parse(&revision).ok_or("no such revision")?)
        .elicit(async |params| Ok(json!({ "action": "accept", "content": { "name": params["message"] } })))
        .on_notification(move |method, _| heard.borrow_mut().push(method))
        .build();
    client.use_port(&channel.port2(), &JsValue::UNDEFINED);
    let peer = client.connect().await?;
    let missing: Result<Value, Error> = client.read_resource("a:2").await;
    let seen = json!({
        "revision": peer.revision.name(),
        "schema": client.entries(Key::ToolsList).await?[0]["inputSchema"]["properties"]["count"],
        "seats": client.call_tool("seats", &json!({ "count": 2 })).await?["structuredContent"],
        "greeting": client.call_tool("greet", &json!({})).await?["content"][0]["text"],
        "fits": client.call_tool("checked", &json!({ "code": "AB" })).await?["content"][0]["text"],
        "unfit": client.call_tool("checked", &json!({ "code": "ab" })).await?["content"][0]["text"],
        "resources": client.entries(Key::ResourcesList).await?.len(),
        "text": client.read_resource("a:1").await?["contents"][0]["text"],
        "missing": missing.err().map(|error| error.code.word()),
        "prompt": client.get_prompt("p", &json!({ "x": "y" })).await?["messages"][0]["content"]["text"],
        "values": client.complete(&json!({ "type": "ref/prompt", "name": "p" }), "x", "a").await?,
        "logged": *logged.borrow(),
    });
    client.close();
    server.close();
    Ok(seen.to_string())
}
