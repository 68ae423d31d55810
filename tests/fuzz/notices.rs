//! Target: what a server tells unasked, under arbitrary sequences of inputs. The model keeps every
//! subscription and says which notices are due, in which order, frame by frame.

use crate::reading;
use crate::rng::Rng;
use crate::values;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::{Implementation, Level};
use modelport::core::server::{Cache, Effect, Input, Offers, Profile, Run, Session, Versions};
use serde_json::{Value, json};
use std::rc::Rc;

const FLAGS: [&str; 3] = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"];
const NOTICES: [&str; 3] = ["tools/list_changed", "prompts/list_changed", "resources/list_changed"];
const LEVELS: [&str; 4] = ["debug", "info", "error", "emergency"];
const URIS: [&str; 3] = ["a:1", "a:2", ""];

struct Listen {
    id: Id,
    /// The versions it was told of, of the lists it follows.
    known: [Option<u64>; 3],
    uris: Vec<String>,
    tasks: Vec<String>,
}

impl Listen {
    fn notice(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({ "io.modelcontextprotocol/subscriptionId": self.id.to_json::<Value>() });
        notice(method, Some(params))
    }
}

fn notice(method: &str, params: Option<Value>) -> Value {
    let mut frame = json!({ "jsonrpc": "2.0", "method": format!("notifications/{method}") });
    if let Some(params) = params {
        frame["params"] = params;
    }
    frame
}

struct Model {
    session: Session<Value>,
    offers: Offers,
    limit: usize,
    versions: [u64; 3],
    listens: Vec<Listen>,
    /// What a peer of the handshake era follows and knows; `known` once it wants to hear.
    has_handshake: bool,
    known: Option<[u64; 3]>,
    subscribed: Vec<String>,
    level: Level,
    /// Runs, and the least they may log; none for those that may log nothing.
    runs: Vec<(Run, Id, bool, Option<Level>)>,
    is_closed: bool,
}

impl Model {
    fn new(rng: &mut Rng) -> Self {
        let mut flag = || rng.once_in(2);
        let offers = Offers { resources: flag(), prompts: flag(), logging: flag(), tasks: flag(), ..Offers::default() };
        let limit = rng.below(8);
        let limits = Limits { subscriptions: limit, ..Limits::default() };
        let implementation = Implementation { name: "fuzzed".into(), version: "1".into(), title: None };
        let profile = Profile::new(implementation, None, limits).with_offers(offers, Cache::default());
        Model {
            session: Session::new(Rc::new(profile)),
            offers,
            limit,
            versions: [0; 3],
            listens: vec![],
            has_handshake: false,
            known: None,
            subscribed: vec![],
            level: Level::Info,
            runs: vec![],
            is_closed: false,
        }
    }

    fn versions(&self) -> Versions {
        let [tools, prompts, resources] = self.versions;
        Versions { tools, prompts, resources }
    }

    /// Feeds an input; gives what was sent, and the run that began.
    fn step(&mut self, input: Input<Value>) -> (Vec<Value>, Option<Run>) {
        let (mut effects, mut sent, mut begun) = (vec![], vec![], None);
        self.session.step(input, &mut effects);
        for effect in effects {
            match effect {
                Effect::Send(frame) => {
                    reading::check_sent(&frame);
                    sent.push(frame);
                }
                Effect::Call { run, .. } => begun = Some(run),
                Effect::Abort { run, .. } => self.runs.retain(|(own, ..)| *own != run),
                _ => panic!("nothing else is asked for"),
            }
        }
        assert!(!self.is_closed || (sent.is_empty() && begun.is_none()), "after the end there is silence");
        (sent, begun)
    }

    fn say(&mut self, frame: Value) -> (Vec<Value>, Option<Run>) {
        self.step(Input::Frame { frame: Frame::look(frame), versions: self.versions(), now: 0.0 })
    }

    /// The notices that are due once somebody says what the versions are.
    fn due(&mut self) -> Vec<Value> {
        let mut due = vec![];
        if self.is_closed {
            return due;
        }
        let versions = self.versions;
        for listen in &mut self.listens {
            for place in 0..3 {
                if listen.known[place].is_some_and(|known| known != versions[place]) {
                    due.push(listen.notice(NOTICES[place], json!({})));
                    listen.known[place] = Some(versions[place]);
                }
            }
        }
        let is_offered = [true, self.offers.prompts, self.offers.resources];
        if let Some(known) = &mut self.known {
            for place in 0..3 {
                if known[place] != versions[place] && is_offered[place] {
                    due.push(notice(NOTICES[place], None));
                }
            }
            *known = versions;
        }
        due
    }

    fn is_taken(&self, id: &Id) -> bool {
        self.listens.iter().any(|listen| listen.id == *id) || self.runs.iter().any(|(_, own, ..)| own == id)
    }

    fn listen(&mut self, rng: &mut Rng) {
        let id = json!(rng.below(8));
        let mut filter = json!({});
        for flag in FLAGS.iter().filter(|_| rng.once_in(2)).collect::<Vec<_>>() {
            filter[*flag] = json!(!rng.once_in(4));
        }
        for name in ["resourceSubscriptions", "taskIds"] {
            if rng.once_in(2) {
                filter[name] = (0..rng.below(3)).map(|_| json!(*rng.pick(&URIS))).collect();
            }
        }
        if rng.once_in(8) {
            values::mutate(rng, &mut filter);
        }
        rng.tell(|| format!("listen {id}: {filter}"));
        let (sent, _) = self.say(json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": {
            "notifications": filter, "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {} } } }));
        if self.is_closed {
            return;
        }
        let id = reading::id(&id).expect("an id");
        let is_text = |list: &Value| list.as_array().is_some_and(|items| items.iter().all(Value::is_string));
        let is_sound = filter.is_object()
            && FLAGS.iter().all(|flag| filter.get(flag).is_none_or(Value::is_boolean))
            && ["resourceSubscriptions", "taskIds"]
                .iter()
                .all(|name| filter[*name].is_null() || is_text(&filter[*name]));
        let texts = |name: &str, is_offered: bool| match filter[name].as_array() {
            Some(items) if is_offered && is_sound => items.iter().map(|item| item.as_str().unwrap().into()).collect(),
            _ => vec![],
        };
        let (uris, tasks): (Vec<String>, Vec<String>) =
            (texts("resourceSubscriptions", self.offers.resources), texts("taskIds", self.offers.tasks));
        let size = |listen: &Listen| 1 + listen.uris.len() + listen.tasks.len();
        let held = self.listens.iter().map(size).sum::<usize>();
        let code = match () {
            () if !is_sound => Some(-32_602),
            () if held + 1 + uris.len() + tasks.len() > self.limit => Some(-32_603),
            () if self.is_taken(&id) => Some(-32_600),
            () => None,
        };
        assert_eq!((sent.len(), sent[0]["error"]["code"].as_i64()), (1, code), "{filter}");
        if code.is_some() {
            return;
        }
        let is_offered = [true, self.offers.prompts, self.offers.resources];
        let mut granted = json!({});
        let mut known = [None; 3];
        for place in 0..3 {
            if filter[FLAGS[place]] == true && is_offered[place] {
                granted[FLAGS[place]] = json!(true);
                known[place] = Some(self.versions[place]);
            }
        }
        for (name, list) in [("resourceSubscriptions", &uris), ("taskIds", &tasks)] {
            if filter[name].is_array() {
                granted[name] = json!(list);
            }
        }
        let listen = Listen { id, known, uris, tasks };
        assert_eq!(sent, [listen.notice("subscriptions/acknowledged", json!({ "notifications": granted }))]);
        self.listens.push(listen);
    }

    /// A request of the handshake era about what the peer hears.
    fn legacy(&mut self, rng: &mut Rng) {
        let (method, params) = match rng.below(6) {
            0 => ("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} })),
            1 => ("logging/setLevel", json!({ "level": if rng.once_in(8) { "shout" } else { *rng.pick(&LEVELS) } })),
            2 => ("resources/unsubscribe", json!({ "uri": *rng.pick(&URIS) })),
            3 if rng.once_in(4) => ("resources/subscribe", json!({ "uri": values::any(rng, 1) })),
            3 | 4 => ("resources/subscribe", json!({ "uri": *rng.pick(&URIS) })),
            _ => {
                let (sent, _) = self.say(notice("initialized", None));
                assert!(sent.is_empty());
                if self.has_handshake && self.known.is_none() && !self.is_closed {
                    self.known = Some(self.versions);
                }
                return;
            }
        };
        rng.tell(|| format!("{method} {params}"));
        let (sent, _) = self.say(json!({ "jsonrpc": "2.0", "id": "legacy", "method": method, "params": params }));
        if self.is_closed {
            return;
        }
        let uri = params["uri"].as_str().map(str::to_owned);
        let code = match method {
            "initialize" => {
                (self.has_handshake, self.known, self.level) = (true, None, Level::Info);
                self.subscribed.clear();
                None
            }
            "logging/setLevel" if self.offers.logging => match Level::parse(params["level"].as_str().unwrap()) {
                _ if !self.has_handshake => Some(-32_602),
                Some(level) => {
                    self.level = level;
                    None
                }
                None => Some(-32_602),
            },
            "logging/setLevel" => Some(-32_601),
            _ if !self.offers.resources => Some(-32_601),
            _ if !self.has_handshake || uri.is_none() => Some(-32_602),
            _ => {
                let uri = uri.expect("a string");
                self.subscribed.retain(|own| *own != uri);
                let follows = method == "resources/subscribe";
                let is_full = follows && self.subscribed.len() >= self.limit;
                if follows && !is_full {
                    self.subscribed.push(uri);
                }
                is_full.then_some(-32_603)
            }
        };
        assert_eq!((sent.len(), sent[0]["error"]["code"].as_i64()), (1, code), "{method} {params}");
    }

    fn cancel(&mut self, rng: &mut Rng) {
        let id = json!(rng.below(8));
        rng.tell(|| format!("cancel {id}"));
        let (sent, _) = self.say(notice("cancelled", Some(json!({ "requestId": id }))));
        assert!(sent.is_empty());
        let id = reading::id(&id).expect("an id");
        if !self.is_closed {
            assert!(self.runs.iter().all(|(_, own, ..)| *own != id), "its run was aborted");
            self.listens.retain(|listen| listen.id != id);
        }
    }

    fn call(&mut self, rng: &mut Rng) {
        let (id, is_stateless, level) = (json!(rng.below(8)), rng.once_in(2), rng.below(LEVELS.len() + 1));
        let mut params = json!({ "name": "a" });
        if is_stateless {
            params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {} });
            if level < LEVELS.len() {
                params["_meta"]["io.modelcontextprotocol/logLevel"] = json!(LEVELS[level]);
            }
        }
        rng.tell(|| format!("call {id}: {params}"));
        let own = reading::id(&id).expect("an id");
        let may = (is_stateless || self.has_handshake) && !self.is_taken(&own) && !self.is_closed;
        let (sent, run) = self.say(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }));
        assert_eq!((run.is_some(), sent.len()), (may, usize::from(!may && !self.is_closed)));
        let least = LEVELS.get(level).and_then(|level| Level::parse(level)).filter(|_| is_stateless);
        self.runs.extend(run.map(|run| (run, own, is_stateless, least)));
    }

    fn log(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.runs) else { return };
        let (run, _, is_stateless, least) = self.runs[place].clone();
        let level = *rng.pick(&["debug", "info", "notice", "warning", "critical", "emergency", "shout"]);
        rng.tell(|| format!("{run:?} logs {level}"));
        let (sent, _) = self.step(Input::Log { run, level: level.into(), params: json!({ "data": 1 }) });
        let least = if is_stateless { least } else { Some(self.level) };
        let is_heard = Level::parse(level).is_some_and(|level| least.is_some_and(|least| level >= least));
        let expected = notice("message", Some(json!({ "data": 1, "level": level })));
        assert_eq!(sent, if is_heard && self.offers.logging { vec![expected] } else { vec![] });
    }

    fn end(&mut self, rng: &mut Rng) {
        let Some(place) = rng.place(&self.runs) else { return };
        let (run, id, ..) = self.runs.swap_remove(place);
        rng.tell(|| format!("{run:?} ends"));
        let ended =
            Input::Returned { run: run.clone(), outcome: Ok(json!({ "content": [] })), versions: self.versions() };
        let (mut sent, _) = self.step(ended);
        let answer = sent.pop().expect("an answer");
        assert_eq!((reading::id(&answer["id"]), answer.get("result").is_some()), (Some(id), true));
        assert_eq!(sent, self.due(), "notices come before the answer");
        let (late, _) = self.step(Input::Log { run, level: "emergency".into(), params: json!({}) });
        assert!(late.is_empty(), "nothing after the answer");
    }

    fn updated(&mut self, rng: &mut Rng) {
        let uri = *rng.pick(&URIS);
        rng.tell(|| format!("{uri:?} changed"));
        let (sent, _) = self.step(Input::Updated { uri: uri.into() });
        let params = json!({ "uri": uri });
        let followers = self.listens.iter().filter(|listen| listen.uris.iter().any(|own| own == uri));
        let mut due: Vec<Value> = followers.map(|listen| listen.notice("resources/updated", params.clone())).collect();
        if self.subscribed.iter().any(|own| own == uri) {
            due.push(notice("resources/updated", Some(params)));
        }
        assert_eq!(sent, due);
    }

    fn task(&mut self, rng: &mut Rng) {
        let task = *rng.pick(&URIS);
        rng.tell(|| format!("task {task:?} changed"));
        let params = json!({ "taskId": task, "status": "working" });
        let (sent, _) = self.step(Input::TaskChanged { id: task.into(), params: params.clone() });
        let followers = self.listens.iter().filter(|listen| listen.tasks.iter().any(|own| own == task));
        assert_eq!(sent, followers.map(|listen| listen.notice("tasks", params.clone())).collect::<Vec<_>>());
    }

    fn close(&mut self) {
        let (sent, _) = self.step(Input::Close);
        let ends = sent.iter().map(|frame| {
            let named = &frame["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
            assert_eq!((named, &frame["result"]["resultType"]), (&frame["id"], &json!("complete")));
            reading::id(&frame["id"]).expect("an id")
        });
        assert_eq!(ends.collect::<Vec<_>>(), self.listens.drain(..).map(|listen| listen.id).collect::<Vec<_>>());
        assert!(self.runs.is_empty(), "every run is aborted");
        (self.is_closed, self.known) = (true, None);
        self.subscribed.clear();
    }
}

pub fn case(rng: &mut Rng) -> u64 {
    let mut model = Model::new(rng);
    let steps = 1 + rng.below(120);
    for _ in 0..steps {
        match rng.below(40) {
            0..8 => model.listen(rng),
            8..14 => model.legacy(rng),
            14..17 => model.cancel(rng),
            17..20 => model.call(rng),
            20..23 => model.log(rng),
            23 | 24 => model.end(rng),
            25..28 => model.updated(rng),
            28..30 => model.task(rng),
            30..34 => model.versions[rng.below(3)] += 1,
            39 if rng.once_in(8) && !model.is_closed => model.close(),
            _ => {
                rng.tell(|| format!("it is {:?}", model.versions));
                let (sent, _) = model.step(Input::Announce(model.versions()));
                assert_eq!(sent, model.due());
            }
        }
    }
    if !model.is_closed {
        model.close();
    }
    steps as u64
}
