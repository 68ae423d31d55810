//! One peer's session with a server in a page: its machine, its carrier, and the handlers that work for it.

use super::server::Shared;
use super::work::{Answers, Work};
use crate::core::code::Code;
use crate::core::digits::decimal;
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::revision::Implementation;
use crate::core::server::{self, Effect, Input, Versions};
use crate::core::slots::Slots;
use crate::json::{Json, Key};
use crate::web::error::{describe, to_js};
use crate::web::link::{Arrival, Link};
use crate::web::live::{Counted, Timer};
use crate::web::pump::Pump;
use crate::web::raw;
use crate::web::run::{self, Order};
use crate::web::spawn::Done;
use crate::web::tool::{CoreTool, Handler, from_script};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// Is told of a session over a carrier once that has started.
pub(super) type Opened = Done<Result<Rc<Session>, JsValue>>;

/// One peer's session.
pub struct Session {
    pump: Pump<server::Session<JsValue>>,
    link: RefCell<Option<Rc<Link>>>,
    server: Weak<Shared>,
    /// Tells its sealed states from those of other sessions.
    name: String,
    /// The runs that did not end at once, by what the core calls them.
    running: RefCell<Slots<u32>>,
    /// How long those that ask their peer still wait.
    patience: RefCell<Slots<Timer>>,
    pub(super) starting: RefCell<Option<Opened>>,
    on_close: RefCell<Option<Box<dyn FnOnce()>>>,
    /// Who calls, as tools see it; made once the peer has said who it is.
    caller: RefCell<Option<JsValue>>,
    _counted: Counted,
}

impl Session {
    /// A session without a carrier yet.
    pub(super) fn new(server: &Rc<Shared>, number: u64) -> Self {
        Session {
            pump: Pump::new(server::Session::new(server.profile.clone())),
            link: RefCell::new(None),
            server: Rc::downgrade(server),
            name: decimal(number),
            running: RefCell::new(Slots::default()),
            patience: RefCell::new(Slots::default()),
            starting: RefCell::new(None),
            on_close: RefCell::new(None),
            caller: RefCell::new(None),
            _counted: Counted::new(),
        }
    }

    /// Calls back once, when the session is closed from either side.
    pub fn on_close(&self, on_close: impl FnOnce() + 'static) {
        self.on_close.replace(Some(Box::new(on_close)));
    }

    /// How many requests are worked on, or wait for their peer's input.
    pub fn in_flight(&self) -> usize {
        let held = self.link.borrow().as_ref().map_or(0, |link| link.held());
        held + self.pump.look(|core| core.in_flight() + core.parked()).unwrap_or_default()
    }

    /// Ends the session: what runs is aborted, the carrier is closed.
    pub fn close(self: &Rc<Self>) {
        self.feed(Input::Close);
        if let Some(server) = self.server.upgrade() {
            server.sessions.borrow_mut().retain(|session| !Rc::ptr_eq(session, self));
        }
        let link = self.link.borrow_mut().take();
        if let Some(link) = link {
            link.close();
        }
        // A carrier that was let go of tells nothing any more, not even that it has started.
        let starting = self.starting.borrow_mut().take();
        if let Some(starting) = starting {
            starting(Err(to_js(&Error::new(Code::Closed, "the session was closed while its carrier started"))));
        }
        let on_close = self.on_close.borrow_mut().take();
        if let Some(on_close) = on_close {
            on_close();
        }
    }

    pub(super) fn set_link(&self, link: Link) -> Rc<Link> {
        let link = Rc::new(link);
        self.link.replace(Some(link.clone()));
        link
    }

    /// The carrier's callback. It holds the session weakly, as the session owns the carrier.
    pub(super) fn arrival(self: &Rc<Self>) -> impl Fn(Arrival) + 'static {
        let weak = Rc::downgrade(self);
        move |arrival| {
            let Some(session) = weak.upgrade() else { return };
            match arrival {
                Arrival::Frame(frame) => {
                    session.feed(Input::Frame { frame, versions: session.versions(), now: raw::now() });
                }
                Arrival::Garbled => session.feed(Input::Garbled),
                Arrival::Oversized => session.feed(Input::Oversized("Parse error: the message is too long")),
                Arrival::Fault(error) => session.fault(error),
                Arrival::Closed => session.close(),
                Arrival::Unsent(_, thrown) => session.fault(thrown),
                Arrival::Changed => session.feed(Input::Announce(session.versions())),
                Arrival::Started(outcome) => {
                    let starting = session.starting.borrow_mut().take();
                    if outcome.is_err() {
                        session.close();
                    }
                    if let Some(starting) = starting {
                        starting(outcome.map(|()| session));
                    }
                }
            }
        }
    }

    /// What quick.js asks about tools. It holds the session weakly, as the session owns the carrier.
    pub(super) fn finding(self: &Rc<Self>) -> impl Fn(JsValue) -> JsValue + 'static {
        let weak = Rc::downgrade(self);
        move |name| {
            let find = || {
                let session = weak.upgrade()?;
                let tool = session.server.upgrade()?.tools().get(&name.as_string()?)?;
                let is_script = matches!(tool.handler(), Handler::Script);
                let is_old = session.pump.look(server::Session::has_shaken_hands).unwrap_or_default();
                is_script.then(|| raw::tool(tool.dictionary(), tool.has_output_schema(), &session.caller(), is_old))
            };
            find().unwrap_or_default()
        }
    }

    pub(super) fn versions(&self) -> Versions {
        self.server.upgrade().map(|server| server.versions()).unwrap_or_default()
    }

    pub(super) fn fault(&self, error: JsValue) {
        if let Some(server) = self.server.upgrade() {
            server.fault(error);
        }
    }

    pub(super) fn feed(self: &Rc<Self>, input: Input<JsValue>) {
        self.pump.feed(input, &|effect| self.perform(effect));
    }

    fn perform(self: &Rc<Self>, effect: Effect<JsValue>) {
        match effect {
            Effect::Send(frame) => self.send(frame),
            Effect::Call { run, name, arguments, params, wants_progress } => {
                let tool = self.server.upgrade().and_then(|server| server.tools().get(&name));
                // One that quick.js has run may have gone by now.
                let tool = tool.or_else(|| Some(Rc::new(from_script(raw::begun_tool(&params)).ok()?)));
                match tool {
                    Some(tool) => self.work(run, tool, arguments, params, wants_progress, Answers::Call),
                    None => self.feed(Input::Unknown { run, name }),
                }
            }
            Effect::Provide { run, method, params, wants_progress } => {
                let Some(provider) = self.server.upgrade().and_then(|server| server.provider.borrow().clone()) else {
                    return;
                };
                let question = JsValue::object(&[(Key::Method, JsValue::word(method)), (Key::Params, params.clone())]);
                self.work(run, provider, question, params, wants_progress, Answers::Provide);
            }
            Effect::List { id, era, offset } => {
                let Some(server) = self.server.upgrade() else { return };
                for (name, reason) in server.tools().unlistable() {
                    let message = ["tool \"", &name, "\" is left out of tools/list: ", &reason].concat();
                    server.fault(to_js(&Error::new(Code::SchemaNotSerialisable, message)));
                }
                let (tools, versions) = (server.tools().listing(era), server.versions());
                self.feed(Input::Listed { id, era, offset, tools, versions });
            }
            Effect::Reply { run, key, outcome } => {
                let number = self.running.borrow().get(&run.key()).copied();
                if let Some(number) = number {
                    run::reply(number, &key, outcome);
                }
            }
            Effect::Seal { run, text, bound } => {
                let session = self.clone();
                let done = Closure::once_into_js(move |sealed: JsValue| {
                    session.feed(Input::Sealed { run, sealed: sealed.as_string() });
                });
                self.with_sealer(|sealer| raw::seal(sealer, &self.name, &text, &bound, &done));
            }
            Effect::Open { id, sealed, bound } => {
                let session = self.clone();
                let done = Closure::once_into_js(move |text: JsValue| {
                    session.feed(Input::Opened { id, text: text.as_string() });
                });
                self.with_sealer(|sealer| raw::open(sealer, &self.name, &sealed, &bound, &done));
            }
            Effect::Patience { run } => {
                let wait = self.server.upgrade().map_or(0.0, |server| server.profile.limits.input_wait);
                let (weak, key) = (Rc::downgrade(self), run.key());
                let timer = Timer::new(wait, move || {
                    if let Some(session) = weak.upgrade() {
                        session.feed(Input::Expired { run });
                    }
                });
                self.patience.borrow_mut().insert(key, timer);
            }
            Effect::Abort { run, reason } => {
                if let Some(number) = self.ended(&run.key()) {
                    run::abort(number, &reason);
                }
            }
            Effect::Fault(error) => self.fault(to_js(&error)),
        }
    }

    fn send(self: &Rc<Self>, frame: JsValue) {
        let Some(link) = self.link.borrow().clone() else { return };
        if let Err(thrown) = link.send(&frame) {
            self.feed(Input::Unsendable { frame, reason: describe(&thrown) });
        }
    }

    /// Has a handler work on a request.
    fn work(
        self: &Rc<Self>,
        run: server::Run,
        tool: Rc<CoreTool>,
        arguments: JsValue,
        params: JsValue,
        wants_progress: bool,
        answers: Answers,
    ) {
        let logs = self.server.upgrade().is_some_and(|server| server.profile.offers.logging);
        let owner = Rc::new(Work { session: self.clone(), run: run.clone(), answers });
        let (caller, signal) = (self.caller(), JsValue::UNDEFINED);
        let order = Order { tool, arguments, caller, params, signal, is_heard: wants_progress || logs, owner };
        let Some(number) = run::start(order) else { return };
        // It may have been given up while it started, by what it did itself.
        if self.pump.look(|core| core.is_running(&run)).unwrap_or(true) {
            self.running.borrow_mut().insert(run.key(), number);
        } else {
            run::abort(number, "the call was given up");
        }
    }

    /// Forgets a run that has ended.
    pub(super) fn ended(&self, key: &Id) -> Option<u32> {
        self.patience.borrow_mut().remove(key);
        self.running.borrow_mut().remove(key)
    }

    fn with_sealer(&self, with: impl FnOnce(&JsValue)) {
        if let Some(server) = self.server.upgrade() {
            with(&server.sealer);
        }
    }

    fn caller(&self) -> JsValue {
        if let Some(caller) = &*self.caller.borrow() {
            return caller.clone();
        }
        let known = self.pump.look(|core| (core.peer().map(Implementation::to_json), core.capabilities().cloned()));
        let (client, capabilities) = known.unwrap_or_default();
        let is_known = client.is_some();
        let caller = run::caller("session", client, capabilities);
        if is_known {
            self.caller.replace(Some(caller.clone()));
        }
        caller
    }
}
