//! A server in a page: one manager of tools, any number of sessions.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::message::Id;
use crate::core::revision::Implementation;
use crate::core::server::{self, Effect, Input, Profile, Versions};
use crate::core::slots::Slots;
use crate::json::{Json, Key};
use crate::web::error::{describe, to_js};
use crate::web::host::work::{Answers, Work};
use crate::web::link::{Arrival, Form, Link};
use crate::web::pump::Pump;
use crate::web::raw;
use crate::web::run::{self, Order};
use crate::web::spawn::{Done, awaited};
use crate::web::tool::CoreTool;
use crate::web::tools::{Follower, ToolManager};
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// The longest a browser's timer can wait; beyond it they ring at once.
pub(super) const MAX_TIMER: f64 = 2_147_483_647.0;

/// What a server is made of.
pub struct ServerOptions {
    /// Its tools.
    pub tools: ToolManager,
    /// What it says of itself and offers.
    pub profile: Profile<JsValue>,
    /// Answers the methods it offers beside the tools': it is run with `{ method, params }`.
    pub provider: Option<Rc<CoreTool>>,
    /// Seals the state that stateless peers carry, as `{ seal(text, bound), open(sealed, bound) }`; by
    /// default the platform's own cipher with a key of this server's.
    pub sealer: JsValue,
    /// Hears of faults that have no answer, as JavaScript errors.
    pub on_fault: Option<Rc<dyn Fn(JsValue)>>,
}

/// A server. Dropping it closes its sessions.
pub struct Server {
    shared: Rc<Shared>,
    _follower: Follower,
}

struct Shared {
    tools: ToolManager,
    profile: Rc<Profile<JsValue>>,
    provider: Option<Rc<CoreTool>>,
    sealer: JsValue,
    prompts: Cell<u64>,
    resources: Cell<u64>,
    next_session: Cell<u64>,
    on_fault: Option<Rc<dyn Fn(JsValue)>>,
    sessions: RefCell<Vec<Rc<Session>>>,
    announcing: Cell<bool>,
    closed: Cell<bool>,
}

/// Is told of a session over a carrier once that has started.
type Opened = Done<Result<Rc<Session>, JsValue>>;

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
    patience: RefCell<Slots<Timeout>>,
    starting: RefCell<Option<Opened>>,
    on_close: RefCell<Option<Box<dyn FnOnce()>>>,
    /// Who calls, as tools see it; made once the peer has said who it is.
    caller: RefCell<Option<JsValue>>,
}

impl Server {
    /// A server without sessions.
    pub fn new(options: ServerOptions) -> Self {
        let shared = Rc::new(Shared {
            tools: options.tools.clone(),
            sealer: raw::new_sealer(&options.sealer, options.profile.limits.input_wait),
            profile: Rc::new(options.profile),
            provider: options.provider,
            prompts: Cell::new(0),
            resources: Cell::new(0),
            next_session: Cell::new(0),
            on_fault: options.on_fault,
            sessions: RefCell::new(Vec::new()),
            announcing: Cell::new(false),
            closed: Cell::new(false),
        });
        let weak = Rc::downgrade(&shared);
        let follower = options.tools.follow(move |_| {
            if let Some(shared) = weak.upgrade() {
                shared.announce_soon();
            }
        });
        Server { shared, _follower: follower }
    }

    /// Serves a port, a worker or a worker's scope. The session is open when this returns.
    pub fn serve_port(&self, port: &JsValue, form: Form) -> Rc<Session> {
        let session = self.open();
        session.set_link(Link::port(port, form, &self.shared.profile.limits, session.arrival()));
        session
    }

    /// Serves somebody's `Transport`; `done` is told once it has started.
    pub fn open_carrier(&self, carrier: &JsValue, done: Opened) {
        let session = self.open();
        session.starting.replace(Some(done));
        let link = session.set_link(Link::carrier(carrier, &self.shared.profile.limits, session.arrival()));
        link.start();
    }

    /// Serves somebody's `Transport`, once it has started.
    pub async fn serve_carrier(&self, carrier: &JsValue) -> Result<Rc<Session>, JsValue> {
        let started = awaited(|done| self.open_carrier(carrier, done)).await;
        started.unwrap_or_else(|| Err(to_js(&Error::new(Code::Closed, "the server is gone"))))
    }

    /// Closes every session, and whatever opens one later.
    pub fn close(&self) {
        self.shared.closed.set(true);
        for session in self.shared.sessions.take() {
            session.close();
        }
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.shared.closed.get()
    }

    /// How many sessions are open.
    pub fn sessions(&self) -> usize {
        self.shared.sessions.borrow().len()
    }

    /// The prompts changed; peers that want to know are told when the code that changed them has returned.
    pub fn prompts_changed(&self) {
        self.shared.prompts.set(self.shared.prompts.get() + 1);
        self.shared.announce_soon();
    }

    /// The resources changed, likewise.
    pub fn resources_changed(&self) {
        self.shared.resources.set(self.shared.resources.get() + 1);
        self.shared.announce_soon();
    }

    /// A resource changed; those who subscribed to it are told.
    pub fn resource_updated(&self, uri: &str) {
        for session in self.shared.sessions.borrow().clone() {
            session.feed(Input::Updated { uri: uri.to_owned() });
        }
    }

    /// A task changed; those who named it are told what it has come to.
    pub fn task_changed(&self, id: &str, task: &JsValue) {
        for session in self.shared.sessions.borrow().clone() {
            session.feed(Input::TaskChanged { id: id.to_owned(), params: task.clone() });
        }
    }

    fn open(&self) -> Rc<Session> {
        let shared = &self.shared;
        let number = shared.next_session.get();
        shared.next_session.set(number + 1);
        let session = Rc::new(Session {
            pump: Pump::new(server::Session::new(shared.profile.clone())),
            link: RefCell::new(None),
            server: Rc::downgrade(shared),
            name: number.to_string(),
            running: RefCell::new(Slots::default()),
            patience: RefCell::new(Slots::default()),
            starting: RefCell::new(None),
            on_close: RefCell::new(None),
            caller: RefCell::new(None),
        });
        shared.sessions.borrow_mut().push(session.clone());
        session
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

impl Shared {
    /// One notice for a burst of changes: it is sent when the code that makes them has returned.
    fn announce_soon(self: &Rc<Self>) {
        if self.sessions.borrow().is_empty() || self.announcing.replace(true) {
            return;
        }
        let shared = self.clone();
        raw::soon(&Closure::once_into_js(move || {
            shared.announcing.set(false);
            let sessions = shared.sessions.borrow().clone();
            let versions = shared.versions();
            for session in sessions {
                session.feed(Input::Announce(versions));
            }
        }));
    }

    fn versions(&self) -> Versions {
        Versions { tools: self.tools.version(), prompts: self.prompts.get(), resources: self.resources.get() }
    }

    fn fault(&self, error: JsValue) {
        if let Some(on_fault) = self.on_fault.clone() {
            on_fault(error);
        }
    }
}

impl Session {
    /// Calls back once, when the session is closed from either side.
    pub fn on_close(&self, on_close: impl FnOnce() + 'static) {
        self.on_close.replace(Some(Box::new(on_close)));
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

    fn set_link(&self, link: Link) -> Rc<Link> {
        let link = Rc::new(link);
        self.link.replace(Some(link.clone()));
        link
    }

    /// The carrier's callback. It holds the session weakly, as the session owns the carrier.
    fn arrival(self: &Rc<Self>) -> impl Fn(Arrival) + 'static {
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
                let tool = self.server.upgrade().and_then(|server| server.tools.get(&name));
                match tool {
                    Some(tool) => self.work(run, tool, arguments, params, wants_progress, Answers::Call),
                    None => self.feed(Input::Unknown { run, name }),
                }
            }
            Effect::Provide { run, method, params, wants_progress } => {
                let Some(provider) = self.server.upgrade().and_then(|server| server.provider.clone()) else { return };
                let question = JsValue::object(&[(Key::Method, JsValue::word(method)), (Key::Params, params.clone())]);
                self.work(run, provider, question, params, wants_progress, Answers::Provide);
            }
            Effect::List { id, era, offset } => {
                let Some(server) = self.server.upgrade() else { return };
                for (name, reason) in server.tools.unlistable() {
                    let message = ["tool \"", &name, "\" is left out of tools/list: ", &reason].concat();
                    server.fault(to_js(&Error::new(Code::SchemaNotSerialisable, message)));
                }
                let (tools, versions) = (server.tools.listing(), server.versions());
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
                let timer = Timeout::new(wait.clamp(0.0, MAX_TIMER) as u32, move || {
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
