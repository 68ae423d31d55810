//! Running tools. Whoever wants one run, be it a session, the browser's registry or the page
//! itself, comes here; each run ends once, by its outcome or by being aborted.

use super::raw;
use super::tool::{CoreTool, Handler};
use crate::core::message::Id;
use crate::core::slots::Slots;
pub use crate::core::tool::Progress;
use crate::core::tool::result;
use crate::json::{Json, Kind};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Receives progress.
pub type OnProgress = Rc<dyn Fn(Progress)>;

/// Receives the outcome.
pub type OnDone = Box<dyn FnOnce(Outcome)>;

/// How a run ended.
pub struct Outcome {
    /// What the tool returned, or what it threw.
    pub value: Result<JsValue, JsValue>,
    has_output_schema: bool,
}

impl Outcome {
    /// The outcome as a `CallToolResult`, whatever the tool returned or threw.
    pub fn into_result(self) -> JsValue {
        match self.value {
            Ok(value) => match value.kind() {
                // A result made by hand may run its author's code at every look, so it is copied once, here.
                Kind::Object if result::is_result(&value) => {
                    raw::copied(&value).unwrap_or_else(|thrown| result::from_uncarriable(&raw::describe(&thrown)))
                }
                kind => result::from_data(&value, kind, self.has_output_schema),
            },
            Err(thrown) => result::from_failure(&raw::describe(&thrown)),
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
    /// The caller's own signal, if it has one.
    pub signal: JsValue,
    /// Where progress goes.
    pub progress: Option<OnProgress>,
}

struct Run {
    tool: Rc<CoreTool>,
    done: OnDone,
    progress: Option<OnProgress>,
    stop: Stop,
}

impl Run {
    fn end(self, value: Result<JsValue, JsValue>) {
        (self.done)(Outcome { value, has_output_schema: self.tool.has_output_schema() });
    }
}

enum Stop {
    /// It has not returned yet.
    Starting,
    Script(JsValue),
    Rust(Box<dyn FnOnce()>),
}

/// What a Rust handler is given beside its arguments. Cancellation needs no look: the handler's
/// future is dropped.
#[derive(Clone)]
pub struct Context {
    run: u32,
}

impl Context {
    /// Reports progress; ignored when the caller did not ask for it.
    pub fn progress(&self, progress: Progress) {
        report(self.run, progress);
    }
}

struct Runs {
    table: RefCell<Slots<Run>>,
    next: Cell<u32>,
    hooks: JsValue,
    _closures: [Box<dyn std::any::Any>; 3],
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
        let progressed = Closure::<dyn Fn(u32, JsValue)>::new(|run, step: JsValue| report(run, Progress::read(&step)));
        let hooks = raw::new_hooks(returned.as_ref(), threw.as_ref(), progressed.as_ref());
        let closures: [Box<dyn std::any::Any>; 3] = [Box::new(returned), Box::new(threw), Box::new(progressed)];
        Runs { table: RefCell::new(Slots::default()), next: Cell::new(0), hooks, _closures: closures }
    }
}

/// Runs a tool. `done` hears the outcome, perhaps before this returns; then there is no number to
/// abort the run by.
pub fn start(order: Order, done: OnDone) -> Option<u32> {
    let runs = runs();
    let run = runs.next.get().wrapping_add(1);
    runs.next.set(run);
    let Order { tool, arguments, caller, signal, progress } = order;
    let asks = progress.is_some();
    let entry = Run { tool: tool.clone(), done, progress, stop: Stop::Starting };
    match tool.handler() {
        Handler::Script => {
            // Most tools answer at once; only one that may report progress must be found while it runs.
            let mut entry = Some(entry);
            if asks {
                enter(run, entry.take());
            }
            let status = raw::invoke(tool.dictionary(), &arguments, run, &runs.hooks, &caller, &signal);
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
            let done = move |outcome: Result<JsValue, String>| {
                if let Some(entry) = take(run) {
                    entry.end(outcome.map_err(|message| JsValue::from_str(&message)));
                }
            };
            let stop = handler(arguments, Context { run }, Box::new(done));
            let mut table = runs.table.borrow_mut();
            table.get_mut(&key(run))?.stop = Stop::Rust(stop);
            Some(run)
        }
    }
}

/// Tells a running tool that nobody waits for it; its outcome will reach nobody.
pub fn abort(run: u32, reason: &str) {
    let Some(run) = take(run) else { return };
    match run.stop {
        Stop::Script(context) => raw::abort_context(&context, reason),
        Stop::Rust(stop) => stop(),
        Stop::Starting => {}
    }
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

fn report(run: u32, progress: Progress) {
    let receiver = runs().table.borrow().get(&key(run)).and_then(|run| run.progress.clone());
    if let Some(receiver) = receiver {
        receiver(progress);
    }
}

/// Who calls, as a tool sees it.
pub fn caller(via: &str, client: Option<JsValue>) -> JsValue {
    let caller = JsValue::object(&[]);
    raw::set(&caller, &JsValue::from_str("via"), &JsValue::from_str(via));
    if let Some(client) = client {
        raw::set(&caller, &JsValue::from_str("client"), &client);
    }
    caller
}
