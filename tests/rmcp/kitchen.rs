//! rmcp's server for our client: tools that fail, wait and ask, resources, prompts and subscriptions.

use super::typed;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, InputRequiredResult, ListPromptsResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerConfig, ServerRequest, SubscribeRequestParams, SubscriptionFilter,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc::UnboundedSender;

/// The server, and who hears what happens to it.
#[derive(Clone)]
pub struct Kitchen {
    pub told: UnboundedSender<(String, Value)>,
    pub subscribed: Arc<Mutex<Vec<String>>>,
}

impl Kitchen {
    fn tell(&self, name: &str, value: Value) {
        let _ = self.told.send((name.into(), value));
    }
}

fn done(result: Value) -> CallToolResponse {
    typed::<CallToolResult>(result).into()
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

fn question() -> Value {
    json!({ "method": "elicitation/create", "params": { "mode": "form", "message": "Who are you?",
        "requestedSchema": { "type": "object", "properties": { "name": { "type": "string" } } } } })
}

impl ServerHandler for Kitchen {
    fn get_info(&self) -> ServerConfig {
        typed(json!({ "protocolVersion": "2025-11-25", "serverInfo": { "name": "kitchen", "version": "1" },
            "instructions": "Order at the counter.", "capabilities": { "tools": { "listChanged": true }, "completions": {},
            "prompts": {}, "resources": { "subscribe": true, "listChanged": true } } }))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        Ok(typed(match cursor.as_deref() {
            None => json!({ "tools": [{ "name": "add", "inputSchema": { "type": "object" } }], "nextCursor": "rest" }),
            Some("rest") => json!({ "tools": [{ "name": "slow", "inputSchema": { "type": "object" } }] }),
            Some(_) => return Err(ErrorData::invalid_params("unknown cursor", None)),
        }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "add" => {
                let arguments = Value::Object(request.arguments.unwrap_or_default());
                let sum = arguments["a"].as_i64().unwrap_or(0) + arguments["b"].as_i64().unwrap_or(0);
                Ok(done(json!({ "content": [], "structuredContent": { "sum": sum } })))
            }
            "fail" => Ok(done(json!({ "content": [{ "type": "text", "text": "sold out" }], "isError": true }))),
            "slow" => {
                if let Some(token) = context.meta.get_progress_token() {
                    for step in [1.0, 2.0] {
                        let step = ProgressNotificationParam::new(token.clone(), step).with_total(2.0);
                        context.peer.notify_progress(step).await.expect("a peer");
                    }
                }
                context.ct.cancelled().await;
                self.tell("cancelled", json!(request.name));
                Err(ErrorData::internal_error("given up", None))
            }
            "ask" if context.protocol_version().is_some_and(|version| version.to_string() == "2026-07-28") => {
                let answer = request.input_responses.and_then(|answers| answers.get("name").cloned());
                if let Some(answer) = answer {
                    assert_eq!(request.request_state.as_deref(), Some("st.ate \"1\""));
                    return Ok(done(text(answer["content"]["name"].as_str().unwrap_or("nobody"))));
                }
                let wish = json!({ "resultType": "input_required", "inputRequests": { "name": question() }, "requestState": "st.ate \"1\"" });
                Ok(typed::<InputRequiredResult>(wish).into())
            }
            "ask" => {
                let asked: ServerRequest = typed(question());
                let answer = context.peer.send_request(asked).await;
                let answer = serde_json::to_value(answer.expect("an answer")).unwrap();
                Ok(done(text(answer["content"]["name"].as_str().unwrap_or("nobody"))))
            }
            "grow" => {
                let is_followed = !self.subscribed.lock().unwrap().is_empty();
                context.peer.notify_tool_list_changed().await.expect("a peer");
                if is_followed {
                    context
                        .peer
                        .notify_resource_updated(typed(json!({ "uri": "file:///menu.md" })))
                        .await
                        .expect("a peer");
                }
                Ok(done(text("grown")))
            }
            name => Err(ErrorData::invalid_params(format!("unknown tool {name}"), Some(json!({ "name": name })))),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(typed(
            json!({ "resources": [{ "uri": "file:///menu.md", "name": "menu" }], "ttlMs": 60000, "cacheScope": "private" }),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != "file:///menu.md" {
            return Err(ErrorData::invalid_params("no such resource", None));
        }
        Ok(typed::<ReadResourceResult>(json!({ "contents": [{ "uri": request.uri, "text": "# Menu" }] })).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(typed(json!({ "prompts": [{ "name": "menu" }] })))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let text = format!("About the {}", request.name);
        let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
        Ok(typed::<GetPromptResult>(json!({ "messages": [message] })).into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(typed(json!({ "completion": { "values": [format!("{}up", request.argument.value)], "hasMore": false } })))
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.subscribed.lock().unwrap().push(request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        context.sink().notify_tool_list_changed().await.expect("it was accepted");
        context.cancelled().await;
        self.tell("silenced", json!(null));
        Ok(())
    }
}
