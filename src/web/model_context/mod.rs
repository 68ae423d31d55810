//! The bridge to the browser's registry, `document.modelContext`. What to do is decided by
//! [`crate::core::webmcp`]; this carries it out.

mod adopt;
mod calls;
mod events;
mod live;
mod raw;
mod report;

pub use adopt::AdoptOptions;
pub use events::Event;
pub use report::report_to_js;

use super::pump::Pump;
use super::tools::{Follower, ToolManager};
use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::slots::Slots;
use crate::core::webmcp::{Bridge, Effect, Input, Offer, Options, Refusal, Report};
use crate::json::{Json, Key};
use futures_channel::oneshot;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// How long the registry may take for a registration before it is given up. It takes a fraction of
/// a millisecond; in a frame that was touched too early Chrome 156 never answers.
const REGISTRATION_DEADLINE: u32 = 5_000;

/// The bridge of one document. Dropping it releases what it registered.
#[derive(Clone)]
pub struct ModelContext {
    inner: Rc<Inner>,
}

type Publication = oneshot::Sender<Result<Report, (Error, Report)>>;

struct Inner {
    document: JsValue,
    registry: JsValue,
    pump: Pump<Bridge<JsValue>>,
    /// Every manager ever published here, by number.
    managers: RefCell<Vec<ToolManager>>,
    followers: RefCell<Slots<Follower>>,
    /// Names that changed since the last look, by manager.
    dirty: RefCell<Slots<Vec<Rc<str>>>>,
    /// What lets go of each registration, and the name it has in the registry.
    registrations: RefCell<Slots<(JsValue, Rc<str>)>>,
    publications: RefCell<Slots<Publication>>,
    last_job: Cell<u32>,
    /// Registrations the registry has not answered, and whether each named origins.
    unanswered: RefCell<Slots<bool>>,
    calls: RefCell<calls::Calls>,
    events: events::Events,
    live: RefCell<Vec<Rc<live::Live>>>,
    deadline: RefCell<Option<Timeout>>,
    on_event: Rc<dyn Fn(Event)>,
    call: RefCell<JsValue>,
    done: RefCell<JsValue>,
    closures: RefCell<Vec<Box<dyn std::any::Any>>>,
}

impl ModelContext {
    /// The bridge of a document, or `None` if the document has no registry. Never touches the
    /// registry of a document without a window.
    pub fn of(document: &web_sys::Document) -> Option<ModelContext> {
        ModelContext::with_events(document, Rc::new(|_| ()))
    }

    /// The same, and hears the registry's events.
    pub fn with_events(document: &JsValue, on_event: Rc<dyn Fn(Event)>) -> Option<ModelContext> {
        let registry = raw::registry_of(document);
        if registry.is_undefined() {
            return None;
        }
        let inner = Rc::new(Inner {
            document: document.clone(),
            registry,
            pump: Pump::new(Bridge::default()),
            managers: RefCell::default(),
            followers: RefCell::default(),
            dirty: RefCell::default(),
            registrations: RefCell::default(),
            publications: RefCell::default(),
            last_job: Cell::new(0),
            unanswered: RefCell::default(),
            calls: RefCell::default(),
            events: events::Events::default(),
            live: RefCell::default(),
            deadline: RefCell::default(),
            on_event,
            call: RefCell::default(),
            done: RefCell::default(),
            closures: RefCell::default(),
        });
        inner.open();
        Some(ModelContext { inner })
    }

    /// The page's own document, or `undefined` in a worker.
    pub fn current_document() -> JsValue {
        raw::current_document()
    }

    /// Whether a document's registry can be used, and a sentence a developer can act on.
    pub fn probe(document: &JsValue) -> js_sys::Promise {
        raw::probe(document)
    }

    /// Registers a manager's tools as they are at the call, and follows the manager from then on.
    pub fn publish(
        &self,
        tools: &ToolManager,
        options: Options,
    ) -> impl Future<Output = Result<Report, (Error, Report)>> + use<> {
        let (sender, receiver) = oneshot::channel();
        let job = self.inner.last_job.get() + 1;
        self.inner.last_job.set(job);
        self.inner.publications.borrow_mut().insert(Id::Number(job.into()), sender);
        let manager = self.inner.number_of(tools);
        let offers = offers(tools.all());
        // Not in the future: it is polled a microtask later, when the manager may hold other tools.
        self.inner.feed(Input::Publish { job, manager, offers, options });
        let bridge = self.clone();
        async move {
            let gone = || (Error::new(Code::Closed, "the bridge is gone"), Report::default());
            let report = receiver.await.unwrap_or_else(|_| Err(gone()))?;
            Ok(bridge.verified(report).await)
        }
    }

    /// A frame that was used too early has a registry that takes tools and shows them to nobody
    /// (Chrome 156). It does not answer a listing either, and by that it is known.
    async fn verified(&self, mut report: Report) -> Report {
        if report.registered.is_empty() || !raw::is_framed(&self.inner.document) || self.is_destroyed() {
            return report;
        }
        if JsFuture::from(raw::list(&self.inner.registry, &JsValue::UNDEFINED)).await.is_err() {
            let reason = "The frame's registry does not answer, so nobody sees the tool. Load the frame again.";
            let names = std::mem::take(&mut report.registered);
            for name in names {
                report.skipped.push((name, Refusal::new(Code::RegistryFailed, reason)));
            }
        }
        report
    }

    /// How things stand: what is registered, what is not, and why.
    pub fn status(&self) -> Report {
        self.inner.pump.look(Bridge::status).unwrap_or_default()
    }

    /// Releases everything this bridge registered. It does nothing afterwards.
    pub fn destroy(&self) {
        self.inner.feed(Input::Destroy);
        self.inner.events.stop();
        self.inner.deadline.borrow_mut().take();
        for live in self.inner.live.take() {
            live.stop();
        }
    }

    /// From now on `toolchange` tells what changed, which takes a listing after each burst of changes.
    pub fn watch(&self) {
        self.inner.watch();
    }

    /// Whether it was destroyed.
    pub fn is_destroyed(&self) -> bool {
        self.inner.pump.look(Bridge::is_destroyed).unwrap_or(false)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        for (_, (registration, _)) in self.registrations.borrow_mut().drain() {
            raw::release(&self.registry, &registration);
        }
    }
}

fn offers(tools: Vec<Rc<super::tool::CoreTool>>) -> Vec<Offer<JsValue>> {
    let mut offers = Vec::new();
    for tool in &tools {
        offers.push(tool.into());
    }
    offers
}

impl Inner {
    /// Listens to the registry and makes the two functions that every registration shares.
    fn open(self: &Rc<Self>) {
        let weak = Rc::downgrade(self);
        let call = Closure::<dyn Fn(u32, JsValue, JsValue, js_sys::Function, js_sys::Function)>::new(
            move |number, input, signal, resolve: js_sys::Function, reject: js_sys::Function| {
                calls::answer(&weak, number, input, signal, resolve, reject);
            },
        );
        let weak = Rc::downgrade(self);
        let done = Closure::<dyn Fn(u32, Option<String>, Option<String>)>::new(
            move |number, name: Option<String>, message: Option<String>| {
                let Some(inner) = weak.upgrade() else { return };
                let outcome = match name {
                    None => Ok(()),
                    Some(name) => Err((name, message.unwrap_or_default())),
                };
                inner.registered(number, outcome);
            },
        );
        self.call.replace(call.as_ref().clone());
        self.done.replace(done.as_ref().clone());
        self.closures.replace(vec![Box::new(call), Box::new(done)]);
        self.listen();
    }

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
            Effect::Register { registration, descriptor, origins } => self.register(registration, &descriptor, origins),
            Effect::Release { registration } => {
                let handle = self.registrations.borrow_mut().remove(&Id::Number(registration.into()));
                if let Some((handle, _)) = handle {
                    raw::release(&self.registry, &handle);
                }
            }
            Effect::Settled { job, report, failed } => {
                let publication = self.publications.borrow_mut().remove(&Id::Number(job.into()));
                let outcome = match failed {
                    None => Ok(report),
                    Some(error) => Err((error, report)),
                };
                // Nobody may be left who awaits publish().
                drop(publication.map(|publication| publication.send(outcome)));
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
            if gathers {
                return;
            }
            let key = key.clone();
            super::spawn::spawn(async move {
                let names = inner.dirty.borrow_mut().remove(&key);
                inner.feed(Input::Changed { manager, names });
            });
        });
        self.followers.borrow_mut().insert(Id::Number(manager.into()), follower);
    }

    fn register(self: &Rc<Self>, registration: u32, descriptor: &JsValue, origins: Option<Rc<[String]>>) {
        // An effect before this one may have led a page to destroy the bridge.
        if !self.pump.look(|bridge| bridge.wants(registration)).unwrap_or(false) {
            return;
        }
        let key = Id::Number(registration.into());
        self.unanswered.borrow_mut().insert(key.clone(), origins.is_some());
        let origins = adopt::strings(origins.as_deref());
        let name: Rc<str> = descriptor.text(Key::Name).unwrap_or_default().into();
        let handle = {
            let (call, done) = (self.call.borrow().clone(), self.done.borrow().clone());
            raw::register(&self.registry, registration, descriptor, &origins, &call, &done)
        };
        self.registrations.borrow_mut().insert(key, (handle, name));
        self.set_deadline();
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

    fn registered(self: &Rc<Self>, registration: u32, outcome: Result<(), (String, String)>) {
        let named = self.unanswered.borrow_mut().remove(&Id::Number(registration.into()));
        if self.unanswered.borrow().is_empty() {
            self.deadline.borrow_mut().take();
        }
        let with_origins = named.unwrap_or(false);
        let outcome = outcome.map_err(|(name, message)| Refusal::from_exception(&name, &message, with_origins));
        let is_refused = outcome.is_err();
        self.feed(Input::Registered { registration, outcome });
        if is_refused {
            self.watch_blocked();
        }
    }

    /// One timer for all registrations under way: it starts with the first of them.
    fn set_deadline(self: &Rc<Self>) {
        if self.deadline.borrow().is_some() {
            return;
        }
        let weak = Rc::downgrade(self);
        let timer = Timeout::new(REGISTRATION_DEADLINE, move || {
            let Some(inner) = weak.upgrade() else { return };
            inner.deadline.borrow_mut().take();
            let late = inner.unanswered.borrow_mut().drain();
            for (id, _) in late {
                let Id::Number(registration) = id else { continue };
                let deadline = REGISTRATION_DEADLINE.to_string();
                let reason = ["The registry did not answer within ", &deadline, " ms."].concat();
                let outcome = Err(Refusal::new(Code::RegistryFailed, reason));
                inner.feed(Input::Registered { registration: registration as u32, outcome });
            }
        });
        self.deadline.replace(Some(timer));
    }
}
