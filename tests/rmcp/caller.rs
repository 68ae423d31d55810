//! Our client at rmcp's server: after a handshake, without one, and finding out by itself.

use super::kitchen::Kitchen;
use super::{heard, run};
use modelport::core::client::{Client, Effect, Input, Manner, Opening, Request};
use modelport::core::code::Code;
use modelport::core::error::Error;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::{Implementation, Revision};
use modelport::json::{Key, Word};
use rmcp::ServiceExt;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_local};

type Answer = oneshot::Sender<Result<Value, Error>>;

enum Act {
    Request { method: Key, params: Value, progress: bool, number: oneshot::Sender<i64>, answer: Answer },
    Cancel(i64),
    Close,
}

async fn pump(
    stream: DuplexStream,
    opening: Opening,
    mut acts: UnboundedReceiver<Act>,
    told: UnboundedSender<(String, Value)>,
) {
    let identity = Implementation { name: "caller".into(), version: "1".into(), title: None };
    let mut client: Client<Value, Answer> =
        Client::new(identity, json!({ "elicitation": {} }), opening, Limits::default());
    let (reading, mut writing) = tokio::io::split(stream);
    let mut lines = BufReader::new(reading).lines();
    let mut inputs = vec![Input::Connect { now: 0.0, is_old: false }];
    let mut is_open = true;
    while is_open || !inputs.is_empty() {
        let input = match inputs.pop() {
            Some(input) => input,
            None => tokio::select! {
                line = lines.next_line() => match line {
                    Ok(Some(line)) => Input::Frame { now: 0.0, frame: Frame::look(serde_json::from_str(&line).unwrap()) },
                    _ => Input::Close,
                },
                act = acts.recv() => match act {
                    Some(Act::Request { method, params, progress, number, answer }) => {
                        let _ = number.send(client.upcoming().unwrap_or_default());
                        let manner = Manner { progress, ..Manner::default() };
                        let method = Word::Known(method);
                        let request = Request { method, params: vec![], extra: Some(params), waiter: answer, manner };
                        Input::Request { now: 0.0, request }
                    }
                    Some(Act::Cancel(number)) => Input::Cancel { id: Id::Number(number), reason: Some("enough".into()) },
                    Some(Act::Close) | None => Input::Close,
                },
            },
        };
        is_open &= !matches!(input, Input::Close);
        let mut effects = vec![];
        client.step(input, &mut effects);
        for effect in effects {
            let (name, value) = match effect {
                Effect::Send(frame) => {
                    let _ = writing.write_all(format!("{frame}\n").as_bytes()).await;
                    continue;
                }
                Effect::Settle { waiter, outcome } => {
                    let _ = waiter.send(outcome);
                    continue;
                }
                Effect::Asked { ask, method, params } => {
                    assert_eq!((method, &params["message"]), (Key::Elicit, &json!("Who are you?")));
                    let outcome = Ok(json!({ "action": "accept", "content": { "name": "Ann" } }));
                    inputs.push(Input::Replied { now: 0.0, ask, outcome });
                    continue;
                }
                Effect::WakeAt(_) | Effect::Unasked { .. } => continue,
                Effect::Progress { params, .. } => ("progress".to_owned(), params["progress"].clone()),
                Effect::Notification { method, params } => (method, params.unwrap_or_default()),
                Effect::Connected(Ok(peer)) => ("connected".to_owned(), json!(peer.revision.name())),
                Effect::Connected(Err(error)) | Effect::Fault(error) => ("fault".to_owned(), json!(error.message)),
            };
            let _ = told.send((name, value));
        }
    }
}

/// Our client, and rmcp's server at the other end.
struct Counter {
    acts: UnboundedSender<Act>,
    events: UnboundedReceiver<(String, Value)>,
    kitchen: UnboundedReceiver<(String, Value)>,
    tasks: [JoinHandle<()>; 2],
}

async fn open(opening: Opening, expected: Revision) -> Counter {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (told, kitchen) = unbounded_channel();
    let serving = spawn_local(async move {
        let service = Kitchen { told, subscribed: Default::default() }.serve(theirs).await.expect("a connection");
        service.waiting().await.expect("an end");
    });
    let (acts, arriving) = unbounded_channel();
    let (told, mut events) = unbounded_channel();
    let calling = spawn_local(pump(ours, opening, arriving, told));
    assert_eq!(heard(&mut events, "connected").await, expected.name());
    Counter { acts, events, kitchen, tasks: [calling, serving] }
}

impl Counter {
    async fn begin(&self, method: Key, params: Value) -> (i64, oneshot::Receiver<Result<Value, Error>>) {
        let ((number, numbered), (answer, answered)) = (oneshot::channel(), oneshot::channel());
        let _ = self.acts.send(Act::Request { method, params, progress: true, number, answer });
        (numbered.await.expect("a number"), answered)
    }

    async fn ask(&self, method: Key, params: Value) -> Result<Value, Error> {
        self.begin(method, params).await.1.await.expect("an outcome")
    }

    async fn call(&self, name: &str, arguments: Value) -> Result<Value, Error> {
        self.ask(Key::ToolsCall, json!({ "name": name, "arguments": arguments })).await
    }

    async fn close(mut self) {
        let _ = self.acts.send(Act::Close);
        for task in self.tasks {
            task.await.expect("both ends end");
        }
        while let Ok((event, value)) = self.events.try_recv() {
            assert_ne!(event, "fault", "{value}");
        }
    }
}

/// Runs a test in both eras; it is told whether there was a handshake.
fn in_both(test: impl AsyncFn(Counter, bool)) {
    run(async {
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            let counter = open(Opening::Pinned(revision), revision).await;
            test(counter, revision == Revision::V2025_11_25).await;
        }
    });
}

#[test]
fn our_client_lists_and_calls_and_hears_of_failures() {
    in_both(async |counter, _| {
        let first = counter.ask(Key::ToolsList, json!({})).await.unwrap();
        assert_eq!((&first["tools"][0]["name"], &first["nextCursor"]), (&json!("add"), &json!("rest")));
        let rest = counter.ask(Key::ToolsList, json!({ "cursor": "rest" })).await.unwrap();
        assert_eq!(rest["tools"][0]["name"], "slow");
        assert_eq!(counter.ask(Key::ToolsList, json!({ "cursor": "x" })).await.unwrap_err().code, Code::InvalidParams);
        assert_eq!(
            counter.call("add", json!({ "a": 2, "b": 3 })).await.unwrap()["structuredContent"],
            json!({ "sum": 5 })
        );
        assert_eq!(counter.call("fail", json!({})).await.unwrap()["isError"], true);
        let unknown = counter.call("nobody", json!({})).await.unwrap_err();
        assert_eq!((unknown.code, unknown.data.as_deref()), (Code::InvalidParams, Some(r#"{"name":"nobody"}"#)));
        counter.close().await;
    });
}

#[test]
fn our_client_hears_progress_and_cancels() {
    in_both(async |mut counter, _| {
        let (number, answer) = counter.begin(Key::ToolsCall, json!({ "name": "slow" })).await;
        assert_eq!(heard(&mut counter.events, "progress").await, 1.0);
        assert_eq!(heard(&mut counter.events, "progress").await, 2.0);
        let _ = counter.acts.send(Act::Cancel(number));
        assert_eq!(answer.await.unwrap().unwrap_err().code, Code::Cancelled);
        assert_eq!(heard(&mut counter.kitchen, "cancelled").await, "slow");
        assert!(counter.call("add", json!({})).await.is_ok(), "the connection lives");
        counter.close().await;
    });
}

#[test]
fn our_client_is_asked_for_a_persons_input() {
    in_both(async |counter, _| {
        assert_eq!(counter.call("ask", json!({})).await.unwrap()["content"][0]["text"], "Ann");
        counter.close().await;
    });
}

#[test]
fn our_client_reads_resources_prompts_and_completions() {
    in_both(async |counter, _| {
        let resources = counter.ask(Key::ResourcesList, json!({})).await.unwrap();
        assert_eq!(resources["resources"][0]["uri"], "file:///menu.md");
        let read = counter.ask(Key::ResourcesRead, json!({ "uri": "file:///menu.md" })).await.unwrap();
        assert_eq!(read["contents"][0]["text"], "# Menu");
        let missing = counter.ask(Key::ResourcesRead, json!({ "uri": "x:y" })).await.unwrap_err();
        assert_eq!(missing.code, Code::InvalidParams);
        assert_eq!(counter.ask(Key::PromptsList, json!({})).await.unwrap()["prompts"][0]["name"], "menu");
        let prompt = counter.ask(Key::PromptsGet, json!({ "name": "menu" })).await.unwrap();
        assert_eq!(prompt["messages"][0]["content"]["text"], "About the menu");
        let params =
            json!({ "ref": { "type": "ref/prompt", "name": "menu" }, "argument": { "name": "dish", "value": "so" } });
        let completed = counter.ask(Key::CompletionComplete, params).await.unwrap();
        assert_eq!(completed["completion"]["values"], json!(["soup"]));
        counter.close().await;
    });
}

#[test]
fn our_client_hears_of_changes() {
    in_both(async |mut counter, has_handshake| {
        if has_handshake {
            counter.ask(Key::ResourcesSubscribe, json!({ "uri": "file:///menu.md" })).await.unwrap();
            counter.call("grow", json!({})).await.unwrap();
            heard(&mut counter.events, "notifications/tools/list_changed").await;
            let updated = heard(&mut counter.events, "notifications/resources/updated").await;
            assert_eq!(updated["uri"], "file:///menu.md");
        } else {
            let wish = json!({ "notifications": { "toolsListChanged": true } });
            let (number, _answer) = counter.begin(Key::Listen, wish.clone()).await;
            let granted = heard(&mut counter.events, "notifications/subscriptions/acknowledged").await;
            assert_eq!(granted["notifications"], wish["notifications"]);
            let notice = heard(&mut counter.events, "notifications/tools/list_changed").await;
            assert_eq!(notice["_meta"]["io.modelcontextprotocol/subscriptionId"], number);
            let _ = counter.acts.send(Act::Cancel(number));
            heard(&mut counter.kitchen, "silenced").await;
        }
        counter.close().await;
    });
}

#[test]
fn our_client_finds_out_by_itself_what_its_server_speaks() {
    run(async {
        let counter = open(Opening::Auto, Revision::V2026_07_28).await;
        assert_eq!(counter.call("add", json!({ "a": 1 })).await.unwrap()["structuredContent"], json!({ "sum": 1 }));
        counter.close().await;
    });
}
