//! A server in a page: one manager of tools, any number of sessions.

use crate::core::code::Code;
use crate::core::error::Error;
use crate::core::limits::Limits;
use crate::core::revision::Implementation;
use crate::core::server::{self, Effect, Input, Profile, Run};
use crate::core::slots::Slots;
use crate::web::error::{describe, to_js};
use crate::web::link::{Arrival, Form, Link};
use crate::web::pump::Pump;
use crate::web::raw;
use crate::web::run::{self, Order};
use crate::web::spawn::{Done, awaited};
use crate::web::tools::{Follower, ToolManager};
use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;

/// What a server is made of.
pub struct ServerOptions {
    /// Its tools.
    pub tools: ToolManager,
    /// How it introduces itself.
    pub implementation: Implementation,
    /// Advice to the model about the server as a whole.
    pub instructions: Option<String>,
    /// What it lets a peer make it hold.
    pub limits: Limits,
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
    /// The runs that did not end at once, by what the core calls them.
    running: RefCell<Slots<u32>>,
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
            profile: Rc::new(Profile::new(options.implementation, options.instructions, options.limits)),
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
        session.set_link(Link::port(port, form, session.arrival()));
        session
    }

    /// Serves somebody's `Transport`; `done` is told once it has started.
    pub fn open_carrier(&self, carrier: &JsValue, done: Opened) {
        let session = self.open();
        session.starting.replace(Some(done));
        let link = session.set_link(Link::carrier(carrier, session.arrival()));
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

    fn open(&self) -> Rc<Session> {
        let shared = &self.shared;
        let session = Rc::new(Session {
            pump: Pump::new(server::Session::new(shared.profile.clone())),
            link: RefCell::new(None),
            server: Rc::downgrade(shared),
            running: RefCell::new(Slots::default()),
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
            let version = shared.tools.version();
            for session in sessions {
                session.feed(Input::Announce(version));
            }
        }));
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
                    let version = session.version();
                    session.feed(Input::Frame { frame, version });
                }
                Arrival::Garbled => session.feed(Input::Garbled),
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

    fn version(&self) -> u64 {
        self.server.upgrade().map_or(0, |server| server.tools.version())
    }

    fn fault(&self, error: JsValue) {
        if let Some(server) = self.server.upgrade() {
            server.fault(error);
        }
    }

    fn feed(self: &Rc<Self>, input: Input<JsValue>) {
        self.pump.feed(input, &|effect| self.perform(effect));
    }

    fn perform(self: &Rc<Self>, effect: Effect<JsValue>) {
        match effect {
            Effect::Send(frame) => self.send(frame),
            Effect::Call { run, name, arguments, wants_progress } => self.call(run, name, arguments, wants_progress),
            Effect::List { id, era } => {
                let Some(server) = self.server.upgrade() else { return };
                for (name, reason) in server.tools.unlistable() {
                    let message = ["tool \"", &name, "\" is left out of tools/list: ", &reason].concat();
                    server.fault(to_js(&Error::new(Code::SchemaNotSerialisable, message)));
                }
                let (tools, version) = (server.tools.listing(), server.tools.version());
                self.feed(Input::Listed { id, era, tools, version });
            }
            Effect::Abort { run, reason } => {
                let number = self.running.borrow_mut().remove(&run.key());
                if let Some(number) = number {
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

    fn call(self: &Rc<Self>, run: Run, name: String, arguments: JsValue, wants_progress: bool) {
        let tool = self.server.upgrade().and_then(|server| server.tools.get(&name));
        let Some(tool) = tool else { return self.feed(Input::Unknown { run, name }) };
        let progress: Option<run::OnProgress> = wants_progress.then(|| {
            let (weak, run) = (Rc::downgrade(self), run.clone());
            Rc::new(move |step| {
                if let Some(session) = weak.upgrade() {
                    session.feed(Input::Progressed { run: run.clone(), step });
                }
            }) as run::OnProgress
        });
        let order = Order { tool, arguments, caller: self.caller(), signal: JsValue::UNDEFINED, progress };
        let (session, ended) = (self.clone(), run.clone());
        let number = run::start(
            order,
            Box::new(move |outcome| {
                session.running.borrow_mut().remove(&ended.key());
                let (result, version) = (outcome.into_result(), session.version());
                session.feed(Input::Returned { run: ended, result, version });
            }),
        );
        let Some(number) = number else { return };
        // It may have been given up while it started, by what it did itself.
        if self.pump.look(|core| core.is_running(&run)).unwrap_or(true) {
            self.running.borrow_mut().insert(run.key(), number);
        } else {
            run::abort(number, "the call was given up");
        }
    }

    fn caller(&self) -> JsValue {
        if let Some(caller) = &*self.caller.borrow() {
            return caller.clone();
        }
        let client = self.pump.look(|core| core.peer().map(Implementation::to_json)).flatten();
        let is_known = client.is_some();
        let caller = run::caller("session", client);
        if is_known {
            self.caller.replace(Some(caller.clone()));
        }
        caller
    }
}
