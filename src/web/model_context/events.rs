//! The registry's events, told on: with the call each is about, and with what changed.

use super::Inner;
use super::raw::{self, Looker, Stop};
use crate::core::webmcp::{Input, Report};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What a bridge tells of.
pub enum Event {
    /// The registry changed, once it is [watched](super::ModelContext::watch): `{ added, removed, changed }`, names of tools.
    Changed(JsValue),
    /// A tool of this document was called: its name, and the number of the call if it is ours.
    Activated(String, Option<u32>),
    /// A call of a tool of this document was cancelled: likewise.
    Cancelled(String, Option<u32>),
    /// A change that was followed made a difference.
    Followed(Report),
}

/// What the events need.
#[derive(Default)]
pub struct Events {
    listeners: RefCell<Vec<Stop>>,
    /// Whether `toolchange` is listened to. Each registration fires one, so it is left alone until it matters.
    hears_changes: Cell<bool>,
    /// Whether calls are listened for. Telling of one that nobody wants to hear of takes a fifth of what the call does.
    hears_calls: Cell<bool>,
    /// Compares listings, once somebody watches.
    watch: RefCell<Option<Looker>>,
}

impl Events {
    /// Whether changes are heard.
    pub fn hears_changes(&self) -> bool {
        self.hears_changes.get()
    }

    /// Hears and tells nothing any more.
    pub fn stop(&self) {
        self.hears_changes.set(true);
        self.hears_calls.set(true);
        for stop in self.listeners.take() {
            drop(stop.call0(&JsValue::UNDEFINED));
        }
        self.watch.take();
    }
}

impl Inner {
    /// Listens to the registry, and to the window, where some browsers fire the execution events.
    pub(super) fn hear_calls(self: &Rc<Self>) {
        if self.events.hears_calls.replace(true) {
            return;
        }
        self.calls.borrow_mut().hear();
        let weak = Rc::downgrade(self);
        let tell = raw::hook(move |cancelled, name, _, _, _| {
            if let (Some(inner), Some(name)) = (weak.upgrade(), name.as_string()) {
                inner.tell(name, cancelled != 0);
            }
        });
        self.events.listeners.borrow_mut().push(raw::listen(&self.document, &self.registry, &tell));
    }

    /// Listens for changes from now on. Whoever asks looks once for what changed before.
    pub(super) fn hear_changes(self: &Rc<Self>) {
        if self.events.hears_changes.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        let changed = raw::hook(move |_, _, _, _, _| {
            if let Some(inner) = weak.upgrade() {
                inner.registry_changed();
            }
        });
        self.events.listeners.borrow_mut().push(raw::on(&self.registry, "toolchange", &changed));
    }

    /// Makes `toolchange` tell what changed.
    pub(super) fn watch(self: &Rc<Self>) {
        if self.events.watch.borrow().is_some() {
            return;
        }
        let weak = Rc::downgrade(self);
        let tell = raw::hook(move |_, changes, _, _, _| {
            if let Some(inner) = weak.upgrade() {
                (inner.on_event)(Event::Changed(changes));
            }
        });
        let watch = raw::new_watch(&self.registry, &tell);
        self.events.watch.replace(Some(watch.clone()));
        self.hear_changes();
        drop(watch.call0(&JsValue::UNDEFINED));
    }

    fn registry_changed(self: &Rc<Self>) {
        if self.pump.look(|bridge| bridge.blocked().next().is_some()).unwrap_or(true) {
            self.feed(Input::RegistryChanged);
        }
        let live = self.live.borrow().clone();
        for live in live {
            live.refresh();
        }
        let watch = self.events.watch.borrow().clone();
        if let Some(watch) = watch {
            drop(watch.call0(&JsValue::UNDEFINED));
        }
    }

    fn tell(&self, name: String, cancelled: bool) {
        let event = if cancelled {
            let call = self.calls.borrow_mut().cancelled(&name);
            Event::Cancelled(name, call)
        } else {
            let call = self.calls.borrow_mut().activated(&name);
            Event::Activated(name, call)
        };
        (self.on_event)(event);
    }
}
