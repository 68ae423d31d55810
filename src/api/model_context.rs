//! The handle behind `ModelContext`.

use super::tools::ToolsHandle;
use crate::core::error::Error;
use crate::core::webmcp::{Describe, Options};
use crate::json::Json;
use crate::web::{self, AdoptOptions, ModelContext, ModelContextEvent as Event};
use js_sys::{Array, Function, Promise};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The bridge of one document.
#[wasm_bindgen(js_name = ModelContextHandle)]
pub struct ModelContextHandle {
    bridge: ModelContext,
}

/// The bridge of a document, by default the page's own; nothing if it has no registry. `on_event`
/// hears a word and a detail.
#[wasm_bindgen(js_name = modelContextOf)]
pub fn model_context_of(document: JsValue, on_event: Function) -> Option<ModelContextHandle> {
    let document = if document.is_undefined() { ModelContext::current_document() } else { document };
    let tell = move |word: &str, detail: &JsValue| {
        drop(on_event.call2(&JsValue::UNDEFINED, &JsValue::from_str(word), detail));
    };
    let about = |name: &str, call: Option<u32>| -> JsValue { Array::of2(&name.into(), &call.into()).into() };
    let on_event = Rc::new(move |event| match event {
        Event::Changed(changes) => tell("toolchange", &changes),
        Event::Activated(name, call) => tell("toolactivated", &about(&name, call)),
        Event::Cancelled(name, call) => tell("toolcancel", &about(&name, call)),
        Event::Followed(report) => tell("report", &web::report_to_js(&report)),
    });
    ModelContext::open(&document, on_event).map(|bridge| ModelContextHandle { bridge })
}

/// Whether a document's registry can be used: a word and a sentence.
#[wasm_bindgen(js_name = probeModelContext)]
pub fn probe_model_context(document: JsValue) -> Promise {
    let document = if document.is_undefined() { ModelContext::current_document() } else { document };
    ModelContext::probing(&document)
}

#[wasm_bindgen(js_class = ModelContextHandle)]
impl ModelContextHandle {
    /// Publishes a manager; `done` hears the error, if any, and the report.
    #[allow(clippy::too_many_arguments, reason = "plain values cross more cheaply than an object of options")]
    pub fn publish(
        &self,
        tools: &ToolsHandle,
        origins: JsValue,
        map_names: bool,
        strict: bool,
        raw: bool,
        fallback: bool,
        done: Function,
    ) {
        let describe = if fallback { Describe::Fallback } else { Describe::Require };
        let options = Options { origins: strings(&origins).map(Rc::from), map_names, strict, raw, describe };
        let done = move |report, error: Option<Error>| {
            let error = error.as_ref().map_or(JsValue::UNDEFINED, web::to_js);
            drop(done.call2(&JsValue::UNDEFINED, &error, &web::report_to_js(&report)));
        };
        self.bridge.publish_then(&tools.manager, options, Box::new(done));
    }

    /// Adopts the registry's tools; `done` hears the error, if any, and the tools.
    #[allow(clippy::too_many_arguments, reason = "plain values cross more cheaply than an object of options")]
    pub fn adopt(&self, origins: JsValue, only: bool, debugging: bool, foreign: bool, no_frames: bool, done: Function) {
        let options = AdoptOptions { origins: strings(&origins), only, debugging, foreign, no_frames };
        self.bridge.adopt_then(options, move |outcome| tell(&done, outcome.map(JsValue::array)));
    }

    /// Keeps a manager filled with the registry's tools; `done` hears the error, if any, after the
    /// first listing.
    #[wasm_bindgen(js_name = adoptLive)]
    pub fn adopt_live(
        &self,
        tools: &ToolsHandle,
        origins: JsValue,
        only: bool,
        debugging: bool,
        no_frames: bool,
        done: Function,
    ) {
        let options = AdoptOptions { origins: strings(&origins), only, debugging, foreign: true, no_frames };
        let done = move |outcome: Result<(), JsValue>| tell(&done, outcome.map(|()| JsValue::UNDEFINED));
        self.bridge.adopt_live_then(options, tools.manager.clone(), done);
    }

    /// From now on `toolchange` tells what changed.
    pub fn watch(&self, calls: bool) {
        if calls {
            self.bridge.hear_calls();
        } else {
            self.bridge.watch();
        }
    }

    /// How things stand.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> JsValue {
        web::report_to_js(&self.bridge.status())
    }

    /// Whether it was destroyed.
    #[wasm_bindgen(getter)]
    pub fn destroyed(&self) -> bool {
        self.bridge.is_destroyed()
    }

    /// Releases everything.
    pub fn destroy(&self) {
        self.bridge.destroy();
    }
}

fn tell(done: &Function, outcome: Result<JsValue, JsValue>) {
    let (error, value) = match outcome {
        Ok(value) => (JsValue::UNDEFINED, value),
        Err(error) => (error, JsValue::UNDEFINED),
    };
    drop(done.call2(&JsValue::UNDEFINED, &error, &value));
}

/// The strings of an array. What is not a string becomes an empty one, which no rule accepts.
fn strings(value: &JsValue) -> Option<Vec<String>> {
    let mut strings = Vec::new();
    for item in value.items()? {
        strings.push(item.as_string().unwrap_or_default());
    }
    Some(strings)
}
