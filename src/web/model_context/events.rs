//! The registry's events, told on: with the call each is about, and with what changed.

use super::{Inner, raw};
use crate::core::webmcp::{Input, Report};
use crate::json::Json;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

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
    listeners: RefCell<Vec<EventListener>>,
    /// Whether `toolchange` is listened to. Each registration fires one, so it is left alone until it matters.
    hears_changes: Cell<bool>,
    /// Execution events the registry itself fired in this task; window events double them in some browsers.
    heard: RefCell<Vec<(bool, String)>>,
    /// Execution events the window fired, which wait for the end of the task to see whether they are doubles.
    doubtful: RefCell<Vec<(bool, String)>>,
    sorting: RefCell<Option<Timeout>>,
    /// Compares listings, once somebody watches.
    differ: RefCell<Option<js_sys::Function>>,
    listing: Cell<bool>,
    stale: Cell<bool>,
}

impl Events {
    /// Whether changes are heard.
    pub fn hears_changes(&self) -> bool {
        self.hears_changes.get()
    }

    /// Hears and tells nothing any more.
    pub fn stop(&self) {
        self.hears_changes.set(true);
        self.listeners.borrow_mut().clear();
        self.sorting.borrow_mut().take();
        self.differ.borrow_mut().take();
    }
}

impl Inner {
    /// Listens to the registry, and to the window, where some browsers fire the execution events.
    pub(super) fn listen(self: &Rc<Self>) {
        let listen = |target: &JsValue, name: &'static str, hear: fn(&Rc<Inner>, &JsValue)| {
            let weak = Rc::downgrade(self);
            EventListener::new(target.unchecked_ref(), name, move |event| {
                if let Some(inner) = weak.upgrade() {
                    hear(&inner, event);
                }
            })
        };
        let window = raw::window_of(&self.document);
        self.events.listeners.replace(vec![
            listen(&self.registry, "toolactivated", |inner, event| inner.executed(event, false, true)),
            listen(&self.registry, "toolcancel", |inner, event| inner.executed(event, true, true)),
            listen(&window, "toolactivated", |inner, event| inner.executed(event, false, false)),
            listen(&window, "toolcancel", |inner, event| inner.executed(event, true, false)),
        ]);
    }

    /// Listens for changes from now on. Whoever asks looks once for what changed before.
    pub(super) fn hear_changes(self: &Rc<Self>) {
        if self.events.hears_changes.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        let listener = EventListener::new(self.registry.unchecked_ref(), "toolchange", move |_| {
            if let Some(inner) = weak.upgrade() {
                inner.registry_changed();
            }
        });
        self.events.listeners.borrow_mut().push(listener);
    }

    /// Makes `toolchange` tell what changed.
    pub(super) fn watch(self: &Rc<Self>) {
        if self.events.differ.borrow().is_none() {
            self.events.differ.replace(Some(raw::new_differ()));
            self.hear_changes();
            self.list_changes(false);
        }
    }

    fn registry_changed(self: &Rc<Self>) {
        if self.pump.look(|bridge| bridge.blocked().next().is_some()).unwrap_or(true) {
            self.feed(Input::RegistryChanged);
        }
        let live = self.live.borrow().clone();
        live.iter().for_each(|live| live.refresh());
        if self.events.differ.borrow().is_some() {
            self.list_changes(true);
        }
    }

    /// Lists and compares. A burst takes two listings at most: the one under way and one more.
    fn list_changes(self: &Rc<Self>, tell: bool) {
        if self.events.listing.replace(true) {
            self.events.stale.set(true);
            return;
        }
        let inner = self.clone();
        crate::web::spawn::spawn(async move {
            let mut tell = tell;
            loop {
                inner.events.stale.set(false);
                let records = JsFuture::from(raw::list(&inner.registry, &JsValue::UNDEFINED)).await;
                let differ = inner.events.differ.borrow().clone();
                let (Ok(records), Some(differ)) = (records, differ) else { break };
                let changes = differ.call1(&JsValue::UNDEFINED, &records).unwrap_or_default();
                if tell {
                    (inner.on_event)(Event::Changed(changes));
                }
                if !inner.events.stale.get() {
                    break;
                }
                tell = true;
            }
            inner.events.listing.set(false);
        });
    }

    /// An execution event. One without a name tells nothing and is dropped.
    fn executed(self: &Rc<Self>, event: &JsValue, cancelled: bool, by_registry: bool) {
        let Some(name) = event.member("toolName").and_then(|name| name.as_string()) else { return };
        if by_registry {
            self.events.heard.borrow_mut().push((cancelled, name.clone()));
            self.tell(name, cancelled);
        } else {
            self.events.doubtful.borrow_mut().push((cancelled, name));
        }
        self.sort_soon();
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

    /// What only the window fired is told on; what both fired was told already.
    fn sort_soon(self: &Rc<Self>) {
        if self.events.sorting.borrow().is_some() {
            return;
        }
        let weak = Rc::downgrade(self);
        self.events.sorting.replace(Some(Timeout::new(0, move || {
            let Some(inner) = weak.upgrade() else { return };
            let heard = inner.events.heard.take();
            let doubtful = inner.events.doubtful.take();
            inner.events.sorting.borrow_mut().take();
            for (cancelled, name) in doubtful {
                if !heard.contains(&(cancelled, name.clone())) {
                    inner.tell(name, cancelled);
                }
            }
        })));
    }
}
