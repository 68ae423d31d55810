//! The handle behind `ToolManager`.

use crate::json::Json;
use crate::web::{self, Follower, Progress, ToolManager};
use js_sys::{Array, Function};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A manager of tools.
#[wasm_bindgen(js_name = ToolsHandle)]
pub struct ToolsHandle {
    pub(super) manager: ToolManager,
    _follower: Follower,
}

#[wasm_bindgen(js_class = ToolsHandle)]
impl ToolsHandle {
    /// `on_change` hears the names that were added and removed.
    #[wasm_bindgen(constructor)]
    pub fn new(on_change: Function) -> ToolsHandle {
        let manager = ToolManager::new();
        let follower = manager.follow(move |changes| {
            let names = |pick: fn(&web::Changed) -> Option<&str>| -> Array {
                let names = Array::new();
                for name in changes.iter().filter_map(pick) {
                    names.push(&JsValue::from_str(name));
                }
                names
            };
            let added = names(|change| change.added.as_ref().map(|tool| &**tool.name()));
            let removed = names(|change| change.removed.as_ref().map(|tool| &**tool.name()));
            // A listener that throws is the event dispatcher's to report.
            let _ = on_change.call2(&JsValue::UNDEFINED, &added, &removed);
        });
        ToolsHandle { manager, _follower: follower }
    }

    /// Adds a tool; gives its name, as it was read, and the number of this addition.
    pub fn add(&self, tool: JsValue) -> Result<Array, JsValue> {
        let tool = web::from_script(tool).map_err(|error| web::to_js(&error))?;
        let name = JsValue::from_str(tool.name());
        Ok(Array::of2(&name, &JsValue::from_f64(self.manager.put(tool) as f64)))
    }

    /// Removes the tool of that name.
    pub fn remove(&self, name: &str) -> bool {
        self.manager.remove(name)
    }

    /// Removes the tool of that name if this addition put it there.
    #[wasm_bindgen(js_name = removeAddition)]
    pub fn remove_addition(&self, name: &str, serial: f64) -> bool {
        self.manager.remove_addition(name, serial as u64)
    }

    /// The tool of that name as its author wrote it.
    pub fn get(&self, name: &str) -> JsValue {
        self.manager.get(name).map_or(JsValue::UNDEFINED, |tool| tool.dictionary().clone())
    }

    /// Removes every tool.
    pub fn clear(&self) {
        self.manager.clear();
    }

    /// How many tools there are.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.manager.len()
    }

    /// Every tool as its author wrote it.
    pub fn all(&self) -> Array {
        let tools = Array::new();
        for tool in self.manager.all() {
            tools.push(tool.dictionary());
        }
        tools
    }

    /// Runs a tool; `done` hears the result. The number is for `abort`, if the tool still runs.
    pub fn call(
        &self,
        name: &str,
        arguments: JsValue,
        signal: JsValue,
        progress: Option<Function>,
        done: Function,
    ) -> Result<Option<u32>, JsValue> {
        if !Json::is_object(&arguments) {
            return Err(super::invalid("the arguments of a tool must be an object"));
        }
        let progress: Option<web::OnProgress> = progress.map(|progress| {
            Rc::new(move |step: Progress| drop(progress.call1(&JsValue::UNDEFINED, &step.to_json(vec![]))))
                as web::OnProgress
        });
        let done = Box::new(move |outcome: web::Outcome| drop(done.call1(&JsValue::UNDEFINED, &outcome.into_result())));
        self.manager.start(name, arguments, signal, progress, done).map_err(|error| web::to_js(&error))
    }

    /// Stops waiting for a run; its signal aborts.
    pub fn abort(&self, run: u32, reason: &str) {
        web::abort_run(run, reason);
    }
}
