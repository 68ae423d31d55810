//! A report as JavaScript sees it.

use super::raw;
use crate::core::webmcp::Report;
use wasm_bindgen::prelude::*;

/// A report's strings, to be handed over all at once.
#[derive(Default)]
struct Strings {
    text: String,
    lengths: Vec<u32>,
}

impl Strings {
    fn add(&mut self, string: &str) {
        self.text.push_str(string);
        // JavaScript counts in UTF-16: one for each character, two for those that take four bytes here.
        let mut length = 0;
        for byte in string.bytes() {
            length += u32::from(byte & 0xC0 != 0x80) + u32::from(byte >= 0xF0);
        }
        self.lengths.push(length);
    }
}

/// `{ registered, unchanged, released, skipped, blocked, names }`.
pub fn report_to_js(report: &Report) -> JsValue {
    let mut strings = Strings::default();
    for list in [&report.registered, &report.unchanged, &report.released] {
        for name in list {
            strings.add(name);
        }
    }
    for (name, refusal) in &report.skipped {
        strings.add(name);
        strings.add(refusal.code.word());
        strings.add(&refusal.reason);
    }
    for (name, refusal) in &report.blocked {
        strings.add(name);
        strings.add(refusal.by.word());
        strings.add(&refusal.reason);
    }
    for (tool, registered) in &report.renamed {
        strings.add(tool);
        strings.add(registered);
    }
    let counts = [
        report.registered.len(),
        report.unchanged.len(),
        report.released.len(),
        report.skipped.len(),
        report.blocked.len(),
        report.renamed.len(),
    ];
    raw::report(&strings.text, &strings.lengths, &counts)
}
