//! Running tools. Whoever wants one run, be it a session, the browser's registry or the page
//! itself, comes here; each run ends once, by its outcome or by being aborted.

use super::raw;
use super::tool::{CoreTool, Handler};
use crate::core::message::Id;
use crate::core::slots::Slots;
use crate::core::tool::result;
use crate::json::{Json, Key};
use futures_util::future::{AbortHandle, abortable};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// One step of progress.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// How far it is; rises from step to step.
    pub progress: f64,
    /// How far it goes.
    pub total: Option<f64>,
    /// What it is at.
    pub message: Option<String>,
}

impl Progress {
    /// The same as a script gives and takes it.
    pub fn to_js(&self) -> JsValue {
        let mut members = vec![(Key::Progress, JsValue::from_f64(self.progress))];
        members.extend(self.total.map(|total| (Key::Total, JsValue::from_f64(total))));
        members.extend(self.message.as_ref().map(|message| (Key::Message, JsValue::from_str(message))));
        JsValue::object(members)
    }
}

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
            // A result made by hand may run its author's code at every look, so it is copied once, here.
            Ok(value) if result::is_result(&value) => {
                raw::copied(&value).unwrap_or_else(|thrown| result::from_uncarriable(&raw::describe(&thrown)))
            }
            Ok(value) => result::from_value(&value, self.has_output_schema),
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

enum Stop {
    Script(JsValue),
    Rust(AbortHandle),
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
        let progressed = Closure::<dyn Fn(u32, JsValue)>::new(|run, step: JsValue| report(run, read_progress(&step)));
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
    match tool.handler() {
        Handler::Script => {
            let context = raw::new_context(run, &runs.hooks, &caller, &signal);
            enter(run, Run { tool: tool.clone(), done, progress, stop: Stop::Script(context.clone()) });
            raw::invoke(tool.dictionary(), &arguments, &context, run, &runs.hooks);
        }
        Handler::Rust(handler) => {
            let (future, stop) = abortable(handler(arguments, Context { run }));
            enter(run, Run { tool: tool.clone(), done, progress, stop: Stop::Rust(stop) });
            super::spawn::spawn(async move {
                if let Ok(outcome) = future.await {
                    end(run, outcome.map_err(|message| JsValue::from_str(&message)));
                }
            });
        }
    }
    let still_runs = runs.table.borrow().contains(&key(run));
    still_runs.then_some(run)
}

/// Tells a running tool that nobody waits for it; its outcome will reach nobody.
pub fn abort(run: u32, reason: &str) {
    let Some(run) = take(run) else { return };
    match run.stop {
        Stop::Script(context) => raw::abort_context(&context, reason),
        Stop::Rust(handle) => handle.abort(),
    }
}

/// How many tools are running.
pub fn in_flight() -> usize {
    runs().table.borrow().len()
}

fn key(run: u32) -> Id {
    Id::Number(i64::from(run))
}

fn enter(run: u32, entry: Run) {
    runs().table.borrow_mut().insert(key(run), entry);
}

fn take(run: u32) -> Option<Run> {
    runs().table.borrow_mut().remove(&key(run))
}

fn end(run: u32, value: Result<JsValue, JsValue>) {
    let Some(run) = take(run) else { return };
    (run.done)(Outcome { value, has_output_schema: run.tool.has_output_schema() });
}

fn report(run: u32, progress: Progress) {
    let receiver = runs().table.borrow().get(&key(run)).and_then(|run| run.progress.clone());
    if let Some(receiver) = receiver {
        receiver(progress);
    }
}

/// Reads what a script reported. A step without a number is one the protocol drops.
fn read_progress(step: &JsValue) -> Progress {
    let number = |key| step.get(key).and_then(|value| Json::as_f64(&value));
    Progress {
        progress: number(Key::Progress).unwrap_or(f64::NAN),
        total: number(Key::Total),
        message: step.text(Key::Message),
    }
}

/// Who calls, as a tool sees it.
pub fn caller(via: &str, client: Option<JsValue>) -> JsValue {
    let caller = JsValue::object(vec![]);
    raw::set(&caller, &JsValue::from_str("via"), &JsValue::from_str(via));
    if let Some(client) = client {
        raw::set(&caller, &JsValue::from_str("client"), &client);
    }
    caller
}
