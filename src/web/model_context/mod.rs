//! The bridge to the browser's registry, `document.modelContext`. What to do is decided by
//! [`crate::core::webmcp`]; this carries it out.

mod adopt;
mod calls;
mod events;
mod live;
mod raw;
mod report;
mod rust;

pub use adopt::AdoptOptions;
pub use events::Event;
pub use report::report_to_js;
pub use rust::Availability;

use super::pump::Pump;
use super::tools::{Follower, ToolManager};
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::slots::Slots;
use crate::core::webmcp::{Bridge, Dictionary, Effect, Holder, Input, Offer, Options, Refusal, Report, Sketch};
use raw::{Registrar, hook};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The bridge between a document's registry, `document.modelContext`, and [`ToolManager`]s: publishes the one into
/// the other, and adopts what others published. Clones are the same bridge; when the last one is dropped, what it
/// registered is released.
#[derive(Clone)]
pub struct ModelContext {
    inner: Rc<Inner>,
}

/// Hears how a publication ended: with its report, and with an error if it failed.
pub type OnPublished = Box<dyn FnOnce(Report, Option<Error>)>;

struct Inner {
    document: JsValue,
    registry: JsValue,
    registrar: Registrar,
    pump: Pump<Bridge<JsValue>>,
    /// Every manager ever published here, by number.
    managers: RefCell<Vec<ToolManager>>,
    followers: RefCell<Slots<Follower>>,
    /// Names that changed since the last look, by manager.
    dirty: RefCell<Slots<Vec<Rc<str>>>>,
    publications: RefCell<Slots<OnPublished>>,
    last_job: Cell<u32>,
    calls: RefCell<calls::Calls>,
    events: events::Events,
    live: RefCell<Vec<Rc<live::Live>>>,
    on_event: Rc<dyn Fn(Event)>,
    /// Looks at what changed in a manager, once the code that changes it has returned.
    gather: JsValue,
    /// Takes fingerprints of what was registered.
    print: JsValue,
}

impl ModelContext {
    /// The bridge of a document, if it has a registry.
    pub(crate) fn open(document: &JsValue, on_event: Rc<dyn Fn(Event)>) -> Option<ModelContext> {
        let registry = raw::registry_of(document);
        if registry.is_undefined() {
            return None;
        }
        let inner = Rc::new_cyclic(|weak: &std::rc::Weak<Inner>| {
            let bridge = weak.clone();
            let call = hook(move |number, input, signal, resolve, reject| {
                calls::answer(&bridge, number, input, signal, resolve.into(), reject.into());
            });
            let bridge = weak.clone();
            let done = hook(move |number, name, message, named_origins, holder| {
                let Some(inner) = bridge.upgrade() else { return };
                match name.as_string() {
                    Some(name) => inner.refused(number, &name, &message, named_origins.is_truthy(), &holder),
                    None => {
                        let registrations = js_sys::Uint32Array::new(&message).to_vec();
                        inner.feed(Input::Confirmed { registrations });
                    }
                }
            });
            let bridge = weak.clone();
            let gather = hook(move |manager, _, _, _, _| {
                let Some(inner) = bridge.upgrade() else { return };
                let names = inner.dirty.borrow_mut().remove(&Id::Number(manager.into()));
                inner.feed(Input::Changed { manager, names });
            });
            let bridge = weak.clone();
            let print = hook(move |_, _, _, _, _| {
                if let Some(inner) = bridge.upgrade() {
                    inner.feed(Input::Fingerprint);
                }
            });
            Inner {
                registrar: raw::new_registrar(document, &registry, &call, &done),
                document: document.clone(),
                registry,
                pump: Pump::new(Bridge::default()),
                managers: RefCell::default(),
                followers: RefCell::default(),
                dirty: RefCell::default(),
                publications: RefCell::default(),
                last_job: Cell::new(0),
                calls: RefCell::default(),
                events: events::Events::default(),
                live: RefCell::default(),
                on_event,
                gather,
                print,
            }
        });
        Some(ModelContext { inner })
    }

    /// The page's own document, or `undefined` in a worker.
    pub(crate) fn current_document() -> JsValue {
        raw::current_document()
    }

    /// Whether a document's registry can be used: the promise of a word and a sentence.
    pub(crate) fn probing(document: &JsValue) -> js_sys::Promise {
        raw::probe(document)
    }

    /// Publishes a manager; `done` hears the outcome.
    pub(crate) fn publish_then(&self, tools: &ToolManager, options: Options, done: OnPublished) {
        let job = self.inner.last_job.get() + 1;
        self.inner.last_job.set(job);
        self.inner.publications.borrow_mut().insert(Id::Number(job.into()), done);
        let manager = self.inner.number_of(tools);
        let offers = offers(tools.all());
        self.inner.feed(Input::Publish { job, manager, offers, options });
    }

    /// How things stand: what is registered, what is not, and why.
    pub fn status(&self) -> Report {
        self.inner.registrar.tell();
        self.inner.pump.look(Bridge::status).unwrap_or_default()
    }

    /// Releases everything this bridge registered. It does nothing afterwards.
    pub fn destroy(&self) {
        self.inner.feed(Input::Destroy);
        self.inner.registrar.release_all();
        self.inner.events.stop();
        for live in self.inner.live.take() {
            live.stop();
        }
    }

    /// From now on [`Event::Changed`] tells what changed, which takes a listing after each burst of changes.
    pub fn watch(&self) {
        self.inner.watch();
    }

    /// From now on [`Event::Activated`] and [`Event::Cancelled`] tell of calls.
    pub(crate) fn hear_calls(&self) {
        self.inner.hear_calls();
    }

    /// Whether it was destroyed.
    pub fn is_destroyed(&self) -> bool {
        self.inner.pump.look(Bridge::is_destroyed).unwrap_or(false)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.events.stop();
        self.registrar.release_all();
    }
}

/// What a script wrote is looked at in one go.
impl Dictionary for JsValue {
    fn sketch(&self) -> Sketch {
        Sketch(raw::sketch(self))
    }

    fn origin_of(url: &str) -> Option<String> {
        raw::origin_of_url(url)
    }

    fn projected_text(&self, name: &str, carried: Sketch) -> Result<String, String> {
        raw::projected_text(self, name, carried.0).map_err(|thrown| super::describe(&thrown))
    }
}

fn offers(tools: Vec<Rc<super::tool::CoreTool>>) -> Vec<Offer<JsValue>> {
    let mut offers = Vec::new();
    for tool in tools {
        offers.push(tool.into());
    }
    offers
}

impl Inner {
    fn number_of(&self, tools: &ToolManager) -> u32 {
        let mut managers = self.managers.borrow_mut();
        let place = managers.iter().position(|manager| manager.is(tools)).unwrap_or_else(|| {
            managers.push(tools.clone());
            managers.len() - 1
        });
        place as u32
    }

    fn manager(&self, number: u32) -> Option<ToolManager> {
        self.managers.borrow().get(number as usize).cloned()
    }

    fn feed(self: &Rc<Self>, input: Input<JsValue>) {
        self.pump.feed(input, &|effect| self.perform(effect));
    }

    fn perform(self: &Rc<Self>, effect: Effect<JsValue>) {
        match effect {
            Effect::Follow { manager } => self.follow(manager),
            Effect::Unfollow { manager } => {
                let follower = self.followers.borrow_mut().remove(&Id::Number(manager.into()));
                drop(follower);
            }
            Effect::Read { manager, names } => {
                let Some(tools) = self.manager(manager) else { return };
                let mut found = Vec::new();
                match names {
                    None => found = tools.all(),
                    Some(names) => {
                        for tool in names.iter().filter_map(|name| tools.get(name)) {
                            found.push(tool);
                        }
                    }
                }
                self.feed(Input::Contents { offers: offers(found) });
            }
            Effect::Register { registration, offer, name, carried, origins } => {
                // An effect before this one may have led a page to destroy the bridge.
                if self.pump.look(|bridge| bridge.wants(registration)).unwrap_or(false) {
                    let origins = adopt::strings(origins.as_deref());
                    // A tool knows its own name; only another one has to be told.
                    let other = if name == *offer.name() { "" } else { &name };
                    self.registrar.register(registration, offer.dictionary(), other, carried.0, &origins);
                }
            }
            Effect::Fingerprint => raw::later(&self.print),
            Effect::Release { registration } => self.registrar.release(registration),
            Effect::Settled { job, report, failed } => {
                let publication = self.publications.borrow_mut().remove(&Id::Number(job.into()));
                if let Some(done) = publication {
                    done(report, failed);
                }
            }
            Effect::Followed { report } => (self.on_event)(Event::Followed(report)),
        }
    }

    /// Changes are gathered until the code that makes them has returned, so that a burst is one synchronisation.
    fn follow(self: &Rc<Self>, manager: u32) {
        let Some(tools) = self.manager(manager) else { return };
        let (weak, key) = (Rc::downgrade(self), Id::Number(manager.into()));
        let follower = tools.follow(move |changes| {
            let Some(inner) = weak.upgrade() else { return };
            let mut dirty = inner.dirty.borrow_mut();
            let gathers = dirty.contains(&key);
            if !gathers {
                dirty.insert(key.clone(), Vec::new());
            }
            if let Some(names) = dirty.get_mut(&key) {
                for tool in changes.iter().filter_map(|change| change.added.as_ref().or(change.removed.as_ref())) {
                    names.push(tool.name().clone());
                }
            }
            drop(dirty);
            if !gathers {
                raw::soon(&inner.gather, manager);
            }
        });
        self.followers.borrow_mut().insert(Id::Number(manager.into()), follower);
    }

    /// A name somebody else has may come free; from the first such on, changes are heard.
    fn watch_blocked(self: &Rc<Self>) {
        let is_blocked = self.pump.look(|bridge| bridge.blocked().next().is_some()).unwrap_or(false);
        if is_blocked && !self.events.hears_changes() {
            self.hear_changes();
            // It may have come free in the meantime.
            self.feed(Input::RegistryChanged);
        }
    }

    /// The registry refused a registration, with an exception of this name.
    fn refused(
        self: &Rc<Self>,
        registration: u32,
        name: &str,
        message: &JsValue,
        named_origins: bool,
        holder: &JsValue,
    ) {
        let message = message.as_string().unwrap_or_default();
        let refusal = Refusal::from_exception(name, &message, named_origins);
        let by = match holder.as_f64() {
            Some(1.0) => Holder::Form,
            Some(2.0) => Holder::Bridge,
            _ => Holder::Script,
        };
        self.feed(Input::Registered { registration, outcome: Err(Refusal { by, ..refusal }) });
        self.watch_blocked();
    }
}
