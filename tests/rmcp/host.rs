//! Our session behind a stream of lines, with a registry, handlers that run as tasks, and a provider.

use modelport::core::code::Code;
use modelport::core::error::Error;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::Implementation;
use modelport::core::server::{Cache, Effect, Input, Offers, Profile, Run, Session, Versions};
use modelport::core::tool::{Progress, Registry, Tool, result};
use modelport::json::Key;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, spawn_local};

type Asks = Rc<RefCell<HashMap<(Id, String), oneshot::Sender<Result<Value, Error>>>>>;

/// What a handler can do while it runs.
struct Desk {
    run: Run,
    inputs: UnboundedSender<Input<Value>>,
    asks: Asks,
    page: Rc<Page>,
}

impl Desk {
    fn progress(&self, progress: f64) {
        let step = Progress { progress, total: Some(3.0), message: Some("cooking".into()) };
        let _ = self.inputs.send(Input::Progressed { run: self.run.clone(), step });
    }

    async fn ask(&self, key: &str, method: Key, params: Value) -> Result<Value, String> {
        let (answer, answered) = oneshot::channel();
        self.asks.borrow_mut().insert((self.run.key(), key.to_owned()), answer);
        let _ = self.inputs.send(Input::Ask { run: self.run.clone(), key: key.to_owned(), method, params });
        answered.await.expect("an answer or an error").map_err(|error| error.message.into_owned())
    }
}

/// The tools and their versions.
pub struct Page {
    tools: RefCell<Registry<Value, ()>>,
}

impl Page {
    fn versions(&self) -> Versions {
        Versions { tools: self.tools.borrow().version(), ..Versions::default() }
    }

    fn add(&self, dictionary: Value) {
        self.tools.borrow_mut().add(Tool::new(dictionary, ()).expect("a tool"));
    }
}

async fn call(name: &str, arguments: Value, desk: &Desk) -> Result<Value, String> {
    match name {
        "add" => Ok(json!({ "sum": arguments["a"].as_i64().unwrap_or(0) + arguments["b"].as_i64().unwrap_or(0) })),
        "list" => Ok(json!([1, 2])),
        "steps" => {
            (1..=3).for_each(|step| desk.progress(step.into()));
            Ok(json!("done"))
        }
        "slow" => {
            desk.progress(1.0);
            std::future::pending().await
        }
        "ask" => {
            let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
            let params = json!({ "message": "Who are you?", "requestedSchema": schema });
            let answer = desk.ask("name", Key::Elicit, params).await?;
            let params = json!({ "maxTokens": 9, "messages": [{ "role": "user", "content": { "type": "text", "text": "Greet." } }] });
            let greeting = desk.ask("greeting", Key::Sample, params).await?;
            let roots = desk.ask("roots", Key::RootsList, json!({})).await?;
            Ok(
                json!({ "name": answer["content"]["name"], "greeting": greeting["content"]["text"], "root": roots["roots"][0]["uri"] }),
            )
        }
        "grow" => {
            desk.page.add(json!({ "name": "grown" }));
            let _ = desk.inputs.send(Input::Updated { uri: "file:///menu.md".into() });
            Ok(json!("grown"))
        }
        "log" => {
            let params = json!({ "data": "low on soup" });
            let _ = desk.inputs.send(Input::Log { run: desk.run.clone(), level: "error".into(), params });
            Ok(json!("logged"))
        }
        _ => Err("no seat left".into()),
    }
}

fn provide(method: Key, params: &Value) -> Result<Value, Error> {
    let missing = |what: &str| Error::new(Code::InvalidParams, format!("{what} not found"));
    match method {
        Key::ResourcesList => {
            Ok(json!({ "resources": [{ "uri": "file:///menu.md", "name": "menu", "mimeType": "text/markdown" }] }))
        }
        Key::ResourcesTemplatesList => {
            Ok(json!({ "resourceTemplates": [{ "uriTemplate": "table:///{n}", "name": "table" }] }))
        }
        Key::ResourcesRead if params["uri"] == "file:///menu.md" => {
            Ok(json!({ "contents": [{ "uri": "file:///menu.md", "mimeType": "text/markdown", "text": "# Menu" }] }))
        }
        Key::ResourcesRead => Err(missing("resource")),
        Key::PromptsList => {
            Ok(json!({ "prompts": [{ "name": "menu", "arguments": [{ "name": "dish", "required": true }] }] }))
        }
        Key::PromptsGet if params["name"] == "menu" => {
            let text = format!("What is in the {}?", params["arguments"]["dish"].as_str().unwrap_or("dish"));
            Ok(json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] }))
        }
        Key::PromptsGet => Err(missing("prompt")),
        _ => Ok(json!({ "completion": { "values": ["soup"], "total": 1, "hasMore": false } })),
    }
}

/// Our side: what happens to it, and its task, which ends with the stream.
pub struct Host {
    pub events: UnboundedReceiver<(String, Value)>,
    pub task: JoinHandle<()>,
}

/// Serves one peer until its stream ends.
pub fn serve(stream: DuplexStream) -> Host {
    let (told, events) = unbounded_channel();
    Host { events, task: spawn_local(pump(stream, told)) }
}

async fn pump(stream: DuplexStream, told: UnboundedSender<(String, Value)>) {
    let page = Rc::new(Page { tools: RefCell::default() });
    let party = json!({ "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } } });
    page.add(
        json!({ "name": "add", "description": "Adds.", "inputSchema": party, "outputSchema": { "type": "object" } }),
    );
    page.add(json!({ "name": "list", "outputSchema": { "type": "array", "items": { "type": "integer" } } }));
    page.add(
        json!({ "name": "odd", "inputSchema": { "type": "object", "properties": { "any": true, "none": false } } }),
    );
    for name in ["steps", "slow", "ask", "grow", "log", "fail"] {
        page.add(json!({ "name": name, "annotations": { "readOnlyHint": true } }));
    }
    let all = Offers { resources: true, prompts: true, completions: true, logging: true, tasks: false, held: false };
    let implementation = Implementation { name: "host".into(), version: "1.0".into(), title: None };
    let profile = Profile::new(implementation, Some("Be kind.".into()), Limits::default());
    let mut session = Session::new(Rc::new(profile.with_offers(all, Cache::default())));
    let (inputs, mut arriving) = unbounded_channel();
    let asks: Asks = Rc::default();
    let mut runs: HashMap<Id, JoinHandle<()>> = HashMap::new();
    let (reading, mut writing) = tokio::io::split(stream);
    let mut lines = BufReader::new(reading).lines();
    loop {
        let input = tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => match serde_json::from_str::<Value>(&line) {
                    Ok(value) => Input::Frame { frame: Frame::look(value), versions: page.versions(), now: 0.0 },
                    Err(_) => Input::Garbled,
                },
                _ => Input::Close,
            },
            Some(input) = arriving.recv() => input,
        };
        let is_end = matches!(input, Input::Close);
        let mut effects = vec![];
        session.step(input, &mut effects);
        for effect in effects {
            match effect {
                Effect::Send(frame) => {
                    // A peer that is gone shows in its lines.
                    let _ = writing.write_all(format!("{frame}\n").as_bytes()).await;
                }
                Effect::Call { run, name, arguments, .. } => {
                    let known = page.tools.borrow().get(&name).map(|tool| tool.has_output_schema());
                    let Some(has_schema) = known else {
                        let _ = inputs.send(Input::Unknown { run, name });
                        continue;
                    };
                    let desk =
                        Desk { run: run.clone(), inputs: inputs.clone(), asks: asks.clone(), page: page.clone() };
                    runs.insert(
                        run.key(),
                        spawn_local(async move {
                            let outcome = match call(&name, arguments, &desk).await {
                                Ok(value) => result::from_value(&value, has_schema),
                                Err(message) => result::from_failure(&message),
                            };
                            let versions = desk.page.versions();
                            let _ = desk.inputs.send(Input::Returned {
                                run: desk.run.clone(),
                                outcome: Ok(outcome),
                                versions,
                            });
                        }),
                    );
                }
                Effect::Provide { run, method, params, .. } => {
                    let (outcome, versions) = (provide(method, &params), page.versions());
                    let _ = inputs.send(Input::Provided { run, outcome, versions });
                }
                Effect::List { id, era, offset } => {
                    let (tools, versions) = (page.tools.borrow().listing(era).clone(), page.versions());
                    let _ = inputs.send(Input::Listed { id, era, offset, tools, versions });
                }
                Effect::Reply { run, key, outcome } => {
                    let answer = asks.borrow_mut().remove(&(run.key(), key)).expect("what was asked");
                    let _ = answer.send(outcome);
                }
                Effect::Seal { run, text, bound } => {
                    let _ = inputs.send(Input::Sealed { run, sealed: Some(format!("{text}|{bound}")) });
                }
                Effect::Open { id, sealed, bound } => {
                    let text = sealed.strip_suffix(&format!("|{bound}")).map(str::to_owned);
                    let _ = inputs.send(Input::Opened { id, text });
                }
                Effect::Patience { .. } => {}
                Effect::Abort { run, reason } => {
                    if let Some(task) = runs.remove(&run.key()) {
                        task.abort();
                    }
                    let _ = told.send(("aborted".into(), json!(reason)));
                }
                Effect::Fault(error) => drop(told.send(("fault".into(), json!(error.message)))),
            }
        }
        if is_end {
            return;
        }
    }
}
