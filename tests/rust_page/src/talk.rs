//! A server and a client in Rust that talk over a `MessageChannel`: what each side hears is what the test looks at.

use modelport::{CallOptions, Client, Error, NoArguments, Progress, Revision, Server, Tool, ToolManager, Transport};
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
    tools.add(Tool::new("seats").typed(async |Seats { count, .. }, _| Ok(json!({ "held": count }))))?;
    let schema = json!({ "type": "object", "properties": { "code": { "type": "string", "pattern": "^[A-Z]{2}$" } } });
    tools.add(Tool::new("checked").input_schema(&schema).checked().handler(async |_: Value, _| Ok("fits")))?;
    tools.add(Tool::new("nothing").handler_sync(|_: NoArguments, _| Ok(())))?;
    tools.add(Tool::new("stepwise").handler(async |_: NoArguments, cx| {
        cx.progress(Progress::new(1).of(2));
        cx.progress(Progress::new(2).of(2).saying("done"));
        Ok(())
    }))?;
    tools.add(Tool::new("greet").handler(async |_: NoArguments, cx| {
        cx.log("warning", &json!("asking"));
        let answer = cx.elicit(&json!({ "message": "Who?", "requestedSchema": { "type": "object" } })).await?;
        Ok(format!("Hello, {}", answer["content"]["name"].as_str().unwrap_or("nobody")))
    }))?;
    Ok(tools)
}

fn server() -> Result<Server, Error> {
    let server = Server::builder(&tools()?, "rust", "1")
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
        .build();
    Ok(server)
}

/// Everything once, in this revision of MCP; gives what the client saw, as JSON.
#[wasm_bindgen]
pub async fn talk(revision: String) -> Result<String, JsValue> {
    let (here, there) = Transport::pair()?;
    let server = server()?;
    server.serve(there).await?;
    let logged = Rc::new(RefCell::new(Vec::new()));
    let heard = logged.clone();
    let client = Client::builder("rust", "1")
        .protocol(Revision::parse(&revision).ok_or("no such revision")?)
        .elicit(async |params| Ok(json!({ "action": "accept", "content": { "name": params["message"] } })))
        .on_notification(move |method, _| heard.borrow_mut().push(method))
        .build();
    let peer = client.connect(here).await?;
    // The server's tools as this page's own, called through a manager.
    let adopted = ToolManager::new();
    for tool in client.tools().await? {
        adopted.add(tool)?;
    }
    let steps = Rc::new(RefCell::new(Vec::new()));
    let step = steps.clone();
    let options = CallOptions::new()
        .on_progress(move |Progress { progress, message, .. }| step.borrow_mut().push(json!([progress, message])));
    client.call_tool_with("stepwise", &json!({}), options).await?;
    let missing: Result<Value, Error> = client.read_resource("a:2").await;
    let seen = json!({
        "revision": peer.revision,
        "schema": client.list_tools().await?[0]["inputSchema"]["properties"]["count"],
        "seats": client.call_tool("seats", &json!({ "count": 2 })).await?.value::<Value>()?,
        "adopted": adopted.call("seats", &json!({ "count": 3 })).await?.value::<Value>()?,
        "nothing": client.call_tool("nothing", &json!({})).await?.as_json()["content"],
        "greeting": client.call_tool("greet", &json!({})).await?.text(),
        "fits": client.call_tool("checked", &json!({ "code": "AB" })).await?.text(),
        "unfit": client.call_tool("checked", &json!({ "code": "ab" })).await?.text(),
        "resources": client.list_resources().await?.len(),
        "text": client.read_resource("a:1").await?["contents"][0]["text"],
        "missing": missing.err().map(|error| error.code.word()),
        "prompt": client.get_prompt("p", &json!({ "x": "y" })).await?["messages"][0]["content"]["text"],
        "values": client.complete(&json!({ "type": "ref/prompt", "name": "p" }), "x", "a").await?,
        "steps": *steps.borrow(),
        "logged": *logged.borrow(),
    });
    client.close();
    server.close();
    Ok(seen.to_string())
}
