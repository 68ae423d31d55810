//! Target: a server's session under arbitrary sequences of inputs, against a model that only counts:
//! who is owed an answer, which runs are open, and what the peer knows of the list of tools.

use crate::reading::{self, Reading, check_sent};
use crate::rng::Rng;
use crate::values;
use modelport::core::frame::Frame;
use modelport::core::limits::Limits;
use modelport::core::machine::Machine;
use modelport::core::message::Id;
use modelport::core::revision::{Era, Implementation};
use modelport::core::server::{Effect, Input, Profile, Run, Session, Versions};
use modelport::core::tool::{Progress, result};
use serde_json::{Value, json};
use std::rc::Rc;

/// A run that nobody ended yet.
struct Open {
    run: Run,
    id: Id,
    era: Era,
    name: String,
    token: Option<Value>,
    progress: f64,
}

struct Model {
    session: Session<Value>,
    capacity: usize,
    open: Vec<Open>,
    /// Runs that ended; what they still report reaches nobody.
    ended: Vec<Run>,
    /// Requests for the list that the driver has not served yet.
    lists: Vec<(Id, Era)>,
    /// What the carrier may still refuse.
    sent: Vec<Value>,
    version: u64,
    has_handshake: bool,
    /// The version of the tools the peer knows of, once it wants to hear.
    known: Option<u64>,
    is_closed: bool,
}

/// What one step asked for.
#[derive(Default)]
struct Asked {
    sent: Vec<Value>,
    calls: Vec<(Run, String, Value, bool)>,
    lists: Vec<(Id, Era)>,
    aborted: Vec<Run>,
    faults: usize,
}

impl Asked {
    fn is_nothing(&self) -> bool {
        self.is_quiet() && self.faults == 0
    }

    /// Nothing but faults.
    fn is_quiet(&self) -> bool {
        self.sent.is_empty() && self.calls.is_empty() && self.lists.is_empty() && self.aborted.is_empty()
    }
}

/// The era a request names by its own words.
fn era_of(frame: &Value) -> Era {
    let names = frame["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
    if names || frame["method"] == "server/discover" { Era::Stateless } else { Era::Handshake }
}

/// An answer is to this request, and one of the stateless era says what that era wants of every result.
fn check_answer(frame: &Value, id: &Id, era: Era) {
    assert_eq!(reading::id(&frame["id"]).as_ref(), Some(id), "{frame}");
    assert!(frame.get("method").is_none(), "{frame}");
    if let (Era::Stateless, Some(result)) = (era, frame.get("result")) {
        assert!(result["resultType"].is_string(), "{frame}");
        let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(info, &json!({ "name": "fuzzed", "version": "1" }), "{frame}");
    }
}

impl Model {
    fn new(rng: &mut Rng) -> Self {
        let implementation = Implementation { name: "fuzzed".into(), version: "1".into(), title: None };
        let capacity = 1 + rng.below(8);
        let limits = Limits { calls_in_flight: capacity, ..Limits::default() };
        Model {
            session: Session::new(Rc::new(Profile::new(implementation, None, limits))),
            capacity,
            open: vec![],
            ended: vec![],
            lists: vec![],
            sent: vec![],
            version: 0,
            has_handshake: false,
            known: None,
            is_closed: false,
        }
    }

    fn versions(&self) -> Versions {
        Versions { tools: self.version, ..Versions::default() }
    }

    fn step(&mut self, input: Input<Value>) -> Asked {
        let (mut effects, mut more, mut asked) = (vec![], vec![], Asked::default());
        self.session.step(input, &mut effects);
        while let Some(effect) = if effects.is_empty() { more.pop() } else { Some(effects.remove(0)) } {
            match effect {
                Effect::Send(frame) => {
                    check_sent(&frame);
                    asked.sent.push(frame);
                }
                Effect::Call { run, name, arguments, wants_progress, .. } => {
                    asked.calls.push((run, name, arguments, wants_progress));
                }
                Effect::List { id, era, .. } => asked.lists.push((id, era)),
                Effect::Abort { run, .. } => asked.aborted.push(run),
                Effect::Fault(_) => asked.faults += 1,
                // No state is given to anybody here, so none opens.
                Effect::Open { id, .. } => self.session.step(Input::Opened { id, text: None }, &mut more),
                _ => panic!("nothing else is asked for without a provider"),
            }
        }
        assert!(!self.is_closed || asked.is_nothing(), "after the end there is silence");
        self.sent.extend(asked.sent.iter().cloned());
        asked
    }

    /// The notice about tools, where one is due, comes before all else; gives what else was sent.
    fn after_notice<'a>(&mut self, asked: &'a Asked) -> &'a [Value] {
        if self.is_closed || self.known.is_none_or(|known| known == self.version) {
            return &asked.sent;
        }
        self.known = Some(self.version);
        assert_eq!(asked.sent[0], json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
        &asked.sent[1..]
    }

    fn end(&mut self, at: usize) -> Open {
        let open = self.open.swap_remove(at);
        self.ended.push(open.run.clone());
        open
    }

    fn frame(&mut self, value: &Value) {
        let asked = self.step(Input::Frame { frame: Frame::look(value.clone()), versions: self.versions(), now: 0.0 });
        if self.is_closed {
            return;
        }
        match reading::read(value) {
            Reading::Request(id, method) => self.request(value, id, &method, asked),
            Reading::Notification(method) => self.notification(value, &method, &asked),
            Reading::Foreign => assert!(asked.is_nothing(), "{value}"),
            Reading::Response(..) | Reading::BadResponse => assert!(asked.is_quiet() && asked.faults == 1, "{value}"),
            Reading::BadRequest(id) => {
                assert!(asked.sent.len() == 1 && asked.calls.is_empty() && asked.lists.is_empty(), "{value}");
                assert_eq!(asked.sent[0]["error"]["code"], -32_600, "{value}");
                assert_eq!(asked.sent[0].get("id").and_then(reading::id), id, "{value}");
            }
        }
    }

    /// Either one answer at once, or one task for the driver.
    fn request(&mut self, value: &Value, id: Id, method: &str, asked: Asked) {
        let Asked { sent, mut calls, mut lists, aborted, faults } = asked;
        assert_eq!((sent.len() + calls.len() + lists.len(), aborted.len(), faults), (1, 0, 0), "{value}");
        let era = era_of(value);
        let is_open = era == Era::Stateless || self.has_handshake;
        if let Some(answer) = sent.first() {
            check_answer(answer, &id, era);
            if method == "initialize" && answer.get("result").is_some() {
                (self.has_handshake, self.known) = (true, None);
            }
            let answers = ["initialize", "ping", "server/discover"].contains(&method);
            assert!(answers || answer.get("error").is_some(), "{value}");
        }
        let is_taken = self.open.iter().any(|open| open.id == id);
        if let Some((run, name, arguments, wants_progress)) = calls.pop() {
            assert!(method == "tools/call" && is_open && !is_taken && self.open.len() < self.capacity, "{value}");
            assert_eq!(value["params"]["name"], name.as_str(), "{value}");
            assert!(
                value["params"].get("arguments").map_or(arguments == json!({}), |own| *own == arguments),
                "{value}"
            );
            let token = value["params"]["_meta"].get("progressToken").filter(|token| !token.is_null()).cloned();
            assert_eq!(wants_progress, token.is_some(), "{value}");
            assert!(self.open.iter().all(|open| open.run != run) && !self.ended.contains(&run), "{value}");
            self.open.push(Open { run, id, era, name, token, progress: f64::NEG_INFINITY });
        } else if let Some((own, to_be)) = lists.pop() {
            assert!(method == "tools/list" && is_open && own == id && to_be == era, "{value}");
            self.lists.push((own, to_be));
        } else if method == "tools/call" && is_taken {
            assert!([-32_600, -32_602, -32_022].contains(&sent[0]["error"]["code"].as_i64().unwrap()), "{value}");
        }
    }

    fn notification(&mut self, value: &Value, method: &str, asked: &Asked) {
        assert!(asked.sent.is_empty() && asked.calls.is_empty() && asked.lists.is_empty(), "{value}");
        let cancelled =
            if method == "notifications/cancelled" { reading::id(&value["params"]["requestId"]) } else { None };
        let victim = self.open.iter().position(|open| cancelled.as_ref() == Some(&open.id));
        let aborted = victim.map(|at| self.end(at).run);
        assert_eq!(asked.aborted, aborted.into_iter().collect::<Vec<_>>(), "{value}");
        if method == "notifications/initialized" && self.has_handshake && self.known.is_none() {
            self.known = Some(self.version);
        }
    }

    /// A run ends, perhaps for the second time.
    fn outcome(&mut self, rng: &mut Rng) {
        if let Some(at) = rng.place(&self.ended).filter(|_| rng.once_in(4)) {
            let (run, result) = (self.ended[at].clone(), json!({ "content": [] }));
            let input = match rng.once_in(2) {
                true => Input::Returned { run, outcome: Ok(result), versions: self.versions() },
                false => Input::Unknown { run, name: "gone".into() },
            };
            assert!(self.step(input).is_nothing(), "it had ended");
            return;
        }
        let Some(at) = rng.place(&self.open) else { return };
        let Open { run, id, era, name, .. } = self.end(at);
        if name == "gone" || rng.once_in(8) {
            let asked = self.step(Input::Unknown { run, name });
            assert_eq!((asked.sent.len(), &asked.sent[0]["error"]["code"]), (1, &json!(-32_602)));
            check_answer(&asked.sent[0], &id, era);
            return;
        }
        let result = outcome(rng);
        rng.tell(|| format!("the run of {id:?} gives {result}"));
        let asked = self.step(Input::Returned { run, outcome: Ok(result), versions: self.versions() });
        let rest = self.after_notice(&asked);
        assert!(rest.len() == 1 && rest[0].get("result").is_some());
        check_answer(&rest[0], &id, era);
    }

    fn list(&mut self, rng: &mut Rng) {
        let Some(at) = rng.place(&self.lists) else { return };
        let (id, era) = self.lists.swap_remove(at);
        let input = Input::Listed {
            id: id.clone(),
            era,
            offset: 0,
            tools: json!([{ "name": "echo" }]),
            versions: self.versions(),
        };
        let asked = self.step(input);
        let rest = self.after_notice(&asked);
        if !self.is_closed {
            assert_eq!(rest.len(), 1);
            check_answer(&rest[0], &id, era);
        }
    }

    fn progress(&mut self, rng: &mut Rng) {
        let progress = *rng.pick(&[0.0, 1.0, 2.5, 2.5, 1e300, -1.0, f64::NAN, f64::INFINITY]);
        let total = Some(*rng.pick(&[10.0, f64::NAN])).filter(|_| rng.once_in(2));
        let step = Progress { progress, total, message: None };
        if let Some(at) = rng.place(&self.ended).filter(|_| rng.once_in(4)) {
            let run = self.ended[at].clone();
            assert!(self.step(Input::Progressed { run, step }).is_nothing(), "it had ended");
            return;
        }
        let Some(at) = rng.place(&self.open) else { return };
        let asked = self.step(Input::Progressed { run: self.open[at].run.clone(), step });
        let open = &mut self.open[at];
        let is_due = open.token.is_some() && progress.is_finite() && progress > open.progress;
        assert_eq!(asked.sent.len(), usize::from(is_due));
        if is_due {
            open.progress = progress;
            let params = &asked.sent[0]["params"];
            assert_eq!(asked.sent[0]["method"], "notifications/progress");
            assert_eq!(reading::id(&params["progressToken"]), open.token.as_ref().and_then(reading::id));
            assert_eq!(params["progress"].as_f64(), Some(progress));
        }
    }

    /// The carrier refuses what was sent: an error takes a result's place, and nothing takes an error's.
    fn unsendable(&mut self, rng: &mut Rng) {
        let frame = match rng.place(&self.sent) {
            Some(at) if !rng.once_in(16) => self.sent.swap_remove(at),
            _ => values::frame(rng),
        };
        rng.tell(|| format!("unsendable: {frame}"));
        let asked = self.step(Input::Unsendable { frame: frame.clone(), reason: "DataCloneError".into() });
        if self.is_closed {
            return;
        }
        let is_result = frame.get("result").is_some();
        assert_eq!((asked.sent.len(), asked.faults), (usize::from(is_result), 1), "{frame}");
        if is_result {
            assert_eq!(asked.sent[0]["error"]["code"], -32_603, "{frame}");
            assert_eq!(asked.sent[0].get("id").and_then(reading::id), reading::id(&frame["id"]), "{frame}");
        }
    }

    fn close(&mut self) {
        let asked = self.step(Input::Close);
        assert!(asked.sent.is_empty());
        assert_eq!(asked.aborted.len(), self.open.len());
        assert!(self.open.iter().all(|open| asked.aborted.contains(&open.run)));
        while !self.open.is_empty() {
            self.end(0);
        }
        self.is_closed = true;
    }

    fn check(&self) {
        assert_eq!(self.session.in_flight(), self.open.len());
        assert!(self.open.iter().all(|open| self.session.is_running(&open.run)));
        assert!(!self.ended.iter().any(|run| self.session.is_running(run)));
    }
}

/// What a handler's outcome becomes; handlers may return results with members of their own.
fn outcome(rng: &mut Rng) -> Value {
    match rng.below(4) {
        0 => result::from_failure("no"),
        1 => {
            let mut own = json!({ "content": [], "_meta": { "x": 1 }, "resultType": "complete" });
            values::mutate(rng, &mut own);
            // What comes of a wish for input is another target's to say.
            if own["resultType"] == "input_required" {
                own["resultType"] = json!("other");
            }
            result::from_value(&own, false)
        }
        _ => result::from_value(&values::any(rng, 2), rng.once_in(2)),
    }
}

pub fn case(rng: &mut Rng) -> u64 {
    let mut model = Model::new(rng);
    let steps = 1 + rng.below(80);
    for _ in 0..steps {
        match rng.below(40) {
            0..20 => {
                let value = values::frame(rng);
                rng.tell(|| format!("frame: {value}"));
                model.frame(&value);
            }
            20 => {
                let asked = model.step(Input::Garbled);
                assert_eq!(asked.sent.len(), usize::from(!model.is_closed));
                assert!(asked.sent.iter().all(|frame| frame["error"]["code"] == -32_700));
            }
            21..27 => model.outcome(rng),
            27..30 => model.list(rng),
            30..33 => model.progress(rng),
            33 | 34 => model.unsendable(rng),
            35 | 36 => model.version += 1,
            37 | 38 => {
                let asked = model.step(Input::Announce(model.versions()));
                assert!(model.after_notice(&asked).is_empty());
            }
            _ if rng.once_in(4) => model.close(),
            _ => {}
        }
        model.check();
    }
    if !model.is_closed {
        model.close();
    }
    model.check();
    steps as u64
}
