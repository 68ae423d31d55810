//! rmcp's client at our session: after a handshake, by discovery, and finding out by itself.

use super::{heard, host, run, typed};
use host::Host;
use rmcp::model::{
    CallToolRequestParams, ClientConfig, ClientRequest, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ErrorData, ListRootsResult, LoggingMessageNotificationParam,
    ProgressNotificationParam, ProtocolVersion, Request, ResourceUpdatedNotificationParam, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceError};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Answers what it is asked, and tells what it hears.
#[derive(Clone)]
struct Guest {
    told: UnboundedSender<(String, Value)>,
}

impl Guest {
    fn tell(&self, name: &str, value: impl serde::Serialize) {
        let _ = self.told.send((name.into(), serde_json::to_value(value).unwrap()));
    }
}

impl ClientHandler for Guest {
    fn get_info(&self) -> ClientConfig {
        typed(json!({ "protocolVersion": "2025-11-25", "clientInfo": { "name": "guest", "version": "1" },
            "capabilities": { "elicitation": {}, "sampling": {}, "roots": {} } }))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.tell("asked", request);
        Ok(typed(json!({ "action": "accept", "content": { "name": "Ann" } })))
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.tell("asked", request);
        Ok(typed(json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "Welcome" } })))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(typed(json!({ "roots": [{ "uri": "file:///home/ann" }] })))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.tell("progress", params.progress);
    }

    async fn on_logging_message(&self, params: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        self.tell("log", params);
    }

    async fn on_resource_updated(&self, params: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        self.tell("updated", params);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tell("tools", json!(null));
    }
}

/// A guest at a table.
struct Seat {
    client: RunningService<RoleClient, Guest>,
    host: Host,
    events: UnboundedReceiver<(String, Value)>,
}

fn handshake() -> ClientLifecycleMode {
    ClientLifecycleMode::Initialize
}

fn discovery() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

async fn seat(mode: ClientLifecycleMode) -> Seat {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let host = host::serve(ours);
    let (told, events) = unbounded_channel();
    let client = Guest { told }.serve_with_lifecycle(theirs, mode).await.expect("a connection");
    Seat { client, host, events }
}

impl Seat {
    async fn call(&self, name: &str, arguments: Value) -> Result<Value, ServiceError> {
        let params: CallToolRequestParams = typed(json!({ "name": name, "arguments": arguments }));
        self.client.call_tool(params).await.map(|result| serde_json::to_value(result).unwrap())
    }

    /// Nothing is left when the guest leaves.
    async fn leave(mut self) {
        self.client.cancel().await.expect("an end");
        self.host.task.await.expect("the host ends with the stream");
        while let Ok((event, value)) = self.host.events.try_recv() {
            assert_ne!(event, "fault", "{value}");
        }
    }
}

fn code(error: ServiceError) -> i32 {
    match error {
        ServiceError::McpError(error) => error.code.0,
        other => panic!("{other}"),
    }
}

/// Runs a test in both eras; it is told whether there was a handshake.
fn in_both(test: impl AsyncFn(Seat, bool)) {
    run(async {
        for (mode, has_handshake) in [(handshake(), true), (discovery(), false)] {
            let seat = seat(mode).await;
            let version = seat.client.peer_info().map(|info| info.protocol_version.to_string());
            let expected = if has_handshake { "2025-11-25" } else { "2026-07-28" };
            assert_eq!(version.as_deref(), Some(expected));
            test(seat, has_handshake).await;
        }
    });
}

#[test]
fn its_client_lists_and_calls_and_hears_of_failures() {
    in_both(async |seat, _| {
        let tools = seat.client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["add", "list", "odd", "steps", "slow", "ask", "grow", "log", "fail"]);
        let sum = seat.call("add", json!({ "a": 2, "b": 3 })).await.unwrap();
        assert_eq!(
            (&sum["structuredContent"], &sum["content"][0]["text"]),
            (&json!({ "sum": 5 }), &json!(r#"{"sum":5}"#))
        );
        let failed = seat.call("fail", json!({})).await.unwrap();
        assert_eq!((&failed["isError"], &failed["content"][0]["text"]), (&json!(true), &json!("no seat left")));
        assert_eq!(code(seat.call("nobody", json!({})).await.unwrap_err()), -32_602);
        seat.leave().await;
    });
}

#[test]
fn its_client_hears_progress_before_the_answer() {
    in_both(async |mut seat, _| {
        let done = seat.call("steps", json!({})).await.unwrap();
        assert_eq!(done["content"][0]["text"], "done");
        for step in [1.0, 2.0, 3.0] {
            assert_eq!(heard(&mut seat.events, "progress").await, step);
        }
        seat.leave().await;
    });
}

#[test]
fn its_client_cancels_a_call_and_leaves_one_running() {
    in_both(async |mut seat, _| {
        let request = || ClientRequest::CallToolRequest(Request::new(CallToolRequestParams::new("slow")));
        let handle = seat.client.send_request_with_option(request(), PeerRequestOptions::no_options()).await.unwrap();
        heard(&mut seat.events, "progress").await;
        handle.cancel(Some("no longer hungry".into())).await.unwrap();
        assert_eq!(heard(&mut seat.host.events, "aborted").await, "no longer hungry");
        assert!(seat.call("add", json!({})).await.is_ok(), "the connection lives");
        let _handle = seat.client.send_request_with_option(request(), PeerRequestOptions::no_options()).await.unwrap();
        heard(&mut seat.events, "progress").await;
        seat.client.cancel().await.unwrap();
        heard(&mut seat.host.events, "aborted").await;
        seat.host.task.await.unwrap();
    });
}

#[test]
fn its_client_is_asked_for_a_persons_input_a_models_and_the_roots() {
    in_both(async |mut seat, _| {
        let answer = seat.call("ask", json!({})).await.unwrap();
        let expected = json!({ "name": "Ann", "greeting": "Welcome", "root": "file:///home/ann" });
        assert_eq!(answer["structuredContent"], expected);
        assert_eq!(heard(&mut seat.events, "asked").await["message"], "Who are you?");
        assert_eq!(heard(&mut seat.events, "asked").await["maxTokens"], 9);
        seat.leave().await;
    });
}

#[test]
fn its_client_reads_resources_prompts_and_completions() {
    in_both(async |seat, has_handshake| {
        let client = &seat.client;
        let resources = client.list_all_resources().await.unwrap();
        assert_eq!(serde_json::to_value(&resources).unwrap()[0]["uri"], "file:///menu.md");
        let templates = client.list_all_resource_templates().await.unwrap();
        assert_eq!(serde_json::to_value(&templates).unwrap()[0]["uriTemplate"], "table:///{n}");
        let read = client.read_resource(typed(json!({ "uri": "file:///menu.md" }))).await.unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap()["contents"][0]["text"], "# Menu");
        let error = client.read_resource(typed(json!({ "uri": "file:///nothing" }))).await.unwrap_err();
        assert_eq!(code(error), -32_602, "{has_handshake}");
        let prompts = client.list_all_prompts().await.unwrap();
        assert_eq!(prompts[0].name, "menu");
        let prompt =
            client.get_prompt(typed(json!({ "name": "menu", "arguments": { "dish": "soup" } }))).await.unwrap();
        assert_eq!(serde_json::to_value(&prompt).unwrap()["messages"][0]["content"]["text"], "What is in the soup?");
        let completed = client.complete_prompt_simple("menu", "dish", "so").await.unwrap();
        assert_eq!(completed, ["soup"]);
        seat.leave().await;
    });
}

#[test]
fn its_client_hears_of_changes() {
    in_both(async |mut seat, has_handshake| {
        if has_handshake {
            seat.client.subscribe(typed(json!({ "uri": "file:///menu.md" }))).await.unwrap();
            seat.call("grow", json!({})).await.unwrap();
            assert_eq!(heard(&mut seat.events, "updated").await["uri"], "file:///menu.md");
            heard(&mut seat.events, "tools").await;
        } else {
            let filter = SubscriptionFilter::builder().tools_list_changed().prompts_list_changed();
            let filter = filter.resource_subscription("file:///menu.md").build();
            let mut subscription = seat.client.listen(filter.clone()).await.unwrap();
            assert_eq!(subscription.acknowledged(), &filter);
            seat.call("grow", json!({})).await.unwrap();
            let mut methods = vec![];
            for _ in 0..2 {
                let notice = subscription.next().await.unwrap().expect("a notice");
                methods.push(serde_json::to_value(notice).unwrap()["method"].clone());
            }
            assert_eq!(methods, ["notifications/resources/updated", "notifications/tools/list_changed"]);
            subscription.cancel().await.unwrap();
        }
        assert_eq!(seat.client.list_all_tools().await.unwrap().last().unwrap().name, "grown");
        seat.leave().await;
    });
}

#[test]
fn its_client_hears_the_log_at_the_level_it_asked_for() {
    in_both(async |mut seat, has_handshake| {
        let meta = if has_handshake {
            seat.client.set_level(typed(json!({ "level": "warning" }))).await.unwrap();
            json!({})
        } else {
            json!({ "io.modelcontextprotocol/logLevel": "warning" })
        };
        let request = ClientRequest::CallToolRequest(Request::new(CallToolRequestParams::new("log")));
        let options = PeerRequestOptions::no_options().with_meta(typed(meta));
        let handle = seat.client.send_request_with_option(request, options).await.unwrap();
        handle.await_response().await.unwrap();
        let log = heard(&mut seat.events, "log").await;
        assert_eq!((&log["level"], &log["data"]), (&json!("error"), &json!("low on soup")));
        seat.leave().await;
    });
}

#[test]
fn its_client_finds_out_by_itself_what_we_speak() {
    run(async {
        let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
        let seat = seat(ClientLifecycleMode::Auto { preferred_versions, legacy_version: None }).await;
        let version = seat.client.peer_info().map(|info| info.protocol_version.to_string());
        assert_eq!(version.as_deref(), Some("2026-07-28"));
        assert!(seat.call("add", json!({ "a": 1, "b": 1 })).await.is_ok());
        seat.leave().await;
    });
}

#[test]
fn c38_its_client_of_the_handshake_era_is_given_objects_only() {
    in_both(async |seat, has_handshake| {
        let list = seat.call("list", json!({})).await.unwrap();
        assert_eq!(list["content"][0]["text"], "[1,2]");
        assert_eq!(list.get("structuredContent"), (!has_handshake).then_some(&json!([1, 2])));
        let tools = serde_json::to_value(seat.client.list_all_tools().await.unwrap()).unwrap();
        assert_eq!(tools[1].get("outputSchema").is_none(), has_handshake, "{}", tools[1]);
        assert_eq!(tools[0]["outputSchema"], json!({ "type": "object" }));
        let any = &tools[2]["inputSchema"]["properties"]["any"];
        assert_eq!(*any, if has_handshake { json!({}) } else { json!(true) });
        seat.leave().await;
    });
}
