//! Running tools. Whoever wants one run, be it a session, the browser's registry or the page
//! itself, comes here; each run ends once, by its outcome or by being aborted.

use super::error::to_js;
use super::outcome::Outcome;
use super::raw;
use super::spawn::{Done, channel};
use super::tool::{CoreTool, Handler};
use crate::core::code::Code;
use crate::core::digits::decimal;
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::slots::Slots;
pub use crate::core::tool::Progress;
use crate::core::tool::result;
use crate::json::{Json, Key};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Receives progress.
pub type OnProgress = Rc<dyn Fn(Progress)>;

/// Receives the outcome.
pub type OnDone = Box<dyn FnOnce(Outcome)>;

/// Whoever wants a tool run.
pub trait Owner {
    /// The run ended.
    fn done(&self, outcome: Outcome);
    /// Something happened while it goes on. The error is what the tool is told at once.
    fn happened(&self, event: Event) -> Result<(), Error>;
}

/// What a running tool may do.
pub enum Event {
    /// It made progress.
    Progress(Progress),
    /// It asks its caller for something, to be answered by [`reply`] under this key.
    Ask {
        /// Names the answer.
        key: String,
        /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
        method: Key,
        /// Its parameters.
        params: JsValue,
    },
    /// It has something to say to its caller's log.
    Log {
        /// How grave it is.
        level: String,
        /// The data, and perhaps the logger.
        params: JsValue,
    },
}

/// An owner that is just callbacks: there is nobody to ask.
pub struct Callbacks {
    done: Cell<Option<OnDone>>,
    progress: Option<OnProgress>,
}

impl Callbacks {
    /// An owner that hears of progress, if it wants to, and of the end.
    pub fn new(done: OnDone, progress: Option<OnProgress>) -> Rc<Self> {
        Rc::new(Callbacks { done: Cell::new(Some(done)), progress })
    }
}

impl Owner for Callbacks {
    fn done(&self, outcome: Outcome) {
        if let Some(done) = self.done.take() {
            done(outcome);
        }
    }

    fn happened(&self, event: Event) -> Result<(), Error> {
        match event {
            Event::Progress(step) => {
                if let Some(progress) = &self.progress {
                    progress(step);
                }
                Ok(())
            }
            Event::Ask { .. } => Err(Error::new(Code::MissingCapability, result::NOBODY)),
            Event::Log { .. } => Ok(()),
        }
    }
}

/// What is asked for.
pub struct Order {
    /// The tool.
    pub tool: Rc<CoreTool>,
    /// Its arguments, an object.
    pub arguments: JsValue,
    /// Who asks, as the tool will see it.
    pub caller: JsValue,
    /// The parameters of the request, if there is one.
    pub params: JsValue,
    /// The caller's own signal, if it has one.
    pub signal: JsValue,
    /// Whether what it does before it returns reaches anybody.
    pub is_heard: bool,
    /// Whoever wants it run.
    pub owner: Rc<dyn Owner>,
}

struct Run {
    tool: Rc<CoreTool>,
    owner: Rc<dyn Owner>,
    stop: Stop,
}

impl Run {
    fn end(self, value: Result<JsValue, JsValue>) {
        self.owner.done(Outcome::new(value, self.tool.has_output_schema()));
    }
}

enum Stop {
    /// It has not returned yet.
    Starting,
    Script(JsValue),
    Rust {
        stop: Box<dyn FnOnce()>,
        waiting: Vec<(String, Answered)>,
    },
}

/// Is told what came of a question.
type Answered = Done<Result<JsValue, Error>>;

/// What a Rust handler is given beside its arguments. Cancellation needs no look: the handler's
/// future is dropped.
#[derive(Clone)]
pub struct Context {
    run: u32,
}

impl Context {
    /// Reports progress; ignored when the caller did not ask for it.
    pub fn progress(&self, progress: Progress) {
        let _ = tell(self.run, Event::Progress(progress));
    }

    /// Says something to the caller's log: a level of MCP's, such as `info`, and any data.
    pub fn log(&self, level: &str, data: &Value) {
        let params = JsValue::object(&[(Key::Data, JsValue::from_value(data))]);
        let _ = tell(self.run, Event::Log { level: level.to_owned(), params });
    }

    /// Asks a person through the caller (MCP, client/elicitation).
    pub async fn elicit(&self, params: &Value) -> Result<Value, Error> {
        self.ask(Key::Elicit, params).await
    }

    /// Asks the caller's model (MCP, client/sampling).
    pub async fn sample(&self, params: &Value) -> Result<Value, Error> {
        self.ask(Key::Sample, params).await
    }

    /// Asks for the caller's roots (MCP, client/roots).
    pub async fn roots(&self) -> Result<Value, Error> {
        self.ask(Key::RootsList, &Value::Object(Default::default())).await
    }

    async fn ask(&self, method: Key, params: &Value) -> Result<Value, Error> {
        let gone = || Error::new(Code::Closed, "The call has ended.");
        let (done, answered) = channel();
        let asked = runs().next_key();
        {
            let runs = runs();
            let mut table = runs.table.borrow_mut();
            match table.get_mut(&key(self.run)).map(|run| &mut run.stop) {
                Some(Stop::Rust { waiting, .. }) => waiting.push((asked.clone(), done)),
                _ => return Err(gone()),
            }
        }
        tell(self.run, Event::Ask { key: asked, method, params: JsValue::from_value(params) })?;
        let answer = answered.await.unwrap_or_else(|| Err(gone()))?;
        answer.to_value().map_err(|reason| Error::new(Code::InvalidResponse, reason))
    }
}

struct Runs {
    table: RefCell<Slots<Run>>,
    next: Cell<u32>,
    keys: Cell<u32>,
    hooks: JsValue,
    _closures: [Box<dyn std::any::Any>; 5],
}

thread_local! {
    static RUNS: Rc<Runs> = Rc::new(Runs::new());
}

fn runs() -> Rc<Runs> {
    RUNS.with(Rc::clone)
}

impl Runs {
    fn new() -> Self {
        let returned = Closure::<dyn Fn(u32, JsValue)>::new(|run, value: JsValue| end(run, Ok(value)));
        let threw = Closure::<dyn Fn(u32, JsValue)>::new(|run, thrown: JsValue| end(run, Err(thrown)));
        let progressed = Closure::<dyn Fn(u32, JsValue)>::new(|run, step: JsValue| {
            let _ = tell(run, Event::Progress(Progress::read(&step)));
        });
        let asked = Closure::<Asked>::new(|run, key: JsValue, method: JsValue, params: JsValue| {
            let key = key.as_string().unwrap_or_default();
            let method = method.as_word().unwrap_or(Key::Empty);
            tell(run, Event::Ask { key, method, params }).map_or_else(|error| to_js(&error), |()| JsValue::UNDEFINED)
        });
        let logged = Closure::<Logged>::new(|run, level: JsValue, params: JsValue| {
            let _ = tell(run, Event::Log { level: level.as_string().unwrap_or_default(), params });
        });
        let hooks =
            raw::new_hooks(returned.as_ref(), threw.as_ref(), progressed.as_ref(), asked.as_ref(), logged.as_ref());
        let closures: [Box<dyn std::any::Any>; 5] =
            [Box::new(returned), Box::new(threw), Box::new(progressed), Box::new(asked), Box::new(logged)];
        Runs {
            table: RefCell::new(Slots::default()),
            next: Cell::new(0),
            keys: Cell::new(0),
            hooks,
            _closures: closures,
        }
    }

    fn next_key(&self) -> String {
        self.keys.set(self.keys.get().wrapping_add(1));
        decimal(self.keys.get().into())
    }
}

type Asked = dyn Fn(u32, JsValue, JsValue, JsValue) -> JsValue;
type Logged = dyn Fn(u32, JsValue, JsValue);

/// Runs a tool. Its owner hears the outcome, perhaps before this returns; then there is no number to
/// abort the run by.
pub fn start(order: Order) -> Option<u32> {
    let runs = runs();
    let run = runs.next.get().wrapping_add(1);
    runs.next.set(run);
    let Order { tool, arguments, caller, params, signal, is_heard, owner } = order;
    let entry = Run { tool: tool.clone(), owner, stop: Stop::Starting };
    match tool.handler() {
        Handler::Script => {
            // Most tools answer at once; only one that is listened to must be found while it runs.
            let mut entry = Some(entry);
            if is_heard {
                enter(run, entry.take());
            }
            let status = raw::invoke(tool.dictionary(), &arguments, run, &runs.hooks, &caller, &params, &signal);
            let outcome = raw::take_outcome();
            let mut entry = entry.or_else(|| take(run))?;
            match status {
                0 => entry.end(Ok(outcome)),
                1 => entry.end(Err(outcome)),
                _ => {
                    entry.stop = Stop::Script(outcome);
                    enter(run, Some(entry));
                    return Some(run);
                }
            }
            None
        }
        Handler::Rust(handler) => {
            enter(run, Some(entry));
            let done = move |outcome| end(run, outcome);
            let stop = handler(arguments, Context { run }, Box::new(done));
            let mut table = runs.table.borrow_mut();
            table.get_mut(&key(run))?.stop = Stop::Rust { stop, waiting: Vec::new() };
            Some(run)
        }
    }
}

/// Tells a running tool that nobody waits for it; its outcome will reach nobody.
pub fn abort(run: u32, reason: &str) {
    let Some(run) = take(run) else { return };
    match run.stop {
        Stop::Script(context) => raw::abort_context(&context, reason),
        Stop::Rust { stop, .. } => stop(),
        Stop::Starting => {}
    }
}

/// Tells a running tool what came of its question.
pub fn reply(run: u32, asked: &str, outcome: Result<JsValue, Error>) {
    let runs = runs();
    let mut table = runs.table.borrow_mut();
    match table.get_mut(&key(run)).map(|run| &mut run.stop) {
        Some(Stop::Script(context)) => {
            let context = context.clone();
            drop(table);
            let (went_well, value) = match outcome {
                Ok(value) => (true, value),
                Err(error) => (false, to_js(&error)),
            };
            raw::reply(&context, asked, went_well, &value);
        }
        Some(Stop::Rust { waiting, .. }) => {
            let place = waiting.iter().position(|(key, _)| key == asked);
            let answered = place.map(|place| waiting.swap_remove(place).1);
            drop(table);
            if let Some(answered) = answered {
                answered(outcome);
            }
        }
        _ => {}
    }
}

/// What a running script's tool tells of itself by: functions that take its number first.
pub fn hooks() -> JsValue {
    runs().hooks.clone()
}

/// How many tools are running.
pub fn in_flight() -> usize {
    runs().table.borrow().len()
}

fn key(run: u32) -> Id {
    Id::Number(i64::from(run))
}

fn enter(run: u32, entry: Option<Run>) {
    if let Some(entry) = entry {
        runs().table.borrow_mut().insert(key(run), entry);
    }
}

fn take(run: u32) -> Option<Run> {
    runs().table.borrow_mut().remove(&key(run))
}

fn end(run: u32, value: Result<JsValue, JsValue>) {
    if let Some(run) = take(run) {
        run.end(value);
    }
}

fn tell(run: u32, event: Event) -> Result<(), Error> {
    let owner = runs().table.borrow().get(&key(run)).map(|run| run.owner.clone());
    match owner {
        Some(owner) => owner.happened(event),
        None => Err(Error::new(Code::Closed, "The call has ended.")),
    }
}

/// Who calls, as a tool sees it.
pub fn caller(via: &str, client: Option<JsValue>, capabilities: Option<JsValue>) -> JsValue {
    raw::caller(via, &client.unwrap_or_default(), &capabilities.unwrap_or_default())
}
