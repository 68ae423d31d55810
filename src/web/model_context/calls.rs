//! Calls of published tools by the registry, and what links each one to the browser's events about it.

use super::{Inner, raw};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::webmcp::envelope;
use crate::json::Json;
use crate::web::error::{describe, to_js};
use crate::web::run::{self, Callbacks, Order};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// How many calls are kept for an event that may still come, or never.
const KEPT: usize = 64;

/// The calls the browser may still have an event for.
#[derive(Default)]
pub struct Calls {
    last: u32,
    /// Whether the events are heard.
    hears: bool,
    /// Calls whose `toolactivated` has not come: it follows the start of the tool.
    starting: Vec<(Rc<str>, u32)>,
    /// Calls that run, or that were cancelled and whose `toolcancel` has not come.
    open: Vec<Open>,
}

struct Open {
    name: Rc<str>,
    call: u32,
    signal: JsValue,
    ended: bool,
}

impl Calls {
    fn begin(&mut self, name: Rc<str>, signal: JsValue) -> u32 {
        self.last = self.last.wrapping_add(1);
        if self.hears {
            // Browsers that fire no `toolactivated` leave these standing.
            if self.starting.len() >= KEPT {
                self.starting.remove(0);
            }
            self.starting.push((name.clone(), self.last));
        }
        self.open.push(Open { name, call: self.last, signal, ended: false });
        let surplus = self.open.iter().filter(|open| open.ended).count().saturating_sub(KEPT);
        for _ in 0..surplus {
            let oldest = self.open.iter().position(|open| open.ended);
            oldest.map(|place| self.open.remove(place));
        }
        self.last
    }

    /// The events are heard from now on. A call that was begun before may still be cancelled.
    pub fn hear(&mut self) {
        self.hears = true;
    }

    fn end(&mut self, call: u32) {
        self.open.retain_mut(|open| {
            open.ended |= open.call == call;
            open.call != call || is_aborted(&open.signal)
        });
    }

    /// The call that a `toolactivated` of this name is about, if it is one of ours.
    pub fn activated(&mut self, name: &str) -> Option<u32> {
        let place = self.starting.iter().position(|(starting, _)| &**starting == name)?;
        Some(self.starting.remove(place).1)
    }

    /// The call that a `toolcancel` of this name is about, if it is one of ours.
    pub fn cancelled(&mut self, name: &str) -> Option<u32> {
        let place = self.open.iter().position(|open| &*open.name == name && is_aborted(&open.signal))?;
        Some(self.open.remove(place).call)
    }
}

fn is_aborted(signal: &JsValue) -> bool {
    signal.member("aborted").is_some_and(|aborted| aborted.is_truthy())
}

/// Runs the tool a registration stands for. Whatever comes of it is said in the way the
/// publication asked for: as an MCP result, which survives the browser, or as it is.
pub fn answer(
    weak: &Weak<Inner>,
    number: u32,
    input: JsValue,
    signal: JsValue,
    resolve: js_sys::Function,
    reject: js_sys::Function,
) {
    let refuse = |words: &str| fail(&resolve, words);
    let Some(inner) = weak.upgrade() else { return refuse("The tool was withdrawn.") };
    let route = inner.pump.look(|bridge| bridge.route(number)).flatten();
    let call = route.as_ref().map(|route| inner.calls.borrow_mut().begin(route.registered.clone(), signal.clone()));
    let tool = route.as_ref().and_then(|route| inner.manager(route.manager)?.get(&route.tool));
    let (Some(route), Some(tool)) = (route, tool) else { return refuse("The tool was withdrawn.") };
    if !Json::is_object(&input) {
        return refuse("The arguments must be an object.");
    }
    let has_output_schema = tool.has_output_schema();
    let (caller, params) = (run::caller("registry", None, None), JsValue::UNDEFINED);
    let (raw, weak) = (route.raw, weak.clone());
    let owner = Callbacks::new(
        Box::new(move |outcome| {
            if let (Some(inner), Some(call)) = (weak.upgrade(), call) {
                inner.calls.borrow_mut().end(call);
            }
            match (raw, outcome.value) {
                // A symbol would kill the renderer; the browser's own way of saying "failed" is a rejection.
                (true, Ok(value)) if value.is_symbol() => {
                    settle(&reject, &to_js(&Error::new(Code::ToolError, "The tool returned a symbol.")));
                }
                (true, Ok(value)) => settle(&resolve, &raw::settled(&value)),
                (true, Err(thrown)) => settle(&reject, &thrown),
                (false, Ok(value)) => settle(&resolve, &raw::escaped(&envelope::enclose(&value, has_output_schema))),
                (false, Err(thrown)) => fail(&resolve, &describe(&thrown)),
            }
        }),
        None,
    );
    run::start(Order { tool, arguments: input, caller, params, signal, is_heard: false, owner });
}

pub(super) fn settle(function: &js_sys::Function, value: &JsValue) {
    drop(function.call1(&JsValue::UNDEFINED, value));
}

fn fail(resolve: &js_sys::Function, words: &str) {
    settle(resolve, &raw::escaped(&envelope::enclose_failure::<JsValue>(words)));
}
