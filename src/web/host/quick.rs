//! What quick.js needs of a client to call tools by itself, and how a call of it becomes the client's.

use super::client::{Client, Waiter};
use crate::core::client::{Input, Manner, Request};
use crate::core::revision::{Era, Revision};
use crate::json::{Key, Word};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

impl Client {
    /// Calls tools by quick.js, over a port: a function of `(name, args)` that gives a promise, or undefined for
    /// what is not quick. `enter` gives whoever waits a number in `waiters`. There is no such function where
    /// somebody wants to see every frame, or has limits of their own.
    pub fn quick(self: &Rc<Self>, enter: &JsValue) -> Option<JsValue> {
        let link = self.link.borrow().clone()?;
        let era = self.pump.look(|core| core.revision().map(Revision::era)).flatten()?;
        if !self.options.limits.has_usual_calls() || self.options.on_frame.is_some() {
            return None;
        }
        let meta = self.pump.look(|core| (era == Era::Stateless).then(|| core.meta().clone())).flatten();
        let (weak, own) = (Rc::downgrade(self), Rc::downgrade(self));
        let ids = move |count| {
            let first = weak.upgrade().and_then(|client| client.pump.change(|core| core.reserve(count)));
            first.unwrap_or_default() as f64
        };
        let hand = move |id: f64, name, arguments, waiter, sent| {
            let Some(client) = own.upgrade() else { return };
            let params = vec![(Key::Name, name), (Key::Arguments, arguments)];
            let manner = Manner { anew: true, ..Manner::default() };
            let waiter = Waiter::Script(waiter);
            let request = Request { method: Word::Known(Key::ToolsCall), params, extra: None, waiter, manner };
            client.feed(Input::Adopt { id: id as i64, sent, request });
        };
        Some(link.call_over(&meta.unwrap_or_default(), enter, ids, hand))
    }
}
