//! A report as JavaScript sees it.

use crate::core::webmcp::{Refusal, Report};
use crate::json::{Json, Key};
use crate::web::raw::set;
use js_sys::Array;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// `{ registered, unchanged, released, skipped, blocked, names }`.
pub fn report_to_js(report: &Report) -> JsValue {
    let skipped = Array::new();
    for (name, Refusal { code, reason }) in &report.skipped {
        skipped.push(&JsValue::object(&[
            (Key::Name, JsValue::from_str(name)),
            (Key::Code, JsValue::from_str(code.word())),
            (Key::Reason, JsValue::from_str(reason)),
        ]));
    }
    let blocked = Array::new();
    for (name, refusal) in &report.blocked {
        let entry = JsValue::object(&[(Key::Name, JsValue::from_str(name))]);
        put(&entry, "by", &JsValue::from_str(&refusal.reason));
        blocked.push(&entry);
    }
    let renamed = JsValue::object(&[]);
    for (tool, registered) in &report.renamed {
        put(&renamed, tool, &JsValue::from_str(registered));
    }
    let object = JsValue::object(&[]);
    put(&object, "registered", &names(&report.registered));
    put(&object, "unchanged", &names(&report.unchanged));
    put(&object, "released", &names(&report.released));
    put(&object, "skipped", &skipped);
    put(&object, "blocked", &blocked);
    put(&object, "names", &renamed);
    object
}

fn names(list: &[Rc<str>]) -> JsValue {
    let names = Array::new();
    for name in list {
        names.push(&JsValue::from_str(name));
    }
    names.into()
}

fn put(object: &JsValue, name: &str, value: &JsValue) {
    set(object, &JsValue::from_str(name), value);
}
