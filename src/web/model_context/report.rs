//! A report as JavaScript sees it.

use crate::core::webmcp::{Refusal, Report};
use crate::json::{Json, Key};
use crate::web::raw::set;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// `{ registered, unchanged, released, skipped, blocked, names }`.
pub fn report_to_js(report: &Report) -> JsValue {
    let names = |names: &[Rc<str>]| JsValue::array(names.iter().map(|name| JsValue::from_str(name)).collect());
    let skipped = report.skipped.iter().map(|(name, Refusal { code, reason })| {
        JsValue::object(vec![
            (Key::Name, JsValue::from_str(name)),
            (Key::Code, JsValue::from_str(code.word())),
            (Key::Reason, JsValue::from_str(reason)),
        ])
    });
    let blocked = report.blocked.iter().map(|(name, refusal)| {
        let entry = JsValue::object(vec![(Key::Name, JsValue::from_str(name))]);
        put(&entry, "by", &JsValue::from_str(&refusal.reason));
        entry
    });
    let renamed = JsValue::object(vec![]);
    for (tool, registered) in &report.renamed {
        put(&renamed, tool, &JsValue::from_str(registered));
    }
    let object = JsValue::object(vec![]);
    put(&object, "registered", &names(&report.registered));
    put(&object, "unchanged", &names(&report.unchanged));
    put(&object, "released", &names(&report.released));
    put(&object, "skipped", &JsValue::array(skipped.collect()));
    put(&object, "blocked", &JsValue::array(blocked.collect()));
    put(&object, "names", &renamed);
    object
}

fn put(object: &JsValue, name: &str, value: &JsValue) {
    set(object, &JsValue::from_str(name), value);
}
